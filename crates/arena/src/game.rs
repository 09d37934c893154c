use mahbusa_players::{Chance, GameDice, Player, Turn, Workspace};
use mahbusa_rules::{Afterstates, Board, Ending, Rules, generate};

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
pub fn play(rules: Rules, players: [&dyn Player; 2], seed: u64, pair: u64, workspace: &mut Workspace) -> GameResult {
    play_watched(rules, players, seed, pair, workspace, |_, _| {})
}

/// The same, with somebody who watches: of each turn the board before it and, unless the turn is passed, the board after it, both as the side sees
/// them whose turn it is.
#[expect(clippy::panic, reason = "only a fault in the rules can come here, and no result would be right then")]
pub(crate) fn play_watched(
    rules: Rules,
    players: [&dyn Player; 2],
    seed: u64,
    pair: u64,
    workspace: &mut Workspace,
    mut watch: impl FnMut(&Board, Option<&Board>),
) -> GameResult {
    let mut dice = GameDice::new(seed, pair);
    let mut board = Board::start(rules);
    let mut afterstates = Afterstates::default();
    for ply in 0..TURN_CAP {
        let roll = dice.roll(ply as usize);
        afterstates.boards.clear();
        generate(rules, &board, roll, &mut afterstates);
        if afterstates.boards.is_empty() {
            watch(&board, None);
        } else {
            let turn = Turn {
                rules,
                board: &board,
                roll,
                afterstates: &afterstates.boards,
                chance: Chance { seed, pair, ply },
            };
            let chosen = afterstates.boards[players[ply as usize % 2].choose(&turn, workspace)];
            watch(&board, Some(&chosen));
            board = chosen;
            if let Some(ending) = board.ending(rules) {
                let points = i64::from(ending.points());
                return GameResult { points: if ply % 2 == 0 { points } else { -points }, ending, plies: ply + 1 };
            }
        }
        board = board.flip();
    }
    panic!("a game of {rules} has not ended after {TURN_CAP} plies (seed {seed}, pair {pair})");
}
