//! `rollout`, `benchmark` and `evaluate --benchmark`.

use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::Value;

use crate::command::{Folder, assert_code, json, lines_in, mahbusa, run, signal, start, stdout, wait_until};

/// A small trained net of Mahbusa.
const NET: &str = "models/mahbusa-1-small/net.mnet";
const OPENING: &str = "mahbusa:MAA16a1a1m:0.0:w:31:0.0.0";

fn rollout(arguments: &[&str]) -> Value {
    let output = run(["rollout", "--model", NET, "--json", "-q"].iter().chain(arguments));
    assert_code(&output, 0);
    json(&output).remove(0)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The equity that belongs to the outcomes.
fn equity(entry: &Value) -> f64 {
    let p: Vec<f64> = entry["outcomes"].as_array().unwrap().iter().map(number).collect();
    assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{entry}");
    2.0 * (p[4] - p[0]) + p[3] - p[1]
}

#[test]
fn a_position_without_dice_is_rolled_out_for_the_side_to_roll() {
    let report = rollout(&["mahbusa:O22o:0.0:w:-:0.0.0", "--games", "100", "--truncate", "4"]);
    assert_eq!((&report["games"], &report["truncate"], &report["seed"]), (&144.into(), &4.into(), &1.into()));
    assert!((equity(&report) - number(&report["equity"])).abs() < 1e-6);
    assert!(number(&report["error"]) > 0.0 && number(&report["error"]) < 0.1);
    assert!(report.get("plays").is_none());
}

#[test]
fn plays_are_ranked_with_their_differences_to_the_best() {
    let arguments = [OPENING, "--games", "72", "--truncate", "4", "--candidates", "3"];
    let report = rollout(&arguments);
    let plays = report["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 3);
    let best = number(&plays[0]["equity"]);
    for play in plays {
        assert!((equity(play) - number(&play["equity"])).abs() < 1e-6);
        assert!((number(&play["difference"]["equity"]) - (number(&play["equity"]) - best)).abs() < 1e-12);
        assert!(number(&play["difference"]["equity"]) <= 0.0);
    }
    assert_eq!(number(&plays[0]["difference"]["error"]), 0.0);
    assert!(number(&plays[1]["difference"]["error"]) > 0.0);
    for threads in ["1", "3"] {
        assert_eq!(rollout(&[&arguments[..], &["--threads", threads]].concat()), report);
    }
    assert_ne!(rollout(&[&arguments[..], &["--seed", "2"]].concat()), report);
}

#[test]
fn a_rollout_stops_at_the_error_that_was_asked_for() {
    let report =
        rollout(&[OPENING, "--games", "100000", "--max-error", "0.02", "--truncate", "4", "--candidates", "2"]);
    assert!(report["games"].as_u64().unwrap() < 2000, "{report}");
    assert!(number(&report["plays"][1]["difference"]["error"]) <= 0.02);
}

#[test]
fn a_play_that_ends_the_game_and_a_pass_are_rolled_out_too() {
    let report = rollout(&["mahbusa:n15MB5a:0.0:w:61:0.0.0", "--games", "72", "--truncate", "2"]);
    let plays = report["plays"].as_array().unwrap();
    let ended = plays.iter().find(|play| play["points"] == 2).unwrap();
    assert_eq!((number(&ended["equity"]), number(&ended["error"])), (2.0, 0.0));

    let passed = rollout(&["mahbusa:4k6A1b2b6N:0.0:w:52:0.0.0", "--games", "72", "--truncate", "2"]);
    assert_eq!(passed["plays"].as_array().unwrap().len(), 1);
    assert_eq!(passed["plays"][0]["play"], "-");
}

#[test]
fn what_cannot_be_rolled_out_is_refused() {
    let folder = Folder::new();
    for (arguments, says) in [
        (vec!["mahbusa:n~21MA~:0.0:b:-:0.0.0", "--model", NET], "the game is over"),
        (vec!["mahbusa:O21o:0.0:w:-:0.0.0", "--model", NET], "column 13"),
        (vec!["tapa:O22o:0.0:w:-:0.0.0", "--model", NET], "trained on mahbusa"),
        (vec![OPENING, "--model", NET, "--truncate", "0"], "full"),
        (vec![OPENING, "--model", NET, "--max-error", "0"], "points"),
        (vec![OPENING, "--model", NET, "--games", "0"], "0"),
        (vec![OPENING, "--model", "no-such-model"], "no-such-model"),
    ] {
        let said = assert_code(&run(["rollout"].iter().chain(&arguments)), 2);
        assert!(said.contains(says), "{says}: {said}");
    }
    let broken = folder.write("broken.mnet", "hello");
    assert_code(&run(["rollout", OPENING, "--model", broken.to_str().unwrap()]), 3);
}

#[test]
#[cfg(unix)]
fn an_interrupted_rollout_says_what_it_has() {
    let mut child = start(&mut mahbusa(["rollout", OPENING, "--model", NET, "--games", "10000000", "--json"]));
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.next().unwrap().unwrap().starts_with("rolling out: "));
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_code(&output, 130);
    let report = &json(&output)[0];
    let games = report["games"].as_u64().unwrap();
    assert!((72..10_000_000).contains(&games) && games.is_multiple_of(72), "{games}");
    assert_eq!(report["plays"].as_array().unwrap().len(), 5);
}

/// Arguments that make a small set.
fn small(out: &Path) -> Vec<String> {
    let out = out.to_str().unwrap();
    ["benchmark", NET, "--out", out, "--decisions", "12", "--candidates", "3"]
        .into_iter()
        .chain(["--max-error", "0.2", "--max-games", "144", "--truncate", "3"])
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_set_is_the_same_on_any_number_of_threads_and_after_a_kill() {
    let folder = Folder::new();
    let (one, other) = (folder.join("one.jsonl"), folder.join("other.jsonl"));
    let mut arguments = small(&one);
    arguments.extend(["--threads".to_owned(), "1".to_owned()]);
    assert_code(&run(arguments), 0);
    let whole = std::fs::read(&one).unwrap();
    assert_eq!(whole.iter().filter(|&&byte| byte == b'\n').count(), 13);
    assert!(!folder.join("one.jsonl.part").exists());

    // As a kill in the middle of a line leaves it.
    let part = folder.write("other.jsonl.part", &whole[..whole.len() * 2 / 3]);
    let mut arguments = small(&other);
    arguments.extend(["--threads".to_owned(), "3".to_owned()]);
    assert_code(&run(&arguments), 0);
    assert_eq!(std::fs::read(&other).unwrap(), whole);
    assert!(!part.exists());

    // Whole already: nothing to do. Made with other settings: left alone.
    assert_code(&run(&arguments), 0);
    arguments.extend(["--seed".to_owned(), "2".to_owned()]);
    assert!(assert_code(&run(&arguments), 2).contains("other settings"));
    assert_eq!(std::fs::read(&other).unwrap(), whole);

    let foreign = folder.write("foreign.jsonl", "mine");
    assert!(assert_code(&run(small(&foreign)), 2).contains("no benchmark set"));

    let begun = folder.write("begun.jsonl.part", &whole[..whole.len() / 2]);
    let mut arguments = small(&folder.join("begun.jsonl"));
    arguments.extend(["--seed".to_owned(), "2".to_owned()]);
    assert!(assert_code(&run(arguments), 2).contains("--max-error 0.2"));
    assert_eq!(std::fs::metadata(begun).unwrap().len(), whole.len() as u64 / 2);
}

#[test]
#[cfg(unix)]
fn an_interrupted_set_is_gone_on_with() {
    let folder = Folder::new();
    let out = folder.join("set.jsonl");
    let arguments = ["benchmark", NET, "--decisions", "1000", "--truncate", "3", "-q", "--out"];
    let child =
        start(&mut mahbusa(arguments.iter().map(|a| (*a).to_owned()).chain([out.to_str().unwrap().to_owned()])));
    let lines = || lines_in(&folder.join("set.jsonl.part"));
    wait_until(|| lines() >= 3);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_code(&output, 130);
    assert!(!out.exists() && lines() >= 3);
}

fn scores(arguments: &[&str]) -> Value {
    let output = run(["evaluate", "--json"].iter().chain(arguments));
    assert_code(&output, 0);
    json(&output).remove(0)
}

#[test]
fn the_committed_sets_tell_players_apart() {
    let error = |name: &str, rules: &str| {
        let report = scores(&[name, "--benchmark", "--rules", rules]);
        assert_eq!((&report["benchmark"], &report["rules"]), (&Value::Null, &rules.into()));
        let phases = report["phases"].as_array().unwrap();
        assert_eq!(phases.len(), 5);
        let sum: u64 = phases.iter().map(|phase| phase["decisions"].as_u64().unwrap()).sum();
        assert_eq!(Some(sum), report["decisions"].as_u64());
        let rate = &report["error_rate"];
        assert!(number(&rate["low"]) < number(&rate["mean"]) && number(&rate["mean"]) < number(&rate["high"]));
        assert!(number(&report["noise_floor"]["mean"]) < 5.0);
        (number(&rate["mean"]), number(&report["best"]["mean"]))
    };
    for rules in ["mahbusa", "tapa"] {
        let [net, heuristic, random] = ["td-200k", "heuristic", "random"].map(|name| error(name, rules));
        assert!(net.0 < heuristic.0 && heuristic.0 < random.0, "{net:?} {heuristic:?} {random:?}");
        assert!(net.1 > heuristic.1 && heuristic.1 > random.1, "{net:?} {heuristic:?} {random:?}");
    }
}

#[test]
fn a_set_is_read_from_a_file_and_damage_is_named_by_its_line() {
    let folder = Folder::new();
    let path = folder.join("set.jsonl");
    assert_code(&run(small(&path)), 0);
    let name = path.to_str().unwrap();
    let report = scores(&[NET, "--benchmark", name]);
    assert_eq!((&report["decisions"], &report["benchmark"]), (&12.into(), &name.into()));
    assert_eq!(report, scores(&[NET, "--benchmark", name, "--threads", "1"]));
    // The judge agrees with itself better than chance does.
    let random = scores(&["random", "--benchmark", name]);
    assert!(number(&report["error_rate"]["mean"]) < number(&random["error_rate"]["mean"]));
    let people = run(["evaluate", NET, "--benchmark", name]);
    assert_code(&people, 0);
    assert!(stdout(&people).contains("mother-fight"));

    let text = std::fs::read_to_string(&path).unwrap();
    for (damaged, line) in [
        (text.replacen("\"number\":4", "\"number\":5", 1), "line 6"),
        (text[..text.len() - 50].to_owned(), "line 13"),
        (text.replacen("mahbusa-benchmark", "something", 1), "line 1"),
        (String::new(), "line 1"),
        (text.lines().take(1).map(|head| head.replacen("\"decisions\":12", "\"decisions\":0", 1)).collect(), "line 1"),
    ] {
        let path = folder.write("damaged.jsonl", damaged);
        let said = assert_code(&run(["evaluate", NET, "--benchmark", path.to_str().unwrap()]), 3);
        assert!(said.contains(line) && said.contains("damaged.jsonl"), "{line}: {said}");
    }
    assert_code(&run(["evaluate", NET, "--benchmark", "no/such/file"]), 2);
}

#[test]
fn a_benchmark_is_no_match_and_has_its_rules() {
    let folder = Folder::new();
    for arguments in [["--against", "random"], ["--games", "10"]] {
        assert_code(&run(["evaluate", "heuristic", "--benchmark"].iter().chain(&arguments)), 2);
    }
    let tapa = crate::command::trained(&folder, &["train.games=64", "rules=tapa"]);
    let tapa = tapa.to_str().unwrap();
    assert_eq!(scores(&[tapa, "--benchmark"])["rules"], "tapa");
    let of_mahbusa = ["evaluate", tapa, "--benchmark", "--rules", "mahbusa"];
    assert!(assert_code(&run(of_mahbusa), 2).contains("trained on tapa"));
    assert_code(&run(of_mahbusa.iter().chain(&["--force-rules"])), 0);
    let path = folder.join("set.jsonl");
    assert_code(&run(small(&path)), 0);
    let said = assert_code(&run(["evaluate", NET, "--benchmark", path.to_str().unwrap(), "--rules", "mahbusa"]), 2);
    assert!(said.contains("--rules"), "{said}");
}
