use mahbusa_net::Outcomes;
use mahbusa_rules::{Board, Position, PositionPlay};

use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::model;
use crate::stream::{Answer, Entry, Object, Value, answer, ending, finished, plays_of};

/// `mahbusa analyze`.
pub fn analyze(args: &AnalyzeArgs) -> Result<(), Failure> {
    let net = model::load(&args.model)?;
    let player = model::player(&net);
    answer(&args.positions, args.json, |position| {
        model::check_rules(net.rules, position.rules, args.force_rules)?;
        ranked(position, |board| player.evaluate(board))
    })
}

/// What a position is worth to the side to roll, or with dice what each play is worth, the best first; given what boards are worth to the side to roll.
pub fn ranked(position: &Position, worth: impl Fn(&Board) -> Outcomes) -> Result<Answer, String> {
    if let Some(finished) = finished(position) {
        return Ok(finished);
    }
    if position.dice.is_none() {
        let outcomes = worth(&position.board);
        let text = format!("{position}\n{HEAD}\n{}", row("", &outcomes));
        let value = Some(Value::of(outcomes));
        return Ok(Answer {
            object: Object { position: position.to_string(), points: None, plays: None, value },
            text,
        });
    }
    let mut rated: Vec<(PositionPlay, Outcomes)> = plays_of(position)?
        .into_iter()
        .map(|play| {
            let outcomes = match play.ending {
                Some(ending) => Outcomes::certain(ending.outcome()),
                None => worth(&play.position.board).flip(),
            };
            (play, outcomes)
        })
        .collect();
    // Stable: plays of equal equity stay in wire order.
    rated.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
    let entries = rated.iter().map(|(play, outcomes)| Entry::new(play, Some(Value::of(*outcomes)))).collect();
    let mut text = format!("{position}\n{HEAD}");
    for (play, outcomes) in &rated {
        text += &format!("\n{}{}", row(&play.play.to_string(), outcomes), ending(play));
    }
    let object = Object { position: position.to_string(), points: None, plays: Some(entries), value: None };
    Ok(Answer { object, text })
}

pub const HEAD: &str = "  play                       equity   lose 2  lose 1    draw   win 1   win 2";

pub fn row(play: &str, outcomes: &Outcomes) -> String {
    let percent: String = outcomes.probabilities().iter().map(|p| format!("{:>7.2}%", 100.0 * p)).collect();
    format!("  {play:<24} {:>+8.4} {percent}", outcomes.equity())
}
