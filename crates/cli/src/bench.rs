//! Speeds per CPU-second of one core, and times of decisions, on committed positions.

use std::hint::black_box;
use std::io::Write;
use std::time::Duration;

use mahbusa_net::encoding::Inputs;
use mahbusa_net::{Evaluations, Evaluator, Shape, Weights, instruction_set};
use mahbusa_players::{Chance, NetPlayer, Player, Ply, Search, Turn, Workspace};
use mahbusa_rules::{Afterstates, Board, Position, Roll, Rules, generate};
use mahbusa_selfplay::{Game, GameSource, SelfPlay};
use mahbusa_train::{AdamSettings, Batch, Device, Learner, Sample, samples};
use serde::Serialize;

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::model;

/// Positions out of the self-play of a net of the first recipe, each of another game, so that they are like those of trained nets.
const POSITIONS: &str = include_str!("../bench/positions.txt");

/// The figures, all of one core; per CPU-second unless they are times.
#[derive(Serialize)]
struct Speeds {
    instruction_set: String,
    shape: Shape,
    /// Distinct results of rolls, over all 36 throws of two dice.
    results: f64,
    evaluations_from_scratch: f64,
    evaluations_incremental: f64,
    selfplay_games: f64,
    learner_positions: f64,
    /// Games that are both played and learnt.
    games_with_learning: f64,
    /// Decisions of a net that looks two plies ahead, and three. No bear-off table answers, and forced turns do not count.
    decisions: [Times; 2],
}

/// What decisions take, in milliseconds of CPU time.
#[derive(Serialize)]
struct Times {
    ply: u8,
    /// Decisions that were measured.
    decisions: usize,
    median: f64,
    /// 95 of 100 take less.
    percentile_95: f64,
}

/// Fewer decisions say nothing about the slowest ones.
const LEAST_DECISIONS: usize = 20;

/// `mahbusa bench`.
pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let named = args.model.as_ref().or(args.named.as_ref());
    let net = model::load(named.map_or("mahbusa-1-small", String::as_str))?;
    let (rules, weights) = (net.rules, net.weights);
    if rules.checkers() != Rules::MAHBUSA.checkers() {
        return Err(Failure::usage(format!("a net of {rules}: expected one of a game with 15 checkers a side")));
    }
    let seconds = args.seconds;
    let boards = boards()?;
    let evaluator = Evaluator::new(&weights);
    let turns = turns(rules, &boards);

    let results = per_second(seconds, || count_results(rules, &boards));
    let evaluations_from_scratch = per_second(seconds, || evaluate_from_scratch(&evaluator, &turns));
    let evaluations_incremental = per_second(seconds, || evaluate_incrementally(&evaluator, &turns));

    let source = SelfPlay { rules, seed: 1, endings: None };
    let one_thread =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(anyhow::Error::new).map_err(Failure::Io)?;
    let mut first = 0;
    let mut games: Vec<Game> = Vec::new();
    let selfplay_games = one_thread.install(|| {
        per_second(seconds, || {
            games = source.games(&weights, first..first + 64);
            first += 64;
            games.len() as u64
        })
    });
    let samples: Vec<Sample> = games.iter().flat_map(|game| samples(game, 0.7)).collect();
    let adam = AdamSettings { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
    let mut learner = Learner::new(&weights, adam, Device::flex());
    let learner_positions = per_second(seconds, || learn(&mut learner, &samples));
    let plies = samples.len() as f64 / games.len() as f64;

    let decisions = [Ply::Two, Ply::Three].map(|ply| times(rules, ply, &weights, &turns, seconds));
    let speeds = Speeds {
        instruction_set: instruction_set(),
        shape: weights.shape,
        results,
        evaluations_from_scratch,
        evaluations_incremental,
        selfplay_games,
        learner_positions,
        games_with_learning: 1.0 / (1.0 / selfplay_games + plies / learner_positions),
        decisions,
    };
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        writeln!(out, "{}", serde_json::to_string(&speeds)?)?;
        return Ok(());
    }
    writeln!(out, "{}, {}, per CPU-second of one core", speeds.shape, speeds.instruction_set)?;
    for (what, speed) in [
        ("distinct results of rolls", speeds.results),
        ("evaluations from scratch", speeds.evaluations_from_scratch),
        ("evaluations, incremental", speeds.evaluations_incremental),
        ("self-play games", speeds.selfplay_games),
        ("positions learnt", speeds.learner_positions),
        ("games played and learnt", speeds.games_with_learning),
    ] {
        writeln!(out, "{what:<28} {speed:>14.0}")?;
    }
    for Times { ply, decisions, median, percentile_95 } in speeds.decisions {
        let what = format!("{ply}-ply decision, ms");
        writeln!(
            out,
            "{what:<28} {median:>14.2}  in the median, {percentile_95:.2} at the 95th percentile of {decisions}"
        )?;
    }
    Ok(())
}

/// A turn: a board and what a roll can make of it.
struct Rolled {
    board: Board,
    roll: Roll,
    afterstates: Vec<Board>,
    /// The afterstates as the other side sees them.
    flipped: Vec<Board>,
}

fn boards() -> Result<Vec<(Board, Roll)>, Failure> {
    POSITIONS
        .lines()
        .map(|line| {
            let position: Position = line.parse().map_err(|error| Failure::Io(anyhow::Error::new(error)))?;
            Ok((position.board, position.dice.unwrap_or(Roll::ALL[0])))
        })
        .collect()
}

fn turns(rules: Rules, boards: &[(Board, Roll)]) -> Vec<Rolled> {
    boards
        .iter()
        .map(|&(board, roll)| {
            let mut afterstates = Afterstates::default();
            generate(rules, &board, roll, &mut afterstates);
            let flipped = afterstates.boards.iter().map(Board::flip).collect();
            Rolled { board, roll, afterstates: afterstates.boards, flipped }
        })
        .collect()
}

/// All 36 throws from each board: a double once, other rolls twice.
fn count_results(rules: Rules, boards: &[(Board, Roll)]) -> u64 {
    let mut afterstates = Afterstates::default();
    let mut results = 0;
    for (board, _) in boards {
        for throw in 0..36 {
            afterstates.boards.clear();
            generate(rules, board, Roll::from_uniform(throw), &mut afterstates);
            results += black_box(&afterstates).boards.len() as u64;
        }
    }
    results
}

fn evaluate_from_scratch(evaluator: &Evaluator, turns: &[Rolled]) -> u64 {
    let mut evaluations = Evaluations::default();
    turns.iter().fold(0, |count, turn| {
        evaluator.evaluate_all(&turn.flipped, &mut evaluations);
        count + black_box(&evaluations).outcomes().len() as u64
    })
}

fn evaluate_incrementally(evaluator: &Evaluator, turns: &[Rolled]) -> u64 {
    let mut evaluations = Evaluations::default();
    turns.iter().fold(0, |count, turn| {
        evaluator.evaluate_afterstates(&turn.board, &turn.afterstates, &mut evaluations);
        count + black_box(&evaluations).outcomes().len() as u64
    })
}

/// What decisions take for so many CPU-seconds.
fn times(rules: Rules, ply: Ply, weights: &Weights, turns: &[Rolled], seconds: f64) -> Times {
    let player = Search::new(NetPlayer::new(weights), ply);
    let mut workspace = Workspace::default();
    let mut times = Vec::new();
    let mut spent = 0.0;
    let decisions = turns.iter().filter(|turn| turn.afterstates.len() > 1);
    for Rolled { board, roll, afterstates, .. } in decisions {
        if spent >= seconds && times.len() >= LEAST_DECISIONS {
            break;
        }
        let chance = Chance { seed: 1, pair: 0, ply: 0 };
        let turn = Turn { rules, board, roll: *roll, afterstates, chance };
        let start = cpu_time();
        black_box(player.choose(&turn, &mut workspace));
        let time = (cpu_time() - start).as_secs_f64();
        spent += time;
        times.push(1000.0 * time);
    }
    times.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| times.get((share * times.len() as f64) as usize).copied().unwrap_or_default();
    Times { ply: ply.number(), decisions: times.len(), median: at(0.5), percentile_95: at(0.95) }
}

fn learn(learner: &mut Learner, samples: &[Sample]) -> u64 {
    for batch in samples.chunks(256) {
        learner.update(&Batch::of(batch, Inputs::All), 1e-5);
    }
    samples.len() as u64
}

/// How much of something a function does in a CPU-second of this thread, after one call to warm up.
fn per_second(seconds: f64, mut work: impl FnMut() -> u64) -> f64 {
    work();
    let start = cpu_time();
    let mut done = 0;
    loop {
        done += work();
        let spent = (cpu_time() - start).as_secs_f64();
        if spent >= seconds {
            return done as f64 / spent;
        }
    }
}

/// CPU time of this thread.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Wall time, where the time of a thread is not to be had.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
