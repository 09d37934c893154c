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
use std::path::Path;

use mahbusa_net::json::fault_of_line;
use mahbusa_rules::Rules;
use serde::{Deserialize, Serialize};

use crate::lines::{Contents, LineFile, VERSION};
use crate::{Finish, LinesError, Pair};

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
    file: LineFile,
    known: Known,
}

/// Pairs 0, 1, 2, ... of each key.
#[derive(Debug, Default)]
struct Known(HashMap<Key, Vec<Pair>>);

#[derive(Serialize)]
struct Head {
    mahbusa: &'static str,
    format: u32,
    version: &'static str,
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
    pub fn open(path: &Path) -> Result<Record, LinesError> {
        let mut known = Known::default();
        Ok(Record { file: LineFile::open(path, &mut known)?, known })
    }

    /// The pairs that are known, from number 0 on; those of the opponent against the player are the same games.
    pub fn pairs(&self, key: &Key) -> Vec<Pair> {
        let (key, flipped) = ordered(key);
        let pairs = self.known.0.get(&key).map_or(&[][..], Vec::as_slice);
        if flipped { pairs.iter().map(Pair::flip).collect() } else { pairs.to_vec() }
    }

    /// Writes down what is new among the pairs of a key, which begin with number 0.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, key: &Key, pairs: &[Pair]) -> Result<(), LinesError> {
        let (key, flipped) = ordered(key);
        let first = self.known.0.get(&key).map_or(0, Vec::len);
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
        self.file.append(&line)?;
        self.known.0.entry(key).or_default().extend(new);
        Ok(())
    }
}

impl Contents for Known {
    const NAME: &'static str = "a file of played games";

    fn head(&self) -> impl Serialize {
        Head { mahbusa: "pairs", format: 1, version: VERSION }
    }

    fn begun_otherwise(&self, _: &str) -> Option<String> {
        None
    }

    fn take(&mut self, text: &str) -> Result<(), String> {
        let line: Line = serde_json::from_str(text).map_err(|error| fault_of_line(text, &error))?;
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
        let known = self.0.entry(key).or_default();
        if known.len() as u64 != line.first {
            return Err(format!("`first` is {}, expected {}", line.first, known.len()));
        }
        known.extend(pairs.iter().zip(line.plies).map(|(&games, plies)| Pair { games, plies }));
        Ok(())
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

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
    fn what_is_no_record_is_refused() {
        let path = path();
        let head = "{\"mahbusa\":\"pairs\",\"format\":1,\"version\":\"0.1.0\"}\n";
        let line = |first: u64, games: &str| {
            format!(
                r#"{{"player":"a","opponent":"b","rules":"tapa","seed":1,"first":{first},"games":"{games}","plies":[9]}}"#
            )
        };
        for (text, says) in [
            (head.replace("0.1.0", "0.0.9"), "does not begin as a file of played games"),
            (format!("{head}{}\n", line(5, "Ss")), "line 2: `first` is 5, expected 0"),
            (format!("{head}{}\n", line(0, "Sx")), "letter"),
            (format!("{head}{}\n", line(0, "Sss")), "same pairs"),
            (format!("{head}{}\n{{}}\n", line(0, "Ss")), "line 3"),
        ] {
            fs::write(&path, &text).unwrap();
            let error = Record::open(&path).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        fs::remove_file(path).unwrap();
    }
}
