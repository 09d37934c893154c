//! The lines of `metrics.jsonl`, as a reader sees them.

use std::path::Path;

use mahbusa_arena::Verdict;
use mahbusa_net::OUTCOMES;
use mahbusa_net::files;
use mahbusa_net::json::fault_of_line;
use serde::{Deserialize, Deserializer, Serialize};

use crate::ReportError;

/// More than anything that is measured can be: a larger number is no measurement, and a chart that showed it would show nothing else.
const MOST: f64 = 1e9;

/// A line of `metrics.jsonl`, or several neighbours as one. What is missing, null or beyond all measure is `None`, so that runs of other versions, and
/// those that went astray, can be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Self-play games learnt since the run began.
    pub games: u64,
    /// Games since the line before: those that rates and means are of.
    #[serde(skip)]
    pub span: u64,
    /// Seconds since the run began, pauses left out.
    #[serde(default, deserialize_with = "possible")]
    pub seconds: Option<f64>,
    /// Games played and learnt a second.
    #[serde(default, deserialize_with = "possible")]
    pub games_per_second: Option<f64>,
    /// Positions learnt a second of learning.
    #[serde(default, deserialize_with = "possible")]
    pub learner_positions_per_second: Option<f64>,
    /// Mean cross-entropy in nats.
    #[serde(default, deserialize_with = "possible")]
    pub loss: Option<f64>,
    /// The learning rate then.
    #[serde(default, deserialize_with = "possible")]
    pub learning_rate: Option<f64>,
    /// Mean turns a game.
    #[serde(default, deserialize_with = "possible")]
    pub plies: Option<f64>,
    /// Mean passes a game.
    #[serde(default, deserialize_with = "possible")]
    pub passes: Option<f64>,
    /// Shares of the outcomes for the first mover: lose 2, lose 1, draw, win 1, win 2.
    pub outcomes: Option<[f64; OUTCOMES]>,
    /// Share of games that ended by a pinned mother.
    #[serde(default, deserialize_with = "possible")]
    pub mother: Option<f64>,
    /// Share of games that ended by mars.
    #[serde(default, deserialize_with = "possible")]
    pub mars: Option<f64>,
    /// Share of games drawn.
    #[serde(default, deserialize_with = "possible")]
    pub draw: Option<f64>,
    /// Share of decided games that the first mover won.
    #[serde(default, deserialize_with = "possible")]
    pub first_mover: Option<f64>,
    /// Strength, where it was measured here.
    pub strength: Option<Measured>,
}

/// A measurement of strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Against the heuristic player.
    pub heuristic: Verdict,
    /// Against the strongest net of the run until then, if there was one.
    pub best: Option<Verdict>,
}

impl Measured {
    /// Whether the net became the strongest of its run.
    pub fn is_best(&self) -> bool {
        self.best.as_ref().is_none_or(|verdict| verdict.points_per_game.mean > 0.0)
    }
}

/// Reads a number that can have been measured.
fn possible<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.filter(|value| value.abs() <= MOST))
}

/// The lines of a file; none if it is not there yet. A last line without an end is still being written, and is left out.
pub(crate) fn read(path: &Path) -> Result<Vec<Line>, ReportError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let bytes = files::read(path);
    let bytes = bytes.map_err(|source| ReportError::Io { what: "cannot read", path: path.to_owned(), source })?;
    let mut lines: Vec<Line> = Vec::new();
    for (index, text) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if text.last() != Some(&b'\n') {
            break;
        }
        let wrong = |message: String| ReportError::Line { path: path.to_owned(), line: index + 1, message };
        let mut line: Line = serde_json::from_slice(text.trim_ascii_end())
            .map_err(|error| wrong(format!("no line of metrics: {}", fault_of_line(text, &error))))?;
        let before = lines.last().map_or(0, |line| line.games);
        if line.games < before || (line.games == before && !lines.is_empty()) {
            return Err(wrong(format!(
                "found {} games, expected more than the {before} of the line before",
                line.games
            )));
        }
        line.span = line.games - before;
        lines.push(line);
    }
    Ok(lines)
}

/// Some of many, at most about so many: those that are evenly apart, the last of them always.
pub(crate) fn some_of<T>(items: &[T], most: usize) -> impl Iterator<Item = &T> {
    let step = items.len().div_ceil(most.max(1)).max(1);
    let first = items.len().saturating_sub(1) % step;
    items.iter().skip(first).step_by(step)
}

/// The lines as at most about so many, neighbours taken together; strength is left out.
pub(crate) fn thinned(lines: &[Line], most: usize) -> Vec<Line> {
    let size = lines.len().div_ceil(most.max(1)).max(1);
    lines.chunks(size).filter_map(together).collect()
}

/// Neighbours as one line.
fn together(lines: &[Line]) -> Option<Line> {
    let last = lines.last()?;
    let span = lines.iter().map(|line| line.span).sum();
    let mean = |value: fn(&Line) -> Option<f64>| {
        let weighted = lines.iter().filter_map(|line| Some((value(line)?, line.span as f64)));
        let (sum, weight) = weighted.fold((0.0, 0.0), |(sum, weight), (value, w)| (sum + value * w, weight + w));
        (weight > 0.0).then(|| sum / weight)
    };
    let outcome = |index: usize| {
        let weighted = lines.iter().filter_map(|line| Some((line.outcomes?[index], line.span as f64)));
        let (sum, weight) = weighted.fold((0.0, 0.0), |(sum, weight), (value, w)| (sum + value * w, weight + w));
        sum / weight
    };
    // A mean of speeds is one over the mean of times.
    let speed = |value: fn(&Line) -> Option<f64>| {
        let times = lines
            .iter()
            .filter_map(|line| value(line).filter(|&v| v > 0.0).map(|v| (line.span as f64, line.span as f64 / v)));
        let (games, time) = times.fold((0.0, 0.0), |(games, time), (g, t)| (games + g, time + t));
        (time > 0.0).then(|| games / time)
    };
    Some(Line {
        games: last.games,
        span,
        seconds: last.seconds,
        games_per_second: speed(|line| line.games_per_second),
        learner_positions_per_second: speed(|line| line.learner_positions_per_second),
        loss: mean(|line| line.loss),
        learning_rate: last.learning_rate,
        plies: mean(|line| line.plies),
        passes: mean(|line| line.passes),
        outcomes: lines.iter().any(|line| line.outcomes.is_some()).then(|| std::array::from_fn(outcome)),
        mother: mean(|line| line.mother),
        mars: mean(|line| line.mars),
        draw: mean(|line| line.draw),
        first_mover: mean(|line| line.first_mover),
        strength: None,
    })
}
