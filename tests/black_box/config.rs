//! `config` and `train --dry-run`: settings before a run.

use serde_json::Value;

use crate::command::{Folder, assert_code, json, root, run, stdout, tiny};

#[test]
fn a_new_config_passes_the_check_and_is_the_defaults() {
    let folder = Folder::new();
    let path = folder.join("my.toml");
    let name = path.to_str().unwrap();
    assert!(assert_code(&run(["config", "init", "--out", name]), 0).contains("mahbusa train"));
    assert_eq!(stdout(&run(["config", "init"])), std::fs::read_to_string(&path).unwrap());
    assert_code(&run(["config", "check", name]), 0);
    let empty = folder.write("empty.toml", "");
    let shown = |name: &str| json(&run(["config", "show", name, "--json"]));
    assert_eq!(shown(name), shown(empty.to_str().unwrap()));

    assert!(assert_code(&run(["config", "init", "--out", name, "--set", "seed=5"]), 2).contains("--force"));
    assert_eq!(shown(name)[0]["seed"], 1, "what stands there is left alone");
    assert_code(&run(["config", "init", "--out", name, "--set", "seed=5", "--from", "tiny", "--force"]), 0);
    let config = &shown(name)[0];
    assert_eq!((&config["seed"], &config["net"]["hidden"]), (&5.into(), &16.into()));
    assert_code(&run(["config", "init", "--out", folder.join("no/such/my.toml").to_str().unwrap()]), 2);
}

#[test]
fn a_config_is_shown_as_a_run_takes_it() {
    let folder = Folder::new();
    let path = folder.join("run");
    assert_code(&run(tiny(&path, &["train.games=64"])), 0);
    let shown = stdout(&run(["config", "show", "configs/tiny.toml", "--set", "train.games=64"]));
    assert_eq!(shown, std::fs::read_to_string(path.join("config.toml")).unwrap());
    // By name it is found from any folder.
    assert_eq!(stdout(&run(["config", "show", "tiny", "--set", "train.games=64"])), shown);
    assert!(assert_code(&run(["config", "show", "tinny"]), 2).contains("quick, release"));
}

#[test]
fn the_check_tells_all_mistakes_of_all_files() {
    let folder = Folder::new();
    let one = folder.write("one.toml", "[train]\ngmaes = 1\nlambda = 2\n");
    let two = folder.write("two.toml", "[net]\nhidden = 100\n");
    let output = run(["config", "check", one.to_str().unwrap(), "configs/quick.toml", two.to_str().unwrap()]);
    let said = assert_code(&output, 2);
    for mistake in [
        "one.toml:2: unknown key `train.gmaes`; did you mean `train.games`, a whole number, 1 to 2^50?",
        "one.toml:3: `train.lambda` is 2; expected a number, 0 to 1",
        "two.toml:2: `net.hidden` is 100; expected a multiple of 16, 16 to 4096",
    ] {
        assert!(said.contains(mistake), "{said}");
    }
    assert!(stdout(&output).contains("configs/quick.toml: nothing is wrong"));
    // One that is not there, or cannot be read, keeps nobody from judging the others.
    let binary = folder.write("binary.toml", [0xff, 0xfe, 0x00]);
    let all = run(["config", "check", binary.to_str().unwrap(), "no-such.toml", one.to_str().unwrap(), "tiny"]);
    let said = assert_code(&all, 2);
    assert!(
        said.contains("binary.toml") && said.contains("no config no-such.toml") && said.contains("gmaes"),
        "{said}"
    );
    assert!(stdout(&all).contains("tiny: nothing is wrong"));
    assert_code(&run(["config", "check", "no-such.toml", "tiny"]), 2);
    assert_code(&run(["config", "check", "tiny", binary.to_str().unwrap()]), 3);
    assert_code(&run(["config", "check", folder.join("").to_str().unwrap()]), 3);
}

#[test]
fn a_config_that_is_not_there_is_told_what_it_was_perhaps_meant_to_be() {
    let folder = Folder::new();
    folder.write("mine.toml", "");
    let beside = folder.join("mnie.toml");
    let meant = folder.join("mine.toml");
    for (name, meant) in [
        ("quik", "did you mean quick?"),
        ("configs/quik.toml", "did you mean configs/quick.toml?"),
        ("configs/tiny.tml", "did you mean configs/tiny.toml?"),
        (beside.to_str().unwrap(), meant.to_str().unwrap()),
    ] {
        for verb in [&["train"][..], &["config", "show"], &["config", "check"], &["config", "init", "--from"]] {
            let said = assert_code(&run(verb.iter().chain([&name])), 2);
            assert!(said.contains(meant) && !said.contains("os error"), "{verb:?} {name}: {said}");
        }
    }
    assert!(!assert_code(&run(["train", "nothing-like-it"]), 2).contains("did you mean"));
}

#[test]
fn the_schema_is_the_committed_one() {
    let committed: Value = serde_json::from_slice(&std::fs::read(root().join("configs/schema.json")).unwrap()).unwrap();
    let printed: Value = serde_json::from_str(&stdout(&run(["config", "schema"]))).unwrap();
    assert_eq!(printed, committed);
}

#[test]
fn a_dry_run_says_what_would_be_done_and_writes_nothing() {
    let folder = Folder::new();
    let path = folder.join("run");
    let dry = |changes: &[&str], more: &[&str]| {
        let mut arguments = tiny(&path, changes);
        arguments.push("--dry-run".to_owned());
        arguments.extend(more.iter().map(|&word| word.to_owned()));
        run(arguments)
    };
    let output = dry(&[], &["--json"]);
    assert_code(&output, 0);
    assert!(!path.exists());
    let answer = &json(&output)[0];
    assert_eq!(answer["config"]["train"]["games"], 1000);
    assert_eq!(answer["plan"]["generations"], 32);
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
    let said = stdout(&dry(&[], &[]));
    assert!(said.contains("1000 in 32 generations of 32") && said.contains("Nothing was written"), "{said}");
    assert_code(&dry(&["train.games=0"], &[]), 2);

    // What it counts is what a run does.
    assert_code(&run(tiny(&path, &[])), 0);
    let count = |folder: &str| std::fs::read_dir(path.join(folder)).unwrap().count();
    assert_eq!(answer["plan"]["nets_kept"], count("nets"));
    assert_eq!(answer["plan"]["checkpoints_kept"], count("checkpoints"));
    let newest = path.join("checkpoints/000000001000.ckpt");
    assert_eq!(answer["plan"]["checkpoint_bytes"], std::fs::metadata(newest).unwrap().len());
    assert_eq!(answer["plan"]["net_bytes"], std::fs::metadata(path.join("final.mnet")).unwrap().len());
    let bytes = json(&run(["runs", "list", folder.join("").to_str().unwrap(), "--json"]))[0]["bytes"].as_u64().unwrap();
    assert!(bytes <= answer["plan"]["disk_bytes"].as_u64().unwrap(), "{bytes} of {answer}");
    assert!(assert_code(&dry(&[], &[]), 2).contains("not empty"), "what the run would refuse is refused");
    assert_code(&run(["train", "configs/tiny.toml", "--json"]), 2);
}
