//! The benchmark set: decisions out of self-play, each with its plays judged by rollouts, so that any player's plays can be priced.
//!
//! [`choose`] draws the decisions, [`judge`] prices their plays, [`PartFile`] keeps what is done on disk until the set is whole,
//! [`Benchmark`] reads it and scores players.

mod decisions;
mod file;
mod judge;
mod part;
mod score;

use std::num::NonZeroU32;

use mahbusa_rules::{Play, Position, Rules};
use serde::{Deserialize, Serialize};

use crate::{Phase, text};

pub use decisions::{Chosen, TooFew, choose};
pub use file::{Benchmark, BenchmarkError};
pub use judge::judge;
pub use part::{Begun, PartFile};
pub use score::{PhaseScore, Report, Score};

/// The name of the format, in the first line of each file.
const FORMAT: &str = "mahbusa-benchmark";
/// The version of the format that this program writes and reads.
const VERSION: u32 = 1;

/// The first line of the file: what the set is and how it was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always `mahbusa-benchmark`.
    format: String,
    /// The version of the format.
    version: u32,
    /// The game.
    #[serde(with = "text")]
    pub rules: Rules,
    /// The net out of whose self-play the decisions are, and that judged them.
    pub judge: JudgeNet,
    /// How the set was made.
    pub settings: Settings,
    /// The command that makes it again.
    pub command: String,
}

/// Which net judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeNet {
    /// The SHA-256 of its file, in hexadecimal.
    pub sha256: String,
    /// Self-play games that it was trained on.
    pub games: u64,
}

/// How a set is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Decisions in the set.
    pub decisions: u64,
    /// The seed of everything. Decision `n` is rolled out on the dice of the seed plus `n`.
    pub seed: u64,
    /// Plays are rolled out whose 1-ply equity is at most so many points below the best one's.
    pub margin: f64,
    /// At most so many plays of a decision are rolled out, those of highest 1-ply equity.
    pub candidates: usize,
    /// The standard error that every difference to the best play is to have at most, in points.
    pub max_error: f64,
    /// Trials of each play at which rolling out stops even if the error is larger.
    pub max_trials: u64,
    /// Plies after which the net's value ends a trial; null plays to the end.
    pub truncate: Option<NonZeroU32>,
}

/// A decision and what its plays are worth; all equities are those of the side that plays, in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Its number in the set, from 0.
    pub number: u64,
    /// The number of the self-play game that it is from.
    pub game: u64,
    /// Its phase.
    pub phase: Phase,
    /// The position, with dice.
    #[serde(with = "text")]
    pub position: Position,
    /// Trials made of each play.
    pub trials: u64,
    /// The plays that were rolled out, the best first.
    pub candidates: Vec<Candidate>,
    /// All other legal plays, in wire order, with their equity by the judge's look-ahead (2-ply).
    pub not_rolled_out: Vec<Estimated>,
}

/// A play that was rolled out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The play, in wire form.
    #[serde(with = "text")]
    pub play: Play,
    /// Its equity over all trials.
    pub equity: f64,
    /// Its equity by the judge's look-ahead (2-ply), to compare with the plays that were not rolled out.
    pub look_ahead: f64,
    /// The standard error of its difference to the best play.
    pub error: f64,
    /// Its equity over the even and over the odd blocks of trials.
    pub halves: [f64; 2],
}

/// A play that was not rolled out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimated {
    /// The play, in wire form.
    #[serde(with = "text")]
    pub play: Play,
    /// Its equity by the judge's look-ahead (2-ply).
    pub look_ahead: f64,
}

impl Header {
    /// The header of a set in the format that this program writes.
    pub fn new(rules: Rules, judge: JudgeNet, settings: Settings, command: String) -> Header {
        Header { format: FORMAT.to_owned(), version: VERSION, rules, judge, settings, command }
    }
}
