//! What can be typed. Help texts stand here and nowhere else: the flags, the help and the examples of a verb in the file of its group, what several
//! verbs take in `shared`.

mod config;
mod exact;
mod export;
mod play;
mod positions;
mod runs;
mod shared;
mod shell;
mod strength;
mod train;

use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use config::{ConfigArgs, ConfigCheckArgs, ConfigInitArgs, ConfigShowArgs, ConfigVerb};
pub use exact::{PerftArgs, Solvable, SolveArgs};
pub use export::{ExportArgs, ExportFormat, ExportGamesArgs, GamesFormat, InspectArgs};
pub use play::{AnalyzeGameArgs, PlayArgs, SideArg};
pub use positions::{AnalyzeArgs, BookArgs, PlaysArgs, PositionsArgs, RolloutArgs};
pub use runs::{ReportArgs, RunsArgs, RunsCleanArgs, RunsListArgs, RunsVerb, RunsWatchArgs};
pub use shared::LevelFileArgs;
pub use shell::{CompletionsArgs, ManArgs};
pub use strength::{BenchArgs, BenchmarkArgs, EvaluateArgs, LadderArgs, LevelsArgs};
pub use train::{PauseArgs, ResumeArgs, TrainArgs};

/// Trains neural nets for backgammon's pinning games, Mahbusa (Plakoto) and Tapa, by self-play.
#[derive(Parser)]
#[command(
    name = "mahbusa",
    version,
    about,
    after_help = "Examples:
  mahbusa train configs/quick.toml          train a first net in about two minutes
  mahbusa resume runs/quick                 go on with a run that was stopped
  mahbusa runs watch                        see how it stands, in the terminal
  mahbusa report runs/quick                 see how it went, in runs/quick/report.html
  mahbusa evaluate runs/quick --against heuristic
  mahbusa plays mahbusa:O22o:0.0:w:64:0.0.0
  mahbusa play                              play against the strongest net

Exit codes: 0 done, 1 the answer is no, 2 wrong command or config, or it names what is not there, 3 unusable or damaged file, 130 interrupted, with everything saved or said."
)]
pub struct Args {
    #[command(subcommand)]
    pub verb: Verb,
}

impl Args {
    /// Reads what was typed.
    ///
    /// # Errors
    /// What is wrong with it; or the help, if that was asked for.
    pub fn read() -> Result<Args, clap::Error> {
        let mut command = with_negative_numbers(Args::command());
        let mut typed = command.try_get_matches_from_mut(std::env::args_os())?;
        Args::from_arg_matches_mut(&mut typed).map_err(|error| error.format(&mut command))
    }
}

/// Takes `-1` for a value wherever one is expected, so that it is told what can stand there.
fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(with_negative_numbers)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls it for every verb that does something, with the words that lead to it.
    fn for_each_verb(command: &Command, words: &str, check: &impl Fn(&Command, &str)) {
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
    fn a_negative_number_is_a_value_and_no_option() {
        let mut command = with_negative_numbers(Args::command());
        command.build();
        command.clone().debug_assert();
        for_each_verb(&command, "mahbusa", &|verb, words| {
            let taken = verb.get_arguments().filter(|arg| arg.get_action().takes_values());
            taken.for_each(|arg| assert!(arg.is_allow_negative_numbers_set(), "{words} {}", arg.get_id()));
        });
    }

    #[test]
    fn every_verb_says_what_it_is_for() {
        for_each_verb(&Args::command(), "mahbusa", &|verb, words| {
            assert!(verb.get_about().is_some(), "{words}");
        });
    }
}
