//! The functions that C calls.
//!
//! Each of them is a shell: it takes what it was `given`, calls safe code, and writes the answer down; `guarded` turns errors and panics into a code
//! and a message.
//!
//! What a caller vouches for, everywhere: a pointer that is not null points to as much valid memory as its type and the count beside it say, until
//! the function returns; nobody writes there meanwhile, and what the function writes to overlaps nothing else that it was given; a text ends with a
//! 0; a handle came from this library and was not freed. Null pointers, pointers that are not aligned and handles of another sort are noticed.

#![allow(unsafe_code, reason = "a C interface is made of pointers whose validity only the caller knows")]
#![allow(clippy::missing_safety_doc, reason = "what a caller owes is the same for all functions, and stands above")]

mod call;
mod dice;
mod given;
mod handles;
mod levels;
mod library;
mod nets;
mod plays;
mod positions;

pub use dice::*;
pub use handles::*;
pub use levels::*;
pub use library::*;
pub use nets::*;
pub use plays::*;
pub use positions::*;
