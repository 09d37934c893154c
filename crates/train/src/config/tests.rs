use std::path::{Path, PathBuf};

use toml::de::DeValue;

use super::read::leaves;
use super::*;

fn resolve(text: &str, assignments: &[&str]) -> Result<Config, ConfigError> {
    let assignments: Vec<String> = assignments.iter().map(|&a| a.to_owned()).collect();
    Config::from_text("my.toml", text, &assignments)
}

fn complaint(text: &str, assignments: &[&str]) -> String {
    resolve(text, assignments).unwrap_err().to_string()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Holds a generated text against the file that it is committed in, or writes it there where MAHBUSA_UPDATE is set.
fn committed(path: &str, text: &str) {
    let path = repository().join(path);
    if std::env::var_os("MAHBUSA_UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap();
    assert!(
        found == text,
        "{} has drifted from crates/train/src/config; make it again: \
         MAHBUSA_UPDATE=1 cargo test --release -p mahbusa-train config",
        path.display()
    );
}

#[test]
fn the_file_overrides_defaults_and_assignments_override_the_file() {
    let config = resolve("rules = \"tapa\"\n[train]\ngames = 7\n", &["train.games=9", "net.hidden=32"]).unwrap();
    assert_eq!((config.rules, config.train.games, config.net.hidden), (Rules::TAPA, 9, 32));
    assert_eq!(config.train.batch, TrainConfig::default().batch);
    assert_eq!(resolve("", &["rules=tapa,checkers=3"]).unwrap().rules.checkers(), 3);
    assert_eq!(resolve("train.games = 0x10\nnet = { second = 1_6 }", &[]).unwrap().train.games, 16);
    assert_eq!(resolve("", &["train.lambda=1", "output.keep_nets=false"]).unwrap().train.lambda, 1.0);
}

#[test]
fn every_written_form_reads_back_as_itself() {
    for changes in [[].as_slice(), &["train.lambda=0.65", "rules=plakoto,checkers=4", "output.keep_nets=false"]] {
        let config = resolve("", changes).unwrap();
        for text in [config.to_toml(), config.commented()] {
            assert_eq!(resolve(&text, &[]).unwrap(), config, "{text}");
        }
    }
    assert_eq!(resolve(&Config::default().commented(), &[]).unwrap(), Config::default());
}

#[test]
fn the_templates_are_the_files_of_configs() {
    let mut files: Vec<String> = std::fs::read_dir(repository().join("configs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    assert_eq!(TEMPLATES.map(|(name, _)| name).as_slice(), files);
    for (name, text) in TEMPLATES {
        resolve(text, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.starts_with("#:schema ./schema.json\n"), "editors find the schema of {name} by its first line");
    }
}

#[test]
fn the_keys_let_through_what_can_be_read_and_what_a_net_can_be() {
    for key in leaves() {
        let ends = match key.allowed {
            Allowed::Rules => vec!["tapa,checkers=14".to_owned()],
            Allowed::Whole { least, most, .. } => vec![least.to_string(), most.to_string()],
            Allowed::Number { least, most } => vec![format!("{least:e}"), format!("{most:?}")],
            Allowed::OneOf(words) => words.iter().map(|&word| word.to_owned()).collect(),
            Allowed::Truth => vec!["true".to_owned(), "false".to_owned()],
            Allowed::Section(_) => unreachable!("sections hold keys"),
        };
        for end in ends {
            let config = resolve("", &[&format!("{}={end}", key.name)]).unwrap();
            assert!(config.net.shape().check().is_ok());
            assert!(config.train.epsilon > 0.0, "not rounded to nothing");
        }
        if let Allowed::OneOf(words) = key.allowed {
            let text = format!("{}=\"no-such-word\"", key.name).replacen('.', " = { ", 1) + " }";
            let serde = toml::from_str::<Config>(&text).unwrap_err().to_string();
            // "expected `a` or `b`": serde knows no more words than the keys do.
            assert_eq!(serde.matches('`').count(), 2 * (words.len() + 1), "{serde}");
        }
    }
    for hidden in [0, 8, 16, 24, 4096, 4112] {
        for second in [0, 8, 16, 64, 80] {
            let shape = Shape { hidden, activation: Activation::Squared, second };
            let assignments = [format!("net.hidden={hidden}"), format!("net.second={second}")];
            assert_eq!(Config::from_text("", "", &assignments).is_ok(), shape.check().is_ok(), "{shape}");
        }
    }
}

#[test]
fn mistakes_are_named_with_line_key_range_and_the_nearest_name() {
    for (text, says) in [
        (
            "[train]\ngmaes = 3\n",
            "my.toml:2: unknown key `train.gmaes`; did you mean `train.games`, a whole number, 1 to 2^50?",
        ),
        ("games = 3\n", "my.toml:1: unknown key `games`; did you mean `train.games`, a whole number, 1 to 2^50?"),
        ("seed = 1\n\n[trian]\ngames = 3\n", "my.toml:3: unknown key `trian`; did you mean [train]?"),
        (
            "[train]\noptimiser = \"adam\"\n",
            "my.toml:2: unknown key `train.optimiser`; [train] has `games`, `generation`, `batch`, `lambda`, `endings`, `learning_rate`, `schedule`, \
             `final_share`, `beta1`, `beta2`, `epsilon`",
        ),
        ("[train]\ngames = \"many\"\n", "my.toml:2: `train.games` is \"many\"; expected a whole number, 1 to 2^50"),
        ("[train]\n\ngames = 3e5\n", "my.toml:3: `train.games` is 3e5; expected a whole number, 1 to 2^50"),
        ("train = 5\n", "my.toml:1: `train` is 5; expected a section of keys"),
        ("[seed]\n", "my.toml:1: `seed` is a section; expected a whole number, 0 to 2^63 - 1"),
        (
            "seed = 99999999999999999999\n",
            "my.toml:1: `seed` is 99999999999999999999; expected a whole number, 0 to 2^63 - 1",
        ),
        ("[net]\nhidden = 100\n", "my.toml:2: `net.hidden` is 100; expected a multiple of 16, 16 to 4096"),
        ("[train]\nlambda = 1.5\n", "my.toml:2: `train.lambda` is 1.5; expected a number, 0 to 1"),
        ("[train]\nepsilon = 0\n", "my.toml:2: `train.epsilon` is 0; expected a number, 1e-30 to 1"),
        (
            "[train]\nschedule = \"stairs\"\n",
            "my.toml:2: `train.schedule` is \"stairs\"; expected `\"cosine\"` or `\"staircase\"`; did you mean `\"staircase\"`?",
        ),
        (
            "rules = \"mahbsua\"\n",
            "my.toml:1: `rules` is \"mahbsua\"; expected `\"mahbusa\"` or `\"tapa\"`, with options such as `\"mahbusa,checkers=3\"` \
             (rules, column 1: expected `mahbusa`, `plakoto` or `tapa`, found `mahbsua`); did you mean `\"mahbusa\"`?",
        ),
        ("[evaluation]\ngames = 101\n", "my.toml:2: `evaluation.games` is 101; expected an even number, 4 to 2^30"),
        (
            "\"train.games\" = 5\n",
            "my.toml:1: unknown key `train.games`; the name of a section stands outside the quotes",
        ),
        ("output.keep_nets = \"yes\"\n", "my.toml:1: `output.keep_nets` is \"yes\"; expected `true` or `false`"),
    ] {
        assert_eq!(complaint(text, &[]), says);
    }
    for (assignment, says) in [
        ("=5", "--set =5: expected KEY=VALUE, such as train.games=50000"),
        ("train", "--set train: expected KEY=VALUE, such as train.games=50000"),
        ("train.games=-5", "--set train.games=-5: `train.games` is -5; expected a whole number, 1 to 2^50"),
        ("train.lambda=nan", "--set train.lambda=nan: `train.lambda` is nan; expected a number, 0 to 1"),
        ("train.games=", "--set train.games=: `train.games` is empty; expected a whole number, 1 to 2^50"),
        (
            "net.activation=square",
            "--set net.activation=square: `net.activation` is square; expected `\"squared\"` or `\"rectified\"`; did you mean `\"squared\"`?",
        ),
        (
            "train.lamda=1",
            "--set train.lamda=1: unknown key `train.lamda`; did you mean `train.lambda`, a number, 0 to 1?",
        ),
        (
            "train.batch_size=64",
            "--set train.batch_size=64: unknown key `train.batch_size`; did you mean `train.batch`, a whole number, 1 to 65536?",
        ),
        (
            "net=5",
            "--set net=5: unknown key `net`; it is a section, with `net.hidden`, `net.activation`, `net.second`, `net.inputs`",
        ),
        (
            "seed.x.y=1",
            "--set seed.x.y=1: unknown key `seed.x.y`; there are `rules`, `seed`, `threads`, `net`, `train`, `evaluation`, `output`",
        ),
    ] {
        assert_eq!(complaint("", &[assignment]), says);
    }
    let says = complaint("rules = tapa\n[net]\n", &[]);
    assert!(says.starts_with("my.toml:1: this is not TOML: "), "{says}");
    for word in ["True", "yes", "ON"] {
        let says = complaint(&format!("[output]\nkeep_nets = {word} # all\n"), &[]);
        assert!(says.starts_with("my.toml:2: ") && says.ends_with("; did you mean `keep_nets = true`?"), "{says}");
    }
    let says = complaint("\n\n[train\n", &[]);
    assert!(says.starts_with("my.toml:3: this is not TOML: "), "{says}");
}

#[test]
fn all_mistakes_are_told_in_the_order_of_the_text() {
    let says = complaint("seed = -1\n[train]\nlambda = 2\ngames = 0\n[net]\nhidden = 1\n", &["x", "train.beta1=1"]);
    assert!(says.starts_with("6 mistakes:\n"), "{says}");
    let places: Vec<&str> = says.lines().skip(1).map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["my.toml:1", "my.toml:3", "my.toml:4", "my.toml:6", "--set x", "--set train.beta1=1"]);
}

#[test]
fn the_committed_schema_is_that_of_the_keys() {
    committed("configs/schema.json", &(serde_json::to_string_pretty(&Config::schema()).unwrap() + "\n"));
}

#[test]
fn the_committed_table_is_that_of_the_keys() {
    let (begin, end) = ("<!-- keys: made by a test, see the end of this page -->\n", "<!-- end of keys -->\n");
    let document = std::fs::read_to_string(repository().join("docs/config.md")).unwrap();
    let (before, rest) = document.split_once(begin).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    committed("docs/config.md", &format!("{before}{begin}\n{}\n{end}{after}", Config::reference()));
}

#[test]
fn what_is_allowed_is_checked_whatever_the_type() {
    let values = ["1", "-1", "0.5", "\"text\"", "true", "[1]", "{ a = 1 }", "1979-05-27", "inf", "nan", "0b11"];
    for key in leaves() {
        for value in values {
            let checked = key.allowed.check(DeValue::parse(value).unwrap().get_ref());
            let read = resolve("", &[&format!("{}={value}", key.name)]);
            assert_eq!(checked.is_ok(), read.is_ok(), "{} {value}", key.name);
        }
    }
}

#[test]
fn the_mistakes_of_the_documentation_get_the_messages_that_stand_there() {
    let page = std::fs::read_to_string(repository().join("docs/config.md")).unwrap();
    let document = page.split_once("## Ten mistakes").unwrap().1.split("\n## ").next().unwrap();
    let blocks = |kind: &str| -> Vec<String> {
        let begin = format!("```{kind}\n");
        document.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
    };
    let (texts, answers) = (blocks("toml"), blocks("text"));
    assert!(texts.len() >= 10 && texts.len() == answers.len(), "each mistake with its message");
    for (text, answer) in texts.iter().zip(&answers) {
        // The messages are broken into lines there.
        let said: Vec<&str> = answer.split_whitespace().collect();
        assert_eq!(complaint(text, &[]).split_whitespace().collect::<Vec<_>>(), said, "{text}");
    }
}
