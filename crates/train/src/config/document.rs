//! The keys, told to people and to editors: a commented file, a JSON schema, the table of docs/config.md.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Config;
use super::keys::{Allowed, Key};

/// Width of the comments.
const WIDTH: usize = 100;

impl Config {
    /// The configuration as TOML with every key written out, and what it means and may be above it. Reads back as itself.
    pub fn commented(&self) -> String {
        let values = values(self);
        let defaults = values_of_default();
        let mut text = String::new();
        comment(
            &mut text,
            "Settings of a training run of Mahbusa. A key that is left out has its default. `mahbusa config check FILE` says what is wrong with a file, \
             `mahbusa train FILE --dry-run` what it would do.",
        );
        let write = |text: &mut String, key: &Key| {
            text.push('\n');
            comment(text, &key.meaning());
            let (value, default) = (&values[key.name], &defaults[key.name]);
            let default = if value == default { "the default" } else { &format!("default {default}") };
            // In TOML the quotes say enough.
            comment(text, &format!("({}; {default})", key.allowed.to_string().replace('`', "")));
            text.push_str(&format!("{} = {value}\n", key.short()));
        };
        for key in Config::KEYS {
            if let Allowed::Section(keys) = key.allowed {
                text.push_str(&format!("\n[{}]\n", key.name));
                comment(&mut text, &key.meaning());
                keys.iter().for_each(|key| write(&mut text, key));
            } else {
                write(&mut text, key);
            }
        }
        text
    }

    /// The JSON schema (draft 7) of a configuration, for editors.
    pub fn schema() -> Value {
        let mut schema = object(Config::KEYS, &json_values(&Config::default()));
        schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
        schema["title"] = "Settings of a training run of Mahbusa".into();
        schema
    }

    /// The table of all keys in Markdown.
    pub fn reference() -> String {
        let defaults = values_of_default();
        let mut text = "| key | default | may be | what |\n| --- | --- | --- | --- |\n".to_owned();
        let row = |text: &mut String, key: &Key| {
            let (name, default) = (key.name, &defaults[key.name]);
            text.push_str(&format!("| `{name}` | `{default}` | {} | {} |\n", key.allowed, key.meaning()));
        };
        for key in Config::KEYS {
            if let Allowed::Section(keys) = key.allowed {
                text.push_str(&format!("| **`[{}]`** | | | {} |\n", key.name, key.meaning()));
                keys.iter().for_each(|key| row(&mut text, key));
            } else {
                row(&mut text, key);
            }
        }
        text
    }
}

/// The values of a configuration in TOML, by key.
fn values(config: &Config) -> BTreeMap<String, String> {
    let mut section = String::new();
    let mut values = BTreeMap::new();
    for line in config.to_toml().lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = format!("{name}.");
        } else if let Some((key, value)) = line.split_once(" = ") {
            values.insert(format!("{section}{key}"), value.to_owned());
        }
    }
    values
}

fn values_of_default() -> BTreeMap<String, String> {
    values(&Config::default())
}

/// The values in JSON, by key.
fn json_values(config: &Config) -> BTreeMap<String, Value> {
    let json = |text: &str| match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => unreachable!("a number, a text or a truth value of TOML is one of JSON: {error}"),
    };
    values(config).into_iter().map(|(key, value)| (key, json(&value))).collect()
}

/// Adds lines of comment.
fn comment(text: &mut String, what: &str) {
    let mut line = "#".to_owned();
    for word in what.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = "#".to_owned();
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

/// The schema of a table with these keys.
fn object(keys: &[Key], defaults: &BTreeMap<String, Value>) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| {
            let mut schema = match key.allowed {
                Allowed::Rules => json!({
                    "type": "string",
                    "pattern": "^(mahbusa|plakoto|tapa)(,checkers=([1-9]|1[0-4]))?(,mother=(on|off))?$",
                    "examples": ["mahbusa", "tapa", "mahbusa,checkers=3"],
                }),
                Allowed::Whole { least, most, step } => {
                    json!({"type": "integer", "minimum": least, "maximum": most, "multipleOf": step})
                }
                Allowed::Number { least, most } => json!({"type": "number", "minimum": least, "maximum": most}),
                Allowed::OneOf(words) => json!({"enum": words}),
                Allowed::Truth => json!({"type": "boolean"}),
                Allowed::Section(keys) => object(keys, defaults),
            };
            let allowed = match key.allowed {
                Allowed::Section(_) => String::new(),
                _ => format!(" ({})", key.allowed.to_string().replace('`', "")),
            };
            schema["description"] = format!("{}{allowed}", key.meaning()).into();
            if let Some(default) = defaults.get(key.name) {
                schema["default"] = default.clone();
            }
            (key.short().to_owned(), schema)
        })
        .collect();
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}
