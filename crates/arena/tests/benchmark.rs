//! Benchmark sets: made, read back, damaged, scored.

#![allow(clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

use std::num::NonZeroU32;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use mahbusa_arena::Phase;
use mahbusa_arena::benchmark::{Benchmark, Decision, Header, JudgeNet, Settings, choose, judge};
use mahbusa_net::{Shape, Weights};
use mahbusa_players::{NetPlayer, Player, Random, Turn, Workspace};
use mahbusa_rules::{Play, Rules, plays};

const DECISIONS: u64 = 15;

/// The text of a small set, judged by an untrained net.
fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(make)
}

fn make() -> String {
    let rules = Rules::MAHBUSA;
    let weights = Weights::random(Shape::of(16), 3);
    let settings = Settings {
        decisions: DECISIONS,
        seed: 4,
        margin: 0.05,
        candidates: 3,
        max_error: 0.5,
        max_trials: 144,
        truncate: NonZeroU32::new(2),
    };
    let header = Header::new(rules, JudgeNet { sha256: "0".repeat(64), games: 0 }, settings, "as here".to_owned());
    let player = NetPlayer::new(&weights).into();
    let never = AtomicBool::new(false);
    let mut lines = vec![serde_json::to_string(&header).unwrap()];
    for chosen in choose(rules, &weights, DECISIONS, header.settings.seed).unwrap() {
        let decision = judge(&player, &header.settings, &chosen, &never).unwrap();
        lines.push(serde_json::to_string(&decision).unwrap());
    }
    lines.join("\n") + "\n"
}

/// Plays what a list says: the best, or the worst, of each decision.
struct Oracle<'a> {
    set: &'a Benchmark,
    best: bool,
}

/// What each play is worth, the best first.
fn worth(decision: &Decision) -> Vec<(Play, f64)> {
    let candidates = &decision.candidates;
    let shift = candidates.iter().map(|c| c.equity - c.look_ahead).sum::<f64>() / candidates.len() as f64;
    let mut worth: Vec<(Play, f64)> = candidates.iter().map(|c| (c.play, c.equity)).collect();
    worth.extend(decision.not_rolled_out.iter().map(|o| (o.play, (o.look_ahead + shift).min(candidates[0].equity))));
    worth.sort_by(|a, b| b.1.total_cmp(&a.1));
    worth
}

impl Player for Oracle<'_> {
    fn choose(&self, turn: &Turn<'_>, _: &mut Workspace) -> usize {
        let decision = &self.set.decisions()[turn.chance.pair as usize];
        let play = if self.best { decision.candidates[0].play } else { worth(decision).pop().unwrap().0 };
        plays(turn.rules, turn.board, turn.roll).iter().position(|result| result.play == play).unwrap()
    }
}

#[test]
fn players_lose_what_the_set_says() {
    let set = Benchmark::from_text(text()).unwrap();
    let best = set.score(&Oracle { set: &set, best: true }, 1);
    assert_eq!((best.overall.error_rate.mean, best.overall.best.mean), (0.0, 1.0));
    assert_eq!(best.overall.decisions, DECISIONS);

    let worst = set.score(&Oracle { set: &set, best: false }, 1).overall;
    let lost = set.decisions().iter().map(|decision| {
        let worth = worth(decision);
        worth[0].1 - worth[worth.len() - 1].1
    });
    let expected = 1000.0 * lost.sum::<f64>() / DECISIONS as f64;
    assert!((worst.error_rate.mean - expected).abs() < 0.02, "{worst:?}, {expected}");
    assert!(worst.error_rate.low < worst.error_rate.mean && worst.error_rate.high > worst.error_rate.mean);

    let random = set.score(&Random, 1).overall;
    assert!(random.error_rate.mean > 0.0 && random.error_rate.mean < worst.error_rate.mean, "{random:?}");
    assert_ne!(random, set.score(&Random, 2).overall);
}

#[test]
fn the_phases_make_up_the_whole() {
    let set = Benchmark::from_text(text()).unwrap();
    let report = set.score(&Random, 1);
    assert_eq!(report.phases.iter().map(|phase| phase.phase).collect::<Vec<_>>(), Phase::ALL);
    let sum: f64 = report.phases.iter().map(|p| p.score.error_rate.mean * p.score.decisions as f64).sum();
    assert!((sum / DECISIONS as f64 - report.overall.error_rate.mean).abs() < 1e-9);
}

#[test]
fn the_noise_floor_is_what_one_half_loses_by_the_other() {
    let set = Benchmark::from_text(text()).unwrap();
    let mut expected = 0.0;
    for decision in set.decisions() {
        for (by, judged) in [(0, 1), (1, 0)] {
            let best = |half: usize| {
                let highest = decision.candidates.iter().map(|c| c.halves[half]).fold(f64::MIN, f64::max);
                decision.candidates.iter().rfind(|c| c.halves[half] == highest).unwrap()
            };
            expected += best(judged).halves[judged] - best(by).halves[judged];
        }
    }
    let floor = set.score(&Random, 1).overall.noise_floor.mean;
    assert!((floor - 1000.0 * expected / (2 * DECISIONS) as f64).abs() < 0.02, "{floor}");
}

#[test]
fn all_damage_is_found_and_its_line_named() {
    let lines: Vec<&str> = text().lines().collect();
    let error = |text: String| Benchmark::from_text(&text).unwrap_err().to_string();
    let with = |line: usize, from: &str, to: &str| {
        assert!(lines[line - 1].contains(from), "{from} in {}", lines[line - 1]);
        let mut changed = lines.clone();
        let new = changed[line - 1].replacen(from, to, 1);
        changed[line - 1] = &new;
        error(changed.join("\n"))
    };
    assert!(error(String::new()).contains("line 1: expected the header"));
    assert!(error(lines[1..].join("\n")).contains("line 1"));
    assert!(with(1, "mahbusa-benchmark", "other").contains("line 1"));
    assert!(with(1, "\"version\":1", "\"version\":9").contains("version 9"));
    assert!(with(1, "\"mahbusa\"", "\"tapa\"").contains("line 2: expected a position of tapa"));
    assert!(with(3, "{", "").contains("line 3"));
    assert!(with(3, "\"number\":1", "\"number\":7").contains("line 3: expected decision 1, found 7"));
    assert!(with(4, "\"play\":\"", "\"play\":\"24/20 24/off ").contains("line 4"));
    let equity = if lines[4].contains("\"equity\":-") { "\"equity\":-" } else { "\"equity\":" };
    assert!(with(5, equity, &format!("{equity}99")).contains("line 5: expected equities"));
    assert!(with(5, "\"equity\":", "\"equity\":null,\"x\":").contains("line 5"));
    assert!(with(6, &lines[5][..60], "").contains("line 6"));
    assert!(error(lines[..10].join("\n")).contains("expected 15 decisions in all, found 9"));
    let twice = [&lines[..], &lines[15..]].concat();
    assert!(error(twice.join("\n")).contains("line 17"));
    // A play missing, and one twice.
    let decision: Decision = serde_json::from_str(lines[7]).unwrap();
    let mut fewer = decision.clone();
    if fewer.not_rolled_out.pop().is_none() {
        fewer.candidates.pop();
    }
    let mut more = decision;
    more.candidates.push(more.candidates.last().unwrap().clone());
    for (decision, says) in [(fewer, "is missing"), (more, "twice")] {
        let line = serde_json::to_string(&decision).unwrap();
        let mut changed = lines.clone();
        changed[7] = &line;
        let error = error(changed.join("\n"));
        assert!(error.contains("line 8") && error.contains(says), "{error}");
    }
}
