//! The traditional advice in words.

use std::fmt::Write;

use mahbusa_arena::advice::{Advice, Row, Verdict};
use mahbusa_arena::{Estimate, Phase};

use super::document::{grouped, signed};
use super::report::{AdviceReport, Report};

/// Fewer turns say nothing.
const FEW: u64 = 30;

/// What the advice says.
fn said(advice: Advice) -> &'static str {
    match advice {
        Advice::Pairs => "Leave the corner in pairs",
        Advice::FarPin => "Pin as far from their home as you can",
        Advice::Pin => "Pin whenever you can",
        Advice::Row => "Build points in a row in front of their checkers",
        Advice::Guard => "Guard the last checker in the corner",
    }
}

/// What is compared.
fn asked(advice: Advice) -> &'static str {
    match advice {
        Advice::Pairs => {
            "Turns in which two checkers can leave the start (the corner), or one alone. Follows: exactly two leave it. Against: exactly one does."
        }
        Advice::FarPin => {
            "Turns in which different checkers can be pinned. Follows: pins the one that is farthest from their home. Against: pins others only. \
             A pin is one that stands at the end of the turn and did not before. Turns that can pin their last checker on its start are left out."
        }
        Advice::Pin => {
            "Turns in which something can be pinned, or not. Follows: a pin stands at the end of the turn that did not before. Against: none does. Turns that can pin \
             their last checker on its start are left out."
        }
        Advice::Row => {
            "A point is closed to them where two of my free checkers stand, or one that pins. The row is the longest run of closed points in front of their rearmost \
             checker. Follows: makes it longer, and at least two points long. Against: does not."
        }
        Advice::Guard => {
            "Turns that can leave a lone checker in the corner, free to be pinned, and can avoid it. Follows: keeps two or more there, or takes the last away. Against: \
             leaves one."
        }
    }
}

/// What is to be thought of it, in a few words.
fn verdict(report: &AdviceReport) -> &'static str {
    let often = report.all.follows.mean;
    match report.verdict {
        Verdict::True if often > 2.0 / 3.0 => "true",
        Verdict::True => "true on average, with many exceptions",
        Verdict::False if often > 0.4 => "no rule, wrong as often as right",
        Verdict::False => "false",
        Verdict::Depends if report.all.clear > 0 && often > 2.0 / 3.0 => "true as a rule, not always",
        Verdict::Depends => "it depends",
        Verdict::Unclear => "not clear",
    }
}

/// Where it wins and where it loses, if it does both.
fn where_it_holds(report: &AdviceReport) -> Option<String> {
    if report.verdict != Verdict::Depends {
        return None;
    }
    let phases = report.phases.iter().map(|phase| (phase_name(phase.phase), phase.row.clear));
    let groups = report.groups.iter().map(|group| (group.group.to_owned(), group.row.clear));
    let rows: Vec<(String, i8)> = phases.chain(groups).collect();
    let of = |clear: i8| {
        let names = rows.iter().filter(|row| row.1 == clear).map(|(name, _)| format!("\"{name}\""));
        names.collect::<Vec<_>>().join(", ")
    };
    Some(format!("It wins in {}; it loses in {}.", of(1), of(-1)))
}

fn phase_name(phase: Phase) -> String {
    phase.name().replace('-', " ")
}

/// A line for each piece of advice of which enough turns were asked.
pub fn short(report: &Report) -> impl Iterator<Item = String> + use<'_> {
    report.advice.iter().filter(|report| report.all.decisions >= FEW).map(|report| {
        format!(
            "\"{}\": {}. Where there is the choice, the best play does so in {:.0} of 100 turns and not so in {:.0}; following is worth {} millipoints. {}",
            said(report.advice),
            verdict(report),
            100.0 * report.all.follows.mean,
            100.0 * report.all.against.mean,
            gain(&report.all.gain),
            where_it_holds(report).unwrap_or_default()
        )
        .trim_end()
        .to_owned()
    })
}

/// The section.
pub fn write(report: &Report) -> String {
    if report.advice.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "## The traditional advice\n\n\
         What players have always been told, held against {} games of the net with itself. Of each game one turn was drawn in which some plays follow the advice and some \
         go against it; the **gain** is what the best play that follows is worth more than the best that goes against, by a look two plies ahead, in millipoints, with 95 % \
         intervals. Where another play than both is best, it counts as neither.\n",
        grouped(report.settings.advice_games)
    );
    for advice in &report.advice {
        text += &section(advice);
    }
    text
}

fn section(report: &AdviceReport) -> String {
    let mut text = format!(
        "\n### {}: {}\n\n{}\n\n\
         | turns | number | the best play follows | goes against | gain of following |\n| --- | --- | --- | --- | --- |\n{}",
        said(report.advice),
        verdict(report),
        asked(report.advice),
        row("all", &report.all)
    );
    for phase in &report.phases {
        text += &row(&phase_name(phase.phase), &phase.row);
    }
    for group in &report.groups {
        text += &row(group.group, &group.row);
    }
    if let Some(line) = where_it_holds(report) {
        let _ = write!(text, "\n{line}\n");
    }
    if let Some(checked) = &report.checked {
        let _ = write!(
            text,
            "\nRolled out, {} of these turns give a gain of {} instead of {}; the difference is {}.\n",
            grouped(checked.decisions),
            gain(&checked.rolled_out),
            gain(&checked.look_ahead),
            gain(&checked.difference)
        );
    }
    for example in &report.examples {
        let way = if example.check.gain > 0.0 { "Follow it" } else { "Do not follow it" };
        let _ = write!(
            text,
            "\n{way} in `{}` ({}): `{}` is worth {} ± {:.3} more than `{}`.\n",
            example.position,
            phase_name(example.phase),
            if example.check.gain > 0.0 { &example.follows } else { &example.against },
            signed(example.check.gain.abs()).trim_start_matches('+'),
            example.check.error,
            if example.check.gain > 0.0 { &example.against } else { &example.follows }
        );
    }
    text
}

fn row(name: &str, row: &Row) -> String {
    if row.decisions < FEW {
        return format!("| {name} | {} | | | too few |\n", row.decisions);
    }
    let share = |estimate: &Estimate| format!("{:.1} %", 100.0 * estimate.mean);
    let (follows, against) = (share(&row.follows), share(&row.against));
    format!("| {name} | {} | {follows} | {against} | {} |\n", grouped(row.decisions), gain(&row.gain))
}

fn gain(estimate: &Estimate) -> String {
    format!("{:+.1} [{:+.1}, {:+.1}]", estimate.mean, estimate.low, estimate.high)
}

/// How it was done.
pub const METHOD: &str = "\n**The advice.** Games of the net with itself, one ply deep; of each game and piece of advice one turn, each that fits being as likely as any other. \
Turns with a play that ends the game do not fit. The best play of each kind is found by looking two plies ahead, and some of the turns are rolled out as a check, their \
trials cut after 12 plies, so that whoever doubts the look-ahead sees how far it is off. *True*: following wins points on average, and in no phase or group of turns does it \
lose any that chance would not explain in 999 of 1,000 cases; *false*: the other way round; *it depends*: it wins in some and loses in others. The phases are those of \
the benchmark, in docs/strength.md of the program.\n";
