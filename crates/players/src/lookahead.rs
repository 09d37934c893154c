use std::ops::Range;

use mahbusa_net::{Evaluations, OUTCOMES, Outcomes};
use mahbusa_rules::{Board, Play, Roll, Rules, Sink, generate};

use crate::{Aim, NetPlayer};

/// Throws of two dice.
const THROWS: f64 = Roll::THROWS as f64;

/// One roll ahead: everything that a board can become by any roll, rated by a net; the memory is used again for the next board.
#[derive(Default)]
pub struct Lookahead {
    replies: Replies,
    evaluations: Evaluations,
    /// For each of the 21 rolls the board after the best play and what it is worth to the side that played.
    best: Vec<(Board, Outcomes)>,
    mean: Mean,
}

impl Lookahead {
    /// Rates all plays of all rolls of a board, which the side to roll sees, and picks those that suit its aim best; the game must not be over.
    pub fn see(&mut self, rules: Rules, net: &NetPlayer, board: &Board, aim: Aim) {
        let Lookahead { replies, evaluations, best, mean } = self;
        replies.list(rules, board);
        best.clear();
        *mean = Mean::default();
        let boards = replies.boards();
        let mut rated = net.rate_with(rules, board, boards, evaluations).zip(boards);
        for (roll, of_roll) in replies.rolls() {
            let mut highest = f32::NEG_INFINITY;
            let mut chosen = None;
            for ((outcomes, _), board) in rated.by_ref().take(of_roll.len()) {
                let worth = aim.worth(&outcomes);
                // Of equal ones the first in wire order, as the player has it.
                if worth > highest {
                    highest = worth;
                    chosen = Some((*board, outcomes));
                }
            }
            if let Some((board, outcomes)) = chosen {
                mean.add(roll, &outcomes);
                best.push((board, outcomes));
            }
        }
    }

    /// The board after the best play of a roll and what it is worth to the side that played.
    pub fn best(&self, roll: Roll) -> (Board, Outcomes) {
        self.best[place(roll)]
    }

    /// The boards after all plays of a roll in wire order, seen by the side that played; the board itself if the turn is passed.
    pub fn afterstates(&self, roll: Roll) -> &[Board] {
        self.replies.of(place(roll))
    }

    /// What the roll to come is worth on average to the side to roll: five probabilities, as precise as they were added up.
    pub fn mean(&self) -> [f64; OUTCOMES] {
        self.mean.probabilities()
    }

    /// The same as outcomes.
    pub fn outcomes(&self) -> Outcomes {
        self.mean.outcomes()
    }
}

/// The place of a roll in [`Roll::ALL`].
fn place(roll: Roll) -> usize {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    high * (high - 1) / 2 + low - 1
}

/// The boards after all plays of all rolls, one roll after the other.
#[derive(Default)]
pub(crate) struct Replies {
    boards: Vec<Board>,
    /// Where the boards of the roll begin that is being listed.
    first: usize,
    /// Where the boards of each roll end.
    ends: Vec<usize>,
}

impl Sink for Replies {
    #[inline]
    fn push(&mut self, board: Board, _: Play) {
        self.boards.push(board);
    }

    #[inline]
    fn clear(&mut self) {
        self.boards.truncate(self.first);
    }
}

impl Replies {
    /// Lists what the side to roll, which sees the board, can make of it.
    pub fn list(&mut self, rules: Rules, board: &Board) {
        self.boards.clear();
        self.ends.clear();
        for roll in Roll::ALL {
            self.first = self.boards.len();
            generate(rules, board, roll, self);
            if self.boards.len() == self.first {
                // The turn is passed.
                self.boards.push(*board);
            }
            self.ends.push(self.boards.len());
        }
    }

    /// All boards, seen by the side that played.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Each roll and where its boards are.
    pub fn rolls(&self) -> impl Iterator<Item = (Roll, Range<usize>)> {
        Roll::ALL.into_iter().enumerate().map(|(place, roll)| (roll, self.range(place)))
    }

    fn of(&self, place: usize) -> &[Board] {
        &self.boards[self.range(place)]
    }

    fn range(&self, place: usize) -> Range<usize> {
        let first = if place == 0 { 0 } else { self.ends[place - 1] };
        first..self.ends[place]
    }
}

/// The mean of outcomes over all throws, in the making.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mean([f64; OUTCOMES]);

impl Mean {
    /// Adds what a roll is worth; each of the 21 once.
    pub fn add(&mut self, roll: Roll, outcomes: &Outcomes) {
        for (sum, probability) in self.0.iter_mut().zip(outcomes.probabilities()) {
            *sum += f64::from(roll.weight()) * f64::from(*probability);
        }
    }

    pub fn probabilities(&self) -> [f64; OUTCOMES] {
        // Divided last, so that certainty stays certainty.
        self.0.map(|sum| sum / THROWS)
    }

    pub fn outcomes(&self) -> Outcomes {
        Outcomes::new(self.probabilities().map(|probability| probability as f32))
    }
}
