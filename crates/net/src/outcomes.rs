use mahbusa_rules::{Board, Outcome, POINTS};
use serde::{Deserialize, Serialize};

/// Outcomes of a game for one side.
pub const OUTCOMES: usize = 5;

/// The probabilities of lose 2, lose 1, draw, win 1, win 2 for one side; each in 0..=1, together 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcomes([f32; OUTCOMES]);

impl Outcomes {
    /// Out of five probabilities in the order of [`Outcome::ALL`].
    pub fn new(probabilities: [f32; OUTCOMES]) -> Outcomes {
        Outcomes(probabilities)
    }

    /// Certainty of one outcome.
    pub fn certain(outcome: Outcome) -> Outcomes {
        let mut probabilities = [0.0; OUTCOMES];
        probabilities[outcome.index()] = 1.0;
        Outcomes(probabilities)
    }

    /// The five probabilities in the order of [`Outcome::ALL`].
    pub fn probabilities(&self) -> &[f32; OUTCOMES] {
        &self.0
    }

    /// Expected points, -2..=2.
    #[inline]
    pub fn equity(&self) -> f32 {
        2.0 * (self.0[4] - self.0[0]) + self.0[3] - self.0[1]
    }

    /// The same seen by the other side.
    #[must_use]
    pub fn flip(&self) -> Outcomes {
        let [lose2, lose1, draw, win1, win2] = self.0;
        Outcomes([win2, win1, draw, lose1, lose2])
    }

    /// `share` of `self` and the rest of `other`.
    #[must_use]
    pub fn mix(&self, share: f32, other: &Outcomes) -> Outcomes {
        Outcomes(std::array::from_fn(|i| share * self.0[i] + (1.0 - share) * other.0[i]))
    }
}

/// The outcomes that the board does not rule out for the side to roll, one bit each in the order of [`Outcome::ALL`].
///
/// Who has borne a checker off can lose only one point, and nobody draws unless each side still has a checker on its
/// own start (a draw is two pinned starts, and nobody comes back to a start).
#[inline]
pub fn possible(board: &Board) -> u8 {
    let on_my_start = board.free()[POINTS - 1] > 0 || board.my_trapped() >> (POINTS - 1) & 1 == 1;
    let on_their_start = board.free()[0] < 0 || board.their_trapped() & 1 == 1;
    let lose2 = u8::from(board.my_off() == 0);
    let win2 = u8::from(board.their_off() == 0);
    let draw = u8::from(on_my_start && on_their_start);
    lose2 | 0b01010 | draw << 2 | win2 << 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equity_is_expected_points_and_flips_sign() {
        let outcomes = Outcomes::new([0.1, 0.2, 0.1, 0.2, 0.4]);
        assert!((outcomes.equity() - 0.6).abs() < 1e-6);
        assert!((outcomes.flip().equity() + 0.6).abs() < 1e-6);
        for outcome in Outcome::ALL {
            assert_eq!(Outcomes::certain(outcome).equity(), f32::from(outcome.points()));
        }
    }

    #[test]
    fn the_board_rules_outcomes_out() {
        let of = |text: &str| possible(&text.parse::<mahbusa_rules::Position>().unwrap().board);
        assert_eq!(of("mahbusa:O22o:0.0:w:-:0.0.0"), 0b11111);
        assert_eq!(of("mahbusa:n20NAa:0.0:w:-:0.0.0"), 0b11011);
        assert_eq!(of("mahbusa:o22N:1.0:w:-:0.0.0"), 0b11010);
        assert_eq!(of("mahbusa:o22N:1.0:b:-:0.0.0"), 0b01011);
        assert_eq!(of("mahbusa:n~21Na:0.0:b:-:0.0.0"), 0b11111);
    }
}
