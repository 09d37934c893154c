//! What a run would do and take, before it begins.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mahbusa_arena::Contest;
use mahbusa_exact::Endings;
use mahbusa_net::{NetFile, Weights};
use mahbusa_players::{Heuristic, NetPlayer, Player};
use serde::Serialize;

use crate::checkpoint::{Best, Checkpoint};
use crate::config::{Config, OutputConfig, TrainConfig};
use crate::cycle::Cycle;
use crate::folder::Given;
use crate::learner::OptimiserState;
use crate::lessons::Lessons;
use crate::trainer::{TrainError, pool};

/// Bytes of a line of `metrics.jsonl` without a measurement, and of a measurement; about.
const METRICS_LINE: u64 = 500;
const METRICS_MEASUREMENT: u64 = 700;

/// Bytes of the page that `mahbusa train` writes beside the run, at most, about: it does not grow with the games.
const PAGE: u64 = 300_000;

/// What a run would do, counted from its configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// Self-play games.
    pub games: u64,
    /// Generations that they are played in.
    pub generations: u64,
    /// Numbers of the net.
    pub parameters: usize,
    /// Measurements of strength, that at the last game included, the closing one left out.
    pub measurements: u64,
    /// Games of all measurements, the closing one included.
    pub measured_games: u64,
    /// Checkpoints written.
    pub checkpoints: u64,
    /// Checkpoints left at the end, at most.
    pub checkpoints_kept: u64,
    /// Bytes of a checkpoint.
    pub checkpoint_bytes: u64,
    /// Nets kept in `nets/`.
    pub nets_kept: u64,
    /// Bytes of a net.
    pub net_bytes: u64,
    /// Bytes of the run folder when it is largest, about.
    pub disk_bytes: u64,
}

impl Plan {
    /// The plan of a configuration and the nets that the run is given.
    pub fn of(config: &Config, given: &Given) -> Plan {
        let Config { rules, train, evaluation, output, .. } = config;
        let weights = Weights::random(config.net.shape(), config.seed);
        let parameters = weights.parameters();
        let net_bytes = NetFile { rules: *rules, games: 0, weights: weights.clone() }.to_bytes().len() as u64;
        let moments = vec![0.0; parameters];
        let checkpoint = Checkpoint {
            generation: 0,
            games: 0,
            positions: 0,
            seconds: 0.0,
            weights: weights.clone(),
            previous: weights.clone(),
            optimiser: OptimiserState { updates: 0, first: moments.clone(), second: moments },
            best: Some(Best { games: 0, weights }),
        };
        let checkpoint_bytes = checkpoint.to_bytes(*rules).len() as u64;
        let measurements = times(train, evaluation.every);
        let checkpoints = times(train, output.checkpoint_every);
        let checkpoints_kept = kept(train, output, checkpoints);
        let nets_kept = if output.keep_nets { measurements } else { 0 };
        let lines = measurements + checkpoints + times(train, output.metrics_every);
        Plan {
            games: train.games,
            generations: train.games.div_ceil(train.generation),
            parameters,
            measurements,
            // The first net has no best one before it.
            measured_games: (2 * measurements - 1) * evaluation.games + evaluation.final_games,
            checkpoints,
            checkpoints_kept,
            checkpoint_bytes,
            nets_kept,
            net_bytes,
            // A checkpoint is written before another one goes; there are the best net, the final one, and those that were given.
            disk_bytes: (checkpoints_kept + 1) * checkpoint_bytes
                + (nets_kept + 2 + u64::from(given.init.is_some())) * net_bytes
                + given.teachers.iter().map(|teacher| teacher.to_bytes().len() as u64).sum::<u64>()
                + lines.min(train.games.div_ceil(train.generation)) * METRICS_LINE
                + measurements * METRICS_MEASUREMENT
                + PAGE,
        }
    }

    /// Seconds that the run would take at this speed.
    pub fn seconds(&self, speed: &Speed) -> f64 {
        self.games as f64 / speed.games + self.measured_games as f64 / speed.measured_games
    }
}

/// How often something is done that is due every so many games, and at the last one.
fn times(train: &TrainConfig, every: u64) -> u64 {
    let last_begins = (train.games - 1) / train.generation * train.generation;
    // What is due several times in a generation is done once, at its end.
    1 + last_begins / every.max(train.generation)
}

/// Of so many checkpoints those that are left at the end, at most.
fn kept(train: &TrainConfig, output: &OutputConfig, checkpoints: u64) -> u64 {
    let for_good = train.games.checked_div(output.keep_every).unwrap_or(0);
    checkpoints.min(for_good.saturating_add(output.keep as u64))
}

/// How fast a run would be on this machine as busy as it is now.
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// Threads that played and learnt.
    pub threads: usize,
    /// Self-play games played and learnt a second.
    pub games: f64,
    /// Games of measurements a second.
    pub measured_games: f64,
    /// The most memory that this process has had, in bytes, where the system says it.
    pub memory: Option<u64>,
}

impl Speed {
    /// Trains for about so long with the nets that the run is given, and measures for about a third of it more. Writes nothing.
    ///
    /// # Errors
    /// When threads cannot be started, or the numbers run away in this short time already.
    pub fn measure(
        config: &Config,
        given: &Given,
        endings: &Arc<Endings>,
        time: Duration,
    ) -> Result<Speed, TrainError> {
        // The first game that needs the table would wait for it.
        endings.table();
        let mut config = config.clone();
        // No end within the time; and generations short enough for it, which costs a game as much.
        config.train.games = u64::MAX >> 8;
        config.train.generation = config.train.generation.min(128);
        let source = Lessons::new(&config, given, endings);
        let pool = pool(config.threads)?;
        pool.install(|| {
            let mut cycle = Cycle::beginning(&config, &source, given.init.as_ref());
            let begun = Instant::now();
            let mut games = cycle.first_games();
            // The first games of a net that knows nothing are like no later ones.
            while begun.elapsed() < time / 3 {
                games = cycle.learn_and_play(&games)?;
            }
            let (warm, warm_games) = (Instant::now(), cycle.games);
            while begun.elapsed() < time || cycle.games == warm_games {
                games = cycle.learn_and_play(&games)?;
            }
            let games = (cycle.games - warm_games) as f64 / warm.elapsed().as_secs_f64();
            Ok(Speed {
                threads: rayon::current_num_threads(),
                games,
                measured_games: measurements_a_second(&config, &cycle.weights, endings, time / 3),
                memory: peak_memory(),
            })
        })
    }
}

/// Games a second against the heuristic player and against a net, in equal numbers, as measurements play them.
fn measurements_a_second(config: &Config, weights: &Weights, endings: &Arc<Endings>, time: Duration) -> f64 {
    let player = NetPlayer::new(weights).with_endings(Arc::clone(endings));
    let pairs = 2 * rayon::current_num_threads() as u64;
    let (begun, mut played) = (Instant::now(), 0);
    while played == 0 || begun.elapsed() < time {
        for opponent in [&Heuristic as &dyn Player, &player] {
            let contest = Contest { rules: config.rules, player: &player, opponent, seed: config.seed };
            contest.play(played..played + pairs, || {});
        }
        played += pairs;
    }
    // Each pair number is two games against each of two opponents.
    4.0 * played as f64 / begun.elapsed().as_secs_f64()
}

/// The most memory that this process has had, in bytes; known on Linux only.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}

#[cfg(test)]
mod tests {
    use mahbusa_exact::Cache;

    use super::*;

    /// What is done after each generation, counted one by one.
    fn counted(train: &TrainConfig, every: u64) -> u64 {
        let ends = (1..).map(|k| (k * train.generation).min(train.games));
        let mut before = 0;
        let mut count = 0;
        for end in ends {
            count += u64::from(end == train.games || before / every != end / every);
            before = end;
            if end == train.games {
                break;
            }
        }
        count
    }

    #[test]
    fn what_is_due_every_so_many_games_is_counted_as_a_run_does_it() {
        for games in [1, 31, 32, 33, 1000, 1024] {
            for generation in [1, 7, 32, 100] {
                for every in [1, 5, 32, 33, 100, 250, 1000, 5000] {
                    let train = TrainConfig { games, generation, ..TrainConfig::default() };
                    assert_eq!(times(&train, every), counted(&train, every), "{games} {generation} {every}");
                }
            }
        }
    }

    #[test]
    fn a_machine_has_a_speed() {
        let assignments = ["net.hidden=16", "rules=mahbusa,checkers=2", "threads=1"].map(str::to_owned);
        let config = Config::from_text("", "", &assignments).unwrap();
        let endings = Arc::new(Endings::new(Cache::of_user()));
        let speed = Speed::measure(&config, &Given::default(), &endings, Duration::from_millis(30)).unwrap();
        assert!(speed.games > 0.0 && speed.measured_games > 0.0);
        assert_eq!(speed.threads, 1);
        assert!(Plan::of(&config, &Given::default()).seconds(&speed) > 0.0);
    }
}
