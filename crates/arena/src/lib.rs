//! Who is stronger: games between players on equal dice, and what they prove.
//!
//! Games come in pairs on one stream of dice, the first opened by one player, the second by the other, so that luck cancels out
//! and the mean over pairs has a small error.
//!
//! A [`Rollout`] measures what a position is worth by playing it out; a [`benchmark`] set holds decisions that were judged so, and prices
//! the errors of any player. A [`Phase`] says where in a game a position belongs.

pub mod benchmark;
mod game;
mod lookahead;
mod phase;
mod rolled_out;
mod rollout;
mod statistics;

use mahbusa_players::{Player, Workspace};
use mahbusa_rules::{Ending, Rules};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use game::{GameResult, play};
pub use phase::Phase;
pub use rolled_out::RolledOut;
pub use rollout::{Budget, Rollout};
pub use statistics::{Estimate, Mean};

/// Two players and how they meet.
#[derive(Clone, Copy)]
pub struct Contest<'a> {
    /// The game they play.
    pub rules: Rules,
    /// Whose points are counted.
    pub player: &'a dyn Player,
    /// Whom they are counted against.
    pub opponent: &'a dyn Player,
    /// The seed of dice and of chance.
    pub seed: u64,
}

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

/// Sums over pairs; the same whatever the number of threads, since all of them are whole numbers.
#[derive(Clone, Copy, Default)]
struct Tally {
    points: Mean,
    wins: Mean,
    endings: [u64; 7],
    plies: u64,
}

impl Contest<'_> {
    /// Plays the pairs of these numbers in parallel and reports each as it is finished, on any thread.
    pub fn play(&self, pairs: std::ops::Range<u64>, finished: impl Fn() + Sync) -> Verdict {
        let tally = pairs
            .into_par_iter()
            .map_init(Workspace::default, |workspace, pair| {
                let tally = self.play_pair(pair, workspace);
                finished();
                tally
            })
            .reduce(Tally::default, Tally::and);
        tally.verdict()
    }

    fn play_pair(&self, pair: u64, workspace: &mut Workspace) -> Tally {
        let first = play(self.rules, [self.player, self.opponent], self.seed, pair, workspace);
        let second = play(self.rules, [self.opponent, self.player], self.seed, pair, workspace);
        let mut tally = Tally::default();
        let (mut points, mut half_wins) = (0, 0);
        for (game, sign) in [(first, 1), (second, -1)] {
            let won = sign * game.points;
            points += won;
            half_wins += 1 + won.signum();
            let ending = match (game.ending, won > 0) {
                (Ending::Single, true) => 0,
                (Ending::Mars, true) => 1,
                (Ending::Mother, true) => 2,
                (Ending::Draw, _) => 3,
                (Ending::Single, false) => 4,
                (Ending::Mars, false) => 5,
                (Ending::Mother, false) => 6,
            };
            tally.endings[ending] += 1;
            tally.plies += u64::from(game.plies);
        }
        tally.points.add(points);
        tally.wins.add(half_wins);
        tally
    }
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            points: self.points.and(other.points),
            wins: self.wins.and(other.wins),
            endings: std::array::from_fn(|i| self.endings[i] + other.endings[i]),
            plies: self.plies + other.plies,
        }
    }

    fn verdict(&self) -> Verdict {
        let games = self.endings.iter().sum::<u64>();
        let share = |index: usize| self.endings[index] as f64 / games.max(1) as f64;
        Verdict {
            games,
            // A pair adds up the points of two games, and half wins, four at most.
            points_per_game: self.points.estimate(2.0, -2.0..=2.0),
            win_rate: self.wins.estimate(4.0, 0.0..=1.0),
            rates: Rates {
                win_single: share(0),
                win_mars: share(1),
                win_mother: share(2),
                draw: share(3),
                lose_single: share(4),
                lose_mars: share(5),
                lose_mother: share(6),
            },
            plies: self.plies as f64 / games.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Weights;
    use mahbusa_players::{Heuristic, NetPlayer, Random};

    fn contest<'a>(player: &'a dyn Player, opponent: &'a dyn Player) -> Contest<'a> {
        Contest { rules: Rules::MAHBUSA, player, opponent, seed: 11 }
    }

    #[test]
    fn a_player_against_itself_gets_exactly_nothing() {
        let net = NetPlayer::new(&Weights::random(16, 1));
        for player in [&Random as &dyn Player, &Heuristic, &net] {
            let verdict = contest(player, player).play(0..20, || {});
            assert_eq!(verdict.points_per_game, Estimate { mean: 0.0, low: 0.0, high: 0.0 });
            assert_eq!(verdict.win_rate, Estimate { mean: 0.5, low: 0.5, high: 0.5 });
        }
    }

    #[test]
    fn changing_seats_changes_the_sign_and_nothing_else() {
        let one = contest(&Heuristic, &Random).play(0..50, || {});
        let other = contest(&Random, &Heuristic).play(0..50, || {});
        assert_eq!(one.points_per_game.mean, -other.points_per_game.mean);
        assert_eq!(one.rates.win_mother, other.rates.lose_mother);
        assert_eq!(one.plies, other.plies);
    }

    #[test]
    fn the_heuristic_beats_random_play_soundly() {
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            let verdict = Contest { rules, ..contest(&Heuristic, &Random) }.play(0..1000, || {});
            assert!(verdict.win_rate.low >= 0.95, "{verdict:?}");
            assert!(verdict.points_per_game.low >= 1.5, "{verdict:?}");
        }
    }

    #[test]
    fn the_heuristic_has_not_changed() {
        // Frozen before the first training run: a change would make all strengths measured so far worthless.
        let verdict = |rules| {
            let verdict = Contest { rules, ..contest(&Heuristic, &Random) }.play(0..100, || {});
            (verdict.points_per_game.mean, verdict.rates.win_mother, verdict.plies)
        };
        assert_eq!(verdict(Rules::MAHBUSA), (1.945, 0.7, 55.825));
        assert_eq!(verdict(Rules::TAPA), (1.895, 0.0, 96.055));
    }
}
