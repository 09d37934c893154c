//! From text to a configuration, or to everything that is wrong with it.

use std::fmt;
use std::path::Path;

use mahbusa_net::files::read_text;
use mahbusa_rules::{quoted, shortened};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::Config;
use super::keys::{Allowed, Key};
use super::nearest::{distance_if_near, nearest};

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
    /// Something in it is wrong: at least one mistake, in the order of the text.
    #[error("{}", listed_mistakes(.0))]
    Mistakes(Vec<Mistake>),
}

/// Something that is wrong in a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// Where.
    pub place: Place,
    /// What.
    pub problem: Problem,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a file.
    Line {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// An assignment of the command.
    Assignment(String),
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The text is not TOML, for this reason.
    Toml(String),
    /// An assignment has not the form `key=value`.
    NoAssignment,
    /// There is no such key.
    UnknownKey {
        /// What was written, with its section.
        key: String,
        /// What was perhaps meant, and what that may be; or which keys there are.
        instead: String,
    },
    /// A value is of the wrong type, or out of range.
    Value {
        /// The key, with its section.
        key: &'static str,
        /// Its value as it was written.
        found: String,
        /// What it may be.
        expected: String,
        /// What was perhaps meant.
        nearest: Option<&'static str>,
    },
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Line { file, line } => write!(f, "{file}:{line}: ")?,
            Place::Assignment(text) => write!(f, "--set {}: ", shortened(text, 80))?,
        }
        match &self.problem {
            Problem::Toml(why) => write!(f, "this is not TOML: {why}"),
            Problem::NoAssignment => f.write_str("expected KEY=VALUE, such as train.games=50000"),
            Problem::UnknownKey { key, instead } => write!(f, "unknown key {}; {instead}", quoted(key)),
            Problem::Value { key, found, expected, nearest } => {
                write!(f, "`{key}` is {found}; expected {expected}")?;
                nearest.map_or(Ok(()), |nearest| write!(f, "; did you mean `\"{nearest}\"`?"))
            }
        }
    }
}

/// Several mistakes stand one a line below their number.
fn listed_mistakes(mistakes: &[Mistake]) -> String {
    let lines = mistakes.iter().map(Mistake::to_string).collect::<Vec<_>>().join("\n");
    if mistakes.len() > 1 { format!("{} mistakes:\n{lines}", mistakes.len()) } else { lines }
}

impl Config {
    /// Reads a file and applies `key=value` assignments on top (`train.games=50000`).
    ///
    /// # Errors
    /// When the file cannot be read, or everything that is wrong with it and with the assignments.
    pub fn load(path: &Path, assignments: &[String]) -> Result<Config, ConfigError> {
        let name = path.display().to_string();
        let text = read_text(path).map_err(|source| ConfigError::Io { path: name.clone(), source })?;
        Config::from_text(&name, &text, assignments)
    }

    /// The same for the text of a file of this name.
    ///
    /// # Errors
    /// Everything that is wrong with it and with the assignments.
    pub fn from_text(file: &str, text: &str, assignments: &[String]) -> Result<Config, ConfigError> {
        let mut mistakes = Vec::new();
        let mut table = check_text(file, text, &mut mistakes);
        for assignment in assignments {
            assign(&mut table, assignment, &mut mistakes);
        }
        if !mistakes.is_empty() {
            return Err(ConfigError::Mistakes(mistakes));
        }
        // What the table of keys lets through can be read; a test holds both together.
        table.try_into().map_err(|error: toml::de::Error| {
            let place = Place::Line { file: file.to_owned(), line: 1 };
            ConfigError::Mistakes(vec![Mistake { place, problem: Problem::Toml(error.to_string()) }])
        })
    }
}

/// The keys of a text; what is wrong is added to the mistakes.
fn check_text(file: &str, text: &str, mistakes: &mut Vec<Mistake>) -> Table {
    let at = |offset: usize| Place::Line { file: file.to_owned(), line: 1 + text[..offset].matches('\n').count() };
    let not_toml = |error: toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start.min(text.len()));
        let begins = text[..offset].rfind('\n').map_or(0, |end| end + 1);
        let hint = unquoted(text[begins..].lines().next().unwrap_or_default());
        let hint = hint.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        Mistake { place: at(offset), problem: Problem::Toml(error.message().replace('\n', ", ") + &hint) }
    };
    let mut found = Vec::new();
    match DeTable::parse(text) {
        Ok(table) => check_table(table.get_ref(), "", Config::KEYS, text, &mut found),
        Err(error) => mistakes.push(not_toml(error)),
    }
    // A table has its own order.
    found.sort_by_key(|(offset, _)| *offset);
    mistakes.extend(found.into_iter().map(|(offset, problem)| Mistake { place: at(offset), problem }));
    if !mistakes.is_empty() {
        return Table::new();
    }
    text.parse().unwrap_or_else(|error| {
        mistakes.push(not_toml(error));
        Table::new()
    })
}

/// What a line should be whose value is a word without quotes, the commonest fault of all.
fn unquoted(line: &str) -> Option<String> {
    let (key, value) = line.split('#').next()?.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let word = |c: char| c.is_alphanumeric() || "-_,=".contains(c);
    if !value.starts_with(char::is_alphabetic) || !value.chars().all(word) {
        return None;
    }
    let lower = value.to_lowercase();
    Some(match &*lower {
        "true" | "yes" | "on" => format!("{key} = true"),
        "false" | "no" | "off" => format!("{key} = false"),
        _ => format!("{key} = \"{value}\""),
    })
}

/// Checks a section, whose name and a point is the prefix, and those within it; what is wrong is added, with its offset in the text.
fn check_table(table: &DeTable<'_>, prefix: &str, keys: &'static [Key], text: &str, found: &mut Vec<(usize, Problem)>) {
    for (name, value) in table {
        let full = format!("{prefix}{}", name.get_ref());
        let Some(key) = keys.iter().find(|key| key.name == full) else {
            let problem = if name.get_ref().contains('.') {
                Problem::UnknownKey { key: full, instead: "the name of a section stands outside the quotes".to_owned() }
            } else {
                unknown(full, matches!(value.get_ref(), DeValue::Table(_)))
            };
            found.push((name.span().start, problem));
            continue;
        };
        if let (Allowed::Section(keys), DeValue::Table(section)) = (&key.allowed, value.get_ref()) {
            check_table(section, &format!("{full}."), keys, text, found);
        } else if let Err(problem) = check_value(key, value.get_ref(), &text[value.span()]) {
            found.push((value.span().start.max(name.span().start), problem));
        }
    }
}

fn check_value(key: &Key, value: &DeValue<'_>, written: &str) -> Result<(), Problem> {
    key.allowed.check(value).map_err(|refused| Problem::Value {
        key: key.name,
        found: if matches!(value, DeValue::Table(_)) { "a section".to_owned() } else { one_line(written) },
        expected: refused.expected,
        nearest: refused.nearest,
    })
}

/// A value as it was written, on one line of bearable length.
fn one_line(written: &str) -> String {
    const LONGEST: usize = 40;
    if written.is_empty() {
        return "empty".to_owned();
    }
    let line = written.lines().next().unwrap_or_default();
    let short = shortened(line, LONGEST);
    if line.len() < written.len() && short.len() == line.len() { format!("{short}...") } else { short.into_owned() }
}

/// What other trainers call settings, and what they are here.
const CALLED_ELSEWHERE: [(&str, &str); 5] = [
    ("lr", "train.learning_rate"),
    ("batch_size", "train.batch"),
    ("epochs", "train.games"),
    ("episodes", "train.games"),
    ("hidden_size", "net.hidden"),
];

/// What to say of a key or section that does not exist.
fn unknown(key: String, is_section: bool) -> Problem {
    let (section, short) = key.rsplit_once('.').unwrap_or(("", &key));
    let instead = if is_section {
        match nearest(&key, sections().map(|key| key.name)) {
            Some(near) => format!("did you mean [{near}]?"),
            None => format!("the sections are {}", listed(sections().map(|key| format!("[{}]", key.name)))),
        }
    } else {
        let near = leaves().filter_map(|leaf| {
            let elsewhere = leaf.name.rsplit_once('.').map_or("", |(section, _)| section) != section;
            Some((distance_if_near(short, leaf.short())? + usize::from(elsewhere), leaf))
        });
        let elsewhere = CALLED_ELSEWHERE.iter().find(|(name, _)| *name == short);
        let meant = elsewhere.and_then(|(_, ours)| leaves().find(|leaf| leaf.name == *ours));
        match meant.or_else(|| near.min_by_key(|(distance, _)| *distance).map(|(_, leaf)| leaf)) {
            Some(near) => format!("did you mean `{}`, {}?", near.name, near.allowed),
            None => match sections().find(|key| key.name == section) {
                Some(Key { allowed: Allowed::Section(keys), .. }) => {
                    format!("[{section}] has {}", listed(keys.iter().map(|key| format!("`{}`", key.short()))))
                }
                _ => format!("there are {}", listed(Config::KEYS.iter().map(|key| format!("`{}`", key.name)))),
            },
        }
    };
    Problem::UnknownKey { key, instead }
}

fn listed(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// All sections.
pub(crate) fn sections() -> impl Iterator<Item = &'static Key> {
    Config::KEYS.iter().filter(|key| matches!(key.allowed, Allowed::Section(_)))
}

/// All keys that have a value, in the order of their declaration.
pub(crate) fn leaves() -> impl Iterator<Item = &'static Key> {
    Config::KEYS.iter().flat_map(|key| match key.allowed {
        Allowed::Section(keys) => keys,
        _ => std::slice::from_ref(key),
    })
}

/// Sets a dotted key to a value, which is TOML, or else a text; what is wrong is added to the mistakes.
fn assign(table: &mut Table, assignment: &str, mistakes: &mut Vec<Mistake>) {
    let mut wrong = |problem| mistakes.push(Mistake { place: Place::Assignment(assignment.to_owned()), problem });
    let parts = assignment.split_once('=').map(|(name, written)| (name.trim(), written.trim()));
    let Some((name, written)) = parts.filter(|(name, _)| !name.is_empty()) else {
        return wrong(Problem::NoAssignment);
    };
    let Some(key) = leaves().find(|key| key.name == name) else {
        return wrong(match sections().find(|key| key.name == name) {
            Some(section) => Problem::UnknownKey { key: name.to_owned(), instead: unknown_value_of(section) },
            None => unknown(name.to_owned(), false),
        });
    };
    let checked = DeValue::parse(written).map_or_else(|_| DeValue::String(written.into()), toml::Spanned::into_inner);
    if let Err(problem) = check_value(key, &checked, written) {
        return wrong(problem);
    }
    let value = written.parse().unwrap_or_else(|_| Value::String(written.to_owned()));
    let place = match name.rsplit_once('.') {
        Some((section, _)) => {
            let section = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
            let Some(section) = section.as_table_mut() else { return };
            section
        }
        None => table,
    };
    place.insert(key.short().to_owned(), value);
}

/// A section is set by its keys.
fn unknown_value_of(section: &Key) -> String {
    match section.allowed {
        Allowed::Section(keys) => {
            format!("it is a section, with {}", listed(keys.iter().map(|key| format!("`{}`", key.name))))
        }
        _ => section.allowed.to_string(),
    }
}
