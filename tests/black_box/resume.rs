//! Kill a run at any moment: resuming gives the same bytes as if nothing had happened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::command::{Folder, assert_code, lines_in, mahbusa, run, signal, start, stdout, tiny, wait_until};

/// Long enough to be interrupted, with saving and measuring all the time.
const CHANGES: [&str; 4] =
    ["train.games=6000", "output.checkpoint_every=500", "evaluation.every=700", "output.metrics_every=100"];

fn uninterrupted(folder: &Folder) -> PathBuf {
    let path = folder.join("straight");
    assert_code(&run(tiny(&path, &CHANGES)), 0);
    path
}

fn assert_same(run: &Path, straight: &Path) {
    for name in ["final.mnet", "best.mnet"] {
        assert!(std::fs::read(run.join(name)).unwrap() == std::fs::read(straight.join(name)).unwrap(), "{name}");
    }
    let nets = |path: &Path| -> Vec<_> {
        let mut nets: Vec<_> =
            std::fs::read_dir(path.join("nets")).unwrap().map(|entry| entry.unwrap().path()).collect();
        nets.sort();
        nets.iter().map(|path| (path.file_name().unwrap().to_owned(), std::fs::read(path).unwrap())).collect()
    };
    assert!(nets(run) == nets(straight), "the nets of the measurements");
    let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.is_sorted_by(|a, b| a["games"].as_u64() < b["games"].as_u64()));
    let strengths = |path: &Path| -> Vec<(u64, Value)> {
        let text = std::fs::read_to_string(path.join("metrics.jsonl")).unwrap();
        text.lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter(|line| line.get("strength").is_some())
            .map(|line| (line["games"].as_u64().unwrap(), line["strength"].clone()))
            .collect()
    };
    assert_eq!(strengths(run), strengths(straight));
}

fn resume(path: &Path) -> std::process::Output {
    run([Path::new("resume"), path])
}

#[test]
fn a_run_killed_again_and_again_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let straight = uninterrupted(&folder);
    let path = folder.join("killed");
    let mut child = start(&mut mahbusa(tiny(&path, &CHANGES)));
    let mut kills = 0;
    for wait in [150, 420, 90, 700, 260, 510, 330, 170, 640, 220] {
        std::thread::sleep(Duration::from_millis(wait));
        if child.try_wait().unwrap().is_none() {
            signal(&child, "KILL");
            kills += 1;
        }
        child.wait().unwrap();
        if !path.join("config.toml").exists() {
            child = start(&mut mahbusa(tiny(&path, &CHANGES)));
        } else {
            child = start(&mut mahbusa([Path::new("resume"), path.as_path()]));
        }
    }
    assert_code(&child.wait_with_output().unwrap(), 0);
    assert!(kills >= 3, "{kills} kills hit the run");
    assert_same(&path, &straight);
}

#[test]
fn an_interrupt_saves_and_exits_with_130() {
    let folder = Folder::new();
    let straight = uninterrupted(&folder);
    let path = folder.join("interrupted");
    let child = start(&mut mahbusa(tiny(&path, &CHANGES)));
    wait_until(|| lines_in(&path.join("metrics.jsonl")) > 0);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert!(assert_code(&output, 130).contains("resume"));
    assert!(!path.join("final.mnet").exists());
    assert_code(&resume(&path), 0);
    assert_same(&path, &straight);
    // The verdict is kept in the folder, and made again where it is missing.
    let verdict = std::fs::read(path.join("verdict.json")).unwrap();
    std::fs::remove_file(path.join("verdict.json")).unwrap();
    let again = resume(&path);
    assert!(assert_code(&again, 0).contains("complete"));
    assert!(stdout(&again).contains("heuristic"));
    assert!(std::fs::read(path.join("verdict.json")).unwrap() == verdict);
}

#[test]
fn a_pause_changes_no_result_and_what_a_kill_left_goes() {
    let folder = Folder::new();
    let straight = uninterrupted(&folder);
    let path = folder.join("paused");
    let mut arguments = tiny(&path, &CHANGES);
    arguments.extend(["--stop-after".to_owned(), "0.3s".to_owned()]);
    assert!(assert_code(&run(arguments), 0).contains("paused after"));
    assert!(!path.join("final.mnet").exists());
    let left = ["nets/.700.mnet.1-0.new", "checkpoints/.500.ckpt.1-0.new", ".best.mnet.1-0.new"];
    let left = left.map(|name| path.join(name));
    // Somebody may be writing it.
    let page = path.join(".report.html.1-0.new");
    for left in left.iter().chain([&page]) {
        std::fs::create_dir_all(left.parent().unwrap()).unwrap();
        std::fs::write(left, "half").unwrap();
    }
    assert_code(&resume(&path), 0);
    assert_eq!(left.map(|left| left.exists()), [false; 3]);
    assert!(page.exists());
    assert_same(&path, &straight);
}

/// The checkpoints of a run, oldest first.
fn checkpoints(run: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(run.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Begins a run and pauses it when it has two checkpoints, however slow the machine is; the checkpoints.
fn paused_with_two_checkpoints(path: &Path, changes: &[&str]) -> Vec<PathBuf> {
    let after = |time: f64| {
        let _ = std::fs::remove_dir_all(path);
        let mut arguments = tiny(path, changes);
        arguments.extend(["--stop-after".to_owned(), format!("{time}s")]);
        assert_code(&run(arguments), 0);
        Some(checkpoints(path)).filter(|checkpoints| checkpoints.len() >= 2)
    };
    (0..8).find_map(|doubled| after(0.5 * f64::from(1 << doubled))).expect("two checkpoints")
}

#[test]
fn damaged_or_missing_checkpoints_cost_time_and_nothing_else() {
    let folder = Folder::new();
    let straight = uninterrupted(&folder);
    let path = folder.join("damaged");
    let paused = |changes: &dyn Fn(&[PathBuf])| changes(&paused_with_two_checkpoints(&path, &CHANGES));
    let damage = |path: &Path| {
        let mut bytes = std::fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(path, bytes).unwrap();
    };

    paused(&|checkpoints| damage(checkpoints.last().unwrap()));
    assert!(assert_code(&resume(&path), 0).contains("passed over"));
    assert_same(&path, &straight);

    paused(&|checkpoints| checkpoints.iter().for_each(|path| std::fs::remove_file(path).unwrap()));
    assert!(assert_code(&resume(&path), 0).contains("begins again"));
    assert_same(&path, &straight);

    paused(&|checkpoints| checkpoints.iter().for_each(|path| damage(path)));
    let said = assert_code(&resume(&path), 3);
    assert!(said.contains(".ckpt") && said.contains("damaged"), "{said}");
    assert!(said.contains("begins the run again, with the same games") && !said.contains("passed over"), "{said}");
}

/// Such as a link to a disk that is not there now.
#[test]
#[cfg(unix)]
fn what_is_no_folder_of_checkpoints_is_refused_before_anything_is_lost() {
    let folder = Folder::new();
    let path = folder.join("run");
    paused_with_two_checkpoints(&path, &CHANGES);
    let checkpoints = path.join("checkpoints");
    let elsewhere = folder.join("elsewhere");
    std::fs::rename(&checkpoints, &elsewhere).unwrap();
    let held = || ["metrics.jsonl", "best.mnet"].map(|name| std::fs::read(path.join(name)).ok());
    let before = held();
    std::fs::write(&checkpoints, "").unwrap();
    assert!(
        assert_code(&resume(&path), 3).contains("checkpoints is damaged (it is a file, or a link that leads nowhere)")
    );
    std::fs::remove_file(&checkpoints).unwrap();
    std::os::unix::fs::symlink(folder.join("no/disk"), &checkpoints).unwrap();
    assert!(
        assert_code(&resume(&path), 3).contains("checkpoints is damaged (it is a file, or a link that leads nowhere)")
    );
    let listed = stdout(&run(["runs", "list", folder.join("").to_str().unwrap(), "--json"]));
    assert!(listed.contains("\"broken\"") && listed.contains("leads nowhere"), "{listed}");
    assert!(held() == before);
    std::fs::remove_file(&checkpoints).unwrap();
    std::os::unix::fs::symlink(elsewhere, &checkpoints).unwrap();
    assert_code(&resume(&path), 0);
    assert_same(&path, &uninterrupted(&folder));
}

#[test]
fn what_is_paused_passed_over_or_lost_is_said_even_to_who_asks_for_quiet() {
    let folder = Folder::new();
    let path = folder.join("a run");
    let changes =
        ["train.games=100000", "output.checkpoint_every=32", "output.metrics_every=32", "evaluation.every=100000"];
    let [_, newest] = <[PathBuf; 2]>::try_from(paused_with_two_checkpoints(&path, &changes)).unwrap();
    std::fs::write(newest, "damaged").unwrap();
    let metrics = path.join("metrics.jsonl");
    let text = std::fs::read_to_string(&metrics).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1] = "oops";
    std::fs::write(&metrics, lines.join("\n") + "\n").unwrap();
    let name = path.to_str().unwrap();
    let said = assert_code(&run(["resume", name, "--stop-after", "0s", "--quiet"]), 0);
    assert!(said.contains("passed over: ") && said.contains("metrics.jsonl:2: the line is damaged; "), "{said}");
    assert!(said.contains(&format!("go on with: mahbusa resume '{name}'\n")), "{said}");
    let left = std::fs::read_to_string(&metrics).unwrap();
    assert!(left.starts_with(lines[0]) && !left.contains("oops"), "{left}");
}

#[test]
fn a_checkpoint_saved_after_a_damaged_one_is_kept() {
    let folder = Folder::new();
    let path = folder.join("run");
    let changes = ["train.games=100000", "output.checkpoint_every=32", "output.keep=2", "evaluation.every=100000"];
    let [older, newest] = <[PathBuf; 2]>::try_from(paused_with_two_checkpoints(&path, &changes)).unwrap();
    let config = path.join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("keep = 2", "keep = 1")).unwrap();
    // A damaged file that counts as far newer than anything that the next pause can save.
    std::fs::rename(newest, path.join("checkpoints/000000099999.ckpt")).unwrap();
    std::fs::write(path.join("checkpoints/000000099999.ckpt"), "damaged").unwrap();
    assert_code(&run([Path::new("resume"), path.as_path(), Path::new("--stop-after"), Path::new("0s")]), 0);
    let left = checkpoints(&path);
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0] > older && !left[0].ends_with("000000099999.ckpt"), "{left:?}");
    assert!(
        !assert_code(&run([Path::new("resume"), path.as_path(), Path::new("--stop-after"), Path::new("0s")]), 0)
            .contains("passed over")
    );
}

#[test]
fn a_second_process_on_a_run_is_refused_and_the_first_is_not_disturbed() {
    let folder = Folder::new();
    let straight = uninterrupted(&folder);
    let path = folder.join("busy");
    let child = start(&mut mahbusa(tiny(&path, &CHANGES)));
    wait_until(|| path.join("config.toml").exists());
    assert!(assert_code(&resume(&path), 2).contains("another process"));
    assert!(assert_code(&run(tiny(&path, &[])), 2).contains("not empty"));
    assert_code(&child.wait_with_output().unwrap(), 0);
    assert_same(&path, &straight);
}
