use mahbusa_rules::Board;
use serde::{Deserialize, Serialize};

/// A board as the ONNX model takes it, seen by the side to roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawBoard {
    /// Free checkers, mine positive, theirs negative; index 0 is my 1-point.
    pub points: [i8; 24],
    /// 1 where a checker of mine is trapped, -1 where one of theirs is.
    pub pins: [i8; 24],
    /// Checkers borne off, mine and theirs.
    pub off: [u8; 2],
}

impl From<&Board> for RawBoard {
    fn from(board: &Board) -> RawBoard {
        let trapped = |index: usize| {
            let point = board.point(index);
            i8::from(point.mine_trapped) - i8::from(point.theirs_trapped)
        };
        RawBoard { points: *board.free(), pins: std::array::from_fn(trapped), off: [board.my_off(), board.their_off()] }
    }
}
