//! `plays`, `analyze`, `perft`: positions in, answers out.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::command::{Folder, assert_code, json, mahbusa, root, run, run_with_input, start, stdout, trained};

fn results(plays: &Value, key: &str) -> BTreeSet<String> {
    plays.as_array().unwrap().iter().map(|play| format!("{} {}", play[key], play["points"])).collect()
}

#[test]
fn plays_answers_all_reference_cases() {
    let text = std::fs::read_to_string(root().join("tests/fixtures/rules-cases.jsonl")).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cases.len(), 100);
    let input: String = cases.iter().map(|case| format!("{}\n", case["position"].as_str().unwrap())).collect();
    let output = run_with_input(&["plays", "--json"], input.as_bytes());
    assert_code(&output, 0);
    for (case, answer) in cases.iter().zip(json(&output)) {
        assert_eq!(case["position"], answer["position"]);
        if case["results"].as_array().unwrap().is_empty() {
            let plays = answer["plays"].as_array().unwrap();
            assert_eq!(plays.len(), 1, "{case}");
            assert_eq!(plays[0]["play"], "-", "{case}");
            assert_eq!(plays[0]["points"], Value::Null);
        } else {
            assert_eq!(results(&case["results"], "position"), results(&answer["plays"], "position"), "{case}");
        }
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_is_written() {
    let mut child = start(mahbusa(["plays", "--json"]).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for dice in ["61", "66", "21"] {
        writeln!(stdin, "tapa:O22o:0.0:w:{dice}:0.0.0").unwrap();
        let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert!(answer["position"].as_str().unwrap().contains(dice));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_bad_line_is_answered_with_an_error_and_the_rest_is_still_answered() {
    let long = "x".repeat(3_000_000);
    let good = "plakoto:O22o:0.0:w:61:0.0.0";
    let input =
        [good.as_bytes(), b"\r\n\n\xff\xfe\nmahbusa:O22o:0.0:w:-:0.0.0\n", long.as_bytes(), b"\n", good.as_bytes()];
    let output = run_with_input(&["plays", "--json"], &input.concat());
    assert_code(&output, 1);
    let answers = json(&output);
    let errors: Vec<Option<u64>> =
        answers.iter().map(|answer| answer.get("error").map(|_| answer["line"].as_u64().unwrap())).collect();
    assert_eq!(errors, [None, Some(2), Some(3), Some(4), Some(5), None]);
    assert_eq!(answers[0]["position"], "mahbusa:O22o:0.0:w:61:0.0.0");
    assert!(answers[3]["error"].as_str().unwrap().contains("dice"));
}

#[test]
fn blanks_and_a_byte_order_mark_are_passed_over() {
    let position = "mahbusa:O22o:0.0:w:61:0.0.0";
    for input in [format!("\u{feff}{position}"), format!(" {position}\t \r\n"), format!("\u{feff} {position}\r\n")] {
        let output = run_with_input(&["plays", "--json"], input.as_bytes());
        assert_code(&output, 0);
        assert_eq!(json(&output)[0]["position"], position);
    }
    assert_code(&run(["plays", &format!(" {position} ")]), 0);
    let marked_later = format!("{position}\n\u{feff}{position}\n");
    assert!(assert_code(&run_with_input(&["plays"], marked_later.as_bytes()), 1).contains("line 2: "));
}

#[test]
fn positions_of_the_command_are_called_by_themselves() {
    let (good, bad) = ("mahbusa:O22o:0.0:w:61:0.0.0", "mahbusa:O21o:0.0:w:61:0.0.0");
    let said = assert_code(&run(["plays", good, bad]), 1);
    assert!(said.starts_with(&format!("`{bad}`: ")) && !said.contains("line"), "{said}");
    let answers = json(&run(["plays", "--json", bad, good]));
    assert_eq!((answers[0]["position"].as_str(), answers[0].get("line")), (Some(bad), None));
    assert!(answers[0]["error"].is_string() && answers[1]["plays"].is_array());

    let tapa = "tapa:O22o:0.0:w:64:0.0.0";
    let analyze = |positions: &[&str]| run(["analyze", "--model", "mahbusa-1-small"].iter().chain(positions));
    let said = assert_code(&analyze(&[tapa]), 2);
    assert!(said.contains("trained on mahbusa, not on tapa") && !said.contains("line"), "{said}");
    assert_code(&analyze(&[tapa, tapa]), 2);
    assert!(assert_code(&analyze(&[tapa, good]), 1).starts_with(&format!("`{tapa}`: the net was trained on mahbusa")));
}

#[test]
fn a_finished_position_has_points_and_no_plays() {
    let drawn = "mahbusa:n~21MA~:0.0:b:-:0.0.0";
    let won = "mahbusa:4n16a2:15.0:b:-:0.0.0";
    let answers = json(&run(["plays", "--json", drawn, won]));
    assert_eq!(answers[0], serde_json::json!({"position": drawn, "points": 0, "plays": []}));
    assert_eq!(answers[1], serde_json::json!({"position": won, "points": 2, "plays": []}));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = start(mahbusa(["plays", "--json"]).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    for _ in 0..1000 {
        if writeln!(stdin, "mahbusa:O22o:0.0:w:66:0.0.0").is_err() {
            break;
        }
    }
    drop(stdin);
    assert_code(&child.wait_with_output().unwrap(), 0);
}

#[test]
fn perft_counts_the_known_numbers() {
    for rules in ["mahbusa", "tapa"] {
        let counts = &json(&run(["perft", rules, "3", "--json"]))[0];
        assert_eq!(counts["rules"], rules);
        let depths = counts["depths"].as_array().unwrap();
        let known = [(59, 49), (3474, 2394), (708_405, 126_364)];
        for (depth, (nodes, distinct)) in depths.iter().zip(known) {
            assert_eq!((depth["nodes"].as_u64(), depth["distinct"].as_u64()), (Some(nodes), Some(distinct)));
        }
    }
}

#[test]
fn analyze_ranks_plays_by_equity_and_gives_probabilities() {
    let folder = Folder::new();
    let model = trained(&folder, &["train.games=64"]);
    let model = model.to_str().unwrap();
    let positions = [
        "mahbusa:O22o:0.0:w:64:0.0.0",
        "mahbusa:n15MB5a:0.0:w:61:0.0.0",
        "mahbusa:o18A2A1:13.0:w:42:0.0.0",
        "mahbusa:O22o:0.0:w:-:0.0.0",
    ];
    let output = run(["analyze", "--json", "--model", model].iter().chain(&positions));
    assert_code(&output, 0);
    let answers = json(&output);
    let check = |entry: &Value| {
        let p: Vec<f64> = entry["outcomes"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{entry}");
        let equity = 2.0 * p[4] + p[3] - p[1] - 2.0 * p[0];
        assert!((equity - entry["equity"].as_f64().unwrap()).abs() < 1e-5, "{entry}");
        equity
    };
    for answer in &answers[..3] {
        let equities: Vec<f64> = answer["plays"].as_array().unwrap().iter().map(check).collect();
        assert!(equities.is_sorted_by(|a, b| a >= &(b - 1e-5)), "{equities:?}");
    }
    check(&answers[3]);
    let ended = answers[1]["plays"].as_array().unwrap().iter().find(|play| play["points"] == 2).unwrap();
    assert_eq!(ended["outcomes"], serde_json::json!([0.0, 0.0, 0.0, 0.0, 1.0]));
    // White has borne off: it cannot lose two points.
    assert!(answers[2]["plays"].as_array().unwrap().iter().all(|play| play["outcomes"][0] == 0.0));

    let tapa = run(["analyze", "--model", model, "tapa:O22o:0.0:w:64:0.0.0"]);
    assert!(assert_code(&tapa, 2).contains("trained on mahbusa"));
    assert_code(&run(["analyze", "--model", model, "--force-rules", "tapa:O22o:0.0:w:64:0.0.0"]), 0);
}

#[test]
fn positions_out_of_self_play_can_be_read_back() {
    let folder = Folder::new();
    let model = trained(&folder, &["train.games=64", "rules=tapa"]);
    let output = run(["positions", model.to_str().unwrap(), "--count", "30"]);
    assert_code(&output, 0);
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 30);
    assert_code(&run_with_input(&["plays"], text.as_bytes()), 0);
}

#[test]
fn without_a_model_the_strongest_released_net_for_each_game_answers() {
    let positions = ["mahbusa:O22o:0.0:w:64:0.0.0", "tapa:O22o:0.0:w:64:0.0.0", "mahbusa:O22o:0.0:w:-:0.0.0"];
    let together = stdout(&run(["analyze", "--json"].iter().chain(&positions)));
    let named =
        |model, positions: &[&str]| stdout(&run(["analyze", "--json", "--model", model].iter().chain(positions)));
    let [first, second, third]: [&str; 3] = together.lines().collect::<Vec<_>>().try_into().unwrap();
    let (mahbusa, tapa) = (strongest("mahbusa"), strongest("tapa"));
    assert_eq!(format!("{first}\n{third}\n"), named(mahbusa, &[positions[0], positions[2]]));
    assert_eq!(format!("{second}\n"), named(tapa, &[positions[1]]));
    let rolled = |more: &[&str]| stdout(&run(["rollout", positions[1], "--games", "72", "-q"].iter().chain(more)));
    assert_eq!(rolled(&[]), rolled(&["--model", tapa]));
    assert_eq!(stdout(&run(["inspect", tapa])), stdout(&run(["inspect", &format!("models/{tapa}")])));
    // A file of levels belongs to a model.
    let error = assert_code(&run(["analyze", positions[0], "--level", "2", "--levels", "levels.json"]), 2);
    assert!(error.contains("--model"), "{error}");
}

#[test]
fn analyze_shows_the_best_plays_only_where_that_is_asked() {
    let position = "mahbusa:O22o:0.0:w:64:0.0.0";
    let plays = |more: &[&str]| {
        let output = run(["analyze", "--json", "--model", "mahbusa-1", position].iter().chain(more));
        assert_code(&output, 0);
        json(&output)[0]["plays"].as_array().unwrap().clone()
    };
    let all = plays(&["--level", "1", "--seed", "2"]);
    assert_eq!(plays(&["--best", "1"]), plays(&[])[..1]);
    assert_eq!(plays(&["--best", "1000"]), plays(&[]));
    // What a level takes stands there too, and the weakest one does not always take the best.
    let few = (1..=40).map(|seed| plays(&["--level", "1", "--seed", &seed.to_string(), "--best", "1"]));
    let few: Vec<Vec<Value>> = few.collect();
    assert!(few.iter().all(|shown| shown[0] == all[0] && shown.len() <= 2));
    assert!(few.iter().any(|shown| shown.len() == 1) && few.iter().any(|shown| shown.len() == 2));
    assert_code(&run(["analyze", position, "--best", "0"]), 2);
}

/// The strongest net that comes with the program.
fn strongest(game: &str) -> &'static str {
    match game {
        "mahbusa" => "mahbusa-2",
        _ => "tapa-1",
    }
}
