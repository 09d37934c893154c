//! Black-box tests: the built binary, its output, its files, its exit codes.

#[cfg(test)]
mod benchmark;
#[cfg(test)]
mod book;
#[cfg(test)]
mod command;
#[cfg(test)]
mod config;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod exact;
#[cfg(test)]
mod export;
#[cfg(test)]
mod ladder;
#[cfg(test)]
mod levels;
#[cfg(test)]
mod places;
#[cfg(test)]
mod play;
#[cfg(test)]
mod plies;
#[cfg(test)]
mod positions;
#[cfg(test)]
mod record;
#[cfg(test)]
mod report;
#[cfg(test)]
mod resume;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod shell;
#[cfg(test)]
mod strength;
#[cfg(test)]
mod train;
