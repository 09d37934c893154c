//! What the tests of searching players share.

use std::path::Path;

use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{NetFile, Weights};
use mahbusa_players::{NetPlayer, Workspace};
use mahbusa_rules::{Board, Roll, Rules, plays};
use rand::RngExt;

/// A small trained net.
pub fn weights() -> Weights {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/mahbusa-1-small/net.mnet");
    NetFile::read(&path).unwrap().weights
}

/// A decision: a board and a roll, out of games in which some plays are random.
pub fn decisions(rules: Rules, net: &NetPlayer, count: usize, seed: u64) -> Vec<(Board, Roll)> {
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
