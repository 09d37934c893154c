//! `evaluate` and `inspect`.

use crate::command::{Folder, assert_code, json, run, trained};

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
}
