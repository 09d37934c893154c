//! The weights of a net, laid out for the kernel.

use mahbusa_rules::{POINTS, PointView};

use crate::encoding::{self, Active, Owner};
use crate::experts::EXPERTS;
use crate::{Activation, OUTCOMES, Shape, Weights};

/// What can stand on a point: -15..=15 free checkers, with or without a trapped one.
const STATES: usize = 62;
/// 0..=15 checkers borne off.
const OFF_STATES: usize = 16;

const OFF_ROW: usize = POINTS * STATES;
const EXPERT_ROW: usize = OFF_ROW + 2 * OFF_STATES;
const BIAS_ROW: usize = EXPERT_ROW + EXPERTS;
const ROWS: usize = BIAS_ROW + 1;

/// The number of a point's row, given what stands there for the side to roll. All empty points share one row of zeros.
#[inline(always)]
pub(crate) fn point_row(index: usize, free: i8, trapped: bool) -> u32 {
    let index = if free == 0 { 0 } else { index };
    (index * STATES) as u32 + ((free + 15) as u32) * 2 + u32::from(trapped)
}

/// The number of the row of the checkers that a side has borne off.
#[inline(always)]
pub(crate) fn off_row(owner: Owner, count: u8) -> u32 {
    (OFF_ROW + OFF_STATES * owner as usize) as u32 + u32::from(count)
}

/// A net with the rows of its first layer summed in advance for everything that can stand on a point.
pub(crate) struct Tables {
    pub activation: Activation,
    first: Matrix,
    /// The second hidden layer, if there is one.
    pub second: Option<Second>,
    output: Matrix,
    pub b3: [f32; OUTCOMES],
}

/// A second hidden layer.
pub(crate) struct Second {
    /// For each unit of the first layer its weights to all units of the second.
    weights: Matrix,
    biases: Matrix,
}

impl Tables {
    pub fn new(weights: &Weights) -> Tables {
        let Shape { hidden, activation, second } = weights.shape;
        let last = weights.shape.last();
        Tables {
            activation,
            first: first_layer(weights),
            second: (second > 0).then(|| Second {
                weights: Matrix::of(hidden, second, |unit, to| weights.w2[to * hidden + unit]),
                biases: Matrix::of(1, second, |_, to| weights.b2[to]),
            }),
            output: Matrix::of(OUTCOMES, last, |outcome, unit| weights.w3[outcome * last + unit]),
            b3: std::array::from_fn(|outcome| weights.b3[outcome]),
        }
    }

    /// Units of the first hidden layer.
    #[inline(always)]
    pub fn hidden(&self) -> usize {
        self.first.width
    }

    /// The weights of something that stands on the board to the first layer.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f32] {
        self.first.row(row)
    }

    #[inline(always)]
    pub fn expert_row(&self, expert: usize) -> &[f32] {
        self.first.row(EXPERT_ROW + expert)
    }

    #[inline(always)]
    pub fn bias(&self) -> &[f32] {
        self.first.row(BIAS_ROW)
    }

    /// The weights of the last hidden layer to an outcome.
    #[inline(always)]
    pub fn output_row(&self, outcome: usize) -> &[f32] {
        self.output.row(outcome)
    }
}

impl Second {
    /// Its units.
    #[inline(always)]
    pub fn units(&self) -> usize {
        self.weights.width
    }

    /// The weights of a unit of the first layer.
    #[inline(always)]
    pub fn row(&self, unit: usize) -> &[f32] {
        self.weights.row(unit)
    }

    #[inline(always)]
    pub fn biases(&self) -> &[f32] {
        self.biases.row(0)
    }
}

fn first_layer(weights: &Weights) -> Matrix {
    let hidden = weights.shape.hidden;
    let mut rows = Matrix::zeros(ROWS, hidden);
    let input = |index: usize| &weights.w1[index * hidden..][..hidden];
    for point in 0..POINTS {
        for free in (-15..=15).filter(|&free| free != 0) {
            for trapped in [false, true] {
                let view = PointView { free, mine_trapped: trapped && free < 0, theirs_trapped: trapped && free > 0 };
                let row = rows.row_mut(point_row(point, free, trapped) as usize);
                for Active { index, value } in encoding::point(point, view) {
                    add(row, value, input(usize::from(index)));
                }
            }
        }
    }
    for owner in [Owner::Mine, Owner::Theirs] {
        for count in 0..OFF_STATES as u8 {
            let row = rows.row_mut(off_row(owner, count) as usize);
            for Active { index, value } in encoding::off(owner, count) {
                add(row, value, input(usize::from(index)));
            }
        }
    }
    for expert in 0..EXPERTS {
        rows.row_mut(EXPERT_ROW + expert).copy_from_slice(input(encoding::expert(expert)));
    }
    rows.row_mut(BIAS_ROW).copy_from_slice(&weights.b1);
    rows
}

fn add(row: &mut [f32], value: f32, weights: &[f32]) {
    row.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
}

/// Rows of numbers, each of which starts at a cache line.
struct Matrix {
    numbers: Vec<f32>,
    offset: usize,
    width: usize,
}

impl Matrix {
    fn zeros(rows: usize, width: usize) -> Matrix {
        const CACHE_LINE: usize = 64;
        const SLACK: usize = CACHE_LINE / size_of::<f32>();
        let numbers = vec![0.0; rows * width + SLACK];
        let offset = match numbers.as_ptr().align_offset(CACHE_LINE) {
            offset if offset < SLACK => offset,
            _ => 0,
        };
        Matrix { numbers, offset, width }
    }

    fn of(rows: usize, width: usize, number: impl Fn(usize, usize) -> f32) -> Matrix {
        let mut matrix = Matrix::zeros(rows, width);
        for row in 0..rows {
            matrix.row_mut(row).iter_mut().enumerate().for_each(|(column, to)| *to = number(row, column));
        }
        matrix
    }

    #[inline(always)]
    fn row(&self, row: usize) -> &[f32] {
        &self.numbers[self.offset + row * self.width..][..self.width]
    }

    fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.numbers[self.offset + row * self.width..][..self.width]
    }
}
