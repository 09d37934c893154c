use mahbusa_net::Outcomes;
use mahbusa_rules::{MatchOutcome, MatchScore, Outcome, Side};

use crate::Stakes;

/// The chance of winning a match at every score, computed out of how single games end between equal players.
///
/// With `p` the shares of the outcomes for the side that opens a game, the chance `O(a, b)` of a side that opens, needs `a` points and plays
/// against one that needs `b` is
///
/// ```text
/// O(a, b) = p(win 2) O(a-2, b) + p(win 1) O(a-1, b)
///         + p(lose 1) (1 - O(b-1, a)) + p(lose 2) (1 - O(b-2, a))
///         + p(draw) (O(a, b) + 1 - O(b, a)) / 2
/// ```
///
/// since the winner of a game opens the next one, and a draw is replayed after a new opening roll, which either side wins with the same
/// chance. Who needs no more points has won. `O(a, b)` and `O(b, a)` depend on each other by draws and are solved for together; everything else
/// they need has fewer points to go.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchTable {
    /// `O(a, b)` at `(a - 1) * LONGEST + b - 1`.
    opening: Vec<f64>,
}

impl MatchTable {
    /// The longest match that the table knows, in points.
    pub const LONGEST: u16 = 500;

    /// The table for players whose games end so for the side that opens; it takes a few milliseconds and 2 MB.
    pub fn new(opening: &Outcomes) -> MatchTable {
        let shares = opening.probabilities().map(f64::from);
        let total: f64 = shares.iter().sum();
        let shares = shares.map(|share| share / total);
        let longest = usize::from(MatchTable::LONGEST);
        let mut table = MatchTable { opening: vec![0.5; longest * longest] };
        for sum in 2..=2 * longest {
            for mine in 1.max(sum.saturating_sub(longest))..=sum / 2 {
                let theirs = sum - mine;
                let [_, _, draw, _, _] = shares;
                let (one, other) = (table.decided(&shares, mine, theirs), table.decided(&shares, theirs, mine));
                let (both, apart) = (one + other + draw, (one - other) / (1.0 - draw));
                // Nothing but draws: the match never ends, and nobody is ahead.
                let (both, apart) = if draw < 1.0 { (both, apart) } else { (1.0, 0.0) };
                table.opening[(mine - 1) * longest + theirs - 1] = (both + apart) / 2.0;
                table.opening[(theirs - 1) * longest + mine - 1] = (both - apart) / 2.0;
            }
        }
        table
    }

    /// The chance of a side to win the match before a game that this side opens, or either if it is still to be rolled for; `None` for a single game
    /// and for matches longer than [`MatchTable::LONGEST`].
    pub fn chance(&self, score: MatchScore, side: Side, opener: Option<Side>) -> Option<f64> {
        if !(1..=MatchTable::LONGEST).contains(&score.length()) {
            return None;
        }
        let [mine, theirs] = [side, side.other()].map(|side| usize::from(score.length() - score.of(side)));
        let (opening, replying) = (self.opens(mine, theirs), 1.0 - self.opens(theirs, mine));
        Some(match opener {
            Some(opener) if opener == side => opening,
            Some(_) => replying,
            None => (opening + replying) / 2.0,
        })
    }

    /// The chance of a side to win the match after each outcome of the game that is being played; `None` as for [`MatchTable::chance`].
    pub fn stakes(&self, score: MatchScore, side: Side) -> Option<Stakes> {
        let mut chances = [0.0; Outcome::ALL.len()];
        for (chance, outcome) in chances.iter_mut().zip(Outcome::ALL) {
            *chance = match score.after(side, outcome) {
                MatchOutcome::Over(winner) => f32::from(u8::from(winner == Some(side))),
                MatchOutcome::GoesOn { score, opener } => self.chance(score, side, opener)? as f32,
            };
        }
        // A single game, or a match so long that no outcome asks the table, has no place in it.
        self.chance(score, side, None).map(|_| Stakes::new(chances))
    }

    /// `O(a, b)`, for any number of points that are still needed.
    fn opens(&self, mine: usize, theirs: usize) -> f64 {
        match (mine, theirs) {
            (0, _) => 1.0,
            (_, 0) => 0.0,
            _ => self.opening[(mine - 1) * usize::from(MatchTable::LONGEST) + theirs - 1],
        }
    }

    /// What `O(a, b)` owes to games that somebody wins.
    fn decided(&self, shares: &[f64; Outcome::ALL.len()], mine: usize, theirs: usize) -> f64 {
        let [lose2, lose1, _, win1, win2] = shares;
        let wins = |points: usize| self.opens(mine.saturating_sub(points), theirs);
        let loses = |points: usize| 1.0 - self.opens(theirs.saturating_sub(points), mine);
        win2 * wins(2) + win1 * wins(1) + lose1 * loses(1) + lose2 * loses(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{Black, White};

    fn at(white: u16, black: u16, length: u16) -> MatchScore {
        MatchScore::new(white, black, length).unwrap()
    }

    /// Nobody gains by opening, and nothing is drawn.
    const EVEN: [f32; 5] = [0.25, 0.25, 0.0, 0.25, 0.25];
    /// A net's idea of Mahbusa, and more draws than there are.
    const REAL: [f32; 5] = [0.18, 0.27, 0.05, 0.29, 0.21];

    #[test]
    fn a_match_to_three_between_equals_is_what_it_is_by_hand() {
        let table = MatchTable::new(&Outcomes::new(EVEN));
        let chance = |white, black| table.chance(at(white, black, 3), White, Some(White)).unwrap();
        assert_eq!(chance(0, 0), 0.5);
        assert_eq!(chance(2, 2), 0.5);
        // One away against two away: win, or lose a single game and be even: 1/2 + 1/4 * 1/2.
        assert!((chance(2, 1) - 0.625).abs() < 1e-9);
        // One away against three: 1/2 + 1/4 * 0.625 + 1/4 * 1/2.
        assert!((chance(2, 0) - 0.78125).abs() < 1e-9);
        // Two away against three: 1/4 + 1/4 * 0.78125 + 1/4 * 1/2 + 1/4 * 0.375.
        assert!((chance(1, 0) - 0.6640625).abs() < 1e-9);
    }

    #[test]
    fn opening_and_draws_count() {
        // One point to go on both sides: whoever wins the game. A draw is replayed by either.
        let table = MatchTable::new(&Outcomes::new([0.1, 0.2, 0.2, 0.3, 0.2]));
        let opens = table.chance(at(2, 2, 3), White, Some(White)).unwrap();
        // x = 0.5 + 0.2 * 0.5, since a new opening roll is even.
        assert!((opens - 0.6).abs() < 1e-7, "{opens}");
        assert!((table.chance(at(2, 2, 3), White, Some(Black)).unwrap() - 0.4).abs() < 1e-7);
        assert!((table.chance(at(2, 2, 3), White, None).unwrap() - 0.5).abs() < 1e-12);
        // 2-1 to 3, White opens: x = 0.5 + 0.2 (1 - y(1,1)) + 0.2 (x + 1 - y) / 2, where the opener at 1-2 has
        // y = 0.2 + 0.3 * 0.6 + 0.2 (y + 1 - x) / 2, and y(1,1) = 0.6 is the chance of a Black opener at 2-2.
        let (x, y) = (
            table.chance(at(2, 1, 3), White, Some(White)).unwrap(),
            table.chance(at(1, 2, 3), White, Some(White)).unwrap(),
        );
        assert!((x - (0.5 + 0.2 * 0.4 + 0.1 * (x + 1.0 - y))).abs() < 1e-7, "{x} {y}");
        assert!((y - (0.2 + 0.3 * 0.6 + 0.1 * (y + 1.0 - x))).abs() < 1e-7, "{x} {y}");
    }

    #[test]
    fn what_one_side_has_the_other_lacks_and_points_never_hurt() {
        let table = MatchTable::new(&Outcomes::new(REAL));
        for length in [1, 2, 3, 5, 7, 25, MatchTable::LONGEST] {
            for (white, black) in
                (0..length.min(25)).flat_map(|white| (0..length.min(25)).map(move |black| (white, black)))
            {
                let score = at(white, black, length);
                for opener in [None, Some(White), Some(Black)] {
                    let chance = |score, side| table.chance(score, side, opener).unwrap();
                    assert!((0.0..=1.0).contains(&chance(score, White)));
                    assert!((chance(score, White) + chance(score, Black) - 1.0).abs() < 1e-12);
                    if white + 1 < length {
                        assert!(
                            chance(at(white + 1, black, length), White) > chance(score, White),
                            "{white} {black} {length}"
                        );
                    }
                }
                let [white_opens, rolled, black_opens] =
                    [Some(White), None, Some(Black)].map(|opener| table.chance(score, White, opener).unwrap());
                assert!(white_opens >= rolled && rolled >= black_opens, "{white} {black} {length}");
            }
        }
    }

    #[test]
    fn at_one_point_to_go_a_mars_is_worth_nothing() {
        let table = MatchTable::new(&Outcomes::new(REAL));
        let stakes = table.stakes(at(2, 0, 3), White).unwrap();
        assert_eq!((stakes.after(Outcome::Win1), stakes.after(Outcome::Win2)), (1.0, 1.0));
        assert!(stakes.after(Outcome::Lose1) > stakes.after(Outcome::Lose2));
        let last = table.stakes(at(2, 2, 3), Black).unwrap();
        assert_eq!((last.after(Outcome::Lose2), last.after(Outcome::Lose1)), (0.0, 0.0));
        assert!((last.chance(&Outcomes::new([0.0, 0.3, 0.0, 0.3, 0.4])) - 0.7).abs() < 1e-6);
    }

    #[test]
    fn single_games_and_endless_matches_have_no_chances() {
        let table = MatchTable::new(&Outcomes::new(REAL));
        assert_eq!(table.stakes(MatchScore::SINGLE_GAME, White), None);
        assert_eq!(table.stakes(at(0, 0, MatchTable::LONGEST + 1), White), None);
        assert_eq!(table.stakes(at(500, 500, MatchTable::LONGEST + 1), White), None);
        let drawn = MatchTable::new(&Outcomes::certain(Outcome::Draw));
        assert_eq!(drawn.chance(at(0, 2, 3), White, Some(White)), Some(0.5));
    }
}
