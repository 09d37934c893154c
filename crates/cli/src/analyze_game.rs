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
use crate::terminal::columns;
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
    let of_match = [&head.white, &head.black].into_iter().find_map(|seat| seat.net.as_ref());
    let named = args.model.as_deref().or_else(|| of_match?.model.as_deref());
    let name = model::or_released(named, head.rules);
    let found = model::find(name)?;
    if let Some(seat) = of_match.filter(|_| args.model.is_none())
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
    let columns = columns(&io::stdout()).unwrap_or(WIDE);
    write!(out, "\n{}", totals_text(head, &analysis, columns))?;
    write!(out, "{}", worst_text(&analysis, args.worst))?;
    Ok(())
}

/// Columns of a table that goes to no terminal.
const WIDE: usize = 120;

/// Columns of what the rows of the sums are called.
const LABEL: usize = 34;

/// Columns of the sums of a side, at least.
const SUM: usize = 16;

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

/// The sums of both sides, in lines of so many columns if they are enough.
fn totals_text(head: &Head, analysis: &Analysis, columns: usize) -> String {
    let Analysis { white, black, .. } = analysis;
    let names = [head.white.name.as_str(), head.black.name.as_str()];
    let widths = room(names, columns.saturating_sub(LABEL + 2));
    let row = |what: &str, [white, black]: [&str; 2]| {
        let [of_white, of_black] = widths;
        format!("{what:<LABEL$} {white:>of_white$} {black:>of_black$}\n")
    };
    let mut text = row("", ["White", "Black"]);
    text += &row("", [&cut(names[0], widths[0]), &cut(names[1], widths[1])]);
    let mut line = |what: &str, of: &dyn Fn(&SideTotals) -> Option<String>| {
        let shown = |totals| of(totals).unwrap_or_else(|| "-".to_owned());
        text += &row(what, [&shown(white), &shown(black)]);
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
            text += &row(&format!("{name}, {what}"), [&white, &black]);
        }
    }
    if analysis.taken_back > 0 {
        let were = if analysis.taken_back == 1 { "was taken back and is" } else { "were taken back and are" };
        text += &format!("{} {were} not counted\n", counted(u64::from(analysis.taken_back), "turn"));
    }
    text
}

/// The widths of two columns, given what stands in them and the room for both: the longer gives way first, and neither is narrower than [`SUM`].
fn room(names: [&str; 2], both: usize) -> [usize; 2] {
    let [white, black] = names.map(|name| name.chars().count().clamp(SUM, WIDE));
    let half = (both / 2).max(SUM);
    match (white <= half, black <= half) {
        (true, _) => [white, black.min(both.saturating_sub(white).max(SUM))],
        (_, true) => [white.min(both.saturating_sub(black).max(SUM)), black],
        _ => [half, half],
    }
}

/// What fits of a name into a column, of [`SUM`] letters at least. What stands in brackets at its end, its level, stays.
fn cut(name: &str, width: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= width {
        return name.to_owned();
    }
    let level = name.rfind(" (").filter(|_| name.ends_with(')')).map_or("", |at| &name[at..]);
    let level = if level.chars().count() + 3 < width { level } else { "" };
    let kept = width.saturating_sub(3 + level.chars().count());
    format!("{}...{level}", letters[..kept].iter().collect::<String>())
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

#[cfg(test)]
mod tests {
    use super::{cut, room};

    #[test]
    fn names_have_the_room_that_there_is() {
        let named = |names: [&str; 2], columns| {
            let [white, black] = room(names, columns);
            [cut(names[0], white), cut(names[1], black)]
        };
        for whole in [["you", "mahbusa-1-small (level 3)"], ["mahbusa-1 (2-ply)", "mahbusa-1 (level 3)"]] {
            assert_eq!(named(whole, 44), whole);
        }
        let long = "a-net-of-a-long-name (level 3)";
        assert_eq!(named([long, "you"], 44), ["a-net-of-a-long... (level 3)", "you"].map(str::to_owned));
        assert_eq!(named(["quick", long], 0), ["quick", "a-n... (level 3)"]);
        assert_eq!(named([long, long], 44), ["a-net-of-... (level 3)"; 2]);
        assert_eq!(cut("a-net (as somebody calls it)", 16), "a-net (as som...");
        assert_eq!(
            cut(
                "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}x",
                16
            )
            .chars()
            .count(),
            16
        );
        assert_eq!(room(["", &"long".repeat(50_000)], usize::MAX)[1], super::WIDE);
    }
}
