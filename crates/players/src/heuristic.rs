use mahbusa_rules::{Board, POINTS, Roll, Rules};

use crate::{Player, Turn, Workspace};

/// A fixed player that weighs by hand what beginners' books speak of, one ply deep; it never changes, so that strength measured
/// against it stays comparable.
///
/// The value of an afterstate, in hundredths of a point for the side that has moved, is the sum of
///
/// * **race**: 1 for each pip of lead;
/// * **pins**: for each prisoner 10 and 3 for each point that it still has to go to its home, and the same lost for each of mine;
/// * **exposed blots**: for each of mine, the chance of being pinned next roll times what the pin would cost; half of that is gained
///   for the blots of theirs that I can reach;
/// * **made points**: 4 for each point that I close, 4 more for each that continues a run, up to six in a row;
/// * **mother**: 150 when their last start checker is my prisoner (120 lost when mine is theirs), and the chance of such a pin next roll times 200 on top of
///   what a blot costs, when it would decide the game or nearly so;
/// * **stacks**: 2 lost for each checker above four on a point other than my start and my home, 1 lost for each on my start.
///
/// An ended game is worth its points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heuristic;

impl Player for Heuristic {
    fn choose(&self, turn: &Turn<'_>, _: &mut Workspace) -> usize {
        let mut best = (0, i32::MIN);
        for (index, board) in turn.afterstates.iter().enumerate() {
            let value = value(turn.rules, board);
            if value > best.1 {
                best = (index, value);
            }
        }
        best.0
    }
}

const START: usize = POINTS - 1;
const HOME: usize = 6;
/// Hundredths of a point, times 36 so that chances stay whole numbers.
const SCALE: i32 = 36;

/// The value of a board for me, who have just moved, in hundredths of a point times 36.
fn value(rules: Rules, board: &Board) -> i32 {
    if let Some(ending) = board.ending(rules) {
        return 100_000 * i32::from(ending.points());
    }
    let other = board.flip();
    let race = other.my_pips() as i32 - board.my_pips() as i32;
    let shape = shape(board) - shape(&other);
    let prisoners = prisoners(rules, &other) - prisoners(rules, board);
    SCALE * (race + shape + prisoners) - danger(rules, board, &other) + danger(rules, &other, board) / 2
}

/// What my trapped checkers cost me.
fn prisoners(rules: Rules, board: &Board) -> i32 {
    let trapped = board.my_trapped();
    let mother = trapped >> START & 1 == 1;
    let each: i32 = (0..POINTS).filter(|&i| trapped >> i & 1 == 1).map(pin_cost).sum();
    each + if mother && rules.mother() { 120 } else { 0 }
}

/// What a pin on the point with this index costs its victim.
fn pin_cost(index: usize) -> i32 {
    10 + 3 * (index as i32 + 1 - HOME as i32).max(0)
}

/// What my blots may cost me next roll, times 36.
fn danger(rules: Rules, board: &Board, other: &Board) -> i32 {
    let rolls = pinning_rolls(other);
    let blots = board.my_blots();
    (0..POINTS)
        .filter(|&i| blots >> i & 1 == 1)
        .map(|i| {
            let mother = if i == START && rules.mother() { 200 } else { 0 };
            i32::from(rolls[POINTS - 1 - i]) * (pin_cost(i) + mother)
        })
        .sum()
}

/// In how many of 36 rolls I could pin the lone checker on each point, other duties of the roll aside.
fn pinning_rolls(board: &Board) -> [u8; POINTS] {
    let (free, open, blots) = (board.my_free(), board.open(), board.their_blots());
    let mut rolls = [0; POINTS];
    if blots == 0 {
        return rolls;
    }
    for roll in Roll::ALL {
        let (high, low) = (roll.high(), roll.low());
        let reached = if roll.is_double() {
            let mut at = free;
            let mut reached = 0;
            for _ in 0..4 {
                at = at >> high & open;
                reached |= at;
            }
            reached
        } else {
            let (by_high, by_low) = (free >> high & open, free >> low & open);
            by_high | by_low | by_high >> low | by_low >> high
        };
        let mut pinned = reached & blots;
        while pinned != 0 {
            rolls[pinned.trailing_zeros() as usize] += roll.weight();
            pinned &= pinned - 1;
        }
    }
    rolls
}

/// What my made points and stacks are worth to me.
fn shape(board: &Board) -> i32 {
    let closed = board.my_free() & !board.my_blots();
    let mut value = 0;
    let mut run = 0;
    for i in 0..START {
        run = if closed >> i & 1 == 1 { (run + 1).min(6) } else { 0 };
        value += match run {
            0 => 0,
            1 => 4,
            _ => 8,
        };
        if i >= HOME {
            value -= 2 * (i32::from(board.free()[i]) - 4).max(0);
        }
    }
    value - i32::from(board.free()[START].max(0))
}
