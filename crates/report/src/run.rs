//! What a run folder says of its run.

use std::path::{Path, PathBuf};

use mahbusa_arena::Verdict;
use mahbusa_net::files::read_text;
use mahbusa_train::{
    FolderError, Kept, check_run, config_of_run, is_worked_on, kept_by_run, net_of_run, verdict_of_run,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use toml::Table;

use crate::line::{self, Line, Measured};
use crate::{Openings, ReportError};

/// A run, as its folder tells it.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it is called among the others: the name of its folder, or where that is not clear, the whole path.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its configuration, each key with its section before it.
    pub config: Vec<(String, String)>,
    /// What it was made with, likewise.
    pub manifest: Vec<(String, String)>,
    /// Its metrics.
    pub lines: Vec<Line>,
    /// The closing measurement, once there is one.
    pub verdict: Option<Verdict>,
    /// Whether all games have been learnt.
    pub complete: bool,
    /// Whether a process works on it.
    pub running: bool,
    /// The nets and checkpoints that it has kept.
    pub kept: Kept,
    /// How its net opens, once there is one and it has been asked.
    pub openings: Option<Openings>,
}

impl Run {
    /// Reads a folder.
    ///
    /// # Errors
    /// When it is no run, or a file in it cannot be read or is damaged.
    pub fn read(folder: &Path) -> Result<Run, ReportError> {
        let mut run = Run::read_numbers(folder)?;
        run.openings = match net_of_run(folder) {
            Ok(net) => Some(Openings::of(&net)),
            Err(FolderError::NoNet(_)) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(run)
    }

    /// The same without asking its net how it opens, which takes longer than all else.
    ///
    /// # Errors
    /// Those of [`Run::read`], a damaged net aside.
    pub fn read_numbers(folder: &Path) -> Result<Run, ReportError> {
        check_run(folder)?;
        config_of_run(folder)?;
        let path = folder.join("config.toml");
        // As it is written, without what defaults add.
        let table: Table = text(&path)?.parse().map_err(|error: toml::de::Error| ReportError::Damaged {
            path: path.clone(),
            message: error.message().to_owned(),
        })?;
        let manifest: Option<Map<String, Value>> = json(&folder.join("manifest.json"))?;
        Ok(Run {
            name: folder.display().to_string(),
            folder: folder.to_owned(),
            config: flat(&table, ""),
            manifest: manifest.into_iter().flatten().map(|(key, value)| (key, plain(&value))).collect(),
            lines: line::read(&folder.join("metrics.jsonl"))?,
            verdict: verdict_of_run(folder)?,
            complete: folder.join("final.mnet").is_file(),
            running: is_worked_on(folder),
            kept: kept_by_run(folder)?,
            openings: None,
        })
    }

    /// A setting as it is written in the configuration, texts without their quotes.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.config.iter().find(|(name, _)| name == key).map(|(_, value)| value.trim_matches('"'))
    }

    /// Games learnt so far.
    pub fn games(&self) -> u64 {
        self.lines.last().map_or(0, |line| line.games)
    }

    /// Whether a checkpoint holds all of them.
    pub fn is_saved(&self) -> bool {
        self.kept.checkpoints.iter().max().copied().unwrap_or(0) >= self.games()
    }

    /// Games that the run is to learn in all.
    pub fn total(&self) -> Option<u64> {
        self.setting("train.games")?.parse().ok()
    }

    /// Seconds until now, pauses left out.
    pub fn seconds(&self) -> Option<f64> {
        self.lines.last()?.seconds
    }

    /// Games a second over the last lines, measurements of strength included.
    pub fn speed(&self) -> Option<f64> {
        let (last, first) = (self.lines.last()?, &self.lines[self.lines.len().saturating_sub(6)]);
        match (last.seconds?, first.seconds?) {
            (now, before) if now > before => Some((last.games - first.games) as f64 / (now - before)),
            _ => last.games_per_second,
        }
    }

    /// Seconds that it still takes at that speed, unless it is complete.
    pub fn seconds_left(&self) -> Option<f64> {
        let left = self.total()?.checked_sub(self.games()).filter(|&left| left > 0 && !self.complete)?;
        self.speed().filter(|&speed| speed > 0.0).map(|speed| left as f64 / speed)
    }

    /// Seconds from one measurement of strength to the next, by the last two; of one, from the start.
    pub fn seconds_between_measurements(&self) -> Option<f64> {
        let mut times = self.measured().filter_map(|(line, _)| line.seconds).rev();
        let last = times.next()?;
        Some((last - times.next().unwrap_or(0.0)).max(0.0))
    }

    /// The measurements of strength, by games.
    pub fn measured(&self) -> impl DoubleEndedIterator<Item = (&Line, &Measured)> {
        self.lines.iter().filter_map(|line| Some((line, line.strength.as_ref()?)))
    }

    /// Games after which the net was the strongest that was measured.
    pub fn best(&self) -> Option<u64> {
        self.measured().filter(|(_, measured)| measured.is_best()).map(|(line, _)| line.games).next_back()
    }

    /// How strong it is against the heuristic player, as far as is known: the closing measurement, else the last one.
    pub fn strength(&self) -> Option<&Verdict> {
        let last = self.measured().next_back().map(|(_, measured)| &measured.heuristic);
        self.verdict.as_ref().or(last)
    }
}

/// What runs are called: the last part of their paths if those differ, else the paths.
pub(crate) fn names(folders: &[PathBuf]) -> Vec<String> {
    let last = |folder: &PathBuf| {
        // `.` and the like have no name of their own.
        let named = folder.file_name().map(ToOwned::to_owned);
        named.or_else(|| Some(folder.canonicalize().ok()?.file_name()?.to_owned()))
    };
    let names: Vec<Option<_>> = folders.iter().map(last).collect();
    let alone = |name: &_| names.iter().filter(|other| *other == name).count() == 1;
    let name = |(folder, name): (&PathBuf, &Option<std::ffi::OsString>)| match name {
        Some(text) if alone(name) => text.to_string_lossy().into_owned(),
        _ => folder.display().to_string(),
    };
    folders.iter().zip(&names).map(name).collect()
}

fn text(path: &Path) -> Result<String, ReportError> {
    read_text(path).map_err(|source| ReportError::Io { what: "cannot read", path: path.to_owned(), source })
}

/// A file of JSON, if there is one.
fn json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ReportError> {
    if !path.is_file() {
        return Ok(None);
    }
    let damaged = |error: serde_json::Error| ReportError::Damaged { path: path.to_owned(), message: error.to_string() };
    serde_json::from_str(&text(path)?).map(Some).map_err(damaged)
}

/// The values of a table by their whole keys.
fn flat(table: &Table, before: &str) -> Vec<(String, String)> {
    let (sections, values): (Vec<_>, Vec<_>) = table.iter().partition(|(_, value)| value.is_table());
    let named = |key: &str| format!("{before}{key}");
    let own = values.into_iter().map(|(key, value)| (named(key), value.to_string()));
    let inner = sections
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.as_table()?)))
        .flat_map(|(key, table)| flat(table, &named(&format!("{key}."))));
    own.chain(inner).collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_called_by_what_tells_them_apart() {
        let names_of = |paths: &[&str]| names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names_of(&["runs/quick", "runs/tapa/"]), ["quick", "tapa"]);
        assert_eq!(names_of(&["a/quick", "b/quick", "b/tapa"]), ["a/quick", "b/quick", "tapa"]);
    }

    #[test]
    fn settings_are_found_by_their_whole_key() {
        let table: Table = "rules = \"tapa\"\n[train]\ngames = 5\n[train.more]\nx = 1.5\n".parse().unwrap();
        let expected = [("rules", "\"tapa\""), ("train.games", "5"), ("train.more.x", "1.5")];
        assert_eq!(flat(&table, ""), expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }

    #[test]
    fn what_a_run_was_made_with_is_shown_without_brackets_and_quotes() {
        for (value, shown) in [("null", "null"), ("7", "7"), ("\"a\"", "a"), ("[\"a\",\"b\"]", "a, b")] {
            assert_eq!(plain(&serde_json::from_str(value).unwrap()), shown);
        }
    }
}
