//! The lines of `metrics.jsonl`.

use mahbusa_arena::Verdict;
use mahbusa_net::OUTCOMES;
use mahbusa_rules::Ending;
use mahbusa_selfplay::Game;
use serde::{Deserialize, Serialize};

/// What the games and updates since the last line were like.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interval {
    games: u64,
    turns: u64,
    passes: u64,
    /// Games by how they ended.
    outcomes: [u64; OUTCOMES],
    mother: u64,
    mars: u64,
    loss: f64,
    samples: u64,
    pub learning_seconds: f64,
}

/// A line of `metrics.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Metrics {
    /// Self-play games learnt since the run began.
    pub games: u64,
    /// Positions learnt since the run began.
    pub positions: u64,
    /// Seconds since the run began, pauses left out.
    pub seconds: f64,
    /// Games played and learnt a second since the last line, all threads together.
    pub games_per_second: f64,
    /// Positions learnt a second of learning (on one thread) since the last line.
    pub learner_positions_per_second: f64,
    /// Mean cross-entropy since the last line, in nats.
    pub loss: f64,
    /// The learning rate now.
    pub learning_rate: f64,
    /// Mean turns a game, passes included, since the last line; so are all that follow.
    pub plies: f64,
    /// Mean passes a game.
    pub passes: f64,
    /// Shares of the outcomes for the first mover: lose 2, lose 1, draw, win 1, win 2.
    pub outcomes: [f64; OUTCOMES],
    /// Share of games that ended by a pinned mother.
    pub mother: f64,
    /// Share of games that ended by mars.
    pub mars: f64,
    /// Share of games drawn.
    pub draw: f64,
    /// Share of decided games that the first mover won.
    pub first_mover: f64,
    /// Strength, where it was measured here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
}

/// Measured strength of the weights of this moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// Against the heuristic player.
    pub heuristic: Verdict,
    /// Against the strongest net of the run so far, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Verdict>,
}

impl Strength {
    /// Whether these weights are now the best of the run.
    pub fn is_best(&self) -> bool {
        self.best.as_ref().is_none_or(|verdict| verdict.points_per_game.mean > 0.0)
    }
}

impl Interval {
    pub fn add_game(&mut self, game: &Game) {
        self.games += 1;
        self.turns += game.turns.len() as u64;
        self.passes += game.turns.iter().filter(|turn| turn.passed).count() as u64;
        match game.ending {
            Ending::Mother => self.mother += 1,
            Ending::Mars => self.mars += 1,
            Ending::Single | Ending::Draw => {}
        }
        let last = game.ending.outcome();
        let first = if game.turns.len() % 2 == 1 { last } else { last.flip() };
        self.outcomes[first.index()] += 1;
    }

    pub fn add_update(&mut self, loss: f32, samples: usize) {
        self.loss += f64::from(loss) * samples as f64;
        self.samples += samples as u64;
    }

    /// Mean loss so far in nats, if anything was learnt.
    pub fn loss(&self) -> Option<f64> {
        (self.samples > 0).then(|| self.loss / self.samples as f64)
    }

    /// The line for this interval; totals and speeds are the caller's.
    pub fn metrics(&self, totals: &Totals, strength: Option<Strength>) -> Metrics {
        let games = self.games;
        let share = |count: u64, of: u64| if of > 0 { count as f64 / of as f64 } else { 0.0 };
        let wins = self.outcomes[3] + self.outcomes[4];
        let draws = self.outcomes[2];
        Metrics {
            games: totals.games,
            positions: totals.positions,
            seconds: totals.seconds,
            games_per_second: games as f64 / totals.interval_seconds.max(1e-9),
            learner_positions_per_second: self.samples as f64 / self.learning_seconds.max(1e-9),
            loss: self.loss().unwrap_or(0.0),
            learning_rate: totals.learning_rate,
            plies: share(self.turns, games),
            passes: share(self.passes, games),
            outcomes: self.outcomes.map(|count| share(count, games)),
            mother: share(self.mother, games),
            mars: share(self.mars, games),
            draw: share(draws, games),
            first_mover: share(wins, games - draws),
            strength,
        }
    }
}

/// Where the run stands.
pub(crate) struct Totals {
    pub games: u64,
    pub positions: u64,
    pub seconds: f64,
    pub interval_seconds: f64,
    pub learning_rate: f64,
}
