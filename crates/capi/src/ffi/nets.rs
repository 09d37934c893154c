//! Nets, and the table of the ends of games.

use std::ffi::c_char;
use std::sync::Arc;

use mahbusa_net::OUTCOMES;

use super::call::{guarded, with_desk};
use super::given::{Given, given};
use super::handles::{Endings, Model};
use crate::model::{self, Answers, Model as Net, plays as legal_plays};
use crate::types::{CBoard, CModelInfo, CPosition, CRankedPlay, Status};

/// Gets the table of the ends of games, for models that are to know them exactly as `mahbusa analyze` does: positions in which both sides are home
/// and nobody is trapped. Without it a model asks its net there too, which is nearly as good.
///
/// The table takes 40 MB of memory. It is read out of the folder `folder`, in a tenth of a second, or, if it is not there, built, in about four
/// seconds of one processor, and kept there. If `folder` is null it is built and not kept.
/// Errors: `MAHBUSA_ERROR_ARGUMENT`. That it could not be kept is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_endings_open(folder: *const c_char, endings: *mut *mut Endings) -> Status {
    guarded(|| given!(endings).open(|| model::endings(given!(folder).perhaps(Given::path)?)))
}

/// Frees the table; null is nothing. Models that were opened with it go on using it.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_endings_free(endings: *mut Endings) -> Status {
    guarded(|| given!(endings).free())
}

/// Opens a net: the `.mnet` file at `path`, or `net.mnet` in the folder there. `endings` may be null.
///
/// Free the model with `mahbusa_model_free`. On an error `model` gets null.
/// Errors: `MAHBUSA_ERROR_IO`, `MAHBUSA_ERROR_FILE`, `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_model_open(
    path: *const c_char,
    endings: *const Endings,
    model: *mut *mut Model,
) -> Status {
    guarded(|| {
        given!(model).open(|| {
            let endings = given!(endings).perhaps(Given::inner)?;
            Ok(Arc::new(Net::open(given!(path).path()?, endings)?))
        })
    })
}

/// Opens a net out of the bytes of its file, which are not needed afterwards: for programs that carry it within. `endings` may be null.
///
/// Free the model with `mahbusa_model_free`. On an error `model` gets null.
/// Errors: `MAHBUSA_ERROR_FILE`, `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_model_from_bytes(
    bytes: *const u8,
    length: usize,
    endings: *const Endings,
    model: *mut *mut Model,
) -> Status {
    guarded(|| {
        given!(model).open(|| {
            let endings = given!(endings).perhaps(Given::inner)?;
            Ok(Arc::new(Net::from_bytes(given!(bytes).many(length)?, endings)?))
        })
    })
}

/// Frees a model; null is nothing. No thread may be using it. Levels that were opened with it go on using it.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_model_free(model: *mut Model) -> Status {
    guarded(|| given!(model).free())
}

/// Says what a net is.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_model_describe(model: *const Model, info: *mut CModelInfo) -> Status {
    guarded(|| {
        let net = given!(model).inner()?;
        given!(info).write(net.info())
    })
}

/// What boards are worth to the side that is to roll, and sees them; by the rules of the model, in points. Many at once are faster than one at a time.
///
/// `ply` is 1 to `MAHBUSA_MAX_PLY`; 1 is the opinion of the net. `boards` are `count`. `outcomes`, if it is not null, is room for 5 times `count`
/// numbers, which are, board by board, the probabilities to lose 2, lose 1, draw, win 1 and win 2; `equities`, if it is not null, room for `count`
/// numbers, the expected points. For the side that has made a play, the board after which it is, exchange the outcomes end for end, and negate the
/// equity. A board whose game is over has the outcome that is certain.
/// Errors: `MAHBUSA_ERROR_POSITION`, whose message names the board, counted from 0; `MAHBUSA_ERROR_ARGUMENT`. What was written then is of no use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_evaluate(
    model: *const Model,
    ply: u32,
    boards: *const CBoard,
    count: usize,
    outcomes: *mut f32,
    equities: *mut f32,
) -> Status {
    guarded(|| {
        let net = given!(model).inner()?;
        let ply = model::ply(ply)?;
        let boards = given!(boards).many(count)?;
        let answers = Answers {
            outcomes: given!(outcomes).perhaps(|outcomes| outcomes.places(count.saturating_mul(OUTCOMES)))?,
            equities: given!(equities).perhaps(|equities| equities.places(count))?,
        };
        with_desk(|desk| net.evaluate(ply, boards, answers, desk))
    })
}

/// The legal plays of a position with dice, ranked by a net, the best first.
///
/// `ply` is 1 to `MAHBUSA_MAX_PLY`: how deep the net looks. With a small net that takes about 0.01, 0.5 and 40 milliseconds. In a match, which the position
/// says, plays are ranked by the chance to win it; set its `score` to 0, 0, 0 to rank them by points.
/// `plays` has room for `capacity`; `count` gets how many there are; see `mahbusa_legal_plays`.
/// Errors: `MAHBUSA_ERROR_MISMATCH`, if the net was not trained on these rules; `MAHBUSA_ERROR_PLAY`, without dice or after the end;
/// `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_CAPACITY`, before any time is spent on ranking; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_rank(
    model: *const Model,
    ply: u32,
    position: *const CPosition,
    plays: *mut CRankedPlay,
    capacity: usize,
    count: *mut usize,
) -> Status {
    guarded(|| {
        let net = given!(model).inner()?;
        let ply = model::ply(ply)?;
        let position = given!(position).get()?.position()?;
        let legal = legal_plays(&position)?;
        let list = given!(plays).list(capacity, given!(count))?.with_room_for(legal.len())?;
        let ranked = with_desk(|desk| net.rank(ply, &position, &legal, desk))?;
        list.write(ranked.into_iter())
    })
}

/// The chance to win the match of a position, for the side in turn, if the game ends with these probabilities: to lose 2, lose 1, draw, win 1, win 2.
///
/// `outcomes` are five numbers, 0 to 1, whose sum is 1, to a thousandth. The model says what is to be expected of the games that may follow.
/// Errors: `MAHBUSA_ERROR_PLAY`, in a single game; `MAHBUSA_ERROR_MISMATCH`; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_match_chance(
    model: *const Model,
    position: *const CPosition,
    outcomes: *const f32,
    chance: *mut f32,
) -> Status {
    guarded(|| {
        let net = given!(model).inner()?;
        let position = given!(position).get()?.position()?;
        let outcomes = model::outcomes(given!(outcomes).many(OUTCOMES)?)?;
        given!(chance).write(net.match_chance(&position, &outcomes)?)
    })
}
