//! `completions` and `man`.

use std::process::Command;

use crate::command::{Folder, assert_code, run, stdout};

#[test]
fn completions_are_there_for_every_shell_and_bash_reads_them() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(["completions", shell]);
        assert_code(&output, 0);
        let text = stdout(&output);
        assert!(text.contains("until-clear") && text.contains("dry-run"), "{shell}");
        if shell == "bash" {
            let script = folder.write("completions.bash", &text);
            let status = Command::new("bash").arg("-n").arg(script).status().unwrap();
            assert!(status.success());
        }
    }
    assert_code(&run(["completions", "tcsh"]), 2);
}

#[test]
fn every_verb_has_a_manual_page() {
    let folder = Folder::new();
    let path = folder.join("man");
    assert_code(&run(["man", "--out", path.to_str().unwrap()]), 0);
    for page in ["mahbusa", "mahbusa-train", "mahbusa-config-init", "mahbusa-runs-list", "mahbusa-man"] {
        let text = std::fs::read_to_string(path.join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(std::fs::read_to_string(path.join("mahbusa-evaluate.1")).unwrap().contains("until\\-clear"));
    assert!(stdout(&run(["man"])).contains("mahbusa\\-train(1)"));
    let train = std::fs::read_to_string(path.join("mahbusa-train.1")).unwrap();
    for option in ["[\\-\\-set <KEY=VALUE>]", "[\\-q|\\-\\-quiet]", "<FILE|NAME>"] {
        assert!(train.contains(option), "{option} in {train}");
    }
    // What stands there is somebody's.
    let mine = folder.write("man/mahbusa-train.1", "mine");
    assert!(assert_code(&run(["man", "--out", path.to_str().unwrap()]), 2).contains("--force"));
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "mine");
    assert_code(&run(["man", "--out", path.to_str().unwrap(), "--force"]), 0);
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), train);
    let file = folder.write("file", "");
    assert_code(&run(["man", "--out", file.to_str().unwrap()]), 3);
}
