use std::io::Write;

use mahbusa_rules::{Position, Side};
use mahbusa_selfplay::{GameSource, SelfPlay};
use rand::RngExt;

use crate::args::PositionsArgs;
use crate::failure::Failure;
use crate::model;

/// `mahbusa positions`.
pub fn positions(args: &PositionsArgs) -> Result<(), Failure> {
    let net = model::load(&args.model)?;
    let source = SelfPlay { rules: net.rules, seed: args.chance.seed, endings: None };
    let mut out = std::io::stdout().lock();
    const AT_ONCE: u64 = 256;
    for first in (0..args.count).step_by(AT_ONCE as usize) {
        let numbers = first..(first + AT_ONCE).min(args.count);
        for (number, game) in numbers.clone().zip(source.games(&net.weights, numbers)) {
            let mut chance =
                mahbusa_net::random::generator(mahbusa_net::random::Purpose::Player, args.chance.seed, number);
            let at = chance.random_range(0..game.turns.len());
            let turn = &game.turns[at];
            let side = if at % 2 == 0 { Side::White } else { Side::Black };
            let position = Position { board: turn.board, turn: side, ..Position::start(net.rules) };
            writeln!(out, "{}", position.with_dice(turn.roll))?;
        }
    }
    Ok(())
}
