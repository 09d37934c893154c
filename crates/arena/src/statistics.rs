use std::ops::RangeInclusive;

use mahbusa_players::Estimate;
use serde::{Deserialize, Serialize};

/// Sums of whole numbers for a mean and its error: exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mean {
    count: u64,
    sum: i64,
    squares: u64,
}

impl Mean {
    /// Adds one observation.
    pub fn add(&mut self, value: i64) {
        self.add_times(value, 1);
    }

    /// Adds so many equal observations.
    pub fn add_times(&mut self, value: i64, times: u64) {
        self.count += times;
        self.sum += value * times as i64;
        self.squares += value.unsigned_abs().pow(2) * times;
    }

    /// Observations so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean of the observations; 0 for none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The sample variance of the observations; 0 for fewer than two.
    pub fn variance(&self) -> f64 {
        let count = self.count as f64;
        (self.squares as f64 - count * self.mean().powi(2)).max(0.0) / (count - 1.0).max(1.0)
    }

    /// The observations of both.
    #[must_use]
    pub fn and(self, other: Mean) -> Mean {
        Mean { count: self.count + other.count, sum: self.sum + other.sum, squares: self.squares + other.squares }
    }

    /// The mean in units of `unit` and its interval: 1.96 standard errors (normal approximation, sample variance) each way,
    /// cut to `range`; all of `range` for fewer than two observations.
    pub fn estimate(&self, unit: f64, range: RangeInclusive<f64>) -> Estimate {
        const Z: f64 = 1.959_963_984_540_054;
        let (least, most) = range.into_inner();
        let mean = if self.count == 0 { (least + most) / 2.0 } else { self.mean() / unit };
        if self.count < 2 {
            return Estimate { mean, low: least, high: most };
        }
        let half = Z * (self.variance() / self.count as f64).sqrt() / unit;
        Estimate { mean, low: (mean - half).max(least), high: (mean + half).min(most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        let mut mean = Mean::default();
        for value in [2, 4, 4, 4, 5, 5, 7, 9] {
            mean.add(value);
        }
        // Mean 5, sample standard deviation 2.138, standard error 0.756.
        let estimate = mean.estimate(1.0, 0.0..=10.0);
        assert_eq!(estimate.mean, 5.0);
        assert!((estimate.high - 5.0 - 1.96 * 0.755_929).abs() < 1e-4, "{estimate:?}");
        assert!((estimate.low + estimate.high - 10.0).abs() < 1e-12);
    }

    #[test]
    fn one_observation_proves_nothing() {
        let mut mean = Mean::default();
        mean.add(2);
        assert_eq!(mean.estimate(1.0, -2.0..=2.0), Estimate { mean: 2.0, low: -2.0, high: 2.0 });
    }
}
