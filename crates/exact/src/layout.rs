use mahbusa_rules::{Board, POINTS};

/// All ways in which one side's checkers can stand on the first points of its board or be borne off, numbered from 0.
///
/// A layout is a multiset of the spots 0 (off), 1, ..., `points`. Its number is that of the combinatorial number system: with the
/// spots of all checkers in ascending order, the sum of `C(spot + i - 1, i)` over the checkers, the i-th counted from 1 (Knuth, The Art of
/// Computer Programming 4A, 7.2.1.3). A checker that is off adds nothing, but moves the others up.
#[derive(Clone, Debug)]
pub(crate) struct Layouts {
    checkers: usize,
    points: usize,
    /// `places[i][spot]` is what the checker at place i, from 0, adds when it stands on `spot`.
    places: [[u32; SPOTS]; PLACES],
}

const PLACES: usize = 15;
const SPOTS: usize = POINTS + 1;

/// Checkers on each spot; 0 is off.
pub(crate) type Counts = [u8; SPOTS];

impl Layouts {
    /// Layouts of `checkers` (1..=15) on `points` (1..=24), which must be fewer than 2^32.
    pub const fn new(checkers: usize, points: usize) -> Layouts {
        let mut places = [[0u32; SPOTS]; PLACES];
        let mut place = 0;
        while place < checkers {
            let mut spot = 1;
            while spot <= points {
                // C(spot + i - 1, i) by Pascal's rule.
                let one_fewer = if place == 0 { 1 } else { places[place - 1][spot] };
                places[place][spot] = places[place][spot - 1] + one_fewer;
                spot += 1;
            }
            place += 1;
        }
        Layouts { checkers, points, places }
    }

    /// How many there are: `C(checkers + points, checkers)`.
    pub fn len(&self) -> usize {
        self.places[..self.checkers].iter().map(|place| place[self.points] as usize).sum::<usize>() + 1
    }

    /// The number of the layout with these free checkers on the points from the 1-point upwards, all others being off.
    #[inline]
    pub fn of_free(&self, free: &[i8]) -> usize {
        let left: usize = free.iter().map(|&n| n.max(0) as usize).sum();
        let mut place = self.checkers - left;
        let mut number = 0;
        for (index, &count) in free.iter().enumerate() {
            for _ in 0..count {
                number += self.places[place][index + 1];
                place += 1;
            }
        }
        number as usize
    }

    /// The number of my layout on a board.
    #[inline]
    pub fn of_mine(&self, board: &Board) -> usize {
        let mut place = usize::from(board.my_off());
        let mut number = 0;
        let mut left = board.my_free() | board.my_trapped();
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            left &= left - 1;
            // A trapped checker stands alone.
            for _ in 0..board.free()[index].max(1) {
                number += self.places[place][index + 1];
                place += 1;
            }
        }
        number as usize
    }

    /// The number of their layout on a board, in their own numbering of the points.
    pub fn of_theirs(&self, board: &Board) -> usize {
        self.of_mine(&board.flip())
    }

    /// The layout with this number, below [`Layouts::len`].
    pub fn counts(&self, number: usize) -> Counts {
        let mut left = number as u32;
        let mut counts = [0; SPOTS];
        let mut spot = self.points;
        for place in self.places[..self.checkers].iter().rev() {
            while place[spot] > left {
                spot -= 1;
            }
            left -= place[spot];
            counts[spot] += 1;
        }
        counts
    }
}

/// The pip count of a layout.
pub(crate) fn pips(counts: &Counts) -> u32 {
    (0u32..).zip(counts).map(|(spot, &count)| spot * u32::from(count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::PointView;

    #[test]
    fn there_are_as_many_as_combinatorics_says() {
        for (checkers, points, expected) in [(1, 24, 25), (3, 24, 2925), (4, 24, 20_475), (6, 6, 924), (15, 6, 54_264)]
        {
            assert_eq!(Layouts::new(checkers, points).len(), expected);
        }
    }

    #[test]
    fn numbers_and_layouts_are_one_to_one() {
        for (checkers, points) in [(3, 24), (8, 6)] {
            let layouts = Layouts::new(checkers, points);
            for number in 0..layouts.len() {
                let counts = layouts.counts(number);
                assert_eq!(counts.iter().map(|&n| usize::from(n)).sum::<usize>(), checkers);
                let points = std::array::from_fn(|i| PointView { free: counts[i + 1] as i8, ..PointView::default() });
                let board = Board::new(&points, counts[0], 0).unwrap();
                assert_eq!(layouts.of_mine(&board), number);
                assert_eq!(board.my_pips(), pips(&counts));
            }
        }
    }
}
