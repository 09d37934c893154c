use std::fmt;

use mahbusa_rules::{Board, POINTS, Rules};
use serde::{Deserialize, Serialize};

/// The phase of a game that a position belongs to: exactly one, the first in this order whose condition holds, whoever is to roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// No contact is left: the rearmost checkers of both sides, trapped ones included, have passed each other, so that the numbers of their
    /// points, each counted by its owner, make less than 25 together. Nobody can be pinned any more.
    Race,
    /// One side has exactly one checker left on its own start, and that is trapped, or could be: it pins nothing there. (As long as the
    /// other side has a checker on the board, one can still come.)
    MotherFight,
    /// There is contact, and one side has begun to bear off, or has all its checkers that are left, trapped ones included, in its home.
    BearOff,
    /// Both sides still have two thirds of their checkers on their starts, rounded up.
    Opening,
    /// Everything else.
    Contact,
}

impl Phase {
    /// All five, in the order in which they follow each other in a game.
    pub const ALL: [Phase; 5] = [Phase::Opening, Phase::Contact, Phase::MotherFight, Phase::BearOff, Phase::Race];

    /// The phase of a position that is not finished, whoever sees the board.
    pub fn of(rules: Rules, board: &Board) -> Phase {
        let sides = [board, &board.flip()];
        let each = |holds: fn(&Board) -> bool| sides.iter().any(|side| holds(side));
        if rearmost(sides[0]) + rearmost(sides[1]) <= POINTS as u32 {
            Phase::Race
        } else if each(mother_in_danger) {
            Phase::MotherFight
        } else if each(bears_off) {
            Phase::BearOff
        } else if sides.iter().all(|side| 3 * on_start(side) >= 2 * u32::from(rules.checkers())) {
            Phase::Opening
        } else {
            Phase::Contact
        }
    }

    /// Its name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Race => "race",
            Phase::MotherFight => "mother-fight",
            Phase::BearOff => "bear-off",
            Phase::Opening => "opening",
            Phase::Contact => "contact",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

const START: u32 = POINTS as u32 - 1;
const HOME: u32 = 6;

/// The number of the point of my rearmost checker, free or trapped; 0 when all are off.
fn rearmost(board: &Board) -> u32 {
    (board.my_free() | board.my_trapped()).checked_ilog2().map_or(0, |index| index + 1)
}

fn on_start(board: &Board) -> u32 {
    board.free()[START as usize].max(0) as u32
}

fn mother_in_danger(board: &Board) -> bool {
    (board.my_trapped() | board.my_blots()) >> START & 1 == 1
}

fn bears_off(board: &Board) -> bool {
    board.my_off() > 0 || rearmost(board) <= HOME
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::Position;

    fn phase(text: &str) -> Phase {
        let position: Position = text.parse().unwrap();
        let phase = Phase::of(position.rules, &position.board);
        assert_eq!(phase, Phase::of(position.rules, &position.board.flip()), "{text}");
        phase
    }

    #[test]
    fn each_phase_is_told_apart() {
        for (text, expected) in [
            ("mahbusa:O22o:0.0:w:-:0.0.0", Phase::Opening),
            ("mahbusa:J5C4A~6A4n:0.0:b:31:0.0.0", Phase::Opening),
            ("mahbusa:I5D4A~6A4n:0.0:b:31:0.0.0", Phase::Contact),
            // A lone checker on White's start; and a trapped one.
            ("mahbusa:A8N13o:0.0:w:-:0.0.0", Phase::MotherFight),
            ("mahbusa:n~21Na:0.0:b:-:0.0.0", Phase::MotherFight),
            // White is home with all its checkers; Black has one of its own on its start, or two.
            ("mahbusa:n17O4a:0.0:w:-:0.0.0", Phase::MotherFight),
            ("mahbusa:m17O4b:0.0:w:-:0.0.0", Phase::BearOff),
            // A checker of White was caught after bearing off had begun.
            ("mahbusa:l17a~L3b:2.0:w:-:0.0.0", Phase::BearOff),
            ("mahbusa:o22N:1.0:w:-:0.0.0", Phase::Race),
            ("mahbusa:11o1O10:0.0:w:-:0.0.0", Phase::Race),
            ("mahbusa:11O1o10:0.0:w:-:0.0.0", Phase::Contact),
        ] {
            assert_eq!(phase(text), expected, "{text}");
        }
    }
}
