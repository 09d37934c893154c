use mahbusa_net::Outcomes;
use mahbusa_players::NetPlayer;
use mahbusa_rules::PositionPlay;
use serde_json::{Value, json};

use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::model;
use crate::stream::{Answer, answer, ending, entry, finished, plays_of};

/// `mahbusa analyze`.
pub fn analyze(args: &AnalyzeArgs) -> Result<(), Failure> {
    let net = model::load(&args.model)?;
    let player = NetPlayer::new(&net.weights);
    answer(&args.positions, args.json, |position| {
        model::check_rules(net.rules, position.rules, args.force_rules)?;
        if let Some(finished) = finished(position) {
            return Ok(finished);
        }
        if position.dice.is_none() {
            let outcomes = player.evaluate(&position.board);
            let mut json = json!({"position": position.to_string()});
            add(&mut json, &outcomes);
            return Ok(Answer { json, text: format!("{position}\n{HEAD}\n{}", row("", &outcomes)) });
        }
        let mut rated: Vec<(PositionPlay, Outcomes)> = plays_of(position)?
            .into_iter()
            .map(|play| {
                let outcomes = match play.ending {
                    Some(ending) => Outcomes::certain(ending.outcome()),
                    None => player.evaluate(&play.position.board).flip(),
                };
                (play, outcomes)
            })
            .collect();
        // Stable: plays of equal equity stay in wire order.
        rated.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
        let entries: Vec<Value> = rated
            .iter()
            .map(|(play, outcomes)| {
                let mut entry = entry(play);
                add(&mut entry, outcomes);
                entry
            })
            .collect();
        let mut text = format!("{position}\n{HEAD}");
        for (play, outcomes) in &rated {
            text += &format!("\n{}{}", row(&play.play.to_string(), outcomes), ending(play));
        }
        Ok(Answer { json: json!({"position": position.to_string(), "plays": entries}), text })
    })
}

const HEAD: &str = "  play                       equity   lose 2  lose 1    draw   win 1   win 2";

fn row(play: &str, outcomes: &Outcomes) -> String {
    let percent: String = outcomes.probabilities().iter().map(|p| format!("{:>7.2}%", 100.0 * p)).collect();
    format!("  {play:<24} {:>+8.4} {percent}", outcomes.equity())
}

fn add(json: &mut Value, outcomes: &Outcomes) {
    json["outcomes"] = json!(outcomes);
    json["equity"] = json!(outcomes.equity());
}
