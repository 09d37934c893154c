use crate::{Outcome, Side};

/// The score of a match: points of both sides and the length played to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchScore {
    white: u16,
    black: u16,
    length: u16,
}

impl MatchScore {
    /// A single game, written `0.0.0`.
    pub const SINGLE_GAME: MatchScore = MatchScore { white: 0, black: 0, length: 0 };

    /// A match to `length` points at the score `white` to `black`.
    ///
    /// `None` when the match is already decided, or when a single game (`length` 0) has a score.
    pub fn new(white: u16, black: u16, length: u16) -> Option<MatchScore> {
        let undecided = if length == 0 { white == 0 && black == 0 } else { white < length && black < length };
        undecided.then_some(MatchScore { white, black, length })
    }

    /// The points of a side.
    pub fn of(self, side: Side) -> u16 {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The points needed to win the match; 0 is a single game.
    pub fn length(self) -> u16 {
        self.length
    }

    /// The score after a game that ended with `outcome` for `side`.
    pub fn after(self, side: Side, outcome: Outcome) -> MatchOutcome {
        let points = outcome.points();
        let winner = if points > 0 { side } else { side.other() };
        if self.length == 0 {
            return MatchOutcome::Over((points != 0).then_some(winner));
        }
        if points == 0 {
            return MatchOutcome::GoesOn { score: self, opener: None };
        }
        let won = self.of(winner) + u16::from(points.unsigned_abs());
        if won >= self.length {
            return MatchOutcome::Over(Some(winner));
        }
        let score = match winner {
            Side::White => MatchScore { white: won, ..self },
            Side::Black => MatchScore { black: won, ..self },
        };
        MatchOutcome::GoesOn { score, opener: Some(winner) }
    }
}

/// Where a match stands after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchOutcome {
    /// Another game is played.
    GoesOn {
        /// The score it starts with.
        score: MatchScore,
        /// Who opens it: the winner of the last game; `None` after a draw, which is replayed after a new opening roll.
        opener: Option<Side>,
    },
    /// The match is decided; `None` is a drawn single game.
    Over(Option<Side>),
}

/// Who opens a game after an opening roll of one die each: the higher die, which then rolls again; `None` on a tie, which is rerolled.
pub fn opener(white_die: u8, black_die: u8) -> Option<Side> {
    match white_die.cmp(&black_die) {
        std::cmp::Ordering::Greater => Some(Side::White),
        std::cmp::Ordering::Less => Some(Side::Black),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_won_at_its_length_and_points_beyond_it_do_not_count() {
        let score = MatchScore::new(0, 2, 3).unwrap();
        assert_eq!(score.after(Side::Black, Outcome::Win2), MatchOutcome::Over(Some(Side::Black)));
        assert_eq!(
            score.after(Side::Black, Outcome::Lose2),
            MatchOutcome::GoesOn { score: MatchScore::new(2, 2, 3).unwrap(), opener: Some(Side::White) }
        );
        assert_eq!(score.after(Side::White, Outcome::Draw), MatchOutcome::GoesOn { score, opener: None });
    }

    #[test]
    fn a_single_game_is_over_after_one() {
        let single = MatchScore::SINGLE_GAME;
        assert_eq!(single.after(Side::White, Outcome::Lose1), MatchOutcome::Over(Some(Side::Black)));
        assert_eq!(single.after(Side::White, Outcome::Draw), MatchOutcome::Over(None));
    }

    #[test]
    fn decided_scores_do_not_exist() {
        assert!(MatchScore::new(3, 0, 3).is_none());
        assert!(MatchScore::new(0, 4, 3).is_none());
        assert!(MatchScore::new(1, 0, 0).is_none());
        assert!(MatchScore::new(2, 2, 3).is_some());
    }

    #[test]
    fn the_higher_die_opens() {
        assert_eq!(opener(6, 1), Some(Side::White));
        assert_eq!(opener(2, 5), Some(Side::Black));
        assert_eq!(opener(4, 4), None);
    }
}
