//! Verbs that train: `train`, `resume`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::shared::{QuietArg, SetArg};

/// Train a net by self-play, from a config.
///
/// Everything that belongs to the run goes to its folder: config, metrics, checkpoints, nets. Ctrl-C finishes the generation and saves;
/// `mahbusa resume` goes on, and the final net is the same as if nothing had happened.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa train configs/quick.toml
  mahbusa train configs/quick.toml --set rules=tapa --run-dir runs/tapa
  mahbusa train configs/release.toml --stop-after 90m
  mahbusa train configs/quick.toml --teacher mahbusa-2 --run-dir runs/pupil
  mahbusa train configs/release.toml --dry-run")]
pub struct TrainArgs {
    /// The config: a TOML file, or the name of one that comes with the program, such as `quick` or `release`.
    #[arg(value_name = "FILE|NAME", value_hint = clap::ValueHint::FilePath)]
    pub config: String,
    #[command(flatten)]
    pub changes: SetArg,
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
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub stop_after: Option<Duration>,
    #[command(flatten)]
    pub progress: QuietArg,
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
