//! The sequential test on simulated pairs: how often it is wrong, and how long it takes.
//!
//! The table of `docs/strength.md` comes from here:
//!
//! ```text
//! cargo test --release -p mahbusa-arena --test sequential -- --ignored --nocapture
//! ```

use mahbusa_arena::{Finding, Finish, Pair, Sequence};
use mahbusa_net::random::{Generator, Purpose, generator};
use rand::RngExt;
use rayon::prelude::*;

/// How often pairs were worth -4, -3, ..., 4 points when two nets of `configs/quick.toml`, after 250,000 and after 200,000 games, met
/// in 20,000 games (seed 9). Their standard deviation is 0.85 points a game.
const NEARLY_EQUAL: [f64; 9] = [244., 681., 771., 919., 4573., 993., 856., 703., 260.];
/// Likewise `td-200k` against `heuristic`: 0.92 points a game.
const UNEQUAL: [f64; 9] = [58., 388., 667., 628., 2890., 1660., 1254., 1724., 731.];
/// Two nets that hardly ever play differently.
const TWINS: [f64; 9] = [4., 8., 8., 10., 940., 10., 8., 8., 4.];
/// As lopsided as can be: small gains often, great losses seldom.
const LOPSIDED: [f64; 9] = [20., 0., 0., 0., 0., 80., 0., 0., 0.];

/// Pairs between two looks of the test.
const LOOK_EVERY: usize = 64;

/// Points of pairs with given chances, tilted so that their mean is what is wanted.
struct Pairs {
    /// The chance of at most -4, -3, ... points.
    cumulative: [f64; 9],
    deviation: f64,
}

impl Pairs {
    /// Like `counts`, but with a mean of `points` a game: each chance times `exp(tilt points)`.
    fn with_mean(counts: [f64; 9], points: f64) -> Pairs {
        let tilted = |tilt: f64| {
            let chances: [f64; 9] = std::array::from_fn(|i| counts[i] * (tilt * (i as f64 - 4.0)).exp());
            let total: f64 = chances.iter().sum();
            chances.map(|chance| chance / total)
        };
        // Points a game, to the power given.
        let moment = |chances: &[f64; 9], power| -> f64 {
            chances.iter().enumerate().map(|(i, chance)| chance * ((i as f64 - 4.0) / 2.0).powi(power)).sum()
        };
        let (mut low, mut high) = (-3.0, 3.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            *(if moment(&tilted(middle), 1) < points { &mut low } else { &mut high }) = middle;
        }
        let chances = tilted(low);
        assert!((moment(&chances, 1) - points).abs() < 1e-9);
        let mut sum = 0.0;
        let cumulative = chances.map(|chance| {
            sum += chance;
            sum
        });
        Pairs { cumulative, deviation: (moment(&chances, 2) - points * points).sqrt() }
    }

    fn draw(&self, random: &mut Generator) -> Pair {
        let at = random.random::<f64>();
        let index = self.cumulative.iter().position(|&chance| at < chance).unwrap_or(8);
        let points = index as i64 - 4;
        let game = |points: i64| match points {
            2 => Finish::WinMars,
            1 => Finish::WinSingle,
            0 => Finish::Draw,
            -1 => Finish::LoseSingle,
            _ => Finish::LoseMars,
        };
        Pair { games: [game(points / 2), game(points - points / 2)], plies: 0 }
    }

    /// Plays tests until they are over, or have taken `cap` pairs.
    fn tests(&self, within: f64, cap: usize, tests: u64) -> Vec<Sequence> {
        let test = |number| {
            let mut random = generator(Purpose::Dice, 1, number);
            let mut sequence = Sequence::new(within);
            while (sequence.pairs() as usize) < cap {
                let pairs: Vec<Pair> = (0..LOOK_EVERY).map(|_| self.draw(&mut random)).collect();
                if sequence.extend(&pairs).is_break() {
                    break;
                }
            }
            sequence
        };
        (0..tests).into_par_iter().map(test).collect()
    }
}

/// The share of tests in which this was found.
fn share(tests: &[Sequence], finding: Finding) -> f64 {
    tests.iter().filter(|test| test.finding() == finding).count() as f64 / tests.len() as f64
}

fn mean_pairs(tests: &[Sequence]) -> f64 {
    tests.iter().map(|test| test.pairs() as f64).sum::<f64>() / tests.len() as f64
}

#[test]
fn the_interval_hardly_ever_leaves_out_the_truth_at_any_look() {
    // Never stopped, unlike a real test: looked at 250 times, each as good a moment to be wrong as any other.
    const TESTS: u64 = 2000;
    const LOOKS: usize = 250;
    for (name, counts) in
        [("nearly equal", NEARLY_EQUAL), ("unequal", UNEQUAL), ("twins", TWINS), ("lopsided", LOPSIDED)]
    {
        for (truth, within) in [(0.0, 0.05), (0.0, 0.3), (0.05, 0.05)] {
            let pairs = Pairs::with_mean(counts, truth);
            let misses = (0..TESTS)
                .into_par_iter()
                .filter(|&number| {
                    let mut random = generator(Purpose::Dice, 2, number);
                    let mut sequence = Sequence::new(within);
                    (0..LOOKS).any(|_| {
                        for _ in 0..LOOK_EVERY {
                            sequence.add(&pairs.draw(&mut random));
                        }
                        let interval = sequence.interval();
                        truth < interval.low || interval.high < truth
                    })
                })
                .count();
            let share = misses as f64 / TESTS as f64;
            println!("{name}, truth {truth}, within {within}: {share}");
            assert!(share <= 0.05, "{name}, truth {truth}, within {within}: {share}");
        }
    }
}

#[test]
fn a_difference_that_matters_is_hardly_ever_called_small_and_none_is_hardly_ever_found() {
    for counts in [NEARLY_EQUAL, UNEQUAL, TWINS, LOPSIDED] {
        let within = 0.1;
        let equal = Pairs::with_mean(counts, 0.0).tests(within, 30_000, 2000);
        assert!(share(&equal, Finding::Stronger) + share(&equal, Finding::Weaker) <= 0.05);
        assert!(share(&equal, Finding::Close) >= 0.95);
        let different = Pairs::with_mean(counts, within).tests(within, 30_000, 2000);
        assert!(share(&different, Finding::Close) + share(&different, Finding::Weaker) <= 0.05);
        assert!(share(&different, Finding::Stronger) >= 0.95);
    }
}

#[test]
fn a_great_difference_is_found_soon() {
    let within = 0.05;
    let pairs = |truth| mean_pairs(&Pairs::with_mean(NEARLY_EQUAL, truth).tests(within, 100_000, 300));
    let (great, small, none) = (pairs(0.3), pairs(0.05), pairs(0.0));
    assert!(great < 250.0, "{great}");
    assert!(great < small / 8.0, "{great} {small}");
    assert!(small < 5000.0 && none < 5000.0, "{small} {none}");
}

/// Not a test: the table of `docs/strength.md`.
#[test]
#[ignore = "prints a table, and takes half a minute"]
fn how_many_games_a_claim_needs() {
    println!("| D | fixed, 80 % | fixed, 99 % | until clear: it is 0 | it is D | it is 2 D |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for difference in [0.5, 0.2, 0.1, 0.05, 0.02, 0.01] {
        let games = |z: f64| {
            let deviation = Pairs::with_mean(NEARLY_EQUAL, difference).deviation;
            2.0 * (z * deviation / difference).powi(2)
        };
        let sequential = [0.0, 1.0, 2.0].map(|factor| {
            let tests = Pairs::with_mean(NEARLY_EQUAL, factor * difference).tests(difference, 2_000_000, 400);
            let right = if factor == 0.0 { Finding::Close } else { Finding::Stronger };
            format!("{:.0} ({:.1} % right)", 2.0 * mean_pairs(&tests), 100.0 * share(&tests, right))
        });
        // The quantiles of the normal distribution at 97.5 %, 80 % and 99 %.
        println!(
            "| {difference} | {:.0} | {:.0} | {} |",
            games(1.96 + 0.842),
            games(1.96 + 2.326),
            sequential.join(" | ")
        );
    }
}
