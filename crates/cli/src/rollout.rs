use std::io::Write;
use std::sync::atomic::Ordering;

use mahbusa_arena::{Budget, RolledOut, Rollout};
use mahbusa_players::{NetPlayer, Search, Workspace};
use mahbusa_rules::{Board, Ending, Position, PositionPlay};
use serde::Serialize;

use crate::args::RolloutArgs;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::model;
use crate::progress::Progress;
use crate::words::counted;

/// What was measured, for programs.
#[derive(Serialize)]
struct Report {
    position: String,
    /// How many plies the players looked ahead.
    ply: u8,
    seed: u64,
    /// Plies until the net's value stood for the rest; null means that all was played to the end.
    truncate: Option<u32>,
    /// Games played out of each play, or of the position.
    games: u64,
    /// For a position without dice.
    #[serde(flatten)]
    value: Option<Measured>,
    /// For a position with dice, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    plays: Option<Vec<Candidate>>,
}

/// A play that was rolled out, for the side that plays it.
#[derive(Serialize)]
struct Candidate {
    play: String,
    position: String,
    /// Of the side that played, if that ended the game, else null.
    points: Option<i8>,
    #[serde(flatten)]
    value: Measured,
    difference: Difference,
}

/// What the games showed.
#[derive(Serialize)]
struct Measured {
    outcomes: [f64; 5],
    equity: f64,
    /// Standard error of the equity.
    error: f64,
}

/// What a play is worth less than the best one.
#[derive(Serialize)]
struct Difference {
    equity: f64,
    /// Standard error of the difference.
    error: f64,
}

impl From<&RolledOut> for Measured {
    fn from(rolled: &RolledOut) -> Measured {
        Measured { outcomes: rolled.outcomes(), equity: rolled.equity(), error: rolled.error() }
    }
}

/// `mahbusa rollout`.
pub fn rollout(args: &RolloutArgs) -> Result<(), Failure> {
    let position: Position =
        args.position.parse().map_err(|error| Failure::usage(format!("position {}: {error}", args.position)))?;
    if let Some(ending) = position.ending() {
        return Err(Failure::usage(format!(
            "position {position}: the game is over, {} points for the side that played last",
            ending.points()
        )));
    }
    let net = model::load(model::or_released(args.model.as_deref(), position.rules))?;
    model::check_rules(net.rules, position.rules, args.force_rules).map_err(Failure::usage)?;
    let player = Search::new(model::player(&net), args.ply);
    let pool = args.workers.pool()?;
    let flag = interrupted("finishing the games that have begun");

    let plays = best_plays(&position, player.net(), usize::from(args.candidates));
    let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
    let rollout =
        Rollout { rules: position.rules, player: &player, seed: args.chance.seed, truncate: args.truncate.plies() };
    let budget = Budget { trials: args.games, max_error: args.max_error };
    let progress = Progress::new(budget.most() * plays.len().max(1) as u64, args.progress.quiet);
    progress.stage("rolling out");
    let finished = || progress.advance(1);
    let (rolled, value) = pool.install(|| match position.dice {
        Some(_) => (rollout.plays(&afterstates, budget, flag, finished), None),
        None => (Vec::new(), Some(rollout.position(&position.board, budget, flag, finished))),
    });
    progress.finish();

    let games = rolled.first().or(value.as_ref()).map_or(0, RolledOut::trials);
    let report = Report {
        position: position.to_string(),
        ply: args.ply.number(),
        seed: args.chance.seed,
        truncate: rollout.truncate.map(Into::into),
        games,
        value: value.as_ref().map(Measured::from),
        plays: position.dice.map(|_| ranked(&plays, &rolled)),
    };
    print(&report, args.answer.json)?;
    if flag.load(Ordering::Relaxed) && games < args.games {
        return Err(Failure::Interrupted);
    }
    Ok(())
}

/// The plays that the net likes best, so many at most; none without dice.
fn best_plays(position: &Position, player: &NetPlayer, count: usize) -> Vec<PositionPlay> {
    let plays = position.plays();
    let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
    let mut workspace = Workspace::default();
    let equities = player
        .rate(position.rules, &position.board, &afterstates, &mut workspace)
        .map(|(outcomes, _)| outcomes.equity());
    let mut rated: Vec<(PositionPlay, f32)> = plays.into_iter().zip(equities).collect();
    // Stable: plays of equal equity stay in wire order.
    rated.sort_by(|a, b| b.1.total_cmp(&a.1));
    rated.truncate(count);
    rated.into_iter().map(|(play, _)| play).collect()
}

/// The plays by what they turned out to be worth.
fn ranked(plays: &[PositionPlay], rolled: &[RolledOut]) -> Vec<Candidate> {
    let mut order: Vec<_> = plays.iter().zip(rolled).collect();
    order.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
    let Some(&(_, best)) = order.first() else {
        return Vec::new();
    };
    order
        .into_iter()
        .map(|(play, rolled)| Candidate {
            play: play.play.to_string(),
            position: play.position.to_string(),
            points: play.ending.map(Ending::points),
            value: rolled.into(),
            difference: Difference { equity: rolled.equity() - best.equity(), error: rolled.error_of_difference(best) },
        })
        .collect()
}

fn print(report: &Report, as_json: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    if as_json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
        return Ok(());
    }
    let length = match report.truncate {
        Some(plies) => format!("cut after {plies} plies"),
        None => "to the end".to_owned(),
    };
    let players = if report.ply == 1 { String::new() } else { format!("{}-ply players, ", report.ply) };
    writeln!(out, "{}\n{} games each, {players}{length}, seed {}", report.position, report.games, report.seed)?;
    let outcomes = "  lose 2  lose 1    draw   win 1   win 2";
    if let Some(value) = &report.value {
        writeln!(out, "   equity +- error  {outcomes}\n{}  {}", equity(value), percent(value))?;
    }
    let Some(plays) = &report.plays else { return Ok(()) };
    writeln!(out, "  play                        equity +- error   behind +- error  {outcomes}")?;
    for play in plays {
        let behind = format!("{:>8.4} +-{:.4}", play.difference.equity.abs(), play.difference.error);
        let ends = play.points.map_or(String::new(), |points| format!("  ends the game: {}", counted(points, "point")));
        writeln!(out, "  {:<24} {}  {behind}  {}{ends}", play.play, equity(&play.value), percent(&play.value))?;
    }
    Ok(())
}

fn equity(value: &Measured) -> String {
    format!("{:>+8.4} +-{:.4}", value.equity, value.error)
}

fn percent(value: &Measured) -> String {
    value.outcomes.iter().map(|p| format!("{:>7.2}%", 100.0 * p)).collect()
}
