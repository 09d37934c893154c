//! Verbs that know for certain: `solve`, `perft`.

use std::str::FromStr;

use clap::Args as ClapArgs;
use mahbusa_rules::{Rules, RulesError};

use super::shared::{JsonArg, JsonLinesArg, QuietArg, whole};

/// Solve a whole game of few checkers, or build the bear-off table: exact values under best play.
///
/// Done once, in under a minute on two cores for three checkers, and kept in the cache folder (MAHBUSA_CACHE, else that of the system), where all other commands find it. A damaged
/// file is computed anew.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa solve mahbusa,checkers=3
  mahbusa solve tapa,checkers=2 --query tapa,checkers=2:B22b:0.0:w:64:0.0.0
  mahbusa solve bear-off")]
pub struct SolveArgs {
    /// The rules, with checkers=1 to checkers=3; or `bear-off`.
    #[arg(value_name = "RULES|bear-off")]
    pub what: Solvable,
    /// Say what this position is worth, or with dice which plays are best; may be repeated.
    #[arg(long, value_name = "POSITION")]
    pub query: Vec<String>,
    #[command(flatten)]
    pub answer: JsonLinesArg,
    #[command(flatten)]
    pub progress: QuietArg,
}

/// What can be computed exactly.
#[derive(Clone, Copy)]
pub enum Solvable {
    BearOff,
    Game(Rules),
}

impl FromStr for Solvable {
    type Err = String;

    fn from_str(text: &str) -> Result<Solvable, String> {
        if text == "bear-off" {
            return Ok(Solvable::BearOff);
        }
        text.parse().map(Solvable::Game).map_err(|error: RulesError| format!("{error}; or write `bear-off`"))
    }
}

/// Count the game tree, to compare implementations of the rules.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa perft mahbusa 3")]
pub struct PerftArgs {
    /// The rules: mahbusa, tapa, mahbusa,checkers=3, ...
    pub rules: Rules,
    /// Plies, 1 to 9; each takes some sixty times as long as the one before.
    #[arg(value_parser = whole::<u32>(1, 9))]
    pub depth: u32,
    #[command(flatten)]
    pub answer: JsonArg,
}
