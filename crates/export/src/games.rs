//! Self-play games as data for other learners: JSON lines for people and parsers, or the arrays of NumPy.

mod npz;

use std::io::{self, Write};

use mahbusa_net::OUTCOMES;
use mahbusa_rules::{Ending, Position, Rules, Side};
use mahbusa_selfplay::Game;
use serde::Serialize;

use crate::RawBoard;
use npz::{Npz, Number};

/// Where games come from; part of what is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The rules.
    pub rules: Rules,
    /// The hash of the net that plays both sides.
    pub net: String,
    /// The seed of the dice.
    pub seed: u64,
}

/// A game, as a line of `jsonl` says it.
#[derive(Serialize)]
struct Line {
    game: u64,
    seed: u64,
    rules: String,
    net: String,
    turns: Vec<Turn>,
    /// `draw`, `single`, `mars` or `mother`.
    ending: &'static str,
    /// Points of White, who opens.
    points: i8,
}

#[derive(Serialize)]
struct Turn {
    /// In PPN, with dice.
    position: String,
    /// In wire form.
    play: String,
}

/// One game as a JSON object without a line feed.
///
/// # Errors
/// None: everything in it can be written.
pub fn json_line(source: &Source, number: u64, game: &Game) -> serde_json::Result<String> {
    let turns = game.turns.iter().zip(game.plays(source.rules)).enumerate().map(|(ply, (turn, play))| {
        let side = if ply.is_multiple_of(2) { Side::White } else { Side::Black };
        let position = Position { board: turn.board, turn: side, ..Position::start(source.rules) };
        Turn { position: position.with_dice(turn.roll).to_string(), play: play.to_string() }
    });
    serde_json::to_string(&Line {
        game: number,
        seed: source.seed,
        rules: source.rules.to_string(),
        net: source.net.clone(),
        turns: turns.collect(),
        ending: match game.ending {
            Ending::Draw => "draw",
            Ending::Single => "single",
            Ending::Mars => "mars",
            Ending::Mother => "mother",
        },
        points: game.outcome(0).points(),
    })
}

/// Games as columns, a row a turn, passes included; kept in memory (about nine kilobytes a game) until they are written.
#[derive(Debug, Default)]
pub struct Columns {
    games: u64,
    points: Vec<i8>,
    pins: Vec<i8>,
    off: Vec<i8>,
    dice: Vec<i8>,
    outcome: Vec<i8>,
    value: Vec<f32>,
    game: Vec<i64>,
    ply: Vec<i32>,
}

/// What the file says of itself.
#[derive(Serialize)]
struct About<'a> {
    mahbusa: &'static str,
    format: u32,
    rules: String,
    net: &'a str,
    seed: u64,
    games: u64,
}

impl Columns {
    /// Adds a game.
    pub fn push(&mut self, number: u64, game: &Game) {
        self.games += 1;
        for (ply, turn) in game.turns.iter().enumerate() {
            let RawBoard { points, pins, off } = RawBoard::from(&turn.board);
            self.points.extend(points);
            self.pins.extend(pins);
            self.off.extend(off.map(|count| count as i8));
            self.dice.extend([turn.roll.high() as i8, turn.roll.low() as i8]);
            self.outcome.push(game.outcome(ply).index() as i8);
            self.value.extend(turn.value.probabilities());
            self.game.push(number as i64);
            self.ply.push(ply as i32);
        }
    }

    /// Writes an `.npz` archive: `points` `[P, 24]`, `pins` `[P, 24]`, `off` `[P, 2]`, `dice` `[P, 2]`, `outcome` `[P]`, `value` `[P, 5]`, `game` `[P]`,
    /// `ply` `[P]`, and `about`, a JSON object.
    ///
    /// # Errors
    /// When it cannot be written, or would be larger than 4 GiB.
    pub fn write(&self, source: &Source, out: impl Write) -> io::Result<()> {
        let about = About {
            mahbusa: "games",
            format: 1,
            rules: source.rules.to_string(),
            net: &source.net,
            seed: source.seed,
            games: self.games,
        };
        let rows = self.outcome.len();
        let mut npz = Npz::new(out);
        npz.text("about", &serde_json::to_string(&about)?)?;
        npz.array("points", &[rows, 24], &self.points)?;
        npz.array("pins", &[rows, 24], &self.pins)?;
        npz.array("off", &[rows, 2], &self.off)?;
        npz.array("dice", &[rows, 2], &self.dice)?;
        npz.array("outcome", &[rows], &self.outcome)?;
        npz.array("value", &[rows, OUTCOMES], &self.value)?;
        npz.array("game", &[rows], &self.game)?;
        npz.array("ply", &[rows], &self.ply)?;
        npz.finish()
    }
}

impl Number for i8 {
    const TYPE: &'static str = "|i1";
    fn bytes(self) -> impl IntoIterator<Item = u8> {
        self.to_le_bytes()
    }
}

impl Number for i32 {
    const TYPE: &'static str = "<i4";
    fn bytes(self) -> impl IntoIterator<Item = u8> {
        self.to_le_bytes()
    }
}

impl Number for i64 {
    const TYPE: &'static str = "<i8";
    fn bytes(self) -> impl IntoIterator<Item = u8> {
        self.to_le_bytes()
    }
}

impl Number for f32 {
    const TYPE: &'static str = "<f4";
    fn bytes(self) -> impl IntoIterator<Item = u8> {
        self.to_le_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::{Shape, Weights};
    use mahbusa_selfplay::{GameSource, SelfPlay};
    use serde_json::Value;

    #[test]
    fn a_game_can_be_played_again_from_its_line() {
        let weights = Weights::random(Shape::of(16), 1);
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            let source = Source { rules, net: "abc".to_owned(), seed: 3 };
            let games = SelfPlay { rules, seed: 3, endings: None }.games(&weights, 5..25);
            for (game, number) in games.iter().zip(5..) {
                let line: Value = serde_json::from_str(&json_line(&source, number, game).unwrap()).unwrap();
                assert_eq!(line["game"], number);
                let turns = line["turns"].as_array().unwrap();
                let mut last = None;
                for (ply, turn) in turns.iter().enumerate() {
                    let position: Position = turn["position"].as_str().unwrap().parse().unwrap();
                    let before = last.map(|last: mahbusa_rules::PositionPlay| last.position);
                    assert!(
                        before.is_none_or(|before| Position { dice: position.dice, ..before } == position),
                        "{ply}"
                    );
                    last = Some(position.find_play(turn["play"].as_str().unwrap().parse().unwrap()).unwrap());
                }
                let ending = last.unwrap().ending.unwrap();
                assert_eq!(ending, game.ending);
                let sign = if turns.len() % 2 == 1 { 1 } else { -1 };
                assert_eq!(line["points"], sign * ending.points());
            }
        }
    }
}
