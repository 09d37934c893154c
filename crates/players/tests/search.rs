//! The search against one that is written as simply as possible, and what its breadth costs and brings.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

mod common;

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use mahbusa_exact::{Cache, Endings};
use mahbusa_net::Outcomes;
use mahbusa_players::{Aim, Breadth, Chance, MatchTable, NetPlayer, Player, Ply, Pruning, Search, Turn, Workspace};
use mahbusa_rules::{Board, Outcome, Position, Roll, Rules, plays};

use common::{decisions, weights};

fn endings() -> Arc<Endings> {
    static ENDINGS: LazyLock<Arc<Endings>> = LazyLock::new(|| Arc::new(Endings::new(Cache::none())));
    Arc::clone(&ENDINGS)
}

/// The plain search: no batches, no memory, one board at a time from scratch.
struct Plain<'a> {
    rules: Rules,
    net: &'a NetPlayer,
    breadth: Breadth,
}

impl Plain<'_> {
    fn afterstates(&self, board: &Board, roll: Roll) -> Vec<Board> {
        let boards: Vec<Board> = plays(self.rules, board, roll).into_iter().map(|result| result.board).collect();
        assert!(!boards.is_empty());
        boards
    }

    /// What an afterstate is worth to the side that has moved.
    fn after(&self, ply: u8, after: &Board, aim: Aim) -> Outcomes {
        match after.ending(self.rules) {
            Some(ending) => Outcomes::certain(ending.outcome()),
            None => self.value(ply, &after.flip(), aim.flip()).flip(),
        }
    }

    /// What a board is worth to the side to roll.
    fn value(&self, ply: u8, board: &Board, aim: Aim) -> Outcomes {
        if ply == 1 || self.net.known(board).is_some() {
            return self.net.evaluate(board);
        }
        let mut mean = [0.0; 5];
        for roll in Roll::ALL {
            let all = self.afterstates(board, roll);
            let kept = match ply {
                2 => all,
                _ => {
                    let glances: Vec<f32> = all.iter().map(|after| aim.worth(&self.after(1, after, aim))).collect();
                    kept(&glances, self.breadth.replies, aim).into_iter().map(|index| all[index]).collect()
                }
            };
            let mut best: Option<Outcomes> = None;
            for after in kept {
                let outcomes = self.after(ply - 1, &after, aim);
                if best.is_none_or(|best| aim.worth(&outcomes) > aim.worth(&best)) {
                    best = Some(outcomes);
                }
            }
            for (sum, probability) in mean.iter_mut().zip(best.unwrap().probabilities()) {
                *sum += f64::from(*probability) * f64::from(roll.weight()) / 36.0;
            }
        }
        Outcomes::new(mean.map(|probability| probability as f32))
    }
}

/// The indices of what pruning leaves, in order.
fn kept(worths: &[f32], pruning: Pruning, aim: Aim) -> Vec<usize> {
    let mut order: Vec<usize> = (0..worths.len()).collect();
    order.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]));
    let least = worths[order[0]] - pruning.margin * aim.of_a_point();
    let mut kept: Vec<usize> = order
        .iter()
        .enumerate()
        .filter(|&(rank, &index)| rank < pruning.least || (rank < pruning.most && worths[index] >= least))
        .map(|(_, &index)| index)
        .collect();
    kept.sort_unstable();
    kept
}

/// Compares all plays of a decision.
fn agree(plain: &Plain<'_>, search: &Search, decision: (Board, Roll), aim: Aim, workspace: &mut Workspace) {
    let (board, roll) = decision;
    let all = plain.afterstates(&board, roll);
    let rated = search.rate(plain.rules, &board, &all, aim, workspace).to_vec();
    let mut worths: Vec<(f32, u8)> = all.iter().map(|after| (aim.worth(&plain.after(1, after, aim)), 1)).collect();
    for (ply, pruning) in [(2, plain.breadth.second), (3, plain.breadth.third)] {
        if ply > search.ply().number() {
            break;
        }
        let reached: Vec<usize> = (0..all.len()).filter(|&index| worths[index].1 == ply - 1).collect();
        let of_reached: Vec<f32> = reached.iter().map(|&index| worths[index].0).collect();
        for index in kept(&of_reached, pruning, aim).into_iter().map(|index| reached[index]) {
            worths[index] = (aim.worth(&plain.after(ply, &all[index], aim)), ply);
        }
    }
    for (rated, (worth, ply)) in rated.iter().zip(worths) {
        assert_eq!(rated.ply.number(), ply, "{board:?} {roll:?}");
        let gap = (aim.worth(&rated.outcomes) - worth).abs();
        assert!(gap < 1e-6, "{board:?} {roll:?}: {gap}");
        let sum: f32 = rated.outcomes.probabilities().iter().sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
}

#[test]
fn two_plies_are_what_a_plain_search_finds() {
    for (rules, endings, aim) in [
        (Rules::MAHBUSA, Some(endings()), Aim::Points),
        (Rules::TAPA, None, Aim::Points),
        (Rules::MAHBUSA, None, aim_at("mahbusa:O22o:0.0:w:-:2.0.3")),
    ] {
        let net = NetPlayer::new(&weights());
        let net = match endings {
            Some(endings) => net.with_endings(endings),
            None => net,
        };
        let search = Search::new(net, Ply::Two);
        let plain = Plain { rules, net: search.net(), breadth: Breadth::default() };
        let mut workspace = Workspace::default();
        let decisions = decisions(rules, search.net(), 120, 3);
        let count = |is: fn(&(Board, Roll)) -> bool| decisions.iter().filter(|decision| is(decision)).count();
        assert!(count(|(_, roll)| roll.is_double()) > 9);
        assert!(count(|(board, _)| board.my_off() + board.their_off() > 0) > 9);
        for decision in decisions {
            agree(&plain, &search, decision, aim, &mut workspace);
            let value = search.evaluate(rules, &decision.0, aim, &mut workspace);
            assert!((aim.worth(&value) - aim.worth(&plain.value(2, &decision.0, aim))).abs() < 1e-6);
        }
    }
}

fn aim_at(text: &str) -> Aim {
    let position: Position = text.parse().unwrap();
    let table = MatchTable::new(&NetPlayer::new(&weights()).evaluate(&Board::start(position.rules)));
    Aim::Match(table.stakes(position.score, position.turn).unwrap())
}

#[test]
fn three_plies_are_what_a_plain_search_finds() {
    let few = |least, most| Pruning { least, most, margin: 0.05 };
    let breadth = Breadth { second: few(4, 5), third: few(2, 3), replies: few(1, 2) };
    for (rules, aim) in [(Rules::MAHBUSA, Aim::Points), (Rules::MAHBUSA, aim_at("mahbusa:O22o:0.0:w:-:1.2.3"))] {
        let net = NetPlayer::new(&weights()).with_endings(endings());
        let search = Search::new(net, Ply::Three).with_breadth(breadth);
        let plain = Plain { rules, net: search.net(), breadth };
        let mut workspace = Workspace::default();
        for decision in decisions(rules, search.net(), 10, 8) {
            agree(&plain, &search, decision, aim, &mut workspace);
        }
        let (board, _) = decisions(rules, search.net(), 11, 8)[10];
        let value = search.evaluate(rules, &board, aim, &mut workspace);
        assert!((aim.worth(&value) - aim.worth(&plain.value(3, &board, aim))).abs() < 1e-6);
    }
}

#[test]
fn what_was_looked_at_before_changes_nothing() {
    let search = Search::new(NetPlayer::new(&weights()), Ply::Three);
    let mut used = Workspace::default();
    for (board, roll) in decisions(Rules::TAPA, search.net(), 6, 5) {
        let all: Vec<Board> = plays(Rules::TAPA, &board, roll).into_iter().map(|result| result.board).collect();
        let ask = |workspace: &mut Workspace| search.rate(Rules::TAPA, &board, &all, Aim::Points, workspace).to_vec();
        assert_eq!(ask(&mut used), ask(&mut Workspace::default()));
        let best = search.best(Rules::TAPA, &board, &all, Aim::Points, &mut used);
        let turn = Turn {
            rules: Rules::TAPA,
            board: &board,
            roll,
            afterstates: &all,
            chance: Chance { seed: 1, pair: 2, ply: 3 },
        };
        assert_eq!(search.choose(&turn, &mut used), best.index);
    }
}

#[test]
fn what_is_known_is_not_looked_beyond() {
    let net = NetPlayer::new(&weights()).with_endings(endings());
    let search = Search::new(net, Ply::Two);
    let mut workspace = Workspace::default();
    // Both sides bear off.
    let race: Position = "mahbusa:b3d13E4A:9.9:w:61:0.0.0".parse().unwrap();
    let exact = search.net().known(&race.board).unwrap();
    assert_eq!(search.evaluate(race.rules, &race.board, Aim::Points, &mut workspace), exact);
    let afterstates: Vec<Board> = race.plays().iter().map(|play| play.position.board.flip()).collect();
    let rated = search.rate(race.rules, &race.board, &afterstates, Aim::Points, &mut workspace);
    for (rated, after) in rated.iter().zip(&afterstates) {
        assert_eq!(rated.outcomes, search.net().known(&after.flip()).unwrap().flip());
    }
    // One of the plays pins Black's mother.
    let won: Position = "mahbusa:n15MB5a:0.0:w:61:0.0.0".parse().unwrap();
    let afterstates: Vec<Board> = won.plays().iter().map(|play| play.position.board.flip()).collect();
    let best = search.best(won.rules, &won.board, &afterstates, Aim::Points, &mut workspace);
    assert!(best.ends && best.outcomes == Outcomes::certain(Outcome::Win2));
}

#[test]
fn with_one_point_to_go_a_mars_is_not_played_for() {
    let search = Search::new(NetPlayer::new(&weights()).with_endings(endings()), Ply::Two);
    let mut workspace = Workspace::default();
    let last = aim_at("mahbusa:O22o:0.0:w:-:2.2.3");
    let mut changed = 0;
    for (board, roll) in decisions(Rules::MAHBUSA, search.net(), 150, 12) {
        let all: Vec<Board> = plays(Rules::MAHBUSA, &board, roll).into_iter().map(|result| result.board).collect();
        let mut best = |aim| search.best(Rules::MAHBUSA, &board, &all, aim, &mut workspace);
        let (points, wins) = (best(Aim::Points), best(last));
        // Nobody wins more often than who plays for that.
        assert!(last.worth(&wins.outcomes) > last.worth(&points.outcomes) - 0.02);
        changed += usize::from(points.index != wins.index);
    }
    assert!(changed > 5, "{changed}");
}

/// A way to prune, what it costs, and what it loses against looking wider.
struct Tried {
    seconds: f64,
    looked_at: usize,
    lost: f64,
    other: usize,
}

/// Plays decisions with a breadth and prices the plays by what a wider look has found.
fn try_breadth(search: &Search, decisions: &[(Board, Vec<Board>)], wide: &[Vec<(u8, f32)>]) -> Tried {
    let mut workspace = Workspace::default();
    let mut tried = Tried { seconds: 0.0, looked_at: 0, lost: 0.0, other: 0 };
    for ((board, all), worths) in decisions.iter().zip(wide) {
        let started = Instant::now();
        let rated = search.rate(Rules::MAHBUSA, board, all, Aim::Points, &mut workspace);
        tried.seconds += started.elapsed().as_secs_f64();
        let deepest = |(ply, worth): (u8, f32)| if ply == search.ply().number() { worth } else { f32::NEG_INFINITY };
        let chosen =
            rated.iter().map(|rated| deepest((rated.ply.number(), rated.outcomes.equity()))).collect::<Vec<f32>>();
        let best = (0..all.len()).max_by(|&a, &b| chosen[a].total_cmp(&chosen[b])).unwrap();
        tried.looked_at += chosen.iter().filter(|worth| worth.is_finite()).count();
        let lost = f64::from(worths.iter().copied().map(deepest).fold(f32::NEG_INFINITY, f32::max) - worths[best].1);
        tried.lost += lost;
        tried.other += usize::from(lost > 0.0);
    }
    tried
}

fn report(ply: Ply, count: usize, all: Breadth, of: &[(String, Breadth)]) {
    let searcher = |breadth| Search::new(NetPlayer::new(&weights()).with_endings(endings()), ply).with_breadth(breadth);
    let search = searcher(all);
    let decisions: Vec<(Board, Vec<Board>)> = decisions(Rules::MAHBUSA, search.net(), 4 * count, 1)
        .into_iter()
        .map(|(board, roll)| {
            (board, plays(Rules::MAHBUSA, &board, roll).into_iter().map(|r| r.board).collect::<Vec<_>>())
        })
        .filter(|(board, all)| all.len() > 1 && search.net().known(board).is_none())
        .take(count)
        .collect();
    let mut workspace = Workspace::default();
    let wide: Vec<Vec<(u8, f32)>> = decisions
        .iter()
        .map(|(board, all)| search.rate(Rules::MAHBUSA, board, all, Aim::Points, &mut workspace).to_vec())
        .map(|all| all.iter().map(|rated| (rated.ply.number(), rated.outcomes.equity())).collect())
        .collect();
    let n = decisions.len() as f64;
    println!("{ply}-ply, {n} decisions\nbreadth                          plays    ms  other %  lost, millipoints");
    for (name, breadth) in [&[("all".to_owned(), all)], of].concat() {
        let tried = try_breadth(&searcher(breadth), &decisions, &wide);
        println!(
            "{name:<30} {:>7.1} {:>5.2} {:>8.1} {:>18.3}",
            tried.looked_at as f64 / n,
            1000.0 * tried.seconds / n,
            100.0 * tried.other as f64 / n,
            1000.0 * tried.lost / n
        );
    }
}

/// What the default breadth was chosen by.
#[test]
#[ignore = "a measurement of a CPU-minute or more"]
fn breadth_against_what_it_loses() {
    let all = Pruning { least: 1000, most: 1000, margin: 4.0 };
    let default = Breadth::default();
    let mut of = Vec::new();
    for most in [8, 20, 1000] {
        for margin in [0.0, 0.05, 0.1, 0.15, 0.2] {
            let second = Pruning { least: 5, most, margin };
            of.push((format!("5 to {most} within {margin}"), Breadth { second, ..default }));
        }
    }
    report(Ply::Two, 2000, Breadth { second: all, ..default }, &of);

    let wide = Breadth {
        second: Pruning { least: 5, most: 16, margin: 0.15 },
        third: all,
        replies: Pruning { least: 4, most: 12, margin: 0.15 },
    };
    let mut of = Vec::new();
    for (least, most, margin) in [(1, 1, 0.0), (1, 4, 0.02), (1, 4, 0.05), (2, 4, 0.05), (3, 6, 0.1)] {
        for third in [(5, 5, 0.0), (5, 8, 0.05), (5, 16, 0.1)] {
            let third = Pruning { least: third.0, most: third.1, margin: third.2 };
            let replies = Pruning { least, most, margin };
            let name = format!("{}-{} {}; {least}-{most} {margin}", third.least, third.most, third.margin);
            of.push((name, Breadth { second: default.second, third, replies }));
        }
    }
    report(Ply::Three, 60, wide, &of);
}
