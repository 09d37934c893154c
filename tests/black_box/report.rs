//! `report`: what is shown of runs, and that a run shows itself.

use std::fs;

use serde_json::Value;

use crate::command::{Folder, assert_code, json, run, stdout, tiny, trained};

#[test]
fn a_run_shows_itself() {
    let folder = Folder::new();
    let path = trained(&folder, &[]);
    let page = fs::read_to_string(path.join("report.html")).unwrap();
    assert!(page.contains("complete") && page.contains("1,000") && page.contains("<body>"));
    // The same page out of the same files; it may be replaced, and other files may not.
    let name = path.to_str().unwrap();
    let output = run(["report", name]);
    assert_code(&output, 0);
    assert_eq!(stdout(&output).trim(), path.join("report.html").to_str().unwrap());
    assert!(fs::read_to_string(path.join("report.html")).unwrap() == page);
    let letter = folder.write("letter.txt", "dear friend");
    let out = ["report", name, "--out", letter.to_str().unwrap()];
    assert!(assert_code(&run(out), 2).contains("--force"));
    assert_eq!(fs::read(&letter).unwrap(), b"dear friend");
    assert_code(&run(out.into_iter().chain(["--force"])), 0);
    assert!(fs::read_to_string(&letter).unwrap() == page);
}

#[test]
fn a_run_that_is_paused_shows_how_far_it_is() {
    let folder = Folder::new();
    let path = folder.join("run");
    let mut arguments = tiny(&path, &["train.games=1000000"]);
    arguments.extend(["--stop-after".to_owned(), "0.2s".to_owned()]);
    assert_code(&run(arguments), 0);
    let page = fs::read_to_string(path.join("report.html")).unwrap();
    assert!(page.contains("of 1,000,000 games") && page.contains("; paused</p>"));
    // Nothing follows until it goes on, and nobody knows when that is.
    assert!(page.contains("<body>") && !page.contains(" left</p>"));
}

#[test]
fn runs_are_compared_and_drawn() {
    let folder = Folder::new();
    let runs = ["one", "two"].map(|name| {
        let path = folder.join(name);
        assert_code(&run(tiny(&path, &["train.games=400", "evaluation.every=100"])), 0);
        path.to_str().unwrap().to_owned()
    });
    let [page, svg, png, events] = ["both.html", "loss.svg", "loss.png", "events"].map(|name| folder.join(name));
    let mut arguments = vec!["report", &runs[0], &runs[1], "--chart", "loss"];
    let outputs = [("--out", &page), ("--svg", &svg), ("--png", &png), ("--tensorboard", &events)];
    arguments.extend(outputs.iter().flat_map(|(option, path)| [*option, path.to_str().unwrap()]));
    let output = run(&arguments);
    assert_code(&output, 0);
    assert_eq!(stdout(&output).lines().count(), 5, "a line a file: {}", stdout(&output));
    assert!(fs::read_to_string(&page).unwrap().contains("2 runs"));
    assert!(fs::read_to_string(&svg).unwrap().contains("<title>Loss</title>"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    for name in ["one", "two"] {
        assert!(events.join(name).join("events.out.tfevents.0.mahbusa").is_file());
    }
    assert!(assert_code(&run(["report", &runs[0], "--chart", "size", "--svg", "x.svg"]), 2).contains("learning-rate"));
}

#[test]
fn the_numbers_behind_the_page_are_there_for_programs() {
    let folder = Folder::new();
    let path = trained(&folder, &[]);
    let name = path.to_str().unwrap();
    fs::remove_file(path.join("report.html")).unwrap();
    let output = run(["report", name, "--json"]);
    assert_code(&output, 0);
    let report = &json(&output)[0];
    let shown = &report["runs"][0];
    assert_eq!((&shown["name"], &shown["complete"], &shown["games"]), (&"trained".into(), &true.into(), &1000.into()));
    assert_eq!(shown["config"]["train.games"], "1000");
    assert_eq!(shown["openings"]["plays"].as_array().unwrap().len(), 21);
    assert!(shown["strength"]["points_per_game"]["mean"].is_number());
    let charts = report["charts"].as_object().unwrap();
    assert_eq!(charts.len(), 12);
    let strength = charts["strength"]["curves"][0]["points"].as_array().unwrap();
    assert_eq!(strength.len(), shown["measurements"].as_array().unwrap().len());
    assert_eq!(strength[0]["y"], shown["measurements"][0]["strength"]["heuristic"]["points_per_game"]["mean"]);
    assert!(report["files"].as_array().unwrap().is_empty() && !path.join("report.html").exists());
    let svg = folder.join("loss.svg");
    let output = run(["report", name, "--json", "--svg", svg.to_str().unwrap(), "--chart", "loss"]);
    assert_eq!(json(&output)[0]["files"][0], svg.to_str().unwrap());
}

#[test]
fn a_loss_that_went_astray_leaves_a_gap() {
    let folder = Folder::new();
    let path = trained(&folder, &["output.metrics_every=100"]);
    let metrics = path.join("metrics.jsonl");
    let text = fs::read_to_string(&metrics).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[1]["loss"] = 1e300.into();
    lines[3]["loss"] = Value::Null;
    let wild: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&metrics, wild).unwrap();
    let svg = folder.join("loss.svg");
    assert_code(&run(["report", path.to_str().unwrap(), "--svg", svg.to_str().unwrap(), "--chart", "loss"]), 0);
    let output = run(["report", path.to_str().unwrap(), "--json"]);
    let points = json(&output)[0]["charts"]["loss"]["curves"][0]["points"].as_array().unwrap().clone();
    assert_eq!([1, 3].map(|index| points[index]["y"].clone()), [Value::Null, Value::Null]);
    assert!(points[2]["y"].is_number());
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(!drawn.contains("NaN") && !drawn.contains("000000000"), "{drawn}");
}

#[test]
fn what_is_no_run_or_is_damaged_is_named() {
    let folder = Folder::new();
    assert!(assert_code(&run(["report", "docs"]), 2).contains("is not a run folder"));
    let path = trained(&folder, &["train.games=200"]);
    let metrics = path.join("metrics.jsonl");
    let text = fs::read_to_string(&metrics).unwrap();
    fs::write(&metrics, format!("{text}oops\n")).unwrap();
    let line = text.lines().count() + 1;
    let said = assert_code(&run(["report", path.to_str().unwrap()]), 3);
    assert!(said.contains(&format!("metrics.jsonl:{line}: ")), "{said}");
    let nowhere = folder.join("no/such/folder.html");
    fs::write(&metrics, text).unwrap();
    let said = assert_code(&run(["report", path.to_str().unwrap(), "--out", nowhere.to_str().unwrap()]), 2);
    assert!(said.contains("cannot write") && said.contains("folder.html"), "{said}");
}

#[test]
fn a_report_that_cannot_be_written_does_not_stop_a_run() {
    let folder = Folder::new();
    let path = folder.join("run");
    let mut arguments = tiny(&path, &["train.games=100000"]);
    arguments.extend(["--stop-after".to_owned(), "0s".to_owned()]);
    assert_code(&run(arguments), 0);
    fs::remove_file(path.join("report.html")).unwrap();
    fs::create_dir(path.join("report.html")).unwrap();
    let config = path.join("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("every = 400", "every = 64")).unwrap();
    let said = assert_code(&run(["resume", path.to_str().unwrap(), "--stop-after", "1s"]), 0);
    assert_eq!(said.matches("the report cannot be written").count(), 1, "{said}");
    assert!(said.contains("paused after"), "{said}");
}
