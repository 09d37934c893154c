//! Expert inputs: what a player sees at a glance and a network learns slowly.
//!
//! All are plain arithmetic on the board (shift, compare, sum, min, max), side by side for a whole batch of boards, so that
//! the compiler turns each operation into one vector instruction for all of them.

use mahbusa_rules::{Board, Roll};

/// Boards that are looked at together.
pub(crate) const LANES: usize = 16;

/// Expert inputs of one side.
pub(crate) const PER_SIDE: usize = 6;

/// All expert inputs: those of the side to roll, those of the other side, and whether contact is over.
pub(crate) const EXPERTS: usize = 2 * PER_SIDE + 1;

/// Their names, in order; "mine" is the side to roll.
pub(crate) const NAMES: [&str; EXPERTS] = [
    "my pips / 100",
    "my rearmost point / 24",
    "1 if I may bear off",
    "my longest run of points closed to them / 6",
    "chance that I could pin a lone checker next roll",
    "chance that I could pin the lone checker on their start next roll",
    "their pips / 100",
    "their rearmost point / 24",
    "1 if they may bear off",
    "their longest run of points closed to me / 6",
    "chance that they could pin a lone checker next roll",
    "chance that they could pin the lone checker on my start next roll",
    "1 if contact is over",
];

/// How they are computed, in the terms of [`Definition`](crate::encoding::Definition), and the highest value of each.
pub(crate) const FORMULAS: [(&str, f32); EXPERTS] = [
    ("pips(*me) / 100", 3.6),
    ("rearmost(*me) / 24", 1.0),
    ("int(may_bear_off(*me))", 1.0),
    ("longest_run(*me) / 6", LONGEST_RUN as f32 / 6.0),
    ("pin_chance(*me)", 1.0),
    ("pin_chance(*me, targets=[1])", 1.0),
    ("pips(*them) / 100", 3.6),
    ("rearmost(*them) / 24", 1.0),
    ("int(may_bear_off(*them))", 1.0),
    ("longest_run(*them) / 6", LONGEST_RUN as f32 / 6.0),
    ("pin_chance(*them)", 1.0),
    ("pin_chance(*them, targets=[1])", 1.0),
    ("int(rearmost(*me) + rearmost(*them) < 25)", 1.0),
];

/// Longer runs of closed points count as this long.
const LONGEST_RUN: usize = 7;

const ALL_POINTS: u32 = (1 << 24) - 1;

/// What the expert inputs are computed from, a lane a board. "Down" is the side that sees the board and moves to lower points,
/// "up" the other; bit 0 is the 1-point of the side that moves down.
pub(crate) struct Sight {
    pub down: Checkers,
    pub up: Checkers,
}

/// The checkers of one side, a lane a board.
#[derive(Default)]
pub(crate) struct Checkers {
    /// Points with free checkers.
    pub free: [u32; LANES],
    /// Points with a trapped checker.
    pub trapped: [u32; LANES],
    /// Points with a lone free checker that pins nothing: those that the other side can pin.
    pub blots: [u32; LANES],
    /// The pip count.
    pub pips: [f32; LANES],
}

impl Sight {
    pub fn new() -> Sight {
        Sight { down: Checkers::default(), up: Checkers::default() }
    }

    /// Looks at a board; the pip counts are left to the caller.
    #[inline(always)]
    pub fn see(&mut self, lane: usize, board: &Board) {
        self.down.free[lane] = board.my_free();
        self.down.trapped[lane] = board.my_trapped();
        self.down.blots[lane] = board.my_blots();
        self.up.free[lane] = board.their_free();
        self.up.trapped[lane] = board.their_trapped();
        self.up.blots[lane] = board.their_blots();
    }

    /// The expert inputs by name and lane, for the side that moves down to roll, or for the other side.
    #[inline(always)]
    pub fn experts(&self, down_rolls: bool, experts: &mut [[f32; LANES]; EXPERTS]) {
        let (down_first, up_first) = if down_rolls { (0, PER_SIDE) } else { (PER_SIDE, 0) };
        side::<false>(&self.down, &self.up, down_first, experts);
        side::<true>(&self.up, &self.down, up_first, experts);
        for lane in 0..LANES {
            let down = self.down.free[lane] | self.down.trapped[lane];
            let up = self.up.free[lane] | self.up.trapped[lane];
            // Contact is over when the highest point of "down" lies below the lowest of "up".
            let lowest_up = up & up.wrapping_neg();
            experts[EXPERTS - 1][lane] = f32::from(u8::from(down < lowest_up || up == 0));
        }
    }
}

/// Fills in the expert inputs of one side; `UP` says in which direction it moves.
#[inline(always)]
fn side<const UP: bool>(own: &Checkers, other: &Checkers, first: usize, experts: &mut [[f32; LANES]; EXPERTS]) {
    for lane in 0..LANES {
        experts[first][lane] = own.pips[lane] / 100.0;
    }
    for lane in 0..LANES {
        let checkers = own.free[lane] | own.trapped[lane];
        let rear = if UP { 24 - (checkers | 1 << 24).trailing_zeros() } else { 32 - checkers.leading_zeros() };
        experts[first + 1][lane] = rear as f32 / 24.0;
        let home = if UP { ALL_POINTS & !(ALL_POINTS >> 6) } else { 0b11_1111 };
        experts[first + 2][lane] = f32::from(u8::from(own.trapped[lane] == 0 && own.free[lane] & !home == 0));
    }
    // Points closed to the other side: held by two, or by one that pins. A run of k + 1 of them leaves a bit after k steps.
    let mut run = [0; LANES];
    let mut longest = [0; LANES];
    for lane in 0..LANES {
        run[lane] = own.free[lane] & !own.blots[lane];
    }
    for _ in 0..LONGEST_RUN {
        for lane in 0..LANES {
            longest[lane] += if run[lane] != 0 { 1 } else { 0 };
            run[lane] &= run[lane] >> 1;
        }
    }
    for lane in 0..LANES {
        experts[first + 3][lane] = longest[lane] as f32 / 6.0;
    }
    let mut open = [0; LANES];
    for lane in 0..LANES {
        open[lane] = !other.free[lane] & ALL_POINTS | other.blots[lane];
    }
    let [any, start] = pin_chances::<UP>(&own.free, &open, &other.blots);
    for lane in 0..LANES {
        experts[first + 4][lane] = any[lane] as f32 / 36.0;
        experts[first + 5][lane] = start[lane] as f32 / 36.0;
    }
}

type Points = [u32; LANES];

/// In how many of 36 rolls some checker out of `free` can reach a blot over open points, and the blot on the start of its
/// owner. Other duties of the roll are not looked at.
#[inline(always)]
fn pin_chances<const UP: bool>(free: &Points, open: &Points, blots: &Points) -> [[i32; LANES]; 2] {
    let start = if UP { 1 << 23 } else { 1 };
    let mut landed = [[0; LANES]; 7];
    for die in 1..=6 {
        landed[die] = advance::<UP>(free, open, die);
    }
    let mut chances = [[0; LANES]; 2];
    for roll in Roll::ALL {
        let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
        let mut reached = [0; LANES];
        if roll.is_double() {
            let two = advance::<UP>(&landed[high], open, high);
            let three = advance::<UP>(&two, open, high);
            let four = advance::<UP>(&three, open, high);
            for lane in 0..LANES {
                reached[lane] = landed[high][lane] | two[lane] | three[lane] | four[lane];
            }
        } else {
            let by_high = advance::<UP>(&landed[high], open, low);
            let by_low = advance::<UP>(&landed[low], open, high);
            for lane in 0..LANES {
                reached[lane] = landed[high][lane] | landed[low][lane] | by_high[lane] | by_low[lane];
            }
        }
        let weight = i32::from(roll.weight());
        for lane in 0..LANES {
            let pinned = reached[lane] & blots[lane];
            chances[0][lane] += if pinned != 0 { weight } else { 0 };
            chances[1][lane] += if pinned & start != 0 { weight } else { 0 };
        }
    }
    chances
}

/// Where checkers land that move by a die to open points.
#[inline(always)]
fn advance<const UP: bool>(from: &Points, open: &Points, die: usize) -> Points {
    let mut to = [0; LANES];
    for lane in 0..LANES {
        to[lane] = open[lane] & if UP { from[lane] << die } else { from[lane] >> die };
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::Position;

    fn experts(text: &str) -> [f32; EXPERTS] {
        let board = text.parse::<Position>().unwrap().board;
        let mut sight = Sight::new();
        sight.see(0, &board);
        sight.down.pips[0] = board.my_pips() as f32;
        sight.up.pips[0] = board.their_pips() as f32;
        let mut experts = [[0.0; LANES]; EXPERTS];
        sight.experts(true, &mut experts);
        experts.map(|lanes| lanes[0])
    }

    #[test]
    fn the_start_offers_nothing_to_pin() {
        assert_eq!(
            experts("mahbusa:O22o:0.0:w:-:0.0.0"),
            [3.6, 1.0, 0.0, 1.0 / 6.0, 0.0, 0.0, 3.6, 1.0, 0.0, 1.0 / 6.0, 0.0, 0.0, 0.0]
        );
    }

    #[test]
    fn pins_are_counted_by_rolls() {
        // White's stack on the 8-point, a Black blot three away: 11 rolls with a 3, 2-1 and 1-1. The way is open.
        let near = experts("mahbusa:n15O2a4:0.0:w:-:0.0.0");
        assert_eq!(near[4], 14.0 / 36.0);
        assert_eq!(near[5], 0.0);
        // The last checker on its start, seven away: 6-1, 5-2 and 4-3.
        let start = experts("mahbusa:n15O6a:0.0:w:-:0.0.0");
        assert_eq!(start[4], start[5]);
        assert_eq!(start[5], 6.0 / 36.0);
    }

    #[test]
    fn both_sides_see_the_same() {
        for text in
            ["mahbusa:J5C4A~6A4n:0.0:w:-:0.0.0", "mahbusa:B2a1b17M:0.12:w:-:0.0.0", "tapa:4k6A1b2b6N:0.0:w:-:0.0.0"]
        {
            let white = experts(text);
            let black = experts(&text.replace(":w:", ":b:"));
            assert_eq!(white[..PER_SIDE], black[PER_SIDE..2 * PER_SIDE], "{text}");
            assert_eq!(white[PER_SIDE..2 * PER_SIDE], black[..PER_SIDE], "{text}");
            assert_eq!(white[12], black[12], "{text}");
        }
    }
}
