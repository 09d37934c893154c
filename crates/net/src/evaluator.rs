use mahbusa_rules::{Board, POINTS};
use pulp::{Arch, Simd};

use crate::encoding::Owner;
use crate::experts::{LANES, Sight};
use crate::kernel::{Batch, Dispatched, Rows, Vectorised, accumulate, forward};
use crate::tables::{Tables, off_row, point_row};
use crate::{Outcomes, Weights, possible};

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
                // Afterstates may have left something.
                batch.take[lane].clear();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use mahbusa_rules::{Afterstates, Roll, Rules, generate};
    use pulp::WithSimd;

    /// The outcomes of afterstates with these vectors.
    fn with<S: Simd>(simd: S, tables: &Tables, parent: &Board, afterstates: &[Board]) -> Vec<Outcomes> {
        let mut evaluations = Evaluations::default();
        Dispatched(Incremental { tables, parent, afterstates, evaluations: &mut evaluations }).with_simd(simd);
        evaluations.outcomes
    }

    #[test]
    fn what_was_evaluated_before_makes_no_difference() {
        let start = Board::start(Rules::MAHBUSA);
        let mut afterstates = Afterstates::default();
        Roll::ALL.iter().for_each(|&roll| generate(Rules::MAHBUSA, &start, roll, &mut afterstates));
        let boards: Vec<Board> = afterstates.boards.iter().map(Board::flip).collect();
        for second in [0, 16] {
            let evaluator = Evaluator::new(&Weights::random(Shape { second, ..Shape::of(32) }, 1));
            let (mut fresh, mut used) = (Evaluations::default(), Evaluations::default());
            evaluator.evaluate_afterstates(&start, &afterstates.boards, &mut used);
            evaluator.evaluate_all(&boards, &mut used);
            evaluator.evaluate_all(&boards, &mut fresh);
            assert_eq!(used.outcomes(), fresh.outcomes());
            evaluator.evaluate_afterstates(&start, &afterstates.boards, &mut used);
            let mut fresh = Evaluations::default();
            evaluator.evaluate_afterstates(&start, &afterstates.boards, &mut fresh);
            assert_eq!(used.outcomes(), fresh.outcomes());
        }
    }

    #[test]
    fn every_width_of_vectors_gives_the_same() {
        let start = Board::start(Rules::MAHBUSA);
        let mut afterstates = Afterstates::default();
        Roll::ALL.iter().for_each(|&roll| generate(Rules::MAHBUSA, &start, roll, &mut afterstates));
        for second in [0, 16, 32, 48, 64] {
            let mut weights = Weights::random(Shape { second, ..Shape::of(80) }, 1);
            weights.w3.iter_mut().for_each(|weight| *weight *= 4.0);
            let tables = Tables::new(&weights);
            let plain: Vec<Outcomes> =
                afterstates.boards.iter().map(|board| weights.evaluate_plainly(&board.flip())).collect();
            let agrees = |found: Vec<Outcomes>| {
                for (a, b) in found.iter().zip(&plain) {
                    let close = a.probabilities().iter().zip(b.probabilities()).all(|(a, b)| (a - b).abs() < 5e-6);
                    assert!(close, "{second}: {a:?} instead of {b:?}");
                }
                assert_eq!(found.len(), plain.len());
            };
            agrees(with(pulp::Scalar::new(), &tables, &start, &afterstates.boards));
            #[cfg(target_arch = "x86_64")]
            {
                use pulp::x86::{V2, V3, V4};
                if let Some(simd) = V2::try_new() {
                    agrees(with(simd, &tables, &start, &afterstates.boards));
                }
                if let Some(simd) = V3::try_new() {
                    agrees(with(simd, &tables, &start, &afterstates.boards));
                }
                if let Some(simd) = V4::try_new() {
                    agrees(with(simd, &tables, &start, &afterstates.boards));
                }
            }
        }
    }
}
