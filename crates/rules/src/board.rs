use crate::{Ending, Rules};

/// Points on the board.
pub const POINTS: usize = 24;

const START: usize = POINTS - 1;
const TRAPPED: u32 = (1 << POINTS) - 1;
const OFF_SHIFT: u32 = POINTS as u32;
const HOME: u32 = 0b11_1111;

/// A position as one side, "I", sees it: points numbered 0..24 from my 1-point to my 24-point.
///
/// A point holds a free stack of one side and, under it, at most one trapped checker of the other. The whole
/// board is 32 bytes, so that millions of them are cheap to make, compare and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(32))]
pub struct Board {
    /// Free checkers a point: positive mine, negative theirs.
    free: [i8; POINTS],
    mine: Confined,
    theirs: Confined,
}

/// The checkers of one side that are not free: trapped ones (a bit a point) and those borne off (the top byte).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Confined(u32);

impl Confined {
    fn trapped(self) -> u32 {
        self.0 & TRAPPED
    }

    fn off(self) -> u8 {
        (self.0 >> OFF_SHIFT) as u8
    }

    fn mirrored(self) -> Confined {
        Confined((self.0.reverse_bits() >> (32 - POINTS)) | (self.0 & !TRAPPED))
    }
}

/// What stands on one point, seen by "me".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PointView {
    /// Free checkers: positive mine, negative theirs, -15..=15.
    pub free: i8,
    /// A checker of mine is trapped under a free stack of theirs.
    pub mine_trapped: bool,
    /// A checker of theirs is trapped under a free stack of mine.
    pub theirs_trapped: bool,
}

impl Board {
    /// The start of a game: all my checkers on my 24-point, all of theirs on my 1-point.
    pub fn start(rules: Rules) -> Board {
        let mut board = Board { free: [0; POINTS], mine: Confined(0), theirs: Confined(0) };
        board.free[START] = rules.checkers() as i8;
        board.free[0] = -(rules.checkers() as i8);
        board
    }

    /// A board out of its 24 points (index 0 = my 1-point) and the checkers borne off by me and by them.
    ///
    /// `None` when a trapped checker has no free enemy stack above it, or a number is out of range.
    pub fn new(points: &[PointView; POINTS], my_off: u8, their_off: u8) -> Option<Board> {
        let mut board = Board {
            free: [0; POINTS],
            mine: Confined(u32::from(my_off) << OFF_SHIFT),
            theirs: Confined(u32::from(their_off) << OFF_SHIFT),
        };
        for (index, point) in points.iter().enumerate() {
            let covered = (!point.mine_trapped || point.free < 0) && (!point.theirs_trapped || point.free > 0);
            if !covered || !(-15..=15).contains(&point.free) || my_off > 15 || their_off > 15 {
                return None;
            }
            board.free[index] = point.free;
            board.mine.0 |= u32::from(point.mine_trapped) << index;
            board.theirs.0 |= u32::from(point.theirs_trapped) << index;
        }
        Some(board)
    }

    /// A board out of its parts, which are not checked: free checkers, trapped ones and those borne off, mine first.
    #[inline]
    pub(crate) fn from_parts(free: [i8; POINTS], trapped: [u32; 2], off: [u8; 2]) -> Board {
        let [mine, theirs] = [0, 1].map(|side| Confined(trapped[side] | u32::from(off[side]) << OFF_SHIFT));
        Board { free, mine, theirs }
    }

    /// Free checkers of all points, index 0 = my 1-point: positive mine, negative theirs.
    pub fn free(&self) -> &[i8; POINTS] {
        &self.free
    }

    /// What stands on the point with this index, 0..24.
    ///
    /// # Panics
    /// When `index` is not below 24.
    pub fn point(&self, index: usize) -> PointView {
        PointView {
            free: self.free[index],
            mine_trapped: self.my_trapped() >> index & 1 == 1,
            theirs_trapped: self.their_trapped() >> index & 1 == 1,
        }
    }

    /// The points where a checker of mine is trapped, bit 0 = my 1-point.
    pub fn my_trapped(&self) -> u32 {
        self.mine.trapped()
    }

    /// The points where a checker of theirs is trapped, bit 0 = my 1-point.
    pub fn their_trapped(&self) -> u32 {
        self.theirs.trapped()
    }

    /// Checkers that I have borne off.
    pub fn my_off(&self) -> u8 {
        self.mine.off()
    }

    /// Checkers that they have borne off.
    pub fn their_off(&self) -> u8 {
        self.theirs.off()
    }

    /// My checkers in all: free, trapped and off.
    pub fn my_checkers(&self) -> u32 {
        let free: i32 = self.free.iter().map(|&n| i32::from(n.max(0))).sum();
        free as u32 + self.my_trapped().count_ones() + u32::from(self.my_off())
    }

    /// My pip count: the points that my checkers still have to move to be off.
    #[inline]
    pub fn my_pips(&self) -> u32 {
        let mut pips = 0;
        for i in 0..POINTS {
            pips += (i as u16 + 1) * self.free[i].max(0) as u16;
        }
        u32::from(pips) + sum_of_bits(self.my_trapped())
    }

    /// Their pip count.
    #[inline]
    pub fn their_pips(&self) -> u32 {
        let mut pips = 0;
        for i in 0..POINTS {
            pips += (POINTS - i) as u16 * (-self.free[i]).max(0) as u16;
        }
        let trapped = self.their_trapped();
        // A checker on bit i has 24 - i pips to go.
        u32::from(pips) + (POINTS as u32 + 1) * trapped.count_ones() - sum_of_bits(trapped)
    }

    /// The same position seen by the other side.
    #[inline]
    #[must_use]
    pub fn flip(&self) -> Board {
        let [low, middle, high] = self.words();
        let mut free = [0; POINTS];
        for (chunk, word) in free.chunks_exact_mut(8).zip([high, middle, low]) {
            chunk.copy_from_slice(&negate_bytes(word.swap_bytes()).to_le_bytes().map(|byte| byte as i8));
        }
        Board { free, mine: self.theirs.mirrored(), theirs: self.mine.mirrored() }
    }

    /// Whether I, who have just moved, have ended the game, and how.
    #[inline]
    pub fn ending(&self, rules: Rules) -> Option<Ending> {
        let start_is_mine = self.free[START] > 0;
        let start_is_trapped = self.my_trapped() >> START & 1 == 1;
        if self.their_trapped() & 1 == 1 {
            if start_is_trapped {
                return Some(Ending::Draw);
            }
            if rules.mother() && !start_is_mine {
                return Some(Ending::Mother);
            }
        }
        (self.my_off() == rules.checkers()).then(|| if self.their_off() == 0 { Ending::Mars } else { Ending::Single })
    }

    /// The points that I may land on, bit 0 = my 1-point. They stay the same through a turn: a prisoner that I
    /// free is a lone checker again, which I may pin again.
    #[inline(always)]
    pub fn open(&self) -> u32 {
        !self.their_free() & TRAPPED | self.their_blots()
    }

    /// The points where I have free checkers, bit 0 = my 1-point.
    #[inline(always)]
    pub fn my_free(&self) -> u32 {
        self.mask(|word| !zero_bytes(word) & !word & HIGH_BITS)
    }

    /// The points where they have free checkers, bit 0 = my 1-point.
    #[inline(always)]
    pub fn their_free(&self) -> u32 {
        self.mask(|word| word & HIGH_BITS)
    }

    /// The points where exactly one enemy checker stands that pins nothing of mine: those that I can pin.
    #[inline(always)]
    pub fn their_blots(&self) -> u32 {
        self.mask(|word| zero_bytes(!word)) & !self.my_trapped()
    }

    /// The points where exactly one checker of mine stands that pins nothing of theirs: those that they can pin.
    #[inline(always)]
    pub fn my_blots(&self) -> u32 {
        self.mask(|word| zero_bytes(word ^ LOW_BITS)) & !self.their_trapped()
    }

    /// The points where the free checkers of two boards differ, bit 0 = my 1-point.
    #[inline(always)]
    pub fn changed_points(&self, other: &Board) -> u32 {
        let [a, b] = [self.words(), other.words()];
        let differ = |i: usize| gather_high_bits(!zero_bytes(a[i] ^ b[i]) & HIGH_BITS);
        let [low, middle, high] = [differ(0), differ(1), differ(2)];
        low | middle << 8 | high << 16
    }

    /// The points that my step with `die` may start from, bit 0 = my 1-point, given those that hold a free checker of mine
    /// and those that are open.
    #[inline]
    pub(crate) fn movable(&self, my_free: u32, open: u32, die: u8) -> u32 {
        let mut from = my_free & (open << die);
        if self.my_trapped() == 0 && my_free & !HOME == 0 {
            let exact = 1 << (die - 1);
            from |= my_free & exact;
            if my_free != 0 && my_free < exact {
                from |= 1 << my_free.ilog2();
            }
        }
        from
    }

    /// The board after one step from `from` to `to`, both indices; `None` bears off. The step is not checked.
    #[inline]
    #[must_use]
    pub(crate) fn stepped(mut self, from: usize, to: Option<usize>) -> Board {
        let left = self.free[from] - 1;
        let freed = u32::from(left == 0) & (self.theirs.0 >> from) & 1;
        self.free[from] = left - freed as i8;
        self.theirs.0 ^= freed << from;
        match to {
            Some(to) => {
                let pin = u32::from(self.free[to] == -1);
                self.free[to] += 1 + pin as i8;
                self.theirs.0 |= pin << to;
            }
            None => self.mine.0 += 1 << OFF_SHIFT,
        }
        self
    }

    #[inline(always)]
    fn words(&self) -> [u64; 3] {
        let (chunks, _) = self.free.as_chunks::<8>();
        std::array::from_fn(|i| {
            let [a, b, c, d, e, f, g, h] = chunks[i];
            u64::from_le_bytes([a as u8, b as u8, c as u8, d as u8, e as u8, f as u8, g as u8, h as u8])
        })
    }

    /// One bit a point, out of a function that sets the high bit of each byte of interest.
    #[inline(always)]
    fn mask(&self, high_bits: impl Fn(u64) -> u64) -> u32 {
        let [low, middle, high] = self.words();
        let [low, middle, high] =
            [gather_high_bits(high_bits(low)), gather_high_bits(high_bits(middle)), gather_high_bits(high_bits(high))];
        low | middle << 8 | high << 16
    }
}

/// The sum of the numbers of the set bits, the lowest being 1.
fn sum_of_bits(mut bits: u32) -> u32 {
    let mut sum = 0;
    while bits != 0 {
        sum += bits.trailing_zeros() + 1;
        bits &= bits - 1;
    }
    sum
}

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
const LOW_BITS: u64 = 0x0101_0101_0101_0101;

/// The high bit of each byte that is zero.
#[inline(always)]
fn zero_bytes(word: u64) -> u64 {
    !(((word & !HIGH_BITS) + !HIGH_BITS) | word) & HIGH_BITS
}

/// The eight high bits of the bytes as one byte, that of the lowest byte first.
#[inline(always)]
fn gather_high_bits(word: u64) -> u32 {
    ((word >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// Each byte negated.
#[inline(always)]
fn negate_bytes(word: u64) -> u64 {
    ((!word & !HIGH_BITS) + LOW_BITS) ^ (!word & HIGH_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_board() -> impl Strategy<Value = Board> {
        let point = (-15i8..=15, any::<bool>()).prop_map(|(free, trapped)| PointView {
            free,
            mine_trapped: trapped && free < 0,
            theirs_trapped: trapped && free > 0,
        });
        (prop::collection::vec(point, POINTS), 0u8..=15, 0u8..=15).prop_map(|(points, my_off, their_off)| {
            let points = <[PointView; POINTS]>::try_from(points).unwrap();
            Board::new(&points, my_off, their_off).unwrap()
        })
    }

    proptest! {
        #[test]
        fn masks_agree_with_the_points(board in any_board()) {
            for i in 0..POINTS {
                let point = board.point(i);
                let bit = |mask: u32| mask >> i & 1 == 1;
                prop_assert_eq!(bit(board.my_free()), point.free > 0);
                prop_assert_eq!(bit(board.open()), point.free >= 0 || (point.free == -1 && !point.mine_trapped));
                prop_assert_eq!(bit(board.their_blots()), point.free == -1 && !point.mine_trapped);
                prop_assert_eq!(bit(board.my_blots()), point.free == 1 && !point.theirs_trapped);
            }
            prop_assert_eq!(board.open() >> POINTS, 0);
        }

        #[test]
        fn flip_exchanges_the_sides_and_is_its_own_inverse(board in any_board()) {
            let flipped = board.flip();
            prop_assert_eq!(flipped.flip(), board);
            prop_assert_eq!((flipped.my_pips(), flipped.their_pips()), (board.their_pips(), board.my_pips()));
            prop_assert_eq!((flipped.my_off(), flipped.their_off()), (board.their_off(), board.my_off()));
            for i in 0..POINTS {
                let (point, other) = (board.point(i), flipped.point(POINTS - 1 - i));
                prop_assert_eq!(point.free, -other.free);
                prop_assert_eq!(point.mine_trapped, other.theirs_trapped);
                prop_assert_eq!(point.theirs_trapped, other.mine_trapped);
            }
        }
    }

    #[test]
    fn a_trapped_checker_needs_an_enemy_above_it() {
        let mut points = [PointView::default(); POINTS];
        points[3].mine_trapped = true;
        assert_eq!(Board::new(&points, 0, 0), None);
    }

    #[test]
    fn the_start_has_360_pips() {
        let start = Board::start(Rules::MAHBUSA);
        assert_eq!(start.my_pips(), 360);
        assert_eq!(start.flip(), start);
        assert_eq!(start.my_checkers(), 15);
    }
}
