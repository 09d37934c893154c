use serde::{Deserialize, Serialize};

use super::survey::UNITS;
use super::{Advice, Decision, Stance};
use crate::{Estimate, Mean, Phase};

/// Decisions, added up by advice, phase and group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tally {
    /// In ascending order of what they are about.
    cells: Vec<Cell>,
}

/// The decisions that agree in advice, phase and group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cell {
    advice: Advice,
    phase: Phase,
    group: usize,
    /// Decisions in which the best play follows, goes against, or is aside.
    best: [u64; 3],
    /// Of following, in hundredths of a millipoint.
    gain: Mean,
}

/// What some decisions show about a piece of advice. Intervals are 95 % intervals over decisions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Decisions.
    pub decisions: u64,
    /// Share in which the best play follows the advice.
    pub follows: Estimate,
    /// Share in which it goes against it; in the rest it does neither.
    pub against: Estimate,
    /// What the best play that follows is worth more than the best one that goes against, in millipoints.
    pub gain: Estimate,
}

/// What is to be thought of a piece of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Following it wins points on average, and in no group or phase does it lose any.
    True,
    /// It loses points on average, and in no group or phase does it win any.
    False,
    /// It wins points in some groups or phases and loses in others.
    Depends,
    /// Too little is known.
    Unclear,
}

impl Tally {
    /// Adds a decision.
    pub fn add(&mut self, decision: &Decision) {
        let cell = self.cell(decision.advice, decision.phase, decision.group);
        cell.best[decision.best as usize] += 1;
        cell.gain.add(decision.gain);
    }

    /// Adds what others have added up.
    pub fn merge(&mut self, other: &Tally) {
        for theirs in &other.cells {
            let ours = self.cell(theirs.advice, theirs.phase, theirs.group);
            ours.best.iter_mut().zip(theirs.best).for_each(|(sum, count)| *sum += count);
            ours.gain = ours.gain.and(theirs.gain);
        }
    }

    fn cell(&mut self, advice: Advice, phase: Phase, group: usize) -> &mut Cell {
        let wanted = (advice, phase, group);
        let place = self.cells.binary_search_by_key(&wanted, |cell| (cell.advice, cell.phase, cell.group));
        let place = place.unwrap_or_else(|place| {
            self.cells.insert(place, Cell { advice, phase, group, best: [0; 3], gain: Mean::default() });
            place
        });
        &mut self.cells[place]
    }

    /// What all decisions of a piece of advice show, and those of a phase or group if one is named.
    pub fn row(&self, advice: Advice, phase: Option<Phase>, group: Option<usize>) -> Row {
        let (best, gain) = self.sum(advice, phase, group);
        let share = |stance: Stance| {
            let mut share = Mean::default();
            share.add_times(1, best[stance as usize]);
            share.add_times(0, gain.count() - best[stance as usize]);
            share.estimate(1.0, 0.0..=1.0)
        };
        Row {
            decisions: gain.count(),
            follows: share(Stance::Follows),
            against: share(Stance::Against),
            gain: gain.estimate(UNITS / 1000.0, -4000.0..=4000.0),
        }
    }

    fn sum(&self, advice: Advice, phase: Option<Phase>, group: Option<usize>) -> ([u64; 3], Mean) {
        let (mut best, mut gain) = ([0; 3], Mean::default());
        let belongs = |cell: &&Cell| {
            cell.advice == advice
                && phase.is_none_or(|phase| cell.phase == phase)
                && group.is_none_or(|group| cell.group == group)
        };
        for cell in self.cells.iter().filter(belongs) {
            best.iter_mut().zip(cell.best).for_each(|(sum, count)| *sum += count);
            gain = gain.and(cell.gain);
        }
        (best, gain)
    }

    /// What is to be thought of a piece of advice. Since it is asked of many groups, one counts only where its mean is farther from nothing than chance
    /// would bring it in one of a thousand.
    pub fn verdict(&self, advice: Advice) -> Verdict {
        let phases = Phase::ALL.into_iter().map(|phase| self.sum(advice, Some(phase), None));
        let groups = (0..advice.groups().len()).map(|group| self.sum(advice, None, Some(group)));
        let signs: Vec<i8> = phases.chain(groups).map(|(_, gain)| sign(gain)).collect();
        match (signs.contains(&1), signs.contains(&-1), sign(self.sum(advice, None, None).1)) {
            (true, true, _) => Verdict::Depends,
            (_, false, 1) => Verdict::True,
            (false, _, -1) => Verdict::False,
            _ => Verdict::Unclear,
        }
    }
}

/// Whether a mean is above 0 or below, beyond chance: 1, -1, or 0 for neither.
fn sign(gain: Mean) -> i8 {
    /// Two-sided one in a thousand.
    const Z: f64 = 3.29;
    if gain.count() < 30 {
        return 0;
    }
    let error = (gain.variance() / gain.count() as f64).sqrt();
    i8::from(gain.mean() > Z * error) - i8::from(gain.mean() < -Z * error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(group: usize, gain: i64) -> Decision {
        Decision {
            advice: Advice::Pairs,
            group,
            phase: if group == 0 { Phase::Opening } else { Phase::Contact },
            position: "mahbusa:O22o:0.0:w:64:0.0.0".parse().unwrap(),
            follows: "24/18 24/20".parse().unwrap(),
            against: "24/18 18/14".parse().unwrap(),
            best: if gain >= 0 { Stance::Follows } else { Stance::Against },
            gain,
        }
    }

    fn tally(groups: &[(usize, i64)]) -> Tally {
        let mut tally = Tally::default();
        for &(group, gain) in groups {
            (0..40).for_each(|i| tally.add(&decision(group, gain + i - 20)));
        }
        tally
    }

    #[test]
    fn parts_make_the_whole() {
        let mut parts = tally(&[(1, 500)]);
        parts.merge(&tally(&[(0, 100), (1, -300)]));
        assert_eq!(parts, tally(&[(0, 100), (1, 500), (1, -300)]));
        let row = parts.row(Advice::Pairs, None, None);
        assert_eq!((row.decisions, row.gain.mean), (120, 0.995));
        assert!((row.follows.mean - 2.0 / 3.0).abs() < 1e-12 && (row.against.mean - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(parts.row(Advice::Pairs, Some(Phase::Opening), None), parts.row(Advice::Pairs, None, Some(0)));
        assert_eq!(parts.row(Advice::Pin, None, None).decisions, 0);
    }

    #[test]
    fn verdicts_are_about_the_whole_and_its_groups() {
        for (groups, verdict) in [
            (vec![(0, 400), (1, 100)], Verdict::True),
            (vec![(0, -400), (1, 0)], Verdict::False),
            (vec![(0, 400), (1, -100)], Verdict::Depends),
            (vec![(0, 0), (1, 0)], Verdict::Unclear),
            (vec![], Verdict::Unclear),
        ] {
            assert_eq!(tally(&groups).verdict(Advice::Pairs), verdict, "{groups:?}");
        }
    }
}
