//! How games go when a player meets itself.

use std::collections::BTreeMap;
use std::ops::Range;

use mahbusa_players::{Player, Workspace};
use mahbusa_rules::Rules;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::game::play_watched;
use crate::{Estimate, Finish, Mean};

/// How games go when a player meets itself: counts, so that parts can be put together in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// Games by how they went for the side that opened, in the order of [`Finish::ALL`].
    finishes: [u64; Finish::ALL.len()],
    /// Games by their number of plies, passes included.
    lengths: BTreeMap<u32, u64>,
    /// Turns in which nothing could be played.
    passes: u64,
    /// Games with at least one of those.
    games_with_a_pass: u64,
    /// Pins that stood after a turn and had not stood before it.
    pins: u64,
}

/// What the games of [`Facts`] were like. Intervals are 95 % intervals over games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// Points a game of the side that opens: what moving first is worth.
    pub first_mover_points: Estimate,
    /// Share of decided games that the side won which opened.
    pub first_mover_wins: Estimate,
    /// How games ended, as shares of all; for whoever won them.
    pub endings: EndingShares,
    /// The same for the side that opened.
    pub first_mover: Vec<Share>,
    /// Plies a game, passes included.
    pub plies: Estimate,
    /// The plies that one game of twenty does not reach, one of two does not, and nineteen of twenty do not.
    pub plies_quantiles: [u32; 3],
    /// Plies of the longest game.
    pub longest: u32,
    /// Passes a game, of both sides.
    pub passes: f64,
    /// Share of games in which somebody had to pass.
    pub games_with_a_pass: f64,
    /// Pins a game, of both sides.
    pub pins: f64,
}

/// How games ended, as shares of all games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EndingShares {
    /// By one point.
    pub single: Estimate,
    /// By mars.
    pub mars: Estimate,
    /// By pinning the mother.
    pub mother: Estimate,
    /// By nobody.
    pub draw: Estimate,
}

/// A kind of end and its share of all games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// What happened.
    pub finish: Finish,
    /// How often.
    pub share: f64,
}

impl Facts {
    /// Plays the games with these numbers on the threads of the current rayon pool; the player has both sides. Each finished game is reported, on any
    /// thread.
    pub fn play(
        rules: Rules,
        player: &dyn Player,
        seed: u64,
        numbers: Range<u64>,
        finished: impl Fn() + Sync,
    ) -> Facts {
        numbers
            .into_par_iter()
            .map_init(Workspace::default, |workspace, number| {
                let facts = Facts::of_game(rules, player, seed, number, workspace);
                finished();
                facts
            })
            .reduce(Facts::default, |mut sum, facts| {
                sum.add(&facts);
                sum
            })
    }

    fn of_game(rules: Rules, player: &dyn Player, seed: u64, number: u64, workspace: &mut Workspace) -> Facts {
        let (mut passes, mut pins) = (0, 0);
        let game = play_watched(rules, [player, player], seed, number, workspace, |before, after| match after {
            Some(after) => pins += (after.their_trapped() & !before.their_trapped()).count_ones(),
            None => passes += 1,
        });
        let mut finishes = [0; Finish::ALL.len()];
        finishes[Finish::of(game.ending, game.points) as usize] = 1;
        Facts {
            finishes,
            lengths: BTreeMap::from([(game.plies, 1)]),
            passes,
            games_with_a_pass: u64::from(passes > 0),
            pins: pins.into(),
        }
    }

    /// Adds the games of another part.
    pub fn add(&mut self, other: &Facts) {
        self.finishes.iter_mut().zip(other.finishes).for_each(|(sum, games)| *sum += games);
        for (&plies, &games) in &other.lengths {
            *self.lengths.entry(plies).or_default() += games;
        }
        self.passes += other.passes;
        self.games_with_a_pass += other.games_with_a_pass;
        self.pins += other.pins;
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.finishes.iter().sum()
    }

    /// What they were like.
    pub fn summary(&self) -> Summary {
        let games = self.games();
        let counted = || Finish::ALL.into_iter().zip(self.finishes);
        let (mut points, mut wins, mut plies) = (Mean::default(), Mean::default(), Mean::default());
        for (finish, games) in counted() {
            points.add_times(finish.points(), games);
            if finish != Finish::Draw {
                wins.add_times(i64::from(finish.points() > 0), games);
            }
        }
        for (&length, &games) in &self.lengths {
            plies.add_times(length.into(), games);
        }
        let share = |kinds: [Finish; 2]| {
            let mut share = Mean::default();
            counted().for_each(|(finish, games)| share.add_times(kinds.contains(&finish).into(), games));
            share.estimate(1.0, 0.0..=1.0)
        };
        let a_game = |count: u64| count as f64 / games.max(1) as f64;
        Summary {
            games,
            first_mover_points: points.estimate(1.0, -2.0..=2.0),
            first_mover_wins: wins.estimate(1.0, 0.0..=1.0),
            endings: EndingShares {
                single: share([Finish::WinSingle, Finish::LoseSingle]),
                mars: share([Finish::WinMars, Finish::LoseMars]),
                mother: share([Finish::WinMother, Finish::LoseMother]),
                draw: share([Finish::Draw; 2]),
            },
            first_mover: counted().map(|(finish, games)| Share { finish, share: a_game(games) }).collect(),
            plies: plies.estimate(1.0, 0.0..=f64::from(u32::MAX)),
            plies_quantiles: [0.05, 0.5, 0.95].map(|share| self.quantile(share)),
            longest: self.lengths.last_key_value().map_or(0, |(&plies, _)| plies),
            passes: a_game(self.passes),
            games_with_a_pass: a_game(self.games_with_a_pass),
            pins: a_game(self.pins),
        }
    }

    /// The number of plies that this share of the games does not exceed.
    fn quantile(&self, share: f64) -> u32 {
        let wanted = share * self.games() as f64;
        let mut games = 0;
        for (&plies, &count) in &self.lengths {
            games += count;
            if games as f64 >= wanted {
                return plies;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_players::Heuristic;

    #[test]
    fn parts_make_the_whole_and_shares_add_up() {
        let play = |numbers| Facts::play(Rules::MAHBUSA, &Heuristic, 3, numbers, || {});
        let mut parts = play(20..60);
        parts.add(&play(0..20));
        assert_eq!(parts, play(0..60));
        assert_eq!(parts, serde_json::from_str(&serde_json::to_string(&parts).unwrap()).unwrap());
        let summary = parts.summary();
        let EndingShares { single, mars, mother, draw } = summary.endings;
        assert_eq!(summary.games, 60);
        assert!((single.mean + mars.mean + mother.mean + draw.mean - 1.0).abs() < 1e-12);
        assert!((summary.first_mover.iter().map(|share| share.share).sum::<f64>() - 1.0).abs() < 1e-12);
        let [low, median, high] = summary.plies_quantiles;
        assert!(low < median && median < high && high <= summary.longest);
        assert!(summary.pins > 1.0 && summary.passes >= summary.games_with_a_pass);
    }

    #[test]
    fn no_games_are_no_facts() {
        let summary = Facts::default().summary();
        assert_eq!((summary.games, summary.longest, summary.pins), (0, 0, 0.0));
    }
}
