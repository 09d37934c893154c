//! `train`: what a run leaves behind, and that it depends on nothing but config and seed.

use mahbusa_net::NetFile;
use mahbusa_net::encoding::Inputs;
use serde_json::Value;

use crate::command::{Folder, assert_code, run, stdout, tiny};

#[test]
fn a_run_leaves_its_folder_and_says_how_strong_the_net_is() {
    let folder = Folder::new();
    let path = folder.join("run");
    let output = run(tiny(&path, &[]));
    assert_code(&output, 0);
    let said = stdout(&output);
    assert!(said.contains("heuristic") && said.contains("points a game [95 %:"), "{said}");
    // All but the last two, which name files, fit into a narrow terminal.
    assert!(said.lines().count() == 4 && said.lines().take(2).all(|line| line.chars().count() <= 80), "{said}");
    for name in ["config.toml", "manifest.json", "metrics.jsonl", "best.mnet", "final.mnet", "checkpoints"] {
        assert!(path.join(name).exists(), "{name}");
    }
    assert_eq!(std::fs::read_dir(path.join("checkpoints")).unwrap().count(), 2);

    let text = std::fs::read_to_string(path.join("metrics.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let games: Vec<u64> = lines.iter().map(|line| line["games"].as_u64().unwrap()).collect();
    assert!(games.is_sorted_by(|a, b| a < b), "{games:?}");
    assert_eq!(games.last(), Some(&1000));
    for line in &lines {
        let numbers = [
            "positions",
            "loss",
            "learning_rate",
            "plies",
            "passes",
            "mother",
            "mars",
            "draw",
            "first_mover",
            "games_per_second",
            "learner_positions_per_second",
        ];
        for key in numbers {
            assert!(line[key].is_number(), "{key} in {line}");
        }
        let outcomes: f64 = line["outcomes"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).sum();
        assert!((outcomes - 1.0).abs() < 1e-9);
    }
    let measured: Vec<&Value> = lines.iter().filter_map(|line| line.get("strength")).collect();
    assert!(measured.len() >= 3);
    assert!(measured[0]["heuristic"]["points_per_game"]["mean"].is_number());
    assert!(measured[1]["best"]["points_per_game"]["mean"].is_number());
}

#[test]
fn some_checkpoints_are_kept_for_good() {
    let folder = Folder::new();
    let path = folder.join("run");
    let changes = ["output.checkpoint_every=100", "output.keep_every=300", "output.keep=1", "evaluation.every=5000"];
    assert_code(&run(tiny(&path, &changes)), 0);
    let mut kept: Vec<String> = std::fs::read_dir(path.join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    // Generations of 32 games: the first checkpoints past 300, 600 and 900 games, and the last one.
    assert_eq!(kept, ["000000000320.ckpt", "000000000608.ckpt", "000000000928.ckpt", "000000001000.ckpt"]);
}

#[test]
fn weights_depend_on_config_and_seed_and_on_nothing_else() {
    let folder = Folder::new();
    let net = |name: &str, changes: &[&str]| {
        let path = folder.join(name);
        assert_code(&run(tiny(&path, changes)), 0);
        std::fs::read(path.join("final.mnet")).unwrap()
    };
    let one = net("one", &["threads=1"]);
    assert!(one == net("again", &["threads=1"]), "the same seed twice");
    assert!(one == net("two", &["threads=2"]), "one thread and two");
    assert!(one == net("three", &["threads=3"]), "one thread and three");
    assert!(
        one == net("measured", &["evaluation.every=150", "output.checkpoint_every=64"]),
        "measuring changes nothing"
    );
    assert!(one != net("other", &["seed=2"]), "another seed");
}

#[test]
fn a_net_without_expert_inputs_never_learns_them() {
    let folder = Folder::new();
    let path = folder.join("raw");
    assert_code(&run(tiny(&path, &["net.inputs=raw", "train.schedule=staircase"])), 0);
    for name in ["final.mnet", "best.mnet"] {
        assert!(NetFile::read(&path.join(name)).unwrap().weights.sees_only(Inputs::Raw), "{name}");
    }
    let text = std::fs::read_to_string(path.join("metrics.jsonl")).unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!((last["learning_rate"].as_f64().unwrap() - 0.03 * 1e-2).abs() < 1e-12, "the last stair");
    // The schedule and the inputs decide the weights; a run goes on with its own only.
    let config = path.join("config.toml");
    let changed = std::fs::read_to_string(&config).unwrap().replace("\"staircase\"", "\"cosine\"");
    std::fs::remove_file(path.join("final.mnet")).unwrap();
    std::fs::write(&config, changed).unwrap();
    assert!(assert_code(&run(["resume", path.to_str().unwrap()]), 3).contains("decides the weights"));
}

#[test]
fn a_run_can_start_from_given_weights() {
    let folder = Folder::new();
    let first = folder.join("first");
    assert_code(&run(tiny(&first, &["train.games=100"])), 0);
    let from = |name: &str, changes: &[&str]| {
        let mut arguments = tiny(&folder.join(name), changes);
        arguments.extend(["--init".to_owned(), first.to_str().unwrap().to_owned()]);
        run(arguments)
    };
    assert_code(&from("second", &["train.games=100"]), 0);
    let nets = ["first", "second"].map(|name| std::fs::read(folder.join(name).join("final.mnet")).unwrap());
    assert!(nets[0] != nets[1]);
    assert!(assert_code(&from("wide", &["net.hidden=32"]), 2).contains("16 squared hidden units"));
    assert!(!folder.join("wide").exists(), "what is refused does not stand in the way of the next try");
    assert!(assert_code(&from("tapa", &["rules=tapa"]), 2).contains("mahbusa"));
    assert!(assert_code(&from("raw", &["net.inputs=raw"]), 2).contains("expert inputs"));
}

#[test]
fn a_run_can_learn_from_a_teacher_and_goes_on_with_it() {
    let folder = Folder::new();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let taught = |name: &str, teacher: &str, changes: &[&str]| {
        let mut arguments = tiny(&folder.join(name), changes);
        arguments.extend(["--teacher".to_owned(), teacher.to_owned()]);
        arguments
    };
    let games = ["train.games=384", "evaluation.every=384", "output.checkpoint_every=64"];
    assert_code(&run(taught("whole", "mahbusa-1-small", &games)), 0);
    let net = |name: &str| std::fs::read(folder.join(name).join("final.mnet")).unwrap();
    assert_code(&run(tiny(&folder.join("alone"), &games)), 0);
    assert!(net("whole") != net("alone"), "what is learnt is another thing");

    // The folder holds the teacher: without it, or with another, the run does not go on.
    assert_code(
        &run(taught("parts", "mahbusa-1-small", &games).into_iter().chain(["--stop-after".into(), "0s".into()])),
        0,
    );
    let kept = folder.join("parts").join("teacher.mnet");
    let teacher = std::fs::read(&kept).unwrap();
    std::fs::remove_file(&kept).unwrap();
    let said = assert_code(&run(["resume", &path("parts")]), 3);
    for part in ["teacher.mnet is missing: a net that the run learns from, its --teacher", "SHA-256", "mahbusa inspect"]
    {
        assert!(said.contains(part), "{said}");
    }
    std::fs::copy(folder.join("alone").join("final.mnet"), &kept).unwrap();
    assert!(assert_code(&run(["resume", &path("parts")]), 3).contains("teacher.mnet"));
    std::fs::write(&kept, teacher).unwrap();
    assert_code(&run(["resume", &path("parts")]), 0);
    assert!(net("whole") == net("parts"));

    assert!(assert_code(&run(taught("tapa", "tapa-1-small", &games)), 2).contains("--teacher"));
    let plan =
        stdout(&run(taught("plan", "mahbusa-1-small", &games).into_iter().chain(["--dry-run".into(), "-q".into()])));
    assert!(plan.contains("what a net after 350000 games says"), "{plan}");
}

#[test]
fn several_teachers_are_kept_and_their_mean_is_learnt() {
    let folder = Folder::new();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games = ["train.games=384", "evaluation.every=384", "output.checkpoint_every=64"];
    let taught = |name: &str, teachers: &[&str]| {
        let named = teachers.iter().flat_map(|teacher| ["--teacher".to_owned(), (*teacher).to_owned()]);
        tiny(&folder.join(name), &games).into_iter().chain(named).collect::<Vec<_>>()
    };
    let both = ["mahbusa-1-small", "td-200k"];
    assert_code(&run(taught("one", &both[..1])), 0);
    assert_code(&run(taught("both", &both)), 0);
    let net = |name: &str| std::fs::read(folder.join(name).join("final.mnet")).unwrap();
    assert!(net("one") != net("both"));
    let hashes = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name).join("manifest.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["teacher"].clone()
    };
    assert_eq!(hashes("both")[0], hashes("one"));
    assert!(
        std::fs::read_to_string(folder.join("both/report.html")).unwrap().contains(hashes("both")[1].as_str().unwrap())
    );

    assert_code(&run(taught("parts", &both).into_iter().chain(["--stop-after".into(), "0s".into()])), 0);
    let second = folder.join("parts").join("teacher-2.mnet");
    let kept = std::fs::read(&second).unwrap();
    std::fs::remove_file(&second).unwrap();
    assert!(assert_code(&run(["resume", &path("parts")]), 3).contains("teacher-2.mnet"));
    std::fs::copy(folder.join("parts").join("teacher.mnet"), &second).unwrap();
    assert!(assert_code(&run(["resume", &path("parts")]), 3).contains("its hash is not that in the manifest"));
    std::fs::write(&second, kept).unwrap();
    assert_code(&run(["resume", &path("parts")]), 0);
    assert!(net("both") == net("parts"));

    let said = assert_code(&run(taught("tapa", &["mahbusa-1-small", "tapa-1-small"])), 2);
    assert!(said.contains("--teacher (number 2): the net is of tapa, the config says mahbusa"), "{said}");
    let plan = |more: &[&str]| {
        let all = taught("plan", &both).into_iter().chain(more.iter().map(|&more| more.to_owned()));
        stdout(&run(all.chain(["--dry-run".into(), "-q".into()])))
    };
    let said = plan(&[]);
    assert!(said.contains("the mean of what nets after 350000, 200000 games say"), "{said}");
    let json: Value = serde_json::from_str(&plan(&["--json"])).unwrap();
    assert_eq!(json["teacher"], hashes("both"));
}
