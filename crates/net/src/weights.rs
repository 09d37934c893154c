use mahbusa_rules::Board;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::encoding::{Active, INPUTS, Inputs, encode};
use crate::random::{Purpose, generator};
use crate::{OUTCOMES, Outcomes, possible};

/// What a hidden unit makes of its weighted sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// The sum itself above 0, else 0.
    Rectified,
    /// Its square above 0, else 0: a unit can hold a product of two inputs, such as a blot and the checker that aims at it
    /// (So et al. 2021).
    #[default]
    Squared,
}

impl Activation {
    /// What a unit makes of a sum.
    #[inline(always)]
    pub fn of(self, sum: f32) -> f32 {
        let positive = sum.max(0.0);
        match self {
            Activation::Rectified => positive,
            Activation::Squared => positive * positive,
        }
    }

    /// The slope where a unit has this value.
    #[inline(always)]
    pub fn slope(self, unit: f32) -> f32 {
        match self {
            Activation::Rectified => f32::from(u8::from(unit > 0.0)),
            Activation::Squared => 2.0 * unit.sqrt(),
        }
    }
}

impl std::fmt::Display for Activation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Activation::Rectified => "rectified",
            Activation::Squared => "squared",
        })
    }
}

/// The numbers of a net with one hidden layer: [`INPUTS`] x hidden x 5.
///
/// The network is `softmax(w2 f(w1 x + b1) + b2)` over the outcomes that are possible, with the [`Activation`] as f.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Hidden units, a multiple of 16.
    pub hidden: usize,
    /// What the hidden units do.
    pub activation: Activation,
    /// First layer, [`INPUTS`] rows of `hidden`: the weight of input `i` to unit `h` is `w1[i * hidden + h]`.
    pub w1: Vec<f32>,
    /// Biases of the hidden units.
    pub b1: Vec<f32>,
    /// Second layer, 5 rows of `hidden`.
    pub w2: Vec<f32>,
    /// Biases of the outcomes.
    pub b2: Vec<f32>,
}

/// Weights that no net can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The number of hidden units is out of range.
    #[error("{0} hidden units: expected a multiple of 16 in 16..=4096")]
    Hidden(usize),
    /// An array has the wrong length.
    #[error("{what} has {found} numbers, expected {expected}")]
    Length {
        /// Which array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that fits the architecture.
        expected: usize,
    },
    /// A number is not finite.
    #[error("{0} holds a number that is not finite")]
    NotFinite(&'static str),
}

impl Weights {
    /// Random weights to start training from: the first layer so that the roughly 30 active inputs of a position give hidden units a
    /// variance of about 1 (He et al. 2015), the second small, so that all outcomes begin about equally likely.
    ///
    /// # Panics
    /// When `hidden` is not a multiple of 16 in 16..=4096.
    pub fn random(hidden: usize, seed: u64) -> Weights {
        let mut random = generator(Purpose::Weights, seed, 0);
        let mut uniform = |count: usize, bound: f32| -> Vec<f32> {
            (0..count).map(|_| bound * (2.0 * random.random::<f32>() - 1.0)).collect()
        };
        let weights = Weights {
            hidden,
            activation: Activation::default(),
            w1: uniform(INPUTS * hidden, (6.0f32 / 32.0).sqrt() / 2.0),
            b1: vec![0.0; hidden],
            w2: uniform(OUTCOMES * hidden, 0.5 / (hidden as f32).sqrt()),
            b2: vec![0.0; OUTCOMES],
        };
        assert_eq!(weights.check(), Ok(()));
        weights
    }

    /// The same net with zeros in the rows of the first layer whose inputs are not seen, so that it ignores them.
    #[must_use]
    pub fn seeing(mut self, inputs: Inputs) -> Weights {
        let seen = inputs.seen().end * self.hidden;
        self.w1.iter_mut().skip(seen).for_each(|weight| *weight = 0.0);
        self
    }

    /// Whether it ignores all inputs that are not among these.
    pub fn sees_only(&self, inputs: Inputs) -> bool {
        let seen = inputs.seen().end * self.hidden;
        self.w1.iter().skip(seen).all(|&weight| weight == 0.0)
    }

    /// Whether the arrays fit each other and hold finite numbers.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn check(&self) -> Result<(), WeightsError> {
        if !(16..=4096).contains(&self.hidden) || !self.hidden.is_multiple_of(16) {
            return Err(WeightsError::Hidden(self.hidden));
        }
        let lengths = [
            ("w1", &self.w1, INPUTS * self.hidden),
            ("b1", &self.b1, self.hidden),
            ("w2", &self.w2, OUTCOMES * self.hidden),
            ("b2", &self.b2, OUTCOMES),
        ];
        for (what, array, expected) in lengths {
            if array.len() != expected {
                return Err(WeightsError::Length { what, found: array.len(), expected });
            }
            if array.iter().any(|number| !number.is_finite()) {
                return Err(WeightsError::NotFinite(what));
            }
        }
        Ok(())
    }

    /// Numbers in all.
    pub fn parameters(&self) -> usize {
        self.w1.len() + self.b1.len() + self.w2.len() + self.b2.len()
    }

    /// The outcomes for the side to roll, computed in the plainest way. [`Evaluator`](crate::Evaluator) does the same fast.
    pub fn evaluate_plainly(&self, board: &Board) -> Outcomes {
        let mut active = Vec::new();
        encode(board, &mut active);
        let mut units = self.b1.clone();
        for Active { index, value } in active {
            let row = &self.w1[usize::from(index) * self.hidden..][..self.hidden];
            units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += value * weight);
        }
        let logit = |outcome: usize| {
            let row = &self.w2[outcome * self.hidden..][..self.hidden];
            self.b2[outcome]
                + units.iter().zip(row).map(|(unit, weight)| self.activation.of(*unit) * weight).sum::<f32>()
        };
        let possible = possible(board);
        let logits: [f32; OUTCOMES] =
            std::array::from_fn(|i| if possible >> i & 1 == 1 { logit(i) } else { f32::NEG_INFINITY });
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials = logits.map(|logit| (logit - highest).exp());
        let total: f32 = exponentials.iter().sum();
        Outcomes::new(exponentials.map(|e| e / total))
    }
}
