//! Verbs that measure: `evaluate`, `ladder`, `levels`, `benchmark`, `bench`.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs};
use mahbusa_players::{LevelNumber, Ply};

use super::shared::{
    JsonArg, LevelFileArgs, MOST_GAMES, QuietArg, RulesArgs, SaveArg, SeedArg, ThreadsArg, Truncate, paired, points,
    seed, whole,
};

/// Measure how strong a net is: paired games on equal dice, its errors on a benchmark set, or what it gets wrong of the truth.
///
/// A pair is two games on one stream of dice, each player opening one of them. The intervals are 95 % intervals over pairs. Before you
/// believe that one net is stronger than another, the interval of the points per game must not contain 0.
///
/// With --until-clear D it plays until it knows whether one of them is stronger, or that the difference is smaller than D points a game.
/// The interval is then one that holds however often it is looked at, so that the answer is wrong in 5 % of all such tests at most. The
/// exit code is 0 when the answer is clear, 1 when it is not after --games games.
///
/// Ctrl-C says what is known from the games played so far, and exits with 130.
#[derive(ClapArgs)]
#[command(group = ArgGroup::new("leveled").args(["level", "against_level"]).multiple(true), after_help = "Examples:
  mahbusa evaluate runs/quick --against heuristic --games 10000
  mahbusa evaluate runs/new --against runs/old --until-clear 0.02
  mahbusa evaluate runs/quick/final.mnet --against runs/other --seed 7 --json
  mahbusa evaluate heuristic --against random --rules tapa
  mahbusa evaluate runs/quick --ply 2 --against runs/quick --games 1000
  mahbusa evaluate runs/quick --against mahbusa-2 --record lost
  mahbusa evaluate runs/quick --benchmark
  mahbusa evaluate runs/quick --benchmark --ply 2
  mahbusa evaluate mahbusa-2 --level 3 --against mahbusa-2 --against-level 2
  mahbusa evaluate runs/three-checkers --exact")]
pub struct EvaluateArgs {
    /// A .mnet file, a run folder (its best net), RUN@GAMES (a net that a run has kept), a released net such as `mahbusa-2`, or `random`, `heuristic`, `td-200k`.
    pub model: String,
    /// The opponent: `random`, `heuristic`, `td-200k`, or another model.
    #[arg(long, value_name = "NAME|MODEL", default_value = "heuristic")]
    pub against: String,
    /// How many plies the model looks ahead, 1, 2 or 3, if it is a net.
    #[arg(long, default_value_t = Ply::One)]
    pub ply: Ply,
    /// How many plies the opponent looks ahead, if it is a net.
    #[arg(long, value_name = "PLY", default_value_t = Ply::One)]
    pub against_ply: Ply,
    /// Let the model play at a strength level from 1, the weakest, to 6; see `mahbusa help levels`.
    #[arg(long, conflicts_with = "ply")]
    pub level: Option<LevelNumber>,
    /// Let the opponent play at a strength level.
    #[arg(long, value_name = "LEVEL", conflicts_with = "against_ply")]
    pub against_level: Option<LevelNumber>,
    #[command(flatten)]
    pub level_files: LevelFileArgs,
    /// Instead of playing, say what the model's plays lose on the decisions of a benchmark set, beside the noise of the judging [default: the
    /// set that comes with the program for the net's game, or for --rules].
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["against", "against_ply", "against_level", "games", "until_clear", "save", "record", "exact"])]
    pub benchmark: Option<Option<PathBuf>>,
    /// Hold the net against the truth instead: the solved game of its rules if it is one of at most 3 checkers, and the exact bear-off table.
    #[arg(long, conflicts_with_all = ["against", "ply", "against_ply", "level", "against_level", "games", "until_clear", "save", "record", "rules", "force_rules"])]
    pub exact: bool,
    /// Games to play, an even number; with --until-clear, at most [default: 2000; with --until-clear 1000000].
    #[arg(long, value_parser = paired(MOST_GAMES))]
    pub games: Option<u64>,
    /// Play until one is stronger, or the difference is known to be smaller than this many points a game.
    #[arg(long, value_name = "POINTS", value_parser = difference)]
    pub until_clear: Option<f64>,
    #[command(flatten)]
    pub kept: SaveArg,
    /// Make this folder, with games of the measurement as match files, to be looked at and analysed: one file a game, in which the model is White.
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Games to record, an even number: those of the first pairs, as far as they were played.
    #[arg(long, value_name = "GAMES", default_value_t = 20, requires = "record", value_parser = paired(10_000))]
    pub record_games: u64,
    #[command(flatten)]
    pub chance: SeedArg,
    #[command(flatten)]
    pub game: RulesArgs,
    #[command(flatten)]
    pub workers: ThreadsArg,
    #[command(flatten)]
    pub answer: JsonArg,
    #[command(flatten)]
    pub progress: QuietArg,
}

/// Rank nets and baselines: everybody meets everybody, on equal dice.
///
/// A run folder stands for every net that it has kept, in the order of games: its learning curve. Elo is relative to `heuristic` if it
/// takes part, else to the first player. The intervals are 95 % intervals over pairs of games and know that all meetings share their
/// dice. The last column says how sure it is, from the same data, that a player is stronger than the next one.
///
/// Ctrl-C ranks by the games played so far, and exits with 130. With --save nothing is played twice, even after a kill.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa ladder runs/quick heuristic td-200k
  mahbusa ladder runs/one/best.mnet runs/two/best.mnet heuristic --games 10000 --save ladder.jsonl")]
pub struct LadderArgs {
    /// Two or more players: run folders (all nets that they have kept), RUN@GAMES, .mnet files, `random`, `heuristic`, `td-200k`.
    #[arg(required = true, value_name = "RUN|MODEL|NAME")]
    pub players: Vec<String>,
    /// How many plies the nets look ahead, 1, 2 or 3; the baselines stay as they are.
    #[arg(long, default_value_t = Ply::One)]
    pub ply: Ply,
    /// Games of each meeting, an even number.
    #[arg(long, default_value_t = 1000, value_parser = paired(MOST_GAMES))]
    pub games: u64,
    #[command(flatten)]
    pub chance: SeedArg,
    #[command(flatten)]
    pub game: RulesArgs,
    #[command(flatten)]
    pub kept: SaveArg,
    /// Show the players in the order in which they were named, not by strength.
    #[arg(long)]
    pub in_order: bool,
    #[command(flatten)]
    pub workers: ThreadsArg,
    #[command(flatten)]
    pub answer: JsonArg,
    #[command(flatten)]
    pub progress: QuietArg,
}

/// Make the six strength levels of a net, for front ends: levels.json.
///
/// Level 6 is the net, two plies deep. The others are it or a smaller net at one ply, with noise on the equities of the plays and a cap on what a play may
/// lose. From the top down, noise is looked for so that each level is beaten in 65 to 70 % of games by the one above, and then measured on fresh
/// dice. Where that cannot be had, the file says what was measured, and the exit code is 1.
///
/// `mahbusa evaluate MODEL --level K --against MODEL --against-level J` measures again; with games and seed of the file the result is the same.
/// Games of level 6 are slow, some 30 a second on one core. With --save nothing is played twice, even after a kill.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa levels mahbusa-2 --out levels.json
  mahbusa levels runs/release --small runs/quick --out runs/release/levels.json --save games.jsonl
  mahbusa analyze --level 2 mahbusa:O22o:0.0:w:64:0.0.0")]
pub struct LevelsArgs {
    /// The full net: a .mnet file, a folder with net.mnet, a run folder (its best net), or a released net such as `mahbusa-2`.
    pub model: String,
    /// The small net [default: the one called the same with `-small` behind].
    #[arg(long, value_name = "MODEL")]
    pub small: Option<String>,
    /// The file to make: levels.json beside the net, where it is looked for.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace the file if there is one.
    #[arg(long)]
    pub force: bool,
    /// Games of each measurement, an even number; half as many at most for each noise that is tried.
    #[arg(long, default_value_t = 8000, value_parser = paired(MOST_GAMES))]
    pub games: u64,
    /// The seed of dice and chance; each search and each measurement takes one of the next.
    #[arg(long, default_value_t = 1, value_parser = seed())]
    pub seed: u64,
    #[command(flatten)]
    pub kept: SaveArg,
    #[command(flatten)]
    pub workers: ThreadsArg,
    /// Print one JSON object, as in the file.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub progress: QuietArg,
}

/// Make a benchmark set: decisions out of the self-play of a net, all plays priced by its rollouts.
///
/// `mahbusa evaluate MODEL --benchmark FILE` then says what a player loses a decision. Every decision is written to FILE.part as soon as it is judged;
/// the same command goes on where an interrupted one has stopped. The file is the same on any number of threads.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa benchmark runs/release --decisions 500 --out set.jsonl")]
pub struct BenchmarkArgs {
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-2`: who plays, and who judges.
    pub model: String,
    /// Decisions, each of another game, in equal numbers of each phase.
    #[arg(long, default_value_t = 500, value_parser = whole::<u64>(1, 1_000_000))]
    pub decisions: u64,
    /// The file to make.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub chance: SeedArg,
    /// Roll out plays that the net at a glance puts at most so many points below the best one; the others are rated by its look-ahead (2-ply).
    #[arg(long, value_name = "POINTS", default_value_t = 0.2, value_parser = points)]
    pub margin: f64,
    /// Roll out at most so many plays of a decision.
    #[arg(long, default_value_t = 16, value_parser = whole::<u16>(1, 1000))]
    pub candidates: u16,
    /// The standard error that the difference of each play to the best one is to have at most, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 0.01, value_parser = points)]
    pub max_error: f64,
    /// Stop at so many games for each play even if the error is larger.
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(1, 100_000_000))]
    pub max_games: u64,
    /// Plies after which the net's value stands for the rest of the game, or `full` to play to the end.
    #[arg(long, value_name = "PLIES|full", default_value = "12")]
    pub truncate: Truncate,
    #[command(flatten)]
    pub workers: ThreadsArg,
    #[command(flatten)]
    pub progress: QuietArg,
}

/// Measure the speed of this machine, per CPU-second of one core, on fixed positions and games.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa bench
  mahbusa bench runs/quick --seconds 4")]
pub struct BenchArgs {
    /// The net that is measured: a .mnet file, a run folder (its best net), or a released net [default: mahbusa-1-small].
    #[arg(conflicts_with = "named")]
    pub model: Option<String>,
    /// The same, as it was once given.
    #[arg(long = "model", value_name = "MODEL", hide = true)]
    pub named: Option<String>,
    /// CPU-seconds for each figure; one round at least, and 20 decisions at each depth, which take some seconds whatever is asked.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,
    #[command(flatten)]
    pub answer: JsonArg,
}

/// Reads a difference in points a game that a test can look for.
fn difference(text: &str) -> Result<f64, String> {
    let difference = text.parse().ok().filter(|difference| (0.001..=2.0).contains(difference));
    difference.ok_or_else(|| "expected points a game in 0.001..=2".to_owned())
}

/// Reads a number of seconds that is worth measuring.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=600.0).contains(seconds));
    seconds.ok_or_else(|| "expected seconds in 0.01..=600".to_owned())
}
