//! Black-box tests: the built binary, its output, its files, its exit codes.

#[cfg(test)]
mod benchmark;
#[cfg(test)]
mod book;
#[cfg(test)]
mod command;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod exact;
#[cfg(test)]
mod ladder;
#[cfg(test)]
mod levels;
#[cfg(test)]
mod plies;
#[cfg(test)]
mod positions;
#[cfg(test)]
mod report;
#[cfg(test)]
mod resume;
#[cfg(test)]
mod strength;
#[cfg(test)]
mod train;
