use mahbusa_net::OUTCOMES;

/// Trials in which each of the 36 throws comes first once, in the same order.
pub(crate) const BLOCK: usize = 36;

/// What the trials of one position showed, for one side.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RolledOut {
    /// The equity of each trial, without its luck, in the order of their numbers.
    equities: Vec<f64>,
    /// Sums over trials.
    outcomes: [f64; OUTCOMES],
}

impl RolledOut {
    /// Adds the next trial.
    pub(crate) fn add(&mut self, outcomes: &[f64; OUTCOMES]) {
        self.equities.push(equity(outcomes));
        for (sum, outcome) in self.outcomes.iter_mut().zip(outcomes) {
            *sum += outcome;
        }
    }

    /// As the other side sees it.
    pub(crate) fn flip(&mut self) {
        self.equities.iter_mut().for_each(|equity| *equity = -*equity);
        self.outcomes.reverse();
    }

    /// The mean of several, trial by trial; all have the same trials, and there is at least one.
    pub(crate) fn mean_of(all: &[&RolledOut]) -> RolledOut {
        let mut sum = RolledOut::default();
        for one in all {
            sum.equities.resize(one.equities.len(), 0.0);
            sum.equities.iter_mut().zip(&one.equities).for_each(|(sum, equity)| *sum += equity);
            sum.outcomes.iter_mut().zip(&one.outcomes).for_each(|(sum, outcome)| *sum += outcome);
        }
        let count = all.len().max(1) as f64;
        sum.equities.iter_mut().for_each(|sum| *sum /= count);
        sum.outcomes.iter_mut().for_each(|sum| *sum /= count);
        sum
    }

    /// Trials made.
    pub fn trials(&self) -> u64 {
        self.equities.len() as u64
    }

    /// The probabilities of lose 2, lose 1, draw, win 1, win 2; together 1, each perhaps a little outside 0..=1 where luck was taken out.
    pub fn outcomes(&self) -> [f64; OUTCOMES] {
        self.outcomes.map(|sum| sum / self.equities.len().max(1) as f64)
    }

    /// Expected points.
    pub fn equity(&self) -> f64 {
        mean(self.equities.iter().copied())
    }

    /// The equities by the even and by the odd blocks of trials: two measurements that share no dice.
    pub fn halves(&self) -> [f64; 2] {
        [0, 1].map(|half| mean(self.equities.chunks(BLOCK).skip(half).step_by(2).flatten().copied()))
    }

    /// The standard error of the equity, in points.
    pub fn error(&self) -> f64 {
        standard_error(&self.equities)
    }

    /// The standard error of the difference between two equities, which were measured on the same dice; in points.
    pub fn error_of_difference(&self, other: &RolledOut) -> f64 {
        let differences: Vec<f64> = self.equities.iter().zip(&other.equities).map(|(a, b)| a - b).collect();
        standard_error(&differences)
    }
}

/// Expected points.
pub(crate) fn equity(outcomes: &[f64; OUTCOMES]) -> f64 {
    2.0 * (outcomes[4] - outcomes[0]) + outcomes[3] - outcomes[1]
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut sum) = (0u64, 0.0);
    for value in values {
        count += 1;
        sum += value;
    }
    sum / count.max(1) as f64
}

/// The standard error of the mean of trials: out of the spread among trials that began with the same throw, since each throw has its fixed
/// share (a stratified sample). That the second throws are spread evenly too is not counted, so it is rather too large than too small.
fn standard_error(trials: &[f64]) -> f64 {
    let blocks = trials.len() / BLOCK;
    if blocks < 2 {
        return f64::INFINITY;
    }
    let squares: f64 = (0..BLOCK)
        .map(|throw| {
            let begun_so = || trials.iter().copied().skip(throw).step_by(BLOCK);
            let mean = mean(begun_so());
            begun_so().map(|value| (value - mean).powi(2)).sum::<f64>()
        })
        .sum();
    let variance = squares / (BLOCK * (blocks - 1)) as f64;
    (variance / trials.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_the_spread_within_first_throws() {
        // Two blocks: trials that begin alike differ by 2, whatever the throw is worth.
        let trials: Vec<f64> = (0..72).map(|i| f64::from(i % 36) * 10.0 + if i < 36 { 1.0 } else { -1.0 }).collect();
        assert!((standard_error(&trials) - (2.0f64 / 72.0).sqrt()).abs() < 1e-12);
        assert_eq!(standard_error(&trials[..36]), f64::INFINITY);
    }
}
