use mahbusa_net::Outcomes;
use mahbusa_rules::{Board, POINTS, Play, PointView, Roll, Rules, Sink, generate};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::layout::{Counts, Layouts};

/// Points of a home.
const HOME_POINTS: usize = 6;
const MY_HOME: u32 = 0b11_1111;
const THEIR_HOME: u32 = MY_HOME << 18;
const THROWS: f64 = Roll::THROWS as f64;

/// The end of the game, when all checkers of both sides are in their homes or off: no side can disturb the other any more.
///
/// * [`TwoSided`]: both sides have at most [`TwoSided::MOST_CHECKERS`] checkers left and have borne some off. One point is at stake, the chances
///   are exact.
/// * [`OneSided`]: more checkers than that, and mars. Each side is taken to bear off all its checkers, or the first, in the fewest expected rolls, whatever the other
///   has, which is nearly but not quite the best play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BearOff {
    /// Chances by both layouts.
    pub two_sided: TwoSided,
    /// Rolls needed by one layout.
    pub one_sided: OneSided,
}

impl BearOff {
    /// Builds both tables, in some four CPU-seconds.
    ///
    /// On threads of its own: while a worker of a pool waits for a job of that pool, it may take up another that needs the table.
    pub fn build() -> BearOff {
        std::thread::scope(|scope| {
            let (all, first) = (scope.spawn(Distributions::until_all_off), scope.spawn(Distributions::until_one_off));
            let two_sided = TwoSided::build();
            let one_sided = OneSided { all: joined(all), first: joined(first) };
            BearOff { two_sided, one_sided }
        })
    }

    /// Whether the tables have the sizes that they must have.
    pub(crate) fn is_whole(&self) -> bool {
        let OneSided { all, first } = &self.one_sided;
        self.two_sided.wins.len() == FEW.len().pow(2) && all.is_whole() && first.is_whole()
    }

    /// Whether all checkers of both sides are in their homes or off, and none is trapped.
    #[inline]
    pub fn covers(board: &Board) -> bool {
        board.my_free() & !MY_HOME == 0
            && board.their_free() & !THEIR_HOME == 0
            && board.my_trapped() | board.their_trapped() == 0
    }

    /// The outcomes for the side to roll, if the board is [covered](BearOff::covers).
    pub fn outcomes(&self, board: &Board) -> Option<Outcomes> {
        if !BearOff::covers(board) {
            return None;
        }
        Some(self.two_sided.outcomes(board).unwrap_or_else(|| self.one_sided.outcomes(board, &board.flip())))
    }
}

/// The exact chance to win, by the layouts of both sides, when one point is at stake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoSided {
    /// Row by row of the side to roll.
    wins: Vec<f32>,
}

const FEW: Layouts = Layouts::new(TwoSided::MOST_CHECKERS, HOME_POINTS);

impl TwoSided {
    /// Checkers that each side may have left.
    pub const MOST_CHECKERS: usize = 8;

    /// Layouts of a side.
    pub fn layouts() -> usize {
        FEW.len()
    }

    /// Builds the table.
    ///
    /// Layouts are numbered so that every step leads to a lower number. When all pairs below `k` are known, so is each pair of `k` to roll against a lower
    /// one, then each lower one to roll against `k`, then `k` against itself.
    pub fn build() -> TwoSided {
        let count = FEW.len();
        let moves: Vec<Vec<(f64, Vec<u32>)>> = (0..count).map(|layout| moves(&FEW, layout)).collect();
        // Row a, column b: the chance of a, to roll, against b; and of b, to roll, against a.
        let mut wins = vec![0f32; count * count];
        let mut against = vec![0f32; count * count];
        let mut sums = vec![0f64; count];
        let mut least = vec![0f32; count];
        for k in 1..count {
            sums[..k].fill(0.0);
            for (share, results) in &moves[k] {
                least[..k].fill(1.0);
                for &result in results {
                    let row = &against[result as usize * count..][..k];
                    least[..k].iter_mut().zip(row).for_each(|(least, &theirs)| *least = least.min(theirs));
                }
                sums[..k].iter_mut().zip(&least).for_each(|(sum, &least)| *sum += share * (1.0 - f64::from(least)));
            }
            for other in 1..k {
                wins[k * count + other] = sums[other] as f32;
                against[other * count + k] = sums[other] as f32;
            }
            for other in 1..=k {
                let row = &wins[k * count..][..k];
                let chance: f64 = moves[other]
                    .iter()
                    .map(|(share, results)| {
                        let least = results.iter().map(|&result| row[result as usize]).fold(1.0, f32::min);
                        share * (1.0 - f64::from(least))
                    })
                    .sum();
                wins[other * count + k] = chance as f32;
                against[k * count + other] = chance as f32;
            }
        }
        TwoSided { wins }
    }

    /// The chance that the side to roll wins, by the numbers of both layouts.
    fn chance(&self, mine: usize, theirs: usize) -> f32 {
        self.wins[mine * FEW.len() + theirs]
    }

    /// The exact outcomes for the side to roll, if both sides are home, have borne some off, and have no more left than the table holds.
    pub fn outcomes(&self, board: &Board) -> Option<Outcomes> {
        let flipped = board.flip();
        let few = |board: &Board| board.my_off() > 0 && checkers_left(board) <= TwoSided::MOST_CHECKERS;
        if !BearOff::covers(board) || !few(board) || !few(&flipped) {
            return None;
        }
        let win = self.chance(number(&FEW, board), number(&FEW, &flipped));
        Some(Outcomes::new([0.0, 1.0 - win, 0.0, win, 0.0]))
    }

    /// The position with these layouts, below [`TwoSided::layouts`]; `None` when a side has nothing left, or has borne nothing off by these rules.
    pub fn board(rules: Rules, mine: usize, theirs: usize) -> Option<Board> {
        let [mine, theirs] = [mine, theirs].map(|layout| FEW.counts(layout));
        let mut points = [PointView::default(); POINTS];
        for point in 1..=HOME_POINTS {
            points[point - 1].free = mine[point] as i8;
            points[POINTS - point].free = -(theirs[point] as i8);
        }
        let off = |counts: &Counts| {
            let left = TwoSided::MOST_CHECKERS as u8 - counts[0];
            rules.checkers().checked_sub(left).filter(|&off| left > 0 && off > 0)
        };
        Board::new(&points, off(&mine)?, off(&theirs)?)
    }
}

fn checkers_left(board: &Board) -> usize {
    board.free()[..HOME_POINTS].iter().map(|&n| n.max(0) as usize).sum()
}

/// How many rolls a side needs to bear off all its checkers, and to bear off the first, by its layout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OneSided {
    all: Distributions,
    first: Distributions,
}

const MANY: Layouts = Layouts::new(15, HOME_POINTS);

impl OneSided {
    /// How far the chance to win by this table is from the exact one, over all pairs of the two-sided table with checkers left on both sides.
    pub fn error(&self, exact: &TwoSided) -> RaceError {
        let numbers: Vec<usize> = (1..FEW.len())
            .map(|layout| {
                MANY.of_free(&FEW.counts(layout)[1..=HOME_POINTS].iter().map(|&n| n as i8).collect::<Vec<_>>())
            })
            .collect();
        let rows: Vec<RaceError> = (1..FEW.len())
            .into_par_iter()
            .map(|mine| {
                let errors = (1..FEW.len()).map(|theirs| {
                    let [a, b] = [numbers[mine - 1], numbers[theirs - 1]];
                    let chance = chance_not_later(self.all.of(a), self.all.of(b));
                    // One point won instead of one lost.
                    2.0 * (chance - f64::from(exact.chance(mine, theirs))).abs()
                });
                errors.fold(RaceError::default(), |sum, error| RaceError {
                    pairs: sum.pairs + 1,
                    mean: sum.mean + error,
                    largest: sum.largest.max(error),
                })
            })
            .collect();
        let pairs: u64 = rows.iter().map(|row| row.pairs).sum();
        RaceError {
            pairs,
            mean: rows.iter().map(|row| row.mean).sum::<f64>() / pairs as f64,
            largest: rows.iter().map(|row| row.largest).fold(0.0, f64::max),
        }
    }

    /// The outcomes for the side to roll when both sides need as few rolls as they can expect to.
    fn outcomes(&self, board: &Board, flipped: &Board) -> Outcomes {
        let [mine, theirs] = [board, flipped].map(|board| number(&MANY, board));
        let win = chance_not_later(self.all.of(mine), self.all.of(theirs));
        // I win mars when I am done before they have borne off one; my n-th roll comes after n - 1 of theirs.
        let win2 = if flipped.my_off() == 0 { chance_not_later(self.all.of(mine), self.first.of(theirs)) } else { 0.0 };
        let lose2 =
            if board.my_off() == 0 { 1.0 - chance_not_later(self.first.of(mine), self.all.of(theirs)) } else { 0.0 };
        let lose = 1.0 - win;
        Outcomes::new([lose2, lose - lose2, 0.0, win - win2, win2].map(|p| p as f32))
    }
}

/// How far one-sided equities are from exact ones, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RaceError {
    /// Pairs of layouts compared.
    pub pairs: u64,
    /// Mean absolute error.
    pub mean: f64,
    /// Largest absolute error.
    pub largest: f64,
}

/// Adds a distribution, one roll later, in a share.
fn add(sums: &mut Vec<f64>, share: f64, (from, chances): (usize, &[f32])) {
    let end = from + chances.len() + 1;
    if sums.len() < end {
        sums.resize(end, 0.0);
    }
    sums[from + 1..].iter_mut().zip(chances).for_each(|(sum, &chance)| *sum += share * f64::from(chance));
}

/// The chance that the first number is not higher than the second.
fn chance_not_later(first: (usize, &[f32]), second: (usize, &[f32])) -> f64 {
    let mut later = 1.0;
    let mut at = second.0;
    let mut chance = 0.0;
    for (rolls, &share) in (first.0..).zip(first.1) {
        while at < rolls {
            later -= second.1.get(at - second.0).map_or(0.0, |&p| f64::from(p));
            at += 1;
        }
        chance += f64::from(share) * later;
    }
    chance.clamp(0.0, 1.0)
}

/// The result of a thread, which does not panic.
fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Distributions of numbers of rolls, those that do not occur left out at both ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Distributions {
    /// The lowest number of each distribution that has a chance.
    lowest: Vec<u8>,
    /// Where each distribution ends.
    ends: Vec<u32>,
    chances: Vec<f32>,
}

impl Distributions {
    fn until_all_off() -> Distributions {
        Distributions::build(|_, _| false)
    }

    fn until_one_off() -> Distributions {
        Distributions::build(|before, after| after > before)
    }

    /// The rolls until all checkers are off, or until `done` with the numbers of checkers off before and after a roll, when each play is the one that leaves
    /// the fewest to expect.
    fn build(done: impl Fn(u8, u8) -> bool) -> Distributions {
        let mut built = Distributions::default();
        built.push(&[1.0]);
        let mut expected = vec![0f64; MANY.len()];
        let mut sums = Vec::new();
        for layout in 1..MANY.len() {
            let off = MANY.counts(layout)[0];
            sums.clear();
            expected[layout] = 1.0;
            for (share, results) in moves(&MANY, layout) {
                let rest = |result: u32| {
                    if done(off, MANY.counts(result as usize)[0]) {
                        (0.0, 0)
                    } else {
                        (expected[result as usize], result as usize)
                    }
                };
                let best = results.iter().map(|&result| rest(result)).min_by(|a, b| a.0.total_cmp(&b.0));
                let (rolls, best) = best.unwrap_or((0.0, 0));
                expected[layout] += share * rolls;
                add(&mut sums, share, built.of(best));
            }
            built.push(&sums);
        }
        built
    }

    fn push(&mut self, chances: &[f64]) {
        let lowest = chances.iter().position(|&p| p > 0.0).unwrap_or(0);
        self.lowest.push(lowest as u8);
        self.chances.extend(chances[lowest..].iter().map(|&p| p as f32));
        self.ends.push(self.chances.len() as u32);
    }

    fn is_whole(&self) -> bool {
        let ends = &self.ends;
        [self.lowest.len(), ends.len()] == [MANY.len(); 2]
            && ends.is_sorted()
            && ends.last().is_some_and(|&end| end as usize == self.chances.len())
    }

    /// The lowest number of rolls and the chances from there upwards.
    fn of(&self, layout: usize) -> (usize, &[f32]) {
        let start = if layout == 0 { 0 } else { self.ends[layout - 1] as usize };
        (usize::from(self.lowest[layout]), &self.chances[start..self.ends[layout] as usize])
    }
}

/// The number of my layout among layouts of so many checkers, those that a smaller game never had counting as off.
fn number(layouts: &Layouts, board: &Board) -> usize {
    layouts.of_free(&board.free()[..HOME_POINTS])
}

/// The layouts that each roll can lead to, in wire order, with the share of the roll.
fn moves(layouts: &Layouts, layout: usize) -> Vec<(f64, Vec<u32>)> {
    struct Numbers<'a>(&'a Layouts, Vec<u32>);
    impl Sink for Numbers<'_> {
        fn push(&mut self, board: Board, _: Play) {
            self.1.push(number(self.0, &board) as u32);
        }
        fn clear(&mut self) {
            self.1.clear();
        }
    }
    let counts = layouts.counts(layout);
    let points = std::array::from_fn(|i| PointView { free: counts[i + 1] as i8, ..PointView::default() });
    let left: u8 = counts[1..].iter().sum();
    // The other side has no part in it.
    let Some(board) = Board::new(&points, Rules::MAHBUSA.checkers() - left, 0) else { return Vec::new() };
    Roll::ALL
        .into_iter()
        .map(|roll| {
            let mut numbers = Numbers(layouts, Vec::new());
            generate(Rules::MAHBUSA, &board, roll, &mut numbers);
            (f64::from(roll.weight()) / THROWS, numbers.1)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Placements, Solution};
    use mahbusa_rules::Position;

    fn board(text: &str) -> Board {
        text.parse::<Position>().unwrap().board
    }

    #[test]
    fn only_homes_without_a_prisoner_are_covered() {
        assert!(BearOff::covers(&board("mahbusa:5o12O5:0.0:w:-:0.0.0")));
        assert!(!BearOff::covers(&board("mahbusa:6o11O5:0.0:w:-:0.0.0")));
        assert!(!BearOff::covers(&board("mahbusa:5n12N~4A:0.0:w:-:0.0.0")));
        assert!(!BearOff::covers(&board("mahbusa:O22o:0.0:w:-:0.0.0")));
    }

    #[test]
    fn one_roll_chances_are_those_that_can_be_counted() {
        let table = BearOff::build().one_sided;
        // A checker on the 6-point leaves with 27 of 36 throws; two on the 1-point always do.
        for (layout, chance) in [([0, 0, 0, 0, 0, 1], 27.0 / 36.0), ([2, 0, 0, 0, 0, 0], 1.0)] {
            let (lowest, chances) = table.all.of(MANY.of_free(&layout));
            assert_eq!(lowest, 1);
            assert!((chances[0] - chance).abs() < 1e-6);
        }
        // Fifteen on the 1-point: each roll takes two, a double four; the first is off at once.
        let (lowest, chances) = table.all.of(MANY.of_free(&[15, 0, 0, 0, 0, 0]));
        assert_eq!((lowest, lowest + chances.len() - 1), (4, 8));
        assert_eq!(table.first.of(MANY.of_free(&[15, 0, 0, 0, 0, 0])), (1, &[1.0][..]));
    }

    #[test]
    fn the_tables_agree_with_a_solved_game() {
        let table = BearOff::build();
        let solution = Solution::solve(Placements::new(Rules::TAPA.with_checkers(2).unwrap()).unwrap(), |_| {});
        let placements = solution.placements();
        let (mut exact, mut nearly, mut largest, mut sum) = (0, 0, 0f32, 0.0);
        for pips in 0..=24 {
            let boards: Vec<(usize, Board)> = placements.with_pips(pips).collect();
            for (number, board) in boards {
                if !BearOff::covers(&board) || board.my_off() == 2 || board.their_off() == 2 {
                    continue;
                }
                let gap = (table.outcomes(&board).unwrap().equity() - solution.equities()[number]).abs();
                if board.my_off() > 0 && board.their_off() > 0 {
                    exact += 1;
                    assert!(gap < 1e-5, "{board:?}: {gap}");
                } else {
                    nearly += 1;
                    largest = largest.max(gap);
                    sum += f64::from(gap);
                }
            }
        }
        assert_eq!((exact, nearly), (36, 693));
        // Where mars is open, who hurries to bear off one is seldom who still hopes to bear off all first.
        let mean = sum / f64::from(nearly);
        assert!(mean < 0.0003 && largest < 0.008, "mean {mean}, largest {largest}");
    }

    #[test]
    fn racing_alone_costs_little() {
        let table = BearOff::build();
        let error = table.one_sided.error(&table.two_sided);
        assert_eq!(error.pairs, 3002 * 3002);
        assert!(error.mean < 0.002 && error.largest < 0.03, "{error:?}");
    }
}
