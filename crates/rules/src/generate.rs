//! Legal plays. Three facts make this fast; the tests check them against a slow generator that knows none of them.
//!
//! 1. The points open to the mover do not change during a turn (see [`Board::open`]).
//! 2. So steps commute, unless one of them ends the game or a checker must come home first. A play is a multiset of steps,
//!    and the order that takes the rearmost checker first is legal when any is; it also is the wire form.
//! 3. Two different multisets of steps lead to the same position only if one checker plays both dice over two different
//!    points between, or if checkers are borne off.
//!
//! Turns in which the order may matter, because a start may be pinned or cleared, or a checker borne off with one of two
//! different dice, are searched in all orders.

use std::collections::HashSet;

use crate::{Board, Ending, POINTS, Play, Roll, Rules, Step};

/// Receives the legal plays of a turn, each distinct result once, in wire order.
pub trait Sink {
    /// A play and the board after it, still seen by the side that played.
    fn push(&mut self, board: Board, play: Play);

    /// Forgets everything received: a play that uses more dice has been found.
    fn clear(&mut self);
}

/// The boards after each legal play, without the plays: all that an evaluator needs.
#[derive(Clone, Debug, Default)]
pub struct Afterstates {
    /// Seen by the side that played, in wire order of the plays.
    pub boards: Vec<Board>,
}

impl Sink for Afterstates {
    #[inline]
    fn push(&mut self, board: Board, _: Play) {
        self.boards.push(board);
    }

    #[inline]
    fn clear(&mut self) {
        self.boards.clear();
    }
}

/// One legal play and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayResult {
    /// The play, in wire form.
    pub play: Play,
    /// The board after it, seen by the side that played.
    pub board: Board,
    /// How the play ended the game for the side that played, if it did.
    pub ending: Option<Ending>,
}

impl Sink for Vec<(Board, Play)> {
    fn push(&mut self, board: Board, play: Play) {
        Vec::push(self, (board, play));
    }

    fn clear(&mut self) {
        Vec::clear(self);
    }
}

/// All legal plays in wire order; a forced pass is one [`Play::PASS`].
pub fn plays(rules: Rules, board: &Board, roll: Roll) -> Vec<PlayResult> {
    let mut results = Vec::new();
    generate(rules, board, roll, &mut results);
    if results.is_empty() {
        results.push((*board, Play::PASS));
    }
    results.into_iter().map(|(board, play)| PlayResult { play, board, ending: board.ending(rules) }).collect()
}

/// Hands every distinct result of a roll to the sink once, in wire order; nothing when the turn must be passed.
///
/// The board must not be that of a finished game.
#[inline]
pub fn generate(rules: Rules, board: &Board, roll: Roll, sink: &mut impl Sink) {
    let turn = Turn { rules, open: board.open() };
    let free = board.my_free();
    let threat = start_may_decide(rules, board, free, roll);
    match (roll.is_double(), threat) {
        (true, false) => turn.double(board, free, roll.high(), sink),
        (true, true) => turn.double_in_any_order(board, roll.high(), sink),
        (false, false) if !may_bear_off(board, free) => turn.two_dice(board, free, roll, sink),
        (false, _) => turn.two_dice_in_any_order(board, roll, sink),
    }
}

const START: u32 = 1 << (POINTS - 1);
const HOME: u32 = 0b11_1111;

/// Whether this turn may end the game by a pin on their start, so that the order of steps matters. May say yes too often.
fn start_may_decide(rules: Rules, board: &Board, free: u32, roll: Roll) -> bool {
    let steps = if roll.is_double() { 4 } else { 2 };
    let mine_left = board.free()[POINTS - 1];
    if board.their_trapped() & 1 == 1 {
        return rules.mother() && (1..=steps).contains(&mine_left);
    }
    if board.their_blots() & 1 == 0 {
        return false;
    }
    let (high, low) = (roll.high(), roll.low());
    let reach = if roll.is_double() {
        1 << high | 1 << (2 * high) | 1 << (3 * high) | 1 << (4 * high)
    } else {
        1 << high | 1 << low | 1 << (high + low)
    };
    let draw = board.my_trapped() & START != 0;
    free & reach != 0 && (draw || rules.mother() && mine_left < steps)
}

/// Whether a checker may be borne off with one of two different dice this turn. May say yes too often.
fn may_bear_off(board: &Board, free: u32) -> bool {
    let outside = free & !HOME;
    board.my_trapped() == 0 && outside & outside.wrapping_sub(1) == 0
}

/// What stays the same through a turn.
#[derive(Clone, Copy)]
struct Turn {
    rules: Rules,
    open: u32,
}

impl Turn {
    /// Two different dice where neither bearing off nor a pinned start can matter.
    #[inline]
    fn two_dice(self, board: &Board, free: u32, roll: Roll, sink: &mut impl Sink) {
        let (high, low) = (roll.high(), roll.low());
        let lands_high = self.open << high;
        let lands_low = self.open << low;
        let from_high = free & lands_high;
        let from_low = free & lands_low;
        let mut both = false;
        for from in descending(from_high | from_low) {
            let bit = 1u32 << from;
            let below = bit - 1;
            if from_high & bit != 0 {
                let stack = if board.free()[from] > 1 { bit } else { 0 };
                let seconds = from_low & (below | stack) | (bit >> high) & lands_low;
                if seconds != 0 {
                    both = true;
                    let first = board.stepped(from, Some(from - usize::from(high)));
                    self.finish(&first, step(from, high), seconds, low, sink);
                }
            }
            if from_low & bit != 0 {
                // One checker over both dice comes to the same over either point between: it goes by the higher die if it can.
                let between = bit >> low;
                let through = if from_high & bit == 0 { between & lands_high } else { 0 };
                let seconds = from_high & below & !between | through;
                if seconds != 0 {
                    both = true;
                    let first = board.stepped(from, Some(from - usize::from(low)));
                    self.finish(&first, step(from, low), seconds, high, sink);
                }
            }
        }
        if !both {
            let (from, die) = if from_high != 0 { (from_high, high) } else { (from_low, low) };
            for from in descending(from) {
                sink.push(board.stepped(from, Some(from - usize::from(die))), Play::PASS.then(step(from, die)));
            }
        }
    }

    #[inline]
    fn finish(self, board: &Board, first: Step, seconds: u32, die: u8, sink: &mut impl Sink) {
        for from in descending(seconds) {
            let play = Play::of_two(first, step(from, die));
            sink.push(board.stepped(from, Some(from - usize::from(die))), play);
        }
    }

    /// A double where no pinned start can matter: steps from the rear forward meet every multiset of steps once.
    #[inline]
    fn double(self, board: &Board, free: u32, die: u8, sink: &mut impl Sink) {
        let mut longest = 0;
        self.double_from(board, free, !0, die, Play::PASS, 0, &mut longest, sink);
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a recursion, kept in registers")]
    fn double_from(
        self,
        board: &Board,
        free: u32,
        allowed: u32,
        die: u8,
        play: Play,
        taken: u32,
        longest: &mut u32,
        sink: &mut impl Sink,
    ) {
        for from in descending(board.movable(free, self.open, die) & allowed) {
            let bit = 1u32 << from;
            let next = board.stepped(from, from.checked_sub(usize::from(die)));
            let play = play.then(step(from, die));
            let taken = if next.my_off() == self.rules.checkers() { 4 } else { taken + 1 };
            if taken > *longest {
                *longest = taken;
                sink.clear();
            }
            if taken == *longest {
                sink.push(next, play);
            }
            if taken < 4 {
                let left = if board.free()[from] == 1 { free & !bit } else { free };
                self.double_from(&next, left | bit >> die, bit | (bit - 1), die, play, taken, longest, sink);
            }
        }
    }

    /// A double in all orders of its steps, visited in wire order; each position is reached first by its wire form.
    fn double_in_any_order(self, board: &Board, die: u8, sink: &mut impl Sink) {
        let mut search = DoubleSearch { turn: self, die, longest: 0, seen: HashSet::new() };
        search.visit(board, Play::PASS, 0, sink);
    }

    /// Two different dice in both orders.
    fn two_dice_in_any_order(self, board: &Board, roll: Roll, sink: &mut impl Sink) {
        let mut complete = Vec::new();
        let mut single = [const { Vec::new() }; 2];
        for (dice, single) in [(roll.high(), roll.low()), (roll.low(), roll.high())].into_iter().zip(&mut single) {
            for (first, play) in self.steps(board, dice.0, Play::PASS) {
                if first.ending(self.rules).is_some() {
                    complete.push((play, first));
                } else {
                    single.push((play, first));
                    complete.extend(self.steps(&first, dice.1, play).map(|(board, play)| (play, board)));
                }
            }
        }
        if complete.is_empty() {
            let [high, low] = single;
            complete = if high.is_empty() { low } else { high };
        }
        complete.sort_unstable_by_key(|&(play, _)| play);
        for (i, &(play, board)) in complete.iter().enumerate() {
            if complete[..i].iter().all(|&(_, earlier)| earlier != board) {
                sink.push(board, play);
            }
        }
    }

    /// All steps with one die, from the rear forward.
    fn steps(self, board: &Board, die: u8, play: Play) -> impl Iterator<Item = (Board, Play)> {
        descending(board.movable(board.my_free(), self.open, die))
            .map(move |from| (board.stepped(from, from.checked_sub(usize::from(die))), play.then(step(from, die))))
    }
}

struct DoubleSearch {
    turn: Turn,
    die: u8,
    longest: u32,
    seen: HashSet<Board>,
}

impl DoubleSearch {
    fn visit(&mut self, board: &Board, play: Play, taken: u32, sink: &mut impl Sink) {
        for (next, play) in self.turn.steps(board, self.die, play) {
            if !self.seen.insert(next) {
                continue;
            }
            let taken = if next.ending(self.turn.rules).is_some() { 4 } else { taken + 1 };
            if taken > self.longest {
                self.longest = taken;
                sink.clear();
            }
            if taken == self.longest {
                sink.push(next, play);
            }
            if taken < 4 {
                self.visit(&next, play, taken, sink);
            }
        }
    }
}

#[inline]
fn step(from: usize, die: u8) -> Step {
    let from = from as u8 + 1;
    Step { from, to: from.saturating_sub(die) }
}

/// The set bits of a mask, the highest first.
#[inline]
fn descending(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.checked_ilog2()?;
        mask ^= 1 << bit;
        Some(bit as usize)
    })
}
