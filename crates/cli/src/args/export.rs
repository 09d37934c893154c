//! Verbs that take a net elsewhere: `export`, `export-games`, `inspect`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::shared::{JsonArg, QuietArg, SeedArg, ThreadsArg, whole};

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
    /// A .mnet file, a folder with net.mnet, a run folder (its best net), or a released net such as `mahbusa-2`.
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
    #[command(flatten)]
    pub workers: ThreadsArg,
    /// With --verify: print one JSON object.
    #[arg(long, requires = "verify")]
    pub json: bool,
    #[command(flatten)]
    pub progress: QuietArg,
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
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-2`: who plays both sides.
    #[arg(value_name = "RUN|MODEL")]
    pub model: String,
    /// How many games.
    #[arg(long, value_parser = whole::<u64>(1, 1_000_000_000))]
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
    #[command(flatten)]
    pub chance: SeedArg,
    #[command(flatten)]
    pub workers: ThreadsArg,
    #[command(flatten)]
    pub progress: QuietArg,
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
    /// A .mnet file, a run folder (its best net), or a released net such as `mahbusa-2`.
    pub model: String,
    #[command(flatten)]
    pub answer: JsonArg,
}
