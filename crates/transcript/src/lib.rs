//! Games that people play: written down as they are played, replayed, drawn and analysed.
//!
//! * [`Transcript`] is a match, turn by turn; nothing gets into it that the rules and the dice do not allow. [`TranscriptFile`] is one on disk, to
//!   which every turn is added as it is played; [`write_game`] writes down a game that players have played.
//! * [`Judge`] says what the plays of a position are worth, in points or for the match; [`Opponent`] plays by it, perhaps at a strength level.
//! * [`analyze`] goes through a transcript: what each play lost, and how lucky each roll was.
//! * [`Diagram`] draws a board as text.

mod analysis;
mod diagram;
mod file;
mod head;
mod judge;
mod lines;
mod transcript;
mod written;

pub use analysis::{Analysis, Grade, JudgedTurn, Opening, Score, SideTotals, analyze};
pub use diagram::{Diagram, Glyphs, Paint};
pub use file::{Rescue, TranscriptError, TranscriptFile, read};
pub use head::{DiceSource, Head, LevelSeat, NetSeat, Seat};
pub use judge::{Judge, JudgedPlay, Opponent};
pub use transcript::{Game, GameEnd, How, Now, Transcript, Turn};
pub use written::write_game;
