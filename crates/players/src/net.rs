use std::sync::Arc;

use mahbusa_exact::{BearOff, Endings};
use mahbusa_net::{Evaluations, Evaluator, Outcomes, Weights};
use mahbusa_rules::{Board, Outcome, Rules};

use crate::{Player, Turn, Workspace};

/// Plays the afterstate that a net gives the highest equity (1-ply); of equal ones the first in wire order.
///
/// A clone shares its net.
#[derive(Clone)]
pub struct NetPlayer {
    evaluator: Arc<Evaluator>,
    endings: Option<Arc<Endings>>,
}

/// A chosen play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The index among the afterstates.
    pub index: usize,
    /// What the play is worth to the player: the net's opinion, or the truth when the play ends the game.
    pub outcomes: Outcomes,
    /// Whether the play ends the game.
    pub ends: bool,
}

impl NetPlayer {
    /// A player out of trained weights, which asks its net even where the truth is known.
    pub fn new(weights: &Weights) -> NetPlayer {
        NetPlayer { evaluator: Arc::new(Evaluator::new(weights)), endings: None }
    }

    /// The same player, which takes the worth of positions that the table covers from there.
    #[must_use]
    pub fn with_endings(self, endings: Arc<Endings>) -> NetPlayer {
        NetPlayer { endings: Some(endings), ..self }
    }

    /// What the player thinks of a position, for the side to roll.
    pub fn evaluate(&self, board: &Board) -> Outcomes {
        self.known(board).unwrap_or_else(|| self.evaluator.evaluate(board))
    }

    /// What the player thinks of many positions, each for the side to roll.
    pub fn evaluate_all<'a>(
        &'a self,
        boards: &'a [Board],
        workspace: &'a mut Workspace,
    ) -> impl Iterator<Item = Outcomes> + 'a {
        self.evaluator.evaluate_all(boards, &mut workspace.evaluations);
        boards
            .iter()
            .zip(workspace.evaluations.outcomes())
            .map(|(board, &outcomes)| self.known(board).unwrap_or(outcomes))
    }

    /// What the bear-off table says of a position, for the side to roll, if the player has one and it covers the position.
    #[inline]
    pub fn known(&self, board: &Board) -> Option<Outcomes> {
        self.endings.as_ref()?.outcomes(board)
    }

    /// What each afterstate is worth to the player who has moved, and whether it ends the game.
    pub fn rate<'a>(
        &'a self,
        rules: Rules,
        board: &Board,
        afterstates: &'a [Board],
        workspace: &'a mut Workspace,
    ) -> impl Iterator<Item = (Outcomes, bool)> + use<'a> {
        self.rate_with(rules, board, afterstates, &mut workspace.evaluations)
    }

    /// The same with the memory of an evaluator.
    pub(crate) fn rate_with<'a>(
        &'a self,
        rules: Rules,
        board: &Board,
        afterstates: &'a [Board],
        evaluations: &'a mut Evaluations,
    ) -> impl Iterator<Item = (Outcomes, bool)> + use<'a> {
        self.evaluator.evaluate_afterstates(board, afterstates, evaluations);
        afterstates.iter().zip(evaluations.outcomes()).map(move |(after, outcomes)| {
            match after.ending(rules) {
                Some(ending) => (Outcomes::certain(ending.outcome()), true),
                // Whether a board is covered is the same for both sides, and seldom so.
                None if BearOff::covers(after) => (self.known(&after.flip()).unwrap_or(*outcomes).flip(), false),
                None => (outcomes.flip(), false),
            }
        })
    }

    /// The best of the afterstates of a board, of which there is at least one.
    pub fn best(&self, rules: Rules, board: &Board, afterstates: &[Board], workspace: &mut Workspace) -> Choice {
        debug_assert!(!afterstates.is_empty(), "a turn has at least one afterstate");
        let mut best = Choice { index: 0, outcomes: Outcomes::certain(Outcome::Lose2), ends: false };
        let mut highest = f32::NEG_INFINITY;
        for (index, (outcomes, ends)) in self.rate(rules, board, afterstates, workspace).enumerate() {
            let equity = outcomes.equity();
            if equity > highest {
                highest = equity;
                best = Choice { index, outcomes, ends };
            }
        }
        best
    }
}

impl Player for NetPlayer {
    fn choose(&self, turn: &Turn<'_>, workspace: &mut Workspace) -> usize {
        self.best(turn.rules, turn.board, turn.afterstates, workspace).index
    }
}
