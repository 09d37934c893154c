//! `book`.

use serde_json::Value;

use crate::command::{Folder, assert_code, json, lines_in, mahbusa, run, signal, start, stdout, trained, wait_until};

/// The command for a small book, of seconds for a game of two checkers a side, with some settings changed.
pub fn arguments(net: &str, changes: &[(&str, &str)]) -> Vec<String> {
    let mut settings = vec![
        ("--opening-error", "0.5"),
        ("--reply-error", "0.5"),
        ("--reply-cut", "2"),
        ("--games", "1000"),
        ("--advice-games", "150"),
        ("--advice-checks", "3"),
        ("--seed", "4"),
    ];
    settings.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    let settings = settings.iter().chain(changes).flat_map(|(name, value)| [*name, *value]);
    ["book", net, "-q", "--json"].into_iter().chain(settings).map(str::to_owned).collect()
}

/// A net that has seen a few games of two checkers a side.
pub fn small_net(folder: &Folder, rules: &str) -> String {
    let rules = format!("rules={rules},checkers=2");
    trained(folder, &["train.games=64", &rules]).to_str().unwrap().to_owned()
}

fn book(net: &str, changes: &[(&str, &str)]) -> Value {
    let output = run(arguments(net, changes));
    assert_code(&output, 0);
    json(&output).remove(0)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[test]
fn a_book_has_all_openings_replies_facts_and_advice() {
    let folder = Folder::new();
    let net = small_net(&folder, "mahbusa");
    let path = folder.join("book.md");
    let report = book(&net, &[("--out", path.to_str().unwrap())]);
    assert_eq!((&report["rules"], &report["settings"]["seed"]), (&"mahbusa,checkers=2".into(), &4.into()));

    let openings = list(&report["openings"]);
    assert_eq!(openings.len(), 21);
    for opening in openings {
        let plays = list(&opening["plays"]);
        assert!(plays.is_sorted_by(|a, b| number(&a["equity"]) >= number(&b["equity"])), "{opening}");
        assert!(plays.iter().all(|play| number(&play["error"]) <= 0.5), "{opening}");
        assert_eq!((number(&plays[0]["behind"]), number(&plays[0]["behind_error"])), (0.0, 0.0));
        let position = format!("mahbusa,checkers=2:B22b:0.0:w:{}:0.0.0", opening["roll"].as_str().unwrap());
        let legal = json(&run(["plays", "--json", &position])).remove(0);
        assert_eq!(plays.len(), list(&legal["plays"]).len());
    }
    // Each of 21 best plays answered by each of 21 rolls, unless it has ended the game.
    let replies = list(&report["replies"]);
    assert!(replies.len() > 300 && replies.len().is_multiple_of(21), "{}", replies.len());
    for reply in replies {
        let (rolled_out, legal) = (list(&reply["plays"]).len() as u64, reply["legal"].as_u64().unwrap());
        assert_eq!(rolled_out, legal.min(3), "{reply}");
    }
    let cuts: Vec<u64> = list(&report["cuts"]).iter().map(|cut| cut["plies"].as_u64().unwrap()).collect();
    assert!(cuts.contains(&2) && cuts.is_sorted(), "{cuts:?}");

    let facts = &report["facts"];
    let shares: f64 =
        ["single", "mars", "mother", "draw"].iter().map(|end| number(&facts["endings"][end]["mean"])).sum();
    assert!((shares - 1.0).abs() < 1e-9 && facts["games"] == 1000, "{facts}");
    // Moving first, by games and by rollouts: 5 standard errors.
    let error = (number(&facts["first_mover_points"]["high"]) - number(&facts["first_mover_points"]["mean"])) / 1.96;
    let gap = number(&facts["first_mover_points"]["mean"]) - number(&report["start"]["equity"]);
    assert!(gap.abs() < 5.0 * error.hypot(number(&report["start"]["error"])), "{gap} {error}");

    for advice in list(&report["advice"]) {
        let turns = |of: &Value| list(of).iter().map(|row| row["decisions"].as_u64().unwrap()).sum::<u64>();
        let all = advice["all"]["decisions"].as_u64().unwrap();
        assert_eq!((turns(&advice["phases"]), turns(&advice["groups"])), (all, all), "{advice}");
        assert!(all <= 150 && advice["checked"]["decisions"].as_u64().unwrap() == all.min(3), "{advice}");
    }

    let document = std::fs::read_to_string(&path).unwrap();
    let net = &report["net"];
    for part in [
        "# Mahbusa (Plakoto), 2 checkers a side",
        "## All ",
        "### After 6-5",
        "## How games go",
        "## The traditional advice",
        net["sha256"].as_str().unwrap(),
        report["command"].as_str().unwrap(),
    ] {
        assert!(document.contains(part), "{part}");
    }
    // A path of this machine is nothing to the reader.
    assert!(!document.contains(path.parent().unwrap().to_str().unwrap()));
}

#[test]
fn a_book_is_the_same_on_any_number_of_threads_and_after_a_kill() {
    let folder = Folder::new();
    let net = small_net(&folder, "tapa");
    let save = folder.join("book.jsonl");
    let name = save.to_str().unwrap();
    let whole = book(&net, &[("--save", name)]);
    let bytes = std::fs::read(&save).unwrap();

    // Whole already: nothing to do. As a kill in the middle of a line leaves it.
    for length in [bytes.len(), bytes.len() / 3, 30] {
        std::fs::write(&save, &bytes[..length]).unwrap();
        assert_eq!(book(&net, &[("--save", name), ("--threads", "1")]), whole);
        assert!(std::fs::read(&save).unwrap() == bytes, "cut at {length}");
    }
}

#[test]
fn a_file_that_is_no_such_book_is_refused_and_left_alone() {
    let folder = Folder::new();
    let net = small_net(&folder, "tapa");
    let save = folder.join("book.jsonl");
    let name = save.to_str().unwrap();
    let refused = |code: i32, games: &str| {
        let before = std::fs::read(&save).unwrap();
        let said =
            assert_code(&run(arguments(&net, &[("--games", games), ("--advice-games", "0"), ("--save", name)])), code);
        assert!(std::fs::read(&save).unwrap() == before && said.contains(name), "{said}");
        said
    };
    book(&net, &[("--games", "0"), ("--advice-games", "0"), ("--save", name)]);
    let text = std::fs::read_to_string(&save).unwrap();
    let said = refused(2, "10");
    assert!(said.contains("games 0") && !said.contains("seed"), "{said}");
    std::fs::write(&save, "my diary\n").unwrap();
    assert!(refused(3, "0").contains("does not begin"));
    let damaged = text.replacen("\"roll\":\"21\"", "\"roll\":\"22\"", 1);
    std::fs::write(&save, damaged).unwrap();
    let said = refused(3, "0");
    assert!(said.contains("line 3") && said.contains("expected the opening roll 21"), "{said}");
}

#[test]
fn wrong_commands_are_refused_before_anything_is_done() {
    for (arguments, says) in [
        (vec!["heuristic"], "without a net"),
        (vec!["no-such-model"], "no-such-model"),
        (vec!["td-200k", "--opening-error", "0"], "points"),
        (vec!["td-200k", "--reply-cut", "0"], "full"),
        (vec!["td-200k", "--out", "no/such/folder/book.md"], "no/such/folder"),
        (vec!["td-200k", "--ply", "4"], "1, 2 or 3"),
    ] {
        assert!(assert_code(&run(["book"].iter().chain(&arguments)), 2).contains(says), "{says}");
    }
    let folder = Folder::new();
    let broken = folder.write("broken.mnet", "hello");
    assert_code(&run(["book", broken.to_str().unwrap()]), 3);
}

#[test]
#[cfg(unix)]
fn an_interrupted_book_is_gone_on_with() {
    let folder = Folder::new();
    let net = small_net(&folder, "mahbusa");
    let save = folder.join("book.jsonl");
    let child = start(&mut mahbusa(arguments(&net, &[("--reply-error", "0.01"), ("--save", save.to_str().unwrap())])));
    wait_until(|| lines_in(&save) >= 26);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_code(&output, 130);
    assert!(stdout(&output).is_empty() && lines_in(&save) >= 26);
}
