//! Dice out of seeds.

use mahbusa_players::GameDice;

use super::call::guarded;
use super::given::given;
use crate::fault::Fault;
use crate::types::{MAHBUSA_MAX_TURN, Status, side as named};

/// The dice of one turn, the higher first, out of a seed, the number of the game and the number of the turn in it, from 0: always and everywhere the
/// same, so that a game can be replayed. Turns that are passed count.
///
/// `turn` is below `MAHBUSA_MAX_TURN`; `dice` is room for two.
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_roll(seed: u64, game: u64, turn: u32, dice: *mut u8) -> Status {
    guarded(|| {
        if turn >= MAHBUSA_MAX_TURN {
            return Err(Fault::argument(format!("turn: expected a number below {MAHBUSA_MAX_TURN}, found {turn}")));
        }
        let roll = GameDice::new(seed, game).roll(turn as usize);
        given!(dice).write_all([roll.high(), roll.low()])
    })
}

/// Who begins a game, by one die each, out of a seed and the number of the game; ties are thrown again. Whoever begins then rolls both dice: turn 0.
///
/// `dice`, if it is not null, is room for two: White's die and Black's of the throw that decided. `side` gets `MAHBUSA_WHITE` or `MAHBUSA_BLACK`.
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_opening(seed: u64, game: u64, dice: *mut u8, side: *mut u8) -> Status {
    guarded(|| {
        let opening = GameDice::opening(seed, game);
        given!(side).write(named(opening.opener))?;
        given!(dice).perhaps(|dice| dice.write_all(opening.decisive))?;
        Ok(())
    })
}
