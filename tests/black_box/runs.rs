//! `runs`: what there is, and what can go.

use std::path::Path;

use serde_json::Value;

use crate::command::{Folder, assert_code, json, mahbusa, run, signal, start, stdout, tiny, wait_until};

fn listed(folder: &Path) -> Vec<Value> {
    let output = run(["runs", "list", folder.to_str().unwrap(), "--json"]);
    assert_code(&output, 0);
    json(&output)[0]["runs"].as_array().unwrap().clone()
}

/// The run of this name.
fn state(folder: &Path, name: &str) -> Value {
    listed(folder).into_iter().find(|run| run["path"].as_str().unwrap().ends_with(name)).unwrap()
}

#[test]
fn runs_are_listed_with_their_state() {
    let folder = Folder::new();
    let runs = folder.join("");
    assert!(listed(&runs).is_empty());
    assert_code(&run(tiny(&folder.join("complete"), &["rules=tapa"])), 0);
    let mut paused = tiny(&folder.join("paused"), &[]);
    paused.extend(["--stop-after".to_owned(), "0s".to_owned()]);
    assert_code(&run(paused), 0);
    std::fs::create_dir(folder.join("no-run")).unwrap();
    std::fs::create_dir(folder.join("broken")).unwrap();
    std::fs::write(folder.join("broken/config.toml"), "[train]\ngmaes = 5\n").unwrap();

    // One that was killed while it was made.
    std::fs::create_dir(folder.join(".new.1-0.new")).unwrap();
    std::fs::copy(folder.join("complete/config.toml"), folder.join(".new.1-0.new/config.toml")).unwrap();

    assert_eq!(listed(&runs).len(), 3);
    let complete = state(&runs, "complete");
    assert_eq!((&complete["state"], &complete["rules"]), (&"complete".into(), &"tapa".into()));
    assert_eq!((&complete["games"], &complete["of"]), (&1000.into(), &1000.into()));
    assert!(complete["strength"]["mean"].is_number() && complete["bytes"].as_u64().unwrap() > 100_000);
    let paused = state(&runs, "paused");
    assert_eq!((&paused["state"], &paused["games"], &paused["strength"]), (&"paused".into(), &32.into(), &Value::Null));
    // Killed after it had told of more games than it had saved.
    let [told, more] = ["paused", "complete"].map(|name| folder.join(name).join("metrics.jsonl"));
    let metrics = std::fs::read_to_string(&told).unwrap();
    std::fs::write(&told, metrics.clone() + &std::fs::read_to_string(more).unwrap()).unwrap();
    let stopped = state(&runs, "paused");
    assert_eq!((&stopped["state"], &stopped["games"]), (&"stopped".into(), &32.into()));
    std::fs::write(&told, metrics).unwrap();
    let broken = state(&runs, "broken");
    assert_eq!(broken["state"], "broken");
    assert!(broken["why"].as_str().unwrap().contains("did you mean `train.games`"), "{broken}");

    for name in ["best.mnet", "final.mnet", "verdict.json"] {
        let file = folder.join("complete").join(name);
        let sound = std::fs::read(&file).unwrap();
        std::fs::write(&file, &sound[..sound.len() / 2]).unwrap();
        let damaged = state(&runs, "complete");
        assert_eq!(damaged["state"], "broken", "{name}");
        assert!(damaged["why"].as_str().unwrap().contains(name), "{damaged}");
        std::fs::write(&file, sound).unwrap();
    }
    assert_eq!(state(&runs, "complete")["state"], "complete");

    let manifest = folder.join("complete/manifest.json");
    let sound = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, sound.replace("\"config\"", "\"settings\"")).unwrap();
    let older = state(&runs, "complete");
    assert_eq!((&older["state"], &older["rules"], &older["of"]), (&"broken".into(), &"tapa".into(), &1000.into()));
    assert!(older["why"].as_str().unwrap().contains("another version"), "{older}");
    assert_code(&run(["inspect", folder.join("complete").to_str().unwrap()]), 0);
    assert!(assert_code(&run(["resume", folder.join("complete").to_str().unwrap()]), 3).contains("another version"));
    std::fs::write(&manifest, sound).unwrap();

    let said = stdout(&run(["runs", "list", runs.to_str().unwrap()]));
    assert!(said.contains("1000/1000") && said.contains("32/1000") && said.contains("3 runs, "), "{said}");
    assert_code(&run(["runs", "list", "no/such/folder"]), 2);
    std::fs::write(folder.join("paused/checkpoints/000000000032.ckpt"), "nothing").unwrap();
    assert_eq!(state(&runs, "paused")["state"], "broken", "no sound checkpoint, so `resume` cannot go on");
}

#[test]
fn who_has_a_damaged_run_is_told_what_helps() {
    let folder = Folder::new();
    let path = folder.join("run");
    let name = path.to_str().unwrap();
    assert_code(&run(tiny(&path, &["train.games=96", "evaluation.every=32", "evaluation.final_games=4"])), 0);
    let damaged = |file: &str, check: &dyn Fn()| {
        let file = path.join(file);
        let sound = std::fs::read(&file).unwrap();
        std::fs::write(&file, "garbage").unwrap();
        check();
        std::fs::write(&file, sound).unwrap();
    };
    damaged("manifest.json", &|| {
        for verb in [vec!["resume", name], vec!["report", name], vec!["runs", "watch", name, "--once"]] {
            let said = assert_code(&run(&verb), 3);
            assert!(said.contains("manifest.json is damaged (expected value"), "{verb:?}: {said}");
            assert!(said.contains("copy") && said.contains("best.mnet, ") && said.contains("/nets"), "{said}");
        }
        assert_code(&run(["inspect", name]), 0);
        assert!(state(&folder.join(""), "run")["why"].as_str().unwrap().contains("is damaged"));
    });
    // As the message says.
    std::fs::rename(path.join("manifest.json"), folder.join("elsewhere")).unwrap();
    assert_code(&run(["report", name]), 0);
    std::fs::rename(folder.join("elsewhere"), path.join("manifest.json")).unwrap();

    let best = path.join("best.mnet");
    let nets: Vec<_> = std::fs::read_dir(path.join("nets")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let same = nets.iter().find(|net| std::fs::read(net).unwrap() == std::fs::read(&best).unwrap()).unwrap();
    damaged("best.mnet", &|| {
        for verb in [vec!["resume", name], vec!["inspect", name]] {
            let said = assert_code(&run(&verb), 3);
            assert!(said.contains(&format!("{} is the same net: copy it there", same.display())), "{said}");
        }
        std::fs::rename(same, folder.join("net")).unwrap();
        let said = assert_code(&run(["resume", name]), 3);
        assert!(said.contains("weights file") && said.contains("final.mnet, the net at the end"), "{said}");
        std::fs::rename(path.join("final.mnet"), folder.join("final")).unwrap();
        assert!(assert_code(&run(["inspect", name]), 3).contains("`mahbusa resume` writes it again"));
        std::fs::rename(folder.join("final"), path.join("final.mnet")).unwrap();
    });
    damaged("verdict.json", &|| {
        assert!(assert_code(&run(["report", name]), 3).contains("`mahbusa resume` makes that measurement again"));
        assert_code(&run(["resume", name]), 0);
        assert_code(&run(["report", name]), 0);
    });
}

#[test]
fn one_run_is_no_plural() {
    let folder = Folder::new();
    assert_code(&run(tiny(&folder.join("only"), &["train.games=64", "output.keep=1"])), 0);
    assert!(stdout(&run(["runs", "list", folder.join("").to_str().unwrap()])).contains("\n1 run, "));
    let clean = stdout(&run(["runs", "clean", folder.join("only").to_str().unwrap()]));
    assert!(clean.contains("would remove 1 checkpoint, "), "{clean}");
}

#[test]
fn a_run_is_running_while_a_process_works_on_it() {
    let folder = Folder::new();
    let path = folder.join("run");
    let mut arguments = tiny(&path, &["train.games=100000000", "evaluation.every=100000000"]);
    arguments.push("--quiet".to_owned());
    let mut child = start(&mut mahbusa(arguments));
    wait_until(|| path.join("checkpoints").is_dir());
    let running = state(&folder.join(""), "run");
    let refused = run(["runs", "clean", path.to_str().unwrap()]);
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(running["state"], "running");
    assert!(assert_code(&refused, 2).contains("another process"));
    assert_eq!(state(&folder.join(""), "run")["state"], "paused");
}

#[test]
fn a_run_is_watched_whatever_its_state() {
    let folder = Folder::new();
    let path = folder.join("runs/watched");
    let name = path.to_str().unwrap();
    let watched = || {
        let output = run(["runs", "watch", name]);
        assert_code(&output, 0);
        let text = stdout(&output);
        assert!(!text.contains('\x1b') && text.lines().all(|line| line.chars().count() <= 80), "{text}");
        text
    };
    let mut arguments = tiny(&path, &["output.metrics_every=32"]);
    arguments.extend(["--stop-after".to_owned(), "0s".to_owned()]);
    assert_code(&run(arguments), 0);
    let paused = watched();
    assert!(paused.contains("paused\n") && paused.contains(&format!("  mahbusa resume {name}")), "{paused}");

    // What a trainer leaves that was killed: a line that no checkpoint knows of, and half a line.
    let metrics = path.join("metrics.jsonl");
    let line = std::fs::read_to_string(&metrics).unwrap();
    let later = line.replace("\"games\":32,", "\"games\":64,");
    std::fs::write(&metrics, format!("{line}{later}{}", &line[..50])).unwrap();
    let stopped = watched();
    assert!(stopped.contains("stopped\n") && stopped.contains("its last 32 games"), "{stopped}");

    assert_code(&run(["resume", name]), 0);
    let complete = watched();
    assert!(complete.contains("complete\n") && complete.contains("Closing measurement: "), "{complete}");
    assert!(complete.contains("1,000 of 1,000 games") && !complete.contains("resume"), "{complete}");

    // The newest of the folder `runs` is the one that is meant.
    let newest = mahbusa(["runs", "watch", "--once"]).current_dir(folder.join("")).output().unwrap();
    assert!(assert_code(&newest, 0).is_empty() && stdout(&newest).starts_with("runs/watched: mahbusa, "));
    let none = mahbusa(["runs", "watch"]).current_dir(folder.join("runs")).output().unwrap();
    assert!(assert_code(&none, 2).contains("no run in the folder runs"));
    assert!(assert_code(&run(["runs", "watch", "no/such/run"]), 2).contains("not a run folder"));
    std::fs::write(&metrics, "no metrics\n").unwrap();
    assert!(assert_code(&run(["runs", "watch", name]), 3).contains("metrics.jsonl:1: "));
}

#[test]
fn cleaning_takes_checkpoints_and_no_net() {
    let folder = Folder::new();
    let path = folder.join("run");
    let name = path.to_str().unwrap();
    assert_code(&run(tiny(&path, &["output.keep_every=250", "evaluation.every=5000"])), 0);
    let ladder = || stdout(&run(["ladder", name, "random", "--games", "4", "--quiet"]));
    let (before, bytes) = (ladder(), state(&folder.join(""), "run")["bytes"].as_u64().unwrap());
    assert!(before.contains("@512"), "{before}");

    let would = run(["runs", "clean", name]);
    assert_code(&would, 0);
    assert!(stdout(&would).contains("would remove") && stdout(&would).contains("--yes"), "{}", stdout(&would));
    assert!(path.join("checkpoints").is_dir());
    let done = run(["runs", "clean", name, "--yes"]);
    assert_code(&done, 0);
    assert!(stdout(&done).contains("go to nets/"), "{}", stdout(&done));
    assert!(!path.join("checkpoints").exists());
    assert_eq!(ladder(), before, "the same nets, to the last bit");
    assert!(state(&folder.join(""), "run")["bytes"].as_u64().unwrap() < bytes / 2);
    assert_code(&run(["resume", name]), 0);
    assert_code(&run(["runs", "clean", name, "--yes"]), 0);

    let paused = folder.join("paused");
    let mut arguments = tiny(&paused, &[]);
    arguments.extend(["--stop-after".to_owned(), "0s".to_owned()]);
    assert_code(&run(arguments), 0);
    assert!(assert_code(&run(["runs", "clean", paused.to_str().unwrap(), "--yes"]), 2).contains("not complete"));
    assert_code(&run(["resume", paused.to_str().unwrap(), "--stop-after", "0s"]), 0);
    assert_code(&run(["runs", "clean", folder.join("").to_str().unwrap()]), 2);
}
