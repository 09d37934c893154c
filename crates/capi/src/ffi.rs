//! The functions that C calls.
//!
//! Each of them is a shell: it borrows what the pointers point to, calls safe code, writes the answer down, and turns errors and panics into a code
//! and a message.
//!
//! What a caller vouches for, everywhere: a pointer that is not null points to as much valid memory as its type and the count beside it say, until
//! the function returns; nobody writes there meanwhile, and what the function writes to overlaps nothing else that it was given; a text ends with a
//! 0; a handle came from this library and was not freed. Null pointers, pointers that are not aligned and handles of another sort are noticed.

#![allow(unsafe_code, reason = "a C interface is made of pointers whose validity only the caller knows")]
#![allow(clippy::missing_safety_doc, reason = "what a caller owes is the same for all functions, and stands above")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use mahbusa_exact::Endings as Table;
use mahbusa_net::OUTCOMES;
use mahbusa_players::{Aim, GameDice, Rated};
use mahbusa_rules::{Play, Position, Rules, Step};

use crate::fault::Fault;
use crate::levels::LevelSet;
use crate::model::{self, Answers, Desk, Model as Net, Ranking};
use crate::types::{
    CBoard, CLegalPlay, CLevelInfo, CMatch, CModelInfo, CPlay, CPosition, CRankedPlay, CTurn, MAHBUSA_ABI,
    MAHBUSA_MAX_TURN, MAHBUSA_OK, Status, ended, level_number, side as named,
};

/// A net. Any number of threads may use one at a time.
pub struct Model(());

/// Strength levels and their nets. Any number of threads may use one set at a time.
pub struct Levels(());

/// A table of the ends of games. Models share it.
pub struct Endings(());

/// What stands behind a handle: first of all what sort it is.
#[repr(C)]
struct Handle<T> {
    sort: u64,
    inner: T,
}

/// What can stand behind a handle.
trait Sort {
    /// The type that C sees.
    type Seen;
    /// Known by this number, which no other memory is likely to begin with.
    const SORT: u64;
    /// What people call it.
    const NAME: &str;
}

impl Sort for Arc<Net> {
    type Seen = Model;
    const SORT: u64 = 0x6d61_6862_6d6f_6465;
    const NAME: &str = "mahbusa_model";
}

impl Sort for LevelSet {
    type Seen = Levels;
    const SORT: u64 = 0x6d61_6862_6c65_7665;
    const NAME: &str = "mahbusa_levels";
}

impl Sort for Arc<Table> {
    type Seen = Endings;
    const SORT: u64 = 0x6d61_6862_656e_6469;
    const NAME: &str = "mahbusa_endings";
}

thread_local! {
    /// The message of the last error of this thread.
    static MESSAGE: RefCell<CString> = RefCell::default();
    /// The memory of this thread.
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Runs the body of a function; nothing that happens there gets out but a code.
fn guarded(body: impl FnOnce() -> Result<(), Fault>) -> Status {
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Fault::internal(format!("a fault of the library: {text}")))
    });
    let Err(Fault { status, message }) = result else { return MAHBUSA_OK };
    // A thread that is ending has no message any more.
    let _ = MESSAGE.try_with(|slot| {
        let text = CString::new(message.replace('\0', "?")).unwrap_or_default();
        slot.replace(text);
    });
    status
}

/// Runs something with the memory of this thread.
fn with_desk<R>(work: impl FnOnce(&mut Desk) -> Result<R, Fault>) -> Result<R, Fault> {
    DESK.try_with(|desk| work(&mut desk.borrow_mut())).map_err(|_| Fault::internal("this thread is ending"))?
}

// ---------------------------------------------------------------------------------------------------------------------
// What pointers point to. The macros are the only places where one is followed.

fn check<T>(name: &str, pointer: *const T) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::argument(format!("{name}: expected a pointer, found null")));
    }
    if !pointer.is_aligned() {
        return Err(Fault::argument(format!("{name}: expected an aligned pointer, found {pointer:p}")));
    }
    Ok(())
}

fn check_many<T>(name: &str, pointer: *const T, count: usize) -> Result<(), Fault> {
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Fault::argument(format!("{name}: expected a count that memory can hold, found {count}")));
    }
    if count > 0 { check(name, pointer) } else { Ok(()) }
}

/// What a pointer points to.
macro_rules! given {
    ($pointer:ident) => {{
        check(stringify!($pointer), $pointer)?;
        // SAFETY: it is neither null nor misaligned, and for the rest the caller vouches (see the head of this module).
        unsafe { &*$pointer }
    }};
}

/// So many of what a pointer points to; it may be null if there are none.
macro_rules! given_many {
    ($pointer:ident, $count:expr) => {{
        let count: usize = $count;
        check_many(stringify!($pointer), $pointer, count)?;
        if count == 0 {
            &[]
        } else {
            // SAFETY: it is neither null nor misaligned, not too long, and for the rest the caller vouches.
            unsafe { std::slice::from_raw_parts($pointer, count) }
        }
    }};
}

/// A text that a pointer points to.
macro_rules! given_text {
    ($pointer:ident) => {{
        check(stringify!($pointer), $pointer)?;
        // SAFETY: it is not null, and the caller vouches for the closing 0.
        let text = unsafe { CStr::from_ptr($pointer) };
        text.to_str()
            .map_err(|_| Fault::argument(concat!(stringify!($pointer), ": expected UTF-8, found bytes that are not")))?
    }};
}

/// What stands behind a handle.
macro_rules! given_handle {
    ($pointer:ident as $inner:ty) => {{
        let handle: *const <$inner as Sort>::Seen = $pointer;
        let handle = handle.cast::<Handle<$inner>>();
        check(stringify!($pointer), handle)?;
        // SAFETY: a handle of whatever sort begins with its sort.
        let sort = unsafe { (&raw const (*handle).sort).read() };
        if sort != <$inner as Sort>::SORT {
            return Err(Fault::argument(format!(
                concat!(stringify!($pointer), ": expected a handle of {}, found another"),
                <$inner as Sort>::NAME
            )));
        }
        // SAFETY: it is a handle of this sort, which the caller has not freed.
        unsafe { &(*handle).inner }
    }};
}

/// The same, if there is a handle.
macro_rules! perhaps_handle {
    ($pointer:ident as $inner:ty) => {
        if $pointer.is_null() { None } else { Some(given_handle!($pointer as $inner)) }
    };
}

/// A place for an answer.
macro_rules! place {
    ($pointer:ident) => {{
        check(stringify!($pointer), $pointer)?;
        // SAFETY: it is neither null nor misaligned, and for the rest the caller vouches. What stands there is not read.
        unsafe { as_place($pointer) }
    }};
}

/// So many places; there may be none.
macro_rules! places {
    ($pointer:ident, $count:expr) => {{
        let count: usize = $count;
        check_many(stringify!($pointer), $pointer, count)?;
        if count == 0 {
            &mut []
        } else {
            // SAFETY: it is neither null nor misaligned, not too long, and for the rest the caller vouches.
            unsafe { std::slice::from_raw_parts_mut($pointer.cast::<MaybeUninit<_>>(), count) }
        }
    }};
}

/// # Safety
/// The pointer is valid for writing as long as the place is used.
unsafe fn as_place<'a, T>(pointer: *mut T) -> &'a mut MaybeUninit<T> {
    // SAFETY: as the caller says; any memory is a place for what may be uninitialised.
    unsafe { &mut *pointer.cast() }
}

/// A new handle for what it is to stand for.
fn handle<T: Sort>(inner: T) -> *mut T::Seen {
    Box::into_raw(Box::new(Handle { sort: T::SORT, inner })).cast()
}

/// Frees a handle, if there is one.
macro_rules! free {
    ($pointer:ident as $inner:ty) => {{
        if $pointer.is_null() {
            return Ok(());
        }
        // Refuses handles of another sort.
        let _ = given_handle!($pointer as $inner);
        // SAFETY: it was made by `handle`, and the caller has not freed it before.
        drop(unsafe { Box::from_raw($pointer.cast::<Handle<$inner>>()) });
        Ok(())
    }};
}

/// Writes a list where there is room for it.
fn write_list<T>(
    list: impl ExactSizeIterator<Item = T>,
    places: &mut [MaybeUninit<T>],
    count: &mut MaybeUninit<usize>,
) -> Result<(), Fault> {
    let (needed, capacity) = (list.len(), places.len());
    count.write(needed);
    if needed > capacity {
        return Err(Fault::capacity("plays", needed, capacity));
    }
    for (place, item) in places.iter_mut().zip(list) {
        place.write(item);
    }
    Ok(())
}

/// Writes a text and its closing 0 where there is room for both.
fn write_text(
    text: &str,
    places: &mut [MaybeUninit<c_char>],
    length: Option<&mut MaybeUninit<usize>>,
) -> Result<(), Fault> {
    if let Some(length) = length {
        length.write(text.len());
    }
    if text.len() >= places.len() {
        return Err(Fault::capacity("text", text.len() + 1, places.len()));
    }
    for (place, byte) in places.iter_mut().zip(text.bytes().chain([0])) {
        place.write(byte as c_char);
    }
    Ok(())
}

fn write_ranking(
    ranking: &Ranking,
    order: &[usize],
    places: &mut [MaybeUninit<CRankedPlay>],
    count: &mut MaybeUninit<usize>,
) -> Result<(), Fault> {
    let ranked = order.iter().map(|&index| {
        let rated = &ranking.rated[index];
        let chance = match ranking.aim {
            Aim::Points => None,
            Aim::Match(stakes) => Some(stakes.chance(&rated.outcomes)),
        };
        CRankedPlay::new(&ranking.plays[index], rated, chance)
    });
    write_list(ranked, places, count)
}

/// Refuses, before anything is rated, when there is no room for the plays.
fn make_room(
    position: &Position,
    places: &[MaybeUninit<CRankedPlay>],
    count: &mut MaybeUninit<usize>,
) -> Result<(), Fault> {
    let needed = model::plays(position)?.len();
    count.write(needed);
    if needed > places.len() { Err(Fault::capacity("plays", needed, places.len())) } else { Ok(()) }
}

// ---------------------------------------------------------------------------------------------------------------------
// The library

/// The version of the library, such as "0.1.0"; never to be freed.
#[unsafe(no_mangle)]
pub extern "C" fn mahbusa_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The `MAHBUSA_ABI` that the library was built with. If it is not that of your header, do not call anything else.
#[unsafe(no_mangle)]
pub extern "C" fn mahbusa_abi() -> u32 {
    MAHBUSA_ABI
}

/// What went wrong in the last call on this thread that returned an error, as a sentence in English: what, where, what was expected. Empty if none did.
///
/// It is the library's, and is valid until the next call on this thread that returns an error: copy it if you keep it.
#[unsafe(no_mangle)]
pub extern "C" fn mahbusa_last_error() -> *const c_char {
    MESSAGE.try_with(|message| message.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

// ---------------------------------------------------------------------------------------------------------------------
// Positions

/// The start of a single game, White to roll.
///
/// `rules` is "mahbusa", "plakoto" (the same) or "tapa", perhaps with options such as "tapa,checkers=3".
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, `MAHBUSA_ERROR_POSITION`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_position_start(rules: *const c_char, position: *mut CPosition) -> Status {
    guarded(|| {
        let place = place!(position);
        let rules: Rules = given_text!(rules).parse().map_err(Fault::position)?;
        place.write((&Position::start(rules)).into());
        Ok(())
    })
}

/// Reads a position out of its notation, such as "mahbusa:O22o:0.0:w:64:0.0.0".
///
/// Errors: `MAHBUSA_ERROR_POSITION`, whose message names the field, the column and what was expected there; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_position_parse(text: *const c_char, position: *mut CPosition) -> Status {
    guarded(|| {
        let place = place!(position);
        place.write((&given_text!(text).parse::<Position>()?).into());
        Ok(())
    })
}

/// Writes the notation of a position and a closing 0 to `text`, which has room for `capacity` bytes: `MAHBUSA_TEXT_SIZE` is always enough.
///
/// `length`, if it is not null, gets the length without the closing 0.
/// Errors: `MAHBUSA_ERROR_POSITION`, if it is none; `MAHBUSA_ERROR_CAPACITY`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_position_print(
    position: *const CPosition,
    text: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        let position = given!(position).position()?;
        let length = if length.is_null() { None } else { Some(place!(length)) };
        write_text(&position.to_string(), places!(text, capacity), length)
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
        let (how, won) = ended(&given!(position).position()?);
        place!(ending).write(how);
        if !points.is_null() {
            place!(points).write(won);
        }
        Ok(())
    })
}

/// The same board seen by the other side; both pointers may be equal. The board is not checked.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_board_flip(board: *const CBoard, flipped: *mut CBoard) -> Status {
    guarded(|| {
        let board = *given!(board);
        place!(flipped).write(board.flipped());
        Ok(())
    })
}

/// What a match has come to after the game of a position, which must be over: the score, who has won, who begins the next game.
///
/// Errors: `MAHBUSA_ERROR_PLAY`, if the game goes on; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_match_after(position: *const CPosition, result: *mut CMatch) -> Status {
    guarded(|| {
        let position = given!(position).position()?;
        place!(result).write(CMatch::after(&position)?);
        Ok(())
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Plays

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
        let legal = model::plays(&given!(position).position()?)?;
        write_list(legal.iter().map(CLegalPlay::from), places!(plays, capacity), place!(count))
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
        let position = given!(position).position()?;
        model::in_turn(&position)?;
        let found = position.find_play(given!(steps).play()?)?;
        place!(play).write((&found).into());
        Ok(())
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
        let position = given!(position).position()?;
        model::in_turn(&position)?;
        let mut open = position.open_turn().ok_or_else(|| Fault::internal("there is no turn"))?;
        let taken = if taken.is_null() { Play::PASS } else { given!(taken).play()? };
        for step in taken.steps() {
            open.take(Step { ..step })?;
        }
        place!(turn).write((&open).into());
        Ok(())
    })
}

/// Reads a play, such as "24/20 20/18", "6/off(2)" or, when it is passed, "-". Whether it is legal somewhere is not looked at.
///
/// Errors: `MAHBUSA_ERROR_PLAY`, `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_play_parse(text: *const c_char, play: *mut CPlay) -> Status {
    guarded(|| {
        let place = place!(play);
        place.write(given_text!(text).parse::<Play>()?.into());
        Ok(())
    })
}

/// Writes a play, every step of it, such as "24/20 20/18", and a closing 0 to `text`, which has room for `capacity` bytes: `MAHBUSA_TEXT_SIZE` is
/// always enough. `length`, if it is not null, gets the length without the closing 0.
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
        let play = given!(play).play()?;
        let written = if position.is_null() {
            play.to_string()
        } else {
            let position = given!(position).position()?;
            model::in_turn(&position)?;
            let found = position.find_play(play)?;
            position.display(found.play)
        };
        let length = if length.is_null() { None } else { Some(place!(length)) };
        write_text(&written, places!(text, capacity), length)
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Dice

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
        for (place, die) in places!(dice, 2).iter_mut().zip([roll.high(), roll.low()]) {
            place.write(die);
        }
        Ok(())
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
        place!(side).write(named(opening.opener));
        if !dice.is_null() {
            for (place, die) in places!(dice, 2).iter_mut().zip(opening.decisive) {
                place.write(die);
            }
        }
        Ok(())
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Nets

/// Gets the table of the ends of games, for models that are to know them exactly as `mahbusa analyze` does: positions in which both sides are home
/// and nobody is trapped. Without it a model asks its net there too, which is nearly as good.
///
/// The table takes 40 MB of memory. It is read out of the folder `folder`, in a tenth of a second, or, if it is not there, built, in about four
/// seconds of one processor, and kept there. If `folder` is null it is built and not kept.
/// Errors: `MAHBUSA_ERROR_ARGUMENT`. That it could not be kept is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_endings_open(folder: *const c_char, endings: *mut *mut Endings) -> Status {
    guarded(|| {
        let place = place!(endings);
        place.write(ptr::null_mut());
        let folder = if folder.is_null() { None } else { Some(Path::new(given_text!(folder))) };
        place.write(handle(model::endings(folder)?));
        Ok(())
    })
}

/// Frees the table; null is nothing. Models that were opened with it go on using it.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_endings_free(endings: *mut Endings) -> Status {
    guarded(|| free!(endings as Arc<Table>))
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
        let place = place!(model);
        place.write(ptr::null_mut());
        let table = perhaps_handle!(endings as Arc<Table>);
        let net = Net::open(Path::new(given_text!(path)), table)?;
        place.write(handle(Arc::new(net)));
        Ok(())
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
        let place = place!(model);
        place.write(ptr::null_mut());
        let table = perhaps_handle!(endings as Arc<Table>);
        let net = Net::from_bytes(given_many!(bytes, length), table)?;
        place.write(handle(Arc::new(net)));
        Ok(())
    })
}

/// Frees a model; null is nothing. No thread may be using it. Levels that were opened with it go on using it.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_model_free(model: *mut Model) -> Status {
    guarded(|| free!(model as Arc<Net>))
}

/// Says what a net is.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_model_describe(model: *const Model, info: *mut CModelInfo) -> Status {
    guarded(|| {
        let net = given_handle!(model as Arc<Net>);
        place!(info).write(net.info());
        Ok(())
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
        let net = given_handle!(model as Arc<Net>);
        let ply = model::ply(ply)?;
        let boards = given_many!(boards, count);
        let numbers = count.saturating_mul(OUTCOMES);
        let answers = Answers {
            outcomes: if outcomes.is_null() { None } else { Some(places!(outcomes, numbers)) },
            equities: if equities.is_null() { None } else { Some(places!(equities, count)) },
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
        let net = given_handle!(model as Arc<Net>);
        let ply = model::ply(ply)?;
        let position = given!(position).position()?;
        let (places, count) = (places!(plays, capacity), place!(count));
        make_room(&position, places, count)?;
        let ranking = with_desk(|desk| net.rank(ply, &position, desk))?;
        write_ranking(&ranking, &Rated::order(&ranking.rated, ranking.aim), places, count)
    })
}

/// The chance to win the match of a position, for the side in turn, if the game ends with these probabilities: to lose 2, lose 1, draw, win 1, win 2.
///
/// `outcomes` are five numbers. The model says what is to be expected of the games that may follow.
/// Errors: `MAHBUSA_ERROR_PLAY`, in a single game; `MAHBUSA_ERROR_MISMATCH`; `MAHBUSA_ERROR_POSITION`; `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_match_chance(
    model: *const Model,
    position: *const CPosition,
    outcomes: *const f32,
    chance: *mut f32,
) -> Status {
    guarded(|| {
        let net = given_handle!(model as Arc<Net>);
        let position = given!(position).position()?;
        let outcomes: &[f32] = given_many!(outcomes, OUTCOMES);
        let Aim::Match(stakes) = net.aim(&position)? else {
            return Err(Fault::play("expected a position of a match: this is a single game"));
        };
        let outcomes = mahbusa_net::Outcomes::new(std::array::from_fn(|i| outcomes[i]));
        place!(chance).write(stakes.chance(&outcomes));
        Ok(())
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Strength levels

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
        let place = place!(levels);
        place.write(ptr::null_mut());
        let full = given_handle!(full as Arc<Net>);
        let small = perhaps_handle!(small as Arc<Net>);
        let set = LevelSet::open(Path::new(given_text!(path)), Arc::clone(full), small.map(Arc::clone))?;
        place.write(handle(set));
        Ok(())
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
        let place = place!(levels);
        place.write(ptr::null_mut());
        let full = given_handle!(full as Arc<Net>);
        let small = perhaps_handle!(small as Arc<Net>);
        let json = json.cast::<u8>();
        let text = std::str::from_utf8(given_many!(json, length))
            .map_err(|_| Fault::argument("json: expected UTF-8, found bytes that are not"))?;
        place.write(handle(LevelSet::from_json(text, Arc::clone(full), small.map(Arc::clone))?));
        Ok(())
    })
}

/// Frees levels; null is nothing. No thread may be using them.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`, if it is a handle of another sort.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_levels_free(levels: *mut Levels) -> Status {
    guarded(|| free!(levels as LevelSet))
}

/// Says what a level is, 1 to `MAHBUSA_MAX_LEVEL`: its name for a menu, how strong it is.
///
/// Errors: `MAHBUSA_ERROR_ARGUMENT`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mahbusa_level_describe(levels: *const Levels, level: u32, info: *mut CLevelInfo) -> Status {
    guarded(|| {
        let set = given_handle!(levels as LevelSet);
        place!(info).write(set.info(level_number(level)?));
        Ok(())
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
        let set = given_handle!(levels as LevelSet);
        let level = level_number(level)?;
        let position = given!(position).position()?;
        let chosen = with_desk(|desk| set.choose(level, seed, &position, desk))?;
        place!(play).write((&chosen).into());
        Ok(())
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
        let set = given_handle!(levels as LevelSet);
        let level = level_number(level)?;
        let position = given!(position).position()?;
        let (places, count, place) = (places!(plays, capacity), place!(count), place!(chosen));
        make_room(&position, places, count)?;
        let ranking = with_desk(|desk| set.rank(level, seed, &position, desk))?;
        let order = Rated::order(&ranking.rated, ranking.aim);
        let taken = order.iter().position(|&index| Some(index) == ranking.chosen);
        place.write(taken.ok_or_else(|| Fault::internal("a level has chosen no play"))?);
        write_ranking(&ranking, &order, places, count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MAHBUSA_ERROR_INTERNAL;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guarded(|| panic!("on {}", "purpose")), MAHBUSA_ERROR_INTERNAL);
        // SAFETY: it is a text that ends with a 0, until the next error.
        let message = unsafe { CStr::from_ptr(mahbusa_last_error()) };
        assert_eq!(message.to_str(), Ok("a fault of the library: on purpose"));
    }

    #[test]
    fn a_handle_is_known_by_its_sort() {
        let endings = handle(Arc::new(Table::new(mahbusa_exact::Cache::none())));
        let right =
            || Ok::<_, Fault>(given_handle!(endings as Arc<Table>).outcomes(&mahbusa_rules::Board::start(Rules::TAPA)));
        assert!(right().is_ok_and(|outcomes| outcomes.is_none()));
        let (wrong, odd) = (endings.cast::<Model>(), endings.wrapping_byte_add(1));
        assert!((|| Ok::<_, Fault>(given_handle!(wrong as Arc<Net>).rules()))().is_err());
        assert!((|| Ok::<_, Fault>(Arc::strong_count(given_handle!(odd as Arc<Table>))))().is_err());
        assert_eq!(guarded(|| free!(endings as Arc<Table>)), MAHBUSA_OK);
    }
}
