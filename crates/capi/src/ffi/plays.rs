//! Plays and turns.

use std::ffi::c_char;

use mahbusa_rules::{Play, Step};

use super::call::guarded;
use super::given::{Given, given};
use crate::fault::Fault;
use crate::model::{in_turn, plays as legal_plays};
use crate::types::{CLegalPlay, CPlay, CPosition, CTurn, Status};

/// All legal plays of a position with dice: each result once, in the order of the notation. There is always one; in a turn that must be passed it
/// is the play of no steps.
///
/// `plays` has room for `capacity` of them; `count` gets how many there are. `MAHBUSA_MAX_PLAYS` is always enough; to ask for the number first,
/// call with `capacity` 0, which returns `MAHBUSA_ERROR_CAPACITY`.
/// Errors: `MAHBUSA_ERROR_PLAY`, without dice or after the end; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_CAPACITY`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_legal_plays(
    position: *const CPosition,
    plays: *mut CLegalPlay,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        let legal = legal_plays(&given!(position).get()?.position()?)?;
        given!(plays).list(capacity, given!(count))?.write(legal.iter().map(CLegalPlay::from))
    })
}

/// The legal play with these steps, in whatever legal order they stand: what it leads to, and how it is written.
///
/// Errors: `MAHBUSA_ERROR_PLAY`, if there is none; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_find_play(
    position: *const CPosition,
    steps: *const CPlay,
    play: *mut CLegalPlay,
) -> Status {
    guarded(|| {
        let position = given!(position).get()?.position()?;
        in_turn(&position)?;
        let found = position.find_play(given!(steps).get()?.play()?)?;
        given!(play).write((&found).into())
    })
}

/// What may be done next in a turn of which some steps are taken, in the order in which they were: the legal single steps, and whether the turn may be
/// ended. For boards with drag and drop; to take a step back, ask with one less.
///
/// `taken` may be null when nothing is taken yet. A step is legal when some legal play goes on with it.
/// Errors: `MAHBUSA_ERROR_PLAY`, if a step that was taken is not legal; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_legal_steps(
    position: *const CPosition,
    taken: *const CPlay,
    turn: *mut CTurn,
) -> Status {
    guarded(|| {
        let position = given!(position).get()?.position()?;
        in_turn(&position)?;
        let mut open = position.open_turn().ok_or_else(|| Fault::internal("there is no turn"))?;
        let taken = given!(taken).perhaps(Given::get)?.map_or(Ok(Play::PASS), CPlay::play)?;
        for step in taken.steps() {
            open.take(Step { ..step })?;
        }
        given!(turn).write((&open).into())
    })
}

/// Reads a play, such as "24/20 20/18", "6/off(2)" or, when it is passed, "-". Whether it is legal somewhere is not looked at.
///
/// Errors: `MAHBUSA_ERROR_PLAY`, `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_play_parse(text: *const c_char, play: *mut CPlay) -> Status {
    guarded(|| {
        let parsed: Play = given!(text).text()?.parse()?;
        given!(play).write(parsed.into())
    })
}

/// Writes a play, every step of it, such as "24/20 20/18", and a closing 0 to `text`, which has room for `capacity` bytes: `MAHBUSA_TEXT_SIZE` is
/// always enough. `length`, if it is not null, gets the length without the closing 0, also where there is too little room.
///
/// With a position, in which the play must be legal, it is written for people: equal steps counted and pins marked, "24/20~(2) 20/16(2)".
/// `position` may be null.
/// Errors: `MAHBUSA_ERROR_PLAY`, `MAHBUSA_ERROR_POSITION`, `MAHBUSA_ERROR_CAPACITY`, `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_play_print(
    play: *const CPlay,
    position: *const CPosition,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        let play = given!(play).get()?.play()?;
        let written = match given!(position).perhaps(Given::get)? {
            None => play.to_string(),
            Some(position) => {
                let position = position.position()?;
                in_turn(&position)?;
                position.display(position.find_play(play)?.play)
            }
        };
        given!(text).write_text(capacity, given!(length), &written)
    })
}
