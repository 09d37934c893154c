//! The `mahbusa` command: arguments, progress and printing over the library crates.

mod analyze;
mod analyze_game;
mod args;
mod bench;
mod benchmark;
mod book;
mod config;
mod dry_run;
mod evaluate;
mod evaluate_benchmark;
mod exact;
mod export;
mod failure;
mod inspect;
mod interrupt;
mod ladder;
mod level;
mod levels;
mod meeting;
mod model;
mod perft;
mod place;
mod play;
mod positions;
mod progress;
mod record;
mod report;
mod rollout;
mod runs;
mod shell;
mod stderr;
mod stream;
mod terminal;
mod train;
mod watch;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use args::{Args, Verb};
use failure::Failure;

/// Learner and self-play allocate many short-lived arrays of the same sizes; this allocator keeps them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let done = match Args::read() {
        Ok(args) => run(args.verb),
        Err(wrong) if wrong.use_stderr() => {
            // If nobody listens, the exit code says it.
            let _ = wrong.print();
            return ExitCode::from(2);
        }
        Err(help) => help.print().map_err(Failure::from),
    };
    // The last of the output may be what does not fit.
    match done.and_then(|()| Ok(io::stdout().flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(verb: Verb) -> Result<(), Failure> {
    match verb {
        Verb::Train(args) => train::train(&args),
        Verb::Resume(args) => train::resume(&args),
        Verb::Report(args) => report::report(&args),
        Verb::Evaluate(args) => evaluate::evaluate(&args),
        Verb::Ladder(args) => ladder::ladder(&args),
        Verb::Levels(args) => levels::levels(&args),
        Verb::Plays(args) => stream::plays(&args),
        Verb::Analyze(args) => analyze::analyze(&args),
        Verb::Play(args) => play::play(&args),
        Verb::AnalyzeGame(args) => analyze_game::analyze_game(&args),
        Verb::Solve(args) => exact::solve(&args),
        Verb::Rollout(args) => rollout::rollout(&args),
        Verb::Benchmark(args) => benchmark::benchmark(&args),
        Verb::Book(args) => book::book(&args),
        Verb::Perft(args) => perft::perft(&args),
        Verb::Positions(args) => positions::positions(&args),
        Verb::Export(args) => export::export(&args),
        Verb::ExportGames(args) => export::export_games(&args),
        Verb::Inspect(args) => inspect::inspect(&args),
        Verb::Bench(args) => bench::bench(&args),
        Verb::Config(args) => config::config(&args),
        Verb::Runs(args) => runs::runs(&args),
        Verb::Completions(args) => shell::completions(&args),
        Verb::Man(args) => shell::man(&args),
    }
}
