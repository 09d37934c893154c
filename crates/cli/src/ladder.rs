use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use mahbusa_arena::{Contest, Estimate, Halt, Ladder, Pair, Record, Verdict, meetings_of};
use mahbusa_players::Ply;
use mahbusa_rules::Rules;
use mahbusa_train::{history_of_run, is_run};
use serde::Serialize;

use crate::args::LadderArgs;
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::meeting::Host;
use crate::model::{Contestant, Seated};
use crate::stderr::say;

/// The answer with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    rules: String,
    /// How many plies the nets look ahead.
    ply: u8,
    seed: u64,
    /// Games of each meeting.
    games: u64,
    /// Whose Elo is 0.
    reference: &'a str,
    players: Vec<PlayerReport<'a>>,
    meetings: Vec<MeetingReport<'a>>,
}

#[derive(Serialize)]
struct PlayerReport<'a> {
    player: &'a str,
    /// Self-play games that a net was trained on.
    #[serde(skip_serializing_if = "Option::is_none")]
    trained: Option<u64>,
    rank: usize,
    elo: Estimate,
    points_per_game: Estimate,
    win_rate: Estimate,
    above_next: Option<f64>,
}

#[derive(Serialize)]
struct MeetingReport<'a> {
    player: &'a str,
    opponent: &'a str,
    #[serde(flatten)]
    verdict: Verdict,
}

/// `mahbusa ladder`.
pub fn ladder(args: &LadderArgs) -> Result<(), Failure> {
    let found = contestants(&args.players)?;
    let of_nets = found.iter().find_map(|(_, contestant)| contestant.rules());
    let rules = args.game.rules.or(of_nets).unwrap_or(Rules::MAHBUSA);
    let (names, seated) = seats(found, rules, args)?;
    if seated.len() < 2 {
        return Err(Failure::usage(
            "a ladder needs two different players at least, such as: mahbusa ladder RUN heuristic td-200k",
        ));
    }
    let mut host = Host {
        pool: args.workers.pool()?,
        stop: interrupted("finishing the games in hand"),
        record: args.kept.save.as_deref().map(Record::open).transpose()?,
        quiet: args.progress.quiet,
    };

    let contests: Vec<(Contest<'_>, [&str; 2])> = meetings_of(seated.len())
        .map(|(a, b)| {
            let [player, opponent] = [a, b].map(|index| seated[index].player.as_ref());
            let ids = [a, b].map(|index| seated[index].id.as_str());
            (Contest { rules, player, opponent, seed: args.chance.seed }, ids)
        })
        .collect();
    let stage = format!("{} players", seated.len());
    let played = host.play_all(&contests, args.games / 2, &stage, |_, _| ControlFlow::Continue(()));
    let (pairs, halt, failed) = played.told();

    let played: Vec<&[Pair]> = pairs.iter().map(Vec::as_slice).collect();
    let reference = names.iter().position(|name| name == "heuristic").unwrap_or(0);
    let Some(ladder) = host.pool.install(|| Ladder::of(names.len(), &played, reference, args.chance.seed)) else {
        // Only an interrupt can leave a meeting without a pair.
        say("interrupted before everybody had met everybody");
        return Err(failed.unwrap_or(Failure::Interrupted));
    };
    let mut out = std::io::stdout().lock();
    if args.answer.json {
        let report = report(args, rules, &names, &seated, &ladder, &played);
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        let games = 2 * ladder.pairs;
        let nets = if args.ply == Ply::One { String::new() } else { format!("{}-ply nets, ", args.ply) };
        writeln!(
            out,
            "{rules}, {nets}{games} games a meeting, seed {}, Elo of {} = 0",
            args.chance.seed, names[reference]
        )?;
        write!(out, "{}", table(&names, &ladder, args.in_order))?;
    }
    match halt {
        Halt::Stopped => Err(failed.unwrap_or(Failure::Interrupted)),
        Halt::Complete | Halt::Decided => Ok(()),
    }
}

/// Who takes part, by name; a run folder stands for all nets that it has kept.
fn contestants(names: &[String]) -> Result<Vec<(String, Contestant)>, Failure> {
    let mut found = Vec::new();
    for name in names {
        if is_run(Path::new(name)) {
            let nets = history_of_run(Path::new(name))?;
            let run = name.trim_end_matches('/');
            found.extend(nets.into_iter().map(|net| (format!("{run}@{}", net.games), Contestant::Net(net))));
        } else {
            found.push((name.clone(), Contestant::find(name)?));
        }
    }
    Ok(found)
}

/// Lets them sit down; who plays exactly like one before is left out.
fn seats(
    found: Vec<(String, Contestant)>,
    rules: Rules,
    args: &LadderArgs,
) -> Result<(Vec<String>, Vec<Seated>), Failure> {
    let mut known = HashSet::new();
    let (mut names, mut seated) = (Vec::new(), Vec::new());
    for (name, contestant) in found {
        let ply = if matches!(contestant, Contestant::Net(_)) { args.ply } else { Ply::One };
        let seat = contestant.seated(&name, rules, args.game.force_rules, ply)?;
        if known.insert(seat.id.clone()) {
            names.push(name);
            seated.push(seat);
        }
    }
    Ok((names, seated))
}

fn report<'a>(
    args: &LadderArgs,
    rules: Rules,
    names: &'a [String],
    seated: &[Seated],
    ladder: &Ladder,
    played: &[&[Pair]],
) -> Report<'a> {
    let players = names.iter().zip(seated).zip(&ladder.rungs).map(|((player, seat), rung)| PlayerReport {
        player,
        trained: seat.games,
        rank: rung.rank,
        elo: rung.elo,
        points_per_game: rung.points_per_game,
        win_rate: rung.win_rate,
        above_next: rung.above_next,
    });
    let meetings = meetings_of(names.len()).zip(played).map(|((player, opponent), pairs)| MeetingReport {
        player: &names[player],
        opponent: &names[opponent],
        verdict: Verdict::of(&pairs[..ladder.pairs as usize]),
    });
    Report {
        rules: rules.to_string(),
        ply: args.ply.number(),
        seed: args.chance.seed,
        games: 2 * ladder.pairs,
        reference: &names[ladder.reference],
        players: players.collect(),
        meetings: meetings.collect(),
    }
}

/// A row a player.
fn table(names: &[String], ladder: &Ladder, in_order: bool) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut rows: Vec<_> = names.iter().zip(&ladder.rungs).collect();
    if !in_order {
        rows.sort_by_key(|(_, rung)| rung.rank);
    }
    let mut text =
        format!("rank  {:width$}   Elo [95 %]           points a game [95 %]       wins    above the next\n", "player");
    for (name, rung) in rows {
        let elo = if rung.elo.low == rung.elo.high {
            format!("{:>5.0}", rung.elo.mean)
        } else if rung.elo.low.is_infinite() {
            format!("{:+5.0} [too few games]", rung.elo.mean)
        } else {
            format!("{:+5.0} [{:+.0} .. {:+.0}]", rung.elo.mean, rung.elo.low, rung.elo.high)
        };
        let points = &rung.points_per_game;
        let points = format!("{:+.3} [{:+.3} .. {:+.3}]", points.mean, points.low, points.high);
        let above = rung.above_next.map_or(String::new(), |share| format!("   {:5.1} %", 100.0 * share));
        let row = format!(
            "{:>4}  {name:width$}  {elo:<22} {points:<25} {:5.1} %{above}",
            rung.rank,
            100.0 * rung.win_rate.mean
        );
        text += row.trim_end();
        text.push('\n');
    }
    text
}
