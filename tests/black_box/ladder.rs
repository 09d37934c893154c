//! `ladder`.

use serde_json::Value;

use crate::command::{
    Folder, assert_code, json, lines_in, mahbusa, run, signal, start, stdout, tiny, trained, wait_until,
};

fn names(ladder: &Value) -> Vec<&str> {
    ladder["players"].as_array().unwrap().iter().map(|player| player["player"].as_str().unwrap()).collect()
}

#[test]
fn baselines_stand_in_their_order() {
    let arguments = ["ladder", "random", "heuristic", "td-200k", "--games", "200"];
    let ladder = &json(&run(arguments.iter().chain(&["--json", "--threads", "1"])))[0];
    assert_eq!(names(ladder), ["random", "heuristic", "td-200k"]);
    let players = ladder["players"].as_array().unwrap();
    let ranks: Vec<u64> = players.iter().map(|player| player["rank"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [3, 2, 1]);
    assert_eq!((&ladder["reference"], &ladder["games"]), (&"heuristic".into(), &200.into()));
    assert_eq!(players[1]["elo"], serde_json::json!({"mean": 0.0, "low": 0.0, "high": 0.0}));
    for player in players {
        for key in ["elo", "points_per_game", "win_rate"] {
            let end = |end: &str| player[key][end].as_f64().unwrap();
            assert!(end("low") <= end("mean") && end("mean") <= end("high"), "{key} of {player}");
        }
    }
    assert_eq!(ladder["meetings"].as_array().unwrap().len(), 3);
    assert_eq!(*ladder, json(&run(arguments.iter().chain(&["--json", "--threads", "3"])))[0], "threads change nothing");

    // A meeting is the same as in `evaluate`.
    let evaluated = &json(&run(["evaluate", "random", "--against", "td-200k", "--games", "200", "--json"]))[0];
    let meeting = &ladder["meetings"][1];
    assert_eq!((&meeting["player"], &meeting["opponent"]), (&"random".into(), &"td-200k".into()));
    assert_eq!(meeting["points_per_game"], evaluated["points_per_game"]);

    let first = |arguments: &[&str]| {
        let text = stdout(&run(arguments));
        let row = text.lines().nth(2).unwrap();
        row.split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!(first(&arguments), "td-200k");
    assert_eq!(first(&[&arguments[..], &["--in-order"]].concat()), "random");
}

#[test]
fn a_run_is_ranked_from_its_beginning() {
    let folder = Folder::new();
    let path = trained(&folder, &["evaluation.every=200"]);
    let run_name = path.to_str().unwrap();
    let output = run(["ladder", run_name, "random", "--games", "20", "--json"]);
    assert_code(&output, 0);
    let ladder = &json(&output)[0];
    let of_run = |games: u64| format!("{run_name}@{games}");
    // Measurements at the end of the generations, of 32 games, that reach 200, 400, ... games; checkpoints every 250 games, of which two are kept.
    let kept = [224, 416, 608, 768, 800, 1000].map(of_run);
    assert_eq!(names(ladder)[..6], kept.each_ref().map(String::as_str));
    assert_eq!(names(ladder)[6..], ["random"]);
    assert_eq!(ladder["players"][1]["trained"], 416);

    let report = &json(&run(["inspect", &kept[1], "--json"]))[0];
    assert_eq!(report["games"], 416);
    let said = assert_code(&run(["inspect", &of_run(417)]), 2);
    assert!(said.contains("no net after 417 games") && said.contains("416"), "{said}");
}

#[test]
fn a_run_keeps_its_nets_unless_it_is_told_not_to() {
    let folder = Folder::new();
    let path = folder.join("run");
    assert_code(&run(tiny(&path, &["output.keep_nets=false"])), 0);
    assert!(!path.join("nets").exists());
    assert_code(&run(["ladder", path.to_str().unwrap(), "heuristic", "--games", "4"]), 0);
}

#[test]
fn a_ladder_that_was_killed_goes_on_where_it_was() {
    let folder = Folder::new();
    let save = folder.join("ladder.jsonl");
    let arguments =
        |games: &'static str| ["ladder", "random", "heuristic", "td-200k", "--json", "-q", "--games", games];
    let saving = |games| {
        arguments(games).map(str::to_owned).into_iter().chain(["--save".to_owned(), save.display().to_string()])
    };
    let mut child = start(&mut mahbusa(saving("1000000")));
    wait_until(|| lines_in(&save) >= 7);
    let busy = run(saving("100"));
    assert!(assert_code(&busy, 2).contains("another process"));
    signal(&child, "KILL");
    child.wait().unwrap();
    let output = run(saving("100"));
    assert_code(&output, 0);
    assert_eq!(json(&output), json(&run(arguments("100"))));
}

#[test]
fn an_interrupted_ladder_ranks_by_what_was_played() {
    let folder = Folder::new();
    let save = folder.join("games.jsonl");
    let arguments = ["ladder", "random", "heuristic", "--json", "--games", "10000000", "--save"];
    let child = start(&mut mahbusa(arguments.iter().chain([&save.to_str().unwrap()])));
    wait_until(|| lines_in(&save) > 0);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert!(assert_code(&output, 130).contains("interrupted"));
    let ladder = &json(&output)[0];
    let games = ladder["games"].as_u64().unwrap();
    assert!((2..10_000_000).contains(&games), "{games}");
    let whole = run(["ladder", "random", "heuristic", "--json", "--games", &games.to_string()]);
    assert_eq!(json(&whole)[0], *ladder);
}

#[test]
fn what_is_no_ladder_is_refused() {
    let folder = Folder::new();
    let diary = folder.write("diary.txt", "dear diary\n");
    for (arguments, code, says) in [
        (vec!["ladder"], 2, "required"),
        (vec!["ladder", "heuristic"], 2, "two different players"),
        (vec!["ladder", "heuristic", "heuristic"], 2, "two different players"),
        (vec!["ladder", "heuristic", "nobody"], 2, "nobody"),
        (vec!["ladder", "heuristic", "random", "--games", "3"], 2, "even"),
        (vec!["ladder", "heuristic", "td-200k", "--rules", "tapa,checkers=2"], 2, "--force-rules"),
        (vec!["ladder", "heuristic", "random", "--save", diary.to_str().unwrap()], 3, "diary.txt"),
        (vec!["ladder", "heuristic", "random", "--save", "no/such/folder/x"], 2, "no/such/folder"),
        (vec!["evaluate", "heuristic", "--until-clear", "0"], 2, "0.001..=2"),
        (vec!["evaluate", "heuristic", "--until-clear", "nan"], 2, "0.001..=2"),
    ] {
        let said = assert_code(&run(&arguments), code);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    assert_eq!(std::fs::read_to_string(diary).unwrap(), "dear diary\n");
}

#[test]
fn a_few_games_make_nobody_sure() {
    let output = run(["ladder", "heuristic", "random", "--games", "4", "--json", "-q"]);
    assert_code(&output, 0);
    let random = &json(&output)[0]["players"][1];
    assert!(random["elo"]["low"].is_null() && random["elo"]["high"].is_null(), "{random}");
    assert!(json(&output)[0]["players"][0]["above_next"].is_null());
}

#[test]
fn a_test_that_could_not_even_look_is_refused() {
    let arguments = ["evaluate", "heuristic", "--against", "random", "--until-clear", "0.5", "--games", "126"];
    assert!(assert_code(&run(arguments), 2).contains("expected at least 128 with --until-clear"));
}
