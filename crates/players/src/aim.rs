use mahbusa_net::{OUTCOMES, Outcomes};
use mahbusa_rules::Outcome;

/// What a player tries to make as large as possible.
///
/// Both aims are sums over the outcomes of a game, so that the mean over rolls, and everything else that holds for outcomes, holds for them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Aim {
    /// The expected points of the game, -2..=2.
    #[default]
    Points,
    /// The chance of winning the match, 0..=1.
    Match(Stakes),
}

/// The chance of winning the match after each outcome of the game, for one side; from [`MatchTable::stakes`](crate::MatchTable::stakes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stakes([f32; OUTCOMES]);

impl Stakes {
    /// Out of the chances after each outcome, each 0..=1, in the order of [`Outcome::ALL`].
    pub(crate) fn new(chances: [f32; OUTCOMES]) -> Stakes {
        Stakes(chances)
    }

    /// The chance of winning the match if the game ends so.
    pub fn after(&self, outcome: Outcome) -> f32 {
        self.0[outcome.index()]
    }

    /// The chance of winning the match, given how the game may end; 0..=1.
    #[inline]
    pub fn chance(&self, outcomes: &Outcomes) -> f32 {
        self.0.iter().zip(outcomes.probabilities()).map(|(chance, probability)| chance * probability).sum()
    }
}

impl Aim {
    /// What outcomes are worth to the side whose aim it is, more being better.
    #[inline]
    pub fn worth(&self, outcomes: &Outcomes) -> f32 {
        match self {
            Aim::Points => outcomes.equity(),
            Aim::Match(stakes) => stakes.chance(outcomes),
        }
    }

    /// What a point of the game is worth on average: a quarter of what lies between winning two and losing two.
    pub fn of_a_point(&self) -> f32 {
        match self {
            Aim::Points => 1.0,
            Aim::Match(stakes) => (stakes.after(Outcome::Win2) - stakes.after(Outcome::Lose2)) / 4.0,
        }
    }

    /// The aim of the other side in the same game.
    #[must_use]
    pub fn flip(&self) -> Aim {
        match self {
            Aim::Points => Aim::Points,
            Aim::Match(Stakes([lose2, lose1, draw, win1, win2])) => {
                Aim::Match(Stakes([win2, win1, draw, lose1, lose2].map(|chance| 1.0 - chance)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_wins_the_other_loses() {
        let outcomes = Outcomes::new([0.1, 0.2, 0.1, 0.2, 0.4]);
        let aim = Aim::Match(Stakes::new([0.0, 0.25, 0.5, 0.75, 0.75]));
        assert!((aim.worth(&outcomes) - 0.55).abs() < 1e-6);
        assert!((aim.flip().worth(&outcomes.flip()) - 0.45).abs() < 1e-6);
        assert_eq!(aim.flip().flip(), aim);
        assert_eq!(aim.of_a_point(), 0.1875);
        assert_eq!(Aim::Points.worth(&outcomes), -Aim::Points.flip().worth(&outcomes.flip()));
    }
}
