//! What several verbs take.

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args as ClapArgs;
use mahbusa_rules::Rules;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::Failure;

/// How many threads work.
#[derive(ClapArgs)]
pub struct ThreadsArg {
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = whole::<u16>(0, 1024))]
    pub threads: u16,
}

impl ThreadsArg {
    /// So many threads.
    pub fn pool(&self) -> Result<ThreadPool, Failure> {
        let threads = self.threads;
        ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build()
            .map_err(|error| Failure::usage(format!("--threads {threads}: {error}")))
    }
}

/// Whether progress is shown.
#[derive(ClapArgs)]
pub struct QuietArg {
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
}

/// For programs that read one answer.
#[derive(ClapArgs)]
pub struct JsonArg {
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// For programs that read an answer for each position.
#[derive(ClapArgs)]
pub struct JsonLinesArg {
    /// Print JSON objects, one a line.
    #[arg(long)]
    pub json: bool,
}

/// Where chance comes from.
#[derive(ClapArgs)]
pub struct SeedArg {
    /// The seed of dice and chance.
    #[arg(long, default_value_t = 1, value_parser = seed())]
    pub seed: u64,
}

/// Games that are not played twice.
#[derive(ClapArgs)]
pub struct SaveArg {
    /// Keep what is played in this file, and do not play again what is in it.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

/// The game that players meet in.
#[derive(ClapArgs)]
pub struct RulesArgs {
    /// The rules [default: those of the nets, else mahbusa].
    #[arg(long)]
    pub rules: Option<Rules>,
    /// Let nets play by rules that they were not trained on.
    #[arg(long)]
    pub force_rules: bool,
}

/// Changes of a config.
#[derive(ClapArgs)]
pub struct SetArg {
    /// Change a key of the config, such as train.games=50000; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub assignments: Vec<String>,
}

/// Where strength levels are described and what they need.
#[derive(ClapArgs)]
pub struct LevelFileArgs {
    /// The file of the levels, with the model that it belongs to [default: levels.json beside the net].
    #[arg(long, value_name = "FILE", requires = "leveled", requires = "model")]
    pub levels: Option<PathBuf>,
    /// The small net, for the levels of the model that ask it [default: that of the folder beside the model's, called the same with `-small` behind].
    #[arg(long, value_name = "MODEL", requires = "leveled", requires = "model")]
    pub small: Option<String>,
}

/// How far a rollout plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncate {
    After(NonZeroU32),
    Full,
}

impl Truncate {
    /// The plies, unless all is played.
    pub fn plies(self) -> Option<NonZeroU32> {
        match self {
            Truncate::After(plies) => Some(plies),
            Truncate::Full => None,
        }
    }
}

impl fmt::Display for Truncate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truncate::After(plies) => plies.fmt(f),
            Truncate::Full => f.write_str("full"),
        }
    }
}

impl FromStr for Truncate {
    type Err = String;

    fn from_str(text: &str) -> Result<Truncate, String> {
        if text == "full" {
            return Ok(Truncate::Full);
        }
        text.parse().map(Truncate::After).map_err(|_| "expected a number of plies from 1 on, or `full`".to_owned())
    }
}

/// A reader of what is typed as a value.
pub trait Reader<T>: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {}

impl<T, F: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static> Reader<T> for F {}

/// Reads a whole number in a range, ends included.
pub fn whole<T: TryFrom<u64>>(least: u64, most: u64) -> impl Reader<T> {
    let most_shown = if most == u64::MAX { "2^64 - 1".to_owned() } else { most.to_string() };
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number, {least} to {most_shown}"))
    }
}

/// Reads a seed.
pub fn seed() -> impl Reader<u64> {
    whole(0, u64::MAX)
}

/// The most games of a measurement, which are more than anybody can wait for.
pub const MOST_GAMES: u64 = 1_000_000_000_000;

/// Reads a number of games that are played in pairs, at most so many.
pub fn paired(most: u64) -> impl Reader<u64> {
    move |text| {
        let games = text.parse().ok().filter(|games: &u64| (2..=most).contains(games) && games.is_multiple_of(2));
        games.ok_or_else(|| format!("expected an even number, 2 to {most}, since games come in pairs"))
    }
}

/// Reads a difference of equities that is not nothing.
pub fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (1e-6..=4.0).contains(points));
    points.ok_or_else(|| "expected points in 0.000001..=4".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_cannot_be_is_told_what_can() {
        let (depth, chance, games) = (whole::<u16>(1, 9), seed(), paired(MOST_GAMES));
        assert_eq!((depth("1"), depth("9"), chance("18446744073709551615")), (Ok(1), Ok(9), Ok(u64::MAX)));
        assert_eq!(games("1000000000000"), Ok(MOST_GAMES));
        for text in ["", "-1", "1.5", "1e3", "NaN", "0x7", "1e30", "99999999999999999999999", "seven", " 7"] {
            assert_eq!(depth(text).unwrap_err(), "expected a whole number, 1 to 9", "{text}");
            assert_eq!(chance(text).unwrap_err(), "expected a whole number, 0 to 2^64 - 1", "{text}");
            let paired = "expected an even number, 2 to 1000000000000, since games come in pairs";
            assert_eq!(games(text).unwrap_err(), paired, "{text}");
        }
        assert!(depth("10").is_err() && games("0").is_err() && games("3").is_err());
        assert!(whole::<u8>(0, 1000)("256").is_err(), "what does not fit is refused too");
    }
}
