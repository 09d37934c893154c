//! The supervised learner: a network with one hidden layer or two, trained by burn.
//!
//! Positions are sparse, so on the CPU the first layer is computed by hand on plain
//! arrays, forward and weight gradient, touching active inputs only. Burn does the
//! rest: its autodiff takes the loss back to the hidden units, and its Adam moves
//! every parameter. On any other device the first layer is a matrix product inside
//! burn's graph.

use burn::optim::{Adam, AdamConfig, AdamState, AdaptiveMomentumState, Optimizer};
use burn::tensor::{Device, Gradients, Tensor, TensorData, activation};
use mahbusa_net::{Activation, OUTCOMES, Shape, Weights};
use serde::{Deserialize, Serialize};

use crate::batch::Batch;
use crate::sparse;

/// Added to the logit of an impossible outcome: its probability becomes exactly zero.
const IMPOSSIBLE: f32 = -1e9;

/// Settings of the Adam optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamSettings {
    /// Decay of the first moment, per update.
    pub beta1: f32,
    /// Decay of the second moment, per update.
    pub beta2: f32,
    /// Added to the root of the second moment.
    pub epsilon: f32,
}

/// Adam's memory of a whole network; the moments come in the order w1, b1, w2, b2, w3, b3 of [`Weights`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptimiserState {
    /// Updates made so far.
    pub updates: u64,
    /// Running means of the gradient.
    pub first: Vec<f32>,
    /// Running means of its square.
    pub second: Vec<f32>,
}

/// A network under training, with its optimiser.
///
/// All results depend on the arguments alone: equal calls give equal bytes, within a
/// process and across processes, on one kind of processor and device.
pub struct Learner {
    sizes: Sizes,
    /// All parameters in a row: w1, b1, w2, b2, w3, b3 as in [`Weights`].
    parameters: Tensor<1>,
    /// The moments of `parameters`; none before the first update.
    state: Option<AdamState<1>>,
    adam: Adam,
    device: Device,
    first_layer: FirstLayer,
}

impl Learner {
    /// Starts training from `weights` with fresh optimiser state on `device`.
    pub fn new(weights: &Weights, adam: AdamSettings, device: Device) -> Self {
        let first_layer = FirstLayer::best_for(&device);
        Self::with_first_layer(weights, adam, device, first_layer)
    }

    /// Continues a training: gives the learner that [`Learner::weights`] and [`Learner::state`] described, bit for bit.
    /// `None` when the state is that of a net of another size.
    pub fn restore(weights: &Weights, adam: AdamSettings, device: Device, state: &OptimiserState) -> Option<Self> {
        let mut learner = Self::new(weights, adam, device);
        let parameters = learner.sizes.parameters();
        if state.first.len() != parameters || state.second.len() != parameters {
            return None;
        }
        if state.updates > 0 {
            let [first, second] = [&state.first, &state.second].map(|moments| learner.flat(moments.clone()));
            let momentum = AdaptiveMomentumState::new(state.updates as usize, first, second);
            learner.state = Some(AdamState::new(momentum));
        }
        Some(learner)
    }

    /// Makes one step of Adam on the mean cross-entropy of `batch` and returns that
    /// loss (in nats, before the step). `learning_rate` is Adam's step size.
    ///
    /// # Panics
    ///
    /// If `batch` has no sample.
    pub fn update(&mut self, batch: &Batch, learning_rate: f64) -> f32 {
        assert!(!batch.is_empty(), "a batch needs a sample");
        let (loss, gradient) = match self.first_layer {
            FirstLayer::Sparse => self.sparse_gradient(batch),
            FirstLayer::Dense => self.dense_gradient(batch),
        };
        // The clone is no copy: it shares the storage, and Adam's result has its own.
        let old = self.parameters.clone();
        (self.parameters, self.state) = self.adam.step(learning_rate, old, gradient, self.state.take());
        loss
    }

    /// Outcome probabilities of each sample. Targets do not matter.
    ///
    /// # Panics
    ///
    /// As [`Learner::update`].
    pub fn forward(&self, batch: &Batch) -> Vec<[f32; OUTCOMES]> {
        assert!(!batch.is_empty(), "a batch needs a sample");
        let parameters = self.parameters.to_data();
        let hidden = self.hidden_units(floats(&parameters), batch);
        let logits = logits(hidden, &self.upper_layers(floats(&parameters)), self.mask(batch));
        let probabilities = activation::softmax(logits, 1).into_data();
        floats(&probabilities).as_chunks().0.to_vec()
    }

    /// The current parameters.
    pub fn weights(&self) -> Weights {
        let parameters = self.parameters.to_data();
        let [w1, b1, w2, b2, w3, b3] = self.sizes.split(floats(&parameters)).map(<[f32]>::to_vec);
        Weights { shape: self.sizes.shape, w1, b1, w2, b2, w3, b3 }
    }

    /// The optimiser state for [`Learner::restore`]: Adam's moments and time, to the bit.
    pub fn state(&self) -> OptimiserState {
        match &self.state {
            Some(AdamState { momentum }) => OptimiserState {
                updates: momentum.time as u64,
                first: floats(&momentum.moment_1.to_data()).to_vec(),
                second: floats(&momentum.moment_2.to_data()).to_vec(),
            },
            None => OptimiserState {
                updates: 0,
                first: vec![0.0; self.sizes.parameters()],
                second: vec![0.0; self.sizes.parameters()],
            },
        }
    }

    fn with_first_layer(weights: &Weights, adam: AdamSettings, device: Device, first_layer: FirstLayer) -> Self {
        let device = device.without_autodiff();
        let Weights { shape, w1, b1, w2, b2, w3, b3 } = weights;
        let parameters = [w1.as_slice(), b1, w2, b2, w3, b3].concat();
        Self {
            sizes: Sizes { inputs: w1.len() / shape.hidden, shape: *shape },
            parameters: Tensor::from_data(parameters.as_slice(), &device),
            state: None,
            adam: AdamConfig::new().with_beta_1(adam.beta1).with_beta_2(adam.beta2).with_epsilon(adam.epsilon).build(),
            device,
            first_layer,
        }
    }
}

/// How the hidden units and their weight gradient are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FirstLayer {
    /// By hand on plain arrays: only active inputs cost anything.
    Sparse,
    /// As a matrix product in burn's graph.
    Dense,
}

impl FirstLayer {
    fn best_for(device: &Device) -> Self {
        if *device == Device::flex() { Self::Sparse } else { Self::Dense }
    }
}

impl Learner {
    /// Loss of the batch and its gradient by all parameters, the first layer by hand.
    fn sparse_gradient(&mut self, batch: &Batch) -> (f32, Tensor<1>) {
        // As the only owner, the tensor gives its storage away without a copy.
        let empty = Tensor::from_data([0.0; 0], &self.device);
        let parameters = std::mem::replace(&mut self.parameters, empty).into_data();
        let hidden = self.hidden_units(floats(&parameters), batch);
        let layers = self.upper_layers(floats(&parameters));
        self.parameters = Tensor::from_data(parameters, &self.device);

        let hidden = leaf(hidden);
        let layers: Vec<Tensor<2>> = layers.into_iter().map(leaf).collect();
        let loss = self.loss(hidden.clone(), &layers, batch);
        let mut gradients = loss.backward();

        let mut by_hidden = gradient(&hidden, &mut gradients).into_data();
        let hidden = hidden.inner().into_data();
        let mut all = vec![0.0; self.sizes.parameters()];
        let (first, mut upper) = all.split_at_mut(self.sizes.first_layer());
        let (units, by_units) = (floats(&hidden), floats_mut(&mut by_hidden));
        sparse::backward(units, by_units, self.sizes.shape, batch, first);
        for layer in &layers {
            let by_layer = gradient(layer, &mut gradients).into_data();
            let (own, rest) = upper.split_at_mut(layer.shape().num_elements());
            own.copy_from_slice(floats(&by_layer));
            upper = rest;
        }
        (loss.into_scalar(), self.flat(all))
    }

    /// The same, all within burn's graph.
    fn dense_gradient(&self, batch: &Batch) -> (f32, Tensor<1>) {
        let leaf = self.parameters.clone().autodiff().require_grad();
        let Sizes { inputs, shape } = self.sizes;
        let mut start = 0;
        let mut take = |[rows, columns]: [usize; 2]| {
            let range = start..start + rows * columns;
            start = range.end;
            leaf.clone().slice([range]).reshape([rows, columns])
        };
        let first = take([inputs + 1, shape.hidden]);
        let layers: Vec<Tensor<2>> = self.sizes.upper_layers().into_iter().map(take).collect();
        let positive = activation::relu(self.dense_inputs(batch).autodiff().matmul(first));
        let hidden = match shape.activation {
            Activation::Rectified => positive,
            Activation::Squared => positive.clone() * positive,
        };
        let loss = self.loss(hidden, &layers, batch);
        let mut gradients = loss.backward();
        (loss.into_scalar(), gradient(&leaf, &mut gradients))
    }

    /// Mean cross-entropy of the batch (one element) from the hidden units, B x H.
    fn loss(&self, hidden: Tensor<2>, layers: &[Tensor<2>], batch: &Batch) -> Tensor<1> {
        let scale = -1.0 / batch.len() as f32;
        let targets = batch.targets().as_flattened().iter().map(|t| t * scale);
        let targets = self.matrix(targets.collect(), OUTCOMES).autodiff();
        let logits = logits(hidden, layers, self.mask(batch).autodiff());
        (activation::log_softmax(logits, 1) * targets).sum()
    }

    /// The hidden units after the activation, B x H.
    fn hidden_units(&self, parameters: &[f32], batch: &Batch) -> Tensor<2> {
        let Shape { hidden, activation, .. } = self.sizes.shape;
        let [w1, b1, ..] = self.sizes.split(parameters);
        let mut units = vec![0.0; batch.len() * hidden];
        sparse::forward(w1, b1, activation, batch, &mut units);
        self.matrix(units, hidden)
    }

    /// Weights and biases of all layers but the first, in turn, in the shapes of [`Sizes::upper_layers`].
    fn upper_layers(&self, parameters: &[f32]) -> Vec<Tensor<2>> {
        let mut rest = &parameters[self.sizes.first_layer()..];
        let mut take = |[rows, columns]: [usize; 2]| {
            let (own, others) = rest.split_at(rows * columns);
            rest = others;
            self.matrix(own.to_vec(), columns)
        };
        self.sizes.upper_layers().into_iter().map(&mut take).collect()
    }

    /// The inputs as B x (F + 1): a constant 1 stands at the end, for the bias.
    fn dense_inputs(&self, batch: &Batch) -> Tensor<2> {
        let width = self.sizes.inputs + 1;
        let mut inputs = vec![0.0; batch.len() * width];
        for (sample, row) in inputs.chunks_exact_mut(width).enumerate() {
            let (indices, values) = batch.active(sample);
            for (&index, &value) in indices.iter().zip(values) {
                row[usize::from(index)] += value;
            }
            row[width - 1] = 1.0;
        }
        self.matrix(inputs, width)
    }

    /// What to add to the logits, B x 5.
    fn mask(&self, batch: &Batch) -> Tensor<2> {
        let mask = batch
            .possible()
            .iter()
            .flat_map(|possible| (0..OUTCOMES).map(move |o| if possible >> o & 1 == 1 { 0.0 } else { IMPOSSIBLE }));
        self.matrix(mask.collect(), OUTCOMES)
    }

    fn matrix(&self, values: Vec<f32>, width: usize) -> Tensor<2> {
        let rows = values.len() / width;
        Tensor::from_data(TensorData::new(values, [rows, width]), &self.device)
    }

    fn flat(&self, values: Vec<f32>) -> Tensor<1> {
        let length = values.len();
        Tensor::from_data(TensorData::new(values, [length]), &self.device)
    }
}

/// Masked logits, B x 5, from the units of the first layer and the layers above it.
fn logits(hidden: Tensor<2>, layers: &[Tensor<2>], mask: Tensor<2>) -> Tensor<2> {
    let (layers, _) = layers.as_chunks();
    let logits = layers.iter().enumerate().fold(hidden, |units, (i, [weights, biases])| {
        let units = if i > 0 { activation::relu(units) } else { units };
        units.matmul(weights.clone().transpose()) + biases.clone()
    });
    logits + mask
}

fn leaf(tensor: Tensor<2>) -> Tensor<2> {
    tensor.autodiff().require_grad()
}

fn gradient<const D: usize>(leaf: &Tensor<D>, gradients: &mut Gradients) -> Tensor<D> {
    leaf.grad_remove(gradients).unwrap_or_else(|| unreachable!("every leaf takes part in the loss"))
}

fn floats(data: &TensorData) -> &[f32] {
    data.as_slice().unwrap_or_else(|error| unreachable!("all tensors here hold f32 values: {error:?}"))
}

fn floats_mut(data: &mut TensorData) -> &mut [f32] {
    data.as_mut_slice().unwrap_or_else(|error| unreachable!("all tensors here hold f32 values: {error:?}"))
}

/// Numbers of inputs and hidden units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sizes {
    inputs: usize,
    shape: Shape,
}

impl Sizes {
    /// Parameters of w1 and b1.
    fn first_layer(self) -> usize {
        (self.inputs + 1) * self.shape.hidden
    }

    /// Rows and columns of the weights and of the biases of each layer but the first: a row of weights for each unit.
    fn upper_layers(self) -> Vec<[usize; 2]> {
        let Shape { hidden, second, .. } = self.shape;
        let layers = if second > 0 { vec![[second, hidden], [OUTCOMES, second]] } else { vec![[OUTCOMES, hidden]] };
        layers.into_iter().flat_map(|[units, below]| [[units, below], [1, units]]).collect()
    }

    fn parameters(self) -> usize {
        self.first_layer() + self.upper_layers().iter().map(|[rows, columns]| rows * columns).sum::<usize>()
    }

    /// w1, b1, w2, b2, w3 and b3.
    fn split(self, parameters: &[f32]) -> [&[f32]; 6] {
        let Shape { hidden, second, .. } = self.shape;
        let lengths = [self.inputs * hidden, hidden, second * hidden, second, OUTCOMES * self.shape.last(), OUTCOMES];
        let mut rest = parameters;
        lengths.map(|length| {
            let (own, others) = rest.split_at(length);
            rest = others;
            own
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::tests::Random;
    use crate::targets::{Sample, samples};
    use mahbusa_net::Evaluator;
    use mahbusa_net::encoding::Inputs;
    use mahbusa_rules::Rules;
    use mahbusa_selfplay::{GameSource, SelfPlay};

    const ADAM: AdamSettings = AdamSettings { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };
    const INPUTS: usize = 37;

    fn weights(random: &mut Random, shape: Shape) -> Weights {
        let mut draw = |n: usize| (0..n).map(|_| random.next() - 0.5).collect();
        let Shape { hidden, second, .. } = shape;
        Weights {
            shape,
            w1: draw(INPUTS * hidden),
            b1: draw(hidden),
            w2: draw(second * hidden),
            b2: draw(second),
            w3: draw(OUTCOMES * shape.last()),
            b3: draw(OUTCOMES),
        }
    }

    /// Shapes of all kinds.
    fn shapes() -> [Shape; 4] {
        let rectified = Shape { activation: Activation::Rectified, ..Shape::of(80) };
        [Shape::of(16), rectified, Shape { second: 32, ..Shape::of(128) }, Shape { second: 16, ..rectified }]
    }

    fn bits(weights: &Weights) -> Vec<u32> {
        let Weights { shape: _, w1, b1, w2, b2, w3, b3 } = weights;
        let all = [w1.as_slice(), b1, w2, b2, w3, b3].concat();
        all.into_iter().map(f32::to_bits).collect()
    }

    fn train(learner: &mut Learner, batches: &[Batch]) {
        for batch in batches {
            learner.update(batch, 1e-2);
        }
    }

    fn plain_forward(weights: &Weights, batch: &Batch, sample: usize) -> [f64; OUTCOMES] {
        let Shape { hidden, activation, second } = weights.shape;
        let mut sums: Vec<f64> = weights.b1.iter().map(|&b| b.into()).collect();
        let (indices, values) = batch.active(sample);
        for (&index, &value) in indices.iter().zip(values) {
            for (h, sum) in sums.iter_mut().enumerate() {
                *sum += f64::from(value) * f64::from(weights.w1[index as usize * hidden + h]);
            }
        }
        let mut units: Vec<f64> = sums.iter().map(|&sum| f64::from(activation.of(sum as f32))).collect();
        let layer = |weights: &[f32], biases: &[f32], units: &[f64]| -> Vec<f64> {
            let row = |row: &[f32]| row.iter().zip(units).map(|(&w, u)| f64::from(w) * u).sum::<f64>();
            weights.chunks(units.len()).zip(biases).map(|(weights, &bias)| row(weights) + f64::from(bias)).collect()
        };
        if second > 0 {
            units = layer(&weights.w2, &weights.b2, &units).iter().map(|sum| sum.max(0.0)).collect();
        }
        let logits = layer(&weights.w3, &weights.b3, &units);
        let highest = logits.iter().copied().fold(f64::MIN, f64::max);
        let odds: [f64; OUTCOMES] =
            std::array::from_fn(|o| f64::from(batch.possible()[sample] >> o & 1) * (logits[o] - highest).exp());
        let sum: f64 = odds.iter().sum();
        odds.map(|x| x / sum)
    }

    #[test]
    fn learns_a_toy_mapping() {
        let mut random = Random(1);
        let mut learner = Learner::new(&weights(&mut random, Shape::of(16)), ADAM, Device::flex());
        let batch = random.batch(64, INPUTS);
        let first = learner.update(&batch, 1e-2);
        for _ in 0..300 {
            learner.update(&batch, 1e-2);
        }
        let last = learner.update(&batch, 1e-2);
        let entropy = |t: &[f32; OUTCOMES]| -> f32 { t.iter().filter(|x| **x > 0.0).map(|x| -x * x.ln()).sum() };
        let floor = batch.targets().iter().map(entropy).sum::<f32>() / 64.0;
        assert!(first > floor + 0.1, "{first} starts near the floor {floor}");
        assert!(last < floor + 0.01, "{last} is far above the floor {floor}");
        let trained = learner.forward(&batch);
        for (found, target) in trained.iter().zip(batch.targets()) {
            let close = found.iter().zip(target).all(|(a, b)| (a - b).abs() < 0.1);
            assert!(close, "{found:?} instead of {target:?}");
        }
    }

    #[test]
    fn impossible_outcomes_have_probability_zero() {
        let mut random = Random(2);
        let mut weights = weights(&mut random, Shape::of(16));
        // Large logits, and more for the impossible.
        weights.b3 = vec![900.0, -800.0, 1000.0, -900.0, 800.0];
        let mut learner = Learner::new(&weights, ADAM, Device::flex());
        let mut batch = random.batch(31, INPUTS);
        for (sample, possible) in (1..32).enumerate() {
            batch.allow(sample, possible);
        }
        for _ in 0..20 {
            assert!(learner.update(&batch, 1e-2).is_finite());
            for (found, possible) in learner.forward(&batch).iter().zip(batch.possible()) {
                assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                for (o, &p) in found.iter().enumerate() {
                    assert!(p.is_finite());
                    assert!(possible >> o & 1 == 1 || p == 0.0, "{possible:b} {found:?}");
                }
            }
        }
    }

    #[test]
    fn forward_equals_a_plain_one() {
        for shape in shapes() {
            let mut random = Random(3);
            let weights = weights(&mut random, shape);
            let batch = random.batch(50, INPUTS);
            let found = Learner::new(&weights, ADAM, Device::flex()).forward(&batch);
            for (sample, found) in found.iter().enumerate() {
                let expected = plain_forward(&weights, &batch, sample);
                let close = |(&a, b): (&f32, f64)| (f64::from(a) - b).abs() <= 1e-5;
                let equal = found.iter().zip(expected).all(close);
                assert!(equal, "{found:?} instead of {expected:?}");
            }
        }
    }

    #[test]
    fn sparse_gradient_equals_that_of_burn() {
        for (shape, samples) in shapes().into_iter().zip([1, 50, 256, 50]) {
            let mut random = Random(4);
            let weights = weights(&mut random, shape);
            let batch = random.batch(samples, INPUTS);
            let of = |first_layer| {
                let device = Device::flex();
                let mut learner = Learner::with_first_layer(&weights, ADAM, device, first_layer);
                let (loss, gradient) = match first_layer {
                    FirstLayer::Sparse => learner.sparse_gradient(&batch),
                    FirstLayer::Dense => learner.dense_gradient(&batch),
                };
                (loss, floats(&gradient.into_data()).to_vec())
            };
            let (loss, gradient) = of(FirstLayer::Sparse);
            let (dense_loss, dense) = of(FirstLayer::Dense);
            assert!((loss - dense_loss).abs() <= 1e-5 * dense_loss);
            let largest = dense.iter().fold(0.0, |m: f32, x| m.max(x.abs()));
            for (a, b) in gradient.iter().zip(&dense) {
                assert!((a - b).abs() <= 1e-5 * b.abs().max(0.01 * largest), "{a} {b}");
            }
        }
    }

    #[test]
    fn equal_trainings_give_equal_bits() {
        for first_layer in [FirstLayer::Sparse, FirstLayer::Dense] {
            let mut random = Random(5);
            let weights = weights(&mut random, Shape::of(80));
            let batches: Vec<Batch> = (1..=20).map(|i| random.batch(3 * i, INPUTS)).collect();
            let run = || {
                let device = Device::flex();
                let mut learner = Learner::with_first_layer(&weights, ADAM, device, first_layer);
                train(&mut learner, &batches);
                (bits(&learner.weights()), learner.state())
            };
            assert!(run() == run());
        }
    }

    #[test]
    fn resumes_bit_for_bit() {
        let mut random = Random(6);
        let weights = weights(&mut random, Shape::of(80));
        let batches: Vec<Batch> = (1..=20).map(|i| random.batch(3 * i, INPUTS)).collect();
        let mut straight = Learner::new(&weights, ADAM, Device::flex());
        train(&mut straight, &batches);
        for stop in [0, 1, 10, 20] {
            let mut before = Learner::new(&weights, ADAM, Device::flex());
            train(&mut before, &batches[..stop]);
            let (saved, state) = (before.weights(), before.state());
            let mut after = Learner::restore(&saved, ADAM, Device::flex(), &state).unwrap();
            assert!(after.state() == state);
            train(&mut after, &batches[stop..]);
            assert!(bits(&after.weights()) == bits(&straight.weights()));
            assert!(after.state() == straight.state());
        }
    }

    #[test]
    fn the_state_of_another_net_is_refused() {
        let mut random = Random(7);
        let small = Learner::new(&weights(&mut random, Shape::of(16)), ADAM, Device::flex()).state();
        assert!(Learner::restore(&weights(&mut random, Shape::of(32)), ADAM, Device::flex(), &small).is_none());
    }

    #[test]
    fn what_a_net_does_not_see_stays_zero_to_the_bit() {
        let start = Weights::random(Shape::of(16), 5).seeing(Inputs::Raw);
        let source = SelfPlay { rules: Rules::MAHBUSA, seed: 3, endings: None };
        let samples: Vec<Sample> = source.games(&start, 0..4).iter().flat_map(|game| samples(game, 0.0)).collect();
        let learner_of = |inputs| {
            let mut learner = Learner::new(&start, ADAM, Device::flex());
            samples.chunks(32).for_each(|batch| {
                learner.update(&Batch::of(batch, inputs), 1e-2);
            });
            learner.weights()
        };
        let raw = learner_of(Inputs::Raw);
        assert!(raw.sees_only(Inputs::Raw) && raw != start);
        assert!(!learner_of(Inputs::All).sees_only(Inputs::Raw));
        // With rows of zeros the evaluator cannot see the inputs either, whatever they are.
        let evaluator = Evaluator::new(&raw);
        let blind = Learner::new(&raw, ADAM, Device::flex()).forward(&Batch::of(&samples, Inputs::Raw));
        for (sample, blind) in samples.iter().zip(blind) {
            let ours = evaluator.evaluate(&sample.board);
            assert!(ours.probabilities().iter().zip(blind).all(|(a, b)| (a - b).abs() < 1e-5), "{ours:?} {blind:?}");
        }
    }

    #[test]
    fn burn_and_the_evaluator_agree() {
        let mut weights = Weights::random(Shape { second: 32, ..Shape::of(128) }, 5);
        weights.w3.iter_mut().for_each(|weight| *weight *= 2.0);
        let source = SelfPlay { rules: Rules::MAHBUSA, seed: 3, endings: None };
        let games = source.games(&weights, 0..10);
        let samples: Vec<Sample> = games.iter().flat_map(|game| samples(game, 0.7)).collect();
        let by_burn = Learner::new(&weights, ADAM, Device::flex()).forward(&Batch::of(&samples, Inputs::All));
        let evaluator = Evaluator::new(&weights);
        assert!(samples.len() > 500);
        for (sample, by_burn) in samples.iter().zip(by_burn) {
            let ours = evaluator.evaluate(&sample.board);
            for (a, b) in ours.probabilities().iter().zip(by_burn) {
                assert!((a - b).abs() < 1e-5, "{ours:?} {by_burn:?}");
            }
        }
    }
}
