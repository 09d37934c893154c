use std::ops::Range;
use std::time::Instant;

use burn::tensor::Device;
use mahbusa_net::random::{Purpose, generator};
use mahbusa_net::{NetFile, Weights};
use mahbusa_selfplay::{Game, GameSource};
use rand::seq::SliceRandom;

use crate::batch::Batch;
use crate::checkpoint::{Best, Checkpoint};
use crate::config::{Config, Schedule, TrainConfig};
use crate::learner::{AdamSettings, Learner};
use crate::metrics::Interval;
use crate::targets::{Sample, samples};
use crate::trainer::TrainError;

/// Above this mean cross-entropy (nats) of a batch a run has diverged: a net that knows nothing has ln 5 = 1.6.
const DIVERGED: f32 = 8.0;

/// Playing and learning, generation after generation, without anything being measured or written.
pub(crate) struct Cycle<'a> {
    config: &'a Config,
    source: &'a dyn GameSource,
    pub learner: Learner,
    /// The weights after the last generation learnt.
    pub weights: Weights,
    /// The weights one generation before: they play the next one.
    pub previous: Weights,
    /// Generations learnt.
    pub generation: u64,
    /// Games learnt.
    pub games: u64,
    /// Positions learnt.
    pub positions: u64,
    /// What has been learnt since the last line of the metrics.
    pub interval: Interval,
}

impl<'a> Cycle<'a> {
    /// From given weights, or from random ones.
    pub fn beginning(config: &'a Config, source: &'a dyn GameSource, init: Option<&NetFile>) -> Cycle<'a> {
        let weights = match init {
            Some(init) => init.weights.clone(),
            None => Weights::random(config.net.shape(), config.seed).seeing(config.net.inputs),
        };
        Cycle {
            config,
            source,
            learner: Learner::new(&weights, adam(&config.train), Device::flex()),
            previous: weights.clone(),
            weights,
            generation: 0,
            games: 0,
            positions: 0,
            interval: Interval::default(),
        }
    }

    /// From a checkpoint, with the best net so far; `None` when its parts do not fit each other.
    pub fn going_on(
        config: &'a Config,
        source: &'a dyn GameSource,
        checkpoint: Checkpoint,
    ) -> Option<(Cycle<'a>, Option<Best>)> {
        let Checkpoint { generation, games, positions, weights, previous, optimiser, best, .. } = checkpoint;
        let learner = Learner::restore(&weights, adam(&config.train), Device::flex(), &optimiser)?;
        let interval = Interval::default();
        Some((Cycle { config, source, learner, weights, previous, generation, games, positions, interval }, best))
    }

    /// The games to learn first.
    pub fn first_games(&self) -> Vec<Game> {
        self.source.games(&self.previous, self.numbers(self.generation + 1))
    }

    /// Learns one generation while the next one is played, with the weights from before: nobody waits, and the result does not
    /// depend on who is faster.
    pub fn learn_and_play(&mut self, games: &[Game]) -> Result<Vec<Game>, TrainError> {
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
    pub fn passed(&self, every: u64) -> bool {
        let before = self.numbers(self.generation).start;
        before / every != self.games / every
    }
}

fn adam(train: &TrainConfig) -> AdamSettings {
    AdamSettings { beta1: train.beta1, beta2: train.beta2, epsilon: train.epsilon }
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
pub(crate) fn learning_rate(train: &TrainConfig, games: u64) -> f64 {
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
