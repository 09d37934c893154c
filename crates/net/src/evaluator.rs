use mahbusa_rules::{Board, POINTS, PointView};
use pulp::{Arch, Simd};

use crate::encoding::{self, Active, Owner};
use crate::experts::{EXPERTS, LANES, Sight};
use crate::kernel::{Batch, Dispatched, Rows, Vectorised, accumulate, forward};
use crate::{Activation, OUTCOMES, Outcomes, Weights, possible};

/// A net ready to evaluate: the rows of the first layer are summed in advance for everything that can stand on a point.
pub struct Evaluator {
    tables: Tables,
    arch: Arch,
}

/// The results of a batch, a position's outcomes for the side to roll, and memory to be used again for the next one.
#[derive(Default)]
pub struct Evaluations {
    outcomes: Vec<Outcomes>,
    scratch: Box<Scratch>,
}

/// Memory of a batch that is not worth making anew for every turn.
struct Scratch {
    batch: Batch,
    sight: Sight,
    /// Hidden units that afterstates start from.
    start: Vec<f32>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { batch: Batch::new(), sight: Sight::new(), start: Vec::new() }
    }
}

impl Evaluations {
    /// The outcomes of all positions, in the order in which they were given.
    pub fn outcomes(&self) -> &[Outcomes] {
        &self.outcomes
    }
}

/// The name of the vector instructions in use, as it stands in the manifest of a run: sums are rounded in their order.
pub fn instruction_set() -> String {
    let arch = format!("{:?}", Arch::new());
    match arch.split(['(', ' ']).next() {
        Some("V4") => "avx512".to_owned(),
        Some("V3") => "avx2".to_owned(),
        other => other.unwrap_or_default().to_lowercase(),
    }
}

impl Evaluator {
    /// Builds the tables, in less than a millisecond for a small net.
    pub fn new(weights: &Weights) -> Evaluator {
        Evaluator { tables: Tables::new(weights), arch: Arch::new() }
    }

    /// The outcomes of one position for the side to roll, which sees the board.
    pub fn evaluate(&self, board: &Board) -> Outcomes {
        let mut evaluations = Evaluations::default();
        self.evaluate_all(std::slice::from_ref(board), &mut evaluations);
        evaluations.outcomes[0]
    }

    /// The outcomes of many positions, each for the side to roll, which sees the board.
    pub fn evaluate_all(&self, boards: &[Board], evaluations: &mut Evaluations) {
        evaluations.outcomes.clear();
        self.arch.dispatch(Dispatched(FromScratch { tables: &self.tables, boards, evaluations }));
    }

    /// The outcomes of afterstates, each for the side now to roll. All boards are seen by the side that has moved, and came out of
    /// `parent` by its plays: only what a play has changed is computed anew.
    pub fn evaluate_afterstates(&self, parent: &Board, afterstates: &[Board], evaluations: &mut Evaluations) {
        evaluations.outcomes.clear();
        self.arch.dispatch(Dispatched(Incremental { tables: &self.tables, parent, afterstates, evaluations }));
    }
}

/// What can stand on a point: -15..=15 free checkers, with or without a trapped one.
const STATES: usize = 62;
/// 0..=15 checkers borne off.
const OFF_STATES: usize = 16;
const OFF_ROW: usize = POINTS * STATES;

/// The number of a point's row, given what stands there for the side to roll. All empty points share one row of zeros.
#[inline(always)]
fn point_row(index: usize, free: i8, trapped: bool) -> u32 {
    let index = if free == 0 { 0 } else { index };
    (index * STATES) as u32 + ((free + 15) as u32) * 2 + u32::from(trapped)
}

#[inline(always)]
fn off_row(owner: Owner, count: u8) -> u32 {
    (OFF_ROW + OFF_STATES * owner as usize) as u32 + u32::from(count)
}

/// Sums of rows of the first layer, and the rest of the weights, laid out for the kernel.
pub(crate) struct Tables {
    hidden: usize,
    pub activation: Activation,
    /// All rows: points, off, experts, outputs and biases; aligned so that a row starts at a cache line.
    numbers: Vec<f32>,
    offset: usize,
    pub b2: [f32; OUTCOMES],
}

const EXPERT_ROW: usize = OFF_ROW + 2 * OFF_STATES;
const OUTPUT_ROW: usize = EXPERT_ROW + EXPERTS;
const BIAS_ROW: usize = OUTPUT_ROW + OUTCOMES;
const ROWS: usize = BIAS_ROW + 1;

impl Tables {
    fn new(weights: &Weights) -> Tables {
        const CACHE_LINE: usize = 64;
        let hidden = weights.hidden;
        let numbers = vec![0.0; ROWS * hidden + CACHE_LINE / size_of::<f32>()];
        let offset = match numbers.as_ptr().align_offset(CACHE_LINE) {
            offset if offset < CACHE_LINE / size_of::<f32>() => offset,
            _ => 0,
        };
        let b2 = std::array::from_fn(|i| weights.b2[i]);
        let mut tables = Tables { hidden, activation: weights.activation, numbers, offset, b2 };
        let input = |index: usize| &weights.w1[index * hidden..][..hidden];

        for point in 0..POINTS {
            for free in (-15..=15).filter(|&free| free != 0) {
                for trapped in [false, true] {
                    let view =
                        PointView { free, mine_trapped: trapped && free < 0, theirs_trapped: trapped && free > 0 };
                    let row = tables.row_mut(point_row(point, free, trapped) as usize);
                    for Active { index, value } in encoding::point(point, view) {
                        add(row, value, input(usize::from(index)));
                    }
                }
            }
        }
        for owner in [Owner::Mine, Owner::Theirs] {
            for count in 0..OFF_STATES as u8 {
                let row = tables.row_mut(off_row(owner, count) as usize);
                for Active { index, value } in encoding::off(owner, count) {
                    add(row, value, input(usize::from(index)));
                }
            }
        }
        for expert in 0..EXPERTS {
            tables.row_mut(EXPERT_ROW + expert).copy_from_slice(input(encoding::expert(expert)));
        }
        for outcome in 0..OUTCOMES {
            tables.row_mut(OUTPUT_ROW + outcome).copy_from_slice(&weights.w2[outcome * hidden..][..hidden]);
        }
        tables.row_mut(BIAS_ROW).copy_from_slice(&weights.b1);
        tables
    }

    fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.numbers[self.offset + row * self.hidden..][..self.hidden]
    }

    #[inline(always)]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.numbers[self.offset + row * self.hidden..][..self.hidden]
    }

    #[inline(always)]
    pub fn expert_row(&self, expert: usize) -> &[f32] {
        self.row(EXPERT_ROW + expert)
    }

    #[inline(always)]
    pub fn output_row(&self, outcome: usize) -> &[f32] {
        self.row(OUTPUT_ROW + outcome)
    }

    fn bias(&self) -> &[f32] {
        self.row(BIAS_ROW)
    }
}

fn add(row: &mut [f32], value: f32, weights: &[f32]) {
    row.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
}

struct FromScratch<'a> {
    tables: &'a Tables,
    boards: &'a [Board],
    evaluations: &'a mut Evaluations,
}

impl Vectorised for FromScratch<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Evaluations { outcomes, scratch } = self.evaluations;
        let Scratch { batch, sight, .. } = scratch.as_mut();
        for boards in self.boards.chunks(LANES) {
            batch.count = boards.len();
            for (lane, board) in boards.iter().enumerate() {
                let (mine, theirs) = rows_of(board, &mut batch.add[lane]);
                sight.see(lane, board);
                sight.down.pips[lane] = mine as f32;
                sight.up.pips[lane] = theirs as f32;
                see_possible(possible(board), lane, batch);
            }
            sight.experts(true, &mut batch.experts);
            forward(simd, self.tables, self.tables.bias(), batch);
            collect(batch, outcomes);
        }
    }
}

/// The rows of everything on the board, and the pip counts of both sides, mine first.
#[inline(always)]
fn rows_of(board: &Board, rows: &mut Rows) -> (u32, u32) {
    rows.clear();
    let mut occupied = board.my_free() | board.their_free();
    let trapped = board.my_trapped() | board.their_trapped();
    while occupied != 0 {
        let index = occupied.trailing_zeros() as usize;
        occupied &= occupied - 1;
        rows.push(point_row(index, board.free()[index], trapped >> index & 1 == 1));
    }
    rows.push(off_row(Owner::Mine, board.my_off()));
    rows.push(off_row(Owner::Theirs, board.their_off()));
    (board.my_pips(), board.their_pips())
}

#[inline(always)]
fn see_possible(bits: u8, lane: usize, batch: &mut Batch) {
    for (outcome, lanes) in batch.possible.iter_mut().enumerate() {
        lanes[lane] = f32::from(bits >> outcome & 1);
    }
}

#[inline(always)]
fn collect(batch: &Batch, outcomes: &mut Vec<Outcomes>) {
    for lane in 0..batch.count {
        outcomes.push(Outcomes::new(std::array::from_fn(|i| batch.probabilities[i][lane])));
    }
}

struct Incremental<'a> {
    tables: &'a Tables,
    parent: &'a Board,
    afterstates: &'a [Board],
    evaluations: &'a mut Evaluations,
}

impl Vectorised for Incremental<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let tables = self.tables;
        let parent = self.parent;
        let Evaluations { outcomes, scratch } = self.evaluations;
        let Scratch { batch, sight, start } = scratch.as_mut();
        start.resize(tables.hidden(), 0.0);
        let (their_pips, my_pips) = rows_of(&parent.flip(), &mut batch.add[0]);
        accumulate(simd, tables, tables.bias(), &batch.add[0], start);
        for afterstates in self.afterstates.chunks(LANES) {
            batch.count = afterstates.len();
            for (lane, board) in afterstates.iter().enumerate() {
                let saved = change(parent, board, &mut batch.add[lane], &mut batch.take[lane]);
                sight.see(lane, board);
                sight.down.pips[lane] = (my_pips as i32 - saved) as f32;
                sight.up.pips[lane] = their_pips as f32;
                // The board is seen by the side that moved: for the other one what is lost is won.
                let bits = possible(board);
                see_possible(bits & 0b01110 | bits << 4 & 0b10000 | bits >> 4, lane, batch);
            }
            sight.experts(false, &mut batch.experts);
            forward(simd, tables, start, batch);
            collect(batch, outcomes);
        }
    }
}

/// The rows that a play has added and taken away, as the side now to roll sees them, and the pips that the mover has moved.
#[inline(always)]
fn change(parent: &Board, board: &Board, add: &mut Rows, take: &mut Rows) -> i32 {
    add.clear();
    take.clear();
    let mut saved = 0;
    let mut changed = parent.changed_points(board);
    let trapped = board.my_trapped() | board.their_trapped();
    let trapped_before = parent.my_trapped() | parent.their_trapped();
    while changed != 0 {
        let index = changed.trailing_zeros() as usize;
        changed &= changed - 1;
        let (before, after) = (parent.free()[index], board.free()[index]);
        let seen = POINTS - 1 - index;
        take.push(point_row(seen, -before, trapped_before >> index & 1 == 1));
        add.push(point_row(seen, -after, trapped >> index & 1 == 1));
        saved += (index as i32 + 1) * (i32::from(before.max(0)) - i32::from(after.max(0)));
    }
    if board.my_off() != parent.my_off() {
        take.push(off_row(Owner::Theirs, parent.my_off()));
        add.push(off_row(Owner::Theirs, board.my_off()));
    }
    saved
}
