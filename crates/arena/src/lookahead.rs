//! One roll ahead: the best plays of all rolls.

use mahbusa_net::{OUTCOMES, Outcomes};
use mahbusa_players::{NetPlayer, Workspace};
use mahbusa_rules::{Board, Play, Roll, Rules, Sink, generate};

/// Throws of two dice.
const THROWS: f64 = 36.0;

/// Everything that a board can become by any roll, rated; the memory is used again for the next board.
#[derive(Default)]
pub(crate) struct Lookahead {
    replies: Replies,
    workspace: Workspace,
    /// For each of the 21 rolls the board after the best play and what it is worth to the side that played.
    best: Vec<(Board, Outcomes)>,
    /// The mean of what the best plays are worth, over all throws.
    mean: [f64; OUTCOMES],
}

/// The boards after all plays of all rolls, one roll after the other.
#[derive(Default)]
struct Replies {
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
    fn list(&mut self, rules: Rules, board: &Board) {
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
}

impl Lookahead {
    /// Rates all plays of all rolls of a board, which the side to roll sees; the game must not be over.
    pub fn see(&mut self, rules: Rules, player: &NetPlayer, board: &Board) {
        self.replies.list(rules, board);
        self.best.clear();
        self.mean = [0.0; OUTCOMES];
        let boards = &self.replies.boards;
        let mut rated = player.rate(rules, board, boards, &mut self.workspace).zip(boards);
        let mut first = 0;
        for (roll, &end) in Roll::ALL.iter().zip(&self.replies.ends) {
            let mut highest = f32::NEG_INFINITY;
            let mut best = None;
            for ((outcomes, _), board) in rated.by_ref().take(end - first) {
                let equity = outcomes.equity();
                // Of equal ones the first in wire order, as the player has it.
                if equity > highest {
                    highest = equity;
                    best = Some((*board, outcomes));
                }
            }
            first = end;
            if let Some((board, outcomes)) = best {
                for (sum, probability) in self.mean.iter_mut().zip(outcomes.probabilities()) {
                    *sum += f64::from(roll.weight()) * f64::from(*probability);
                }
                self.best.push((board, outcomes));
            }
        }
        // Divided last, so that certainty stays certainty.
        self.mean.iter_mut().for_each(|sum| *sum /= THROWS);
    }

    /// The board after the best play of a roll and what it is worth to the side that played.
    pub fn best(&self, roll: Roll) -> (Board, Outcomes) {
        let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
        // The place of the roll in `Roll::ALL`.
        self.best[high * (high - 1) / 2 + low - 1]
    }

    /// What the roll to come is worth on average to the side to roll.
    pub fn mean(&self) -> &[f64; OUTCOMES] {
        &self.mean
    }
}
