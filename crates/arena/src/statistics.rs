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

    /// The mean in units of `unit` and its 95 % interval, cut to `range`; all of `range` for fewer than two observations. It is Student's: 1.96 standard errors
    /// each way, more where there are few observations. Where all are an end of the range, such as games that were all won, that would be nothing: then it is
    /// what may be so if others exist that did not come up, which are at most a share of 1 - 0.025^(1/n) (Clopper and Pearson 1934), and as far off as can be.
    pub fn estimate(&self, unit: f64, range: RangeInclusive<f64>) -> Estimate {
        let (least, most) = range.into_inner();
        let mean = if self.count == 0 { (least + most) / 2.0 } else { self.mean() / unit };
        if self.count < 2 {
            return Estimate { mean, low: least, high: most };
        }
        let variance = self.variance();
        if variance == 0.0 && (mean == least || mean == most) {
            let unseen = 1.0 - 0.025f64.powf(1.0 / self.count as f64);
            return Estimate { mean, low: mean - unseen * (mean - least), high: mean + unseen * (most - mean) };
        }
        let half = student(self.count - 1) * (variance / self.count as f64).sqrt() / unit;
        Estimate { mean, low: (mean - half).max(least), high: (mean + half).min(most) }
    }
}

/// The 97.5 % point of Student's distribution with so many degrees of freedom, one at least: the expansion about the normal one (Abramowitz and Stegun,
/// *Handbook of Mathematical Functions*, 26.7.5), which is right to 0.01 from four on, and the values of the tables below that.
fn student(degrees: u64) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    match degrees {
        0 | 1 => 12.706_205,
        2 => 4.302_653,
        3 => 3.182_446,
        _ => {
            let n = degrees as f64;
            let g1 = (Z.powi(3) + Z) / 4.0;
            let g2 = (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0;
            let g3 = (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0;
            Z + g1 / n + g2 / n.powi(2) + g3 / n.powi(3)
        }
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
        // Mean 5, sample standard deviation 2.138, standard error 0.756, seven degrees of freedom.
        let estimate = mean.estimate(1.0, 0.0..=10.0);
        assert_eq!(estimate.mean, 5.0);
        assert!((estimate.high - 5.0 - 2.3646 * 0.755_929).abs() < 2e-3, "{estimate:?}");
        assert!((estimate.low + estimate.high - 10.0).abs() < 1e-12);
    }

    #[test]
    fn the_points_of_student_are_those_of_the_tables() {
        for (degrees, point) in
            [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045), (1_000_000, 1.960)]
        {
            assert!((student(degrees) - point).abs() < 0.01, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn observations_that_are_all_alike_do_not_prove_that_there_are_no_others() {
        let mut mean = Mean::default();
        mean.add_times(4, 10);
        // Ten of ten: a share of 0.69 at least is alike (Clopper and Pearson).
        let estimate = mean.estimate(4.0, 0.0..=1.0);
        assert!((estimate.low - 0.6915).abs() < 1e-4 && estimate.mean == 1.0 && estimate.high == 1.0, "{estimate:?}");
    }

    #[test]
    fn one_observation_proves_nothing() {
        let mut mean = Mean::default();
        mean.add(2);
        assert_eq!(mean.estimate(1.0, -2.0..=2.0), Estimate { mean: 2.0, low: -2.0, high: 2.0 });
    }
}
