//! The first layer by hand: only active inputs cost anything.

use mahbusa_net::{Activation, Shape};
use pulp::Arch;

use crate::batch::Batch;

/// Hidden units come in multiples of this.
const LANES: usize = 16;

/// Hidden units whose sums are kept in registers at once.
const WIDE: usize = 64;

/// Hidden units, B x H: bias plus value times row of each active input, then the activation.
pub(crate) fn forward(w1: &[f32], b1: &[f32], activation: Activation, batch: &Batch, units: &mut [f32]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (sample, units) in units.chunks_exact_mut(b1.len()).enumerate() {
                let active = batch.active(sample);
                let (wide, narrow) = units.as_chunks_mut::<WIDE>();
                let wide_end = wide.len() * WIDE;
                for (chunk, units) in wide.iter_mut().enumerate() {
                    forward_chunk(w1, b1, active, chunk * WIDE, units, activation);
                }
                for (chunk, units) in narrow.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                    forward_chunk(w1, b1, active, wide_end + chunk * LANES, units, activation);
                }
            }
        },
    );
}

/// Adds the gradient of w1 and b1 to `gradient`, from that by the hidden units (B x H), which it takes through the activation first.
pub(crate) fn backward(
    units: &[f32],
    by_units: &mut [f32],
    Shape { hidden, activation, .. }: Shape,
    batch: &Batch,
    gradient: &mut [f32],
) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (by_unit, &unit) in by_units.iter_mut().zip(units) {
                *by_unit *= activation.slope(unit);
            }
            let (w1, b1) = gradient.split_at_mut(gradient.len() - hidden);
            for (sample, by_sums) in by_units.chunks_exact(hidden).enumerate() {
                let active = batch.active(sample);
                let (wide, narrow) = by_sums.as_chunks::<WIDE>();
                let wide_end = wide.len() * WIDE;
                for (chunk, by_sums) in wide.iter().enumerate() {
                    backward_chunk(by_sums, active, chunk * WIDE, w1, b1);
                }
                for (chunk, by_sums) in narrow.as_chunks::<LANES>().0.iter().enumerate() {
                    backward_chunk(by_sums, active, wide_end + chunk * LANES, w1, b1);
                }
            }
        },
    );
}

/// N hidden units of one sample, from unit `start`.
#[inline(always)]
fn forward_chunk<const N: usize>(
    w1: &[f32],
    b1: &[f32],
    (indices, values): (&[u16], &[f32]),
    start: usize,
    units: &mut [f32; N],
    activation: Activation,
) {
    let mut sums = [0.0; N];
    sums.copy_from_slice(&b1[start..][..N]);
    for (&index, &value) in indices.iter().zip(values) {
        let row = &w1[usize::from(index) * b1.len() + start..][..N];
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += value * weight;
        }
    }
    *units = sums.map(|sum| activation.of(sum));
}

/// The share of N hidden units of one sample, from unit `start`.
#[inline(always)]
fn backward_chunk<const N: usize>(
    by_sums: &[f32; N],
    (indices, values): (&[u16], &[f32]),
    start: usize,
    w1: &mut [f32],
    b1: &mut [f32],
) {
    // A copy stays in registers: the stores below cannot change it.
    let by_sums = *by_sums;
    for (&index, &value) in indices.iter().zip(values) {
        let row = &mut w1[usize::from(index) * b1.len() + start..][..N];
        for (weight, by_sum) in row.iter_mut().zip(by_sums) {
            *weight += value * by_sum;
        }
    }
    for (bias, by_sum) in b1[start..][..N].iter_mut().zip(by_sums) {
        *bias += by_sum;
    }
}
