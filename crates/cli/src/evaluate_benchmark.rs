use std::io::Write;
use std::path::Path;

use mahbusa_arena::Estimate;
use mahbusa_arena::benchmark::{Benchmark, Report, Score};
use mahbusa_rules::Rules;
use serde::Serialize;

use crate::args::EvaluateArgs;
use crate::failure::Failure;
use crate::interrupt::ends_at_once;
use crate::model::Contestant;

/// The set that comes with the program for a game: where pinning the mother does not win, that of Tapa.
fn committed(rules: Rules) -> &'static str {
    if rules.mother() {
        include_str!("../../../models/benchmark/mahbusa.jsonl")
    } else {
        include_str!("../../../models/benchmark/tapa.jsonl")
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    model: &'a str,
    ply: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    /// The file; null is the set that comes with the program.
    benchmark: Option<&'a Path>,
    rules: String,
    /// The hash of the net that judged.
    judge: &'a str,
    seed: u64,
    #[serde(flatten)]
    report: &'a Report,
}

/// `mahbusa evaluate MODEL --benchmark`.
pub fn evaluate_benchmark(args: &EvaluateArgs, file: Option<&Path>) -> Result<(), Failure> {
    ends_at_once();
    let model = Contestant::find_at(&args.model, args.level, &args.level_files)?;
    let set = match file {
        Some(_) if args.game.rules.is_some() => {
            return Err(Failure::usage(
                "--rules: a benchmark FILE is of one game; the option chooses between the sets of the program",
            ));
        }
        Some(path) => Benchmark::read(path).map_err(|error| Failure::from(error).about(path.display().to_string()))?,
        None => Benchmark::from_text(committed(args.game.rules.or(model.rules()).unwrap_or(Rules::MAHBUSA)))?,
    };
    let header = set.header();
    let model = model.seated(&args.model, header.rules, args.game.force_rules, args.ply)?;
    let report = args.workers.pool()?.install(|| set.score(model.player.as_ref(), args.chance.seed));
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        let answer = Answer {
            model: &args.model,
            ply: model.manner.ply().number(),
            level: model.manner.level(),
            benchmark: file,
            rules: header.rules.to_string(),
            judge: &header.judge.sha256,
            seed: args.chance.seed,
            report: &report,
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        return Ok(());
    }
    let judge = header.judge.sha256.get(..12).unwrap_or(&header.judge.sha256);
    writeln!(
        out,
        "{}: {}, {} decisions judged by the net {judge}; millipoints lost a decision",
        model.manner.called(&args.model),
        header.rules,
        report.overall.decisions
    )?;
    writeln!(
        out,
        "{:<13} {:>9} {:>9}  {:<24} {:>11}  {:>14}",
        "phase", "decisions", "error", "95 %", "noise floor", "plays the best"
    )?;
    writeln!(out, "{}", row("all", &report.overall))?;
    for phase in &report.phases {
        writeln!(out, "{}", row(phase.phase.name(), &phase.score))?;
    }
    Ok(())
}

fn row(name: &str, score: &Score) -> String {
    let Estimate { mean, low, high } = score.error_rate;
    format!(
        "{name:<13} {:>9} {mean:>9.2}  {:<24} {:>11.2}  {:>12.1} %",
        score.decisions,
        format!("{low:.2} .. {high:.2}"),
        score.noise_floor.mean,
        100.0 * score.best.mean,
    )
}
