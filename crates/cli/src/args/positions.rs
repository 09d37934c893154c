//! Verbs that answer for positions, and bring some forth: `plays`, `analyze`, `rollout`, `positions`, `book`.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs};
use mahbusa_players::{LevelNumber, Ply};

use super::shared::{
    JsonArg, JsonLinesArg, LevelFileArgs, QuietArg, SeedArg, ThreadsArg, Truncate, points, seed, whole,
};

/// List the legal plays of positions with dice.
///
/// Without positions on the command line they are read from standard input, one a line, and answered line by line. A bad line is answered
/// with an error; the rest is still answered, and the exit code is 1.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa plays mahbusa:O22o:0.0:w:64:0.0.0
  echo tapa:O22o:0.0:w:11:0.0.0 | mahbusa plays --json")]
pub struct PlaysArgs {
    /// Positions in PPN, with dice.
    pub positions: Vec<String>,
    #[command(flatten)]
    pub answer: JsonLinesArg,
}

/// Rank the legal plays of positions by a net, with the probabilities of the five outcomes.
///
/// Reads and answers as `mahbusa plays`; where no position named can be answered by the net, the exit code is 2. With dice `-` it says what the position is worth to the side to roll. In a match, plays are ranked by
/// the chance of winning it, from a table of all scores that is computed out of what the net says of the start of the game.
///
/// With --ply 2 or 3 the net looks ahead; plays that seem too bad to be worth it stand below the others, with how deep was looked.
///
/// With --level the plays are ranked as that strength level sees them, and the one that it takes is marked; another --seed may take another one.
#[derive(ClapArgs)]
#[command(group = ArgGroup::new("leveled").arg("level"), after_help = "Examples:
  mahbusa analyze mahbusa:O22o:0.0:w:64:0.0.0
  mahbusa analyze mahbusa:O22o:0.0:w:64:2.1.3 --ply 2 --best 3
  mahbusa analyze --level 3 --seed 7 mahbusa:O22o:0.0:w:64:0.0.0
  mahbusa analyze --model runs/quick mahbusa:O22o:0.0:w:-:0.0.0 --json")]
pub struct AnalyzeArgs {
    /// Positions in PPN.
    pub positions: Vec<String>,
    /// A .mnet file, a run folder (its best net), or the name of a released net [default: the strongest released for the game].
    #[arg(long)]
    pub model: Option<String>,
    /// How many plies to look ahead: 1, 2 or 3.
    #[arg(long, default_value_t = Ply::One)]
    pub ply: Ply,
    /// Say what the strength level of this number plays, from 1, the weakest, to 6; see `mahbusa help levels`.
    #[arg(long, conflicts_with = "ply")]
    pub level: Option<LevelNumber>,
    /// The seed of what the level decides by chance.
    #[arg(long, default_value_t = 1, requires = "level", value_parser = seed())]
    pub seed: u64,
    #[command(flatten)]
    pub level_files: LevelFileArgs,
    /// Rank by equity also in a match.
    #[arg(long)]
    pub points: bool,
    /// Show the best plays only, this many at most.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1, 1000))]
    pub best: Option<u16>,
    /// Analyze by rules that the net was not trained on.
    #[arg(long)]
    pub force_rules: bool,
    #[command(flatten)]
    pub answer: JsonLinesArg,
}

/// Measure what a position is worth by playing it out many times with a net, luck taken out.
///
/// Without dice: the position, for the side to roll. With dice: each of the best plays, all on the same dice, with what it is worth less than the
/// best one. Errors are standard errors of the games; that the net plays less than perfectly is not in them. Ctrl-C finishes the games
/// that have begun and prints what they showed.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa rollout mahbusa:O22o:0.0:w:64:0.0.0
  mahbusa rollout --model runs/quick mahbusa:O22o:0.0:w:-:0.0.0 --games 10000 --truncate full --json")]
pub struct RolloutArgs {
    /// A position in PPN.
    pub position: String,
    /// Who plays for both sides: a .mnet file, a run folder (its best net), or the name of a released net [default: the strongest released for the game].
    #[arg(long)]
    pub model: Option<String>,
    /// How many plies the players look ahead, 1, 2 or 3; the time grows by ten with the second, by hundreds with the third.
    #[arg(long, default_value_t = Ply::One)]
    pub ply: Ply,
    /// Games for each play, or for the position without dice; rounded up to a multiple of 72.
    #[arg(long, default_value_t = 1296, value_parser = whole::<u64>(1, 100_000_000))]
    pub games: u64,
    /// Stop before that, once the standard errors of all differences to the best play (without dice: that of the equity) are no larger
    /// than this, in points.
    #[arg(long, value_name = "POINTS", value_parser = points)]
    pub max_error: Option<f64>,
    /// Plies after which the net's value stands for the rest of the game, or `full` to play to the end.
    #[arg(long, value_name = "PLIES|full", default_value = "12")]
    pub truncate: Truncate,
    /// Plays to roll out: those that the net likes best at a glance.
    #[arg(long, default_value_t = 5, value_parser = whole::<u16>(1, 1000))]
    pub candidates: u16,
    #[command(flatten)]
    pub chance: SeedArg,
    /// Roll out by rules that the net was not trained on.
    #[arg(long)]
    pub force_rules: bool,
    #[command(flatten)]
    pub workers: ThreadsArg,
    #[command(flatten)]
    pub answer: JsonArg,
    #[command(flatten)]
    pub progress: QuietArg,
}

/// Print positions with dice out of the self-play of a net, one a line, as benchmarks and tests want them.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa positions runs/quick --count 1000 --seed 1")]
pub struct PositionsArgs {
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-2`.
    pub model: String,
    /// How many, each of another game.
    #[arg(long, default_value_t = 100, value_parser = whole::<u64>(1, 1_000_000_000))]
    pub count: u64,
    #[command(flatten)]
    pub chance: SeedArg,
}

/// Write the opening book and the facts of a game: a document for players, by a net.
///
/// What all plays of the 21 opening rolls are worth and the best replies to the best of them, by rollouts with standard errors; what moving first is worth,
/// how games end and how long they last, by games of the net against itself; and what is true of the traditional advice, by decisions out of such games.
///
/// It takes hours: with --save every part is kept as soon as it is done, and the same command goes on where an interrupted or killed one has stopped. The
/// document is the same on any number of threads.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa book runs/release --save book.jsonl --out docs/openings-mahbusa.md
  mahbusa book runs/quick --opening-error 0.05 --opening-cut 12 --reply-error 0.1 --reply-cut 4 --games 2000 --advice-games 500 --advice-checks 10")]
pub struct BookArgs {
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-2`: who plays, and who judges.
    pub model: String,
    /// The document to write, in Markdown [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the document if there is one.
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Keep what is done in this file, and do not do again what is in it.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// The standard error that the equity of each opening play is to have at most, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 0.005, value_parser = points)]
    pub opening_error: f64,
    /// Plies after which the net's value stands for the rest of the game in rollouts of opening plays, or `full` to play to the end. What a cut
    /// changes is not in the errors of opening plays.
    #[arg(long, value_name = "PLIES|full", default_value = "full")]
    pub opening_cut: Truncate,
    /// The standard error that the equity of each reply is to have at most, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 0.01, value_parser = points)]
    pub reply_error: f64,
    /// The same as --opening-cut for replies. What their cut changes is measured on the opening plays, if those are played to the end, and is in the
    /// errors of replies.
    #[arg(long, value_name = "PLIES|full", default_value = "24")]
    pub reply_cut: Truncate,
    /// How many plies the players of rollouts look ahead, 1, 2 or 3.
    #[arg(long, default_value_t = Ply::One)]
    pub ply: Ply,
    /// Games that the facts are counted in; 0 leaves them out.
    #[arg(long, default_value_t = 200_000, value_parser = whole::<u64>(0, 1_000_000_000))]
    pub games: u64,
    /// Games that decisions about the traditional advice are drawn from, one of each piece of advice a game; 0 leaves the advice out.
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(0, 1_000_000_000))]
    pub advice_games: u64,
    /// Decisions of each piece of advice that are rolled out besides, at most.
    #[arg(long, default_value_t = 200, value_parser = whole::<u64>(0, 1_000_000))]
    pub advice_checks: u64,
    #[command(flatten)]
    pub chance: SeedArg,
    #[command(flatten)]
    pub workers: ThreadsArg,
    /// Print one JSON object with everything, and no document unless --out says where to.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub progress: QuietArg,
}
