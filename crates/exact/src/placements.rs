use mahbusa_rules::{Board, Ending, POINTS, Play, PointView, Roll, Rules, Sink, generate};
use rayon::prelude::*;

use crate::layout::{Counts, Layouts, pips};

/// All placements of a whole game with few checkers, numbered from 0, finished and unreachable ones included.
///
/// A placement is a layout of mine, a layout of theirs, and for every point where each side has exactly one checker which of the two is trapped.
/// Placements are numbered by my layout, then by theirs, then by those trapped; where both have two or more on a point there is none. After a play
/// it is their layout that the next side calls its own, so that all results of a roll lie close together.
pub struct Placements {
    rules: Rules,
    layouts: Layouts,
    sides: Vec<Side>,
    /// The first placement of each pair of layouts, row by row of mine; one more at the end.
    first: Vec<u32>,
    /// Layouts by their pip count.
    by_pips: Vec<Vec<u32>>,
}

/// A layout, ready to be compared with one of the other side.
struct Side {
    counts: Counts,
    pips: u32,
    /// Points that are occupied, and those that hold more than one checker; bit 0 = the 1-point of the side itself.
    occupied: u32,
    several: u32,
}

/// What a play leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum After {
    /// The game is over, for the side that has played.
    Ended(Ending),
    /// The number of the placement as the next side sees it.
    Placement(u32),
}

impl Placements {
    /// The most checkers a side whose placements can be numbered.
    pub const MOST_CHECKERS: u8 = 3;

    /// Numbers the placements of a game of at most [`Placements::MOST_CHECKERS`] checkers a side; `None` when there are more.
    ///
    /// Needs four bytes for each pair of layouts: 34 MB for 3 checkers.
    pub fn new(rules: Rules) -> Option<Placements> {
        if rules.checkers() > Placements::MOST_CHECKERS {
            return None;
        }
        let layouts = Layouts::new(usize::from(rules.checkers()), POINTS);
        let sides: Vec<Side> = (0..layouts.len()).map(|number| Side::new(layouts.counts(number))).collect();
        let mut first = Vec::with_capacity(sides.len().pow(2) + 1);
        let mut next = 0;
        for mine in &sides {
            for theirs in &sides {
                first.push(next);
                next += mine.variants(theirs);
            }
        }
        first.push(next);
        let mut by_pips = vec![Vec::new(); usize::from(rules.checkers()) * POINTS + 1];
        for (number, side) in sides.iter().enumerate() {
            by_pips[side.pips as usize].push(number as u32);
        }
        Some(Placements { rules, layouts, sides, first, by_pips })
    }

    /// The game that is played.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// Whether there are none, which never is so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a board of these rules.
    pub fn number(&self, board: &Board) -> usize {
        let flipped = board.flip();
        let pair = self.layouts.of_mine(board) * self.sides.len() + self.layouts.of_mine(&flipped);
        (self.first[pair] + trapped_bits(board)) as usize
    }

    /// The highest sum of both pip counts; all from 0 upwards occur.
    pub fn most_pips(&self) -> u32 {
        2 * (self.by_pips.len() as u32 - 1)
    }

    /// All placements whose pip counts add up to `pips`, each with its number, in parallel and in a fixed order.
    pub fn with_pips(&self, pips: u32) -> impl ParallelIterator<Item = (usize, Board)> + '_ {
        // Boards with one layout of theirs follow each other: the plays of all of them lead to one stretch of numbers.
        self.sides.par_iter().enumerate().flat_map_iter(move |(theirs, their_side)| {
            let mine = pips.checked_sub(their_side.pips).and_then(|mine| self.by_pips.get(mine as usize));
            mine.into_iter().flatten().flat_map(move |&mine| self.of_pair(mine as usize, theirs))
        })
    }

    fn of_pair(&self, mine: usize, theirs: usize) -> impl Iterator<Item = (usize, Board)> + '_ {
        let first = self.first[mine * self.sides.len() + theirs] as usize;
        let (mine, theirs) = (&self.sides[mine], &self.sides[theirs]);
        (0..mine.variants(theirs)).filter_map(move |i| Some((first + i as usize, mine.board(theirs, i)?)))
    }

    /// How the game stands if the board is that of a finished one: how the side not on roll ended it.
    pub fn ending(&self, board: &Board) -> Option<Ending> {
        board.flip().ending(self.rules)
    }

    /// What the legal plays of a board lead to; `board` is not that of a finished game.
    pub fn results(&self, board: &Board) -> Results<'_> {
        let theirs = self.layouts.of_theirs(board) * self.sides.len();
        Results { placements: self, row: &self.first[theirs..theirs + self.sides.len()], results: Vec::new() }
    }
}

/// The results of rolls from one board.
pub struct Results<'a> {
    placements: &'a Placements,
    /// The first placements where the next side has the layout that it has now, by the layout of the side that plays.
    row: &'a [u32],
    results: Vec<After>,
}

impl Results<'_> {
    /// What the legal plays of a roll lead to, in wire order; nothing when the turn must be passed.
    pub fn of(&mut self, board: &Board, roll: Roll) -> &[After] {
        self.results.clear();
        generate(self.placements.rules, board, roll, self);
        &self.results
    }
}

impl Sink for Results<'_> {
    #[inline]
    fn push(&mut self, board: Board, _: Play) {
        self.results.push(match board.ending(self.placements.rules) {
            Some(ending) => After::Ended(ending),
            None => {
                let first = self.row[self.placements.layouts.of_mine(&board)];
                let pinned = board.my_trapped() | board.their_trapped();
                After::Placement(if pinned == 0 { first } else { first + trapped_bits(&board.flip()) })
            }
        });
    }

    #[inline]
    fn clear(&mut self) {
        self.results.clear();
    }
}

/// For each point where both sides have exactly one checker, from my 1-point upwards, a bit: whether it is mine that is trapped.
fn trapped_bits(board: &Board) -> u32 {
    let (mut left, mut bits, mut place) = (board.my_trapped() | board.their_trapped(), 0, 0);
    while left != 0 {
        let index = left.trailing_zeros() as usize;
        left &= left - 1;
        if board.free()[index].abs() == 1 {
            bits |= (board.my_trapped() >> index & 1) << place;
            place += 1;
        }
    }
    bits
}

impl Side {
    fn new(counts: Counts) -> Side {
        let mask = |least: u8| (0..POINTS).map(|i| u32::from(counts[i + 1] >= least) << i).sum();
        Side { counts, pips: pips(&counts), occupied: mask(1), several: mask(2) }
    }

    /// The masks of points, as the other side numbers them, that this side occupies, and where it has several checkers.
    fn seen_by_other(&self) -> (u32, u32) {
        let flip = |mask: u32| mask.reverse_bits() >> (u32::BITS - POINTS as u32);
        (flip(self.occupied), flip(self.several))
    }

    /// The points where each side has one checker, unless there is a point where each has several and no placement at all.
    fn shared_by_one_each(&self, theirs: &Side) -> Option<u32> {
        let (occupied, several) = theirs.seen_by_other();
        (self.several & several == 0).then_some(self.occupied & occupied & !self.several & !several)
    }

    /// Placements of these two layouts: two for each point that each side shares by one checker.
    fn variants(&self, theirs: &Side) -> u32 {
        self.shared_by_one_each(theirs).map_or(0, |shared| 1 << shared.count_ones())
    }

    /// The board of these two layouts with this number among their variants.
    fn board(&self, theirs: &Side, variant: u32) -> Option<Board> {
        let mut trapped = variant;
        let points = std::array::from_fn(|i| {
            let (mine, their) = (self.counts[i + 1] as i8, theirs.counts[POINTS - i] as i8);
            let mine_below = if mine == 1 && their == 1 {
                let bit = trapped & 1;
                trapped >>= 1;
                bit == 1
            } else {
                mine < their
            };
            match (mine, their) {
                (mine, 0) => PointView { free: mine, ..PointView::default() },
                (0, their) => PointView { free: -their, ..PointView::default() },
                (_, their) if mine_below => PointView { free: -their, mine_trapped: true, theirs_trapped: false },
                (mine, _) => PointView { free: mine, mine_trapped: false, theirs_trapped: true },
            }
        });
        Board::new(&points, self.counts[0], theirs.counts[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_the_rules_say() {
        for (checkers, count) in [(2, 119_701), (3, 10_848_101)] {
            let placements = Placements::new(Rules::TAPA.with_checkers(checkers).unwrap()).unwrap();
            assert_eq!(placements.len(), count);
        }
        assert!(Placements::new(Rules::MAHBUSA).is_none());
    }

    #[test]
    fn every_placement_has_its_own_number() {
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            let placements = Placements::new(rules.with_checkers(2).unwrap()).unwrap();
            let mut seen = vec![false; placements.len()];
            for pips in 0..=placements.most_pips() {
                let boards: Vec<(usize, Board)> = placements.with_pips(pips).collect();
                for (number, board) in boards {
                    assert_eq!(placements.number(&board), number);
                    assert_eq!(board.my_pips() + board.their_pips(), pips);
                    assert_eq!((board.my_checkers(), board.flip().my_checkers()), (2, 2));
                    assert!(!std::mem::replace(&mut seen[number], true), "{board:?} twice");
                }
            }
            assert!(seen.into_iter().all(|seen| seen));
        }
    }

    #[test]
    fn results_are_those_of_the_generator() {
        let placements = Placements::new(Rules::MAHBUSA.with_checkers(2).unwrap()).unwrap();
        let boards: Vec<(usize, Board)> = placements.with_pips(40).collect();
        for (_, board) in boards.into_iter().filter(|(_, board)| placements.ending(board).is_none()) {
            let mut results = placements.results(&board);
            for roll in Roll::ALL {
                let mut afterstates = mahbusa_rules::Afterstates::default();
                generate(placements.rules, &board, roll, &mut afterstates);
                let expected: Vec<After> = afterstates
                    .boards
                    .iter()
                    .map(|after| match after.ending(placements.rules) {
                        Some(ending) => After::Ended(ending),
                        None => After::Placement(placements.number(&after.flip()) as u32),
                    })
                    .collect();
                assert_eq!(results.of(&board, roll), expected);
            }
        }
    }
}
