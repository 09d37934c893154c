//! Nets for other programs, complete: whoever has the files needs to know nothing of our features.
//!
//! * [`onnx`] makes a model that takes the raw board and gives the five outcomes.
//! * [`safetensors`] writes and reads the weights alone.

mod net;
pub mod onnx;
pub mod safetensors;

pub use net::ExportNet;
