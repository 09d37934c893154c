use mahbusa_net::random::{Purpose, generator};
use mahbusa_players::{Chance, Player, Turn, Workspace};
use mahbusa_rules::{Afterstates, Board, Ending, Roll, Rules, generate};
use rand::RngExt;

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The points of the player who opened, -2..=2.
    pub points: i64,
    /// How it ended.
    pub ending: Ending,
    /// Turns played, passes included.
    pub plies: u32,
}

/// More turns than any game has; only a bug can reach it.
const TURN_CAP: u32 = 100_000;

/// Plays a game; the first player opens it. Dice and chance depend on the seed, the pair and the ply only.
///
/// # Panics
/// When the game does not end, which would be a bug in the rules.
#[expect(clippy::panic, reason = "only a fault in the rules can come here, and no result would be right then")]
pub fn play(rules: Rules, players: [&dyn Player; 2], seed: u64, pair: u64, workspace: &mut Workspace) -> GameResult {
    let mut dice = generator(Purpose::Dice, seed, pair);
    let mut board = Board::start(rules);
    let mut afterstates = Afterstates::default();
    for ply in 0..TURN_CAP {
        let roll = Roll::from_uniform(dice.random_range(0..36));
        afterstates.boards.clear();
        generate(rules, &board, roll, &mut afterstates);
        if !afterstates.boards.is_empty() {
            let turn = Turn {
                rules,
                board: &board,
                roll,
                afterstates: &afterstates.boards,
                chance: Chance { seed, pair, ply },
            };
            board = afterstates.boards[players[ply as usize % 2].choose(&turn, workspace)];
            if let Some(ending) = board.ending(rules) {
                let points = i64::from(ending.points());
                return GameResult { points: if ply % 2 == 0 { points } else { -points }, ending, plies: ply + 1 };
            }
        }
        board = board.flip();
    }
    panic!("a game of {rules} has not ended after {TURN_CAP} plies (seed {seed}, pair {pair})");
}
