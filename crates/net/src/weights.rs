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

/// The layers of a net between its [`INPUTS`] inputs and its five outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Hidden units of the first layer, a multiple of 16 in 16..=4096.
    pub hidden: usize,
    /// What they make of their sums.
    pub activation: Activation,
    /// Hidden units of the second layer, rectified: 0 for no such layer, else a multiple of 16, at most 64.
    pub second: usize,
}

impl Shape {
    /// One hidden layer with the default activation.
    pub fn of(hidden: usize) -> Shape {
        Shape { hidden, activation: Activation::default(), second: 0 }
    }

    /// The numbers that the five outputs are computed from.
    pub fn last(&self) -> usize {
        if self.second > 0 { self.second } else { self.hidden }
    }

    /// Whether there can be such a net.
    ///
    /// # Errors
    /// What is out of range.
    pub fn check(&self) -> Result<(), WeightsError> {
        if !(16..=4096).contains(&self.hidden) || !self.hidden.is_multiple_of(16) {
            return Err(WeightsError::Hidden(self.hidden));
        }
        if self.second > 64 || !self.second.is_multiple_of(16) {
            return Err(WeightsError::Second(self.second));
        }
        Ok(())
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shape { hidden, activation, second } = self;
        match second {
            0 => write!(f, "{hidden} {activation} hidden units"),
            _ => write!(f, "{hidden} {activation} and {second} rectified hidden units"),
        }
    }
}

/// The numbers of a net: [`INPUTS`] x hidden x 5, or [`INPUTS`] x hidden x second x 5.
///
/// The network is `softmax(w3 f(w1 x + b1) + b3)`, or `softmax(w3 max(0, w2 f(w1 x + b1) + b2) + b3)` with a second hidden layer, over the
/// outcomes that are possible, with the [`Activation`] as f.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Its layers.
    pub shape: Shape,
    /// First layer, [`INPUTS`] rows of `hidden`: the weight of input `i` to unit `h` is `w1[i * hidden + h]`.
    pub w1: Vec<f32>,
    /// Biases of the first layer.
    pub b1: Vec<f32>,
    /// Second layer, `second` rows of `hidden`: empty when there is none.
    pub w2: Vec<f32>,
    /// Biases of the second layer.
    pub b2: Vec<f32>,
    /// Output layer, 5 rows of [`Shape::last`].
    pub w3: Vec<f32>,
    /// Biases of the outcomes.
    pub b3: Vec<f32>,
}

/// Weights that no net can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The number of hidden units is out of range.
    #[error("{0} hidden units: expected a multiple of 16 in 16..=4096")]
    Hidden(usize),
    /// The number of units of the second hidden layer is out of range.
    #[error("{0} units in the second hidden layer: expected 0, 16, 32, 48 or 64")]
    Second(usize),
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
    /// Random weights to start training from: hidden layers so that sums have a variance of about 1, given the roughly 30 active inputs
    /// of a position (He et al. 2015), the outputs small, so that all outcomes begin about equally likely.
    ///
    /// # Panics
    /// When there is no such shape.
    pub fn random(shape: Shape, seed: u64) -> Weights {
        let Shape { hidden, activation, second } = shape;
        let mut random = generator(Purpose::Weights, seed, 0);
        let mut uniform = |count: usize, bound: f32| -> Vec<f32> {
            (0..count).map(|_| bound * (2.0 * random.random::<f32>() - 1.0)).collect()
        };
        // The mean square of a unit is half that of its sum, and one and a half times that once it is squared.
        let mean_square = match activation {
            Activation::Rectified => 0.5,
            Activation::Squared => 1.5,
        };
        let weights = Weights {
            shape,
            w1: uniform(INPUTS * hidden, (6.0f32 / 32.0).sqrt() / 2.0),
            b1: vec![0.0; hidden],
            w2: uniform(second * hidden, (3.0 / (mean_square * hidden as f32)).sqrt()),
            b2: vec![0.0; second],
            w3: uniform(OUTCOMES * shape.last(), 0.5 / (shape.last() as f32).sqrt()),
            b3: vec![0.0; OUTCOMES],
        };
        assert_eq!(weights.check(), Ok(()));
        weights
    }

    /// The same net with zeros in the rows of the first layer whose inputs are not seen, so that it ignores them.
    #[must_use]
    pub fn seeing(mut self, inputs: Inputs) -> Weights {
        let seen = inputs.seen().end * self.shape.hidden;
        self.w1.iter_mut().skip(seen).for_each(|weight| *weight = 0.0);
        self
    }

    /// Whether it ignores all inputs that are not among these.
    pub fn sees_only(&self, inputs: Inputs) -> bool {
        let seen = inputs.seen().end * self.shape.hidden;
        self.w1.iter().skip(seen).all(|&weight| weight == 0.0)
    }

    /// Whether the arrays fit each other and hold finite numbers.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn check(&self) -> Result<(), WeightsError> {
        self.shape.check()?;
        let Shape { hidden, second, .. } = self.shape;
        let lengths = [
            ("w1", &self.w1, INPUTS * hidden),
            ("b1", &self.b1, hidden),
            ("w2", &self.w2, second * hidden),
            ("b2", &self.b2, second),
            ("w3", &self.w3, OUTCOMES * self.shape.last()),
            ("b3", &self.b3, OUTCOMES),
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
        let Weights { shape: _, w1, b1, w2, b2, w3, b3 } = self;
        [w1, b1, w2, b2, w3, b3].map(Vec::len).iter().sum()
    }

    /// The outcomes for the side to roll, computed in the plainest way. [`Evaluator`](crate::Evaluator) does the same fast.
    pub fn evaluate_plainly(&self, board: &Board) -> Outcomes {
        let possible = possible(board);
        let mut logits = self.logits_plainly(board);
        for (i, logit) in logits.iter_mut().enumerate() {
            if possible >> i & 1 == 0 {
                *logit = f32::NEG_INFINITY;
            }
        }
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials = logits.map(|logit| (logit - highest).exp());
        let total: f32 = exponentials.iter().sum();
        Outcomes::new(exponentials.map(|e| e / total))
    }

    /// What the softmax is taken of, a number for each outcome, also for those that the board rules out; computed in the plainest way.
    pub fn logits_plainly(&self, board: &Board) -> [f32; OUTCOMES] {
        let Shape { hidden, activation, second } = self.shape;
        let mut active = Vec::new();
        encode(board, &mut active);
        let mut sums = self.b1.clone();
        for Active { index, value } in active {
            let row = &self.w1[usize::from(index) * hidden..][..hidden];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += value * weight);
        }
        let mut units: Vec<f32> = sums.iter().map(|&sum| activation.of(sum)).collect();
        if second > 0 {
            units = layer(&self.w2, &self.b2, &units).map(|sum| Activation::Rectified.of(sum)).collect();
        }
        let mut logits = [0.0; OUTCOMES];
        logits.iter_mut().zip(layer(&self.w3, &self.b3, &units)).for_each(|(logit, sum)| *logit = sum);
        logits
    }
}

/// The weighted sums of a layer, a row of weights each.
fn layer(weights: &[f32], biases: &[f32], units: &[f32]) -> impl Iterator<Item = f32> {
    let weigh = move |row: &[f32]| row.iter().zip(units).map(|(weight, unit)| weight * unit).sum::<f32>();
    weights.chunks_exact(units.len()).zip(biases).map(move |(row, bias)| bias + weigh(row))
}
