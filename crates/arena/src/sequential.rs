//! When to stop: an interval that may be looked at as often as one likes.
//!
//! An ordinary 95 % interval is right for a number of games that was fixed beforehand. Who plays on until it excludes 0 will see it
//! exclude 0 sooner or later. The interval here holds for all numbers of pairs at once: the chance that it *ever* leaves out the
//! true mean is about 5 %. So whatever is concluded from it, whenever, is wrong in about 5 % of all tests at most.
//!
//! It is Robbins' normal mixture (Robbins 1970) with the variance estimated, an asymptotic confidence sequence (Waudby-Smith, Arbour,
//! Sinha, Kennedy and Ramdas 2021, *Time-uniform central limit theory and asymptotic confidence sequences*, theorem 2.2). After `t`
//! pairs with the mean `m` and the sample variance `v` it is
//!
//! ```text
//! m +- sqrt( 2 (t v r^2 + 1) / (t r)^2 * ln( sqrt(t v r^2 + 1) / alpha ) ),   alpha = 0.05
//! ```
//!
//! Any `r > 0` is right if it was chosen beforehand; it decides where the interval is at its narrowest in comparison. As a function of
//! `x = t v r^2` the half width is `sqrt(v / t) sqrt((x + 1) / x ln((x + 1) / alpha^2))`, narrowest where `x = ln((x + 1) / alpha^2)`,
//! which is `x = 8.21` for 5 %, and `sqrt(x + 1) = 3.03` standard errors there. That is to happen when the half width is as small as the
//! difference that matters, `D`: with a variance of about 1 (points a game, paired dice) this makes `r = sqrt(x / (x + 1)) D = 0.944 D`.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{Estimate, Mean, Pair};

/// The chance that a sequence ever leaves out the truth.
const ALPHA: f64 = 0.05;

/// `sqrt(x / (x + 1))` at the fixed point `x = ln((x + 1) / ALPHA^2)`.
const TUNING: f64 = 0.944_2;

/// Pairs between two looks. Fixed, so that a test ends at the same pair whatever the speed of the machine.
pub const LOOK_EVERY: u64 = 64;

/// What is known of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// The player wins points.
    Stronger,
    /// The player loses points.
    Weaker,
    /// The difference is smaller than what matters, and may be nothing.
    Close,
    /// Nothing is known yet.
    NotClear,
}

/// A test that goes on until something is found out.
#[derive(Clone, Debug)]
pub struct Sequence {
    within: f64,
    points: Mean,
}

impl Sequence {
    /// A test for differences of `within` points a game, above 0 and at most 2: smaller ones do not matter.
    pub fn new(within: f64) -> Sequence {
        Sequence { within, points: Mean::default() }
    }

    /// Adds pairs in order until something is found; those after it are left out.
    pub fn extend(&mut self, pairs: &[Pair]) -> ControlFlow<()> {
        for pair in pairs {
            self.add(pair);
            if self.points.count().is_multiple_of(LOOK_EVERY) && self.finding() != Finding::NotClear {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Adds one pair.
    pub fn add(&mut self, pair: &Pair) {
        self.points.add(pair.points());
    }

    /// Pairs that the test has taken.
    pub fn pairs(&self) -> u64 {
        self.points.count()
    }

    /// The mean of the points a game, with an interval that holds at all times together.
    pub fn interval(&self) -> Estimate {
        let (count, mean) = (self.points.count() as f64, self.points.mean() / 2.0);
        if self.points.count() < LOOK_EVERY {
            return Estimate { mean, low: -2.0, high: 2.0 };
        }
        // Of points a game: half the points of a pair.
        let variance = self.points.variance() / 4.0;
        let rho = TUNING * self.within;
        let x = count * variance * rho * rho;
        let half = (2.0 * (x + 1.0) * ((x + 1.0).sqrt() / ALPHA).ln()).sqrt() / (count * rho);
        Estimate { mean, low: (mean - half).max(-2.0), high: (mean + half).min(2.0) }
    }

    /// What is known now.
    pub fn finding(&self) -> Finding {
        let Estimate { low, high, .. } = self.interval();
        if low > 0.0 {
            Finding::Stronger
        } else if high < 0.0 {
            Finding::Weaker
        } else if -self.within < low && high < self.within {
            Finding::Close
        } else {
            Finding::NotClear
        }
    }
}
