//! The main loop: games become targets, targets become weights, weights play the next games.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use burn::tensor::Device;
use mahbusa_arena::{Contest, Verdict};
use mahbusa_exact::Endings;
use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{NetFile, Weights};
use mahbusa_players::{Heuristic, NetPlayer, Player};
use mahbusa_rules::Rules;
use mahbusa_selfplay::{Game, GameSource, SelfPlay};
use rand::seq::SliceRandom;

use crate::batch::Batch;
use crate::checkpoint::{Best, Checkpoint};
use crate::config::{Config, EvaluationConfig, Schedule, Taught, TrainConfig};
use crate::folder::{FolderError, MetricsFile, RunFolder};
use crate::learner::{AdamSettings, Learner};
use crate::metrics::{Interval, Metrics, Strength, Totals};
use crate::targets::{Sample, samples};

/// Above this mean cross-entropy (nats) of a batch a run has diverged: a net that knows nothing has ln 5 = 1.6.
const DIVERGED: f32 = 8.0;

/// Apart from the seed of all measurements on the way, so that the last one judges a net on dice that did not choose it.
const FINAL_SEED: u64 = 0x6669_6e61_6c00_0000;

/// When a run is to pause.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to pause after the current generation.
    pub interrupted: &'a AtomicBool,
    /// Pauses after this time.
    pub stop_after: Option<Duration>,
    /// The bear-off table, which players use and nets may be taught.
    pub endings: &'a Arc<Endings>,
}

/// How a call of [`train`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All games have been learnt.
    Complete,
    /// The run was complete before.
    WasComplete,
    /// The run was told to pause; its state is saved.
    Paused {
        /// Games learnt so far.
        games: u64,
    },
}

/// A run that could not go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Something is wrong with the run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The numbers ran away.
    #[error(
        "the run has diverged: loss {loss} after {games} games; what it has saved before is untouched. \
         Try a lower train.learning_rate"
    )]
    Diverged {
        /// Games learnt until then.
        games: u64,
        /// The loss of the batch, in nats.
        loss: f32,
    },
    /// Threads could not be started.
    #[error("cannot start {threads} threads: {message}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why not.
        message: String,
    },
}

/// What happens during a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The run begins, or goes on.
    Begun {
        /// Games learnt so far.
        games: u64,
    },
    /// A damaged checkpoint is passed over for the one before.
    Skipped {
        /// What is wrong with it.
        error: &'a FolderError,
    },
    /// A generation has been learnt.
    Learnt {
        /// Games learnt so far.
        games: u64,
        /// Recent mean loss in nats.
        loss: Option<f64>,
    },
    /// Strength is being measured.
    Measuring {
        /// Against whom.
        opponent: &'a str,
        /// Games that it takes.
        games: u64,
    },
    /// Two games of a measurement are over.
    PairPlayed,
    /// Strength has been measured.
    Measured {
        /// Games learnt so far.
        games: u64,
        /// What was found.
        strength: &'a Strength,
        /// Whether this is the strongest net so far.
        best: bool,
    },
    /// A line has been added to `metrics.jsonl`.
    Noted {
        /// What it says.
        metrics: &'a Metrics,
    },
}

/// Someone who watches a run, from any thread.
pub trait Observer: Sync {
    /// Something has happened.
    fn observe(&self, event: Event<'_>);
}

/// Runs, or goes on with, the training in a folder until it is complete or told to pause.
///
/// # Errors
/// When the folder cannot be used, or the run diverges; what was saved before stays.
pub fn train(folder: &RunFolder, control: Control<'_>, observer: &dyn Observer) -> Result<Ended, TrainError> {
    if folder.is_complete() {
        return Ok(Ended::WasComplete);
    }
    let config = folder.config();
    let endings = (config.train.endings == Taught::Exact).then(|| Arc::clone(control.endings));
    let source = SelfPlay { rules: config.rules, seed: config.seed, endings };
    pool(config.threads)?.install(|| Trainer::open(folder, &source, control.endings, observer)?.run(control))
}

/// The strength of a net against the heuristic player on dice that no net of the run was chosen by.
///
/// # Errors
/// When threads cannot be started.
pub fn final_verdict(
    config: &Config,
    weights: &Weights,
    endings: &Arc<Endings>,
    observer: &dyn Observer,
) -> Result<Verdict, TrainError> {
    let player = NetPlayer::new(weights).with_endings(Arc::clone(endings));
    let games = config.evaluation.final_games;
    let seed = config.seed ^ FINAL_SEED;
    pool(config.threads)?.install(|| Ok(measure(config.rules, &player, &Heuristic, "heuristic", games, seed, observer)))
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, TrainError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| TrainError::Threads { threads, message: error.to_string() })
}

fn measure(
    rules: Rules,
    player: &dyn Player,
    opponent: &dyn Player,
    name: &str,
    games: u64,
    seed: u64,
    observer: &dyn Observer,
) -> Verdict {
    observer.observe(Event::Measuring { opponent: name, games });
    Contest { rules, player, opponent, seed }.play(0..games / 2, || observer.observe(Event::PairPlayed))
}

struct Trainer<'a> {
    folder: &'a RunFolder,
    config: &'a Config,
    source: &'a dyn GameSource,
    endings: &'a Arc<Endings>,
    observer: &'a dyn Observer,
    learner: Learner,
    /// The weights after the last generation learnt.
    weights: Weights,
    /// The weights one generation before: they play the next one.
    previous: Weights,
    generation: u64,
    games: u64,
    positions: u64,
    best: Option<Best>,
    metrics: MetricsFile,
    interval: Interval,
    clock: Clock,
}

/// Time spent on the run, pauses left out.
struct Clock {
    before: f64,
    started: Instant,
    interval_started: Instant,
}

impl<'a> Trainer<'a> {
    fn open(
        folder: &'a RunFolder,
        source: &'a dyn GameSource,
        endings: &'a Arc<Endings>,
        observer: &'a dyn Observer,
    ) -> Result<Trainer<'a>, TrainError> {
        let config = folder.config();
        let adam = AdamSettings { beta1: config.train.beta1, beta2: config.train.beta2, epsilon: config.train.epsilon };
        let checkpoint = folder.newest_checkpoint(|error| observer.observe(Event::Skipped { error }))?;
        let weights = match (&checkpoint, folder.init()) {
            (Some(checkpoint), _) => checkpoint.weights.clone(),
            (None, Some(init)) => init.weights.clone(),
            (None, None) => Weights::random(config.net.shape(), config.seed).seeing(config.net.inputs),
        };
        let learner =
            match &checkpoint {
                Some(checkpoint) => Learner::restore(&weights, adam, Device::flex(), &checkpoint.optimiser)
                    .ok_or_else(|| FolderError::Foreign {
                        path: folder.path().to_owned(),
                        why: "the optimiser state of its checkpoint does not fit the net".to_owned(),
                    })?,
                None => Learner::new(&weights, adam, Device::flex()),
            };
        let (generation, games, positions, seconds, previous, best) = match checkpoint {
            Some(c) => (c.generation, c.games, c.positions, c.seconds, c.previous, c.best),
            None => (0, 0, 0, 0.0, weights.clone(), None),
        };
        if let Some(best) = &best {
            // A run that was killed may have measured another net and not saved its state.
            folder.write_best(&net_file(config.rules, best.games, &best.weights))?;
        }
        folder.forget_nets_past(games)?;
        let now = Instant::now();
        Ok(Trainer {
            folder,
            config,
            source,
            endings,
            observer,
            learner,
            weights,
            previous,
            generation,
            games,
            positions,
            best,
            metrics: folder.metrics(games)?,
            interval: Interval::default(),
            clock: Clock { before: seconds, started: now, interval_started: now },
        })
    }

    fn run(mut self, control: Control<'_>) -> Result<Ended, TrainError> {
        self.observer.observe(Event::Begun { games: self.games });
        let total = self.config.train.games;
        let mut games = self.source.games(&self.previous, self.numbers(self.generation + 1));
        while self.games < total {
            games = self.learn_and_play(&games)?;
            self.observer.observe(Event::Learnt { games: self.games, loss: self.interval.loss() });

            let complete = self.games == total;
            let strength =
                if complete || self.passed(self.config.evaluation.every) { Some(self.evaluate()?) } else { None };
            let pause = control.interrupted.load(Ordering::Relaxed)
                || control.stop_after.is_some_and(|limit| self.clock.started.elapsed() >= limit);
            let save = complete || pause || self.passed(self.config.output.checkpoint_every);
            if save || strength.is_some() || self.passed(self.config.output.metrics_every) {
                self.write_metrics(strength)?;
            }
            if save {
                self.save()?;
            }
            if pause && !complete {
                return Ok(Ended::Paused { games: self.games });
            }
        }
        self.folder.write_final(&net_file(self.config.rules, self.games, &self.weights))?;
        Ok(Ended::Complete)
    }

    /// Learns one generation while the next one is played, with the weights from before: nobody waits, and the result does not
    /// depend on who is faster.
    fn learn_and_play(&mut self, games: &[Game]) -> Result<Vec<Game>, TrainError> {
        let next = self.numbers(self.generation + 2);
        let generation = self.generation + 1;
        let (learner, interval, source) = (&mut self.learner, &mut self.interval, self.source);
        let (config, weights, so_far) = (self.config, &self.weights, self.games);
        let (learnt, next) = rayon::join(
            || learn(learner, config, games, generation, so_far, interval),
            || if next.is_empty() { Vec::new() } else { source.games(weights, next) },
        );
        self.positions += learnt.map_err(|loss| TrainError::Diverged { games: self.games, loss })?;
        let weights = self.learner.weights();
        if weights.check().is_err() {
            return Err(TrainError::Diverged { games: self.games, loss: f32::NAN });
        }
        self.previous = std::mem::replace(&mut self.weights, weights);
        self.generation = generation;
        self.games += games.len() as u64;
        Ok(next)
    }

    /// The numbers of the games of a generation, which count from 1.
    fn numbers(&self, generation: u64) -> Range<u64> {
        let TrainConfig { games, generation: size, .. } = self.config.train;
        ((generation - 1) * size).min(games)..(generation * size).min(games)
    }

    /// Whether the last generation has reached, or gone past, a multiple of `every` games.
    fn passed(&self, every: u64) -> bool {
        let before = self.numbers(self.generation).start;
        before / every != self.games / every
    }

    fn evaluate(&mut self) -> Result<Strength, TrainError> {
        let Config { rules, seed, evaluation: EvaluationConfig { games, .. }, .. } = *self.config;
        let seated = |weights| NetPlayer::new(weights).with_endings(Arc::clone(self.endings));
        let player = seated(&self.weights);
        let heuristic = measure(rules, &player, &Heuristic, "heuristic", games, seed, self.observer);
        let against_best = self.best.as_ref().map(|best| {
            let best = seated(&best.weights);
            measure(rules, &player, &best, "best so far", games, seed, self.observer)
        });
        let stronger = against_best.as_ref().is_none_or(|verdict| verdict.points_per_game.mean > 0.0);
        if stronger {
            self.best = Some(Best { games: self.games, weights: self.weights.clone() });
            self.folder.write_best(&net_file(rules, self.games, &self.weights))?;
        }
        self.folder.keep_net(&net_file(rules, self.games, &self.weights))?;
        let strength = Strength { heuristic, best: against_best };
        self.observer.observe(Event::Measured { games: self.games, strength: &strength, best: stronger });
        Ok(strength)
    }

    fn write_metrics(&mut self, strength: Option<Strength>) -> Result<(), TrainError> {
        let totals = Totals {
            games: self.games,
            positions: self.positions,
            seconds: self.seconds(),
            interval_seconds: self.clock.interval_started.elapsed().as_secs_f64(),
            learning_rate: learning_rate(&self.config.train, self.games),
        };
        let line: Metrics = self.interval.metrics(&totals, strength);
        self.metrics.append(&line)?;
        self.observer.observe(Event::Noted { metrics: &line });
        self.interval = Interval::default();
        self.clock.interval_started = Instant::now();
        Ok(())
    }

    fn save(&self) -> Result<(), TrainError> {
        self.folder.save(&Checkpoint {
            generation: self.generation,
            games: self.games,
            positions: self.positions,
            seconds: self.seconds(),
            weights: self.weights.clone(),
            previous: self.previous.clone(),
            optimiser: self.learner.state(),
            best: self.best.clone(),
        })?;
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.clock.before + self.clock.started.elapsed().as_secs_f64()
    }
}

/// Trains on the positions of a generation once, in random order; the positions learnt, or the loss that ran away.
fn learn(
    learner: &mut Learner,
    config: &Config,
    games: &[Game],
    generation: u64,
    games_before: u64,
    interval: &mut Interval,
) -> Result<u64, f32> {
    let started = Instant::now();
    let mut samples: Vec<Sample> = games.iter().flat_map(|game| samples(game, config.train.lambda)).collect();
    samples.shuffle(&mut generator(Purpose::Shuffle, config.seed, generation));
    let rate = learning_rate(&config.train, games_before);
    for batch in samples.chunks(config.train.batch) {
        let loss = learner.update(&Batch::of(batch, config.net.inputs), rate);
        if loss.is_nan() || loss > DIVERGED {
            return Err(loss);
        }
        interval.add_update(loss, batch.len());
    }
    games.iter().for_each(|game| interval.add_game(game));
    interval.learning_seconds += started.elapsed().as_secs_f64();
    Ok(samples.len() as u64)
}

/// Falls from the first game to the last, by the number of games alone.
fn learning_rate(train: &TrainConfig, games: u64) -> f64 {
    let progress = games as f64 / train.games as f64;
    let share = match train.schedule {
        Schedule::Cosine => {
            train.final_share + (1.0 - train.final_share) * (1.0 + (std::f64::consts::PI * progress).cos()) / 2.0
        }
        Schedule::Staircase if progress < 0.4 => 1.0,
        Schedule::Staircase if progress < 0.7 => 0.3,
        Schedule::Staircase if progress < 0.9 => 0.1,
        Schedule::Staircase => 0.03,
    };
    train.learning_rate * share
}

fn net_file(rules: Rules, games: u64, weights: &Weights) -> NetFile {
    NetFile { rules, games, weights: weights.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_falls_from_first_to_last() {
        let train = TrainConfig { games: 100, learning_rate: 1e-2, final_share: 0.1, ..TrainConfig::default() };
        let close = |games, expected: f64| assert!((learning_rate(&train, games) - expected).abs() < 1e-12);
        close(0, 1e-2);
        close(50, 5.5e-3);
        close(100, 1e-3);
    }

    #[test]
    fn stairs_are_as_wide_and_as_deep_as_they_are_said_to_be() {
        let schedule = Schedule::Staircase;
        let train = TrainConfig { games: 200, learning_rate: 1e-2, schedule, ..TrainConfig::default() };
        let first_games = [0, 79, 80, 139, 140, 179, 180, 200];
        let shares = [1.0, 1.0, 0.3, 0.3, 0.1, 0.1, 0.03, 0.03];
        for (games, share) in first_games.into_iter().zip(shares) {
            assert!((learning_rate(&train, games) - 1e-2 * share).abs() < 1e-12, "{games}");
        }
    }
}
