use serde::{Deserialize, Serialize};

use crate::{Estimate, Finish, Mean, Pair};

/// What a contest showed, for the player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Games played: two a pair.
    pub games: u64,
    /// Points per game, -2..=2.
    pub points_per_game: Estimate,
    /// Share of games won, a draw counting half, 0..=1.
    pub win_rate: Estimate,
    /// How games ended, as shares of all.
    pub rates: Rates,
    /// Mean plies a game.
    pub plies: f64,
}

/// How games ended, as shares of all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Won by one point.
    pub win_single: f64,
    /// Won by mars.
    pub win_mars: f64,
    /// Won by pinning the mother.
    pub win_mother: f64,
    /// Drawn.
    pub draw: f64,
    /// Lost by one point.
    pub lose_single: f64,
    /// Lost by mars.
    pub lose_mars: f64,
    /// Lost by the mother pinned.
    pub lose_mother: f64,
}

impl Verdict {
    /// What these pairs show, if their number was fixed before they were played.
    pub fn of(pairs: &[Pair]) -> Verdict {
        let (mut points, mut wins) = (Mean::default(), Mean::default());
        let mut finishes = [0u64; Finish::ALL.len()];
        let mut plies = 0;
        for pair in pairs {
            points.add(pair.points());
            wins.add(pair.half_wins());
            pair.games.iter().for_each(|&game| finishes[game as usize] += 1);
            plies += u64::from(pair.plies);
        }
        let games = 2 * pairs.len() as u64;
        let share = |finish: Finish| finishes[finish as usize] as f64 / games.max(1) as f64;
        Verdict {
            games,
            // A pair adds up the points of two games, and half wins, four at most.
            points_per_game: points.estimate(2.0, -2.0..=2.0),
            win_rate: wins.estimate(4.0, 0.0..=1.0),
            rates: Rates {
                win_single: share(Finish::WinSingle),
                win_mars: share(Finish::WinMars),
                win_mother: share(Finish::WinMother),
                draw: share(Finish::Draw),
                lose_single: share(Finish::LoseSingle),
                lose_mars: share(Finish::LoseMars),
                lose_mother: share(Finish::LoseMother),
            },
            plies: plies as f64 / games.max(1) as f64,
        }
    }
}
