//! The lines of a transcript, as they stand in the file.

use mahbusa_net::json::fault_of_line;
use mahbusa_players::{LevelNumber, Ply};
use mahbusa_rules::{Side, shortened};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{DiceSource, Head, How, LevelSeat, NetSeat, Seat};

/// What the file is.
const KIND: &str = "match";

/// The only version of the format that this program reads.
pub const FORMAT: u32 = 2;

/// A line after the first one.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Game(GameLine),
    Turn(TurnLine),
    Back(BackLine),
    End(EndLine),
}

/// A game begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    pub game: u32,
    /// White's die and Black's of each throw of the opening roll.
    pub opening: Vec<String>,
    pub opener: SideName,
}

/// A turn was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnLine {
    pub turn: u32,
    pub position: String,
    pub play: String,
}

/// This turn and all after it were taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackLine {
    pub back: u32,
}

/// A game is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndLine {
    pub end: How,
    pub winner: Option<SideName>,
    pub points: u8,
    /// Points of the match after the game.
    pub white: u16,
    pub black: u16,
}

/// A side as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    White,
    Black,
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::White => SideName::White,
            Side::Black => SideName::Black,
        }
    }
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Side {
        match name {
            SideName::White => Side::White,
            SideName::Black => Side::Black,
        }
    }
}

impl Line {
    /// Reads a line.
    pub fn read(text: &str) -> Result<Line, String> {
        let said = |error: serde_json::Error| fault_of_line(text, &error);
        // Told apart by their first key.
        let value: Value = serde_json::from_str(text).map_err(said)?;
        let has = |key| value.get(key).is_some();
        if has("turn") {
            serde_json::from_str(text).map(Line::Turn).map_err(said)
        } else if has("game") {
            serde_json::from_str(text).map(Line::Game).map_err(said)
        } else if has("back") {
            serde_json::from_str(text).map(Line::Back).map_err(said)
        } else if has("end") {
            serde_json::from_str(text).map(Line::End).map_err(said)
        } else {
            Err("expected an object with `game`, `turn`, `back` or `end`".to_owned())
        }
    }

    /// The line with its end.
    pub fn write(&self) -> String {
        match self {
            Line::Game(line) => json_line(line),
            Line::Turn(line) => json_line(line),
            Line::Back(line) => json_line(line),
            Line::End(line) => json_line(line),
        }
    }
}

/// What every version has.
#[derive(Deserialize)]
struct Mark {
    mahbusa: Option<String>,
    format: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadLine {
    mahbusa: String,
    format: u32,
    version: String,
    rules: String,
    length: u16,
    seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pair: Option<u64>,
    white: SeatLine,
    black: SeatLine,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatLine {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    net: Option<NetLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NetLine {
    model: Option<String>,
    sha256: String,
    ply: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<LevelLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelLine {
    number: u8,
    noise: f64,
    cap: f64,
}

/// Why a first line is none.
#[derive(Debug, PartialEq)]
pub enum HeadFault {
    /// The file is something else.
    Foreign,
    /// It is of another version of the format.
    Format(u32),
    /// Something in it makes no sense.
    Wrong(String),
}

/// The first line, with its end.
pub fn write_head(head: &Head) -> String {
    json_line(&HeadLine {
        mahbusa: KIND.to_owned(),
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rules: head.rules.to_string(),
        length: head.length,
        seed: head.dice.seed(),
        pair: head.dice.pair(),
        white: SeatLine::of(&head.white),
        black: SeatLine::of(&head.black),
    })
}

/// Reads the first line.
pub fn read_head(text: &str) -> Result<Head, HeadFault> {
    let mark: Mark = serde_json::from_str(text).map_err(|_| HeadFault::Foreign)?;
    match mark {
        Mark { mahbusa: Some(kind), format: Some(FORMAT) } if kind == KIND => {}
        Mark { mahbusa: Some(kind), format: Some(other) } if kind == KIND => return Err(HeadFault::Format(other)),
        _ => return Err(HeadFault::Foreign),
    }
    let line: HeadLine = serde_json::from_str(text).map_err(|error| HeadFault::Wrong(fault_of_line(text, &error)))?;
    let rules = line.rules.parse().map_err(|error| HeadFault::Wrong(format!("{error}")))?;
    let white = line.white.read().map_err(|why| HeadFault::Wrong(format!("white: {why}")))?;
    let black = line.black.read().map_err(|why| HeadFault::Wrong(format!("black: {why}")))?;
    let dice = match (line.seed, line.pair) {
        (None, None) => DiceSource::Elsewhere,
        (Some(seed), None) => DiceSource::Seed(seed),
        (Some(seed), Some(pair)) if line.length == 0 => DiceSource::Pair { seed, pair },
        (_, Some(_)) => {
            return Err(HeadFault::Wrong("pair: expected a seed, and a single game, of length 0".to_owned()));
        }
    };
    Ok(Head { rules, length: line.length, dice, white, black })
}

impl SeatLine {
    fn of(seat: &Seat) -> SeatLine {
        let net = seat.net.as_ref().map(|net| NetLine {
            model: net.model.clone(),
            sha256: net.sha256.clone(),
            ply: net.ply.number(),
            level: net.level.map(|level| LevelLine { number: level.number.get(), noise: level.noise, cap: level.cap }),
        });
        SeatLine { name: seat.name.clone(), net }
    }

    fn read(self) -> Result<Seat, String> {
        // It is shown on terminals.
        if self.name.chars().any(char::is_control) {
            return Err(format!(
                "name: expected a text without control characters, found {:?}",
                shortened(&self.name, 40)
            ));
        }
        let net = self.net.map(NetLine::read).transpose()?;
        Ok(Seat { name: self.name, net })
    }
}

impl NetLine {
    fn read(self) -> Result<NetSeat, String> {
        let ply = Ply::ALL.into_iter().find(|ply| ply.number() == self.ply);
        let ply = ply.ok_or_else(|| format!("ply: expected 1, 2 or 3, found {}", self.ply))?;
        let level = self.level.map(LevelLine::read).transpose()?;
        Ok(NetSeat { model: self.model, sha256: self.sha256, ply, level })
    }
}

impl LevelLine {
    fn read(self) -> Result<LevelSeat, String> {
        let number = LevelNumber::new(self.number)
            .ok_or_else(|| format!("level, number: expected a level from 1 to 6, found {}", self.number))?;
        for (key, points) in [("noise", self.noise), ("cap", self.cap)] {
            if !(0.0..=4.0).contains(&points) {
                return Err(format!("level, {key}: expected a number in 0..=4, found {points}"));
            }
        }
        Ok(LevelSeat { number, noise: self.noise, cap: self.cap })
    }
}

fn json_line(value: &impl Serialize) -> String {
    match serde_json::to_string(value) {
        Ok(text) => text + "\n",
        Err(error) => unreachable!("numbers and texts always serialise: {error}"),
    }
}
