//! Files that a command names: those that are not there, and those that must not be written.

use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Output};

#[cfg(unix)]
use crate::book::{arguments, small_net};
use crate::command::{Folder, assert_code, run, trained};
#[cfg(unix)]
use crate::command::{finished, mahbusa, start, stdout};

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

/// The exit codes for what can stand where a file is to be read: nothing, a folder, a device, a pipe, an empty file, one that is too large.
#[cfg(unix)]
type Codes = [i32; 6];

/// One rule for all that read: no folder, device or pipe, which may never end, and nothing without end.
#[cfg(unix)]
#[test]
fn what_is_there_and_cannot_be_read_is_told_by_every_verb() {
    const FILE: Codes = [2, 3, 3, 3, 3, 3];
    // Of a folder the net in it is meant, which is not there.
    const MODEL: Codes = [2, 2, 3, 3, 3, 3];
    const CONFIG: Codes = [2, 3, 3, 3, 0, 3];
    // An empty file is begun.
    const SAVED: Codes = CONFIG;
    const RUN: Codes = MODEL;
    // It would take long.
    const NOT_TRIED: i32 = -1;

    let folder = Folder::new();
    let [missing, pipe, huge] = ["no/such/file", "pipe", "huge"].map(|name| folder.join(name));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let inner = folder.join("folder");
    std::fs::create_dir(&inner).unwrap();
    let (start_position, new) = ("mahbusa:O22o:0.0:w:-:0.0.0", folder.join("new"));
    let new = text(&new);

    let against = ["evaluate", "heuristic", "--games", "2", "--against"];
    for (arguments, codes) in [
        (vec!["train", "FILE", "--set", "no.such=1"], [2, 3, 3, 3, 2, 3]),
        (vec!["train", "tiny", "--run-dir", new, "--init", "FILE"], MODEL),
        (vec!["train", "tiny", "--run-dir", new, "--teacher", "FILE"], MODEL),
        (vec!["config", "show", "FILE"], CONFIG),
        (vec!["config", "check", "FILE"], CONFIG),
        (vec!["config", "init", "--from", "FILE"], CONFIG),
        (vec!["resume", "FILE"], RUN),
        (vec!["report", "FILE"], RUN),
        (vec!["runs", "clean", "FILE"], RUN),
        (vec!["runs", "watch", "FILE", "--once"], RUN),
        (vec!["runs", "list", "FILE"], [2, 0, 3, 3, 3, 3]),
        (vec!["evaluate", "FILE"], MODEL),
        ([against.as_slice(), &["FILE"]].concat(), MODEL),
        ([against.as_slice(), &["random", "--save", "FILE"]].concat(), SAVED),
        (vec!["evaluate", "heuristic", "--benchmark", "FILE"], FILE),
        (vec!["evaluate", "mahbusa-1", "--level", "3", "--levels", "FILE"], FILE),
        (vec!["evaluate", "mahbusa-1", "--level", "1", "--small", "FILE"], MODEL),
        (vec!["ladder", "FILE", "random"], MODEL),
        (vec!["ladder", "heuristic", "random", "--games", "2", "--save", "FILE"], SAVED),
        (vec!["levels", "FILE", "--out", new], MODEL),
        (vec!["levels", "mahbusa-1", "--out", new, "--small", "FILE"], MODEL),
        (vec!["analyze", start_position, "--model", "FILE"], MODEL),
        (vec!["play", "--save", new, "--model", "FILE"], MODEL),
        (vec!["play", "--resume", "FILE"], FILE),
        (vec!["analyze-game", "FILE"], FILE),
        (vec!["rollout", start_position, "--model", "FILE"], MODEL),
        (vec!["benchmark", "FILE", "--out", new], MODEL),
        // An empty file is no set, and not replaced by one.
        (vec!["benchmark", "mahbusa-1-small", "--out", "FILE"], [2, 3, 3, 3, 2, 3]),
        (vec!["book", "FILE"], MODEL),
        (vec!["book", "mahbusa-1-small", "--save", "FILE"], [2, 3, 3, 3, NOT_TRIED, 3]),
        (vec!["positions", "FILE"], MODEL),
        (vec!["export", "FILE", "--format", "onnx", "--out", new], MODEL),
        (vec!["export", "--verify", "FILE"], MODEL),
        (vec!["export-games", "FILE", "--games", "1", "--format", "jsonl", "--out", new], MODEL),
        (vec!["inspect", "FILE"], MODEL),
        (vec!["bench", "FILE"], MODEL),
    ] {
        // What an earlier row has begun is no longer empty.
        let empty = folder.write("empty", "");
        let kinds = [&missing, &inner, Path::new("/dev/zero"), &pipe, &empty, &huge].map(text);
        let tried: Vec<_> = kinds.into_iter().zip(codes).filter(|(_, code)| *code != NOT_TRIED).collect();
        let started = tried.into_iter().map(|(file, code)| {
            let named = arguments.iter().map(|argument| if *argument == "FILE" { file } else { argument });
            (file, code, start(&mut mahbusa(named)))
        });
        for (file, code, child) in started.collect::<Vec<_>>() {
            let output = finished(child);
            assert_eq!(output.status.code(), Some(code), "{arguments:?}, {file}: {output:?}");
            let said = assert_code(&output, code);
            let wants_folder = ["resume", "report", "runs"].contains(&arguments[0]) || arguments.contains(&"--verify");
            if code == 3 && wants_folder {
                assert!(said.contains("expected a folder, found a "), "{arguments:?}, {file}: {said}");
                continue;
            }
            let is_no_file = file == "/dev/zero" || [&inner, &pipe].iter().any(|path| file == text(path));
            if code == 3 && is_no_file {
                assert!(said.contains("expected a file, found a "), "{arguments:?}, {file}: {said}");
            }
        }
    }
    assert!(!Path::new(new).exists());
}

#[cfg(unix)]
#[test]
fn what_a_shell_hands_over_in_place_of_a_file_is_read() {
    for (script, says) in [
        ("exec \"$0\" config show <(echo seed = 77)", "seed = 77"),
        ("exec \"$0\" config show /dev/stdin <<<'seed = 77'", "seed = 77"),
        ("exec \"$0\" inspect <(cat models/tapa-1-small/net.mnet)", "tapa"),
    ] {
        let program = env!("CARGO_BIN_EXE_mahbusa");
        let output = Command::new("bash").args(["-c", script, program]).current_dir(crate::command::root()).output();
        let output = output.unwrap();
        assert_code(&output, 0);
        assert!(stdout(&output).contains(says), "{script}: {}", stdout(&output));
    }
}

/// Runs it where no file can have anything in it.
#[cfg(unix)]
fn on_a_full_disk<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Output {
    let inner = mahbusa(arguments);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""]);
    command.arg(inner.get_program()).args(inner.get_args()).current_dir(crate::command::root());
    command.envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?)))).stdin(std::process::Stdio::null());
    command.output().unwrap()
}

/// What took hours is printed if it cannot be written.
#[cfg(unix)]
#[test]
fn nothing_is_lost_of_what_took_long_and_did_not_fit() {
    let folder = Folder::new();
    let net = small_net(&folder, "mahbusa");
    let out = folder.join("out");
    let as_document = |arguments: Vec<String>| arguments.into_iter().filter(|argument| argument != "--json");
    for (arguments, begins) in [
        (as_document(arguments(&net, &[("--out", text(&out))])).collect(), "# Mahbusa (Plakoto), 2 checkers a side"),
        (arguments(&net, &[("--out", text(&out))]), "{"),
    ] {
        let output = on_a_full_disk(&arguments);
        let said = assert_code(&output, 3);
        assert!(said.contains("too large") && said.contains("on standard output"), "{said}");
        assert!(stdout(&output).starts_with(begins) && !out.exists(), "{}", stdout(&output));
    }
}

/// What stands in the place of an output stays there, unless it is said that it may go.
#[test]
fn no_file_is_replaced_without_force() {
    let folder = Folder::new();
    let mine = folder.write("mine.png", "mine");
    let run_folder = trained(&folder, &["train.games=64"]);
    for arguments in [
        vec!["book", "mahbusa-1-small", "--out"],
        vec!["book", "mahbusa-1-small", "--save", "book.jsonl", "--json", "--out"],
        vec!["levels", "mahbusa-1", "--out"],
        vec!["export", "mahbusa-1-small", "--format", "onnx", "--out"],
        vec!["export", "mahbusa-1-small", "--format", "safetensors", "--out"],
        vec!["export-games", "mahbusa-1-small", "--games", "1", "--format", "jsonl", "--out"],
        vec!["config", "init", "--out"],
        vec!["report", text(&run_folder), "--out"],
        vec!["report", text(&run_folder), "--svg"],
        vec!["report", text(&run_folder), "--png"],
    ] {
        let said = assert_code(&run(arguments.iter().chain(&[text(&mine)])), 2);
        assert!(said.contains("--force"), "{arguments:?}: {said}");
        assert_eq!(std::fs::read(&mine).unwrap(), b"mine", "{arguments:?}");
    }
    for arguments in [
        vec!["export", "mahbusa-1-small", "--format", "bundle", "--force", "--out"],
        vec!["benchmark", "mahbusa-1-small", "--out"],
        vec!["evaluate", "heuristic", "--record"],
        vec!["play", "--save"],
    ] {
        assert_code(&run(arguments.iter().chain(&[text(&mine)])), 2);
        assert_eq!(std::fs::read(&mine).unwrap(), b"mine", "{arguments:?}");
    }
}

/// All of these would play for hours.
#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_is_told_before_anything_is_done() {
    for arguments in [
        vec!["book", "mahbusa-1", "--out"],
        vec!["levels", "mahbusa-1", "--out"],
        vec!["evaluate", "mahbusa-1", "--games", "1000000000", "--record"],
        vec!["evaluate", "mahbusa-1", "--games", "1000000000", "--save"],
        vec!["ladder", "mahbusa-1", "heuristic", "--games", "1000000000", "--save"],
        vec!["benchmark", "mahbusa-1", "--decisions", "1000000", "--out"],
        vec!["export", "mahbusa-1", "--format", "bundle", "--out"],
        vec!["export", "mahbusa-1", "--format", "onnx", "--out"],
        vec!["export-games", "mahbusa-1", "--games", "1000000000", "--format", "jsonl", "--out"],
        vec!["config", "init", "--out"],
        vec!["train", "release", "--run-dir"],
        vec!["play", "--save"],
    ] {
        // No user may make anything there.
        let output = finished(start(&mut mahbusa(arguments.iter().chain(&["/sys/new"]))));
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {output:?}");
        assert!(assert_code(&output, 3).contains("/sys/new") && output.stdout.is_empty(), "{arguments:?}");
    }
    let folder = Folder::new();
    for name in ["new/", "..", ""] {
        let path = folder.join(name);
        let output = finished(start(&mut mahbusa(["book", "mahbusa-1", "--out", text(&path), "--force"])));
        assert!(assert_code(&output, 2).contains("expected a file, found a folder"), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.join("")).unwrap().count(), 0, "what was tried is gone");
}

/// What is written where there is no room is not there at all, and nothing is left beside it.
#[cfg(unix)]
#[test]
fn nothing_is_left_of_what_did_not_fit() {
    let folder = Folder::new();
    let out = folder.join("out");
    let against = ["evaluate", "heuristic", "--against", "random", "--games", "2"];
    for arguments in [
        vec!["config", "init", "--out"],
        vec!["train", "configs/tiny.toml", "--run-dir"],
        vec!["man", "--out"],
        vec!["play", "--save"],
        [against.as_slice(), &["--save"]].concat(),
        [against.as_slice(), &["--record"]].concat(),
        vec!["benchmark", "mahbusa-1-small", "--out"],
        vec!["book", "mahbusa-1-small", "--save"],
        vec!["export", "mahbusa-1-small", "--format", "onnx", "--out"],
        vec!["export-games", "mahbusa-1-small", "--games", "1", "--format", "jsonl", "--out"],
    ] {
        let said = assert_code(&on_a_full_disk(arguments.iter().copied().chain([text(&out)])), 3);
        assert!(said.contains("too large") && said.contains("out"), "{arguments:?}: {said}");
        assert!(!said.contains("standard output"), "{arguments:?}: {said}");
        let left: Vec<_> = std::fs::read_dir(folder.join("")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "{arguments:?}: {left:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_does_not_fit_is_told_and_a_reader_that_has_gone_is_not() {
    for arguments in [
        vec!["help"],
        vec!["--version"],
        vec!["train", "--help"],
        vec!["help", "config", "init"],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["config", "init"],
        vec!["config", "show", "tiny"],
        vec!["config", "check", "configs/tiny.toml"],
        vec!["config", "schema"],
        vec!["plays", "mahbusa:O22o:0.0:w:64:0.0.0"],
        vec!["plays", "mahbusa:O22o:0.0:w:64:0.0.0", "--json"],
        vec!["analyze", "mahbusa:O22o:0.0:w:64:0.0.0"],
        vec!["perft", "mahbusa", "1"],
        vec!["positions", "mahbusa-1-small", "--count", "1"],
        vec!["inspect", "mahbusa-1"],
        vec!["runs", "list", "configs"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let said = assert_code(&mahbusa(&arguments).stdout(full).output().unwrap(), 3);
        assert!(said.contains("standard output: No space left") && said.lines().count() == 1, "{arguments:?}: {said}");
        let mut child = start(&mut mahbusa(&arguments));
        drop(child.stdout.take());
        assert_eq!(assert_code(&finished(child), 0), "", "{arguments:?}");
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
        ("final.mnet", vec!["book", "mahbusa-1-small", "--out"]),
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
