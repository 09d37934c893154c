//! `--ply`, and plays in a match.

use serde_json::Value;

use crate::command::{Folder, assert_code, json, run, run_with_input, stdout};

/// A small trained net of Mahbusa.
const NET: &str = "models/mahbusa-1-small/net.mnet";
const CONTACT: &str = "mahbusa:J5C4A~6A4n:0.0:b";

fn analyze(arguments: &[&str]) -> Value {
    let output = run(["analyze", "--model", NET, "--json"].iter().chain(arguments));
    assert_code(&output, 0);
    json(&output).remove(0)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn plays(answer: &Value) -> Vec<Value> {
    answer["plays"].as_array().unwrap().clone()
}

#[test]
fn two_plies_are_the_mean_over_all_rolls_of_the_best_play_at_one() {
    let dice: Vec<(u8, u8)> = (1..=6).flat_map(|high| (1..=high).map(move |low| (high, low))).collect();
    let input: String = dice.iter().map(|(high, low)| format!("{CONTACT}:{high}{low}:0.0.0\n")).collect();
    let output = run_with_input(&["analyze", "--model", NET, "--json"], input.as_bytes());
    assert_code(&output, 0);
    let throws = |(high, low)| if high == low { 1.0 } else { 2.0 };
    let best = json(&output).into_iter().map(|answer| number(&plays(&answer)[0]["equity"]));
    let mean: f64 = dice.iter().zip(best).map(|(&dice, equity)| throws(dice) * equity / 36.0).sum();
    let answer = analyze(&["--ply", "2", &format!("{CONTACT}:-:0.0.0")]);
    assert!((number(&answer["equity"]) - mean).abs() < 1e-5, "{answer} {mean}");
    assert_eq!(answer["ply"], 2);
}

#[test]
fn plays_say_how_deep_was_looked_and_the_deepest_stand_first() {
    let position = &format!("{CONTACT}:31:0.0.0");
    let glance = plays(&analyze(&[position]));
    for ply in [2, 3] {
        let deep = plays(&analyze(&["--ply", &ply.to_string(), position]));
        assert_eq!(deep.len(), glance.len());
        let ranks: Vec<(u64, f64)> =
            deep.iter().map(|play| (play["ply"].as_u64().unwrap(), number(&play["equity"]))).collect();
        assert!(ranks.iter().filter(|(reached, _)| *reached == ply).count() >= 5.min(ranks.len()), "{ranks:?}");
        assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
        assert_eq!(deep, plays(&analyze(&["--ply", &ply.to_string(), position])), "the same again");
    }
    let text = stdout(&run(["analyze", "--model", NET, "--ply", "2", position]));
    assert!(text.lines().nth(1).unwrap().ends_with("  ply"), "{text}");
}

#[test]
fn in_a_match_plays_are_ranked_by_the_chance_to_win_it() {
    let at = |score: &str| format!("{CONTACT}:31:{score}");
    let chances = |entry: &Value| number(&entry["match_chance"]);
    for score in ["2.2.3", "0.2.3", "2.0.3", "1.4.7", "0.0.500"] {
        let all = plays(&analyze(&[&at(score)]));
        assert!(all.iter().map(chances).all(|chance| (0.0..=1.0).contains(&chance)));
        assert!(all.is_sorted_by(|a, b| chances(a) >= chances(b)), "{all:?}");
    }
    // At one point to go on both sides only winning counts, and a draw is replayed by either.
    for play in plays(&analyze(&[&at("2.2.3")])) {
        let p: Vec<f64> = play["outcomes"].as_array().unwrap().iter().map(number).collect();
        assert!((chances(&play) - (p[4] + p[3] + p[2] / 2.0)).abs() < 1e-6, "{play}");
    }
    let points = plays(&analyze(&["--points", &at("2.2.3")]));
    assert_eq!(points.len(), plays(&analyze(&[&at("0.0.0")])).len());
    assert!(points.iter().all(|play| play.get("match_chance").is_none()));
    assert!(points.is_sorted_by(|a, b| number(&a["equity"]) >= number(&b["equity"])));
    assert!(plays(&analyze(&[&at("0.0.0")])).iter().all(|play| play.get("match_chance").is_none()));
    // Both sides together have one match to win.
    let [white, black] = ["w", "b"].map(|side| analyze(&[&format!("mahbusa:O22o:0.0:{side}:-:1.1.5"), "--ply", "2"]));
    assert_eq!(white["match_chance"], black["match_chance"], "the score is even, and so is the board");
    let text = stdout(&run(["analyze", "--model", NET, &at("2.2.3")]));
    assert!(text.lines().nth(1).unwrap().ends_with("   match"), "{text}");
}

#[test]
fn a_match_longer_than_the_table_needs_points() {
    let position = format!("{CONTACT}:31:0.0.501");
    let output = run(["analyze", "--model", NET, &position]);
    assert!(assert_code(&output, 1).contains("500 points; --points"));
    assert_code(&run(["analyze", "--model", NET, "--points", &position]), 0);
}

#[test]
fn each_side_of_a_measurement_has_its_own_depth() {
    let folder = Folder::new();
    let save = folder.join("games.jsonl");
    let evaluate = |arguments: &[&str]| {
        let common = ["evaluate", NET, "--against", NET, "--games", "12", "--json", "-q"];
        let output = run(common.iter().chain(arguments).chain(&["--save", save.to_str().unwrap()]));
        assert_code(&output, 0);
        json(&output).remove(0)
    };
    let equal = evaluate(&["--ply", "2", "--against-ply", "2"]);
    assert_eq!((&equal["ply"], &equal["against_ply"]), (&2.into(), &2.into()));
    assert_eq!(equal["points_per_game"]["mean"], 0.0);
    let (deep, shallow) = (evaluate(&["--ply", "2"]), evaluate(&["--against-ply", "2"]));
    assert_ne!(deep["plies"], equal["plies"], "what is saved of other depths is not taken for this");
    assert_eq!(number(&deep["points_per_game"]["mean"]), -number(&shallow["points_per_game"]["mean"]));
    let on = |threads: &str| {
        json(&run(["evaluate", NET, "--ply", "2", "--games", "12", "--json", "-q", "--threads", threads]))
    };
    assert_eq!(on("1"), on("2"));
    let text = stdout(&run(["evaluate", NET, "--ply", "2", "--against", "random", "--games", "2", "-q"]));
    assert!(text.starts_with(&format!("{NET} (2-ply) against random: mahbusa, 2 games")), "{text}");
    let ladder = run(["ladder", NET, "random", "--ply", "2", "--games", "4", "-q", "--json"]);
    assert_code(&ladder, 0);
    assert_eq!(json(&ladder)[0]["ply"], 2);
}

#[test]
fn looking_ahead_loses_less_on_the_benchmark_set() {
    let lost = |ply: &str| {
        let output = run(["evaluate", "td-200k", "--benchmark", "--ply", ply, "--json"]);
        assert_code(&output, 0);
        let answer = json(&output).remove(0);
        assert_eq!(answer["ply"].to_string(), ply);
        number(&answer["error_rate"]["mean"])
    };
    let (one, two) = (lost("1"), lost("2"));
    assert!(two < 0.9 * one, "{one} {two}");
}

#[test]
fn rollouts_can_be_played_by_players_that_look_ahead() {
    let arguments = ["rollout", "--model", NET, "--ply", "2", "--games", "72", "--truncate", "2", "-q"];
    let position = &format!("{CONTACT}:-:0.0.0");
    let output = run(arguments.iter().chain(&["--json", position]));
    assert_code(&output, 0);
    let report = &json(&output)[0];
    assert_eq!(report["ply"], 2);
    assert!(number(&report["equity"]).abs() < 2.0);
    assert!(
        stdout(&run(arguments.iter().copied().chain([position.as_str()]))).contains("72 games each, 2-ply players")
    );
}

#[test]
fn wrong_depths_are_refused() {
    for (arguments, says) in [
        (vec!["evaluate", NET, "--ply", "4"], "expected 1, 2 or 3"),
        (vec!["analyze", "--model", NET, "--ply", "0", "mahbusa:O22o:0.0:w:64:0.0.0"], "expected 1, 2 or 3"),
        (vec!["evaluate", "heuristic", "--ply", "2"], "heuristic cannot look 2 plies ahead: expected a net"),
        (vec!["evaluate", NET, "--against", "random", "--against-ply", "3"], "random cannot look 3 plies ahead"),
        (vec!["evaluate", "random", "--benchmark", "--ply", "2"], "expected a net"),
        (vec!["evaluate", NET, "--exact", "--ply", "2"], "--ply"),
        (vec!["evaluate", NET, "--benchmark", "--against-ply", "2"], "--against-ply"),
    ] {
        assert!(assert_code(&run(&arguments), 2).contains(says), "{arguments:?}");
    }
}
