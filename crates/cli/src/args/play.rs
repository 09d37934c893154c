//! Verbs for people who play: `play`, `analyze-game`.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs, ValueEnum};
use mahbusa_players::{LevelNumber, Ply};
use mahbusa_rules::Rules;

use super::shared::{JsonArg, LevelFileArgs, QuietArg, seed, whole};

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
    #[arg(long = "match", value_name = "POINTS", default_value_t = 0, value_parser = whole::<u16>(0, 500))]
    pub length: u16,
    /// The side that you play.
    #[arg(long, value_enum, default_value_t = SideArg::White)]
    pub side: SideArg,
    /// The seed of the dice [default: a new one each time].
    #[arg(long, value_parser = seed())]
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
    #[arg(long, default_value_t = 5, value_parser = whole::<usize>(0, 1_000_000_000))]
    pub worst: usize,
    /// Judge by a net that was not trained on the rules of the match.
    #[arg(long)]
    pub force_rules: bool,
    #[command(flatten)]
    pub answer: JsonArg,
    #[command(flatten)]
    pub progress: QuietArg,
}
