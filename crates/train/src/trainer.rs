//! The main loop: games become targets, targets become weights, weights play the next games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mahbusa_arena::{Contest, Verdict};
use mahbusa_exact::Endings;
use mahbusa_net::{NetFile, Weights};
use mahbusa_players::{Heuristic, NetPlayer, Player};
use mahbusa_rules::Rules;
use mahbusa_selfplay::GameSource;

use crate::checkpoint::{Best, Checkpoint};
use crate::config::{Config, EvaluationConfig};
use crate::cycle::{Cycle, learning_rate};
use crate::folder::{FolderError, LostLines, MetricsFile, RunFolder};
use crate::lessons::Lessons;
use crate::metrics::{Interval, Metrics, Strength, Totals};

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
    /// `metrics.jsonl` was damaged.
    LinesLost {
        /// What that has cost.
        lost: &'a LostLines,
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
    let source = Lessons::new(config, folder.given(), control.endings);
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

pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, TrainError> {
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
    endings: &'a Arc<Endings>,
    observer: &'a dyn Observer,
    cycle: Cycle<'a>,
    best: Option<Best>,
    metrics: MetricsFile,
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
        let checkpoint = folder.newest_checkpoint(|error| observer.observe(Event::Skipped { error }))?;
        let seconds = checkpoint.as_ref().map_or(0.0, |checkpoint| checkpoint.seconds);
        let (cycle, best) = match checkpoint {
            Some(checkpoint) => Cycle::going_on(config, source, checkpoint).ok_or_else(|| FolderError::Foreign {
                path: folder.path().to_owned(),
                why: "the optimiser state of its checkpoint does not fit the net".to_owned(),
            })?,
            None => (Cycle::beginning(config, source, folder.given().init.as_ref()), None),
        };
        if let Some(best) = &best {
            // A run that was killed may have measured another net and not saved its state.
            folder.write_best(&net_file(config.rules, best.games, &best.weights))?;
        }
        folder.forget_nets_past(cycle.games)?;
        let (metrics, lost) = folder.metrics(cycle.games)?;
        if let Some(lost) = &lost {
            observer.observe(Event::LinesLost { lost });
        }
        let now = Instant::now();
        Ok(Trainer {
            folder,
            config,
            endings,
            observer,
            metrics,
            cycle,
            best,
            clock: Clock { before: seconds, started: now, interval_started: now },
        })
    }

    fn run(mut self, control: Control<'_>) -> Result<Ended, TrainError> {
        self.observer.observe(Event::Begun { games: self.cycle.games });
        let total = self.config.train.games;
        let mut games = self.cycle.first_games();
        while self.cycle.games < total {
            games = self.cycle.learn_and_play(&games)?;
            self.observer.observe(Event::Learnt { games: self.cycle.games, loss: self.cycle.interval.loss() });

            let complete = self.cycle.games == total;
            let strength =
                if complete || self.cycle.passed(self.config.evaluation.every) { Some(self.evaluate()?) } else { None };
            let pause = control.interrupted.load(Ordering::Relaxed)
                || control.stop_after.is_some_and(|limit| self.clock.started.elapsed() >= limit);
            let save = complete || pause || self.cycle.passed(self.config.output.checkpoint_every);
            if save || strength.is_some() || self.cycle.passed(self.config.output.metrics_every) {
                self.write_metrics(strength)?;
            }
            if save {
                self.save()?;
            }
            if pause && !complete {
                return Ok(Ended::Paused { games: self.cycle.games });
            }
        }
        self.folder.write_final(&self.net_file())?;
        Ok(Ended::Complete)
    }

    fn evaluate(&mut self) -> Result<Strength, TrainError> {
        let Config { rules, seed, evaluation: EvaluationConfig { games, .. }, .. } = *self.config;
        let seated = |weights| NetPlayer::new(weights).with_endings(Arc::clone(self.endings));
        let player = seated(&self.cycle.weights);
        let heuristic = measure(rules, &player, &Heuristic, "heuristic", games, seed, self.observer);
        let against_best = self.best.as_ref().map(|best| {
            let best = seated(&best.weights);
            measure(rules, &player, &best, "best so far", games, seed, self.observer)
        });
        let strength = Strength { heuristic, best: against_best };
        let stronger = strength.is_best();
        if stronger {
            self.best = Some(Best { games: self.cycle.games, weights: self.cycle.weights.clone() });
            self.folder.write_best(&self.net_file())?;
        }
        self.folder.keep_net(&self.net_file())?;
        self.observer.observe(Event::Measured { games: self.cycle.games, strength: &strength, best: stronger });
        Ok(strength)
    }

    fn write_metrics(&mut self, strength: Option<Strength>) -> Result<(), TrainError> {
        let totals = Totals {
            games: self.cycle.games,
            positions: self.cycle.positions,
            seconds: self.seconds(),
            interval_seconds: self.clock.interval_started.elapsed().as_secs_f64(),
            learning_rate: learning_rate(&self.config.train, self.cycle.games),
        };
        let line: Metrics = self.cycle.interval.metrics(&totals, strength);
        self.metrics.append(&line)?;
        self.observer.observe(Event::Noted { metrics: &line });
        self.cycle.interval = Interval::default();
        self.clock.interval_started = Instant::now();
        Ok(())
    }

    fn save(&self) -> Result<(), TrainError> {
        self.folder.save(&Checkpoint {
            generation: self.cycle.generation,
            games: self.cycle.games,
            positions: self.cycle.positions,
            seconds: self.seconds(),
            weights: self.cycle.weights.clone(),
            previous: self.cycle.previous.clone(),
            optimiser: self.cycle.learner.state(),
            best: self.best.clone(),
        })?;
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.clock.before + self.clock.started.elapsed().as_secs_f64()
    }

    /// The net of this moment.
    fn net_file(&self) -> NetFile {
        net_file(self.config.rules, self.cycle.games, &self.cycle.weights)
    }
}

fn net_file(rules: Rules, games: u64, weights: &Weights) -> NetFile {
    NetFile { rules, games, weights: weights.clone() }
}
