//! `export`, `export --verify`, `export-games`.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::command::{Folder, assert_code, json, mahbusa, root, run, signal, start, stdout, wait_until};

/// A small trained net of Mahbusa.
const NET: &str = "models/mahbusa-1-small/net.mnet";

const FILES: [&str; 6] =
    ["MODEL_CARD.md", "encoding.md", "golden.jsonl", "manifest.json", "model.onnx", "model.safetensors"];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn export(model: &str, format: &str, out: &Path, more: &[&str]) -> Output {
    run(["export", model, "--format", format, "--out", text(out)].iter().chain(more))
}

fn verify(bundle: &Path) -> Output {
    run(["export", "--verify", text(bundle), "--json"])
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_bundle_verifies_until_a_byte_of_any_file_changes() {
    let folder = Folder::new();
    let bundle = folder.join("bundle");
    let said = assert_code(&export(NET, "bundle", &bundle, &[]), 0);
    assert!(said.contains("no levels.json beside the net"), "{said}");
    assert_eq!(files(&bundle), FILES);
    assert_eq!(files(&folder.join("")), ["bundle"]);

    let output = verify(&bundle);
    assert_code(&output, 0);
    let found = json(&output).remove(0);
    assert!(found["positions"].as_u64().unwrap() >= 500, "{found}");
    for number in ["outcomes", "equity", "logits"] {
        assert!(found["largest_difference"][number].as_f64().unwrap() < 1e-5, "{found}");
    }
    assert_eq!(found["findings"], Value::Array(Vec::new()));
    let hash = json(&run(["inspect", NET, "--json"]))[0]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(found["name"], format!("mahbusa-{}", &hash[..12]));
    let says = stdout(&run(["export", "--verify", text(&bundle)]));
    assert!(says.contains("largest difference"), "{says}");

    for name in FILES {
        let path = bundle.join(name);
        let good = std::fs::read(&path).unwrap();
        let mut bad = good.clone();
        // In the manifest that is a digit of a hash.
        let place = if name == "manifest.json" { bad.len() - 20 } else { bad.len() / 2 };
        bad[place] ^= 1;
        std::fs::write(&path, bad).unwrap();
        let output = verify(&bundle);
        assert_code(&output, 1);
        assert!(json(&output)[0]["findings"][0].as_str().unwrap().contains("hash"), "{name}");
        std::fs::write(&path, good).unwrap();
    }
    std::fs::remove_file(bundle.join("model.onnx")).unwrap();
    let output = verify(&bundle);
    assert_code(&output, 1);
    assert_eq!(json(&output)[0]["findings"][0], "model.onnx: is not there");
    std::fs::write(bundle.join("manifest.json"), "{").unwrap();
    assert!(assert_code(&verify(&bundle), 3).contains("manifest.json: damaged"));
    std::fs::write(bundle.join("manifest.json"), "{}").unwrap();
    assert!(assert_code(&verify(&bundle), 3).contains("no manifest of a bundle"));
    assert!(assert_code(&verify(&folder.join("nothing")), 2).contains("nothing"));
}

#[test]
fn what_is_there_is_replaced_only_by_force_and_only_if_it_is_a_bundle() {
    let folder = Folder::new();
    let file = folder.write("net.onnx", "mine");
    assert!(assert_code(&export(NET, "onnx", &file, &[]), 2).contains("--force"));
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
    assert_code(&export(NET, "onnx", &file, &["--force"]), 0);
    assert_ne!(std::fs::read(&file).unwrap(), b"mine");

    let precious = folder.join("precious");
    std::fs::create_dir(&precious).unwrap();
    std::fs::write(precious.join("thesis.txt"), "mine").unwrap();
    assert!(assert_code(&export(NET, "bundle", &precious, &[]), 2).contains("--force"));
    assert!(assert_code(&export(NET, "bundle", &precious, &["--force"]), 2).contains("thesis.txt"));
    assert_eq!(files(&precious), ["thesis.txt"]);

    let bundle = folder.join("bundle");
    assert_code(&export(NET, "bundle", &bundle, &["-q"]), 0);
    assert_code(&export("td-200k-tapa", "bundle", &bundle, &["-q"]), 2);
    assert_code(&export("td-200k-tapa", "bundle", &bundle, &["-q", "--force", "--licence", "Whatever-1.0"]), 0);
    let output = verify(&bundle);
    assert_code(&output, 0);
    assert!(json(&output)[0]["name"].as_str().unwrap().starts_with("tapa-05c32009dc2e"));
    let manifest = std::fs::read_to_string(bundle.join("manifest.json")).unwrap();
    assert!(manifest.contains("Whatever-1.0"), "{manifest}");
}

#[test]
fn one_file_alone_is_that_of_the_bundle() {
    let folder = Folder::new();
    let bundle = folder.join("bundle");
    assert_code(&export(NET, "bundle", &bundle, &["-q"]), 0);
    for format in ["onnx", "safetensors"] {
        let file = folder.join(format);
        assert_code(&export(NET, format, &file, &[]), 0);
        assert_eq!(std::fs::read(file).unwrap(), std::fs::read(bundle.join(format!("model.{format}"))).unwrap());
    }
}

#[test]
fn levels_and_card_beside_the_net_go_with_it() {
    let folder = Folder::new();
    let model = folder.join("model");
    std::fs::create_dir(&model).unwrap();
    std::fs::copy(root().join(NET), model.join("net.mnet")).unwrap();
    std::fs::write(model.join("MODEL_CARD.md"), "# The best of nets\n").unwrap();
    let bundle = folder.join("bundle");
    let said = assert_code(&export(text(&model), "bundle", &bundle, &[]), 0);
    assert!(!said.contains("MODEL_CARD"), "{said}");
    assert_eq!(std::fs::read_to_string(bundle.join("MODEL_CARD.md")).unwrap(), "# The best of nets\n");

    let levels = crate::levels::levels();
    std::fs::write(model.join("levels.json"), levels.to_string()).unwrap();
    let with_levels = folder.join("with-levels");
    assert_code(&export(text(&model), "bundle", &with_levels, &["-q"]), 0);
    let written: Value = serde_json::from_slice(&std::fs::read(with_levels.join("levels.json")).unwrap()).unwrap();
    assert_eq!(written["full"], levels["full"]);
    assert_code(&verify(&with_levels), 0);

    let other = levels.to_string().replace(levels["full"].as_str().unwrap(), &"0".repeat(64));
    std::fs::write(model.join("levels.json"), other).unwrap();
    assert!(
        assert_code(&export(text(&model), "bundle", &folder.join("no"), &["-q"]), 2).contains("net of these levels is")
    );
    let other = levels.to_string().replace("\"rules\":\"mahbusa\"", "\"rules\":\"tapa\"");
    std::fs::write(model.join("levels.json"), other).unwrap();
    let said = assert_code(&export(text(&model), "bundle", &folder.join("no"), &[]), 3);
    assert!(said.contains("levels.json: damaged: these are levels of tapa") && !said.contains("golden"), "{said}");
    std::fs::write(model.join("levels.json"), "{").unwrap();
    assert!(
        assert_code(&export(text(&model), "bundle", &folder.join("no"), &["-q"]), 3).contains("levels.json: damaged")
    );
    assert!(!folder.join("no").exists());
}

#[test]
fn wrong_exports_are_refused() {
    let folder = Folder::new();
    let out = folder.join("out");
    for (model, format) in [("no-such-model", "bundle"), ("heuristic", "onnx"), (NET, "tensorflow")] {
        assert_code(&export(model, format, &out, &[]), 2);
    }
    assert!(assert_code(&export(NET, "onnx", &folder.join("no/where.onnx"), &[]), 2).contains("there is no folder"));
    assert_code(&export(NET, "bundle", &folder.join("no/where"), &["-q"]), 2);
    assert_code(&run(["export", NET]), 2);
    assert_code(&run(["export"]), 2);
    assert_code(&run(["export", NET, "--verify", "."]), 2);
    assert_code(&run(["export-games", NET, "--format", "npz", "--out", text(&out)]), 2);
    assert_code(&run(["export-games", NET, "--games", "0", "--format", "npz", "--out", text(&out)]), 2);
    assert_code(&run(["export-games", NET, "--games", "1", "--format", "csv", "--out", text(&out)]), 2);
    assert!(!out.exists());
}

#[test]
fn games_are_the_same_on_any_number_of_threads_and_in_both_formats() {
    let folder = Folder::new();
    let games = |format: &str, name: &str, threads: &str| {
        let out = folder.join(name);
        let common = ["export-games", NET, "--games", "20", "--seed", "7", "-q", "--threads", threads];
        assert_code(&run(common.iter().chain(&["--format", format, "--out", text(&out)])), 0);
        std::fs::read(out).unwrap()
    };
    let lines = games("jsonl", "a", "1");
    assert_eq!(lines, games("jsonl", "b", "3"));
    let npz = games("npz", "c", "1");
    assert_eq!(npz, games("npz", "d", "3"));

    let lines: Vec<Value> =
        String::from_utf8(lines).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 20);
    let turns: usize = lines.iter().map(|line| line["turns"].as_array().unwrap().len()).sum();
    let shape = format!("'shape': ({turns}, 24,)");
    assert!(npz.windows(shape.len()).any(|window| window == shape.as_bytes()), "{shape}");
    // What the program says of the last play is what the line says of the game.
    let last = lines[0]["turns"].as_array().unwrap().last().unwrap();
    let plays = json(&run(["plays", "--json", last["position"].as_str().unwrap()])).remove(0);
    let play = plays["plays"].as_array().unwrap().iter().find(|play| play["play"] == last["play"]).unwrap();
    let points = lines[0]["points"].as_i64().unwrap();
    assert_eq!(play["points"].as_i64().unwrap(), points.abs());

    let out = folder.join("a");
    let again = ["export-games", NET, "--games", "1", "--format", "jsonl", "--out", text(&out)];
    assert!(assert_code(&run(again), 2).contains("--force"));
    assert_code(&run(again.iter().chain(&["--force"])), 0);
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 1);
}

#[test]
fn an_interrupt_leaves_no_games() {
    let folder = Folder::new();
    let out = folder.join("games.jsonl");
    let arguments = ["export-games", NET, "--games", "100000000", "--format", "jsonl", "--out", text(&out), "-q"];
    let child = start(&mut mahbusa(arguments));
    // Beside its place, once something is in it.
    wait_until(|| {
        let made = std::fs::read_dir(folder.join("")).unwrap().map(|entry| entry.unwrap().metadata());
        made.into_iter().any(|found| found.is_ok_and(|found| found.len() > 0))
    });
    signal(&child, "INT");
    assert_code(&child.wait_with_output().unwrap(), 130);
    assert!(files(&folder.join("")).is_empty());
}
