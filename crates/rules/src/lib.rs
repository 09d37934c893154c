//! The pinning games of the backgammon family, exactly: Mahbusa (Plakoto) and Tapa.
//!
//! Nobody is hit in these games; a lone enemy checker is *pinned* under yours until all of yours leave the
//! point. This crate knows the rules and nothing else: no I/O, no threads, no floating point.
//!
//! * [`Board`] is a position as the side to move sees it; [`generate`] lists what a [`Roll`] can make of it.
//! * [`OpenTurn`] plays a turn step by step, as people do.
//! * [`Position`] adds who is White, the dice and the match, and reads and writes the position notation (PPN).
//! * [`perft`] counts the game tree, to compare implementations.
//!
//! ```
//! use mahbusa_rules::{Position, Rules};
//!
//! let position: Position = "mahbusa:O22o:0.0:w:64:0.0.0".parse()?;
//! let plays = position.plays();
//! assert_eq!(plays.len(), 2);
//! assert_eq!(plays[0].play.to_string(), "24/18 24/20");
//! assert_eq!(plays[0].position.to_string(), "mahbusa:M3A1A16o:0.0:b:-:0.0.0");
//! assert_eq!(Position::start(Rules::TAPA).to_string(), "tapa:O22o:0.0:w:-:0.0.0");
//! # Ok::<(), mahbusa_rules::PositionError>(())
//! ```

mod board;
mod dice;
mod generate;
mod notation;
mod outcome;
mod perft;
mod play;
mod position;
mod quote;
mod raw;
mod rules;
mod score;
mod steps;
mod typed;

pub use board::{Board, POINTS, PointView};
pub use dice::{Roll, RollError};
pub use generate::{Afterstates, PlayResult, Sink, generate, plays};
pub use notation::{Field, PositionError};
pub use outcome::{Ending, Outcome};
pub use perft::{Perft, perft};
pub use play::{Play, PlayError, Step};
pub use position::{Position, PositionPlay, Side};
pub use quote::{quoted, shortened};
pub use raw::{RawBoard, RawBoardError};
pub use rules::{Rules, RulesError};
pub use score::{MatchOutcome, MatchScore, opener};
pub use steps::{LegalStep, OpenTurn};
pub use typed::TypedError;
