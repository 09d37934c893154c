use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use mahbusa_net::files::{read_text, write_atomically};
use mahbusa_rules::Rules;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Estimate, Level, LevelNumber, NetSize, Ply};

/// What the file is.
const KIND: &str = "levels";

/// The only version of the format that this program reads; raised whenever the same file would play otherwise.
const FORMAT: u32 = 1;

/// What noise and cap mean, for whoever reads the file.
const CHOICE: &str = "Of the plays whose equity, as the level sees it, is at most `cap` points below the best one, the level takes that of highest \
                      equity - noise * ln(-ln u), with u in 0..1 from a hash of the seed, the position, the dice and the play; see docs/levels.md.";

/// Points that noise and cap can have.
const POINTS: RangeInclusive<f64> = 0.0..=4.0;

/// The levels of a net, as they were measured: the file `levels.json` beside it.
///
/// ```no_run
/// use std::path::Path;
///
/// use mahbusa_net::NetFile;
/// use mahbusa_players::{Aim, LevelNumber, Levels, NetPlayer, NetSize, Search, TurnNoise, Workspace};
/// use mahbusa_rules::{Board, Position, Roll};
///
/// let levels = Levels::read(Path::new("models/mahbusa-1/levels.json"))?;
/// let level = &levels.get(LevelNumber::new(2).ok_or("no such level")?).level;
/// let folder = match level.net {
///     NetSize::Full => "models/mahbusa-1",
///     NetSize::Small => "models/mahbusa-1-small",
/// };
/// let net = NetFile::read(&Path::new(folder).join("net.mnet"))?;
/// let search = Search::new(NetPlayer::new(&net.weights), level.ply);
///
/// let roll = Roll::new(3, 1)?;
/// let position = "mahbusa:MAA16a1a1m:0.0:w:-:0.0.0".parse::<Position>()?.with_dice(roll);
/// let plays = position.plays();
/// let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
/// let mut workspace = Workspace::default();
/// let rated = search.rate(position.rules, &position.board, &afterstates, Aim::Points, &mut workspace);
/// // A seed for each game, such as its number, makes games differ.
/// let noise = TurnNoise::new(7, position.rules, &position.board, roll);
/// println!("{}", plays[level.pick(&noise, &afterstates, rated, Aim::Points)].play);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// The rules that they play by.
    pub rules: Rules,
    /// The hash of the net that they belong to.
    pub full: String,
    /// The hash of the small net, which some of them ask.
    pub small: String,
    /// All of them, from the weakest on.
    pub levels: [GradedLevel; LevelNumber::ALL.len()],
}

/// A level, and how strong it was found to be.
#[derive(Clone, Debug, PartialEq)]
pub struct GradedLevel {
    /// How it plays.
    pub level: Level,
    /// What its plays lose on average, in millipoints a decision, as the top level sees it in the self-play of the full net.
    pub loss: Estimate,
    /// How it did against the level below; the weakest one has none.
    pub against_below: Option<LevelResult>,
}

/// Games of a level against the one below.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelResult {
    /// Games played, two a pair.
    pub games: u64,
    /// Their seed.
    pub seed: u64,
    /// Share of games won, a draw counting half.
    pub win_rate: Estimate,
    /// Points per game.
    pub points_per_game: Estimate,
}

/// A net that is not the one that levels ask.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OtherNet {
    /// It is not the same.
    #[error("the {size} net of these levels is {expected}, not {found}")]
    Hash {
        /// Which of the two was expected.
        size: NetSize,
        /// Its hash.
        expected: String,
        /// The hash of the one that was found.
        found: String,
    },
    /// It is the same, and was not trained on the rules that the levels name.
    #[error("these are levels of {expected}, and their {size} net is one of {found}")]
    Rules {
        /// Which of the two it is.
        size: NetSize,
        /// The rules of the levels.
        expected: Rules,
        /// Its rules.
        found: Rules,
    },
}

/// A file of levels that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LevelsError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("this is no file of levels: expected a JSON object with \"mahbusa\": \"{KIND}\"")]
    OtherKind,
    /// It is of another version of the format.
    #[error("this file of levels has format {found}, this program reads format {FORMAT}")]
    OtherFormat {
        /// Its version.
        found: u32,
    },
    /// It is no JSON, or lacks something, or has something that nobody knows.
    #[error("damaged: {0}")]
    Json(#[from] serde_json::Error),
    /// Something has a value that cannot be.
    #[error("damaged: {place}: expected {expected}, found {found}")]
    Value {
        /// Where.
        place: String,
        /// What could stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
}

impl Levels {
    /// The level of this number.
    pub fn get(&self, number: LevelNumber) -> &GradedLevel {
        &self.levels[number.index()]
    }

    /// The hash of a net.
    pub fn hash(&self, net: NetSize) -> &str {
        match net {
            NetSize::Full => &self.full,
            NetSize::Small => &self.small,
        }
    }

    /// Refuses a net, by its hash and its rules, that is not the one that these levels ask.
    ///
    /// # Errors
    /// When it is another one.
    pub fn check(&self, size: NetSize, hash: &str, rules: Rules) -> Result<(), OtherNet> {
        if hash != self.hash(size) {
            let expected = self.hash(size).to_owned();
            return Err(OtherNet::Hash { size, expected, found: hash.to_owned() });
        }
        if rules != self.rules {
            return Err(OtherNet::Rules { size, expected: self.rules, found: rules });
        }
        Ok(())
    }

    /// Reads the text of a file, and checks all of it.
    ///
    /// # Errors
    /// When it is no file of levels of this version, or something in it cannot be.
    pub fn from_json(text: &str) -> Result<Levels, LevelsError> {
        let head: Head = serde_json::from_str(text)?;
        if head.mahbusa.as_deref() != Some(KIND) {
            return Err(LevelsError::OtherKind);
        }
        if let Some(found) = head.format.filter(|&format| format != FORMAT) {
            return Err(LevelsError::OtherFormat { found });
        }
        serde_json::from_str::<File>(text)?.try_into()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or as [`Levels::from_json`].
    pub fn read(path: &Path) -> Result<Levels, LevelsError> {
        Levels::from_json(&read_text(path)?)
    }

    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, self.to_json()?.as_bytes())
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None: everything in it can be written.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}

impl Serialize for Levels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        File::from(self).serialize(serializer)
    }
}

/// What every version has.
#[derive(Deserialize)]
struct Head {
    mahbusa: Option<String>,
    format: Option<u32>,
}

/// The file as it stands on disk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mahbusa: String,
    format: u32,
    rules: String,
    full: String,
    small: String,
    choice: String,
    levels: Vec<Row>,
}

/// A level as it stands there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    level: u8,
    name: String,
    net: NetSize,
    ply: u8,
    noise: f64,
    cap: f64,
    loss: Estimate,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    against_below: Option<LevelResult>,
}

impl From<&Levels> for File {
    fn from(levels: &Levels) -> File {
        File {
            mahbusa: KIND.to_owned(),
            format: FORMAT,
            rules: levels.rules.to_string(),
            full: levels.full.clone(),
            small: levels.small.clone(),
            choice: CHOICE.to_owned(),
            levels: levels.levels.iter().map(Row::from).collect(),
        }
    }
}

impl From<&GradedLevel> for Row {
    fn from(graded: &GradedLevel) -> Row {
        let GradedLevel { level, loss, against_below } = graded.clone();
        Row {
            level: level.number.get(),
            name: level.name,
            net: level.net,
            ply: level.ply.number(),
            noise: level.noise,
            cap: level.cap,
            loss,
            against_below,
        }
    }
}

impl TryFrom<File> for Levels {
    type Error = LevelsError;

    fn try_from(file: File) -> Result<Levels, LevelsError> {
        let rules = file.rules.parse().map_err(|_| wrong("rules", "rules such as `mahbusa` or `tapa`", &file.rules))?;
        for (place, hash) in [("full", &file.full), ("small", &file.small)] {
            let digits = hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            check(digits, place, "the SHA-256 of a net in 64 hexadecimal digits", hash)?;
        }
        let found = file.levels.len();
        let expected = LevelNumber::ALL.len();
        let mut levels = Vec::with_capacity(expected);
        for (number, row) in LevelNumber::ALL.into_iter().zip(file.levels) {
            levels.push(row.read(number)?);
        }
        let levels = levels
            .try_into()
            .ok()
            .filter(|_| found == expected)
            .ok_or_else(|| wrong("levels", format!("{expected} of them"), found))?;
        Ok(Levels { rules, full: file.full, small: file.small, levels })
    }
}

impl Row {
    /// The level that should stand here.
    fn read(self, number: LevelNumber) -> Result<GradedLevel, LevelsError> {
        let place = |key: &str| format!("level {number}, {key}");
        check(self.level == number.get(), &place("level"), number, self.level)?;
        let named = !self.name.is_empty() && self.name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        check(named, &place("name"), "a name of small letters", &self.name)?;
        let ply = self.ply.to_string().parse::<Ply>().map_err(|_| wrong(&place("ply"), "1, 2 or 3", self.ply))?;
        let most = if number == LevelNumber::TOP { 0.0..=0.0 } else { POINTS };
        within(&place("noise"), self.noise, &most)?;
        within(&place("cap"), self.cap, &most)?;
        interval(&place("loss"), self.loss, &(0.0..=4000.0))?;
        let weakest = number.below().is_none();
        let (expected, found) = if weakest { ("nothing", "something") } else { ("games", "nothing") };
        check(self.against_below.is_none() == weakest, &place("against_below"), expected, found)?;
        if let Some(LevelResult { games, win_rate, points_per_game, .. }) = self.against_below {
            let place = |key: &str| place(&format!("against_below, {key}"));
            check(games > 0 && games.is_multiple_of(2), &place("games"), "an even number", games)?;
            interval(&place("win_rate"), win_rate, &(0.0..=1.0))?;
            interval(&place("points_per_game"), points_per_game, &(-2.0..=2.0))?;
        }
        let level = Level { number, name: self.name, net: self.net, ply, noise: self.noise, cap: self.cap };
        Ok(GradedLevel { level, loss: self.loss, against_below: self.against_below })
    }
}

fn wrong(place: &str, expected: impl Display, found: impl Display) -> LevelsError {
    LevelsError::Value { place: place.to_owned(), expected: expected.to_string(), found: found.to_string() }
}

fn check(right: bool, place: &str, expected: impl Display, found: impl Display) -> Result<(), LevelsError> {
    if right { Ok(()) } else { Err(wrong(place, expected, found)) }
}

fn within(place: &str, value: f64, range: &RangeInclusive<f64>) -> Result<(), LevelsError> {
    check(range.contains(&value), place, format!("a number in {}..={}", range.start(), range.end()), value)
}

fn interval(place: &str, estimate: Estimate, range: &RangeInclusive<f64>) -> Result<(), LevelsError> {
    let Estimate { mean, low, high } = estimate;
    for value in [mean, low, high] {
        within(place, value, range)?;
    }
    check(low <= mean && mean <= high, place, "low <= mean <= high", format!("{low}, {mean}, {high}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> Levels {
        let estimate = |mean| Estimate { mean, low: mean - 0.01, high: mean + 0.01 };
        let below = LevelResult { games: 80, seed: 2, win_rate: estimate(0.675), points_per_game: estimate(0.5) };
        Levels {
            rules: Rules::MAHBUSA,
            full: "0f".repeat(32),
            small: "1e".repeat(32),
            levels: LevelNumber::ALL.map(|number| {
                let top = number == LevelNumber::TOP;
                let (ply, noise, cap) = if top { (Ply::Two, 0.0, 0.0) } else { (Ply::One, 0.05, 0.2) };
                let net = if number.get() < 4 { NetSize::Small } else { NetSize::Full };
                GradedLevel {
                    level: Level { number, name: "name".to_owned(), net, ply, noise, cap },
                    loss: estimate(20.0),
                    against_below: number.below().map(|_| below),
                }
            }),
        }
    }

    #[test]
    fn levels_survive_their_file() {
        let text = serde_json::to_string(&levels()).unwrap();
        assert_eq!(Levels::from_json(&text).unwrap(), levels());
    }

    #[test]
    fn another_net_is_refused() {
        let levels = levels();
        let said = |size, hash: &str, rules| levels.check(size, hash, rules).map_err(|error| error.to_string());
        assert_eq!(said(NetSize::Full, &levels.full, Rules::MAHBUSA), Ok(()));
        assert_eq!(
            said(NetSize::Small, "0f", Rules::MAHBUSA),
            Err(format!("the small net of these levels is {}, not 0f", levels.small))
        );
        assert_eq!(
            said(NetSize::Full, &levels.full, Rules::TAPA),
            Err("these are levels of mahbusa, and their full net is one of tapa".to_owned())
        );
    }

    #[test]
    fn whatever_is_wrong_is_named() {
        let text = serde_json::to_string_pretty(&levels()).unwrap();
        for (from, to, says) in [
            ("\"mahbusa\": \"levels\"", "\"mahbusa\": \"pairs\"", "no file of levels"),
            ("\"format\": 1", "\"format\": 2", "has format 2, this program reads format 1"),
            ("\"format\": 1,", "", "missing field `format`"),
            ("\"rules\": \"mahbusa\"", "\"rules\": \"chess\"", "rules: expected rules such as"),
            ("0f0f", "0F0F", "full: expected the SHA-256 of a net"),
            ("1e1e", "1e1", "small: expected the SHA-256 of a net"),
            ("\"level\": 2", "\"level\": 3", "level 2, level: expected 2, found 3"),
            ("\"name\": \"name\"", "\"name\": \"\"", "level 1, name: expected a name of small letters"),
            ("\"net\": \"full\"", "\"net\": \"huge\"", "unknown variant `huge`, expected `full` or `small` at line"),
            ("\"ply\": 2", "\"ply\": 4", "level 6, ply: expected 1, 2 or 3, found 4"),
            ("\"noise\": 0.05", "\"noise\": -0.05", "level 1, noise: expected a number in 0..=4, found -0.05"),
            ("\"noise\": 0.0,", "\"noise\": 0.1,", "level 6, noise: expected a number in 0..=0, found 0.1"),
            ("\"cap\": 0.2", "\"cap\": 1e999", "number out of range at line"),
            ("\"cap\": 0.2", "\"cap\": 0.2, \"hat\": 1", "unknown field `hat`"),
            ("\"games\": 80", "\"games\": 81", "level 2, against_below, games: expected an even number, found 81"),
            ("\"mean\": 0.675", "\"mean\": 0.775", "level 2, against_below, win_rate: expected low <= mean <= high"),
            ("\"mean\": 0.5", "\"mean\": 0.5, \"median\": 0.5", "unknown field `median`"),
            ("\"low\": 19.99", "\"low\": -19.99", "level 1, loss: expected a number in 0..=4000, found -19.99"),
            ("{", "[", "damaged: "),
        ] {
            assert!(text.contains(from), "{from}");
            let said = Levels::from_json(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(said.contains(says), "{to}: {said}");
        }
        let altered = |change: &dyn Fn(&mut Vec<serde_json::Value>)| {
            let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
            change(file["levels"].as_array_mut().unwrap());
            Levels::from_json(&file.to_string()).unwrap_err().to_string()
        };
        assert_eq!(altered(&|rows| rows.truncate(5)), "damaged: levels: expected 6 of them, found 5");
        assert_eq!(altered(&|rows| rows.push(rows[5].clone())), "damaged: levels: expected 6 of them, found 7");
        let said = altered(&|rows| rows[0]["against_below"] = rows[1]["against_below"].clone());
        assert_eq!(said, "damaged: level 1, against_below: expected nothing, found something");
        let said = altered(&|rows| rows[3]["against_below"] = serde_json::Value::Null);
        assert_eq!(said, "damaged: level 4, against_below: expected games, found nothing");
    }
}
