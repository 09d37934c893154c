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
    /// The mean of the squares of what it is for single plays, as far as that is not chance. An estimate, which may come out a little below 0.
    pub square: f64,
    /// The standard error of that.
    pub square_error: f64,
    /// The mean of the squares of what it is for the difference between two plays of a roll; likewise.
    pub difference: f64,
    /// The standard error of that.
    pub difference_error: f64,
    /// The standard deviation of a trial that is cut so, in points.
    pub deviation: f64,
}

impl Bias {
    /// What has to be added to the variance of an equity that was cut so, and to that of the difference between two. Nothing is taken off for the mean: in replies the sides have changed places, and
    /// nobody knows whom a cut favours there.
    pub fn uncertainty(&self) -> [f64; 2] {
        [self.square.max(0.0), self.difference.max(0.0)]
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
    // The halves share no dice: in their product chance cancels out.
    let (square, square_error) = of_rolls(&opinions, plays, |halves| halves.iter().map(|[even, odd]| even * odd).sum());
    // Twice the variance within a roll.
    let pairs: f64 = opinions.iter().map(|opinion| opinion.halves.len() as f64 - 1.0).sum();
    let (difference, difference_error) = of_rolls(&opinions, pairs / 2.0, |halves| {
        let mean = |half: usize| halves.iter().map(|halves| halves[half]).sum::<f64>() / halves.len() as f64;
        let (even, odd) = (mean(0), mean(1));
        halves.iter().map(|[one, other]| (one - even) * (other - odd)).sum()
    });
    Some(Bias {
        plies: opinions.first()?.plies,
        mean: weighted(|opinion| opinion.mean, 1),
        error: weighted(|opinion| opinion.error, 2).sqrt(),
        square,
        square_error,
        difference,
        difference_error,
        deviation: weighted(|opinion| opinion.deviation, 1),
    })
}

/// The sum over rolls of what their plays give, shared by so many, and its standard error: plays of one roll share their dice, so that rolls are what is
/// independent.
fn of_rolls(opinions: &[&CutOpinion], shared_by: f64, value: impl Fn(&[[f64; 2]]) -> f64) -> (f64, f64) {
    if shared_by <= 0.0 {
        return (0.0, 0.0);
    }
    let values: Vec<f64> = opinions.iter().map(|opinion| value(&opinion.halves) / shared_by).collect();
    let (sum, rolls): (f64, f64) = (values.iter().sum(), values.len() as f64);
    let spread: f64 = values.iter().map(|value| (value - sum / rolls).powi(2)).sum();
    (sum, (spread * rolls / (rolls - 1.0).max(1.0)).sqrt())
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
        let expected = (4.0 * 4.0 + 0.0 + 2.0 * 2.0 - 7.0 * 3.0) / 4.0;
        assert!((bias.square * 1e6 - expected).abs() < 1e-9, "{bias:?}");
        // Within the first roll: 2, -2 and 0 from its mean by either half, for 2 degrees of freedom.
        assert!((bias.difference * 1e6 - 2.0 * (4.0 + 4.0) / 2.0).abs() < 1e-9, "{bias:?}");
        assert_eq!(bias.uncertainty(), [0.0, bias.difference], "a square below nothing counts as nothing");
        assert!((bias.deviation - 0.1).abs() < 1e-12 && bias.square_error > 0.0);
    }

    #[test]
    fn without_cuts_there_is_no_bias() {
        let bare = Opening { cuts: Vec::new(), ..opening(Roll::ALL[0], &[[1.0, 1.0]]) };
        assert!(biases(&[bare]).is_empty() && biases(&[]).is_empty());
    }
}
