//! wip
#![allow(missing_docs)]
pub mod batch;
pub mod learner;
mod sparse;
pub mod targets;
