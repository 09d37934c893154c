use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;

use mahbusa_arena::benchmark::{Begun, BenchmarkError, Header, JudgeNet, PartFile, Settings, choose, judge};

use crate::args::BenchmarkArgs;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::model;
use crate::progress::Progress;
use crate::stderr::say;
use crate::words::counted;

/// `mahbusa benchmark`.
pub fn benchmark(args: &BenchmarkArgs) -> Result<(), Failure> {
    let net = model::load(&args.model)?;
    let pool = args.workers.pool()?;
    let settings = Settings {
        decisions: args.decisions,
        seed: args.chance.seed,
        margin: args.margin,
        candidates: usize::from(args.candidates),
        max_error: args.max_error,
        max_trials: args.max_games,
        truncate: args.truncate.plies(),
    };
    let judge_net = JudgeNet { sha256: net.hash(), games: net.games };
    let header = Header::new(net.rules, judge_net, settings, command(args));
    let mut part = match begin(&args.out, &header)? {
        Begun::Unfinished(part) => part,
        Begun::Complete => return done(&args.out, args.decisions),
    };
    let flag = interrupted("leaving the decision that has begun; the others are saved");
    let progress = Progress::counting("decisions", args.decisions, args.progress.quiet);
    progress.begin(part.decisions());
    progress.stage("judging");
    let chosen = pool
        .install(|| choose(net.rules, &net.weights, args.decisions, args.chance.seed))
        .map_err(|error| Failure::usage(format!("--decisions {}: {error}", args.decisions)))?;
    let player = model::player(&net).into();
    for one in chosen.iter().skip(part.decisions() as usize) {
        let Some(decision) = pool.install(|| judge(&player, &header.settings, one, flag)) else { break };
        part.append(&decision)?;
        progress.set(part.decisions());
    }
    progress.finish();
    if flag.load(Ordering::Relaxed) && part.decisions() < args.decisions {
        if !args.progress.quiet {
            say(&format!("{} of {} decisions are saved; the same command goes on", part.decisions(), args.decisions));
        }
        return Err(Failure::Interrupted);
    }
    part.finish()?;
    done(&args.out, args.decisions)
}

fn begin(out: &Path, header: &Header) -> Result<Begun, Failure> {
    PartFile::begin(out, header).map_err(|error| match error {
        // The others name the file themselves.
        BenchmarkError::Io(_) => Failure::from(error).about(out.display().to_string()),
        _ => error.into(),
    })
}

/// The command without what changes nothing; the net is named by its hash beside it.
fn command(args: &BenchmarkArgs) -> String {
    format!(
        "mahbusa benchmark MODEL --decisions {} --seed {} --margin {} --candidates {} --max-error {} --max-games {} --truncate {}",
        args.decisions, args.chance.seed, args.margin, args.candidates, args.max_error, args.max_games, args.truncate
    )
}

fn done(out: &Path, decisions: u64) -> Result<(), Failure> {
    writeln!(std::io::stdout().lock(), "{}: {}", out.display(), counted(decisions, "decision"))?;
    Ok(())
}
