//! Games that a net plays against itself, in parallel, and what is kept of them.
//!
//! A game depends on the rules, the weights, the seed and its number, never on the thread that played it.

use std::ops::Range;
use std::sync::Arc;

use mahbusa_exact::Endings;
use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{Outcomes, Weights};
use mahbusa_players::{NetPlayer, Workspace};
use mahbusa_rules::{Afterstates, Board, Ending, Outcome, Play, PlayResult, Roll, Rules, generate, plays};
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
    /// How the side of the last turn ended it.
    pub ending: Ending,
}

impl Game {
    /// The outcome for the side that was to roll at this turn, which may be any number.
    pub fn outcome(&self, turn: usize) -> Outcome {
        let outcome = self.ending.outcome();
        // The side of the last turn ended the game.
        if turn % 2 == self.turns.len().wrapping_sub(1) % 2 { outcome } else { outcome.flip() }
    }

    /// What was played, a play each turn, passes included.
    pub fn plays(&self, rules: Rules) -> impl Iterator<Item = Play> {
        self.turns.iter().enumerate().map(move |(number, turn)| {
            let led_here = |result: &PlayResult| match self.turns.get(number + 1) {
                Some(next) => result.board.flip() == next.board && result.ending.is_none(),
                // Of several that ended the game in this way the first was taken.
                None => result.ending == Some(self.ending),
            };
            plays(rules, &turn.board, turn.roll).into_iter().find(led_here).map_or(Play::PASS, |result| result.play)
        })
    }
}

/// A turn of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameTurn {
    /// The board before the roll, seen by the side to roll.
    pub board: Board,
    /// The dice then rolled.
    pub roll: Roll,
    /// What the weights that played the game thought of the board, for the side to roll, or what the bear-off table knows of it.
    pub value: Outcomes,
    /// Whether the value is what a net should say: the bear-off table knows it, or a teacher says it.
    pub known: bool,
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
    /// The bear-off table, if what it covers is to be played and valued by it instead of by the net.
    pub endings: Option<Arc<Endings>>,
}

impl GameSource for SelfPlay {
    fn games(&self, weights: &Weights, numbers: Range<u64>) -> Vec<Game> {
        let mut player = NetPlayer::new(weights);
        if let Some(endings) = &self.endings {
            player = player.with_endings(Arc::clone(endings));
        }
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
            let known = player.known(&board).is_some();
            turns.push(GameTurn { board, roll, value, known, passed });
            if passed {
                afterstates.boards.push(board);
            }
            let choice = player.best(self.rules, &board, &afterstates.boards, workspace);
            let chosen = afterstates.boards[choice.index];
            if let Some(ending) = chosen.ending(self.rules) {
                return Game { turns, ending };
            }
            board = chosen.flip();
            value = choice.outcomes.flip();
        }
        panic!("self-play game {number} of {} has not ended after {TURN_CAP} plies", self.rules);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Shape;

    #[test]
    fn games_depend_on_their_number_and_not_on_the_threads() {
        let weights = Weights::random(Shape::of(16), 1);
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
        let weights = Weights::random(Shape::of(16), 1);
        let player = NetPlayer::new(&weights);
        let games = SelfPlay { rules: Rules::MAHBUSA, seed: 5, endings: None }.games(&weights, 0..5);
        for turn in games.iter().flat_map(|game| &game.turns) {
            let gap = (player.evaluate(&turn.board).equity() - turn.value.equity()).abs();
            assert!(gap < 1e-5, "{gap}");
        }
    }

    #[test]
    fn the_end_is_played_and_valued_as_the_table_knows_it() {
        let weights = Weights::random(Shape::of(16), 1);
        let alone = SelfPlay { rules: Rules::TAPA, seed: 5, endings: None };
        let endings = Arc::new(Endings::new(mahbusa_exact::Cache::none()));
        let exact = SelfPlay { endings: Some(Arc::clone(&endings)), ..alone.clone() };
        assert!(alone.games(&weights, 0..40).iter().flat_map(|game| &game.turns).all(|turn| !turn.known));
        let mut known = 0;
        for turn in exact.games(&weights, 0..40).iter().flat_map(|game| &game.turns) {
            let outcomes = endings.outcomes(&turn.board);
            assert_eq!(turn.known, outcomes.is_some());
            assert!(outcomes.is_none_or(|outcomes| outcomes == turn.value));
            known += u32::from(turn.known);
        }
        assert!(known > 100, "{known}");
    }
}
