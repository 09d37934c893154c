//! What a training run is told: a TOML file, every key with a default.
//!
//! Each key is declared once, below: its name, type, default, what it may be, and what it means. The struct, the checks, the commented file of `mahbusa
//! config init`, the JSON schema and the table of docs/config.md all come out of that declaration.

mod document;
mod keys;
mod nearest;
mod read;
mod templates;

use mahbusa_net::encoding::Inputs;
use mahbusa_net::{Activation, Shape};
use mahbusa_rules::Rules;
use serde::{Deserialize, Serialize};

use keys::{Allowed, Key, whole};
pub use read::{ConfigError, Mistake, Place, Problem};
pub use templates::{TEMPLATES, nearest_config};

/// More games than anybody will play, and TOML knows signed numbers only.
const MOST_GAMES: u64 = 1 << 50;

/// Declares a part of the configuration: a struct, its defaults and its keys.
///
/// A field is `pub name: type = default, what it may be;`, the part is `in` the prefix of its keys.
macro_rules! section {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident in $prefix:literal {
            $(
                $(#[doc = $doc:literal])+
                $(#[serde($($serde:tt)+)])?
                pub $field:ident: $type:ty = $default:expr, $allowed:expr;
            )+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $(
                $(#[doc = $doc])+
                $(#[serde($($serde)+)])?
                pub $field: $type,
            )+
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default),+ }
            }
        }

        impl $name {
            const KEYS: &'static [Key] = &[$(Key {
                name: concat!($prefix, stringify!($field)),
                allowed: $allowed,
                doc: concat!($($doc, "\n"),+),
            }),+];
        }
    };
}

section! {
    /// The configuration of a run.
    pub struct Config in "" {
        /// The game: `mahbusa` or `tapa`, with options after a comma, as in positions.
        #[serde(with = "rules_text")]
        pub rules: Rules = Rules::MAHBUSA, Allowed::Rules;
        /// Where all chance comes from: equal configuration and seed make equal nets.
        pub seed: u64 = 1, whole(0, i64::MAX as u64);
        /// Threads; 0 takes as many as there are processors. Changes the speed, never the result.
        pub threads: usize = 0, whole(0, 1024);
        /// The network.
        pub net: NetConfig = NetConfig::default(), Allowed::Section(NetConfig::KEYS);
        /// Self-play and learning.
        pub train: TrainConfig = TrainConfig::default(), Allowed::Section(TrainConfig::KEYS);
        /// How strength is measured on the way.
        pub evaluation: EvaluationConfig = EvaluationConfig::default(), Allowed::Section(EvaluationConfig::KEYS);
        /// What is written down, and when.
        pub output: OutputConfig = OutputConfig::default(), Allowed::Section(OutputConfig::KEYS);
    }
}

section! {
    /// The network.
    #[derive(Copy)]
    pub struct NetConfig in "net." {
        /// Hidden units.
        pub hidden: usize = 128, Allowed::Whole { least: 16, most: 4096, step: 16 };
        /// What a hidden unit makes of its sum when that is above 0: its square, or the sum itself; below 0 it is 0.
        pub activation: Activation = Activation::Squared, Allowed::OneOf(&["squared", "rectified"]);
        /// Units of a second hidden layer, rectified; 0 for none.
        pub second: usize = 0, Allowed::Whole { least: 0, most: 64, step: 16 };
        /// The inputs that the net sees: all of the encoding, or what stands where without the expert inputs.
        #[serde(with = "InputsName")]
        pub inputs: Inputs = Inputs::All, Allowed::OneOf(&["all", "raw"]);
    }
}

section! {
    /// Self-play and learning.
    pub struct TrainConfig in "train." {
        /// Self-play games of the whole run.
        pub games: u64 = 100_000, whole(1, MOST_GAMES);
        /// Games that are played with one set of weights.
        pub generation: u64 = 64, whole(1, 4096);
        /// Positions for one update of the weights.
        pub batch: usize = 256, whole(1, 65_536);
        /// How far targets look ahead: 0 one ply, 1 to the end of the game.
        pub lambda: f32 = 0.7, Allowed::Number { least: 0.0, most: 1.0 };
        /// What is taught of positions that the bear-off table covers: what it knows, or what the net makes of them, as everywhere.
        pub endings: Taught = Taught::Exact, Allowed::OneOf(&["exact", "played"]);
        /// Learning rate at the first game.
        pub learning_rate: f64 = 1e-3, Allowed::Number { least: 1e-30, most: 1.0 };
        /// How it falls: along half a cosine; or in stairs, to 0.3, 0.1 and 0.03 of it from 40, 70 and 90 % of the games.
        pub schedule: Schedule = Schedule::Cosine, Allowed::OneOf(&["cosine", "staircase"]);
        /// Share of the learning rate that a cosine leaves at the last game; stairs are fixed.
        pub final_share: f64 = 0.01, Allowed::Number { least: 0.0, most: 1.0 };
        /// Adam: decay of the mean gradient.
        pub beta1: f32 = 0.9, Allowed::Number { least: 0.0, most: 0.9999 };
        /// Adam: decay of the mean squared gradient.
        pub beta2: f32 = 0.999, Allowed::Number { least: 0.0, most: 0.999_999 };
        /// Adam: added to the root of the mean square.
        pub epsilon: f32 = 1e-8, Allowed::Number { least: 1e-30, most: 1.0 };
    }
}

section! {
    /// How strength is measured on the way.
    pub struct EvaluationConfig in "evaluation." {
        /// Self-play games between two measurements of strength.
        pub every: u64 = 20_000, whole(1, MOST_GAMES);
        /// Games of a measurement, against the heuristic player and again against the best net so far.
        pub games: u64 = 1000, Allowed::Whole { least: 4, most: 1 << 30, step: 2 };
        /// Games of the measurement at the end of the run, on dice that chose no net.
        pub final_games: u64 = 4000, Allowed::Whole { least: 4, most: 1 << 30, step: 2 };
    }
}

section! {
    /// What is written down, and when.
    pub struct OutputConfig in "output." {
        /// Self-play games between two lines of `metrics.jsonl`.
        pub metrics_every: u64 = 2000, whole(1, MOST_GAMES);
        /// Self-play games between two checkpoints.
        pub checkpoint_every: u64 = 10_000, whole(1, MOST_GAMES);
        /// How many of the newest checkpoints are kept.
        pub keep: usize = 2, whole(1, 1_000_000);
        /// One checkpoint for each multiple of this many games is kept for good; 0 keeps none.
        pub keep_every: u64 = 0, whole(0, MOST_GAMES);
        /// Whether the net of every measurement is kept in `nets/`, so that the run can be ranked from its beginning.
        pub keep_nets: bool = true, Allowed::Truth;
    }
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

/// What is taught of positions that the bear-off table covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Taught {
    /// What the table knows.
    Exact,
    /// What the net makes of them, as everywhere.
    Played,
}

impl Config {
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
mod tests;
