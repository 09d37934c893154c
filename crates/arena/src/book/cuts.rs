use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::Opening;

/// What cutting the trials of an opening roll after some plies would have changed, in points, seen by the side that plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutOpinion {
    /// The plies.
    pub plies: NonZeroU32,
    /// The mean over all plays of the roll.
    pub mean: f64,
    /// The standard error of that.
    pub error: f64,
    /// Of each play, by the even and by the odd blocks of trials, in wire order.
    pub halves: Vec<[f64; 2]>,
    /// The standard deviation of a trial that is cut so, mean over all plays.
    pub deviation: f64,
}

/// What cutting trials after some plies changes, over all opening plays, in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bias {
    /// The plies.
    pub plies: NonZeroU32,
    /// The mean: what the side that has played seems to be worth too much.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The square of the standard deviation of what it is for single plays, as far as that is not chance. An estimate, which may come out a little below 0.
    pub variance: f64,
    /// The standard error of that.
    pub variance_error: f64,
    /// The standard deviation of a trial that is cut so, in points.
    pub deviation: f64,
}

impl Bias {
    /// What has to be added to the variance of an equity that was cut so and set right by the mean.
    pub fn uncertainty(&self) -> f64 {
        self.error.powi(2) + self.variance.max(0.0)
    }
}

pub(super) fn biases(openings: &[Opening]) -> Vec<Bias> {
    let Some(first) = openings.first() else { return Vec::new() };
    (0..first.cuts.len()).filter_map(|cut| bias(openings, cut)).collect()
}

fn bias(openings: &[Opening], cut: usize) -> Option<Bias> {
    let opinions: Vec<&CutOpinion> = openings.iter().filter_map(|opening| opening.cuts.get(cut)).collect();
    let plays = opinions.iter().map(|opinion| opinion.halves.len()).sum::<usize>() as f64;
    let weighted = |value: fn(&CutOpinion) -> f64, power: i32| {
        opinions.iter().map(|opinion| (opinion.halves.len() as f64 / plays * value(opinion)).powi(power)).sum::<f64>()
    };
    // Rolls share no dice.
    let error = weighted(|opinion| opinion.error, 2).sqrt();
    let mean_of = |half: usize| {
        opinions.iter().flat_map(|opinion| &opinion.halves).map(|halves| halves[half]).sum::<f64>() / plays
    };
    let (even, odd) = (mean_of(0), mean_of(1));
    // The halves share no dice either: in their product noise cancels out. Plays of one roll do share them, so that rolls are what is independent.
    let products = |opinion: &&CutOpinion| {
        opinion.halves.iter().map(|[one, other]| (one - even) * (other - odd)).sum::<f64>() / plays
    };
    let products: Vec<f64> = opinions.iter().map(products).collect();
    let variance: f64 = products.iter().sum();
    let rolls = products.len() as f64;
    let spread: f64 = products.iter().map(|product| (product - variance / rolls).powi(2)).sum();
    Some(Bias {
        plies: opinions.first()?.plies,
        mean: weighted(|opinion| opinion.mean, 1),
        error,
        variance,
        variance_error: (spread * rolls / (rolls - 1.0).max(1.0)).sqrt(),
        deviation: weighted(|opinion| opinion.deviation, 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Valued;
    use mahbusa_rules::{Play, Roll};

    /// An opening roll whose plays, cut after 8 plies, are off by so much, in millipoints, by one half of the trials and by the other.
    fn opening(roll: Roll, off: &[[f64; 2]]) -> Opening {
        let halves: Vec<[f64; 2]> = off.iter().map(|halves| halves.map(|off| off / 1000.0)).collect();
        let mean = halves.iter().flatten().sum::<f64>() / (2 * halves.len()) as f64;
        let play =
            Valued { play: Play::PASS, equity: 0.0, error: 0.0, behind: 0.0, behind_error: 0.0, outcomes: [0.0; 5] };
        let plies = NonZeroU32::new(8).unwrap();
        let cuts = vec![CutOpinion { plies, mean, error: 0.002, halves, deviation: 0.1 }];
        Opening { roll, trials: 144, plays: vec![play; off.len()], cuts }
    }

    #[test]
    fn plays_weigh_alike_and_noise_cancels_out() {
        let openings = [
            opening(Roll::ALL[0], &[[4.0, 4.0], [0.0, 0.0], [2.0, 2.0]]),
            // Nothing but chance: halves that say the opposite.
            opening(Roll::ALL[1], &[[7.0, -3.0]]),
        ];
        let bias = biases(&openings)[0];
        assert_eq!(bias.plies.get(), 8);
        assert!((bias.mean - 0.002).abs() < 1e-12, "{bias:?}");
        // Three plays of four share their dice.
        assert!((bias.error - 0.002 * (0.75f64.powi(2) + 0.25f64.powi(2)).sqrt()).abs() < 1e-12, "{bias:?}");
        // The means of the halves are 3.25 and 0.75.
        let expected = (0.75 * 3.25 + -3.25 * -0.75 + -1.25 * 1.25 + 3.75 * -3.75) / 4.0;
        assert!((bias.variance * 1e6 - expected).abs() < 1e-9, "{bias:?}");
        assert!((bias.uncertainty() - bias.error.powi(2)).abs() < 1e-15, "a variance below nothing counts as nothing");
        assert!((bias.deviation - 0.1).abs() < 1e-12 && bias.variance_error > 0.0);
    }

    #[test]
    fn without_cuts_there_is_no_bias() {
        let bare = Opening { cuts: Vec::new(), ..opening(Roll::ALL[0], &[[1.0, 1.0]]) };
        assert!(biases(&[bare]).is_empty() && biases(&[]).is_empty());
    }
}
