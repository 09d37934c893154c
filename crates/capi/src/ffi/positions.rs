//! Positions and boards.

use std::ffi::c_char;

use mahbusa_rules::{Position, Rules};

use super::call::guarded;
use super::given::given;
use crate::fault::Fault;
use crate::types::{CBoard, CMatch, CPosition, Status, ended};

/// The start of a single game, White to roll.
///
/// `rules` is "mahbusa", "plakoto" (the same) or "tapa", perhaps with options such as "tapa,checkers=3".
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, `MAHBUSA_ERROR_POSITION`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_position_start(rules: *const c_char, position: *mut CPosition) -> Status {
    guarded(|| {
        let rules: Rules = given!(rules).text()?.parse().map_err(Fault::position)?;
        given!(position).write((&Position::start(rules)).into())
    })
}

/// Reads a position out of its notation, such as "mahbusa:O22o:0.0:w:64:0.0.0".
///
/// Errors: `MAHBUSA_ERROR_POSITION`, whose message names the field, the column and what was expected there; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_position_parse(text: *const c_char, position: *mut CPosition) -> Status {
    guarded(|| {
        let parsed: Position = given!(text).text()?.parse()?;
        given!(position).write((&parsed).into())
    })
}

/// Writes the notation of a position and a closing 0 to `text`, which has room for `capacity` bytes: `MAHBUSA_TEXT_SIZE` is always enough.
///
/// `length`, if it is not null, gets the length without the closing 0, also where there is too little room.
/// Errors: `MAHBUSA_ERROR_POSITION`, if it is none; `MAHBUSA_ERROR_CAPACITY`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_position_print(
    position: *const CPosition,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        let position = given!(position).get()?.position()?;
        given!(text).write_text(capacity, given!(length), &position.to_string())
    })
}

/// Whether and how the game of a position is over.
///
/// `ending` gets one of the constants `MAHBUSA_ENDING_...`; `points`, if it is not null, the points, 0 to 2, that the side has won that played last,
/// which is not the side in turn.
/// Errors: `MAHBUSA_ERROR_POSITION`, `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_position_ending(
    position: *const CPosition,
    ending: *mut u8,
    points: *mut u8,
) -> Status {
    guarded(|| {
        let (how, won) = ended(&given!(position).get()?.position()?);
        given!(ending).write(how)?;
        given!(points).perhaps(|points| points.write(won))?;
        Ok(())
    })
}

/// The same board seen by the other side; both pointers may be equal. The board is not checked.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_board_flip(board: *const CBoard, flipped: *mut CBoard) -> Status {
    guarded(|| {
        let board = *given!(board).get()?;
        given!(flipped).write(board.flipped())
    })
}

/// What a match has come to after the game of a position, which must be over: the score, who has won, who begins the next game.
///
/// Errors: `MAHBUSA_ERROR_PLAY`, if the game goes on; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_match_after(position: *const CPosition, result: *mut CMatch) -> Status {
    guarded(|| {
        let position = given!(position).get()?.position()?;
        given!(result).write(CMatch::after(&position)?)
    })
}
