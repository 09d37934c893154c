//! `levels`, and `--level` of `evaluate` and `analyze`.

use serde_json::{Value, json};

use crate::command::{
    Folder, assert_code, json as objects, lines_in, mahbusa, root, run, signal, start, stdout, wait_until,
};

/// A small trained net of Mahbusa.
const NET: &str = "models/mahbusa-1-small/net.mnet";
const OPENING: &str = "mahbusa:MAA16a1a1m:0.0:w:31:0.0.0";

/// A folder with a model in `std` and a small one in `std-small`, both the same net.
fn models() -> Folder {
    let folder = Folder::new();
    for name in ["std", "std-small"] {
        std::fs::create_dir(folder.join(name)).unwrap();
        std::fs::copy(root().join(NET), folder.join(name).join("net.mnet")).unwrap();
    }
    folder
}

/// The path of something in the folder.
fn path(folder: &Folder, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A file of levels as it could have been measured: noise 0.02 to 0.1, cap 0.2, all by the same net.
pub fn levels() -> Value {
    let hash = objects(&run(["inspect", NET, "--json"]))[0]["sha256"].clone();
    let estimate = |mean: f64| json!({"mean": mean, "low": mean, "high": mean});
    let below = json!({"games": 8, "seed": 2, "win_rate": estimate(0.675), "points_per_game": estimate(0.5)});
    let level = |number: u64| {
        let (ply, noise, cap) = if number == 6 { (2, 0.0, 0.0) } else { (1, 0.02 * (6 - number) as f64, 0.2) };
        let net = if number < 4 { "small" } else { "full" };
        let mut row = json!({
            "level": number, "name": "some-name", "net": net, "ply": ply, "noise": noise, "cap": cap, "loss": estimate(9.0)
        });
        if number > 1 {
            row["against_below"] = below.clone();
        }
        row
    };
    json!({
        "mahbusa": "levels", "format": 1, "rules": "mahbusa", "full": hash, "small": hash, "choice": "as they like",
        "levels": (1..=6).map(level).collect::<Vec<Value>>()
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn levels_are_the_same_on_any_number_of_threads_and_measured_again_as_the_file_says() {
    let folder = models();
    let [model, out, save] = ["std", "std/levels.json", "games.jsonl"].map(|name| path(&folder, name));
    let make = |more: &[&str]| {
        let arguments = ["levels", &model, "--out", &out, "--games", "8", "-q", "--json"];
        run(arguments.iter().chain(more))
    };
    let made = make(&["--threads", "1", "--save", &save]);
    // So few games may show anything, and then it says so.
    assert!(matches!(made.status.code(), Some(0 | 1)), "{made:?}");
    let levels = objects(&made).remove(0);
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), levels);
    assert!(assert_code(&make(&[]), 2).contains("--force"));
    make(&["--force", "--threads", "3"]);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), text);
    let played = std::fs::read(&save).unwrap();
    make(&["--force", "--save", &save]);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), text);
    assert_eq!(std::fs::read(&save).unwrap(), played, "nothing is played twice");

    let rows = levels["levels"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    assert_eq!((&rows[5]["noise"], &rows[5]["loss"]["mean"]), (&0.0.into(), &0.0.into()));
    assert!(rows[0].get("against_below").is_none());
    for (row, level) in rows.iter().zip(1..).skip(1) {
        assert_eq!(row["level"], level);
        let below = &row["against_below"];
        let [level, below_it] = [level, level - 1].map(|level: u64| level.to_string());
        let (games, seed) = (below["games"].to_string(), below["seed"].to_string());
        let again =
            ["evaluate", &model, "--level", &level, "--against", &model, "--against-level", &below_it, "--json", "-q"];
        let output = run(again.iter().chain(&["--games", &games, "--seed", &seed]));
        assert_code(&output, 0);
        let verdict = &objects(&output)[0];
        for key in ["games", "seed", "win_rate", "points_per_game"] {
            assert_eq!(verdict[key], below[key], "{key} of level {level}");
        }
        assert_eq!((verdict["level"].to_string(), verdict["against_level"].to_string()), (level, below_it));
        assert_eq!(verdict["ply"], row["ply"]);
    }
}

#[test]
fn an_interrupt_leaves_no_file() {
    let folder = models();
    let [model, out, save] = ["std", "levels.json", "games.jsonl"].map(|name| path(&folder, name));
    let child = start(&mut mahbusa(["levels", &model, "--out", &out, "--save", &save, "-q"]));
    wait_until(|| lines_in(&folder.join("games.jsonl")) > 0);
    signal(&child, "INT");
    assert_code(&child.wait_with_output().unwrap(), 130);
    assert!(!folder.join("levels.json").exists());
}

/// What `docs/levels.md` tells front ends to do with an answer of `analyze`, for White in a single game.
fn choice(answer: &Value, seed: u64, noise: f64, cap: f64) -> Value {
    let uniform = |play: &Value| {
        let [from, to] = [&answer["position"], &play["position"]].map(|position| position.as_str().unwrap());
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in format!("{seed} {from} {to}").bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((hash ^ hash >> 31) >> 12) as f64 / 2f64.powi(52) + 0.5f64.powi(53)
    };
    let plays = answer["plays"].as_array().unwrap();
    let best = number(&plays[0]["equity"]);
    let doubted = |play: &Value| number(&play["equity"]) - noise * (-uniform(play).ln()).ln();
    let considered = plays.iter().filter(|play| number(&play["equity"]) >= best - cap);
    considered.max_by(|a, b| doubted(a).total_cmp(&doubted(b))).unwrap()["play"].clone()
}

#[test]
fn analyze_says_what_a_level_plays_and_others_can_compute_it() {
    let folder = models();
    folder.write("std/levels.json", levels().to_string());
    let model = path(&folder, "std");
    let positions = stdout(&run(["positions", NET, "--count", "40"]));
    let positions: Vec<&str> = positions.lines().filter(|line| line.contains(":w:")).collect();
    let analyze = |more: &[&str]| {
        let output = run(["analyze", "--model", &model, "--json"].iter().chain(more).chain(&positions));
        assert_code(&output, 0);
        objects(&output)
    };
    let mut others = 0;
    for level in 1..=5u32 {
        for seed in [1, 2] {
            let answers = analyze(&["--level", &level.to_string(), "--seed", &seed.to_string()]);
            for answer in &answers {
                let noise = 0.02 * f64::from(6 - level);
                assert_eq!(answer["chosen"], choice(answer, seed, noise, 0.2), "level {level}, seed {seed}: {answer}");
                others += u32::from(answer["chosen"] != answer["plays"][0]["play"]);
            }
        }
    }
    assert!(others > 20, "{others}");
    for answer in analyze(&["--level", "6"]) {
        assert_eq!((&answer["chosen"], &answer["plays"][0]["ply"]), (&answer["plays"][0]["play"], &2.into()));
    }
    assert!(analyze(&[]).iter().all(|answer| answer.get("chosen").is_none()));

    let text = stdout(&run(["analyze", "--model", &model, "--level", "2", OPENING]));
    assert_eq!(text.lines().filter(|line| line.ends_with("<- level 2")).count(), 1, "{text}");
    // In a match too, and the start of a game has a value.
    let text = stdout(&run(["analyze", "--model", &model, "--level", "2", "mahbusa:MAA16a1a1m:0.0:w:31:2.1.3"]));
    assert!(text.contains("<- level 2") && text.contains("match"), "{text}");
    assert_code(&run(["analyze", "--model", &model, "--level", "2", "mahbusa:O22o:0.0:w:-:0.0.0"]), 0);
}

#[test]
fn a_level_can_be_scored_on_the_benchmark_set_and_named() {
    let folder = models();
    let file = folder.write("levels.json", levels().to_string());
    let files = ["--levels", file.to_str().unwrap(), "--small", NET];
    let lost = |level: &str| {
        let arguments = ["evaluate", NET, "--benchmark", "--level", level, "--json"];
        let output = run(arguments.iter().chain(&files));
        assert_code(&output, 0);
        let answer = objects(&output).remove(0);
        assert_eq!(answer["level"].to_string(), level);
        number(&answer["error_rate"]["mean"])
    };
    assert!(lost("1") > 1.5 * lost("5"));
    let arguments = ["evaluate", NET, "--level", "1", "--against", "random", "--games", "2", "-q"];
    let text = stdout(&run(arguments.iter().chain(&files)));
    assert!(text.starts_with(&format!("{NET} (level 1) against random: mahbusa, 2 games")), "{text}");
}

#[test]
fn levels_that_cannot_be_used_are_refused() {
    let folder = models();
    let good = levels();
    let model = path(&folder, "std");
    let file = folder.join("std/levels.json");
    let evaluate = |more: &[&str]| run(["evaluate", &model, "--against", "random", "--games", "2"].iter().chain(more));
    let refused = |more: &[&str], code: i32, says: &str| {
        let said = assert_code(&evaluate(more), code);
        assert!(said.contains(says), "{more:?}: {said}");
    };
    refused(&["--level", "2"], 2, "has no levels: ");
    for (wrong, says) in [
        ("{", "damaged: EOF"),
        ("{\"mahbusa\": \"pairs\"}", "no file of levels"),
        (&good.to_string().replace("\"format\":1", "\"format\":2"), "has format 2, this program reads format 1"),
        (&good.to_string().replace("\"cap\":0.2", "\"cap\":-1"), "level 1, cap: expected a number in 0..=4, found -1"),
        (&good.to_string().replace("\"ply\":2", "\"ply\":2,\"plie\":2"), "unknown field `plie`"),
        (
            &good.to_string().replace("\"rules\":\"mahbusa\"", "\"rules\":\"tapa\""),
            "damaged: these are levels of tapa, and their full net is one of mahbusa",
        ),
    ] {
        std::fs::write(&file, wrong).unwrap();
        refused(&["--level", "6"], 3, says);
        refused(&["--level", "6"], 3, "levels.json: ");
    }
    let other = good.to_string().replace(good["full"].as_str().unwrap(), &"0".repeat(64));
    std::fs::write(&file, other).unwrap();
    refused(&["--level", "6"], 2, "the full net of these levels is 0000");
    let mut other = good.clone();
    other["small"] = "0".repeat(64).into();
    std::fs::write(&file, other.to_string()).unwrap();
    assert_code(&evaluate(&["--level", "4"]), 0);
    refused(&["--level", "3"], 2, "the small net of these levels is 0000");

    std::fs::write(&file, good.to_string()).unwrap();
    assert_code(&evaluate(&["--level", "3"]), 0);
    for number in ["0", "7", "beginner"] {
        refused(&["--level", number], 2, "expected a level from 1, the weakest, to 6");
    }
    refused(&["--level", "3", "--ply", "2"], 2, "--ply");
    refused(&["--against-level", "3"], 2, "`random` is a player without a net");
    refused(&["--small", NET], 2, "--level");
    refused(&["--level", "3", "--small", "no-such-model"], 2, "no-such-model");
    std::fs::rename(folder.join("std-small"), folder.join("std-tiny")).unwrap();
    refused(&["--level", "3"], 2, "--small MODEL");
    assert_code(&evaluate(&["--level", "3", "--small", &path(&folder, "std-tiny")]), 0);

    assert!(assert_code(&run(["evaluate", "td-200k", "--level", "3"]), 2).contains("--levels FILE"));
    assert!(assert_code(&run(["evaluate", "heuristic", "--level", "3"]), 2).contains("without a net"));
    let wrong = |more: &[&str]| assert_code(&run(["analyze", "--model", &model, OPENING].iter().chain(more)), 2);
    assert!(wrong(&["--seed", "3"]).contains("--level"));
    assert!(wrong(&["--level", "7"]).contains("from 1, the weakest"));
}

#[test]
fn what_levels_cannot_be_made_of_is_refused_before_a_game_is_played() {
    let folder = models();
    let [model, out] = ["std", "levels.json"].map(|name| path(&folder, name));
    let refused = |arguments: &[&str], says: &str| {
        let said = assert_code(&run(["levels"].iter().chain(arguments)), 2);
        assert!(said.contains(says), "{arguments:?}: {said}");
    };
    refused(&[&model], "--out");
    refused(&[&model, "--out", &out, "--games", "3"], "expected an even number");
    refused(&[&model, "--out", &path(&folder, "no/levels.json")], "there is no folder");
    refused(&[&model, "--out", &path(&folder, "std"), "--force"], "found a folder");
    refused(&["td-200k", "--out", &out], "--small MODEL");
    refused(&["random", "--out", &out], "without a net");
    refused(&[&model, "--out", &out, "--small", "td-200k-tapa"], "expected the same game");
}
