use std::io::Write;

use mahbusa_arena::{Contest, Estimate, Verdict};
use mahbusa_rules::Rules;
use serde::Serialize;

use crate::args::EvaluateArgs;
use crate::evaluate_benchmark::evaluate_benchmark;
use crate::failure::Failure;
use crate::model::{Contestant, check_rules};
use crate::progress::Progress;
use crate::threads::pool;

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    against: &'a str,
    rules: String,
    seed: u64,
    #[serde(flatten)]
    verdict: &'a Verdict,
}

/// `mahbusa evaluate`.
pub fn evaluate(args: &EvaluateArgs) -> Result<(), Failure> {
    if let Some(file) = &args.benchmark {
        return evaluate_benchmark(args, file.as_deref());
    }
    if args.games == 0 || args.games % 2 == 1 {
        return Err(Failure::usage(format!(
            "--games {}: expected an even number, since games come in pairs",
            args.games
        )));
    }
    let model = Contestant::find(&args.model)?;
    let opponent = Contestant::find(&args.against)?;
    let rules = args.rules.or(model.rules()).or(opponent.rules()).unwrap_or(Rules::MAHBUSA);
    for (name, contestant) in [(&args.model, &model), (&args.against, &opponent)] {
        if let Some(trained) = contestant.rules() {
            check_rules(trained, rules, args.force_rules)
                .map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        }
    }
    let pool = pool(args.threads)?;
    let (player, opposing) = (model.player(), opponent.player());
    let progress = Progress::new(args.games, args.quiet);
    progress.stage(&format!("{} against {}", args.model, args.against));
    let contest = Contest { rules, player: player.as_ref(), opponent: opposing.as_ref(), seed: args.seed };
    let verdict = pool.install(|| contest.play(0..args.games / 2, || progress.advance(2)));
    progress.finish();

    let mut out = std::io::stdout().lock();
    if args.json {
        let report = Report {
            model: &args.model,
            against: &args.against,
            rules: rules.to_string(),
            seed: args.seed,
            verdict: &verdict,
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(out, "{} against {}: {rules}, {} games, seed {}", args.model, args.against, args.games, args.seed)?;
        writeln!(out, "{}", describe(&verdict))?;
    }
    Ok(())
}

/// A verdict for people.
fn describe(verdict: &Verdict) -> String {
    let rates = &verdict.rates;
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    format!(
        "points per game  {}\nwin rate         {}\nwon              single {}, mars {}, mother {}\ndrawn            {}\n\
         lost             single {}, mars {}, mother {}\nplies per game   {:.1}",
        points(&verdict.points_per_game),
        wins(&verdict.win_rate),
        percent(rates.win_single),
        percent(rates.win_mars),
        percent(rates.win_mother),
        percent(rates.draw),
        percent(rates.lose_single),
        percent(rates.lose_mars),
        percent(rates.lose_mother),
        verdict.plies,
    )
}

/// Points per game with their interval.
pub fn points(estimate: &Estimate) -> String {
    format!("{:+.3} {}", estimate.mean, interval(estimate))
}

/// The interval of points per game.
pub fn interval(estimate: &Estimate) -> String {
    format!("[95 %: {:+.3} .. {:+.3}]", estimate.low, estimate.high)
}

/// A win rate with its interval.
pub fn wins(estimate: &Estimate) -> String {
    format!("{:.1} % [95 %: {:.1} .. {:.1}]", 100.0 * estimate.mean, 100.0 * estimate.low, 100.0 * estimate.high)
}
