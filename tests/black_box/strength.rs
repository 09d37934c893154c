//! `evaluate` and `inspect`.

use crate::command::{Folder, assert_code, json, lines_in, mahbusa, run, signal, start, stdout, trained, wait_until};

#[test]
fn a_model_against_itself_gets_exactly_nothing() {
    let folder = Folder::new();
    let model = trained(&folder, &["train.games=64"]);
    let model = model.to_str().unwrap();
    let verdict = &json(&run(["evaluate", model, "--against", model, "--games", "40", "--json"]))[0];
    let zero = serde_json::json!({"mean": 0.0, "low": 0.0, "high": 0.0});
    let half = serde_json::json!({"mean": 0.5, "low": 0.5, "high": 0.5});
    assert_eq!((&verdict["points_per_game"], &verdict["win_rate"]), (&zero, &half));
    assert_eq!(verdict["games"], 40);
}

#[test]
fn the_same_seed_gives_the_same_verdict_on_any_number_of_threads() {
    let verdict = |seed: &str, threads: &str| {
        let output = run([
            "evaluate",
            "heuristic",
            "--against",
            "random",
            "--games",
            "100",
            "--json",
            "--seed",
            seed,
            "--threads",
            threads,
        ]);
        json(&output)[0]["points_per_game"].clone()
    };
    assert_eq!(verdict("3", "1"), verdict("3", "2"));
    assert_ne!(verdict("3", "1"), verdict("4", "1"));
}

#[test]
fn rules_that_a_net_was_not_trained_on_are_refused_unless_forced() {
    let folder = Folder::new();
    let model = trained(&folder, &["train.games=64"]);
    let model = model.to_str().unwrap();
    let arguments = ["evaluate", model, "--rules", "tapa", "--games", "4"];
    assert!(assert_code(&run(arguments), 2).contains("--force-rules"));
    assert_code(&run(arguments.iter().chain(&["--force-rules"])), 0);
}

#[test]
fn the_frozen_net_is_known_by_its_name_in_any_folder_and_plays_both_games() {
    let folder = Folder::new();
    let elsewhere = |arguments: &[&str]| mahbusa(arguments).current_dir(folder.join("")).output().unwrap();
    let report = &json(&elsewhere(&["inspect", "td-200k", "--json"]))[0];
    assert_eq!((&report["rules"], &report["games"]), (&"mahbusa".into(), &200_000.into()));
    let report = &json(&elsewhere(&["inspect", "td-200k-tapa", "--json"]))[0];
    assert_eq!(report["rules"], "tapa");
    for rules in ["mahbusa", "tapa"] {
        let arguments = ["evaluate", "heuristic", "--against", "td-200k", "--rules", rules, "--games", "400", "--json"];
        let verdict = &json(&elsewhere(&arguments))[0];
        assert!(verdict["points_per_game"]["high"].as_f64().unwrap() < 0.0, "{verdict}");
    }
    let few = ["evaluate", "td-200k", "--against", "random", "--rules", "mahbusa,checkers=3", "--games", "4"];
    assert!(assert_code(&elsewhere(&few), 2).contains("--force-rules"));
    assert_code(&elsewhere(&[&few[..], &["--force-rules"]].concat()), 0);
}

#[test]
fn a_test_ends_when_it_is_clear_and_at_the_same_game_on_any_number_of_threads() {
    let ask = |model: &str, difference: &str, games: &str, threads: &str| {
        let arguments = ["evaluate", model, "--against", "heuristic", "--until-clear", difference, "--games", games];
        run(arguments.iter().chain(&["--threads", threads, "--json"]))
    };
    for (model, difference, games, finding, code) in [
        ("random", "0.1", "10000", "weaker", 0),
        ("td-200k", "0.2", "10000", "stronger", 0),
        ("heuristic", "0.2", "10000", "close", 0),
        ("heuristic", "0.01", "1000", "not-clear", 1),
    ] {
        let one = ask(model, difference, games, "1");
        assert_code(&one, code);
        let verdict = &json(&one)[0];
        assert_eq!(verdict["sequential"]["finding"], finding, "{verdict}");
        assert!(code == 1 || verdict["games"].as_u64().unwrap() < 10_000, "{verdict}");
        assert_eq!(json(&ask(model, difference, games, "3"))[0], *verdict);
    }
    let output = run(["evaluate", "heuristic", "--against", "random", "--until-clear", "0.1"]);
    assert_code(&output, 0);
    assert!(stdout(&output).contains("clear: it is stronger"));
}

#[test]
fn an_interrupt_says_what_is_known_so_far() {
    let folder = Folder::new();
    let save = folder.join("games.jsonl");
    let arguments = |games: &'static str| ["evaluate", "td-200k", "--games", games, "--json", "-q"];
    let child = start(mahbusa(arguments("100000000")).arg("--save").arg(&save));
    wait_until(|| lines_in(&save) > 0);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_code(&output, 130);
    let verdict = &json(&output)[0];
    let games = verdict["games"].as_u64().unwrap();
    assert!((2..100_000_000).contains(&games));
    let games: &str = games.to_string().leak();
    assert_eq!(json(&run(arguments(games)))[0], *verdict, "the beginning of the whole");
}

#[test]
fn games_that_were_saved_are_not_played_again() {
    let folder = Folder::new();
    let save = folder.join("games.jsonl");
    let ask = |games: &str, more: &[&str]| {
        let arguments = ["evaluate", "heuristic", "--against", "random", "--json", "--games", games];
        let output = run(arguments.iter().chain(more));
        assert_code(&output, 0);
        json(&output)[0].clone()
    };
    let saved = ["--save", save.to_str().unwrap()];
    assert_eq!(ask("60", &saved), ask("60", &[]));
    let lines = || std::fs::read_to_string(&save).unwrap().lines().count();
    let before = lines();
    assert_eq!(ask("40", &saved), ask("40", &[]));
    assert_eq!(lines(), before, "nothing new");
    assert_eq!(ask("100", &saved), ask("100", &[]));
    assert!(lines() > before);
}

#[test]
fn inspect_says_what_a_net_is() {
    let folder = Folder::new();
    let model = trained(&folder, &["train.games=96", "rules=tapa"]).join("final.mnet");
    let report = &json(&run(["inspect", model.to_str().unwrap(), "--json"]))[0];
    assert_eq!((&report["rules"], &report["hidden"], &report["games"]), (&"tapa".into(), &16.into(), &96.into()));
    assert_eq!(report["bytes"].as_u64(), Some(std::fs::metadata(model).unwrap().len()));
    assert_eq!(report["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn bench_reports_speeds() {
    let speeds = &json(&run(["bench", "--seconds", "0.05", "--json"]))[0];
    for key in ["results", "evaluations_from_scratch", "evaluations_incremental", "selfplay_games", "learner_positions"]
    {
        assert!(speeds[key].as_f64().unwrap() > 0.0, "{key}");
    }
    for (ply, decisions) in (2..).zip(speeds["decisions"].as_array().unwrap()) {
        assert_eq!(decisions["ply"], ply);
        let [median, slow] = ["median", "percentile_95"].map(|key| decisions[key].as_f64().unwrap());
        assert!(0.0 < median && median <= slow, "{decisions}");
    }
}
