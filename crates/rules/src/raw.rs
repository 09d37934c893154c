use crate::{Board, POINTS, Rules};

/// A board as plain numbers, seen by the side to roll: what programs in other languages exchange, without writing any text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RawBoard {
    /// Free checkers, from my 1-point to my 24-point: positive mine, negative theirs.
    pub points: [i8; POINTS],
    /// Trapped checkers: 1 mine, -1 theirs, 0 none.
    pub pins: [i8; POINTS],
    /// Checkers borne off: mine, theirs.
    pub off: [i8; 2],
}

/// Numbers that are no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RawBoardError {
    /// A point has more checkers than there are.
    #[error("point {point}: expected -15..=15 free checkers, found {found}")]
    Free {
        /// Its number, from 1 on.
        point: usize,
        /// What was given.
        found: i8,
    },
    /// A pin is no number of one.
    #[error("point {point}: expected 1, 0 or -1 for a trapped checker, found {found}")]
    Pin {
        /// The number of the point, from 1 on.
        point: usize,
        /// What was given.
        found: i8,
    },
    /// A trapped checker has no enemy above it.
    #[error("point {point}: a checker of {} is trapped, and no free one of {} stands there", name(*.mine), name(!.mine))]
    Uncovered {
        /// The number of the point, from 1 on.
        point: usize,
        /// Whether it is mine.
        mine: bool,
    },
    /// A side has too few or too many checkers.
    #[error("expected {expected} checkers of {} (free, trapped and off), found {found}", name(*.mine))]
    Checkers {
        /// Whether it is I.
        mine: bool,
        /// As the rules have it.
        expected: u8,
        /// What was given.
        found: i32,
    },
    /// The side to roll has won.
    #[error("the side to roll has ended the game: such a board is that of the other side")]
    Won,
}

fn name(mine: bool) -> &'static str {
    if mine { "the side to roll" } else { "the other side" }
}

impl RawBoard {
    /// The board, checked as the position notation is.
    ///
    /// # Errors
    /// What is wrong, and where.
    #[inline]
    pub fn board(&self, rules: Rules) -> Result<Board, RawBoardError> {
        // As if pins were checkers: the masks of a board say where which of them stand.
        let pins = Board::from_parts(self.pins, [0; 2], [0; 2]);
        let [mine, theirs] = [pins.my_blots(), pins.their_blots()];
        let board = Board::from_parts(self.points, [mine, theirs], self.off.map(|off| off as u8));
        let sound = self.points.iter().fold(true, |sound, free| sound & (-15..=15).contains(free))
            && self.off.iter().all(|off| (0..=15).contains(off))
            && [pins.my_free(), pins.their_free()] == [mine, theirs]
            && mine & !board.their_free() | theirs & !board.my_free() == 0
            && self.checkers() == [i32::from(rules.checkers()); 2];
        if !sound {
            return Err(self.fault(rules));
        }
        if board.ending(rules).is_some_and(|ending| ending.points() > 0) {
            return Err(RawBoardError::Won);
        }
        Ok(board)
    }

    /// The checkers of both sides, mine first.
    #[inline]
    fn checkers(&self) -> [i32; 2] {
        let mut found = self.off.map(i32::from);
        for (&free, &pin) in self.points.iter().zip(&self.pins) {
            found[0] += i32::from(free.max(0)) + i32::from(pin.max(0));
            found[1] -= i32::from(free.min(0)) + i32::from(pin.min(0));
        }
        found
    }

    /// What is wrong with it.
    fn fault(&self, rules: Rules) -> RawBoardError {
        for (index, (&free, &pin)) in self.points.iter().zip(&self.pins).enumerate() {
            let point = index + 1;
            if !(-15..=15).contains(&free) {
                return RawBoardError::Free { point, found: free };
            }
            if !(-1..=1).contains(&pin) {
                return RawBoardError::Pin { point, found: pin };
            }
            if pin != 0 && pin * free >= 0 {
                return RawBoardError::Uncovered { point, mine: pin == 1 };
            }
        }
        let expected = rules.checkers();
        let found = self.checkers();
        let mine = found[0] != i32::from(expected) || self.off[0] < 0;
        RawBoardError::Checkers { mine, expected, found: found[usize::from(!mine)] }
    }
}

impl From<&Board> for RawBoard {
    fn from(board: &Board) -> RawBoard {
        let mut raw =
            RawBoard { points: *board.free(), pins: [0; POINTS], off: [board.my_off() as i8, board.their_off() as i8] };
        for (index, pin) in raw.pins.iter_mut().enumerate() {
            *pin = (board.my_trapped() >> index & 1) as i8 - (board.their_trapped() >> index & 1) as i8;
        }
        raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn boards_survive_their_numbers() {
        for text in [
            "mahbusa:O22o:0.0:w:-:0.0.0",
            "mahbusa:J5C4A~6A4n:0.0:b:-:0.0.0",
            "mahbusa:n~21MA~:0.0:b:-:0.0.0",
            "tapa,checkers=3:23a:3.2:b:-:0.0.0",
        ] {
            let position: Position = text.parse().unwrap();
            assert_eq!(RawBoard::from(&position.board).board(position.rules), Ok(position.board), "{text}");
        }
    }

    #[test]
    fn whatever_is_wrong_is_named() {
        let start = RawBoard::from(&Board::start(Rules::MAHBUSA));
        let said = |change: &dyn Fn(&mut RawBoard)| {
            let mut raw = start;
            change(&mut raw);
            raw.board(Rules::MAHBUSA).unwrap_err().to_string()
        };
        assert_eq!(said(&|raw| raw.points[23] = 16), "point 24: expected -15..=15 free checkers, found 16");
        assert_eq!(said(&|raw| raw.points[2] = -128), "point 3: expected -15..=15 free checkers, found -128");
        assert_eq!(said(&|raw| raw.pins[4] = 2), "point 5: expected 1, 0 or -1 for a trapped checker, found 2");
        assert_eq!(
            said(&|raw| raw.pins[4] = 1),
            "point 5: a checker of the side to roll is trapped, and no free one of the other side stands there"
        );
        assert_eq!(
            said(&|raw| raw.pins[0] = -1),
            "point 1: a checker of the other side is trapped, and no free one of the side to roll stands there"
        );
        assert_eq!(
            said(&|raw| raw.pins[0] = 1),
            "expected 15 checkers of the side to roll (free, trapped and off), found 16"
        );
        assert_eq!(
            said(&|raw| raw.points[0] = -14),
            "expected 15 checkers of the other side (free, trapped and off), found 14"
        );
        assert_eq!(
            said(&|raw| raw.off = [-1, 0]),
            "expected 15 checkers of the side to roll (free, trapped and off), found 14"
        );
        let minus = |raw: &mut RawBoard| (raw.points[1], raw.off[0]) = (1, -1);
        assert_eq!(said(&minus), "expected 15 checkers of the side to roll (free, trapped and off), found 15");
        let won = RawBoard { points: [0; POINTS], pins: [0; POINTS], off: [15, 3] };
        let won = RawBoard { points: std::array::from_fn(|i| if i == 0 { -12 } else { 0 }), ..won };
        assert_eq!(won.board(Rules::MAHBUSA), Err(RawBoardError::Won));
    }
}
