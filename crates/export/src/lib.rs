//! Nets for other programs, complete: whoever has the files needs to know nothing of our features.
//!
//! * [`Bundle`] is a folder with all that a front end needs; [`verify`] computes it all again.
//! * [`onnx`] makes a model that takes the raw board and gives the five outcomes.
//! * [`safetensors`] writes and reads the weights alone.
//! * [`encoding`] is every input in words and as a formula; [`golden`] are positions to test a program against.
//! * [`games`] are self-play games as data for other learners.

mod board;
mod bundle;
pub mod encoding;
pub mod games;
pub mod golden;
mod manifest;
mod net;
pub mod onnx;
pub mod safetensors;

pub use board::RawBoard;
pub use bundle::{Bundle, BundleError, CARD, LEVELS, TOLERANCE, Verification, check_place, verify};
pub use manifest::ManifestError;
pub use net::ExportNet;
