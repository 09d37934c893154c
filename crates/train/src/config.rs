//! What a training run is told: a TOML file, every key with a default.

use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use mahbusa_net::encoding::Inputs;
use mahbusa_net::{Activation, Shape, WeightsError};
use mahbusa_rules::Rules;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The configuration of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The rule set: `mahbusa`, `tapa`, with options as in the notation (`mahbusa,checkers=3`).
    #[serde(with = "rules_text")]
    pub rules: Rules,
    /// The seed of everything random: the same config and seed give the same weights.
    pub seed: u64,
    /// Threads; 0 takes as many as there are processors. Their number does not change the result.
    pub threads: usize,
    /// The network.
    pub net: NetConfig,
    /// Self-play and learning.
    pub train: TrainConfig,
    /// How strength is measured on the way.
    pub evaluation: EvaluationConfig,
    /// What is written down, and when.
    pub output: OutputConfig,
}

/// The network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// Hidden units, a multiple of 16 in 16..=4096.
    pub hidden: usize,
    /// What they make of their sums.
    pub activation: Activation,
    /// Units of a second hidden layer: 0 for none, else a multiple of 16, at most 64.
    pub second: usize,
    /// The inputs that it sees: `all`, or `raw` for those without expert knowledge.
    #[serde(with = "InputsName")]
    pub inputs: Inputs,
}

impl NetConfig {
    /// The layers of the net.
    pub fn shape(&self) -> Shape {
        let NetConfig { hidden, activation, second, .. } = *self;
        Shape { hidden, activation, second }
    }
}

/// How [`Inputs`] are called in a config.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Inputs", rename_all = "lowercase")]
enum InputsName {
    All,
    Raw,
}

/// How the learning rate falls over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Along half a cosine, from the learning rate to `final_share` of it.
    #[default]
    Cosine,
    /// In four stairs: the whole learning rate, then 0.3, 0.1 and 0.03 of it from 40, 70 and 90 % of the games.
    Staircase,
}

/// Self-play and learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Self-play games of the whole run.
    pub games: u64,
    /// Games that are played with one set of weights, 1..=4096.
    pub generation: u64,
    /// Positions an update of the weights, 1..=65536.
    pub batch: usize,
    /// How far targets look ahead: 0 one ply, 1 to the end of the game.
    pub lambda: f32,
    /// What is taught of the ends of games.
    pub endings: Taught,
    /// Learning rate of the first game, above 0 and at most 1.
    pub learning_rate: f64,
    /// How the learning rate falls.
    pub schedule: Schedule,
    /// Share of the learning rate that a cosine leaves at the last game, 0..=1; stairs are fixed.
    pub final_share: f64,
    /// Adam's decay of the mean gradient, 0..=0.9999.
    pub beta1: f32,
    /// Adam's decay of the mean squared gradient, 0..=0.999999.
    pub beta2: f32,
    /// Adam's epsilon, above 0 and at most 1.
    pub epsilon: f32,
}

/// What is taught of positions that the bear-off table covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Taught {
    /// What the table knows.
    Exact,
    /// What the net makes of them, as everywhere.
    Played,
}

/// How strength is measured on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Self-play games between two measurements.
    pub every: u64,
    /// Games of a measurement, an even number of at least 4.
    pub games: u64,
    /// Games of the measurement at the end of the run, on other dice, an even number of at least 4.
    pub final_games: u64,
}

/// What is written down, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputConfig {
    /// Self-play games between two lines of `metrics.jsonl`.
    pub metrics_every: u64,
    /// Self-play games between two checkpoints.
    pub checkpoint_every: u64,
    /// How many of the newest checkpoints are kept, at least 1.
    pub keep: usize,
    /// The first checkpoint past each multiple of this many games is kept for good; 0 keeps none.
    pub keep_every: u64,
    /// Whether the net of every measurement is kept in `nets/`, so that the run can be ranked from its beginning.
    pub keep_nets: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            rules: Rules::MAHBUSA,
            seed: 1,
            threads: 0,
            net: NetConfig::default(),
            train: TrainConfig::default(),
            evaluation: EvaluationConfig::default(),
            output: OutputConfig::default(),
        }
    }
}

impl Default for NetConfig {
    fn default() -> NetConfig {
        NetConfig { hidden: 128, activation: Activation::Squared, second: 0, inputs: Inputs::All }
    }
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            games: 100_000,
            generation: 64,
            batch: 256,
            lambda: 0.7,
            endings: Taught::Exact,
            learning_rate: 1e-3,
            schedule: Schedule::Cosine,
            final_share: 0.01,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
        }
    }
}

impl Default for EvaluationConfig {
    fn default() -> EvaluationConfig {
        EvaluationConfig { every: 20_000, games: 1000, final_games: 4000 }
    }
}

impl Default for OutputConfig {
    fn default() -> OutputConfig {
        OutputConfig { metrics_every: 2000, checkpoint_every: 10_000, keep: 2, keep_every: 0, keep_nets: true }
    }
}

/// A configuration that cannot be used: what is wrong and where.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the config {path}")]
    Io {
        /// The file.
        path: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The text is not TOML, or has an unknown key or a value of the wrong type.
    #[error("config {origin}: {message}")]
    Syntax {
        /// Where the text came from.
        origin: String,
        /// What is wrong, with line and column where they are known.
        message: String,
    },
    /// A `--set` has not the form `key=value`.
    #[error("--set {0}: expected key=value, such as train.games=50000")]
    Assignment(String),
    /// A value is out of range.
    #[error("config key `{key}` is {found}, expected {expected}")]
    Range {
        /// The key, with its section.
        key: &'static str,
        /// Its value.
        found: String,
        /// What is allowed.
        expected: String,
    },
}

impl Config {
    /// Reads a file, applies `key=value` assignments on top (`train.games=50000`), and checks the ranges.
    ///
    /// # Errors
    /// What is wrong first, with its place.
    pub fn load(path: &Path, assignments: &[String]) -> Result<Config, ConfigError> {
        let origin = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Io { path: origin.clone(), source })?;
        // The file alone first: only there can a line be named.
        toml::from_str::<Config>(&text)
            .map_err(|error| ConfigError::Syntax { origin: origin.clone(), message: error.to_string() })?;
        let mut table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| ConfigError::Syntax { origin, message: error.to_string() })?;
        for assignment in assignments {
            assign(&mut table, assignment)?;
            let origin = format!("--set {assignment}");
            table
                .clone()
                .try_into::<Config>()
                .map_err(|error| ConfigError::Syntax { origin, message: error.to_string() })?;
        }
        let origin = path.display().to_string();
        let config: Config =
            table.try_into().map_err(|error| ConfigError::Syntax { origin, message: error.to_string() })?;
        config.check()?;
        Ok(config)
    }

    /// The resolved configuration as TOML.
    pub fn to_toml(&self) -> String {
        match toml::to_string(self) {
            Ok(text) => text,
            Err(error) => unreachable!("numbers and texts always serialise: {error}"),
        }
    }

    /// The part that decides the weights, as a text: a run must not go on with another one.
    pub(crate) fn decisive_part(&self) -> String {
        let part = Config {
            threads: 0,
            evaluation: EvaluationConfig::default(),
            output: OutputConfig::default(),
            ..self.clone()
        };
        part.to_toml()
    }

    fn check(&self) -> Result<(), ConfigError> {
        let shape = self.net.shape();
        shape.check().map_err(|error| match error {
            WeightsError::Second(second) => out_of_range("net.second", second, "0, 16, 32, 48 or 64"),
            _ => out_of_range("net.hidden", shape.hidden, "a multiple of 16 in 16..=4096"),
        })?;
        // More games than anybody will play, and TOML knows signed numbers only.
        let most = 1 << 50;
        let (train, evaluation, output) = (&self.train, &self.evaluation, &self.output);
        within("seed", self.seed, 0..=i64::MAX as u64)?;
        within("threads", self.threads, 0..=1024)?;
        within("train.games", train.games, 1..=most)?;
        within("train.generation", train.generation, 1..=4096)?;
        within("train.batch", train.batch, 1..=65_536)?;
        within("train.lambda", train.lambda, 0.0..=1.0)?;
        above_zero("train.learning_rate", train.learning_rate)?;
        within("train.final_share", train.final_share, 0.0..=1.0)?;
        within("train.beta1", train.beta1, 0.0..=0.9999)?;
        within("train.beta2", train.beta2, 0.0..=0.999_999)?;
        above_zero("train.epsilon", f64::from(train.epsilon))?;
        within("evaluation.every", evaluation.every, 1..=most)?;
        for (key, games) in [("evaluation.games", evaluation.games), ("evaluation.final_games", evaluation.final_games)]
        {
            within(key, games, 4..=1 << 30)?;
            if games % 2 == 1 {
                return Err(out_of_range(key, games, "an even number, since games come in pairs"));
            }
        }
        within("output.metrics_every", output.metrics_every, 1..=most)?;
        within("output.checkpoint_every", output.checkpoint_every, 1..=most)?;
        within("output.keep", output.keep, 1..=1_000_000)?;
        within("output.keep_every", output.keep_every, 0..=most)
    }
}

fn within<T: PartialOrd + std::fmt::Display>(
    key: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), ConfigError> {
    if range.contains(&value) {
        return Ok(());
    }
    let expected = format!("{}..={}", range.start(), range.end());
    Err(out_of_range(key, value, &expected))
}

fn above_zero(key: &'static str, value: f64) -> Result<(), ConfigError> {
    if value > 0.0 && value <= 1.0 { Ok(()) } else { Err(out_of_range(key, value, "above 0 and at most 1")) }
}

fn out_of_range(key: &'static str, value: impl std::fmt::Display, expected: &str) -> ConfigError {
    ConfigError::Range { key, found: value.to_string(), expected: expected.to_owned() }
}

/// Sets a dotted key to a value, which is TOML, or else a text.
fn assign(table: &mut Table, assignment: &str) -> Result<(), ConfigError> {
    let wrong = || ConfigError::Assignment(assignment.to_owned());
    let (key, value) = assignment.split_once('=').ok_or_else(wrong)?;
    let mut path: Vec<&str> = key.trim().split('.').collect();
    let last = path.pop().filter(|last| !last.is_empty()).ok_or_else(wrong)?;
    let value = Value::from_str(value.trim()).unwrap_or_else(|_| Value::String(value.trim().to_owned()));
    let mut place = table;
    for section in path {
        let entry = place.entry(section).or_insert_with(|| Value::Table(Table::new()));
        place = entry.as_table_mut().ok_or_else(wrong)?;
    }
    place.insert(last.to_owned(), value);
    Ok(())
}

mod rules_text {
    use mahbusa_rules::Rules;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(rules)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str, assignments: &[&str]) -> Result<Config, ConfigError> {
        static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mahbusa-config-{}-{number}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let assignments: Vec<String> = assignments.iter().map(|&a| a.to_owned()).collect();
        let config = Config::load(&path, &assignments);
        std::fs::remove_file(&path).unwrap();
        config
    }

    #[test]
    fn the_file_overrides_defaults_and_assignments_override_the_file() {
        let config = resolve("rules = \"tapa\"\n[train]\ngames = 7\n", &["train.games=9", "net.hidden=32"]).unwrap();
        assert_eq!((config.rules, config.train.games, config.net.hidden), (Rules::TAPA, 9, 32));
        assert_eq!(config.train.batch, TrainConfig::default().batch);
        assert_eq!(resolve("", &["rules=tapa,checkers=3"]).unwrap().rules.checkers(), 3);
    }

    #[test]
    fn the_resolved_form_reads_back_as_itself() {
        let config = resolve("", &["train.lambda=0.65", "rules=plakoto"]).unwrap();
        assert_eq!(resolve(&config.to_toml(), &[]).unwrap(), config);
    }

    #[test]
    fn every_key_is_documented_with_its_default() {
        let document = include_str!("../../../docs/config.md");
        let table: Table = Config::default().to_toml().parse().unwrap();
        let keys = table.iter().flat_map(|(key, value)| match value {
            Value::Table(section) => section.iter().map(|(name, value)| (format!("{key}.{name}"), value)).collect(),
            value => vec![(key.clone(), value)],
        });
        for (key, value) in keys {
            let row = document.lines().find(|line| line.starts_with(&format!("| `{key}` |"))).expect(&key);
            let default = row.split('|').nth(2).unwrap().trim().trim_matches('`');
            let default: Value = default.parse().unwrap_or_else(|_| panic!("{row}"));
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs();
            // Numbers of 32 bits are written with all the digits of 64.
            let same = match (&default, value) {
                (Value::Float(a), Value::Float(b)) => close(*a, *b),
                _ => default == *value,
            };
            assert!(same, "{row}: {value}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_key() {
        for (text, assignment, names) in [
            ("[train]\ngmaes = 3\n", None, "gmaes"),
            ("[train]\ngames = \"many\"\n", None, "line 2"),
            ("[train\n", None, "line 1"),
            ("rules = \"chess\"\n", None, "chess"),
            ("", Some("train.lambda=1.5"), "train.lambda"),
            ("", Some("train.lambda=nan"), "train.lambda"),
            ("", Some("net.hidden=100"), "multiple of 16"),
            ("", Some("evaluation.games=101"), "even"),
            ("", Some("train.games=0"), "train.games"),
            ("", Some("train.games=-5"), "train.games"),
            ("", Some("train.schedule=stairs"), "stairs"),
            ("", Some("net.inputs=expert"), "expert"),
            ("", Some("net.activation=tanh"), "tanh"),
            ("", Some("net.second=24"), "net.second"),
            ("", Some("train.endings=maybe"), "maybe"),
            ("", Some("train"), "key=value"),
            ("", Some("seed.x.y=1"), "seed"),
            ("", Some("no.such=1"), "no"),
        ] {
            let error = resolve(text, assignment.as_slice()).unwrap_err().to_string();
            assert!(error.contains(names), "{text} {assignment:?}: {error}");
        }
    }
}
