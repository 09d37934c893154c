use mahbusa_rules::Ending;
use serde::Serialize;

use crate::GameResult;

/// How a game went for the player who is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// Won by one point.
    WinSingle,
    /// Won by mars.
    WinMars,
    /// Won by pinning the mother.
    WinMother,
    /// Drawn.
    Draw,
    /// Lost by one point.
    LoseSingle,
    /// Lost by mars.
    LoseMars,
    /// Lost by the mother pinned.
    LoseMother,
}

impl Finish {
    /// All of them, in order.
    pub const ALL: [Finish; 7] = [
        Finish::WinSingle,
        Finish::WinMars,
        Finish::WinMother,
        Finish::Draw,
        Finish::LoseSingle,
        Finish::LoseMars,
        Finish::LoseMother,
    ];

    /// Of a game whose points are the player's.
    pub(crate) fn of(ending: Ending, points: i64) -> Finish {
        match (ending, points > 0) {
            (Ending::Single, true) => Finish::WinSingle,
            (Ending::Mars, true) => Finish::WinMars,
            (Ending::Mother, true) => Finish::WinMother,
            (Ending::Draw, _) => Finish::Draw,
            (Ending::Single, false) => Finish::LoseSingle,
            (Ending::Mars, false) => Finish::LoseMars,
            (Ending::Mother, false) => Finish::LoseMother,
        }
    }

    /// The player's points, -2..=2.
    pub fn points(self) -> i64 {
        match self {
            Finish::WinMars | Finish::WinMother => 2,
            Finish::WinSingle => 1,
            Finish::Draw => 0,
            Finish::LoseSingle => -1,
            Finish::LoseMars | Finish::LoseMother => -2,
        }
    }

    /// The same game as the opponent sees it.
    #[must_use]
    pub fn flip(self) -> Finish {
        match self {
            Finish::WinSingle => Finish::LoseSingle,
            Finish::WinMars => Finish::LoseMars,
            Finish::WinMother => Finish::LoseMother,
            Finish::Draw => Finish::Draw,
            Finish::LoseSingle => Finish::WinSingle,
            Finish::LoseMars => Finish::WinMars,
            Finish::LoseMother => Finish::WinMother,
        }
    }

    /// One letter: `S`, `M`, `P` for a win by a single point, by mars, by pinning the mother; small for a loss; `=` for a draw.
    pub fn letter(self) -> char {
        LETTERS[self as usize]
    }

    /// What a letter stands for.
    pub fn from_letter(letter: char) -> Option<Finish> {
        let index = LETTERS.iter().position(|&known| known == letter)?;
        Some(Finish::ALL[index])
    }
}

/// In the order of [`Finish::ALL`].
const LETTERS: [char; 7] = ['S', 'M', 'P', '=', 's', 'm', 'p'];

/// Two games on one stream of dice: the first opened by the player who is measured, the second by the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// How they went, for the player.
    pub games: [Finish; 2],
    /// Turns of both, passes included.
    pub plies: u32,
}

impl Pair {
    /// Of two results, each for whoever opened the game.
    pub(crate) fn of(opened: &GameResult, answered: &GameResult) -> Pair {
        Pair {
            games: [Finish::of(opened.ending, opened.points), Finish::of(answered.ending, -answered.points)],
            plies: opened.plies + answered.plies,
        }
    }

    /// Points of both games, -4..=4.
    pub fn points(&self) -> i64 {
        self.games.iter().map(|game| game.points()).sum()
    }

    /// Wins of both games in halves, a draw counting one: 0..=4.
    pub fn half_wins(&self) -> i64 {
        self.games.iter().map(|game| 1 + game.points().signum()).sum()
    }

    /// The same pair as the opponent sees it.
    #[must_use]
    pub fn flip(&self) -> Pair {
        let [opened, answered] = self.games;
        Pair { games: [answered.flip(), opened.flip()], plies: self.plies }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_sees_the_opposite() {
        for finish in Finish::ALL {
            assert_eq!(finish.flip().points(), -finish.points());
            assert_eq!(finish.flip().flip(), finish);
            let letters = [finish, finish.flip()].map(|finish| finish.letter().to_ascii_lowercase());
            assert_eq!(letters[0], letters[1]);
        }
        let pair = Pair { games: [Finish::WinMars, Finish::LoseSingle], plies: 180 };
        assert_eq!(pair.flip(), Pair { games: [Finish::WinSingle, Finish::LoseMars], plies: 180 });
        assert_eq!((pair.points(), pair.half_wins()), (1, 2));
    }

    #[test]
    fn a_letter_reads_back() {
        for finish in Finish::ALL {
            assert_eq!(Finish::from_letter(finish.letter()), Some(finish));
        }
        assert_eq!(Finish::from_letter('x'), None);
    }
}
