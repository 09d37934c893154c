//! What is known for certain, and nets held against it.

use std::io::Write;
use std::time::Instant;

use mahbusa_arena::{Accuracy, LostPerGame, Truth, bear_off_sample, bear_off_truth, truth};
use mahbusa_exact::{BearOff, Cache, Cached, Origin, Placements, RaceError, Solution, TwoSided};
use mahbusa_net::{NetFile, Outcomes};
use mahbusa_players::NetPlayer;
use mahbusa_rules::{Board, Outcome, Position, Rules};
use mahbusa_selfplay::{GameSource, SelfPlay};
use serde::Serialize;

use crate::analyze::{known, table_of_one};
use crate::args::{EvaluateArgs, Solvable, SolveArgs};
use crate::failure::Failure;
use crate::interrupt::ends_at_once;
use crate::model;
use crate::progress::Progress;
use crate::stderr::say;
use crate::stream::{Value, answer};

/// `mahbusa solve`.
pub fn solve(args: &SolveArgs) -> Result<(), Failure> {
    ends_at_once();
    match args.what {
        Solvable::Game(rules) => solve_game(rules, args),
        Solvable::BearOff => solve_bear_off(args),
    }
}

#[derive(Serialize)]
struct SolvedGame {
    rules: String,
    placements: usize,
    /// What the start is worth to the side that rolls first.
    #[serde(flatten)]
    start: Value,
    seconds: f64,
}

fn solve_game(rules: Rules, args: &SolveArgs) -> Result<(), Failure> {
    let placements = placements(rules)?;
    let started = Instant::now();
    let solution = solution(placements, args.progress.quiet).table;
    let worth = |board: &Board| solution.outcomes()[solution.placements().number(board)];
    if !args.query.is_empty() {
        return answer(&args.query, args.answer.json, |position| {
            if position.rules != rules {
                return Err(format!("the position is one of {}, the game that was solved is {rules}", position.rules));
            }
            known(position, worth)
        });
    }
    let start = worth(&Board::start(rules));
    let solved = SolvedGame {
        rules: rules.to_string(),
        placements: solution.placements().len(),
        start: Value::of(start),
        seconds: started.elapsed().as_secs_f64(),
    };
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        writeln!(out, "{}", serde_json::to_string(&solved)?)?;
        return Ok(());
    }
    writeln!(out, "{rules}: {} placements, {:.1} s", thousands(solved.placements as u64), solved.seconds)?;
    writeln!(out, "the start, for the side that rolls first:\n{}", table_of_one(&start))?;
    Ok(())
}

#[derive(Serialize)]
struct SolvedBearOff {
    two_sided_pairs: usize,
    two_sided_checkers: usize,
    /// How far the one-sided table is from the two-sided one.
    one_sided_error: RaceError,
    seconds: f64,
}

fn solve_bear_off(args: &SolveArgs) -> Result<(), Failure> {
    let started = Instant::now();
    let table = bear_off(args.progress.quiet);
    let seconds = started.elapsed().as_secs_f64();
    if !args.query.is_empty() {
        return answer(&args.query, args.answer.json, |position: &Position| {
            if !BearOff::covers(&position.board) {
                return Err(format!("position {position}: expected all checkers of both sides at home or off"));
            }
            // All that a play leads to from here is covered too.
            known(position, |board| table.outcomes(board).unwrap_or_else(|| Outcomes::certain(Outcome::Draw)))
        });
    }
    let error = table.one_sided.error(&table.two_sided);
    let solved = SolvedBearOff {
        two_sided_pairs: TwoSided::layouts().pow(2),
        two_sided_checkers: TwoSided::MOST_CHECKERS,
        one_sided_error: error,
        seconds,
    };
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        writeln!(out, "{}", serde_json::to_string(&solved)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "bear-off: up to {} checkers a side exactly, {} pairs of layouts; {:.1} s\n\
         more checkers, or mars still open: each side bears off in the fewest expected rolls; over the {} pairs where\n\
         the truth is known that errs by {:.4} points on the mean, and by {:.4} at most",
        solved.two_sided_checkers,
        thousands(solved.two_sided_pairs as u64),
        seconds,
        thousands(error.pairs),
        error.mean,
        error.largest,
    )?;
    Ok(())
}

/// The placements of a game that can be solved.
fn placements(rules: Rules) -> Result<Placements, Failure> {
    Placements::new(rules).ok_or_else(|| {
        Failure::usage(format!(
            "{rules}: expected at most {} checkers a side, such as {}",
            Placements::MOST_CHECKERS,
            rules.with_checkers(Placements::MOST_CHECKERS).map_or(String::new(), |rules| rules.to_string()),
        ))
    })
}

/// A solved game, from the cache or computed now.
fn solution(placements: Placements, quiet: bool) -> Cached<Solution> {
    let progress = Progress::counting("placements", placements.len() as u64, quiet);
    progress.stage(&format!("solving {}", placements.rules()));
    let cached = Cache::of_user().solution(placements, |more| progress.advance(more as u64));
    progress.finish();
    tell_origin(&cached.origin, quiet);
    cached
}

/// The bear-off table, from the cache or computed now.
fn bear_off(quiet: bool) -> BearOff {
    let cached = Cache::of_user().bear_off();
    tell_origin(&cached.origin, quiet);
    cached.table
}

fn tell_origin(origin: &Origin, quiet: bool) {
    let size = |bytes: &u64| match bytes {
        ..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    };
    match origin {
        Origin::Lost(error) => say(&format!("the table could not be kept: {error}")),
        _ if quiet => {}
        Origin::File(path, bytes) => say(&format!("read {} ({})", path.display(), size(bytes))),
        Origin::Computed(path, bytes) => say(&format!("kept in {} ({})", path.display(), size(bytes))),
        Origin::Repaired(path, bytes) => {
            say(&format!(
                "made again, since the file was damaged or of another version: {} ({})",
                path.display(),
                size(bytes)
            ));
        }
    }
}

/// A net against what is known.
#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    rules: String,
    seed: u64,
    /// Positions of the two-sided table, all pairs of layouts equally likely.
    bear_off: Accuracy,
    /// Positions of the table as they come up in self-play of the net.
    bear_off_in_games: Accuracy,
    /// The whole game, if it is small enough.
    game: Option<Truth>,
}

/// Positions looked at where not all of them are.
const SAMPLE: u64 = 100_000;
/// Self-play games that bear-off positions are taken from.
const GAMES: u64 = 2_000;

/// `mahbusa evaluate --exact`.
pub fn evaluate_exactly(args: &EvaluateArgs) -> Result<(), Failure> {
    let net = model::load(&args.model)?;
    let player = NetPlayer::new(&net.weights);
    ends_at_once();
    let table = bear_off(args.progress.quiet);
    if !args.progress.quiet {
        say(&format!("playing {GAMES} games to see which ends come up"));
    }
    let sample = bear_off_sample(net.rules, SAMPLE as usize, args.chance.seed);
    let in_games = bear_off_positions(&net, &table.two_sided, args.chance.seed);
    let game = match Placements::new(net.rules) {
        Some(placements) => {
            let solution = solution(placements, args.progress.quiet).table;
            let progress = Progress::counting("placements", solution.placements().len() as u64, args.progress.quiet);
            progress.stage("net against the truth");
            let truth = truth(&solution, &player, SAMPLE, args.chance.seed, |more| progress.advance(more as u64));
            progress.finish();
            Some(truth)
        }
        None => None,
    };
    let report = Report {
        model: &args.model,
        rules: net.rules.to_string(),
        seed: args.chance.seed,
        bear_off: bear_off_truth(&table.two_sided, net.rules, &player, &sample),
        bear_off_in_games: bear_off_truth(&table.two_sided, net.rules, &player, &in_games),
        game,
    };
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    writeln!(out, "{}: {}, against exact play, seed {}", args.model, report.rules, args.chance.seed)?;
    describe(&mut out, "bear-off, sample of all layouts", &report.bear_off)?;
    describe(&mut out, "bear-off, as games go", &report.bear_off_in_games)?;
    if let Some(game) = &report.game {
        describe(&mut out, "whole game, weighted by the chance that best play comes there", &game.weighted)?;
        describe(&mut out, "whole game, all that best play can reach", &game.reachable)?;
        describe(&mut out, "whole game, sample of the rest", &game.others)?;
        // What is nothing but rounding is nothing.
        let LostPerGame { opening, replying, mean } = game.lost_per_game;
        let [opening, replying, mean] =
            [opening, replying, mean].map(|lost| if lost.abs() < 5e-6 { 0.0 } else { lost });
        writeln!(
            out,
            "\nlost per game against the perfect player: {mean:.5} points (opening {opening:.5}, replying {replying:.5})"
        )?;
    }
    Ok(())
}

/// All positions of the two-sided table that come up in self-play.
fn bear_off_positions(net: &NetFile, table: &TwoSided, seed: u64) -> Vec<Board> {
    let games = SelfPlay { rules: net.rules, seed, endings: None }.games(&net.weights, 0..GAMES);
    games
        .iter()
        .flat_map(|game| &game.turns)
        .map(|turn| turn.board)
        .filter(|board| table.outcomes(board).is_some())
        .collect()
}

fn describe(out: &mut impl Write, what: &str, accuracy: &Accuracy) -> std::io::Result<()> {
    if accuracy.positions == 0 {
        return writeln!(out, "\n{what}: there is no such position");
    }
    writeln!(out, "\n{what}: {} positions", thousands(accuracy.positions))?;
    writeln!(
        out,
        "  equity: mean error {:.5}, largest {:.4}; lost per turn {:.6} points",
        accuracy.mean_error, accuracy.largest_error, accuracy.lost_per_turn
    )?;
    writeln!(out, "             lose 2   lose 1     draw    win 1    win 2")?;
    let cells = |of: fn(&mahbusa_arena::Calibration) -> f64| -> String {
        accuracy.outcomes.iter().map(|outcome| format!(" {:>7.3}%", 100.0 * of(outcome))).collect()
    };
    writeln!(out, "  net      {}", cells(|outcome| outcome.predicted))?;
    writeln!(out, "  truth    {}", cells(|outcome| outcome.exact))?;
    writeln!(out, "  error    {}", cells(|outcome| outcome.mean_error))
}

/// A number with its thousands set apart.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
