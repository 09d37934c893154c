//! Black-box tests of the whole: the built binary, its files, the rules against a second implementation.

pub mod reference;
