//! The inputs of the network, version by version.
//!
//! Every input is plain arithmetic on the counts of the board, so that an exported graph can hold it.

use mahbusa_rules::{Board, POINTS, PointView};
use pulp::Arch;

use crate::experts::{self, EXPERTS, LANES, Sight};

/// The version of this encoding; part of every weights file.
pub const ENCODING: &str = "pin-1";

/// Inputs in all.
pub const INPUTS: usize = EXPERT_BASE + EXPERTS;

/// Inputs of the free stack of one side on one point: exactly 1, at least 2, 3, 4, and the rest above 4 as a quarter each.
const STACK: usize = 5;
/// Inputs of one point: my stack, their stack, mine trapped, mine trapped under a lone checker, theirs likewise.
const POINT: usize = 2 * STACK + 4;
/// Checkers borne off, a threshold each.
const OFF: usize = 15;

const OFF_BASE: usize = POINTS * POINT;
const EXPERT_BASE: usize = OFF_BASE + 2 * OFF;

/// Which inputs a net is trained on. The encoding is the same: a net that does not see an input has zeros in its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inputs {
    /// All of them.
    #[default]
    All,
    /// Those that say what stands where, without the expert inputs.
    Raw,
}

impl Inputs {
    /// The numbers of the inputs that are seen.
    pub fn seen(self) -> std::ops::Range<usize> {
        match self {
            Inputs::All => 0..INPUTS,
            Inputs::Raw => 0..EXPERT_BASE,
        }
    }
}

/// One active input: its number and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Active {
    /// The number of the input, below [`INPUTS`].
    pub index: u16,
    /// Its value, not zero.
    pub value: f32,
}

/// The inputs that are not zero for the side to roll, in ascending order.
pub fn encode(board: &Board, active: &mut Vec<Active>) {
    encode_all(std::slice::from_ref(board), |_, of_board| active.extend_from_slice(of_board));
}

/// The inputs of many boards, handed over one board after the other, with its index. Faster than one at a time.
pub fn encode_all(boards: &[Board], mut receive: impl FnMut(usize, &[Active])) {
    let mut active = Vec::with_capacity(64);
    let mut sight = Sight::new();
    let mut values = [[0.0; LANES]; EXPERTS];
    for (chunk, boards) in boards.chunks(LANES).enumerate() {
        for (lane, board) in boards.iter().enumerate() {
            sight.see(lane, board);
            sight.down.pips[lane] = board.my_pips() as f32;
            sight.up.pips[lane] = board.their_pips() as f32;
        }
        Arch::new().dispatch(
            #[inline(always)]
            || sight.experts(true, &mut values),
        );
        for (lane, board) in boards.iter().enumerate() {
            active.clear();
            let mut occupied = board.my_free() | board.their_free();
            while occupied != 0 {
                let index = occupied.trailing_zeros() as usize;
                occupied &= occupied - 1;
                active.extend(point(index, board.point(index)));
            }
            active.extend(off(Owner::Mine, board.my_off()));
            active.extend(off(Owner::Theirs, board.their_off()));
            for (expert, values) in values.iter().enumerate() {
                if values[lane] != 0.0 {
                    active.push(Active { index: (EXPERT_BASE + expert) as u16, value: values[lane] });
                }
            }
            receive(chunk * LANES + lane, &active);
        }
    }
}

/// What an input means, in words; "mine" is the side to roll.
///
/// # Panics
/// When `index` is not below [`INPUTS`].
pub fn describe(index: usize) -> String {
    let whose = |theirs: bool| if theirs { "their" } else { "my" };
    if index < OFF_BASE {
        let (point, part) = (index / POINT + 1, index % POINT);
        let stack = |k: usize| match k {
            0 => "exactly 1".to_owned(),
            k if k < STACK - 1 => format!("at least {}", k + 1),
            _ => "(n - 4) / 4 above 4".to_owned(),
        };
        match part {
            k if k < 2 * STACK => format!("{point}-point: {} free checkers, {}", whose(k >= STACK), stack(k % STACK)),
            k => {
                let k = k - 2 * STACK;
                let lone = if k % 2 == 1 { " under a lone checker" } else { "" };
                format!("{point}-point: {} checker trapped{lone}", whose(k >= 2))
            }
        }
    } else if index < EXPERT_BASE {
        let k = index - OFF_BASE;
        format!("{} checkers borne off: at least {}", whose(k >= OFF), k % OFF + 1)
    } else {
        experts::NAMES[index - EXPERT_BASE].to_owned()
    }
}

/// How an input is computed from the raw board, for those who compute it elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// An expression in Python: of `points`, `pins` and `off`, of the same as `them` sees it, and of the functions of `encoding.md`.
    pub formula: String,
    /// The lowest value it can have.
    pub low: f32,
    /// The highest value it can have, with 15 checkers a side.
    pub high: f32,
}

/// How an input is defined. `points[i]` are the free checkers on point i + 1, positive mine; `pins[i]` is 1 where a checker of mine is
/// trapped, -1 where one of theirs is; `off` are the checkers borne off, mine and theirs.
///
/// # Panics
/// When `index` is not below [`INPUTS`].
pub fn define(index: usize) -> Definition {
    let truth = |condition: String| Definition { formula: format!("int({condition})"), low: 0.0, high: 1.0 };
    if index < OFF_BASE {
        let (place, part) = (index / POINT, index % POINT);
        let signed = |theirs: bool| if theirs { "-" } else { "" };
        if part < 2 * STACK {
            let count = format!("{}points[{place}]", signed(part >= STACK));
            return match part % STACK {
                0 => truth(format!("{count} == 1")),
                k if k < STACK - 1 => truth(format!("{count} >= {}", k + 1)),
                _ => Definition { formula: format!("max({count} - 4, 0) / 4"), low: 0.0, high: 11.0 / 4.0 },
            };
        }
        let (theirs, lone) = ((part - 2 * STACK) / 2 == 1, (part - 2 * STACK) % 2 == 1);
        let trapped = format!("pins[{place}] == {}1", signed(theirs));
        truth(if lone { format!("{trapped} and points[{place}] == {}1", signed(!theirs)) } else { trapped })
    } else if index < EXPERT_BASE {
        let k = index - OFF_BASE;
        truth(format!("off[{}] >= {}", k / OFF, k % OFF + 1))
    } else {
        let (formula, high) = experts::FORMULAS[index - EXPERT_BASE];
        Definition { formula: formula.to_owned(), low: 0.0, high }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Owner {
    Mine,
    Theirs,
}

/// The active inputs of one point.
pub(crate) fn point(index: usize, point: PointView) -> impl Iterator<Item = Active> {
    let base = index * POINT;
    let theirs = point.free < 0;
    let count = usize::from(point.free.unsigned_abs());
    let stack_base = base + if theirs { STACK } else { 0 };
    let thresholds = (2..STACK).filter(move |&k| count >= k).map(move |k| (stack_base + k - 1, 1.0));
    let lone = (count == 1).then_some((stack_base, 1.0));
    let excess = (count >= STACK).then(|| (stack_base + STACK - 1, (count - STACK + 1) as f32 / 4.0));
    let trapped = (point.mine_trapped || point.theirs_trapped).then_some({
        let owner = if point.theirs_trapped { 2 } else { 0 };
        base + 2 * STACK + owner
    });
    let pin = trapped.map(|index| (index, 1.0));
    let weak_pin = trapped.filter(|_| count == 1).map(|index| (index + 1, 1.0));
    lone.into_iter()
        .chain(thresholds)
        .chain(excess)
        .chain(pin)
        .chain(weak_pin)
        .map(|(index, value)| Active { index: index as u16, value })
}

/// The active inputs of the checkers that one side has borne off.
pub(crate) fn off(owner: Owner, count: u8) -> impl Iterator<Item = Active> {
    let base = OFF_BASE + if matches!(owner, Owner::Theirs) { OFF } else { 0 };
    (0..usize::from(count)).map(move |k| Active { index: (base + k) as u16, value: 1.0 })
}

/// The number of an expert input among all inputs.
pub(crate) fn expert(index: usize) -> usize {
    EXPERT_BASE + index
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::{Position, Rules};

    fn described(text: &str) -> Vec<String> {
        let mut active = Vec::new();
        encode(&text.parse::<Position>().unwrap().board, &mut active);
        assert!(active.is_sorted_by_key(|a| a.index));
        active.iter().map(|a| format!("{} = {}", describe(usize::from(a.index)), a.value)).collect()
    }

    #[test]
    fn the_inputs_of_a_position_with_a_pin_read_as_the_board_does() {
        assert_eq!(
            described("mahbusa:J5C4A~6A4n:0.0:w:-:0.0.0"),
            [
                "1-point: their free checkers, at least 2 = 1",
                "1-point: their free checkers, at least 3 = 1",
                "1-point: their free checkers, at least 4 = 1",
                "1-point: their free checkers, (n - 4) / 4 above 4 = 2.5",
                "6-point: my free checkers, exactly 1 = 1",
                "13-point: my free checkers, exactly 1 = 1",
                "13-point: their checker trapped = 1",
                "13-point: their checker trapped under a lone checker = 1",
                "18-point: my free checkers, at least 2 = 1",
                "18-point: my free checkers, at least 3 = 1",
                "24-point: my free checkers, at least 2 = 1",
                "24-point: my free checkers, at least 3 = 1",
                "24-point: my free checkers, at least 4 = 1",
                "24-point: my free checkers, (n - 4) / 4 above 4 = 1.5",
                "my pips / 100 = 3.13",
                "my rearmost point / 24 = 1",
                "my longest run of points closed to them / 6 = 0.16666667",
                "their pips / 100 = 3.48",
                "their rearmost point / 24 = 1",
                "their longest run of points closed to me / 6 = 0.16666667",
                "chance that they could pin a lone checker next roll = 0.41666666",
            ]
        );
    }

    #[test]
    fn every_input_has_a_description_of_its_own() {
        let mut names: Vec<_> = (0..INPUTS).map(describe).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), INPUTS);
    }

    #[test]
    fn both_sides_of_the_start_see_the_same() {
        let start = Board::start(Rules::MAHBUSA);
        let (mut white, mut black) = (Vec::new(), Vec::new());
        encode(&start, &mut white);
        encode(&start.flip(), &mut black);
        assert_eq!(white, black);
    }
}
