//! Ranking players who have all met each other.
//!
//! **Elo** is the Bradley-Terry model (Bradley and Terry 1952): a player who stands `d` points above another is expected to win
//! `1 / (1 + 10^(-d / 400))` of their games, a draw counting half a win. The ratings are those of maximum likelihood, found by
//! Newton's method (Hunter 2004 shows that they exist and are unique if nobody wins everything). So that they always exist, each
//! meeting is given one drawn game more than was played; with a thousand games and a win rate of 80 % that takes away 0.3 points.
//!
//! **Intervals.** All meetings use the same dice for the pair of the same number, so results of different meetings depend on each other.
//! The intervals of Elo are therefore those of a bootstrap over the *numbers* of the pairs (Efron 1979): pair numbers are drawn again
//! with replacement, each with its results in all meetings, the fit is repeated, and the interval is what the middle 95 % of
//! [`REPLICATES`] fits span. Points a game and win rate are means over pair numbers, of the mean over opponents.

use mahbusa_net::random::{Purpose, generator};
use rand::RngExt;
use rayon::prelude::*;

use crate::{Estimate, Mean, Pair};

/// How often the results are drawn again.
const REPLICATES: u64 = 1000;

/// With fewer pairs nothing is said of how sure the ratings are: pairs that happen to agree would look like certainty.
const FEWEST_PAIRS: usize = 32;

/// Where the players of a ladder stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// Pairs of each meeting.
    pub pairs: u64,
    /// The player whose Elo is 0 by definition.
    pub reference: usize,
    /// One a player, in the order of the players.
    pub rungs: Vec<Rung>,
}

/// Where a player stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// From 1, the strongest.
    pub rank: usize,
    /// Elo above the reference; without bounds where there are fewer than 32 pairs a meeting.
    pub elo: Estimate,
    /// Points a game, the mean over all opponents, -2..=2.
    pub points_per_game: Estimate,
    /// Share of games won, a draw counting half, the mean over all opponents, 0..=1.
    pub win_rate: Estimate,
    /// How sure it is that this player is stronger, by Elo, than the one of the next rank: the share of replicates that say so, a tie
    /// counting half. None for the last, and where there are fewer than 32 pairs a meeting.
    pub above_next: Option<f64>,
}

/// Who meets whom: all pairs of players, the first with each one after it, then the second, and so on.
pub fn meetings_of(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |player| (player + 1..players).map(move |opponent| (player, opponent)))
}

impl Ladder {
    /// Ranks players by what they have played, as far as all meetings have come: `results` holds the pairs of [`meetings_of`] in that
    /// order, each for its first player. `seed` is that of the bootstrap. None when there are fewer than two players, or no pair yet.
    ///
    /// # Panics
    /// When `results` are not as many as there are meetings.
    pub fn of(players: usize, results: &[&[Pair]], reference: usize, seed: u64) -> Option<Ladder> {
        assert_eq!(results.len(), meetings_of(players).count(), "one list of pairs a meeting");
        let pairs = results.iter().map(|pairs| pairs.len()).min().filter(|&pairs| pairs > 0)?;
        let half_wins: Vec<Vec<u32>> =
            results.iter().map(|result| result[..pairs].iter().map(|pair| pair.half_wins() as u32).collect()).collect();
        let fitted = |counts: Option<&[u32]>, start: &[f64]| {
            let scores = half_wins.iter().map(|half_wins| {
                let sum: u32 = match counts {
                    Some(counts) => half_wins.iter().zip(counts).map(|(half, count)| half * count).sum(),
                    None => half_wins.iter().sum(),
                };
                f64::from(sum) / 2.0
            });
            let scores: Vec<f64> = scores.collect();
            fit(players, &scores, 2.0 * pairs as f64, start)
        };
        let strengths = fitted(None, &vec![0.0; players]);
        let replicates: Vec<Vec<f64>> = (0..REPLICATES)
            .into_par_iter()
            .map(|number| {
                let mut random = generator(Purpose::Resample, seed, number);
                let mut counts = vec![0; pairs];
                (0..pairs).for_each(|_| counts[random.random_range(0..pairs)] += 1);
                fitted(Some(&counts), &strengths)
            })
            .collect();

        let mut by_rank: Vec<usize> = (0..players).collect();
        by_rank.sort_by(|&a, &b| strengths[b].total_cmp(&strengths[a]));
        let rungs = (0..players)
            .map(|player| {
                let above = |strengths: &[f64]| ELO * (strengths[player] - strengths[reference]);
                let place = by_rank.iter().position(|&other| other == player).unwrap_or(players);
                let enough = pairs >= FEWEST_PAIRS;
                let above_next = by_rank.get(place + 1).filter(|_| enough).map(|&next| {
                    let above = replicates.iter().map(|strengths| match strengths[player] - strengths[next] {
                        gap if gap.abs() < EQUAL => 0.5,
                        gap => f64::from(gap > 0.0),
                    });
                    above.sum::<f64>() / REPLICATES as f64
                });
                let [low, high] = if enough || player == reference {
                    middle(replicates.iter().map(|strengths| above(strengths)).collect())
                } else {
                    [f64::NEG_INFINITY, f64::INFINITY]
                };
                let [points, wins] = means(player, players, results, pairs);
                let opponents = players as f64 - 1.0;
                Rung {
                    rank: place + 1,
                    elo: Estimate { mean: above(&strengths), low, high },
                    points_per_game: points.estimate(2.0 * opponents, -2.0..=2.0),
                    win_rate: wins.estimate(4.0 * opponents, 0.0..=1.0),
                    above_next,
                }
            })
            .collect();
        Some(Ladder { pairs: pairs as u64, reference, rungs })
    }
}

/// Points of Elo in a unit of natural log-odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Strengths that differ by less, in natural log-odds, are the same but for rounding.
const EQUAL: f64 = 1e-7;

/// Points and half wins of a player, summed over all opponents, pair by pair.
fn means(player: usize, players: usize, results: &[&[Pair]], pairs: usize) -> [Mean; 2] {
    let (mut points, mut wins) = (Mean::default(), Mean::default());
    for pair in 0..pairs {
        let (mut of_points, mut of_wins) = (0, 0);
        for (result, (first, second)) in results.iter().zip(meetings_of(players)) {
            let pair = &result[pair];
            if first == player {
                of_points += pair.points();
                of_wins += pair.half_wins();
            } else if second == player {
                of_points -= pair.points();
                of_wins += 4 - pair.half_wins();
            }
        }
        points.add(of_points);
        wins.add(of_wins);
    }
    [points, wins]
}

/// The ends of the middle 95 % of some numbers.
fn middle(mut numbers: Vec<f64>) -> [f64; 2] {
    numbers.sort_by(f64::total_cmp);
    let at = |share: f64| numbers[(share * (numbers.len() - 1) as f64).round() as usize];
    [at(0.025), at(0.975)]
}

/// The Bradley-Terry strengths in natural log-odds, with sum 0, of players who met each other in as many games each.
/// `scores` are those of the first player of each meeting, 0..=games.
fn fit(players: usize, scores: &[f64], games: f64, start: &[f64]) -> Vec<f64> {
    // Far more than Newton's method needs; close enough that no digit that is shown can change.
    const STEPS: usize = 200;
    const ENOUGH: f64 = 1e-9;
    // Farther from the solution a whole step can overshoot.
    const LONGEST: f64 = 2.0;

    let games = games + 1.0;
    let mut strengths = start.to_vec();
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; players];
        // Minus the second derivative; adding the same number everywhere fixes the sum of the strengths, which is free.
        let mut curvature = vec![games / players as f64; players * players];
        for ((a, b), score) in meetings_of(players).zip(scores) {
            let expected = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
            let missing = score + 0.5 - games * expected;
            gradient[a] += missing;
            gradient[b] -= missing;
            let weight = games * expected * (1.0 - expected);
            curvature[a * players + a] += weight;
            curvature[b * players + b] += weight;
            curvature[a * players + b] -= weight;
            curvature[b * players + a] -= weight;
        }
        solve(&mut curvature, &mut gradient);
        let longest = gradient.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
        let share = (LONGEST / longest).min(1.0);
        strengths.iter_mut().zip(&gradient).for_each(|(strength, step)| *strength += share * step);
        if longest < ENOUGH {
            break;
        }
    }
    strengths
}

/// Solves `matrix x = vector` for a symmetric positive definite matrix, by elimination; `x` replaces the vector.
fn solve(matrix: &mut [f64], vector: &mut [f64]) {
    let n = vector.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            for j in k..n {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
            vector[i] -= factor * vector[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k * n + j] * vector[j]).sum();
        vector[k] = (vector[k] - known) / matrix[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Finish;

    /// Results of players of known strength. Games of one number use the same luck in all meetings.
    fn results(elo: &[f64], pairs: usize, seed: u64) -> Vec<Vec<Pair>> {
        let mut random = generator(Purpose::Dice, seed, 0);
        let luck: Vec<[f64; 2]> = (0..pairs).map(|_| [random.random(), random.random()]).collect();
        let play = |(a, b): (usize, usize)| {
            let expected = 1.0 / (1.0 + 10f64.powf((elo[b] - elo[a]) / 400.0));
            let game = |luck: f64| if luck < expected { Finish::WinSingle } else { Finish::LoseMars };
            luck.iter().map(|luck| Pair { games: luck.map(game), plies: 1 }).collect()
        };
        meetings_of(elo.len()).map(play).collect()
    }

    fn ladder(elo: &[f64], pairs: usize, seed: u64) -> Ladder {
        let results = results(elo, pairs, seed);
        let results: Vec<&[Pair]> = results.iter().map(Vec::as_slice).collect();
        Ladder::of(elo.len(), &results, 0, seed).unwrap()
    }

    #[test]
    fn two_players_get_the_elo_of_their_win_rate() {
        // 30 wins of 39, and the drawn game: log-odds of 30.5 to 9.5.
        let strengths = fit(2, &[30.0], 39.0, &[0.0, 0.0]);
        assert!((ELO * (strengths[0] - strengths[1]) - 400.0 * (30.5f64 / 9.5).log10()).abs() < 1e-9);
        assert!((strengths[0] + strengths[1]).abs() < 1e-12);
    }

    #[test]
    fn scores_that_fit_the_model_give_back_its_strengths() {
        let elo = [0.0, 100.0, 350.0, -70.0];
        let games = 1000.0;
        let expected = |a: usize, b: usize| 1.0 / (1.0 + 10f64.powf((elo[b] - elo[a]) / 400.0));
        // What is left after the drawn game.
        let scores: Vec<f64> = meetings_of(4).map(|(a, b)| (games + 1.0) * expected(a, b) - 0.5).collect();
        let strengths = fit(4, &scores, games, &[0.0; 4]);
        for player in 0..4 {
            assert!((ELO * (strengths[player] - strengths[0]) - elo[player]).abs() < 1e-6, "{strengths:?}");
        }
    }

    #[test]
    fn who_wins_everything_gets_a_finite_elo() {
        let ladder = ladder(&[0.0, 1e5, 2e5], 500, 1);
        assert_eq!(ladder.rungs.iter().map(|rung| rung.rank).collect::<Vec<_>>(), [3, 2, 1]);
        assert!(ladder.rungs.iter().all(|rung| rung.elo.mean.is_finite() && rung.elo.mean < 5000.0));
        assert!((1.9..2.0).contains(&ladder.rungs[2].points_per_game.low));
        assert_eq!(ladder.rungs[1].above_next, Some(1.0));
        assert_eq!(ladder.rungs[0].above_next, None);
    }

    #[test]
    fn equal_players_are_told_to_be_equal() {
        let pairs = vec![Pair { games: [Finish::WinSingle, Finish::LoseSingle], plies: 1 }; 50];
        let ladder = Ladder::of(2, &[&pairs], 1, 1).unwrap();
        for rung in &ladder.rungs {
            assert!(rung.elo.mean.abs() < 1e-9 && rung.elo.low.abs() < 1e-9 && rung.elo.high.abs() < 1e-9);
            assert_eq!(rung.win_rate, Estimate { mean: 0.5, low: 0.5, high: 0.5 });
            assert!(rung.above_next.is_none_or(|share| share == 0.5));
        }
        assert_eq!(Ladder::of(2, &[&[]], 0, 1), None);
        assert_eq!(Ladder::of(1, &[], 0, 1), None);
    }

    #[test]
    fn intervals_cover_the_truth_about_as_often_as_they_say() {
        let elo = [0.0, 40.0, 90.0, 300.0];
        let (mut elo_covered, mut points_covered, mut of) = (0, 0, 0);
        for seed in 0..200 {
            let ladder = ladder(&elo, 300, seed);
            for (player, rung) in ladder.rungs.iter().enumerate().skip(1) {
                let wins: f64 = elo
                    .iter()
                    .enumerate()
                    .filter(|&(other, _)| other != player)
                    .map(|(_, other)| 1.0 / (1.0 + 10f64.powf((other - elo[player]) / 400.0)))
                    .sum::<f64>()
                    / 3.0;
                of += 1;
                elo_covered += u32::from(rung.elo.low <= elo[player] && elo[player] <= rung.elo.high);
                points_covered += u32::from(rung.win_rate.low <= wins && wins <= rung.win_rate.high);
            }
        }
        for covered in [elo_covered, points_covered] {
            let share = f64::from(covered) / f64::from(of);
            assert!((0.93..0.97).contains(&share), "{share}");
        }
    }
}
