//! Who moves: a [`Player`] picks one of the legal plays of a turn.
//!
//! [`NetPlayer`] plays what its net likes best, one ply deep, and [`Search`] looks up to three plies ahead with such a net; [`Heuristic`],
//! [`Random`] and the frozen net [`td_200k`] are the baselines that they are measured against. What a player wants is its [`Aim`]: points, or, by a
//! [`MatchTable`], a match. For people to play against there are weaker players too: each [`Level`] is a net that doubts what it sees, and [`Levels`]
//! are six of them in a file beside it. [`Released`] nets come with the program.

mod aim;
mod baseline;
mod dice;
mod estimate;
mod heuristic;
mod level;
mod levels;
mod lookahead;
mod match_table;
mod net;
mod random;
mod released;
mod search;

use mahbusa_net::Evaluations;
use mahbusa_net::random::{Generator, Purpose, generator};
use mahbusa_rules::{Board, Roll, Rules};

pub use aim::{Aim, Stakes};
pub use baseline::td_200k;
pub use dice::{GameDice, OpeningRoll};
pub use estimate::Estimate;
pub use heuristic::Heuristic;
pub use level::{Level, LevelNumber, LevelNumberError, LevelPlayer, NetSize, TurnNoise};
pub use levels::{GradedLevel, LevelResult, Levels, LevelsError, OtherNet};
pub use lookahead::Lookahead;
pub use match_table::MatchTable;
pub use net::{Choice, NetPlayer};
pub use random::Random;
pub use released::Released;
pub use search::{Breadth, Ply, PlyError, Pruning, Rated, Search};

/// Someone who plays. The same turn always gets the same answer, on any thread.
pub trait Player: Send + Sync {
    /// The index of the chosen afterstate of a turn, which has at least one.
    fn choose(&self, turn: &Turn<'_>, workspace: &mut Workspace) -> usize;
}

/// A turn to be played.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The rules of the game.
    pub rules: Rules,
    /// The board as the player sees it.
    pub board: &'a Board,
    /// The dice.
    pub roll: Roll,
    /// The boards after each legal play in wire order, still seen by the player; never empty.
    pub afterstates: &'a [Board],
    /// Where the player's own chance comes from.
    pub chance: Chance,
}

/// A source of chance for one turn, the same for whoever sits in a seat: it knows the seed, the pair of games and the ply.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    /// The seed of the match.
    pub seed: u64,
    /// The number of the pair of games.
    pub pair: u64,
    /// The ply within the game, from 0.
    pub ply: u32,
}

impl Chance {
    /// Random numbers for this turn.
    pub fn generator(self) -> Generator {
        // A game is shorter than 2^20 plies by far.
        generator(Purpose::Player, self.seed, self.pair << 20 | u64::from(self.ply))
    }
}

/// Memory that players reuse from turn to turn; one a thread.
#[derive(Default)]
pub struct Workspace {
    evaluations: Evaluations,
    desk: Box<search::Desk>,
}

/// The example of the README compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
