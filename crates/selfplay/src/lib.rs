//! Games that a net plays against itself, in parallel, and what is kept of them.
//!
//! A game depends on the rules, the weights, the seed and its number, never on the thread that played it.

use std::ops::Range;
use std::sync::Arc;

use mahbusa_exact::Endings;
use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{Outcomes, Weights};
use mahbusa_players::{NetPlayer, Workspace};
use mahbusa_rules::{Afterstates, Board, Ending, Roll, Rules, generate};
use rand::RngExt;
use rayon::prelude::*;

/// Where the learner's games come from: this machine, or perhaps others.
pub trait GameSource: Sync {
    /// The games with these numbers, played with these weights, in the order of their numbers.
    fn games(&self, weights: &Weights, numbers: Range<u64>) -> Vec<Game>;
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// All turns, passes included; the sides alternate.
    pub turns: Vec<GameTurn>,
    /// How it ended.
    pub end: End,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The side of the last turn ended it.
    Played(Ending),
    /// It was left where the rest is known.
    Known {
        /// The board after the last turn, seen by the side to roll.
        board: Board,
        /// What it is worth to that side.
        outcomes: Outcomes,
    },
}

impl End {
    /// The outcomes for the side of the last turn.
    pub fn outcomes(&self) -> Outcomes {
        match self {
            End::Played(ending) => Outcomes::certain(ending.outcome()),
            End::Known { outcomes, .. } => outcomes.flip(),
        }
    }
}

/// A turn of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameTurn {
    /// The board before the roll, seen by the side to roll.
    pub board: Board,
    /// The dice then rolled.
    pub roll: Roll,
    /// What the weights that played the game thought of the board, for the side to roll.
    pub value: Outcomes,
    /// Whether nothing could be played.
    pub passed: bool,
}

/// Self-play on the threads of the current rayon pool: both sides take the play with the highest equity, without exploration
/// (the dice explore).
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The game that is played.
    pub rules: Rules,
    /// The seed of the dice.
    pub seed: u64,
    /// Where games are left, if not played to the end: as soon as the rest is in this table.
    pub endings: Option<Arc<Endings>>,
}

impl GameSource for SelfPlay {
    fn games(&self, weights: &Weights, numbers: Range<u64>) -> Vec<Game> {
        let player = NetPlayer::new(weights);
        numbers
            .into_par_iter()
            .map_init(Workbench::default, |workbench, number| self.game(&player, number, workbench))
            .collect()
    }
}

/// Memory reused from game to game.
#[derive(Default)]
struct Workbench {
    afterstates: Afterstates,
    workspace: Workspace,
}

/// More turns than any game has; only a bug can reach it.
const TURN_CAP: usize = 100_000;

impl SelfPlay {
    #[expect(clippy::panic, reason = "only a fault in the rules can come here, and no result would be right then")]
    fn game(&self, player: &NetPlayer, number: u64, workbench: &mut Workbench) -> Game {
        let mut dice = generator(Purpose::SelfPlay, self.seed, number);
        let mut board = Board::start(self.rules);
        let mut value = player.evaluate(&board);
        let mut turns = Vec::with_capacity(128);
        let Workbench { afterstates, workspace } = workbench;
        while turns.len() < TURN_CAP {
            let roll = Roll::from_uniform(dice.random_range(0..36));
            afterstates.boards.clear();
            generate(self.rules, &board, roll, afterstates);
            let passed = afterstates.boards.is_empty();
            turns.push(GameTurn { board, roll, value, passed });
            if passed {
                afterstates.boards.push(board);
            }
            let choice = player.best(self.rules, &board, &afterstates.boards, workspace);
            let chosen = afterstates.boards[choice.index];
            if let Some(ending) = chosen.ending(self.rules) {
                return Game { turns, end: End::Played(ending) };
            }
            board = chosen.flip();
            if let Some(outcomes) = self.endings.as_ref().and_then(|endings| endings.outcomes(&board)) {
                return Game { turns, end: End::Known { board, outcomes } };
            }
            value = choice.outcomes.flip();
        }
        panic!("self-play game {number} of {} has not ended after {TURN_CAP} plies", self.rules);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_depend_on_their_number_and_not_on_the_threads() {
        let weights = Weights::random(16, 1);
        let source = SelfPlay { rules: Rules::TAPA, seed: 5, endings: None };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| source.games(&weights, 10..30))
        };
        let games = on(1);
        assert_eq!(games, on(3));
        assert_eq!(games[5..], source.games(&weights, 15..30));
        assert_ne!(games[0], games[1]);
    }

    #[test]
    fn the_value_of_a_turn_is_what_the_net_says_of_its_board() {
        let weights = Weights::random(16, 1);
        let player = NetPlayer::new(&weights);
        let games = SelfPlay { rules: Rules::MAHBUSA, seed: 5, endings: None }.games(&weights, 0..5);
        for turn in games.iter().flat_map(|game| &game.turns) {
            let gap = (player.evaluate(&turn.board).equity() - turn.value.equity()).abs();
            assert!(gap < 1e-5, "{gap}");
        }
    }

    #[test]
    fn a_game_is_left_where_the_rest_is_known() {
        let weights = Weights::random(16, 1);
        let whole = SelfPlay { rules: Rules::TAPA, seed: 5, endings: None };
        let left = SelfPlay { endings: Some(Arc::new(Endings::new(mahbusa_exact::Cache::none()))), ..whole.clone() };
        let games = left.games(&weights, 0..40);
        assert!(games.iter().any(|game| matches!(game.end, End::Known { .. })));
        for (game, whole) in games.iter().zip(whole.games(&weights, 0..40)) {
            assert_eq!(game.turns, whole.turns[..game.turns.len()]);
            match game.end {
                End::Played(_) => assert_eq!(game.end, whole.end),
                End::Known { board, outcomes } => {
                    assert_eq!(board, whole.turns[game.turns.len()].board);
                    assert_eq!(game.end.outcomes(), outcomes.flip());
                }
            }
        }
    }
}
