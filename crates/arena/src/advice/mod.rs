//! What a net says of the traditional advice, measured on decisions of its own games.
//!
//! [`Advice`] is a condition on plays. [`Surveyor`] looks for turns in self-play in which some plays follow it and some go against it, one a game,
//! and compares the best of both kinds; [`Tally`] adds up what it finds, and [`Verdict`] says it in words.

mod conditions;
mod survey;
mod tally;

pub use conditions::{Advice, Question, Stance};
pub(crate) use survey::UNITS;
pub use survey::{Decision, Surveyor};
pub use tally::{Row, Tally, Verdict};
