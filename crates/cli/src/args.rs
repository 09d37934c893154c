//! What can be typed. Help texts stand here and nowhere else.

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use mahbusa_players::{LevelNumber, Ply};
use mahbusa_report::Measure;
use mahbusa_rules::{Rules, RulesError};

/// Trains neural nets for backgammon's pinning games, Mahbusa (Plakoto) and Tapa, by self-play.
#[derive(Parser)]
#[command(
    name = "mahbusa",
    version,
    about,
    after_help = "Examples:
  mahbusa train configs/quick.toml          train a first net in about two minutes
  mahbusa resume runs/quick                 go on with a run that was stopped
  mahbusa report runs/quick                 see how it went, in runs/quick/report.html
  mahbusa evaluate runs/quick --against heuristic
  mahbusa plays mahbusa:O22o:0.0:w:64:0.0.0
  mahbusa play                              play against the strongest net

Exit codes: 0 done, 1 the answer is no, 2 wrong command or config, 3 unusable or damaged file, 130 interrupted, with everything saved or said."
)]
pub struct Args {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Subcommand)]
pub enum Verb {
    Train(TrainArgs),
    Resume(ResumeArgs),
    Report(ReportArgs),
    Evaluate(EvaluateArgs),
    Ladder(LadderArgs),
    Levels(LevelsArgs),
    Plays(PlaysArgs),
    Analyze(AnalyzeArgs),
    Play(PlayArgs),
    AnalyzeGame(AnalyzeGameArgs),
    Rollout(RolloutArgs),
    Benchmark(BenchmarkArgs),
    Book(BookArgs),
    Solve(SolveArgs),
    Perft(PerftArgs),
    Positions(PositionsArgs),
    Export(ExportArgs),
    ExportGames(ExportGamesArgs),
    Inspect(InspectArgs),
    Bench(BenchArgs),
    Config(ConfigArgs),
    Runs(RunsArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Train a net by self-play, from a config.
///
/// Everything that belongs to the run goes to its folder: config, metrics, checkpoints, nets. Ctrl-C finishes the generation and saves;
/// `mahbusa resume` goes on, and the final net is the same as if nothing had happened.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa train configs/quick.toml
  mahbusa train configs/quick.toml --set rules=tapa --run-dir runs/tapa
  mahbusa train configs/release.toml --stop-after 90m
  mahbusa train configs/quick.toml --teacher mahbusa-1 --run-dir runs/pupil
  mahbusa train configs/release.toml --dry-run")]
pub struct TrainArgs {
    /// The config: a TOML file, or the name of one that comes with the program, such as `quick` or `release`.
    #[arg(value_name = "FILE|NAME", value_hint = clap::ValueHint::FilePath)]
    pub config: String,
    /// Change a key of the config, such as train.games=50000; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub assignments: Vec<String>,
    /// The run folder [default: runs/NAME of the config, with a number if that is taken].
    #[arg(long, value_name = "DIR")]
    pub run_dir: Option<PathBuf>,
    /// Start from the weights of this net instead of random ones.
    #[arg(long, value_name = "MODEL")]
    pub init: Option<String>,
    /// Learn what this net says of the positions instead of how the games went on: a small net gets far with a strong teacher. May be repeated: the
    /// mean of what all of them say is learnt.
    #[arg(long = "teacher", value_name = "MODEL")]
    pub teachers: Vec<String>,
    /// Say what would be done, how much it would write and how long it would take by a measurement of about three seconds, and do nothing.
    #[arg(long, conflicts_with = "stop_after")]
    pub dry_run: bool,
    /// With --dry-run, print one JSON object.
    #[arg(long, requires = "dry_run")]
    pub json: bool,
    #[command(flatten)]
    pub pause: PauseArgs,
}

/// Go on with a run that was stopped.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa resume runs/quick")]
pub struct ResumeArgs {
    /// The run folder.
    pub run: PathBuf,
    #[command(flatten)]
    pub pause: PauseArgs,
}

#[derive(ClapArgs)]
pub struct PauseArgs {
    /// Pause after this time (45s, 90m, 2h) and save; the result of the run is not changed by it.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub stop_after: Option<Duration>,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Show runs: strength, loss, games, speeds and openings on one page that needs nothing else.
///
/// Several runs are laid over each other. `mahbusa train` writes the page of its run after every measurement, as report.html in the run folder, so
/// that a browser can be left open beside it. --svg and --png write one chart, --tensorboard the files that TensorBoard reads; without --out there
/// is no page then.
///
/// A report replaces an older one; other files are left alone.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa report runs/quick
  mahbusa report runs/quick runs/tapa --out compared.html
  mahbusa report runs/release runs/quick --svg learning-curve.svg
  mahbusa report runs/release --chart loss --png loss.png
  mahbusa report runs/quick --tensorboard events")]
pub struct ReportArgs {
    /// Run folders; those that are still going on too.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// The page to write [default: report.html in the run folder; of several runs, in the current folder].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a chart as SVG, which follows the reader's choice of light or dark.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a chart as PNG.
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// The chart of --svg and --png.
    #[arg(long, value_name = "NAME", default_value_t = Measure::Strength, value_parser = measure())]
    pub chart: Measure,
    /// Write event files for TensorBoard into a folder, each run into one of its own.
    #[arg(long, value_name = "DIR")]
    pub tensorboard: Option<PathBuf>,
    /// Replace files also if they are no reports.
    #[arg(long)]
    pub force: bool,
}

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
  mahbusa evaluate runs/quick --benchmark
  mahbusa evaluate runs/quick --benchmark --ply 2
  mahbusa evaluate mahbusa-1 --level 3 --against mahbusa-1 --against-level 2
  mahbusa evaluate runs/three-checkers --exact")]
pub struct EvaluateArgs {
    /// A .mnet file, a run folder (its best net), RUN@GAMES (a net that a run has kept), a released net such as `mahbusa-1`, or `random`, `heuristic`, `td-200k`.
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
    /// set that comes with the program].
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["against", "against_ply", "against_level", "games", "until_clear", "save", "rules", "exact"])]
    pub benchmark: Option<Option<PathBuf>>,
    /// Hold the net against the truth instead: the solved game of its rules if it is one of at most 3 checkers, and the exact bear-off table.
    #[arg(long, conflicts_with_all = ["against", "ply", "against_ply", "level", "against_level", "games", "until_clear", "save", "rules", "force_rules"])]
    pub exact: bool,
    /// Games to play, an even number; with --until-clear, at most [default: 2000; with --until-clear 1000000].
    #[arg(long)]
    pub games: Option<u64>,
    /// Play until one is stronger, or the difference is known to be smaller than this many points a game.
    #[arg(long, value_name = "POINTS", value_parser = difference)]
    pub until_clear: Option<f64>,
    /// Keep what is played in this file, and do not play again what is in it.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// The seed of dice and chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The rules [default: those of the net, else mahbusa].
    #[arg(long)]
    pub rules: Option<Rules>,
    /// Let nets play by rules that they were not trained on.
    #[arg(long)]
    pub force_rules: bool,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
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
    #[arg(long, default_value_t = 1000)]
    pub games: u64,
    /// The seed of dice and chance.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The rules [default: those of the nets, else mahbusa].
    #[arg(long)]
    pub rules: Option<Rules>,
    /// Let nets play by rules that they were not trained on.
    #[arg(long)]
    pub force_rules: bool,
    /// Keep what is played in this file, and do not play again what is in it.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Show the players in the order in which they were named, not by strength.
    #[arg(long)]
    pub in_order: bool,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
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
  mahbusa levels mahbusa-1 --out levels.json
  mahbusa levels runs/release --small runs/quick --out runs/release/levels.json --save games.jsonl
  mahbusa analyze --level 2 mahbusa:O22o:0.0:w:64:0.0.0")]
pub struct LevelsArgs {
    /// The full net: a .mnet file, a folder with net.mnet, or a run folder (its best net).
    pub model: String,
    /// The small net [default: that of the folder beside the model's, called the same with `-small` behind].
    #[arg(long, value_name = "MODEL")]
    pub small: Option<String>,
    /// The file to make: levels.json beside the net, where it is looked for.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace the file if there is one.
    #[arg(long)]
    pub force: bool,
    /// Games of each measurement, an even number; half as many at most for each noise that is tried.
    #[arg(long, default_value_t = 8000)]
    pub games: u64,
    /// The seed of dice and chance; each search and each measurement takes one of the next.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Keep what is played in this file, and do not play again what is in it.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Print one JSON object, as in the file.
    #[arg(long)]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
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
    /// Print one JSON object a line.
    #[arg(long)]
    pub json: bool,
}

/// Rank the legal plays of positions by a net, with the probabilities of the five outcomes.
///
/// Reads and answers as `mahbusa plays`. With dice `-` it says what the position is worth to the side to roll. In a match, plays are ranked by
/// the chance of winning it, from a table of all scores that is computed out of what the net says of the start of the game.
///
/// With --ply 2 or 3 the net looks ahead; plays that seem too bad to be worth it stand below the others, with how deep was looked.
///
/// With --level the plays are ranked as that strength level sees them, and the one that it takes is marked; another --seed may take another one.
#[derive(ClapArgs)]
#[command(group = ArgGroup::new("leveled").arg("level"), after_help = "Examples:
  mahbusa analyze mahbusa:O22o:0.0:w:64:0.0.0
  mahbusa analyze mahbusa:O22o:0.0:w:64:2.1.3 --ply 2
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
    #[arg(long, default_value_t = 1, requires = "level")]
    pub seed: u64,
    #[command(flatten)]
    pub level_files: LevelFileArgs,
    /// Rank by equity also in a match.
    #[arg(long)]
    pub points: bool,
    /// Analyze by rules that the net was not trained on.
    #[arg(long)]
    pub force_rules: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    pub json: bool,
}

/// Play a match against a net in the terminal.
///
/// The board is seen from your side: you move from your 24-point at the top right to your home at the bottom right, then off. Type the way of a checker,
/// such as 24/18 or 24/18/14, several with spaces between, or the number of a play in the list; `help` lists everything else, such as `hint` and `undo`.
///
/// Every turn is written to a file as it is played, so that nothing is lost however the program ends; --resume FILE goes on, and `mahbusa analyze-game
/// FILE` says what was played well. All dice follow from the seed.
#[derive(ClapArgs)]
#[command(group = ArgGroup::new("leveled").arg("level"), after_help = "Examples:
  mahbusa play
  mahbusa play --level 2 --match 5
  mahbusa play --rules tapa --side black --save evening.jsonl
  mahbusa play --resume evening.jsonl")]
pub struct PlayArgs {
    /// The net to play against: a .mnet file, a run folder (its best net), or the name of a released net [default: the strongest released for the game].
    #[arg(long)]
    pub model: Option<String>,
    /// How many plies it looks ahead: 1, 2 or 3.
    #[arg(long, default_value_t = Ply::Two)]
    pub ply: Ply,
    /// Let it play at a strength level from 1, the weakest, to 6; see `mahbusa help levels`.
    #[arg(long, conflicts_with = "ply")]
    pub level: Option<LevelNumber>,
    #[command(flatten)]
    pub level_files: LevelFileArgs,
    /// The rules [default: those of the net, else mahbusa].
    #[arg(long)]
    pub rules: Option<Rules>,
    /// Play by rules that the net was not trained on.
    #[arg(long)]
    pub force_rules: bool,
    /// Points that the match goes to, 0 for a single game.
    #[arg(long = "match", value_name = "POINTS", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=500))]
    pub length: u16,
    /// The side that you play.
    #[arg(long, value_enum, default_value_t = SideArg::White)]
    pub side: SideArg,
    /// The seed of the dice [default: a new one each time].
    #[arg(long)]
    pub seed: Option<u64>,
    /// Write the match to this new file [default: games/RULES-SEED.jsonl].
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Go on with the match in this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ply", "level", "levels", "rules", "force_rules", "length", "side", "seed", "save"])]
    pub resume: Option<PathBuf>,
    /// Draw with plain characters.
    #[arg(long)]
    pub ascii: bool,
}

/// A side, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SideArg {
    White,
    Black,
}

/// Say what was played well in a match that `mahbusa play` has written: errors and luck, by move and by side.
///
/// Each play is compared to the best one, each roll to the mean of all rolls. What the figures mean is said in docs/analysis.md. A match that is not over
/// is analysed as far as it goes.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa analyze-game games/mahbusa-7.jsonl
  mahbusa analyze-game games/mahbusa-7.jsonl --model runs/quick --ply 3 --json")]
pub struct AnalyzeGameArgs {
    /// The file of the match.
    pub file: PathBuf,
    /// The net that judges: a .mnet file or a run folder (its best net) [default: the model that the match was played against,
    /// else the strongest released for the game].
    #[arg(long)]
    pub model: Option<String>,
    /// How many plies it looks ahead when it judges plays: 1, 2 or 3.
    #[arg(long, default_value_t = Ply::Two)]
    pub ply: Ply,
    /// Show so many of the worst plays again at the end.
    #[arg(long, default_value_t = 5)]
    pub worst: usize,
    /// Judge by a net that was not trained on the rules of the match.
    #[arg(long)]
    pub force_rules: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
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
    #[arg(long, default_value_t = 1296, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub games: u64,
    /// Stop before that, once the standard errors of all differences to the best play (without dice: that of the equity) are no larger
    /// than this, in points.
    #[arg(long, value_name = "POINTS", value_parser = points)]
    pub max_error: Option<f64>,
    /// Plies after which the net's value stands for the rest of the game, or `full` to play to the end.
    #[arg(long, value_name = "PLIES|full", default_value = "12")]
    pub truncate: Truncate,
    /// Plays to roll out: those that the net likes best at a glance.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub candidates: u16,
    /// The seed of the dice.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Roll out by rules that the net was not trained on.
    #[arg(long)]
    pub force_rules: bool,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Make a benchmark set: decisions out of the self-play of a net, all plays priced by its rollouts.
///
/// `mahbusa evaluate MODEL --benchmark FILE` then says what a player loses a decision. Every decision is written to FILE.part as soon as it is judged;
/// the same command goes on where an interrupted one has stopped. The file is the same on any number of threads.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa benchmark runs/release --decisions 500 --out set.jsonl")]
pub struct BenchmarkArgs {
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-1`: who plays, and who judges.
    pub model: String,
    /// Decisions, each of another game, in equal numbers of each phase.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub decisions: u64,
    /// The file to make.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The seed of games and dice.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Roll out plays that the net at a glance puts at most so many points below the best one; the others are rated by its look-ahead (2-ply).
    #[arg(long, value_name = "POINTS", default_value_t = 0.2, value_parser = points)]
    pub margin: f64,
    /// Roll out at most so many plays of a decision.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub candidates: u16,
    /// The standard error that the difference of each play to the best one is to have at most, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 0.01, value_parser = points)]
    pub max_error: f64,
    /// Stop at so many games for each play even if the error is larger.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub max_games: u64,
    /// Plies after which the net's value stands for the rest of the game, or `full` to play to the end.
    #[arg(long, value_name = "PLIES|full", default_value = "12")]
    pub truncate: Truncate,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
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
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-1`: who plays, and who judges.
    pub model: String,
    /// The document to write, in Markdown [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
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
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub games: u64,
    /// Games that decisions about the traditional advice are drawn from, one of each piece of advice a game; 0 leaves the advice out.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub advice_games: u64,
    /// Decisions of each piece of advice that are rolled out besides, at most.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub advice_checks: u64,
    /// The seed of games and dice.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Print one JSON object with everything, and no document unless --out says where to.
    #[arg(long)]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
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
    /// Print JSON objects, one a line.
    #[arg(long)]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
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
    #[arg(value_parser = clap::value_parser!(u32).range(1..=9))]
    pub depth: u32,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Print positions with dice out of the self-play of a net, one a line, as benchmarks and tests want them.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa positions runs/quick --count 1000 --seed 1")]
pub struct PositionsArgs {
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-1`.
    pub model: String,
    /// How many, each of another game.
    #[arg(long, default_value_t = 100)]
    pub count: u64,
    /// The seed of the dice.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Write a net for other programs: a bundle with everything that a front end needs, or one file.
///
/// A bundle is a folder: model.onnx, which takes the raw board; model.safetensors, the weights; encoding.md, every input in words and as a formula;
/// golden.jsonl, positions with dice, plays and values to test against; manifest.json, hashes of all; MODEL_CARD.md and levels.json if they stand beside the
/// net. docs/embedding.md shows how to use it.
///
/// --verify computes everything in a bundle again and says how large the largest difference is; the exit code is 1 if anything is not as it should be.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa export runs/quick --format bundle --out bundle
  mahbusa export --verify bundle
  mahbusa export runs/quick --format onnx --out quick.onnx")]
pub struct ExportArgs {
    /// A .mnet file, a folder with net.mnet, a run folder (its best net), or a released net such as `mahbusa-1`.
    #[arg(required_unless_present = "verify")]
    pub model: Option<String>,
    /// What to write.
    #[arg(long, required_unless_present = "verify")]
    pub format: Option<ExportFormat>,
    /// The folder of the bundle, or the file.
    #[arg(long, value_name = "PATH", required_unless_present = "verify")]
    pub out: Option<PathBuf>,
    /// Replace what is there: a file, or a folder in which nothing but a bundle is.
    #[arg(long)]
    pub force: bool,
    /// The licence that the files name [default: that of a released net; otherwise `unstated`].
    #[arg(long, value_name = "SPDX")]
    pub licence: Option<String>,
    /// Check a bundle instead of writing one.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["model", "format", "out", "force", "licence", "threads"])]
    pub verify: Option<PathBuf>,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// With --verify: print one JSON object.
    #[arg(long, requires = "verify")]
    pub json: bool,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
}

/// What a net can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A folder with all that follows.
    Bundle,
    /// A model that takes the raw board, for ONNX Runtime and others.
    Onnx,
    /// The weights alone.
    Safetensors,
}

/// Write self-play games as data for other learners: positions, dice, plays and how it ended.
///
/// As jsonl, a game a line: every position with its dice and what was played. As npz, arrays with a row a turn, for NumPy; those are kept in memory until they
/// are written, nine kilobytes a game. The games depend on the net, the seed and their number alone. docs/formats.md describes both.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa export-games runs/quick --games 1000 --format npz --out games.npz")]
pub struct ExportGamesArgs {
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-1`: who plays both sides.
    #[arg(value_name = "RUN|MODEL")]
    pub model: String,
    /// How many games.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// What to write.
    #[arg(long)]
    pub format: GamesFormat,
    /// The file to make.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace the file if there is one.
    #[arg(long)]
    pub force: bool,
    /// The seed of the dice.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; 0 takes all processors.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,
}

/// What games can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GamesFormat {
    /// A JSON object a game, one a line.
    Jsonl,
    /// Arrays of NumPy.
    Npz,
}

/// Say what a net is: rules, encoding, sizes, hash, games trained.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa inspect runs/quick/final.mnet")]
pub struct InspectArgs {
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-1`.
    pub model: String,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Measure the speed of this machine, per CPU-second of one core, on fixed positions and games.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa bench
  mahbusa bench --model runs/quick --seconds 4")]
pub struct BenchArgs {
    /// The net that is measured: a .mnet file or a run folder (its best net).
    #[arg(long, default_value = "mahbusa-1-small")]
    pub model: String,
    /// CPU-seconds for each figure.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Make, show and check the settings of a run.
///
/// A config is a TOML file in which every key has a default. docs/config.md lists all keys.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa config init --out my.toml
  mahbusa config check my.toml
  mahbusa config show my.toml --set train.games=50000")]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub verb: ConfigVerb,
}

#[derive(Subcommand)]
pub enum ConfigVerb {
    Init(ConfigInitArgs),
    Show(ConfigShowArgs),
    Check(ConfigCheckArgs),
    Schema(ConfigSchemaArgs),
}

/// Write a config with every key, what it means and what it may be.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa config init
  mahbusa config init --from quick --out my.toml")]
pub struct ConfigInitArgs {
    /// The file to make [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Begin with the values of a file, or of a config that comes with the program, such as `quick` [default: the defaults].
    #[arg(long, value_name = "FILE|NAME", value_hint = clap::ValueHint::FilePath)]
    pub from: Option<String>,
    /// Change a key, such as train.games=50000; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub assignments: Vec<String>,
    /// Replace the file if there is one.
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Print a config as a run would take it, defaults and changes written out.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa config show configs/quick.toml --set rules=tapa")]
pub struct ConfigShowArgs {
    /// The config: a TOML file, or the name of one that comes with the program.
    #[arg(value_name = "FILE|NAME", value_hint = clap::ValueHint::FilePath)]
    pub config: String,
    /// Change a key, such as train.games=50000; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub assignments: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Say what is wrong with configs: every mistake with its line, what is allowed, and what was perhaps meant.
///
/// The exit code is 0 when nothing is wrong, 2 when something is.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa config check my.toml configs/quick.toml")]
pub struct ConfigCheckArgs {
    /// The configs, TOML files.
    #[arg(required = true, value_name = "FILE")]
    pub configs: Vec<PathBuf>,
    /// Change a key of each, such as train.games=50000; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub assignments: Vec<String>,
}

/// Print the JSON schema (draft 7) of a config, from which editors know keys and ranges.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  mahbusa config schema > schema.json

An editor that knows TOML schemas takes it from a first line `#:schema ./schema.json`.")]
pub struct ConfigSchemaArgs {}

/// See what runs there are, and remove what they no longer need.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa runs list
  mahbusa runs clean runs/quick --yes")]
pub struct RunsArgs {
    #[command(subcommand)]
    pub verb: RunsVerb,
}

#[derive(Subcommand)]
pub enum RunsVerb {
    List(RunsListArgs),
    Clean(RunsCleanArgs),
}

/// List the runs of a folder: rules, net, games, strength, state, size.
///
/// Strength is points a game against the heuristic player, with the 95 % interval: by the closing measurement where it has been made, else by the one
/// that chose the best net so far, which is a little too high, as the best of several always is.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa runs list
  mahbusa runs list elsewhere --json")]
pub struct RunsListArgs {
    /// The folder that the run folders are in.
    #[arg(default_value = "runs")]
    pub folder: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Remove the checkpoints of complete runs, which are needed no longer. No net is lost.
///
/// A net that is in a checkpoint only is written to nets/ of the run first, so that `mahbusa ladder RUN` and RUN@GAMES find the same nets as before.
/// A run that is not complete is refused: its checkpoints are what `mahbusa resume` needs.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa runs clean runs/quick
  mahbusa runs clean runs/quick runs/tapa --yes")]
pub struct RunsCleanArgs {
    /// The run folders.
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Do it; without this it is only said what would be done.
    #[arg(long)]
    pub yes: bool,
}

/// Print what a shell needs to complete the arguments of this program.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa completions bash > ~/.local/share/bash-completion/completions/mahbusa
  mahbusa completions zsh > ~/.zfunc/_mahbusa
  mahbusa completions fish > ~/.config/fish/completions/mahbusa.fish")]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Print the manual page, or write one page a verb to a folder.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa man > mahbusa.1
  mahbusa man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The folder for mahbusa.1, mahbusa-train.1 and so on; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Reads the name of what a chart shows.
fn measure() -> impl TypedValueParser<Value = Measure> {
    PossibleValuesParser::new(Measure::ALL.map(Measure::name)).try_map(|name| name.parse::<Measure>())
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

/// Reads a difference of equities that is not nothing.
fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (1e-6..=4.0).contains(points));
    points.ok_or_else(|| "expected points in 0.000001..=4".to_owned())
}

/// Reads `45s`, `90m`, `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time such as 45s, 90m or 2h, found `{text}`");
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let seconds = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// Calls it for every verb that does something, with the words that lead to it.
    fn for_each_verb(command: &clap::Command, words: &str, check: &impl Fn(&clap::Command, &str)) {
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            let words = format!("{words} {}", verb.get_name());
            check(verb, &words);
            for_each_verb(verb, &words, check);
        }
    }

    #[test]
    fn the_help_of_every_verb_has_an_example_that_it_takes() {
        let mut command = Args::command();
        command.build();
        for_each_verb(&command, "mahbusa", &|verb, words| {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ")).collect();
            assert!(help.starts_with("Example") && !examples.is_empty(), "{words}");
            for example in examples {
                // What comes before a pipe feeds the verb; what comes after a `>` is the shell's.
                let own = example.rsplit(" | ").next().unwrap_or(example).split(" > ").next().unwrap_or(example);
                assert!(own.starts_with("mahbusa "), "{example}");
                if let Err(error) = Args::command().try_get_matches_from(own.split_whitespace()) {
                    panic!("{example}: {error}");
                }
            }
        });
    }

    #[test]
    fn every_verb_says_what_it_is_for() {
        for_each_verb(&Args::command(), "mahbusa", &|verb, words| {
            assert!(verb.get_about().is_some(), "{words}");
        });
    }
}
