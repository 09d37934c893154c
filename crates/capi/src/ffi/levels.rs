//! Strength levels.

use std::ffi::c_char;

use super::call::{guarded, with_desk};
use super::given::{Given, given};
use super::handles::{Levels, Model};
use crate::levels::LevelSet;
use crate::model::plays as legal_plays;
use crate::types::{CLegalPlay, CLevelInfo, CPosition, CRankedPlay, Status, level_number};

/// Opens the strength levels of a net: the file at `path`, or `levels.json` in the folder there.
///
/// `full` is the net that they belong to, `small` the small one, which the weaker levels ask; without it, if it is null, those cannot play. The levels
/// keep both: you may free the models. Free the levels with `mahbusa_levels_free`. On an error `levels` gets null.
/// Errors: `MAHBUSA_ERROR_MISMATCH`, if they are the levels of other nets; `MAHBUSA_ERROR_IO`, `MAHBUSA_ERROR_FILE`, `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_levels_open(
    path: *const c_char,
    full: *const Model,
    small: *const Model,
    levels: *mut *mut Levels,
) -> Status {
    guarded(|| {
        given!(levels).open(|| {
            let (full, small) = (given!(full).inner()?, given!(small).perhaps(Given::inner)?);
            LevelSet::open(given!(path).path()?, full, small)
        })
    })
}

/// The same out of the text of the file, `length` bytes of UTF-8, which are not needed afterwards and need no closing 0.
///
/// Errors: as for `mahbusa_levels_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_levels_from_json(
    json: *const c_char,
    length: usize,
    full: *const Model,
    small: *const Model,
    levels: *mut *mut Levels,
) -> Status {
    guarded(|| {
        given!(levels).open(|| {
            let (full, small) = (given!(full).inner()?, given!(small).perhaps(Given::inner)?);
            LevelSet::from_json(given!(json).text_of(length)?, full, small)
        })
    })
}

/// Frees levels; null is nothing. No thread may be using them.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_levels_free(levels: *mut Levels) -> Status {
    guarded(|| given!(levels).free())
}

/// Says what a level is, 1 to `MAHBUSA_MAX_LEVEL`: its name for a menu, how strong it is.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_level_describe(levels: *const Levels, level: u32, info: *mut CLevelInfo) -> Status {
    guarded(|| {
        let set = given!(levels).inner()?;
        given!(info).write(set.info(level_number(level)?))
    })
}

/// The play that a level takes, 1 to `MAHBUSA_MAX_LEVEL`: what a computer opponent plays.
///
/// The same seed, position and dice give the same play, everywhere. Take a seed for each game, such as its number, so that games differ.
/// Errors: `MAHBUSA_ERROR_MISMATCH`, for other rules, or for a level that asks the small net, which was not given; `MAHBUSA_ERROR_PLAY`, without dice or
/// after the end; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_choose(
    levels: *const Levels,
    level: u32,
    seed: u64,
    position: *const CPosition,
    play: *mut CLegalPlay,
) -> Status {
    guarded(|| {
        let set = given!(levels).inner()?;
        let level = level_number(level)?;
        let position = given!(position).get()?.position()?;
        let chosen = with_desk(|desk| set.choose(level, seed, &position, desk))?;
        given!(play).write(chosen)
    })
}

/// The legal plays of a position with dice as a level sees them, the best first, as `mahbusa_rank` gives them; and which of them it takes: `chosen`
/// gets its place in the list, from 0.
///
/// Errors: as for `mahbusa_choose`, and `MAHBUSA_ERROR_CAPACITY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_rank_at_level(
    levels: *const Levels,
    level: u32,
    seed: u64,
    position: *const CPosition,
    plays: *mut CRankedPlay,
    capacity: usize,
    count: *mut usize,
    chosen: *mut usize,
) -> Status {
    guarded(|| {
        let set = given!(levels).inner()?;
        let level = level_number(level)?;
        let position = given!(position).get()?.position()?;
        let legal = legal_plays(&position)?;
        let list = given!(plays).list(capacity, given!(count))?.with_room_for(legal.len())?;
        let ranking = with_desk(|desk| set.rank(level, seed, &position, &legal, desk))?;
        given!(chosen).write(ranking.chosen)?;
        list.write(ranking.plays.into_iter())
    })
}
