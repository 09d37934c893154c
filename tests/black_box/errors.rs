//! Bad input: a clear error and the right exit code, never a panic.

use std::process::Stdio;

use crate::command::{Folder, assert_code, mahbusa, run, start, stdout, tiny, trained};

#[test]
fn config_mistakes_name_the_key_and_exit_with_2() {
    let folder = Folder::new();
    for (text, says) in [
        ("[train]\ngmaes = 3\n", "config.toml:2: unknown key `train.gmaes`; did you mean `train.games`"),
        ("seed = \"one\"\n", "config.toml:1: `seed`"),
        ("[train\n", "config.toml:1: "),
        ("[net]\nhidden = 100\n", "net.hidden"),
        ("[train]\nlambda = 2.0\n", "train.lambda"),
        ("rules = \"mahbusa,checkers=99\"\n", "checkers"),
    ] {
        let config = folder.write("config.toml", text);
        let run_dir = folder.join("run");
        let output = run(["train", config.to_str().unwrap(), "--run-dir", run_dir.to_str().unwrap()]);
        assert!(assert_code(&output, 2).contains(says), "{text}");
        assert!(!run_dir.exists());
    }
    for change in ["train.games=0", "nothing", "train.gmaes=3", "evaluation.games=3", "seed=-1"] {
        assert_code(&run(tiny(&folder.join("run"), &[change])), 2);
    }
    assert!(assert_code(&run(["train", "no/such/config.toml"]), 2).contains("no/such/config.toml"));
    let binary = folder.write("binary.toml", [0xff, 0xfe, 0x00]);
    assert_code(&run(["train", binary.to_str().unwrap()]), 3);
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let folder = Folder::new();
    let precious = folder.write("precious.txt", "mine");
    let output = run(tiny(precious.parent().unwrap(), &[]));
    assert!(assert_code(&output, 2).contains("not empty"));
    assert_eq!(std::fs::read_to_string(precious).unwrap(), "mine");
    assert!(assert_code(&run(["resume", folder.join("").to_str().unwrap()]), 2).contains("not a run folder"));
}

#[test]
fn a_config_that_cannot_be_used_within_a_run_is_told_alike_by_all() {
    let folder = Folder::new();
    let path = trained(&folder, &["train.games=64"]);
    let config = path.join("config.toml");
    let name = path.to_str().unwrap();
    let told = |says: &str| {
        let [resume, report] = ["resume", "report"].map(|verb| assert_code(&run([verb, name]), 3));
        assert_eq!(resume, report);
        assert!(resume.contains(says) && resume.lines().count() == 1, "{resume}");
        assert!(stdout(&run(["runs", "list", name])).contains(says), "{says}");
    };
    for (text, says) in
        [("x = = 3\n", "config.toml:1: "), ("a = 1\nb = 2\n", "2 mistakes: "), ("", "has changed since")]
    {
        std::fs::write(&config, text).unwrap();
        told(says);
    }
    std::fs::remove_file(&config).unwrap();
    std::fs::create_dir(&config).unwrap();
    told("expected a file, found a folder");
    let file = folder.write("file", "mine");
    assert!(assert_code(&run(tiny(&file, &[])), 2).contains("is a file"));
}

#[test]
fn of_two_runs_begun_at_once_one_is_refused_in_words() {
    let folder = Folder::new();
    let path = folder.join("run");
    let mut arguments = tiny(&path, &[]);
    arguments.extend(["--stop-after".to_owned(), "0s".to_owned()]);
    let [first, second] = [0, 1].map(|_| start(mahbusa(&arguments).stderr(Stdio::piped())));
    let outputs = [first, second].map(|child| child.wait_with_output().unwrap());
    let refused: Vec<_> = outputs.iter().filter(|output| !output.status.success()).collect();
    assert_eq!(refused.len(), 1);
    assert!(assert_code(refused[0], 2).contains("exists and is not empty"));
}

#[test]
fn unusable_models_are_refused() {
    let folder = Folder::new();
    let model = trained(&folder, &["train.games=64"]).join("best.mnet");
    let mut bytes = std::fs::read(&model).unwrap();
    assert!(assert_code(&run(["inspect", "no-such-model"]), 2).contains("no-such-model"));
    for (name, contents) in
        [("empty.mnet", Vec::new()), ("text.mnet", b"hello".to_vec()), ("cut.mnet", bytes[..1000].to_vec())]
    {
        let path = folder.write(name, contents);
        assert!(assert_code(&run(["inspect", path.to_str().unwrap()]), 3).contains(name));
    }
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let path = folder.write("changed.mnet", bytes);
    assert!(assert_code(&run(["evaluate", path.to_str().unwrap()]), 3).contains("damaged"));
}

#[test]
fn wrong_commands_exit_with_2() {
    for arguments in [
        vec!["evaluate", "heuristic", "--games", "3"],
        vec!["evaluate", "heuristic", "--games", "0"],
        vec!["evaluate", "heuristic", "--rules", "chess"],
        vec!["perft", "chess", "1"],
        vec!["perft", "tapa", "0"],
        vec!["train", "configs/tiny.toml", "--stop-after", "soon"],
        vec!["bench", "heuristic"],
        vec!["bench", "--model", "heuristic"],
        vec!["bench", "mahbusa-1", "--model", "mahbusa-1"],
        vec!["positions", "mahbusa-1-small", "--count", "99999999999"],
        vec!["bench", "--seconds", "nan"],
        vec!["evaluate", "heuristic", "--threads", "99999999"],
        vec!["no-such-verb"],
    ] {
        assert_code(&run(arguments), 2);
    }
}

#[test]
fn a_run_that_diverges_stops_and_keeps_its_last_good_checkpoint() {
    let folder = Folder::new();
    let path = folder.join("wild");
    // One update a generation, so that the first one can still be saved.
    let changes = [
        "train.learning_rate=1",
        "train.beta1=0",
        "train.beta2=0",
        "train.final_share=1",
        "train.generation=1",
        "train.batch=65536",
        "output.checkpoint_every=1",
    ];
    let said = assert_code(&run(tiny(&path, &changes)), 3);
    assert!(said.contains("diverged") && said.contains("learning_rate"), "{said}");
    assert_code(&run(["inspect", path.to_str().unwrap()]), 0);
}

#[test]
fn a_config_that_was_changed_in_a_decisive_part_is_refused() {
    let folder = Folder::new();
    let path = folder.join("run");
    let mut arguments = tiny(&path, &[]);
    arguments.extend(["--stop-after".to_owned(), "0s".to_owned()]);
    assert_code(&run(arguments), 0);
    let config = path.join("config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let resume = |text: &str| {
        std::fs::write(&config, text).unwrap();
        run(["resume", path.to_str().unwrap(), "--stop-after", "0s"])
    };
    for (from, to) in [("seed = 1", "seed = 2"), ("lambda = 0.7", "lambda = 0.6"), ("games = 1000", "games = 500")] {
        assert!(text.contains(from), "{from} in {text}");
        let output = resume(&text.replacen(from, to, 1));
        assert!(assert_code(&output, 3).contains("decides the weights"), "{to}");
    }
    assert_code(&resume(&text.replace("threads = 0", "threads = 1").replace("keep = 2", "keep = 3")), 0);
}

#[test]
fn a_number_that_cannot_be_is_told_in_our_own_words() {
    const OPENING: &str = "mahbusa:O22o:0.0:w:64:0.0.0";
    for (arguments, says) in [
        (vec!["evaluate", "heuristic", "--games"], "an even number, 2 to "),
        (vec!["evaluate", "heuristic", "--record", "new", "--record-games"], "an even number, 2 to 10000,"),
        (vec!["evaluate", "heuristic", "--seed"], "a whole number, 0 to 2^64 - 1"),
        (vec!["evaluate", "heuristic", "--until-clear"], "points a game in 0.001..=2"),
        (vec!["evaluate", "heuristic", "--ply"], "1, 2 or 3"),
        (vec!["ladder", "heuristic", "random", "--games"], "an even number, 2 to "),
        (vec!["levels", "mahbusa-1", "--out", "new", "--games"], "an even number, 2 to "),
        (vec!["levels", "mahbusa-1", "--out", "new", "--seed"], "a whole number, 0 to 2^64 - 1"),
        (vec!["play", "--match"], "a whole number, 0 to 500"),
        (vec!["play", "--seed"], "a whole number, 0 to 2^64 - 1"),
        (vec!["analyze-game", "x", "--worst"], "a whole number, 0 to "),
        (vec!["analyze", OPENING, "--level", "1", "--seed"], "a whole number, 0 to 2^64 - 1"),
        (vec!["rollout", OPENING, "--games"], "a whole number, 1 to 100000000"),
        (vec!["rollout", OPENING, "--threads"], "a whole number, 0 to 1024"),
        (vec!["rollout", OPENING, "--candidates"], "a whole number, 1 to 1000"),
        (vec!["rollout", OPENING, "--truncate"], "a number of plies"),
        (vec!["rollout", OPENING, "--max-error"], "points in 0.000001..=4"),
        (vec!["benchmark", "mahbusa-1", "--out", "new", "--decisions"], "a whole number, 1 to 1000000"),
        (vec!["positions", "mahbusa-1", "--count"], "a whole number, 1 to 1000000000"),
        (vec!["book", "mahbusa-1", "--advice-games"], "a whole number, 0 to 1000000000"),
        (vec!["export-games", "mahbusa-1", "--format", "npz", "--out", "new", "--games"], "a whole number, 1 to "),
        (vec!["bench", "--seconds"], "seconds in 0.01..=600"),
        (vec!["perft", "mahbusa"], "a whole number, 1 to 9"),
        (vec!["train", "tiny", "--stop-after"], "a time such as 45s"),
    ] {
        for number in ["-1", "1e30", "NaN", "", "99999999999999999999999999"] {
            let said = assert_code(&run(arguments.iter().chain(&[number])), 2);
            assert!(said.contains(&format!("expected {says}")), "{arguments:?} {number}: {said}");
            assert!(!said.contains("tip:") && !said.contains("digit"), "{arguments:?} {number}: {said}");
        }
    }
    let said = assert_code(&run(["train", "tiny", "--stop-after", "-5m"]), 2);
    assert!(said.contains("expected a time such as 45s"), "{said}");
}
