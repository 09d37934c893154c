//! `evaluate --record`: games of a measurement as match files.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::command::{Folder, assert_code, json, root, run, stdout};

/// Two players of whom none is a net of a file: quick, and each loses now and then.
const PLAYERS: [&str; 4] = ["evaluate", "heuristic", "--against", "td-200k"];

/// The files of a folder by name, as lines.
fn files(folder: &Path) -> BTreeMap<String, Vec<Value>> {
    let lines =
        |path| std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), lines(entry.path()))).collect()
}

/// Asks for a measurement; the answer.
fn measured(arguments: &[&str]) -> Value {
    let output = run(PLAYERS.iter().chain(["--json", "--seed", "3"].iter()).chain(arguments));
    assert_code(&output, 0);
    json(&output)[0].clone()
}

#[test]
fn recorded_games_are_those_that_were_counted() {
    let folder = Folder::new();
    let record = folder.join("games");
    let path = record.to_str().unwrap();
    let verdict = measured(&["--games", "24", "--record", path, "--record-games", "100"]);
    assert_eq!(verdict, measured(&["--games", "24"]), "to record changes nothing");
    let files = files(&record);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        (names.len(), &names[..3]),
        (24, &["pair-000000-a.jsonl", "pair-000000-b.jsonl", "pair-000001-a.jsonl"][..])
    );

    let mut rates: BTreeMap<String, f64> = BTreeMap::new();
    let (mut points, mut turns) = (0, 0);
    for (name, lines) in &files {
        let [head, game, .., last, end] = &lines[..] else { panic!("{name}") };
        assert_eq!((&head["seed"], &head["pair"]), (&3.into(), &name[5..11].parse::<u64>().unwrap().into()));
        assert_eq!((&head["white"]["name"], &head["black"]["name"]), (&"heuristic".into(), &"td-200k".into()));
        let opener = if name.contains("-a.") { "white" } else { "black" };
        assert_eq!((&game["opener"], &game["opening"]), (&opener.into(), &Value::Array(Vec::new())));
        let gained = end["points"].as_i64().unwrap();
        let (sign, won) = if end["winner"] == "white" { (1, "win") } else { (-1, "lose") };
        let how = end["end"].as_str().unwrap();
        points += sign * gained;
        turns += last["turn"].as_u64().unwrap();
        *rates.entry(if how == "draw" { how.to_owned() } else { format!("{won}_{how}") }).or_default() += 1.0;
    }
    let close = |found: &Value, expected: f64| (found.as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(close(&verdict["points_per_game"]["mean"], points as f64 / 24.0), "{points} {verdict}");
    assert!(close(&verdict["plies"], turns as f64 / 24.0), "{turns} {verdict}");
    for (kind, rate) in verdict["rates"].as_object().unwrap() {
        assert!(close(rate, rates.get(kind).unwrap_or(&0.0) / 24.0), "{kind} {rates:?} {verdict}");
    }
    assert!(rates.keys().any(|kind| kind.starts_with("win")) && rates.keys().any(|kind| kind.starts_with("lose")));
}

#[test]
fn a_recorded_game_is_analysed_and_its_dice_are_those_of_the_program_in_the_document() {
    let folder = Folder::new();
    let record = folder.join("games");
    let net = "models/mahbusa-1-small/net.mnet";
    let path = record.to_str().unwrap();
    let output =
        run(["evaluate", net, "--against", "mahbusa-1-small", "--against-ply", "2", "--games", "4", "--record", path]);
    let said = assert_code(&output, 0);
    assert!(
        said.contains(&format!(
            "4 games in {path}; `mahbusa analyze-game {path}/pair-000000-a.jsonl` goes through one"
        )),
        "{said}"
    );
    assert!(!stdout(&output).contains("pair-"));
    let files = files(&record);
    let head = &files["pair-000001-b.jsonl"][0];
    assert_eq!(
        (&head["white"]["name"], &head["black"]["name"]),
        (&"mahbusa-1-small/net.mnet".into(), &"mahbusa-1-small (2-ply)".into())
    );
    assert_eq!((&head["white"]["net"]["model"], &head["black"]["net"]["ply"]), (&net.into(), &2.into()));

    let game = record.join("pair-000001-b.jsonl");
    let output = run(["analyze-game", game.to_str().unwrap(), "--ply", "1", "--json"]);
    assert_code(&output, 0);
    let analysis = &json(&output)[0];
    assert_eq!((&analysis["seed"], &analysis["pair"]), (&1.into(), &1.into()));
    assert_eq!(analysis["white"]["lost"], 0.0, "the net finds no fault with itself");
    let rolled: Vec<String> = files["pair-000001-b.jsonl"]
        .iter()
        .filter_map(|line| line["position"].as_str()?.split(':').nth(4).map(str::to_owned))
        .collect();
    assert!(rolled.len() > 20);
    let script = root().join("docs/examples/python/dice.py");
    if let Ok(output) =
        std::process::Command::new("python3").arg(script).args(["1", "1", &rolled.len().to_string()]).output()
    {
        assert_eq!(stdout(&output).split_whitespace().collect::<Vec<_>>(), rolled);
    }
    assert_code(&run(["play", "--resume", game.to_str().unwrap()]), 2);
}

#[test]
fn games_that_were_saved_are_recorded_too_and_others_than_were_counted_are_not() {
    let folder = Folder::new();
    let [fresh, again, never] = ["fresh", "again", "never"].map(|name| folder.join(name));
    let save = folder.join("pairs.jsonl");
    let kept = ["--games", "8", "--save", save.to_str().unwrap(), "--record-games", "4", "--record"];
    let with = |record: &Path| measured(&[&kept[..], &[record.to_str().unwrap()]].concat());
    assert_eq!(with(&fresh), with(&again), "the second time all games are in the file");
    assert_eq!((files(&fresh).len(), files(&fresh)), (4, files(&again)));

    // Somebody else counts the first game otherwise.
    let text = std::fs::read_to_string(&save).unwrap();
    let letters = text.split("\"games\":\"").nth(1).unwrap();
    let other = if letters.starts_with('S') { "s" } else { "S" };
    std::fs::write(&save, text.replacen(&format!("\"games\":\"{}", &letters[..1]), &format!("\"games\":\"{other}"), 1))
        .unwrap();
    let output = run(PLAYERS.iter().chain(["--seed", "3"].iter()).chain(&kept).chain([&never.to_str().unwrap()]));
    assert!(assert_code(&output, 3).contains("pair 0 goes otherwise now than it was counted"));
    assert!(stdout(&output).contains("points per game") && !never.exists());
}

#[test]
fn a_record_replaces_nothing_and_is_refused_before_anything_is_played() {
    let folder = Folder::new();
    let there = folder.write("there", "mine");
    let path = there.to_str().unwrap();
    let refused = |arguments: &[&str], says: &str| {
        let output = run(PLAYERS.iter().chain(arguments));
        let said = assert_code(&output, 2);
        assert!(said.contains(says), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    };
    refused(&["--record", path], "there is there already: expected the name of a new folder");
    refused(&["--record", folder.join("").to_str().unwrap()], "is there already");
    refused(&["--record", folder.join("no/such").to_str().unwrap()], "there is no folder");
    let new = folder.join("new");
    let new = new.to_str().unwrap();
    refused(&["--record", new, "--save", new], "--save and --record name the same file");
    for wrong in ["0", "3", "10002", "-2", "many"] {
        refused(&["--record", new, &format!("--record-games={wrong}")], "an even number, 2 to 10000");
    }
    refused(&["--record-games", "2"], "--record");
    refused(&["--benchmark", "--record", new], "cannot be used with");
    assert_eq!(std::fs::read_to_string(there).unwrap(), "mine");
    assert_eq!(std::fs::read_dir(folder.join("")).unwrap().count(), 1);
}
