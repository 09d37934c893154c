use std::io::Write;
use std::ops::ControlFlow;

use mahbusa_arena::{Contest, Estimate, Finding, Halt, LOOK_EVERY, Record, Sequence, Verdict};
use mahbusa_rules::Rules;
use serde::Serialize;

use crate::args::EvaluateArgs;
use crate::evaluate_benchmark::evaluate_benchmark;
use crate::exact::evaluate_exactly;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::meeting::Host;
use crate::model::Contestant;
use crate::place;
use crate::record::record;

/// Games of a measurement, if the user does not say how many.
const GAMES: u64 = 2000;

/// Games after which a test gives up, if the user does not say when.
const GAMES_UNTIL_CLEAR: u64 = 1_000_000;

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    ply: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
    against: &'a str,
    against_ply: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    against_level: Option<u8>,
    rules: String,
    seed: u64,
    #[serde(flatten)]
    verdict: &'a Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequential: Option<Sequential>,
}

/// What `--until-clear` found.
#[derive(Serialize)]
struct Sequential {
    within: f64,
    finding: Finding,
    points_per_game: Estimate,
}

/// `mahbusa evaluate`.
pub fn evaluate(args: &EvaluateArgs) -> Result<(), Failure> {
    if args.exact {
        return evaluate_exactly(args);
    }
    if let Some(file) = &args.benchmark {
        return evaluate_benchmark(args, file.as_deref());
    }
    let games = args.games.unwrap_or(if args.until_clear.is_some() { GAMES_UNTIL_CLEAR } else { GAMES });
    if args.until_clear.is_some() && games < 2 * LOOK_EVERY {
        return Err(Failure::usage(format!(
            "--games {games}: expected at least {} with --until-clear, which looks every {LOOK_EVERY} pairs",
            2 * LOOK_EVERY
        )));
    }
    if let Some(folder) = &args.record {
        place::check_new_folder(folder)?;
        place::check_apart(&[("--save", args.kept.save.as_deref()), ("--record", Some(folder))])?;
    }
    let model = Contestant::find_at(&args.model, args.level, &args.level_files)?;
    let opponent = Contestant::find_at(&args.against, args.against_level, &args.level_files)?;
    let rules = args.game.rules.or(model.rules()).or(opponent.rules()).unwrap_or(Rules::MAHBUSA);
    let model = model.seated(&args.model, rules, args.game.force_rules, args.ply)?;
    let opponent = opponent.seated(&args.against, rules, args.game.force_rules, args.against_ply)?;
    let mut host = Host {
        pool: args.workers.pool()?,
        stop: interrupted("finishing the games in hand"),
        record: args.kept.save.as_deref().map(Record::open).transpose()?,
        quiet: args.progress.quiet,
    };

    let contest =
        Contest { rules, player: model.player.as_ref(), opponent: opponent.player.as_ref(), seed: args.chance.seed };
    let names = format!("{} against {}", model.manner.called(&args.model), opponent.manner.called(&args.against));
    let mut sequence = args.until_clear.map(Sequence::new);
    let played = host.play(contest, [&model.id, &opponent.id], games / 2, &names, |pairs, progress| {
        let Some(sequence) = &mut sequence else { return ControlFlow::Continue(()) };
        let clear = sequence.extend(&pairs[sequence.pairs() as usize..]);
        progress.details(vec![points(&sequence.interval())]);
        clear
    });
    let (mut pairs, halt, failed) = played.told();

    if let Some(sequence) = &sequence {
        // The test was over then; what was played beyond is another matter.
        pairs.truncate(sequence.pairs() as usize);
    }
    let verdict = Verdict::of(&pairs);
    let sequential = sequence.zip(args.until_clear).map(|(sequence, within)| Sequential {
        within,
        finding: sequence.finding(),
        points_per_game: sequence.interval(),
    });
    let finding = sequential.as_ref().map(|sequential| sequential.finding);
    let answer = if args.answer.json {
        let report = Report {
            model: &args.model,
            ply: model.manner.ply().number(),
            level: model.manner.level(),
            against: &args.against,
            against_ply: opponent.manner.ply().number(),
            against_level: opponent.manner.level(),
            rules: rules.to_string(),
            seed: args.chance.seed,
            verdict: &verdict,
            sequential,
        };
        serde_json::to_string(&report)?
    } else {
        let played = format!("{names}: {rules}, {} games, seed {}", verdict.games, args.chance.seed);
        format!("{played}\n{}", describe(&verdict, sequential.as_ref()))
    };
    // What was found is told, even if games cannot be recorded, and the other way round.
    let told = writeln!(std::io::stdout(), "{answer}");
    if let Some(folder) = &args.record {
        pairs.truncate((args.record_games / 2) as usize);
        record(folder, contest, [&model.seat, &opponent.seat], &pairs, &host)?;
    }
    told?;
    match halt {
        Halt::Stopped => Err(failed.unwrap_or(Failure::Interrupted)),
        Halt::Complete | Halt::Decided if finding == Some(Finding::NotClear) => Err(Failure::Negative),
        Halt::Complete | Halt::Decided => Ok(()),
    }
}

/// What was found, for people.
fn found(sequential: &Sequential) -> String {
    let within = sequential.within;
    match sequential.finding {
        Finding::Stronger => "clear: it is stronger".to_owned(),
        Finding::Weaker => "clear: it is weaker".to_owned(),
        Finding::Close => format!("clear: the difference is smaller than {within} points a game"),
        Finding::NotClear => {
            format!("not clear: neither that there is a difference, nor that it is smaller than {within} points a game")
        }
    }
}

/// A verdict for people.
fn describe(verdict: &Verdict, sequential: Option<&Sequential>) -> String {
    let rates = &verdict.rates;
    // After a test that looked again and again, the ordinary interval would claim too much.
    let (found, points_per_game, win_rate) = match sequential {
        Some(sequential) => (
            found(sequential) + "\n",
            format!("{}, however often one looks", points(&sequential.points_per_game)),
            format!("{:.1} %", 100.0 * verdict.win_rate.mean),
        ),
        None => (String::new(), points(&verdict.points_per_game), wins(&verdict.win_rate)),
    };
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    format!(
        "{found}points per game  {points_per_game}\nwin rate         {win_rate}\nwon              single {}, mars {}, mother {}\ndrawn            {}\n\
         lost             single {}, mars {}, mother {}\nplies per game   {:.1}",
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
