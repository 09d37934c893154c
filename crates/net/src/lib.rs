//! The evaluator: how good a position is for the side to roll.
//!
//! * [`Outcomes`] is what it says: the probabilities of the five ends of a game.
//! * [`encoding`] turns a board into the inputs of the network; [`encoding::ENCODING`] names its version.
//! * [`Weights`] are the plain numbers of a trained net; [`NetFile`] is how they are kept on disk (`.mnet`).
//! * [`Evaluator`] computes outcomes fast, out of tables built from the weights, with the vector instructions
//!   that the processor has.
//!
//! ```no_run
//! use mahbusa_net::{Evaluator, NetFile};
//! use mahbusa_rules::Position;
//!
//! let net = NetFile::read("runs/quick/best.mnet".as_ref())?;
//! let evaluator = Evaluator::new(&net.weights);
//! let position: Position = "mahbusa:O22o:0.0:w:64:0.0.0".parse()?;
//! for play in position.plays() {
//!     // The outcomes are those of the side now to roll.
//!     println!("{} {:+.3}", play.play, -evaluator.evaluate(&play.position.board).equity());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod container;
pub mod encoding;
mod evaluator;
mod experts;
mod file;
mod kernel;
mod outcomes;
pub mod random;
mod weights;

pub use evaluator::{Evaluations, Evaluator, instruction_set};
pub use file::{NetFile, NetFileError};
pub use outcomes::{OUTCOMES, Outcomes, possible};
pub use weights::{Weights, WeightsError};
