//! `play` and `analyze-game`, driven through standard input.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Output, Stdio};

use serde_json::{Value, json};

use crate::command::{
    Folder, assert_code, json as objects, lines_in, mahbusa, root, run, run_with_input, signal, start, stderr, stdout,
    wait_until,
};

/// A small trained net of Mahbusa.
const NET: &str = "models/mahbusa-1-small/net.mnet";

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The lines of a saved match.
fn lines(path: &Path) -> Vec<Value> {
    text(path).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The turns among them.
fn turns(path: &Path) -> Vec<Value> {
    lines(path).into_iter().filter(|line| line.get("turn").is_some()).collect()
}

/// Plays with a script; what was said.
fn play(arguments: &[&str], script: &str) -> String {
    let output = played(arguments, script);
    assert_code(&output, 0);
    stdout(&output)
}

fn played(arguments: &[&str], script: &str) -> Output {
    let all: Vec<&str> = ["play"].iter().chain(arguments).copied().collect();
    run_with_input(&all, script.as_bytes())
}

/// A player who takes the first play of the list each time.
fn first(turns: usize) -> String {
    "1\n".repeat(turns)
}

#[test]
fn a_match_is_played_to_its_end_and_analysed() {
    let folder = Folder::new();
    let file = folder.join("match.jsonl");
    let path = file.to_str().unwrap();
    let said = play(&["--model", NET, "--ply", "1", "--match", "3", "--seed", "5", "--save", path], &first(1000));
    assert!(
        said.contains("Game 1. You are White. Opening roll: ") && said.contains("Game 2. You are White. "),
        "{said}"
    );
    assert!(said.contains("of 3 points") && !said.contains('\x1b'), "{said}");
    assert!(said.ends_with(&format!("saved in {path}; `mahbusa analyze-game {path}` goes through it\n")), "{said}");
    let lines = lines(&file);
    assert_eq!(
        (&lines[0]["seed"], &lines[0]["length"], &lines[0]["white"]["name"]),
        (&json!(5), &json!(3), &json!("you"))
    );
    let end = lines.last().unwrap();
    assert!(end["white"].as_u64().unwrap().max(end["black"].as_u64().unwrap()) >= 3, "{end}");

    let output = run(["analyze-game", path, "--ply", "1", "--json"]);
    assert_code(&output, 0);
    let analysis = &objects(&output)[0];
    assert_eq!(analysis["turns"].as_array().unwrap().len(), turns(&file).len());
    assert_eq!(analysis["black"]["lost"], 0.0, "the net finds no fault with itself");
    assert!(analysis["white"]["lost"].as_f64().unwrap() > 1.0);
    assert_eq!(analysis["score"]["of_match"], true);
    let table = stdout(&run(["analyze-game", path, "--model", NET]));
    for says in
        ["game 1, 0-0 of 3", "error rate, millipoints a decision", "luck in the match", "the worst plays", "BLUNDER"]
    {
        assert!(table.contains(says), "{says}: {table}");
    }
    assert!(play(&["--resume", path], "").contains("goes through it"), "a match that is over says so");
    assert_eq!(self::lines(&file), lines);
}

#[test]
fn a_match_that_is_left_and_resumed_goes_as_if_it_had_not_been_left() {
    let folder = Folder::new();
    let [whole, parts] = ["whole.jsonl", "parts.jsonl"].map(|name| folder.join(name));
    let arguments = |path: &'static str| ["--model", NET, "--ply", "1", "--seed", "6", "--side", "black", path];
    let with = |path: &Path, script: &str| {
        let mut arguments = arguments("--save").to_vec();
        arguments.push(path.to_str().unwrap());
        play(&arguments, script)
    };
    with(&whole, &first(500));
    let said = with(&parts, &first(3));
    let path = parts.to_str().unwrap();
    assert!(said.ends_with(&format!("saved in {path}; `mahbusa play --resume {path}` goes on\n")), "{said}");
    assert!(play(&["--resume", path], &(first(4) + "quit\n")).contains("goes on at turn "));
    play(&["--resume", path], &first(500));
    assert_eq!(text(&parts), text(&whole));
}

/// Starts a match that waits for the player, who has made some turns.
fn waiting(path: &Path, turns: usize) -> (Child, std::process::ChildStdin) {
    let arguments = ["play", "--model", NET, "--ply", "1", "--seed", "7", "--save", path.to_str().unwrap()];
    let mut child = start(mahbusa(arguments).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(first(turns).as_bytes()).unwrap();
    // Both sides' turns, and whoever begins.
    wait_until(|| lines_in(path) >= 2 + 2 * turns);
    (child, stdin)
}

#[test]
fn an_interrupt_says_how_to_go_on_and_a_kill_loses_nothing() {
    let folder = Folder::new();
    for (name, code) in [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)] {
        let file = folder.join(&format!("{name}.jsonl"));
        let (child, stdin) = waiting(&file, 5);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!(output.status.code(), code, "{}", stderr(&output));
        let path = file.to_str().unwrap();
        assert_eq!(stderr(&output).contains(&format!("`mahbusa play --resume {path}` goes on")), code.is_some());
        let before = text(&file);
        play(&["--resume", path], &first(1));
        assert!(text(&file).starts_with(&before) && text(&file).len() > before.len());
    }
}

/// A match whose file is touched after some turns; what was said, and the match as it would be without that.
fn touched(folder: &Folder, name: &str, touch: impl Fn(&Path)) -> (String, String) {
    let whole = folder.join(&format!("{name}-whole.jsonl"));
    play(&["--model", NET, "--ply", "1", "--seed", "7", "--save", whole.to_str().unwrap()], &first(6));
    let file = folder.join(&format!("{name}.jsonl"));
    let (child, mut stdin) = waiting(&file, 3);
    touch(&file);
    stdin.write_all(first(3).as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_code(&output, 0);
    (stdout(&output), text(&whole))
}

#[test]
fn a_match_is_not_lost_whatever_becomes_of_its_file() {
    let folder = Folder::new();
    let (said, whole) = touched(&folder, "gone", |file| std::fs::remove_file(file).unwrap());
    assert!(said.contains("gone.jsonl was gone: the whole match has been written there again"), "{said}");
    assert_eq!(text(&folder.join("gone.jsonl")), whole);

    let replace = |file: &Path| {
        std::fs::remove_file(file).unwrap();
        std::fs::write(file, "a letter").unwrap();
    };
    let cut = |file: &Path| std::fs::OpenOptions::new().write(true).open(file).unwrap().set_len(100).unwrap();
    for (name, touch) in [("replaced", &replace as &dyn Fn(&Path)), ("cut", &cut)] {
        let (said, whole) = touched(&folder, name, touch);
        let moved = folder.join(&format!("{name}-2.jsonl"));
        let path = moved.to_str().unwrap();
        assert!(said.contains(&format!("left alone: the whole match is in {path} now")), "{said}");
        assert!(said.ends_with(&format!("saved in {path}; `mahbusa play --resume {path}` goes on\n")), "{said}");
        assert_eq!(text(&moved), whole);
    }
    assert_eq!(text(&folder.join("replaced.jsonl")), "a letter");
    assert_eq!(text(&folder.join("cut.jsonl")).len(), 100);

    // Gone while nothing is played: leaving writes it again.
    let file = folder.join("left.jsonl");
    let (child, stdin) = waiting(&file, 1);
    let before = text(&file);
    std::fs::remove_file(&file).unwrap();
    drop(stdin);
    assert_code(&child.wait_with_output().unwrap(), 0);
    assert_eq!(text(&file), before);
}

#[test]
fn empty_lines_at_the_end_of_a_match_are_none_of_it() {
    let folder = Folder::new();
    let file = folder.join("match.jsonl");
    let path = file.to_str().unwrap();
    play(&["--model", NET, "--ply", "1", "--seed", "7", "--save", path], &first(2));
    let before = text(&file);
    for ending in ["\n", "\n \n\n", "\r\n"] {
        std::fs::write(&file, format!("{before}{ending}")).unwrap();
        assert_code(&run(["analyze-game", path, "--ply", "1"]), 0);
        play(&["--resume", path], "");
        assert_eq!(text(&file), before);
    }
    std::fs::write(&file, before.replacen('\n', "\n\n", 1)).unwrap();
    assert!(assert_code(&run(["analyze-game", path]), 3).contains("match.jsonl:2"));
}

#[test]
fn everything_that_can_be_typed_is_answered() {
    let folder = Folder::new();
    let path = folder.join("one.jsonl");
    // A net that never changes; Black opens with 31, then there is 54.
    let arguments = ["--model", "td-200k", "--ply", "1", "--seed", "2336", "--save", path.to_str().unwrap(), "--ascii"];
    let script = "help\nmoves\nhint\npips\nposition\nlog\nsave\nresign\nfoo\n24/1\n0\n99\n\n24/19\nmoves\nundo\n24/15\nundo\nboard\nlog\nresign yes\n";
    let said = play(&arguments, script);
    for expected in [
        "take back the last step",
        "   1. 24/19 24/20     2. 24/19 19/15",
        " points, wins ",
        "pips: you 360, they 356",
        "\nmahbusa:O19a1am:0.0:w:54:0.0.0\n",
        "   1. Black 31: 24/21 24/23",
        "--resume",
        "giving up costs what you can still lose, 2 of 2 points",
        "`foo` is neither a move",
        "`24/1` cannot be played here",
        "expected a number from 1 to 2",
        "2 plays; `moves` lists them",
        "You have moved 24/19; next: 24/20, 19/15",
        "You play 24/19 19/15",
        "Taken back: your last turn",
        "Game 1: you lose 2 points (given up).",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let kinds: Vec<&str> =
        text(&path).lines().map(|line| line[2..].split('"').next().unwrap().to_owned().leak() as &str).collect();
    assert_eq!(kinds, ["mahbusa", "game", "turn", "turn", "turn", "back", "end"]);
}

#[test]
fn circles_are_drawn_where_the_locale_has_them_and_colours_never_in_a_file() {
    let folder = Folder::new();
    let drawn = |name: &str, locale: &str, more: &[&str]| {
        let file = folder.join(name);
        let arguments = ["play", "--model", NET, "--seed", "7", "--save", file.to_str().unwrap()];
        let output = mahbusa(arguments.iter().chain(more)).env("LC_ALL", locale).output().unwrap();
        assert_code(&output, 0);
        stdout(&output)
    };
    let unicode = drawn("unicode.jsonl", "C.UTF-8", &[]);
    assert!(unicode.contains('○') && unicode.contains('┌') && !unicode.contains('\x1b'), "{unicode}");
    assert!(drawn("ascii.jsonl", "C.UTF-8", &["--ascii"]).is_ascii());
    if cfg!(target_os = "linux") {
        assert!(drawn("c.jsonl", "C", &[]).is_ascii());
    }
}

#[test]
fn without_a_name_the_match_is_saved_under_one_that_is_said() {
    let folder = Folder::new();
    let net = root().join(NET);
    let began = || {
        let arguments = ["play", "--model", net.to_str().unwrap(), "--rules", "mahbusa", "--seed", "12"];
        let output = mahbusa(arguments).current_dir(folder.join("")).output().unwrap();
        assert_code(&output, 0);
        stdout(&output)
    };
    assert!(began().contains("saved in games/mahbusa-12.jsonl"));
    assert!(began().contains("saved in games/mahbusa-12-2.jsonl"), "nothing is replaced");
    assert_eq!(lines(&folder.join("games/mahbusa-12.jsonl"))[0]["seed"], 12);
}

/// What `analyze` says of a position: its plays, the best first.
fn plays(position: &str, ply: &str) -> Vec<Value> {
    let output = run(["analyze", "--model", NET, "--ply", ply, "--json", position]);
    assert_code(&output, 0);
    objects(&output)[0]["plays"].as_array().unwrap().clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// As `docs/analysis.md` tells to do by hand.
#[test]
fn losses_and_luck_are_what_analyze_says_of_the_positions() {
    let folder = Folder::new();
    for (length, seed, key) in [("0", "8", "equity"), ("3", "9", "match_chance")] {
        let file = folder.join(&format!("{key}.jsonl"));
        let path = file.to_str().unwrap();
        let arguments = ["--model", NET, "--ply", "1", "--match", length, "--seed", seed, "--save", path];
        play(&arguments, &first(4));
        let analysis = &objects(&run(["analyze-game", path, "--json"]))[0];
        let turns = analysis["turns"].as_array().unwrap();
        let wrong = turns.iter().find(|turn| turn["lost"] != 0.0).unwrap();
        for turn in [wrong, turns.last().unwrap()] {
            let position = turn["position"].as_str().unwrap();
            let in_match = |name: &str| if length == "0" { &turn[name] } else { &turn[format!("match_{name}")] };

            let two_ply = plays(position, "2");
            let taken = two_ply.iter().find(|play| play["play"] == turn["played"]).unwrap();
            assert_eq!(taken["ply"], 2, "not left out at a glance: {turn}");
            let lost = number(&two_ply[0][key]) - number(&taken[key]);
            assert!((lost - number(in_match("lost"))).abs() < 1e-6, "{lost}: {turn}");
            assert_eq!(two_ply.len() as u64, turn["choices"].as_u64().unwrap());
            assert_eq!(two_ply[0]["play"], turn["best"]);

            // The roll that fell, less the mean over all.
            let (before, after) = position.split_at(position.match_indices(':').nth(3).unwrap().0 + 1);
            let best = |roll: &str| number(&plays(&format!("{before}{roll}{}", &after[2..]), "1")[0][key]);
            let mut luck = best(&after[..2]);
            for high in 1..=6 {
                for low in 1..=high {
                    let weight = if high == low { 1.0 } else { 2.0 };
                    luck -= weight / 36.0 * best(&format!("{high}{low}"));
                }
            }
            assert!((luck - number(in_match("luck"))).abs() < 1e-6, "{luck}: {turn}");
        }
    }
}

#[test]
fn what_a_level_plays_can_be_computed_again() {
    let folder = Folder::new();
    for name in ["std", "std-small"] {
        std::fs::create_dir(folder.join(name)).unwrap();
        std::fs::copy(root().join(NET), folder.join(name).join("net.mnet")).unwrap();
    }
    folder.write("std/levels.json", crate::levels::levels().to_string());
    let [model, file] = ["std", "level.jsonl"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let said = play(&["--model", &model, "--level", "2", "--match", "3", "--seed", "40", "--save", &file], &first(30));
    assert!(said.contains("Black: std (level 2)"), "{said}");
    let path = Path::new(&file);
    let (mut game, mut theirs, mut doubted) = (0, 0, 0);
    for line in lines(path) {
        game = line["game"].as_u64().unwrap_or(game);
        let Some(position) = line["position"].as_str().filter(|position| position.contains(":b:")) else { continue };
        let seed = (40 + game).to_string();
        let output = run(["analyze", "--model", &model, "--level", "2", "--seed", &seed, "--json", position]);
        let answer = &objects(&output)[0];
        assert_eq!(answer["chosen"], line["play"], "{line}");
        theirs += 1;
        doubted += u32::from(answer["chosen"] != answer["plays"][0]["play"]);
    }
    assert!(theirs > 20 && doubted > 2, "{theirs} {doubted}");
    assert!(play(&["--resume", &file], "").contains("goes on at turn"));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = Folder::new();
    let file = folder.join("good.jsonl");
    let good = file.to_str().unwrap();
    play(&["--model", NET, "--ply", "1", "--seed", "2336", "--save", good], &first(2));
    let refused = |arguments: &[&str], code: i32, says: &str| {
        let said = assert_code(&played(arguments, ""), code);
        assert!(said.contains(says), "{arguments:?}: {said}");
    };
    refused(&["--model", "no-such-model"], 2, "no-such-model");
    refused(&["--model", NET, "--rules", "tapa"], 2, "--force-rules");
    refused(&["--model", NET, "--match", "501"], 2, "expected a whole number, 0 to 500");
    refused(&["--model", NET, "--level", "3"], 2, "has no levels");
    refused(&["--model", NET, "--side", "red"], 2, "white");
    refused(&["--model", NET, "--save", good], 2, "is there already");
    refused(&["--model", NET, "--save", folder.join("no/such.jsonl").to_str().unwrap()], 2, "cannot create");
    refused(&["--resume", good, "--seed", "3"], 2, "--seed");
    refused(&["--resume", "no/such.jsonl"], 2, "no/such.jsonl");
    refused(&["--resume", NET], 3, "does not begin as a match");
    refused(&["--resume", good, "--model", "td-200k"], 2, "--model MODEL names another");
    let (told, head) = (text(&file), lines(&file)[0].clone());
    let damaged = folder.write("damaged.jsonl", text(&file).replacen(":31:", ":32:", 1));
    refused(
        &["--resume", damaged.to_str().unwrap()],
        3,
        "damaged.jsonl:3: position: expected mahbusa:O22o:0.0:b:31:0.0.0",
    );
    let people = folder.write("people.jsonl", format!("{}\n", r#"{"mahbusa":"match","format":2,"version":"0.1.0","rules":"mahbusa","length":0,"seed":1,"white":{"name":"a"},"black":{"name":"b"}}"#));
    refused(&["--resume", people.to_str().unwrap()], 2, "no match of a person against a net");

    let analysed = |arguments: &[&str], code: i32, says: &str| {
        let said = assert_code(&run(["analyze-game"].iter().chain(arguments)), code);
        assert!(said.contains(says), "{arguments:?}: {said}");
    };
    analysed(&[damaged.to_str().unwrap()], 3, "damaged.jsonl:3");
    analysed(&["no/such.jsonl"], 2, "no/such.jsonl");
    let lines: Vec<&str> = told.lines().collect();
    let empty = folder.write("empty.jsonl", [lines[0], lines[1], "", lines[2], ""].join("\n"));
    analysed(&[empty.to_str().unwrap()], 3, "empty.jsonl:3: expected a JSON object, found an empty line");
    let no_json = folder.write("no.jsonl", [lines[0], lines[1], "{turn", ""].join("\n"));
    analysed(&[no_json.to_str().unwrap()], 3, "no.jsonl:3: key must be a string at column 2");
    // Another net is called now as the one was that played.
    let hash = head["black"]["net"]["sha256"].as_str().unwrap();
    let other = folder.write("other.jsonl", told.replacen(hash, &"0".repeat(64), 1));
    analysed(&[other.to_str().unwrap()], 0, "is another net now than the one that played");
    let name = head["black"]["net"]["model"].to_string();
    let nameless = folder.write("nameless.jsonl", told.replacen(&name, "null", 1));
    analysed(&[nameless.to_str().unwrap()], 0, "mahbusa-2 is another net now than the one that played");
    for arguments in [vec![good], vec![other.to_str().unwrap(), "--model", NET]] {
        assert_eq!(assert_code(&run(["analyze-game"].iter().chain(&arguments)), 0), "");
    }
    analysed(&[good, "--model", "td-200k-tapa"], 2, "--force-rules");
    analysed(&[good, "--ply", "4"], 2, "expected 1, 2 or 3");
    // Nothing played yet.
    let output = run(["analyze-game", people.to_str().unwrap(), "--model", NET, "--json"]);
    assert_code(&output, 0);
    assert_eq!(objects(&output)[0]["white"]["error_rate"], Value::Null);
}
