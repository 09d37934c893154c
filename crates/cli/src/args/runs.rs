//! Verbs that look at runs: `report`, `runs`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args as ClapArgs, Subcommand};
use mahbusa_report::Measure;

use super::shared::JsonArg;

/// Show runs: strength, loss, games, speeds and openings on one page that needs nothing else.
///
/// Several runs are laid over each other. `mahbusa train` writes the page of its run after every measurement, as report.html in the run folder, so
/// that a browser can be left open beside it. --svg and --png write one chart, --tensorboard the files that TensorBoard reads; without --out there
/// is no page then.
///
/// A report replaces an older one; other files are left alone.
#[derive(ClapArgs)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true), after_help = "Examples:
  mahbusa report runs/quick
  mahbusa report runs/quick runs/tapa --out compared.html
  mahbusa report runs/release runs/quick --svg learning-curve.svg
  mahbusa report runs/release --chart loss --png loss.png
  mahbusa report runs/quick --tensorboard events
  mahbusa report runs/quick --json")]
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
    #[arg(long, value_name = "NAME", default_value_t = Measure::Strength, value_parser = measure(), requires = "picture")]
    pub chart: Measure,
    /// Write event files for TensorBoard into a folder, each run into one of its own.
    #[arg(long, value_name = "DIR")]
    pub tensorboard: Option<PathBuf>,
    /// Print one JSON object with the numbers behind the page; without --out there is no page then.
    #[arg(long)]
    pub json: bool,
    /// Replace files also if they are no reports; but never what a training run has written.
    #[arg(long)]
    pub force: bool,
}

/// See what runs there are, watch one, and remove what they no longer need.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa runs list
  mahbusa runs watch runs/quick
  mahbusa runs clean runs/quick --yes")]
pub struct RunsArgs {
    #[command(subcommand)]
    pub verb: RunsVerb,
}

#[derive(Subcommand)]
pub enum RunsVerb {
    List(RunsListArgs),
    Watch(RunsWatchArgs),
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
    /// The folder that the run folders are in, or a run folder.
    #[arg(default_value = "runs")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub answer: JsonArg,
}

/// Watch a run in the terminal, whatever process trains it: strength, loss, games, and what is to be done.
///
/// On a terminal the picture is made anew every two seconds until the run is complete; Ctrl-C ends it, which changes nothing for the run. It is made to fit
/// into the terminal; NO_COLOR takes the colours away. Elsewhere, or with --once, it is printed once.
///
/// Strength is points a game against the heuristic player; the upright line is the 95 % interval of the last measurement. `rate` is the learning rate;
/// `ends` and `games` are means since the line of metrics before. A run that `stopped` did so without saving.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  mahbusa runs watch
  mahbusa runs watch runs/quick --once")]
pub struct RunsWatchArgs {
    /// The run folder [default: the one in runs that goes on, else the one that did last].
    #[arg(value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// Print the picture once.
    #[arg(long)]
    pub once: bool,
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

/// Reads the name of what a chart shows.
fn measure() -> impl TypedValueParser<Value = Measure> {
    PossibleValuesParser::new(Measure::ALL.map(Measure::name)).try_map(|name| name.parse::<Measure>())
}
