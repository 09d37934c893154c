//! The C library `libmahbusa`: rules, nets and strength levels for programs in any language.
//!
//! Thin over `mahbusa-rules`, `mahbusa-net` and `mahbusa-players`. What C sees is in two modules, out of which `include/mahbusa.h` is made: [`types`],
//! plain structs and constants, and [`ffi`], the functions by subject, the only module with unsafe code. `model` and `levels` are what stands behind the
//! handles. `docs/c-library.md` says how to use it.

mod fault;
pub mod ffi;
mod levels;
mod model;
pub mod types;

pub use ffi::*;
pub use types::*;
