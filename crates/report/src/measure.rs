//! What is looked at over the course of runs.

use std::fmt;
use std::str::FromStr;

use mahbusa_arena::{Estimate, Verdict};

use crate::chart::{Chart, Curve, Kind, Point, Role};
use crate::line::{Line, some_of, thinned};
use crate::unit::Unit;
use crate::{Report, Run};

/// More values than this are not told apart on a page; neighbours are taken together, and of measurements, which have intervals, some are shown.
pub(crate) const MOST: usize = 240;

/// The quantile of the normal distribution for intervals of 95 %.
const Z: f64 = 1.959_964;

/// What is looked at over the course of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Points a game against the heuristic player, over games.
    Strength,
    /// The same over time.
    StrengthOverTime,
    /// Points a game against the strongest net of the run until then.
    AgainstBest,
    /// Mean cross-entropy of targets and net.
    Loss,
    /// Share of self-play games that end by mars.
    Mars,
    /// Share of self-play games that end by a pinned mother.
    Mother,
    /// Share of self-play games drawn.
    Draws,
    /// Mean turns of a self-play game.
    Length,
    /// Share of decided self-play games that the first mover wins.
    FirstMover,
    /// Games played and learnt a second.
    Speed,
    /// Positions learnt a second of learning.
    LearningSpeed,
    /// The learning rate.
    LearningRate,
}

/// A text is no measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMeasure;

impl fmt::Display for UnknownMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Measure::ALL.into_iter().map(Measure::name).collect();
        write!(f, "expected one of {}", names.join(", "))
    }
}

impl std::error::Error for UnknownMeasure {}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(text: &str) -> Result<Measure, UnknownMeasure> {
        Measure::ALL.into_iter().find(|measure| measure.name() == text).ok_or(UnknownMeasure)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Measure {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Measure; 12] = [
        Measure::Strength,
        Measure::StrengthOverTime,
        Measure::AgainstBest,
        Measure::Loss,
        Measure::Mars,
        Measure::Mother,
        Measure::Draws,
        Measure::Length,
        Measure::FirstMover,
        Measure::Speed,
        Measure::LearningSpeed,
        Measure::LearningRate,
    ];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Strength => "strength",
            Measure::StrengthOverTime => "strength-over-time",
            Measure::AgainstBest => "against-best",
            Measure::Loss => "loss",
            Measure::Mars => "mars",
            Measure::Mother => "mother",
            Measure::Draws => "draws",
            Measure::Length => "length",
            Measure::FirstMover => "first-mover",
            Measure::Speed => "speed",
            Measure::LearningSpeed => "learning-speed",
            Measure::LearningRate => "learning-rate",
        }
    }

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Strength => "Strength against the heuristic player",
            Measure::StrengthOverTime => "Strength over time",
            Measure::AgainstBest => "Against the best net so far",
            Measure::Loss => "Loss",
            Measure::Mars => "Games that end by mars",
            Measure::Mother => "Games that end by the mother",
            Measure::Draws => "Games drawn",
            Measure::Length => "Length of games",
            Measure::FirstMover => "Games that the first mover wins",
            Measure::Speed => "Games played and learnt",
            Measure::LearningSpeed => "Positions learnt",
            Measure::LearningRate => "Learning rate",
        }
    }

    /// A sentence on how to read it.
    pub fn about(self) -> &'static str {
        match self {
            Measure::Strength => {
                "Points a game, with 95 % intervals. A diamond is the closing measurement of the best net, on dice that chose no net."
            }
            Measure::StrengthOverTime => "The same over the time that the run has taken, pauses left out.",
            Measure::AgainstBest => {
                "Points a game against the strongest net of the run until then; above 0 it takes its place."
            }
            Measure::Loss => {
                "Mean cross-entropy of targets and net. How easy targets are changes with the play, so it falls only roughly as strength grows."
            }
            Measure::Mars => "Share of self-play games, with 95 % intervals.",
            Measure::Mother => "Share of self-play games, with 95 % intervals. There are none in Tapa.",
            Measure::Draws => "Share of self-play games, with 95 % intervals: both starts pinned.",
            Measure::Length => "Turns of a self-play game, passes included.",
            Measure::FirstMover => "Share of decided self-play games, with 95 % intervals.",
            Measure::Speed => "All threads together; measuring strength is not counted as work, but takes time.",
            Measure::LearningSpeed => "Positions a second of learning, which uses one thread.",
            Measure::LearningRate => "By the share of the games that have been learnt.",
        }
    }

    /// What it is of.
    pub fn unit(self) -> Unit {
        match self {
            Measure::Strength | Measure::StrengthOverTime | Measure::AgainstBest => Unit::Points,
            Measure::Loss => Unit::Nats,
            Measure::Mars | Measure::Mother | Measure::Draws | Measure::FirstMover => Unit::Share,
            Measure::Length => Unit::Turns,
            Measure::Speed | Measure::LearningSpeed => Unit::PerSecond,
            Measure::LearningRate => Unit::Factor,
        }
    }

    /// What it is looked at over.
    fn over(self) -> Unit {
        if self == Measure::StrengthOverTime { Unit::Time } else { Unit::Games }
    }

    /// A value to compare with.
    fn reference(self) -> Option<f64> {
        match self {
            Measure::Strength | Measure::StrengthOverTime | Measure::AgainstBest => Some(0.0),
            Measure::FirstMover => Some(0.5),
            _ => None,
        }
    }

    /// Its value in a line, if it is there.
    fn point(self, line: &Line) -> Option<Point> {
        let x = line.games as f64;
        let games = line.span as f64;
        let value = |value: Option<f64>| Some(Point::new(x, value?));
        let share = |share: Option<f64>, of: f64| Some(Point { x, y: share?, interval: wilson(share?, of) });
        match self {
            Measure::Strength => Some(estimated(x, &line.strength.as_ref()?.heuristic.points_per_game)),
            Measure::StrengthOverTime => {
                Some(estimated(line.seconds?, &line.strength.as_ref()?.heuristic.points_per_game))
            }
            Measure::AgainstBest => Some(estimated(x, &line.strength.as_ref()?.best.as_ref()?.points_per_game)),
            Measure::Loss => value(line.loss),
            Measure::Mars => share(line.mars, games),
            Measure::Mother => share(line.mother, games),
            Measure::Draws => share(line.draw, games),
            Measure::Length => value(line.plies),
            Measure::FirstMover => share(line.first_mover, games * (1.0 - line.draw.unwrap_or(0.0))),
            Measure::Speed => value(line.games_per_second),
            Measure::LearningSpeed => value(line.learner_positions_per_second),
            Measure::LearningRate => value(line.learning_rate),
        }
    }

    /// Whether only some lines have it, which then are not taken together.
    fn is_measured(self) -> bool {
        matches!(self, Measure::Strength | Measure::StrengthOverTime | Measure::AgainstBest)
    }

    fn curve(self, number: usize, run: &Run) -> Curve {
        let points = if self.is_measured() {
            let points: Vec<Point> = run.lines.iter().filter_map(|line| self.point(line)).collect();
            some_of(&points, MOST).copied().collect()
        } else {
            // What a line lacks leaves a gap.
            let gap = |line: &Line| Point::new(line.games as f64, f64::NAN);
            thinned(&run.lines, MOST).iter().map(|line| self.point(line).unwrap_or_else(|| gap(line))).collect()
        };
        let closing = |verdict: &Verdict| {
            let x = match self {
                Measure::Strength => run.best()? as f64,
                Measure::StrengthOverTime => {
                    let best = run.best()?;
                    run.lines.iter().find(|line| line.games == best)?.seconds?
                }
                _ => return None,
            };
            Some(estimated(x, &verdict.points_per_game))
        };
        let apart = run.verdict.as_ref().and_then(closing);
        Curve { name: run.name.clone(), role: Role::Run(number), points, apart }
    }
}

impl Report {
    /// The chart of a measure, with a curve for each run.
    pub fn chart(&self, measure: Measure) -> Chart {
        Chart {
            title: measure.title().to_owned(),
            x: measure.over(),
            y: measure.unit(),
            reference: measure.reference(),
            kind: Kind::Lines,
            curves: self.runs.iter().enumerate().map(|(number, run)| measure.curve(number, run)).collect(),
        }
    }
}

/// The shares of the outcomes of self-play games over the course of a run, for the first mover.
pub(crate) fn outcomes(run: &Run) -> Chart {
    const NAMES: [&str; 5] = ["loses 2", "loses 1", "draw", "wins 1", "wins 2"];
    let lines = thinned(&run.lines, MOST);
    let point = |line: &Line, index: usize| {
        Point::new(line.games as f64, line.outcomes.map_or(f64::NAN, |outcomes| outcomes[index]))
    };
    let curve = |(index, name): (usize, &str)| Curve {
        name: name.to_owned(),
        role: Role::Outcome(index as u8),
        points: lines.iter().map(|line| point(line, index)).collect(),
        apart: None,
    };
    Chart {
        title: format!("How games end for the first mover: {}", run.name),
        x: Unit::Games,
        y: Unit::Share,
        reference: None,
        kind: Kind::Stack,
        curves: NAMES.into_iter().enumerate().map(curve).collect(),
    }
}

fn estimated(x: f64, estimate: &Estimate) -> Point {
    Point { x, y: estimate.mean, interval: Some((estimate.low, estimate.high)) }
}

/// Wilson's interval of 95 % for a share of so many independent games (Wilson 1927).
fn wilson(share: f64, games: f64) -> Option<(f64, f64)> {
    if games < 1.0 {
        return None;
    }
    let z2 = Z * Z / games;
    let middle = (share + z2 / 2.0) / (1.0 + z2);
    let half = Z / (1.0 + z2) * (share * (1.0 - share) / games + z2 / (4.0 * games)).sqrt();
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_is_found_by_its_name() {
        for measure in Measure::ALL {
            assert_eq!(measure.name().parse(), Ok(measure));
        }
        assert!("size".parse::<Measure>().unwrap_err().to_string().contains("strength, strength-over-time"));
    }

    #[test]
    fn intervals_of_shares_are_those_of_wilson() {
        // 10 of 100: 5.523 % to 17.437 %.
        let (low, high) = wilson(0.1, 100.0).unwrap();
        assert!((low - 0.055_23).abs() < 1e-5 && (high - 0.174_37).abs() < 1e-5, "{low} {high}");
        let (low, high) = wilson(0.0, 50.0).unwrap();
        assert!(low == 0.0 && high > 0.0 && high < 0.1);
        assert_eq!(wilson(0.5, 0.0), None);
    }
}
