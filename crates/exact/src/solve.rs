use mahbusa_net::{OUTCOMES, Outcomes};
use mahbusa_rules::{Board, Roll, Rules};
use rayon::prelude::*;

use crate::placements::{After, Placements};

/// A whole game with few checkers, solved: the exact worth of every placement when both sides play for the most points.
///
/// Nobody is hit in these games, so every play lowers the pip count of its side, and all placements follow from those with fewer pips in all. Only a
/// passed turn leaves the pips as they are; the placement before it and the one after it, which is the same board seen by the other side, depend on each
/// other linearly and are solved together.
pub struct Solution {
    placements: Placements,
    /// Expected points of the side to roll, by placement.
    equities: Vec<f32>,
    /// Probabilities of the outcomes for the side to roll, by placement.
    outcomes: Vec<Outcomes>,
}

/// Equities closer than this are equal: the play first in wire order is taken.
const TIE: f64 = 1e-9;
/// The same for equities rounded to 32 bits, of which the largest is 2.
const ROUNDED_TIE: f32 = 5e-7;
/// Throws of two dice.
const THROWS: f64 = Roll::THROWS as f64;

impl Solution {
    /// Solves the game of the placements on the threads of the current rayon pool, and reports how many more placements are done now and then.
    ///
    /// Needs 48 bytes for each placement while it works and leaves 24: 520 MB and 260 MB for 3 checkers.
    pub fn solve(placements: Placements, progress: impl Fn(usize)) -> Solution {
        let mut sweep = Sweep {
            equities: vec![0.0; placements.len()],
            outcomes: vec![[0.0; OUTCOMES]; placements.len()],
            passes: vec![0; placements.len()],
        };
        for pips in 0..=placements.most_pips() {
            let sums: Vec<Sum> =
                placements.with_pips(pips).map(|(number, board)| sweep.sum(&placements, number, &board)).collect();
            progress(sums.len());
            sweep.take(&sums);
        }
        Solution {
            placements,
            equities: sweep.equities.into_iter().map(|equity| equity as f32).collect(),
            outcomes: sweep.outcomes.into_iter().map(|outcomes| Outcomes::new(outcomes.map(|p| p as f32))).collect(),
        }
    }

    /// Puts together what was stored; the arrays have an entry for each placement.
    pub(crate) fn from_parts(placements: Placements, equities: Vec<f32>, outcomes: Vec<Outcomes>) -> Solution {
        debug_assert_eq!([equities.len(), outcomes.len()], [placements.len(); 2]);
        Solution { placements, equities, outcomes }
    }

    /// What is stored: equities and outcomes by placement.
    pub(crate) fn parts(&self) -> (&[f32], &[Outcomes]) {
        (&self.equities, &self.outcomes)
    }

    /// The game that is solved.
    pub fn rules(&self) -> Rules {
        self.placements.rules()
    }

    /// The placements, by which everything is numbered.
    pub fn placements(&self) -> &Placements {
        &self.placements
    }

    /// Expected points of the side to roll, -2..=2, by placement.
    pub fn equities(&self) -> &[f32] {
        &self.equities
    }

    /// Probabilities of the outcomes for the side to roll, by placement, when both sides play best. Of plays equally good the one first in wire order
    /// is taken, so that the probabilities are unique.
    pub fn outcomes(&self) -> &[Outcomes] {
        &self.outcomes
    }

    /// Expected points of the side that has played.
    #[inline]
    pub fn equity_after(&self, after: After) -> f32 {
        match after {
            After::Ended(ending) => f32::from(ending.points()),
            After::Placement(number) => -self.equities[number as usize],
        }
    }

    /// The best of the results of a roll, of which there is at least one: its index.
    pub fn best(&self, results: &[After]) -> usize {
        let equity = |&after: &After| self.equity_after(after);
        let highest = results.iter().map(equity).fold(f32::NEG_INFINITY, f32::max);
        results.iter().position(|after| equity(after) >= highest - ROUNDED_TIE).unwrap_or(0)
    }
}

/// What is known so far, in double precision.
struct Sweep {
    equities: Vec<f64>,
    outcomes: Vec<[f64; OUTCOMES]>,
    /// In how many of 36 throws the turn must be passed.
    passes: Vec<u8>,
}

/// The worth of a placement, but for the throws that must be passed.
struct Sum {
    number: u32,
    /// The same board seen by the other side.
    flipped: u32,
    passes: u8,
    equity: f64,
    outcomes: [f64; OUTCOMES],
}

impl Sweep {
    fn sum(&self, placements: &Placements, number: usize, board: &Board) -> Sum {
        let mut sum = Sum { number: number as u32, flipped: 0, passes: 0, equity: 0.0, outcomes: [0.0; OUTCOMES] };
        if let Some(ending) = placements.ending(board) {
            sum.equity = -f64::from(ending.points());
            sum.outcomes[ending.outcome().flip().index()] = 1.0;
            return sum;
        }
        let mut results = placements.results(board);
        for roll in Roll::ALL {
            let share = f64::from(roll.weight()) / THROWS;
            let results = results.of(board, roll);
            let highest = results.iter().map(|&after| self.equity_after(after)).fold(f64::NEG_INFINITY, f64::max);
            let Some(&best) = results.iter().find(|&&after| self.equity_after(after) >= highest - TIE) else {
                sum.passes += roll.weight();
                continue;
            };
            sum.equity += share * highest;
            match best {
                After::Ended(ending) => sum.outcomes[ending.outcome().index()] += share,
                After::Placement(number) => {
                    let theirs = &self.outcomes[number as usize];
                    for (mine, their) in sum.outcomes.iter_mut().zip(theirs.iter().rev()) {
                        *mine += share * their;
                    }
                }
            }
        }
        if sum.passes > 0 {
            sum.flipped = placements.number(&board.flip()) as u32;
        }
        sum
    }

    fn equity_after(&self, after: After) -> f64 {
        match after {
            After::Ended(ending) => f64::from(ending.points()),
            After::Placement(number) => -self.equities[number as usize],
        }
    }

    /// Takes over the sums of all placements of one pip count, and adds the throws that are passed.
    ///
    /// With `a` my sum, `b` the other side's, `p` and `q` the chances that we pass, the worth of my placement is `v = a - p w`, of theirs
    /// `w = b - q v`, so that `v = (a - p b) / (1 - p q)`; `p q` is less than 1, since no position of these games is stuck for ever.
    fn take(&mut self, sums: &[Sum]) {
        for sum in sums {
            let number = sum.number as usize;
            (self.equities[number], self.outcomes[number], self.passes[number]) =
                (sum.equity, sum.outcomes, sum.passes);
        }
        let solved: Vec<(f64, [f64; OUTCOMES])> = sums
            .par_iter()
            .filter(|sum| sum.passes > 0)
            .map(|sum| {
                let other = sum.flipped as usize;
                let [mine, theirs] = [sum.passes, self.passes[other]].map(|passes| f64::from(passes) / THROWS);
                let whole = 1.0 - mine * theirs;
                let theirs = self.outcomes[other];
                let outcomes = std::array::from_fn(|i| (sum.outcomes[i] + mine * theirs[OUTCOMES - 1 - i]) / whole);
                ((sum.equity - mine * self.equities[other]) / whole, outcomes)
            })
            .collect();
        for (sum, (equity, outcomes)) in sums.iter().filter(|sum| sum.passes > 0).zip(solved) {
            (self.equities[sum.number as usize], self.outcomes[sum.number as usize]) = (equity, outcomes);
        }
    }
}
