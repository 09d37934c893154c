//! Played pairs in a file, so that nothing has to be played twice.
//!
//! JSON lines. The first line says what the file is; each other one holds pairs that stand next to each other:
//!
//! ```text
//! {"mahbusa":"pairs","format":1,"version":"0.1.0"}
//! {"player":"heuristic","opponent":"random","rules":"tapa","seed":1,"first":0,"games":"SsMS","plies":[190,171]}
//! ```
//!
//! Two letters of `games` are a pair, see [`Finish::letter`](crate::Finish::letter). A line that a kill has cut off is dropped.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use mahbusa_rules::Rules;
use serde::{Deserialize, Serialize};

use crate::{Finish, Pair};

/// What decides how a pair of some number goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Who is measured: the hash of a net, or the name of a baseline.
    pub player: String,
    /// Who the opponent is.
    pub opponent: String,
    /// The game.
    pub rules: Rules,
    /// The seed of dice and chance.
    pub seed: u64,
}

/// A file of played pairs, locked for this process.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    file: File,
    /// Pairs 0, 1, 2, ... of each key.
    known: HashMap<Key, Vec<Pair>>,
}

/// A record that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system refused something.
    #[error("cannot {what} {path}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Another process uses the file.
    #[error("another process is writing to {0}; wait for it, or save to another file")]
    Locked(PathBuf),
    /// The file is something else, or of another version.
    #[error("{0} does not begin as a file of played games of this version ({version}) does; save to another file", version = VERSION)]
    Foreign(PathBuf),
    /// A line makes no sense.
    #[error("{path} is damaged in line {line}: {why}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

/// Players may play otherwise in another version.
const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize, Deserialize, PartialEq)]
struct Head {
    mahbusa: String,
    format: u32,
    version: String,
}

impl Head {
    fn ours() -> Head {
        Head { mahbusa: "pairs".to_owned(), format: 1, version: VERSION.to_owned() }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    player: String,
    opponent: String,
    rules: String,
    seed: u64,
    first: u64,
    games: String,
    plies: Vec<u32>,
}

impl Record {
    /// Opens a file for more pairs; a new one is made where there is none.
    ///
    /// # Errors
    /// When it cannot be read or written, is used by another process, or is no record of this version.
    pub fn open(path: &Path) -> Result<Record, RecordError> {
        let io = |what| {
            let path = path.to_owned();
            move |source| RecordError::Io { what, path, source }
        };
        // Not a device or a pipe, which may never end.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(RecordError::Foreign(path.to_owned()));
        }
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let mut file = options.open(path).map_err(io("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(io("read"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate();
        match lines.next() {
            Some((_, head)) if serde_json::from_str::<Head>(head).is_ok_and(|head| head == Head::ours()) => {}
            // Nothing but a first line that was cut off: a file of ours, or an empty one.
            None if json_line(&Head::ours()).starts_with(&text) => {}
            _ => return Err(RecordError::Foreign(path.to_owned())),
        }
        let mut record = Record { path: path.to_owned(), file, known: HashMap::new() };
        for (index, line) in lines {
            record.take(line).map_err(|why| RecordError::Damaged { path: path.to_owned(), line: index + 1, why })?;
        }
        if whole < text.len() {
            record.file.set_len(whole as u64).map_err(io("write"))?;
            record.file.seek(SeekFrom::End(0)).map_err(io("write"))?;
        }
        if whole == 0 {
            record.write(&json_line(&Head::ours()))?;
        }
        Ok(record)
    }

    /// The pairs that are known, from number 0 on; those of the opponent against the player are the same games.
    pub fn pairs(&self, key: &Key) -> Vec<Pair> {
        let (key, flipped) = ordered(key);
        let pairs = self.known.get(&key).map_or(&[][..], Vec::as_slice);
        if flipped { pairs.iter().map(Pair::flip).collect() } else { pairs.to_vec() }
    }

    /// Writes down what is new among the pairs of a key, which begin with number 0.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, key: &Key, pairs: &[Pair]) -> Result<(), RecordError> {
        let (key, flipped) = ordered(key);
        let first = self.known.get(&key).map_or(0, Vec::len);
        let new = pairs.get(first..).unwrap_or_default();
        if new.is_empty() {
            return Ok(());
        }
        let new: Vec<Pair> = if flipped { new.iter().map(Pair::flip).collect() } else { new.to_vec() };
        let line = Line {
            player: key.player.clone(),
            opponent: key.opponent.clone(),
            rules: key.rules.to_string(),
            seed: key.seed,
            first: first as u64,
            games: new.iter().flat_map(|pair| pair.games).map(Finish::letter).collect(),
            plies: new.iter().map(|pair| pair.plies).collect(),
        };
        self.write(&json_line(&line))?;
        self.known.entry(key).or_default().extend(new);
        Ok(())
    }

    /// Understands a line.
    fn take(&mut self, text: &str) -> Result<(), String> {
        let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let rules = line.rules.parse().map_err(|error| format!("rules: {error}"))?;
        let key = Key { player: line.player, opponent: line.opponent, rules, seed: line.seed };
        let games: Option<Vec<Finish>> = line.games.chars().map(Finish::from_letter).collect();
        let games = games.ok_or("an unknown letter in `games`")?;
        let (pairs, rest) = games.as_chunks::<2>();
        if !rest.is_empty() || pairs.len() != line.plies.len() {
            return Err("`games` and `plies` are not of the same pairs".to_owned());
        }
        if ordered(&key).1 {
            return Err("`player` must come before `opponent` in the alphabet".to_owned());
        }
        let known = self.known.entry(key).or_default();
        if known.len() as u64 != line.first {
            return Err(format!("`first` is {}, expected {}", line.first, known.len()));
        }
        known.extend(pairs.iter().zip(line.plies).map(|(&games, plies)| Pair { games, plies }));
        Ok(())
    }

    fn write(&mut self, line: &str) -> Result<(), RecordError> {
        self.file.write_all(line.as_bytes()).map_err(|source| RecordError::Io {
            what: "write to",
            path: self.path.clone(),
            source,
        })
    }
}

/// The key under which games are kept, whoever of the two asks, and whether the players have changed places in it.
fn ordered(key: &Key) -> (Key, bool) {
    let flipped = key.player > key.opponent;
    let mut key = key.clone();
    if flipped {
        std::mem::swap(&mut key.player, &mut key.opponent);
    }
    (key, flipped)
}

fn json_line(value: &impl Serialize) -> String {
    match serde_json::to_string(value) {
        Ok(text) => text + "\n",
        Err(error) => unreachable!("numbers and texts always serialise: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> PathBuf {
        static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        std::env::temp_dir().join(format!("mahbusa-record-{}-{number}.jsonl", std::process::id()))
    }

    fn key(player: &str, opponent: &str) -> Key {
        Key { player: player.to_owned(), opponent: opponent.to_owned(), rules: Rules::TAPA, seed: 3 }
    }

    fn pairs() -> Vec<Pair> {
        let pair = |(first, second)| Pair { games: [first, second], plies: 100 };
        Finish::ALL.into_iter().zip(Finish::ALL.into_iter().rev()).map(pair).collect()
    }

    #[test]
    fn pairs_read_back_from_either_side_and_grow() {
        let path = path();
        let (ours, theirs) = (key("b", "a"), key("a", "b"));
        let pairs = pairs();
        Record::open(&path).unwrap().add(&ours, &pairs[..3]).unwrap();
        let mut record = Record::open(&path).unwrap();
        assert_eq!(record.pairs(&ours), pairs[..3]);
        record.add(&ours, &pairs).unwrap();
        record.add(&ours, &pairs[..2]).unwrap();
        drop(record);
        let record = Record::open(&path).unwrap();
        assert_eq!(record.pairs(&ours), pairs);
        assert_eq!(record.pairs(&theirs), pairs.iter().map(Pair::flip).collect::<Vec<_>>());
        assert_eq!(record.pairs(&Key { seed: 4, ..ours }), []);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_cut_anywhere_is_used_as_far_as_it_goes() {
        let path = path();
        let key = key("a", "b");
        let mut record = Record::open(&path).unwrap();
        for end in 1..=3 {
            record.add(&key, &pairs()[..end]).unwrap();
        }
        drop(record);
        let bytes = fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let mut record = Record::open(&path).unwrap();
            let known = record.pairs(&key);
            assert!(pairs().starts_with(&known));
            record.add(&key, &pairs()).unwrap();
            drop(record);
            assert_eq!(Record::open(&path).unwrap().pairs(&key), pairs(), "cut at {length}");
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_no_record_is_refused_and_left_alone() {
        let path = path();
        let head = json_line(&Head::ours());
        let line = |first: u64, games: &str| {
            format!(
                r#"{{"player":"a","opponent":"b","rules":"tapa","seed":1,"first":{first},"games":"{games}","plies":[9]}}"#
            )
        };
        for (text, says) in [
            ("my diary\n".to_owned(), "does not begin"),
            ("my diary".to_owned(), "does not begin"),
            (head.replace("0.1.0", "0.0.9"), "does not begin"),
            (format!("{head}{}\n", line(5, "Ss")), "line 2"),
            (format!("{head}{}\n", line(0, "Sx")), "letter"),
            (format!("{head}{}\n", line(0, "Sss")), "same pairs"),
            (format!("{head}{}\n{{}}\n", line(0, "Ss")), "line 3"),
        ] {
            fs::write(&path, &text).unwrap();
            let error = Record::open(&path).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn two_processes_do_not_write_to_one_file() {
        let path = path();
        let record = Record::open(&path).unwrap();
        assert!(matches!(Record::open(&path), Err(RecordError::Locked(_))));
        drop(record);
        fs::remove_file(path).unwrap();
    }
}
