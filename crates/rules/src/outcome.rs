/// How a game ends for one side.
///
/// The order, lose 2, lose 1, draw, win 1, win 2, is that of every table of outcomes in this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Lost two points: mars, or the mother pinned.
    Lose2,
    /// Lost one point.
    Lose1,
    /// No points: both starts are pinned.
    Draw,
    /// Won one point.
    Win1,
    /// Won two points: mars, or the mother pinned.
    Win2,
}

impl Outcome {
    /// All five, in order.
    pub const ALL: [Outcome; 5] = [Outcome::Lose2, Outcome::Lose1, Outcome::Draw, Outcome::Win1, Outcome::Win2];

    /// The points this outcome is worth, -2..=2.
    pub fn points(self) -> i8 {
        self as i8 - 2
    }

    /// The place in [`Outcome::ALL`], 0..=4.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The same end seen by the other side.
    pub fn flip(self) -> Outcome {
        Outcome::ALL[4 - self.index()]
    }
}

/// How the side that has just moved ended the game. Nobody loses by their own play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Both starts are pinned: nothing can free either.
    Draw,
    /// The last checker is off, and the enemy has borne off at least one: 1 point.
    Single,
    /// The last checker is off before the enemy has borne off any: 2 points.
    Mars,
    /// The enemy's last start checker is pinned, and the own start is empty: 2 points.
    Mother,
}

impl Ending {
    /// The outcome for the side that has just moved.
    pub fn outcome(self) -> Outcome {
        match self {
            Ending::Draw => Outcome::Draw,
            Ending::Single => Outcome::Win1,
            Ending::Mars | Ending::Mother => Outcome::Win2,
        }
    }

    /// The points that it wins, 0..=2.
    pub fn points(self) -> i8 {
        self.outcome().points()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_wins_the_other_loses() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.points(), -outcome.flip().points());
            assert_eq!(Outcome::ALL[outcome.index()], outcome);
        }
    }
}
