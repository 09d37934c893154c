//! The book as a document for players, in Markdown.

use std::fmt::Write;

use mahbusa_arena::book::{Book, Opening, REPLIES_ROLLED_OUT, Reply, Valued};
use mahbusa_arena::facts::Summary;
use mahbusa_arena::{Estimate, Finish};
use mahbusa_rules::{Position, Roll, Rules};

use super::advice;
use super::report::Report;
use crate::words::wrapped_line;

/// Writes it.
pub fn write(book: &Book, report: &Report) -> String {
    let rules = book.header().rules;
    let sections = [
        head(rules, report),
        short(book, report),
        best(book),
        all_plays(book),
        report.facts.as_ref().map_or(String::new(), |facts| games(rules, facts, report)),
        advice::write(report),
        replies(book),
        method(book, report),
    ];
    let text = sections.into_iter().filter(|section| !section.is_empty()).collect::<Vec<_>>().join("\n");
    wrapped(text.trim_end())
}

/// Longer lines are broken, but for tables and blocks.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 140;
    let mut block = false;
    let line = |line: &str| {
        block ^= line.starts_with("```");
        match line {
            whole if block || whole.starts_with(['|', '#', '`']) => format!("{whole}\n"),
            item if item.starts_with("* ") => format!("{}\n", wrapped_line(item, WIDTH, "  ")),
            text => format!("{}\n", wrapped_line(text, WIDTH, "")),
        }
    };
    text.lines().map(line).collect()
}

/// What the game is called.
fn title(rules: Rules) -> String {
    let name = if rules.mother() { "Mahbusa (Plakoto)" } else { "Tapa" };
    if rules == Rules::MAHBUSA || rules == Rules::TAPA {
        return name.to_owned();
    }
    format!("{name}, {} checkers a side", rules.checkers())
}

fn head(rules: Rules, report: &Report) -> String {
    format!(
        "# {}: openings and facts\n\n\
         By the net `{}` (SHA-256 `{}`, {} games of self-play), which played both sides. This page is written by a command, seed and all:\n\n\
         ```sh\n{}\n```\n\n\
         **Equity** is the points a game that the side wins on average which makes the play, -2 to +2. What follows ± is one standard error: the truth, as \
         far as this net's own play is the truth, lies within two of them nineteen times of twenty. [How this was measured](#how-this-was-measured) says more.\n\n\
         **Plays** are written in the points of the side that plays, which starts on its 24-point: `24/18` is one step from 24 to 18, `24/23(4)` four equal \
         steps, `24/18 18/14` one checker with both dice. A pin is marked `~`. The rest is in docs/notation.md of the program.\n",
        title(rules),
        report.net.name,
        report.net.sha256,
        grouped(report.net.games),
        report.command,
    )
}

/// What matters most.
fn short(book: &Book, report: &Report) -> String {
    let mut lines = Vec::new();
    if let Some(facts) = &report.facts {
        lines.push(format!(
            "Moving first is worth {} points a game; the side that opens wins {} of decided games.",
            points(&facts.first_mover_points),
            percent(&facts.first_mover_wins)
        ));
        let mother = match book.header().rules.mother() {
            true => format!(" {} by the mother pinned,", share(facts.endings.mother.mean)),
            false => String::new(),
        };
        lines.push(format!(
            "Of all games {} end by mars,{mother} {} in a draw. A game lasts {:.1} plies (turns of both sides).",
            share(facts.endings.mars.mean),
            share(facts.endings.draw.mean),
            facts.plies.mean
        ));
    }
    let mut rolls: Vec<&Opening> = book.openings().iter().collect();
    rolls.sort_by(|a, b| equity_of(b).total_cmp(&equity_of(a)));
    if let (Some(best), Some(worst)) = (rolls.first(), rolls.last()) {
        lines.push(format!(
            "The best opening roll is {} ({}), the worst {} ({}).",
            dashed(best.roll),
            signed(equity_of(best)),
            dashed(worst.roll),
            signed(equity_of(worst))
        ));
    }
    lines.extend(together(book));
    lines.extend(advice::short(report));
    let lines: Vec<String> = lines.into_iter().map(|line| format!("* {line}\n")).collect();
    format!("## In short\n\n{}", lines.concat())
}

/// In how many rolls without doubles it is right to move two checkers.
fn together(book: &Book) -> Option<String> {
    let start = Position::start(book.header().rules);
    let corner = start.board.free()[23];
    let left = |opening: &Opening, play: &Valued| {
        let plays = start.with_dice(opening.roll).plays();
        let after = plays.iter().find(|candidate| candidate.play == play.play)?;
        Some(corner - after.position.board.flip().free()[23])
    };
    let rolls: Vec<&Opening> =
        book.openings().iter().filter(|opening| !opening.roll.is_double() && opening.plays.len() == 2).collect();
    let pairs = rolls.iter().filter(|opening| left(opening, &opening.plays[0]) == Some(2)).count();
    (!rolls.is_empty()).then(|| {
        format!(
            "Of the {} rolls that leave the choice, {pairs} are best played with two checkers, {} with one that takes both dice.",
            rolls.len(),
            rolls.len() - pairs
        )
    })
}

fn best(book: &Book) -> String {
    let mut text = String::from(
        "## The best play of each roll\n\n\
         *Behind* is what the runner-up loses against the best play; both were played out on the same dice, so that this is known better than either equity. \
         A `≈` marks what is too close to tell: less than two standard errors.\n\n\
         | roll | best play | equity | runner-up | behind |\n| --- | --- | --- | --- | --- |\n",
    );
    for opening in book.openings() {
        let position = Position::start(book.header().rules).with_dice(opening.roll);
        let Some(best) = opening.plays.first() else { continue };
        let (second, behind) = match opening.plays.get(1) {
            Some(second) => (code(&position, second), gap(second)),
            None => (String::from("(no other)"), String::new()),
        };
        let (play, equity) = (code(&position, best), measured(best));
        let _ = writeln!(text, "| {} | {play} | {equity} | {second} | {behind} |", dashed(opening.roll));
    }
    if let Some((equity, error)) = book.start() {
        let _ = writeln!(
            text,
            "\nOver all 36 throws, with the best play of each: {} ± {error:.4}, which is what moving first is worth by rollouts.",
            fine(equity)
        );
    }
    text
}

fn all_plays(book: &Book) -> String {
    let count: usize = book.openings().iter().map(|opening| opening.plays.len()).sum();
    let mut text = format!(
        "## All {count} opening plays\n\n\
         The chances of the five ways a game can end, for the side that made the play. Two points are won by mars{}.\n\n\
         | roll | play | equity | behind | win 2 | win 1 | draw | lose 1 | lose 2 | games |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        if book.header().rules.mother() { " or by pinning the mother" } else { "" }
    );
    for opening in book.openings() {
        let position = Position::start(book.header().rules).with_dice(opening.roll);
        for (number, play) in opening.plays.iter().enumerate() {
            let roll = if number == 0 { dashed(opening.roll) } else { String::new() };
            let behind = if number == 0 { String::new() } else { gap(play) };
            let [lose2, lose1, draw, win1, win2] = play.outcomes.map(share);
            let _ = writeln!(
                text,
                "| {roll} | {} | {} | {behind} | {win2} | {win1} | {draw} | {lose1} | {lose2} | {} |",
                code(&position, play),
                measured(play),
                grouped(opening.trials)
            );
        }
    }
    text
}

fn replies(book: &Book) -> String {
    if book.replies().is_empty() {
        return String::new();
    }
    let mut text = format!(
        "## The first replies\n\n\
         The best play of each opening roll, answered by each roll. Of the legal replies the {REPLIES_ROLLED_OUT} were rolled out that the net likes best two plies ahead. \
         Equities are those of the side that replies. `≈`: too close to tell.\n",
    );
    for opening in book.openings() {
        let answers: Vec<&Reply> = book.replies().iter().filter(|reply| reply.opening == opening.roll).collect();
        let (Some(after), Some(best)) = (book.after(opening), opening.plays.first()) else { continue };
        if answers.is_empty() {
            continue;
        }
        let start = Position::start(book.header().rules).with_dice(opening.roll);
        let _ = write!(
            text,
            "\n### After {}: {}\n\n`{after}`\n\n\
             | roll | best reply | equity | second | behind | third | behind |\n| --- | --- | --- | --- | --- | --- | --- |\n",
            dashed(opening.roll),
            start.display(best.play)
        );
        for reply in answers {
            let position = after.with_dice(reply.roll);
            let Some(best) = reply.plays.first() else { continue };
            let other = |place: usize| match reply.plays.get(place) {
                Some(play) => format!("{} | {}", code(&position, play), gap(play)),
                None => String::from(" | "),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} |",
                dashed(reply.roll),
                code(&position, best),
                measured(best),
                other(1),
                other(2)
            );
        }
    }
    text
}

fn games(rules: Rules, facts: &Summary, report: &Report) -> String {
    let mut text = format!(
        "## How games go\n\n\
         Counted in {} games of the net against itself, one ply deep, the end of the game exactly; brackets are 95 % intervals.\n\n\
         | | |\n| --- | --- |\n\
         | moving first is worth, points a game | {} |\n\
         | decided games won by the side that opens | {} |\n",
        grouped(facts.games),
        points(&facts.first_mover_points),
        percent(&facts.first_mover_wins)
    );
    if let Some(start) = &report.start {
        let _ = writeln!(
            text,
            "| the same by rollouts of all opening plays, points | {} ± {:.4} |",
            fine(start.equity),
            start.error
        );
    }
    let endings = &facts.endings;
    for (name, estimate) in [
        ("end by one point", &endings.single),
        ("by mars", &endings.mars),
        ("by pinning the mother", &endings.mother),
        ("in a draw", &endings.draw),
    ] {
        if name.contains("mother") && !rules.mother() {
            continue;
        }
        let _ = writeln!(text, "| {name} | {} |", percent(estimate));
    }
    let [short, median, long] = facts.plies_quantiles;
    let plies = &facts.plies;
    let _ = write!(
        text,
        "| plies a game (turns of both sides) | {:.2} [{:.2}, {:.2}] |\n\
         | one game of twenty is over after so many plies | {short} |\n\
         | half of all games | {median} |\n\
         | nineteen of twenty | {long} |\n\
         | the longest of all | {} |\n\
         | pins a game, both sides | {:.2} |\n\
         | passed turns a game, both sides | {:.2} |\n\
         | games in which somebody has to pass | {} |\n\n",
        plies.mean,
        plies.low,
        plies.high,
        facts.longest,
        facts.pins,
        facts.passes,
        share(facts.games_with_a_pass)
    );
    text += "| the side that opens | wins | loses |\n| --- | --- | --- |\n";
    for (name, win, lose) in [
        ("by one point", Finish::WinSingle, Finish::LoseSingle),
        ("by mars", Finish::WinMars, Finish::LoseMars),
        ("by the mother", Finish::WinMother, Finish::LoseMother),
    ] {
        if win == Finish::WinMother && !rules.mother() {
            continue;
        }
        let of = |finish: Finish| facts.first_mover.iter().find(|share| share.finish == finish);
        let cell = |finish| of(finish).map_or(String::new(), |found| share(found.share));
        let _ = writeln!(text, "| {name} | {} | {} |", cell(win), cell(lose));
    }
    text
}

fn method(book: &Book, report: &Report) -> String {
    let settings = &report.settings;
    let until = |cut: Option<_>| match cut {
        Some(plies) => format!("are cut after {plies} plies, when the net's opinion stands for the rest"),
        None => String::from("are played to the end"),
    };
    let player = match settings.ply {
        1 => String::from("the play that it likes best at a glance (1-ply)"),
        deeper => format!("the best play {deeper} plies ahead"),
    };
    let mut text = format!(
        "## How this was measured\n\n\
         **Rollouts.** Each play is played on many times by the net on both sides, which takes {player} and plays the end exactly. Before each roll all 21 are rated, and what \
         the one that fell is worth beyond the mean is taken off as luck; first throws are spread evenly. Plays of one roll meet the same dice, different rolls different ones. \
         Trials of opening plays {}; there are as many as bring the standard error of each equity down to {}. Those of replies {}; \
         their standard error is {}, if what the cut changes leaves room for that. \
         These are errors of chance: that the net does not play perfectly is not in them.\n",
        until(settings.opening_cut),
        settings.opening_error,
        until(settings.reply_cut),
        settings.reply_error
    );
    if settings.opening_cut.is_some() {
        text += "What cutting the trials of openings changes was not measured, and is not in the errors.\n";
    }
    if !report.cuts.is_empty() {
        text += "\n**Cutting trials short** puts the net's opinion in the place of the truth. What that changes was measured on all opening plays, whose trials went to the \
                 end and noted what they would have shown if they had been cut; all in millipoints, with standard errors.\n\n\
                 | cut after plies | mean of all plays | root of the mean square (square) | the same of differences between plays | standard deviation of a trial |\n| --- | --- | --- | --- | --- |\n";
        for bias in &report.cuts {
            let _ = writeln!(
                text,
                "| {} | {:+.1} ± {:.1} | {} | {} | {:.0} |",
                bias.plies,
                1e3 * bias.mean,
                1e3 * bias.error,
                root(bias.square, bias.square_error),
                root(bias.difference, bias.difference_error),
                1e3 * bias.deviation
            );
        }
        text += "\nThe squares are computed from products of the two halves of the trials, which share no dice, so that chance cancels out; they may come out below 0.";
        if let Some(bias) = book.reply_bias() {
            let _ = write!(
                text,
                " Replies are cut after {} plies; the standard errors of their equities, and of what they are behind by, contain these roots.",
                bias.plies
            );
        }
        text.push('\n');
    } else if settings.reply_cut.is_some() {
        text += "What cutting the trials of replies changes is not known either.\n";
    }
    if !report.advice.is_empty() {
        text += advice::METHOD;
    }
    text
}

/// The root of a mean square in millipoints, and the square with its error.
fn root(square: f64, error: f64) -> String {
    format!("{:.1} ({:+.0} ± {:.0})", 1e3 * square.max(0.0).sqrt(), 1e6 * square, 1e6 * error)
}

/// A play as people write it.
fn code(position: &Position, play: &Valued) -> String {
    format!("`{}`", position.display(play.play))
}

fn equity_of(opening: &Opening) -> f64 {
    opening.plays.first().map_or(0.0, |best| best.equity)
}

/// `6-4`.
fn dashed(roll: Roll) -> String {
    format!("{}-{}", roll.high(), roll.low())
}

fn measured(play: &Valued) -> String {
    format!("{} ± {:.3}", signed(play.equity), play.error)
}

/// What is too close to tell.
fn close(play: &Valued) -> &'static str {
    if play.behind < 2.0 * play.behind_error { "≈ " } else { "" }
}

fn gap(play: &Valued) -> String {
    format!("{}{:.3} ± {:.3}", close(play), play.behind, play.behind_error)
}

pub fn signed(points: f64) -> String {
    format!("{points:+.3}")
}

fn fine(points: f64) -> String {
    format!("{points:+.4}")
}

/// Points with their interval.
fn points(estimate: &Estimate) -> String {
    format!("{:+.3} [{:+.3}, {:+.3}]", estimate.mean, estimate.low, estimate.high)
}

/// A share with its interval, in percent.
pub fn percent(estimate: &Estimate) -> String {
    let Estimate { mean, low, high } = *estimate;
    // Rare things need more digits.
    let digits = if mean > 0.0 && mean < 0.01 { 3 } else { 1 };
    format!("{:.digits$} % [{:.digits$}, {:.digits$}]", 100.0 * mean, 100.0 * low, 100.0 * high)
}

fn share(share: f64) -> String {
    let digits = if share.abs() < 0.0095 { 2 } else { 1 };
    // No -0.00 %, which luck that was taken out can leave.
    let percent = 100.0 * if share.abs() < 0.000_05 { 0.0 } else { share };
    format!("{percent:.digits$} %")
}

/// `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
