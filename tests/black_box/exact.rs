//! `solve` and `evaluate --exact`.

use crate::command::{Folder, assert_code, json, mahbusa, run, stdout, trained};

#[test]
fn a_small_game_is_worth_what_it_is_worth() {
    for (rules, placements, equity) in [
        ("mahbusa,checkers=1", 649, 0.651_44),
        ("tapa,checkers=1", 649, 0.651_44),
        ("plakoto,checkers=2", 119_701, 0.323_34),
    ] {
        let output = run(["solve", rules, "--json", "-q"]);
        assert_code(&output, 0);
        let solved = &json(&output)[0];
        assert_eq!(solved["placements"], placements);
        assert!((solved["equity"].as_f64().unwrap() - equity).abs() < 1e-5, "{solved}");
    }
}

#[test]
fn a_query_is_answered_by_value_or_by_ranked_plays() {
    let start = "mahbusa,checkers=2:B22b:0.0:w:-:0.0.0";
    let dice = "mahbusa,checkers=2:B22b:0.0:w:64:0.0.0";
    let arguments =
        ["solve", "mahbusa,checkers=2", "--json", "-q", "--query", start, "--query", dice, "--query", "tapa:O22o"];
    let output = run(arguments);
    assert_code(&output, 1);
    let [value, plays, bad] = &json(&output)[..] else { panic!("{}", stdout(&output)) };
    assert!((value["equity"].as_f64().unwrap() - 0.323_34).abs() < 1e-5);
    let plays = plays["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 2);
    assert!(plays[0]["equity"].as_f64() >= plays[1]["equity"].as_f64());
    assert!(bad["error"].is_string());
    let other = run(["solve", "mahbusa,checkers=2", "-q", "--query", "tapa,checkers=2:B22b:0.0:w:-:0.0.0"]);
    assert!(assert_code(&other, 1).contains("the game that was solved is mahbusa,checkers=2"));
}

#[test]
fn the_bear_off_table_answers_for_races_only() {
    // White has a checker on the 1-point and rolls first.
    let race = "mahbusa:5a17A:14.14:w:-:0.0.0";
    let output = run(["solve", "bear-off", "--json", "-q", "--query", race]);
    assert_code(&output, 0);
    assert_eq!(json(&output)[0]["equity"], 1.0);
    let contact = run(["solve", "bear-off", "-q", "--query", "mahbusa:O22o:0.0:w:-:0.0.0"]);
    assert!(assert_code(&contact, 1).contains("expected all checkers of both sides at home or off"));
    let whole = run(["solve", "bear-off", "--json", "-q"]);
    assert!(json(&whole)[0]["one_sided_error"]["mean"].as_f64().unwrap() < 0.002);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    assert!(
        assert_code(&run(["solve", "mahbusa"]), 2)
            .contains("expected at most 3 checkers a side, such as mahbusa,checkers=3")
    );
    assert!(assert_code(&run(["solve", "chess"]), 2).contains("or write `bear-off`"));
}

#[test]
fn a_damaged_table_is_made_again_and_a_folder_that_cannot_be_used_is_no_hindrance() {
    let folder = Folder::new();
    let solve = |cache: &str| {
        let mut command = mahbusa(["solve", "tapa,checkers=1", "--json"]);
        command.env("MAHBUSA_CACHE", folder.join(cache)).output().unwrap()
    };
    let equity = |output: &_| json(output)[0]["equity"].clone();
    let first = solve("cache");
    assert!(assert_code(&first, 0).contains("kept in"));
    assert!(assert_code(&solve("cache"), 0).contains("read"));
    std::fs::write(folder.join("cache").join("tapa,checkers=1.table"), b"no table").unwrap();
    let again = solve("cache");
    assert!(assert_code(&again, 0).contains("made again"));
    folder.write("file", "in the way");
    let without = solve("file");
    assert!(assert_code(&without, 0).contains("could not be kept"));
    assert_eq!((equity(&again), equity(&without)), (equity(&first), equity(&first)));
}

#[test]
fn a_net_is_held_against_the_truth_of_its_game() {
    let folder = Folder::new();
    let model = trained(&folder, &["rules=\"mahbusa,checkers=2\""]);
    let output = run(["evaluate", model.to_str().unwrap(), "--exact", "--json", "-q"]);
    assert_code(&output, 0);
    let report = &json(&output)[0];
    let game = &report["game"];
    assert_eq!(game["placements"], 119_701);
    let lost = &game["lost_per_game"];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    assert!(number(&lost["opening"]) > 0.0 && number(&lost["replying"]) > 0.0, "{lost}");
    assert!((number(&lost["mean"]) - (number(&lost["opening"]) + number(&lost["replying"])) / 2.0).abs() < 1e-9);
    assert!(number(&game["weighted"]["mean_error"]) < number(&game["reachable"]["largest_error"]));
    for positions in ["bear_off", "bear_off_in_games"] {
        assert!(number(&report[positions]["positions"]) > 0.0, "{positions}");
    }
    assert!(assert_code(&run(["evaluate", model.to_str().unwrap(), "--exact", "--games", "4"]), 2).contains("--games"));
    assert!(
        assert_code(&run(["evaluate", "heuristic", "--exact"]), 2).contains("`heuristic` is a player without a net")
    );
}
