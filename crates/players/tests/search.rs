//! The search against one that is written as simply as possible, and what its breadth costs and brings.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use mahbusa_exact::{Cache, Endings};
use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{NetFile, Outcomes, Weights};
use mahbusa_players::{
    Aim, Breadth, Chance, MatchTable, NetPlayer, Player, Ply, Pruning, Rated, Search, Turn, Workspace,
};
use mahbusa_rules::{Board, MatchScore, Outcome, Position, Roll, Rules, Side, plays};
use rand::RngExt;

/// A small trained net.
fn weights() -> Weights {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/bench/net.mnet");
    NetFile::read(&path).unwrap().weights
}

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

/// A decision: a board and a roll, out of games in which some plays are random.
fn decisions(rules: Rules, net: &NetPlayer, count: usize, seed: u64) -> Vec<(Board, Roll)> {
    let mut chance = generator(Purpose::Player, seed, 0);
    let mut workspace = Workspace::default();
    let mut found = Vec::new();
    let mut board = Board::start(rules);
    while found.len() < count {
        let roll = Roll::from_uniform(chance.random_range(0..36));
        let all: Vec<Board> = plays(rules, &board, roll).into_iter().map(|result| result.board).collect();
        if chance.random_range(0..7) == 0 {
            found.push((board, roll));
        }
        let index = match chance.random_range(0..8) {
            0 => chance.random_range(0..all.len()),
            _ => net.best(rules, &board, &all, &mut workspace).index,
        };
        board = all[index].flip();
        if all[index].ending(rules).is_some() {
            board = Board::start(rules);
        }
    }
    found
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
