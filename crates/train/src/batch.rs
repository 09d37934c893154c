use mahbusa_net::encoding::{Active, Inputs, encode_all};
use mahbusa_net::{OUTCOMES, possible};
use mahbusa_rules::Board;

use crate::targets::Sample;

/// Training samples with sparse inputs, row by row (CSR).
///
/// The active inputs of sample `i` are `offsets[i]..offsets[i + 1]` of `indices` and `values`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Where each sample starts, and the end: samples + 1 entries, from 0 upwards.
    offsets: Vec<u32>,
    /// Numbers of the active inputs.
    indices: Vec<u16>,
    /// Values of the active inputs, parallel to `indices`.
    values: Vec<f32>,
    /// Target distribution of each sample: sums to 1, and is 0 where an outcome is impossible.
    targets: Vec<[f32; OUTCOMES]>,
    /// Possible outcomes of each sample, a bit each.
    possible: Vec<u8>,
}

impl Batch {
    /// Encodes samples, leaving out the inputs that are not seen: nothing is learnt about them.
    pub fn of(samples: &[Sample], inputs: Inputs) -> Batch {
        let mut batch = Batch { offsets: vec![0], ..Batch::default() };
        let boards: Vec<Board> = samples.iter().map(|sample| sample.board).collect();
        encode_all(&boards, |index, active| {
            // In ascending order, so those that are seen come first.
            let seen = active.partition_point(|active| usize::from(active.index) < inputs.seen().end);
            batch.push(&active[..seen], *samples[index].target.probabilities(), possible(&boards[index]));
        });
        batch
    }

    /// Adds a sample.
    fn push(&mut self, active: &[Active], target: [f32; OUTCOMES], possible: u8) {
        self.indices.extend(active.iter().map(|active| active.index));
        self.values.extend(active.iter().map(|active| active.value));
        self.offsets.push(self.indices.len() as u32);
        self.targets.push(target);
        self.possible.push(possible);
    }

    /// Samples in the batch.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Numbers and values of the active inputs of one sample.
    pub(crate) fn active(&self, sample: usize) -> (&[u16], &[f32]) {
        let range = self.offsets[sample] as usize..self.offsets[sample + 1] as usize;
        (&self.indices[range.clone()], &self.values[range])
    }

    pub(crate) fn targets(&self) -> &[[f32; OUTCOMES]] {
        &self.targets
    }

    pub(crate) fn possible(&self) -> &[u8] {
        &self.possible
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Numbers in 0..1 from a 64-bit linear congruential generator.
    pub(crate) struct Random(pub u64);

    impl Random {
        pub(crate) fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (self.0 >> 40) as f32 / (1 << 24) as f32
        }

        /// Samples of 0 to 6 active inputs, the first one real-valued; input 3 decides the likeliest outcome.
        pub(crate) fn batch(&mut self, samples: usize, inputs: usize) -> Batch {
            let mut batch = Batch { offsets: vec![0], ..Batch::default() };
            for sample in 0..samples {
                let active: Vec<Active> = (0..sample % 7)
                    .map(|i| Active {
                        index: (self.next() * inputs as f32) as u16,
                        value: if i == 0 { self.next() - 0.5 } else { 1.0 },
                    })
                    .collect();
                if active.iter().any(|active| active.index == 3) {
                    batch.push(&active, [0.0, 0.9, 0.0, 0.1, 0.0], 0b01010);
                } else {
                    batch.push(&active, [0.5, 0.2, 0.1, 0.1, 0.1], 0b11111);
                }
            }
            batch
        }
    }

    impl Batch {
        /// Replaces what is possible, with equal targets for all of it.
        pub(crate) fn allow(&mut self, sample: usize, possible: u8) {
            self.possible[sample] = possible;
            self.targets[sample] = std::array::from_fn(|o| f32::from(possible >> o & 1) / possible.count_ones() as f32);
        }
    }
}
