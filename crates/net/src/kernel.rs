//! The arithmetic of the network for a small batch, in the widest vectors of the processor.

use pulp::{Simd, WithSimd};

use crate::experts::{EXPERTS, LANES};
use crate::tables::{Second, Tables};
use crate::{Activation, OUTCOMES};

/// Rows of the first layer that a board adds to, or takes from, a starting point.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    rows: [u32; Rows::MOST],
    count: usize,
}

impl Rows {
    /// 24 points and both sides' checkers borne off.
    const MOST: usize = 26;

    pub const NONE: Rows = Rows { rows: [0; Rows::MOST], count: 0 };

    #[inline(always)]
    pub fn push(&mut self, row: u32) {
        self.rows[self.count] = row;
        self.count += 1;
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = usize> {
        self.rows[..self.count].iter().map(|&row| row as usize)
    }
}

/// What is to be computed for up to [`LANES`] boards.
pub(crate) struct Batch {
    /// Boards in the batch.
    pub count: usize,
    pub add: [Rows; LANES],
    pub take: [Rows; LANES],
    pub experts: [[f32; LANES]; EXPERTS],
    /// 1 for an outcome that is possible, else 0.
    pub possible: [[f32; LANES]; OUTCOMES],
    /// Units of the first hidden layer of all boards, when there is a second one.
    units: Vec<f32>,
    /// The result: probabilities of the outcomes.
    pub probabilities: [[f32; LANES]; OUTCOMES],
}

impl Batch {
    pub fn new() -> Batch {
        Batch {
            count: 0,
            add: [Rows::NONE; LANES],
            take: [Rows::NONE; LANES],
            experts: [[0.0; LANES]; EXPERTS],
            possible: [[1.0; LANES]; OUTCOMES],
            units: Vec::new(),
            probabilities: [[0.0; LANES]; OUTCOMES],
        }
    }
}

/// Runs a function with the vector instructions that the processor has switched on for everything inlined into it.
pub(crate) trait Vectorised {
    fn run<S: Simd>(self, simd: S);
}

pub(crate) struct Dispatched<T>(pub T);

impl<T: Vectorised> WithSimd for Dispatched<T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.run(simd);
    }
}

/// The sum of the rows of one board and a starting point, into `units`.
#[inline(always)]
pub(crate) fn accumulate<S: Simd>(simd: S, tables: &Tables, start: &[f32], rows: &Rows, units: &mut [f32]) {
    units.copy_from_slice(start);
    for row in rows.iter() {
        let (weights, _) = S::as_simd_f32s(tables.row(row));
        let (sums, _) = S::as_mut_simd_f32s(units);
        for (sum, &weight) in sums.iter_mut().zip(weights) {
            *sum = simd.add_f32s(*sum, weight);
        }
    }
}

/// The probabilities of the batch. `start` holds the units that every board of the batch starts from, without experts.
#[inline(always)]
pub(crate) fn forward<S: Simd>(simd: S, tables: &Tables, start: &[f32], batch: &mut Batch) {
    let mut logits = tables.b3.map(|bias| [bias; LANES]);
    match &tables.second {
        None => one_layer(simd, tables, start, batch, &mut logits),
        Some(second) => two_layers(simd, tables, second, start, batch, &mut logits),
    }
    softmax(&logits, &batch.possible, &mut batch.probabilities);
}

type Logits = [[f32; LANES]; OUTCOMES];

/// Adds what the hidden units of all boards are worth to the logits.
#[inline(always)]
fn one_layer<S: Simd>(simd: S, tables: &Tables, start: &[f32], batch: &Batch, logits: &mut Logits) {
    // Two boards share each weight that is loaded; their units and sums fit the 32 registers of AVX-512, or the 16 of others.
    for lane in (0..batch.count).step_by(2) {
        if S::F32_LANES == 16 {
            together::<S, 2, 8>(simd, tables, start, batch, lane, logits);
        } else {
            together::<S, 2, 4>(simd, tables, start, batch, lane, logits);
        }
    }
}

/// The same for `BOARDS` boards from `first` on, `WIDTH` vectors of hidden units at a time.
#[inline(always)]
fn together<S: Simd, const BOARDS: usize, const WIDTH: usize>(
    simd: S,
    tables: &Tables,
    start: &[f32],
    batch: &Batch,
    first: usize,
    logits: &mut Logits,
) {
    let mut sums = [[simd.splat_f32s(0.0); OUTCOMES]; BOARDS];
    let vectors = tables.hidden() / S::F32_LANES;
    let mut at = 0;
    while at + WIDTH <= vectors {
        let units = units::<S, BOARDS, WIDTH>(simd, tables, start, batch, first, at);
        weigh(simd, tables, &units, at, &mut sums);
        at += WIDTH;
    }
    while at < vectors {
        let units = units::<S, BOARDS, 1>(simd, tables, start, batch, first, at);
        weigh(simd, tables, &units, at, &mut sums);
        at += 1;
    }
    add_up(simd, &sums, first, logits);
}

/// Hidden units of `BOARDS` boards from `first` on, `WIDTH` vectors of them from `at` on.
#[inline(always)]
fn units<S: Simd, const BOARDS: usize, const WIDTH: usize>(
    simd: S,
    tables: &Tables,
    start: &[f32],
    batch: &Batch,
    first: usize,
    at: usize,
) -> [[S::f32s; WIDTH]; BOARDS] {
    let zero = simd.splat_f32s(0.0);
    let mut units = [[zero; WIDTH]; BOARDS];
    for board in 0..BOARDS {
        // A local array stays in registers.
        let mut own = part::<S, WIDTH>(start, at, zero);
        for row in batch.add[first + board].iter() {
            let weights = part::<S, WIDTH>(tables.row(row), at, zero);
            for i in 0..WIDTH {
                own[i] = simd.add_f32s(own[i], weights[i]);
            }
        }
        for row in batch.take[first + board].iter() {
            let weights = part::<S, WIDTH>(tables.row(row), at, zero);
            for i in 0..WIDTH {
                own[i] = simd.sub_f32s(own[i], weights[i]);
            }
        }
        units[board] = own;
    }
    for (expert, values) in batch.experts.iter().enumerate() {
        let weights = part::<S, WIDTH>(tables.expert_row(expert), at, zero);
        for (board, units) in units.iter_mut().enumerate() {
            let value = simd.splat_f32s(values[first + board]);
            for i in 0..WIDTH {
                units[i] = simd.mul_add_e_f32s(value, weights[i], units[i]);
            }
        }
    }
    for units in &mut units {
        for unit in units {
            let positive = simd.max_f32s(*unit, zero);
            *unit = match tables.activation {
                Activation::Rectified => positive,
                Activation::Squared => simd.mul_f32s(positive, positive),
            };
        }
    }
    units
}

/// Adds what units of the last hidden layer are worth to the sums for each outcome.
#[inline(always)]
fn weigh<S: Simd, const BOARDS: usize, const WIDTH: usize>(
    simd: S,
    tables: &Tables,
    units: &[[S::f32s; WIDTH]; BOARDS],
    at: usize,
    sums: &mut [[S::f32s; OUTCOMES]; BOARDS],
) {
    for outcome in 0..OUTCOMES {
        let weights = part::<S, WIDTH>(tables.output_row(outcome), at, simd.splat_f32s(0.0));
        for board in 0..BOARDS {
            for i in 0..WIDTH {
                sums[board][outcome] = simd.mul_add_e_f32s(units[board][i], weights[i], sums[board][outcome]);
            }
        }
    }
}

#[inline(always)]
fn add_up<S: Simd, const BOARDS: usize>(
    simd: S,
    sums: &[[S::f32s; OUTCOMES]; BOARDS],
    first: usize,
    logits: &mut Logits,
) {
    for (board, sums) in sums.iter().enumerate() {
        for (logits, &sum) in logits.iter_mut().zip(sums) {
            logits[first + board] += simd.reduce_sum_f32s(sum);
        }
    }
}

/// As [`one_layer`], through a second hidden layer.
#[inline(always)]
fn two_layers<S: Simd>(
    simd: S,
    tables: &Tables,
    second: &Second,
    start: &[f32],
    batch: &mut Batch,
    logits: &mut Logits,
) {
    let hidden = tables.hidden();
    let mut kept = std::mem::take(&mut batch.units);
    kept.resize(LANES * hidden, 0.0);
    for lane in (0..batch.count).step_by(2) {
        if S::F32_LANES == 16 {
            keep::<S, 2, 8>(simd, tables, start, batch, lane, &mut kept);
        } else {
            keep::<S, 2, 4>(simd, tables, start, batch, lane, &mut kept);
        }
    }
    let vectors = second.units() / S::F32_LANES;
    let mut lane = 0;
    while lane < batch.count {
        // Boards share the weights that are loaded, as many as the registers hold the sums of.
        lane += match batch.count - lane {
            5.. if S::F32_LANES == 16 => through::<S, 8>(simd, tables, second, vectors, lane, &kept, logits),
            3.. => through::<S, 4>(simd, tables, second, vectors, lane, &kept, logits),
            _ => through::<S, 2>(simd, tables, second, vectors, lane, &kept, logits),
        };
    }
    batch.units = kept;
}

/// Keeps the hidden units of `BOARDS` boards from `first` on.
#[inline(always)]
fn keep<S: Simd, const BOARDS: usize, const WIDTH: usize>(
    simd: S,
    tables: &Tables,
    start: &[f32],
    batch: &Batch,
    first: usize,
    kept: &mut [f32],
) {
    let vectors = tables.hidden() / S::F32_LANES;
    let (kept, _) = S::as_mut_simd_f32s(kept);
    let mut at = 0;
    while at + WIDTH <= vectors {
        let units = units::<S, BOARDS, WIDTH>(simd, tables, start, batch, first, at);
        for (board, units) in units.iter().enumerate() {
            kept[(first + board) * vectors + at..][..WIDTH].copy_from_slice(units);
        }
        at += WIDTH;
    }
    while at < vectors {
        let units = units::<S, BOARDS, 1>(simd, tables, start, batch, first, at);
        for (board, units) in units.iter().enumerate() {
            kept[(first + board) * vectors + at] = units[0];
        }
        at += 1;
    }
}

/// Takes `BOARDS` boards from `first` on through the second layer, and says how many those are.
#[inline(always)]
fn through<S: Simd, const BOARDS: usize>(
    simd: S,
    tables: &Tables,
    second: &Second,
    vectors: usize,
    first: usize,
    kept: &[f32],
    logits: &mut Logits,
) -> usize {
    let mut sums = [[simd.splat_f32s(0.0); OUTCOMES]; BOARDS];
    let mut at = 0;
    while at + 2 <= vectors {
        let units = second_units::<S, BOARDS, 2>(simd, tables.hidden(), second, first, at, kept);
        weigh(simd, tables, &units, at, &mut sums);
        at += 2;
    }
    if at < vectors {
        let units = second_units::<S, BOARDS, 1>(simd, tables.hidden(), second, first, at, kept);
        weigh(simd, tables, &units, at, &mut sums);
    }
    add_up(simd, &sums, first, logits);
    BOARDS
}

/// Units of the second layer.
#[inline(always)]
fn second_units<S: Simd, const BOARDS: usize, const WIDTH: usize>(
    simd: S,
    hidden: usize,
    second: &Second,
    first: usize,
    at: usize,
    kept: &[f32],
) -> [[S::f32s; WIDTH]; BOARDS] {
    // Loops, not `map`: what is not inlined here would not be compiled for the vectors of the processor.
    let zero = simd.splat_f32s(0.0);
    let mut blocks: [&[[f32; BLOCK]]; BOARDS] = [&[]; BOARDS];
    for (board, blocks) in blocks.iter_mut().enumerate() {
        *blocks = kept[(first + board) * hidden..][..hidden].as_chunks().0;
    }
    let mut units = [part::<S, WIDTH>(second.biases(), at, zero); BOARDS];
    for block in 0..hidden / BLOCK {
        let mut some = positive(simd, &blocks, block);
        // A unit that is zero on all boards adds nothing, and most are.
        while some != 0 {
            let unit = some.trailing_zeros() as usize;
            some &= some - 1;
            let weights = part::<S, WIDTH>(second.row(block * BLOCK + unit), at, zero);
            for board in 0..BOARDS {
                let value = simd.splat_f32s(blocks[board][block][unit % BLOCK]);
                for i in 0..WIDTH {
                    units[board][i] = simd.mul_add_e_f32s(value, weights[i], units[board][i]);
                }
            }
        }
    }
    for units in &mut units {
        for unit in units {
            *unit = simd.max_f32s(*unit, zero);
        }
    }
    units
}

/// Hidden units come in multiples of this.
const BLOCK: usize = 16;

/// A bit for each unit of a block that is positive on some board.
#[inline(always)]
fn positive<S: Simd, const BOARDS: usize>(simd: S, blocks: &[&[[f32; BLOCK]]; BOARDS], block: usize) -> u32 {
    let zero = simd.splat_f32s(0.0);
    let mut all = 0;
    for vector in 0..BLOCK / S::F32_LANES {
        let mut most = zero;
        for blocks in blocks {
            let (vectors, _) = S::as_simd_f32s(&blocks[block]);
            most = simd.max_f32s(most, vectors[vector]);
        }
        all |= bits::<S>(simd.greater_than_f32s(most, zero)) << (vector * S::F32_LANES);
    }
    all
}

/// A bit for each lane of a mask.
#[inline(always)]
fn bits<S: Simd>(mask: S::m32s) -> u32 {
    let bytes = pulp::bytemuck::bytes_of(&mask);
    if let &[low, high] = bytes {
        // AVX-512 has a bit for each of 16 lanes.
        return u32::from(u16::from_ne_bytes([low, high]));
    }
    let lanes = bytes.chunks_exact(bytes.len() / S::F32_LANES);
    lanes.enumerate().fold(0, |bits, (lane, bytes)| bits | u32::from(bytes[0] & 1) << lane)
}

/// `WIDTH` vectors of a row.
#[inline(always)]
fn part<S: Simd, const WIDTH: usize>(row: &[f32], at: usize, zero: S::f32s) -> [S::f32s; WIDTH] {
    let (vectors, _) = S::as_simd_f32s(row);
    let mut part = [zero; WIDTH];
    part.copy_from_slice(&vectors[at..at + WIDTH]);
    part
}

/// Softmax over the possible outcomes of every lane.
#[inline(always)]
fn softmax(
    logits: &[[f32; LANES]; OUTCOMES],
    possible: &[[f32; LANES]; OUTCOMES],
    probabilities: &mut [[f32; LANES]; OUTCOMES],
) {
    let mut highest = [f32::MIN; LANES];
    for outcome in 0..OUTCOMES {
        for lane in 0..LANES {
            let logit = if possible[outcome][lane] > 0.0 { logits[outcome][lane] } else { f32::MIN };
            highest[lane] = if logit > highest[lane] { logit } else { highest[lane] };
        }
    }
    let mut total = [0.0; LANES];
    for outcome in 0..OUTCOMES {
        for lane in 0..LANES {
            let e = exp(logits[outcome][lane] - highest[lane]) * possible[outcome][lane];
            probabilities[outcome][lane] = e;
            total[lane] += e;
        }
    }
    for outcome in probabilities {
        for lane in 0..LANES {
            outcome[lane] /= total[lane];
        }
    }
}

/// e^x to within 3e-7 relative, for x clamped to -87..=0: 2^n times a polynomial for the fraction.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    let x = if x > -87.0 { x } else { -87.0 };
    let x = if x < 0.0 { x } else { 0.0 };
    let y = x * std::f32::consts::LOG2_E;
    let rounded = y + ROUND;
    let r = (x - (rounded - ROUND) * 0.693_145_75) - (rounded - ROUND) * 1.428_606_8e-6;
    let mut p = 1.0 / 720.0;
    for c in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + c;
    }
    f32::from_bits(p.to_bits().wrapping_add(rounded.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_exact_to_seven_digits() {
        for i in 0..870_000 {
            let x = -(i as f32) / 10_000.0;
            let (ours, exact) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((ours / exact - 1.0).abs() < 3e-7, "{x}: {ours} {exact}");
        }
    }
}
