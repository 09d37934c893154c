//! Files that a command names: those that are not there, and those that must not be written.

use std::path::Path;

use crate::command::{Folder, assert_code, run, trained};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The rule of the exit codes: what the command names and is not there is a fault of the command, wherever it is named.
#[test]
fn what_is_not_there_is_a_wrong_command_for_every_verb() {
    let folder = Folder::new();
    let nothing = folder.join("no/such/thing");
    let no = text(&nothing);
    for arguments in [
        vec!["train", no],
        vec!["train", "tiny", "--init", no],
        vec!["train", "tiny", "--teacher", no],
        vec!["resume", no],
        vec!["report", no],
        vec!["evaluate", no],
        vec!["evaluate", "heuristic", "--against", no],
        vec!["evaluate", "heuristic", "--benchmark", no],
        vec!["evaluate", "heuristic", "--save", no],
        vec!["evaluate", "mahbusa-1", "--level", "3", "--levels", no],
        vec!["ladder", no, "random"],
        vec!["levels", no, "--out", "levels.new"],
        vec!["levels", "mahbusa-1", "--out", no],
        vec!["analyze", "mahbusa:O22o:0.0:w:-:0.0.0", "--model", no],
        vec!["play", "--model", no],
        vec!["play", "--resume", no],
        vec!["play", "--save", no],
        vec!["analyze-game", no],
        vec!["rollout", "mahbusa:O22o:0.0:w:-:0.0.0", "--model", no],
        vec!["benchmark", no, "--out", "set.new"],
        vec!["benchmark", "mahbusa-1-small", "--out", no],
        vec!["book", no],
        vec!["book", "mahbusa-1-small", "--out", no],
        vec!["book", "mahbusa-1-small", "--save", no],
        vec!["positions", no],
        vec!["export", no, "--format", "onnx", "--out", "net.new"],
        vec!["export", "mahbusa-1-small", "--format", "onnx", "--out", no],
        vec!["export", "--verify", no],
        vec!["export-games", no, "--games", "1", "--format", "jsonl", "--out", "games.new"],
        vec!["export-games", "mahbusa-1-small", "--games", "1", "--format", "jsonl", "--out", no],
        vec!["inspect", no],
        vec!["bench", "--model", no],
        vec!["config", "show", no],
        vec!["config", "check", no],
        vec!["config", "init", "--from", no],
        vec!["config", "init", "--out", no],
        vec!["runs", "list", no],
        vec!["runs", "clean", no],
    ] {
        let said = assert_code(&run(&arguments), 2);
        assert!(said.contains("no/such"), "{arguments:?}: {said}");
        // Nothing is said twice.
        assert!(said.matches("No such file").count() <= 1, "{arguments:?}: {said}");
    }
}

#[test]
fn a_cause_is_told_once() {
    let folder = Folder::new();
    for (name, contents) in [
        ("manifest.json", "{\"mahbusa\":\"bundle\",\"format\":1,"),
        ("levels.json", "{\"mahbusa\":\"levels\",\"format\":1,"),
    ] {
        folder.write(name, contents);
    }
    let levels = folder.join("levels.json");
    for arguments in [
        vec!["export", "--verify", text(&folder.join(""))],
        vec!["evaluate", "mahbusa-1", "--level", "3", "--levels", text(&levels)],
    ] {
        let said = assert_code(&run(&arguments), 3);
        assert_eq!(said.matches(" at line ").count(), 1, "{said}");
    }
}

#[test]
fn what_a_run_has_written_is_replaced_by_nobody() {
    let folder = Folder::new();
    let path = trained(&folder, &["train.games=64", "evaluation.every=64"]);
    let run_name = text(&path);
    for (name, write) in [
        ("best.mnet", vec!["export", run_name, "--format", "onnx", "--out"]),
        ("final.mnet", vec!["export", run_name, "--format", "safetensors", "--out"]),
        ("metrics.jsonl", vec!["export-games", run_name, "--games", "1", "--format", "jsonl", "--out"]),
        ("config.toml", vec!["config", "init", "--out"]),
        ("manifest.json", vec!["report", run_name, "--out"]),
        ("verdict.json", vec!["levels", "mahbusa-1", "--out"]),
        ("checkpoints/000000000064.ckpt", vec!["report", run_name, "--svg"]),
        ("nets/000000000064.mnet", vec!["report", run_name, "--png"]),
    ] {
        let file = path.join(name);
        let before = std::fs::read(&file).unwrap();
        let arguments: Vec<&str> = write.into_iter().chain([text(&file), "--force"]).collect();
        let said = assert_code(&run(&arguments), 2);
        assert!(said.contains("belongs to the run"), "{arguments:?}: {said}");
        assert!(std::fs::read(&file).unwrap() == before, "{name}");
    }
    // Nor is a place taken that a run will want.
    std::fs::remove_file(path.join("verdict.json")).unwrap();
    let verdict = path.join("verdict.json");
    assert_code(&run(["export", run_name, "--format", "onnx", "--out", text(&verdict)]), 2);
    // What is not the run's may lie there, and be replaced.
    let onnx = path.join("net.onnx");
    for _ in 0..2 {
        assert_code(&run(["export", run_name, "--format", "onnx", "--out", text(&onnx), "--force"]), 0);
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new();
    let path = trained(&folder, &["train.games=64"]);
    let [same, other] = [folder.join("same"), folder.join("./trained/../same")];
    for arguments in [
        vec!["report", text(&path), "--svg", text(&same), "--png", text(&other)],
        vec!["report", text(&path), "--out", text(&same), "--svg", text(&same)],
        vec!["levels", "mahbusa-1", "--out", text(&same), "--save", text(&other)],
        vec!["book", "mahbusa-1-small", "--out", text(&same), "--save", text(&other)],
    ] {
        let said = assert_code(&run(&arguments), 2);
        assert!(said.contains("name the same file"), "{arguments:?}: {said}");
        assert!(!same.exists());
    }
    assert!(assert_code(&run(["report", text(&path), "--chart", "loss"]), 2).contains("--svg"));
}
