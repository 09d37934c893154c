//! The arithmetic of the network for a small batch, in the widest vectors of the processor.

use pulp::{Simd, WithSimd};

use crate::evaluator::Tables;
use crate::experts::{EXPERTS, LANES};
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
    let mut logits = [[0.0; LANES]; OUTCOMES];
    // Two boards share each weight that is loaded; their units and sums fit the 32 registers of AVX-512, or the 16 of others.
    for lane in (0..batch.count).step_by(2) {
        if S::F32_LANES == 16 {
            together::<S, 2, 8>(simd, tables, start, batch, lane, &mut logits);
        } else {
            together::<S, 2, 4>(simd, tables, start, batch, lane, &mut logits);
        }
    }
    softmax(&logits, &batch.possible, &mut batch.probabilities);
}

/// The logits of `BOARDS` boards from `first` on, `WIDTH` vectors of hidden units at a time.
#[inline(always)]
fn together<S: Simd, const BOARDS: usize, const WIDTH: usize>(
    simd: S,
    tables: &Tables,
    start: &[f32],
    batch: &Batch,
    first: usize,
    logits: &mut [[f32; LANES]; OUTCOMES],
) {
    let zero = simd.splat_f32s(0.0);
    let mut sums = [[zero; OUTCOMES]; BOARDS];
    let vectors = tables.hidden() / S::F32_LANES;
    let mut at = 0;
    while at + WIDTH <= vectors {
        block::<S, BOARDS, WIDTH>(simd, tables, start, batch, first, at, &mut sums);
        at += WIDTH;
    }
    while at < vectors {
        block::<S, BOARDS, 1>(simd, tables, start, batch, first, at, &mut sums);
        at += 1;
    }
    for (board, sums) in sums.iter().enumerate() {
        for outcome in 0..OUTCOMES {
            logits[outcome][first + board] = tables.b2[outcome] + simd.reduce_sum_f32s(sums[outcome]);
        }
    }
}

#[inline(always)]
fn block<S: Simd, const BOARDS: usize, const WIDTH: usize>(
    simd: S,
    tables: &Tables,
    start: &[f32],
    batch: &Batch,
    first: usize,
    at: usize,
    sums: &mut [[S::f32s; OUTCOMES]; BOARDS],
) {
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
    for outcome in 0..OUTCOMES {
        let weights = part::<S, WIDTH>(tables.output_row(outcome), at, zero);
        for board in 0..BOARDS {
            for i in 0..WIDTH {
                sums[board][outcome] = simd.mul_add_e_f32s(units[board][i], weights[i], sums[board][outcome]);
            }
        }
    }
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
