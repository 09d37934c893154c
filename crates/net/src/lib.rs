//! The evaluator: how good a position is for the side to roll.
//!
//! * [`Outcomes`] is what it says: the probabilities of the five ends of a game.
//! * [`encoding`] turns a board into the inputs of the network; [`encoding::ENCODING`] names its version.
//! * [`Weights`] are the plain numbers of a trained net; [`NetFile`] is how they are kept on disk (`.mnet`).
//! * [`Evaluator`] computes outcomes fast, out of tables built from the weights, with the vector instructions
//!   that the processor has.
//!
//! ```
//! use mahbusa_net::{Evaluator, Shape, Weights};
//! use mahbusa_rules::{Board, Rules};
//!
//! let untrained = Weights::random(Shape::of(32), 1);
//! let outcomes = Evaluator::new(&untrained).evaluate(&Board::start(Rules::MAHBUSA));
//! assert!((outcomes.probabilities().iter().sum::<f32>() - 1.0).abs() < 1e-6);
//! ```

pub mod container;
pub mod encoding;
mod evaluator;
mod experts;
mod file;
pub mod files;
pub mod json;
mod kernel;
pub mod locked;
mod outcomes;
pub mod random;
mod tables;
mod weights;

pub use evaluator::{Evaluations, Evaluator, instruction_set};
pub use file::{NetFile, NetFileError};
pub use outcomes::{OUTCOMES, Outcomes, possible};
pub use weights::{Activation, Shape, Weights, WeightsError};
