//! PPN, the position notation: `<rules>:<board>:<off>:<turn>:<dice>:<match>`.

use std::fmt;
use std::str::FromStr;

use crate::quote::quoted;
use crate::{Board, MatchScore, POINTS, PointView, Position, Roll, Rules, Side};

/// A field of the position notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The rule set and its options.
    Rules,
    /// The 24 points, from White's 24-point down.
    Board,
    /// Checkers borne off, White's and Black's.
    Off,
    /// The side in turn.
    Turn,
    /// The dice to be played.
    Dice,
    /// The score and the length of the match.
    Match,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Rules => "rules",
            Field::Board => "board",
            Field::Off => "off",
            Field::Turn => "turn",
            Field::Dice => "dice",
            Field::Match => "match",
        })
    }
}

/// A text that is no position: which field, at which column, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position, field {field}, column {column}: expected {expected}, found {}", quoted(.found))]
pub struct PositionError {
    /// The field that holds the fault.
    pub field: Field,
    /// The character in the whole text, counted from 1.
    pub column: usize,
    /// What would have been right there.
    pub expected: String,
    /// What stands there instead, perhaps nothing.
    pub found: String,
}

/// One field of the text and where it begins.
#[derive(Clone, Copy)]
struct Source<'a> {
    field: Field,
    text: &'a str,
    /// Characters of the whole notation before this field.
    start: usize,
}

impl<'a> Source<'a> {
    /// A fault at a byte offset within the field.
    fn error(self, offset: usize, expected: impl Into<String>, found: impl Into<String>) -> PositionError {
        let column = self.start + self.text[..offset].chars().count() + 1;
        PositionError { field: self.field, column, expected: expected.into(), found: found.into() }
    }

    /// The whole field is at fault.
    fn refuse(self, expected: impl Into<String>) -> PositionError {
        self.error(0, expected, self.text)
    }

    /// Splits the field at dots into decimal numbers without leading zeros, each at most `most`.
    fn numbers<const N: usize>(self, form: &str, most: u16) -> Result<[u16; N], PositionError> {
        let parts: Vec<&str> = self.text.split('.').collect();
        if parts.len() != N {
            return Err(self.refuse(form));
        }
        let mut numbers = [0; N];
        let mut offset = 0;
        for (part, number) in parts.into_iter().zip(&mut numbers) {
            *number = decimal(part)
                .filter(|&n| n <= most)
                .ok_or_else(|| self.error(offset, format!("a number 0..={most} without leading zeros"), part))?;
            offset += part.len() + 1;
        }
        Ok(numbers)
    }
}

/// What is still to be read, field by field.
struct Fields<'a> {
    rest: Option<&'a str>,
    start: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self, field: Field) -> Result<Source<'a>, PositionError> {
        let Some(remaining) = self.rest else {
            return Err(Source { field, text: "", start: self.start }.refuse("this field, after a `:`"));
        };
        let (text, rest) = match remaining.split_once(':') {
            Some((text, rest)) => (text, Some(rest)),
            None => (remaining, None),
        };
        let source = Source { field, text, start: self.start };
        self.start += text.chars().count() + 1;
        self.rest = rest;
        Ok(source)
    }
}

/// A decimal number without sign or leading zeros.
fn decimal(text: &str) -> Option<u16> {
    let canonical = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    canonical.then(|| text.parse().ok())?
}

impl FromStr for Position {
    type Err = PositionError;

    /// Reads a position. The text must be canonical, but for the rule aliases (`plakoto`, `mother=`).
    fn from_str(text: &str) -> Result<Position, PositionError> {
        let mut fields = Fields { rest: Some(text), start: 0 };
        let rules = fields.next(Field::Rules)?;
        let rule_set: Rules = rules
            .text
            .parse()
            .map_err(|error: crate::RulesError| rules.error(error.offset, error.expected, error.found))?;
        let board = fields.next(Field::Board)?;
        let points = read_board(board)?;
        let off = fields.next(Field::Off)?;
        let [white_off, black_off] = off.numbers("`<white>.<black>`, the checkers borne off", 15)?.map(|n| n as u8);
        let white =
            Board::new(&points, white_off, black_off).ok_or_else(|| board.refuse("a board of free stacks and pins"))?;
        for (name, found) in [("White", white.my_checkers()), ("Black", white.flip().my_checkers())] {
            let checkers = rule_set.checkers();
            if found != u32::from(checkers) {
                let expected = format!("{checkers} checkers of {name} (free, trapped and off)");
                return Err(board.error(0, expected, found.to_string()));
            }
        }
        let turn = fields.next(Field::Turn)?;
        let side = match turn.text {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err(turn.refuse("`w` or `b`")),
        };
        let dice = fields.next(Field::Dice)?;
        let roll = match dice.text {
            "-" => None,
            digits => Some(digits.parse::<Roll>().map_err(|_| dice.refuse("`-` or two dice 1..6, the higher first"))?),
        };
        let score = fields.next(Field::Match)?;
        if let Some(extra) = fields.rest {
            return Err(score.error(score.text.len(), "the end of the position", format!(":{extra}")));
        }
        let [white_points, black_points, length] = score.numbers("`<white>.<black>.<length>`", u16::MAX)?;
        let score = MatchScore::new(white_points, black_points, length)
            .ok_or_else(|| score.refuse("a match that is not decided (0.0.0 is a single game)"))?;

        let position = Position {
            rules: rule_set,
            board: if side == Side::White { white } else { white.flip() },
            turn: side,
            dice: roll,
            score,
        };
        if position.board.ending(rule_set).is_some_and(|ending| ending.points() > 0) {
            return Err(turn.refuse("the loser of this finished game, since the other side has moved last"));
        }
        if position.ending().is_some() && roll.is_some() {
            return Err(dice.refuse("`-`, since the game is over"));
        }
        Ok(position)
    }
}

/// Reads the board field as White sees it, index 0 = White's 1-point.
fn read_board(source: Source<'_>) -> Result<[PointView; POINTS], PositionError> {
    let bytes = source.text.as_bytes();
    let mut points = [PointView::default(); POINTS];
    let mut filled = 0;
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        let next = source.text[begin..].chars().next().unwrap_or_default();
        let width;
        if next.is_ascii_digit() {
            at += bytes[begin..].iter().take_while(|b| b.is_ascii_digit()).count();
            let run = &source.text[begin..at];
            width = decimal(run)
                .map(usize::from)
                .filter(|n| (1..=POINTS).contains(n))
                .ok_or_else(|| source.error(begin, "a run of 1..24 empty points without leading zeros", run))?;
        } else if let Some((count, white)) = stack(next) {
            at += 1;
            width = 1;
            let trapped = bytes.get(at) == Some(&b'~');
            at += usize::from(trapped);
            if filled < POINTS {
                points[POINTS - 1 - filled] = PointView {
                    free: if white { count } else { -count },
                    mine_trapped: trapped && !white,
                    theirs_trapped: trapped && white,
                };
            }
        } else {
            return Err(source.error(begin, "a number, `A`..`O` or `a`..`o`, and `~` only after a letter", next));
        }
        filled += width;
        if filled > POINTS {
            return Err(source.error(begin, "24 points in all", format!("{filled} or more")));
        }
    }
    if filled < POINTS {
        return Err(source.error(bytes.len(), "24 points in all", filled.to_string()));
    }
    Ok(points)
}

/// The free stack that a letter stands for, and whether it is White's.
fn stack(letter: char) -> Option<(i8, bool)> {
    match letter {
        'A'..='O' => Some((letter as i8 - 'A' as i8 + 1, true)),
        'a'..='o' => Some((letter as i8 - 'a' as i8 + 1, false)),
        _ => None,
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let white = if self.turn == Side::White { self.board } else { self.board.flip() };
        write!(f, "{}:", self.rules)?;
        let mut empty = 0;
        for index in (0..POINTS).rev() {
            let point = white.point(index);
            if point.free == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            let first = if point.free > 0 { b'A' } else { b'a' };
            write!(f, "{}", (first + point.free.unsigned_abs() - 1) as char)?;
            if point.mine_trapped || point.theirs_trapped {
                f.write_str("~")?;
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        let turn = if self.turn == Side::White { 'w' } else { 'b' };
        write!(f, ":{}.{}:{turn}:", white.my_off(), white.their_off())?;
        match self.dice {
            Some(roll) => write!(f, "{roll}")?,
            None => f.write_str("-")?,
        }
        let score = self.score;
        write!(f, ":{}.{}.{}", score.of(Side::White), score.of(Side::Black), score.length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_positions_round_trip() {
        for text in [
            "mahbusa:O22o:0.0:w:-:0.0.0",
            "mahbusa:J5C4A~6A4n:0.0:b:31:0.0.0",
            "tapa:J5C4A~6A4n:0.0:w:66:2.4.5",
            "mahbusa:n~21MA~:0.0:b:-:0.0.0",
            "tapa,checkers=3:23a:3.2:b:-:0.0.0",
        ] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn aliases_are_echoed_canonically() {
        let position: Position = "plakoto,mother=off:O22o:0.0:w:-:0.0.0".parse().unwrap();
        assert_eq!(position.to_string(), "tapa:O22o:0.0:w:-:0.0.0");
    }

    #[test]
    fn every_malformed_class_is_refused_with_field_and_column() {
        use Field::{Board, Dice, Match, Off, Rules, Turn};
        let long = "A".repeat(10_000);
        for (text, field, column) in [
            ("", Rules, 1),
            ("backgammon:O22o:0.0:w:-:0.0.0", Rules, 1),
            ("mahbusa,checkers=15:O22o:0.0:w:-:0.0.0", Rules, 18),
            ("mahbusa", Board, 9),
            ("mahbusa:", Board, 9),
            ("mahbusa:O22o:0.0:w:-", Match, 22),
            ("mahbusa:O22o:0.0:w:-:0.0.0:", Match, 27),
            ("mahbusa:O22o:0.0:w:-:0.0.0 ", Match, 26),
            ("mahbusa:O21o:0.0:w:-:0.0.0", Board, 13),
            ("mahbusa:O23o:0.0:w:-:0.0.0", Board, 12),
            ("mahbusa:O022o:0.0:w:-:0.0.0", Board, 10),
            ("mahbusa:O0A21o:0.0:w:-:0.0.0", Board, 10),
            ("mahbusa:O99999999o:0.0:w:-:0.0.0", Board, 10),
            ("mahbusa:P22o:0.0:w:-:0.0.0", Board, 9),
            ("mahbusa:O~~21o:0.0:w:-:0.0.0", Board, 11),
            ("mahbusa:~O22o:0.0:w:-:0.0.0", Board, 9),
            ("mahbusa:O22\u{e9}:0.0:w:-:0.0.0", Board, 12),
            ("mahbusa:N22o:0.0:w:-:0.0.0", Board, 9),
            ("mahbusa:O22o:1.0:w:-:0.0.0", Board, 9),
            ("mahbusa:O~22o:0.0:w:-:0.0.0", Board, 9),
            ("mahbusa:O22o:0:w:-:0.0.0", Off, 14),
            ("mahbusa:O22o:0.00:w:-:0.0.0", Off, 16),
            ("mahbusa:O22o:0.16:w:-:0.0.0", Off, 16),
            ("mahbusa:O22o:0.0:W:-:0.0.0", Turn, 18),
            ("mahbusa:O22o:0.0::-:0.0.0", Turn, 18),
            ("mahbusa:O22o:0.0:w:46:0.0.0", Dice, 20),
            ("mahbusa:O22o:0.0:w:6:0.0.0", Dice, 20),
            ("mahbusa:O22o:0.0:w:70:0.0.0", Dice, 20),
            ("mahbusa:O22o:0.0:w:-:0.0", Match, 22),
            ("mahbusa:O22o:0.0:w:-:0.0.03", Match, 26),
            ("mahbusa:O22o:0.0:w:-:3.0.3", Match, 22),
            ("mahbusa:O22o:0.0:w:-:1.0.0", Match, 22),
            ("mahbusa:O22o:0.0:w:-:0.0.99999", Match, 26),
            ("mahbusa:n~21MA~:0.0:b:61:0.0.0", Dice, 23),
            ("tapa,checkers=3:23a:3.2:w:-:0.0.0", Turn, 25),
            (long.as_str(), Rules, 1),
        ] {
            let error = text.parse::<Position>().expect_err(text);
            assert_eq!((error.field, error.column), (field, column), "{text}: {error}");
            assert!(error.to_string().len() < 250, "{error}");
        }
    }
}
