//! `mahbusa analyze-game`.

use std::io::{self, Write};

use mahbusa_players::Ply;
use mahbusa_rules::Side;
use mahbusa_transcript::{Analysis, Grade, Head, Judge, JudgedTurn, SideTotals, Transcript, analyze, read};
use serde::Serialize;

use crate::args::AnalyzeGameArgs;
use crate::failure::Failure;
use crate::model;
use crate::progress::Progress;
use crate::stderr::say;
use crate::words::counted;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    rules: String,
    length: u16,
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<u64>,
    judge: String,
    ply: u8,
    players: [&'a str; 2],
    #[serde(flatten)]
    analysis: &'a Analysis,
}

/// `mahbusa analyze-game`.
pub fn analyze_game(args: &AnalyzeGameArgs) -> Result<(), Failure> {
    let transcript = read(&args.file)?;
    let head = transcript.head();
    let seats = [&head.white, &head.black].into_iter().filter_map(|seat| seat.net.as_ref());
    let of_match = seats.filter_map(|seat| Some((seat, seat.model.as_deref()?))).next();
    let name = model::or_released(args.model.as_deref().or(of_match.map(|(_, name)| name)), head.rules);
    let found = model::find(name)?;
    if let Some((seat, _)) = of_match.filter(|_| args.model.is_none())
        && model::net_of_seat(&found, seat, None).is_none()
    {
        say(&format!(
            "{name} is another net now than the one that played: it judges as {}, the match was played by {}; --model MODEL names another",
            found.net.hash(),
            seat.sha256
        ));
    }
    let net = found.net;
    model::check_rules(net.rules, head.rules, args.force_rules).map_err(Failure::usage)?;
    let mut judge = Judge::new(model::player(&net), args.ply, head.rules);
    let turns = transcript.games().iter().map(|game| game.turns.len() as u64).sum();
    // At two plies it takes a second or less.
    let progress = Progress::counting("turns", turns, args.progress.quiet || args.ply < Ply::Three);
    progress.stage("judging");
    let analysis = analyze(&transcript, &mut judge, || progress.advance(1));
    progress.finish();
    let mut out = io::stdout().lock();
    if args.answer.json {
        let answer = Answer {
            file: args.file.display().to_string(),
            rules: head.rules.to_string(),
            length: head.length,
            seed: head.dice.seed(),
            pair: head.dice.pair(),
            judge: net.hash(),
            ply: args.ply.number(),
            players: [&head.white.name, &head.black.name],
            analysis: &analysis,
        };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        return Ok(());
    }
    write!(out, "{}", turns_text(&transcript, &analysis))?;
    write!(out, "\n{}", totals_text(head, &analysis))?;
    write!(out, "{}", worst_text(&analysis, args.worst))?;
    Ok(())
}

const HEAD: &str = "turn side     played               best                   lost    luck";

/// Every turn of every game.
fn turns_text(transcript: &Transcript, analysis: &Analysis) -> String {
    let head = transcript.head();
    let mut text = format!(
        "{}, White: {}, Black: {}; lost and luck in millipoints\n",
        head.rules, head.white.name, head.black.name
    );
    for game in transcript.games() {
        let score = match head.length {
            0 => String::new(),
            length => format!(", {}-{} of {length}", game.score.of(Side::White), game.score.of(Side::Black)),
        };
        text += &format!("\ngame {}{score}\n{HEAD}\n", game.number);
        for turn in analysis.turns.iter().filter(|turn| turn.game == game.number) {
            text += &format!("{}\n", row(turn));
        }
        if let Some(end) = game.end {
            text += &match end.winner {
                Some(winner) => format!("{winner} wins, points: {}\n", end.points),
                None => "nobody wins\n".to_owned(),
            };
        }
    }
    text
}

fn row(turn: &JudgedTurn) -> String {
    let side = turn.side;
    let dice = dice(turn);
    let best = if turn.lost > 0.0 { turn.position.display(turn.best) } else { String::new() };
    let grade = match turn.grade {
        Grade::Fine => "",
        Grade::Doubtful => " doubtful",
        Grade::Mistake => " mistake",
        Grade::Blunder => " BLUNDER",
    };
    let lost = if turn.choices > 1 { format!("{:.1}", 1000.0 * turn.lost) } else { "forced".to_owned() };
    format!(
        "{:>4} {side} {dice} {:<20} {best:<20} {lost:>6} {:>+7.1}{grade}",
        turn.turn,
        turn.position.display(turn.played),
        1000.0 * turn.luck
    )
}

/// The dice of a turn.
fn dice(turn: &JudgedTurn) -> String {
    turn.position.dice.map_or_else(String::new, |dice| dice.to_string())
}

/// The sums of both sides.
fn totals_text(head: &Head, analysis: &Analysis) -> String {
    let Analysis { white, black, .. } = analysis;
    let mut text = format!("{:<34} {:>16} {:>16}\n", "", "White", "Black");
    text += &format!("{:<34} {:>16} {:>16}\n", "", cut(&head.white.name), cut(&head.black.name));
    let mut line = |what: &str, of: &dyn Fn(&SideTotals) -> Option<String>| {
        let shown = |totals| of(totals).unwrap_or_else(|| "-".to_owned());
        text += format!("{what:<34} {:>16} {:>16}", shown(white), shown(black)).trim_end();
        text.push('\n');
    };
    line("turns", &|of| Some(of.turns.to_string()));
    line("decisions", &|of| Some(of.decisions.to_string()));
    line("the best play", &|of| {
        (of.decisions > 0).then(|| format!("{:.1} %", 100.0 * f64::from(of.best) / f64::from(of.decisions)))
    });
    line("error rate, millipoints a decision", &|of| of.error_rate.map(|rate| format!("{rate:.1}")));
    line("lost by errors, points", &|of| Some(format!("{:.3}", of.lost)));
    for (grade, least) in Grade::THRESHOLDS {
        let name = match grade {
            Grade::Fine | Grade::Doubtful => "doubtful",
            Grade::Mistake => "mistakes",
            Grade::Blunder => "blunders",
        };
        line(&format!("{name}, from {:.0} millipoints", 1000.0 * least), &|of| Some(of.graded(grade).to_string()));
    }
    line("luck of the dice, points", &|of| Some(format!("{:+.3}", of.luck)));
    if white.match_luck.is_some() {
        line("lost of the match by errors", &|of| of.match_lost.map(|lost| format!("{:.2} %", 100.0 * lost)));
        line("luck in the match", &|of| of.match_luck.map(|luck| format!("{:+.2} %", 100.0 * luck)));
    }
    if let Some(score) = analysis.score {
        let both = |white: f64| {
            if score.of_match {
                [white, 1.0 - white].map(|of| format!("{:.1} %", 100.0 * of))
            } else {
                [white, -white].map(|of| format!("{of:+.3}"))
            }
        };
        let what = if score.of_match { "match" } else { "points" };
        for (name, value) in [("result", score.result), ("result without luck", score.without_luck)] {
            let [white, black] = both(value);
            text += &format!("{:<34} {white:>16} {black:>16}\n", format!("{name}, {what}"));
        }
    }
    if analysis.taken_back > 0 {
        let were = if analysis.taken_back == 1 { "was taken back and is" } else { "were taken back and are" };
        text += &format!("{} {were} not counted\n", counted(u64::from(analysis.taken_back), "turn"));
    }
    text
}

/// What fits of a name into a column.
fn cut(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() > 16 { letters[..13].iter().collect::<String>() + "..." } else { name.to_owned() }
}

/// The plays that lost most.
fn worst_text(analysis: &Analysis, most: usize) -> String {
    let mut worst: Vec<&JudgedTurn> = analysis.turns.iter().filter(|turn| turn.lost > 0.0).collect();
    // Stable: of equal ones the earlier.
    worst.sort_by(|a, b| b.lost.total_cmp(&a.lost));
    worst.truncate(most);
    if worst.is_empty() {
        return String::new();
    }
    let mut text = "\nthe worst plays, millipoints lost\n".to_owned();
    for turn in worst {
        let JudgedTurn { game, turn: number, side, position, played, best, .. } = turn;
        let [played, best] = [played, best].map(|play| position.display(*play));
        let lost = 1000.0 * turn.lost;
        text += &format!("{lost:>7.1}  game {game}, turn {number}: {side} {} {played}, better {best}\n", dice(turn));
        text += &format!("         {position}\n");
    }
    text
}
