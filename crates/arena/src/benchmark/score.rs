use mahbusa_players::{Chance, Player, Turn, Workspace};
use mahbusa_rules::{Board, Play};
use rayon::prelude::*;
use serde::Serialize;

use super::judge::UNITS;
use super::{Benchmark, Candidate, Decision};
use crate::{Estimate, Mean, Phase};

/// How a player did on a set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// On all decisions, each counting the same.
    #[serde(flatten)]
    pub overall: Score,
    /// On those of each phase that the set has.
    pub phases: Vec<PhaseScore>,
}

/// How a player did on the decisions of a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseScore {
    /// The phase.
    pub phase: Phase,
    /// What was scored there.
    #[serde(flatten)]
    pub score: Score,
}

/// How a player did on some decisions. Intervals are 95 % intervals over decisions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Decisions.
    pub decisions: u64,
    /// Equity lost a decision against the best play that was rolled out, in millipoints, 0..=4000.
    pub error_rate: Estimate,
    /// The same for the judge's own noise: what the play loses by one half of the trials that the other half likes best, in millipoints.
    /// Half the trials make more noise than all of them, so the noise in the error rate is smaller than this.
    pub noise_floor: Estimate,
    /// The share of decisions in which the best play was chosen.
    pub best: Estimate,
}

/// Sums over decisions, in whole units, so that the order does not matter.
#[derive(Clone, Copy, Default)]
struct Tally {
    lost: Mean,
    noise: Mean,
    best: Mean,
}

impl Benchmark {
    /// Scores a player on the threads of the current rayon pool. The seed is for players that decide by chance.
    pub fn score(&self, player: &dyn Player, seed: u64) -> Report {
        let tallies: Vec<Tally> = self
            .decisions
            .par_iter()
            .map_init(Workspace::default, |workspace, decision| decision.score(player, seed, workspace))
            .collect();
        let of = |phase: Option<Phase>| {
            let belongs = |decision: &Decision| phase.is_none_or(|phase| decision.phase == phase);
            let scored = self.decisions.iter().zip(&tallies).filter(|(decision, _)| belongs(decision));
            scored.fold(Tally::default(), |sum, (_, tally)| sum.and(*tally)).score()
        };
        let phases = Phase::ALL.into_iter().map(|phase| PhaseScore { phase, score: of(Some(phase)) });
        Report { overall: of(None), phases: phases.filter(|phase| phase.score.decisions > 0).collect() }
    }
}

impl Decision {
    fn score(&self, player: &dyn Player, seed: u64, workspace: &mut Workspace) -> Tally {
        let (lost, best) = self.choice(player, seed, workspace).map_or((0.0, false), |play| self.lost(play));
        let mut tally = Tally::default();
        tally.lost.add(units(lost));
        tally.noise.add(units(lost_to_noise(&self.candidates)));
        tally.best.add(i64::from(best));
        tally
    }

    /// What the player plays.
    fn choice(&self, player: &dyn Player, seed: u64, workspace: &mut Workspace) -> Option<Play> {
        let position = &self.position;
        let plays = position.plays();
        let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
        let turn = Turn {
            rules: position.rules,
            board: &position.board,
            roll: position.dice?,
            afterstates: &afterstates,
            chance: Chance { seed, pair: self.number, ply: 0 },
        };
        plays.get(player.choose(&turn, workspace)).map(|play| play.play)
    }

    /// What a play loses against the best one, in points, and whether it is as good.
    ///
    /// A play that was not rolled out is held to be worth its look-ahead, shifted by as much as the rollouts of the others lie above their
    /// look-aheads on average: the judge may be wrong about the position, and is less wrong about differences. It is never the best, and
    /// never loses less than nothing.
    fn lost(&self, play: Play) -> (f64, bool) {
        let best = self.candidates.first().map_or(0.0, |best| best.equity);
        if let Some(candidate) = self.candidates.iter().find(|candidate| candidate.play == play) {
            return (best - candidate.equity, candidate.equity >= best);
        }
        let shifts = self.candidates.iter().map(|candidate| candidate.equity - candidate.look_ahead);
        let shift = shifts.sum::<f64>() / self.candidates.len().max(1) as f64;
        let estimated = self.not_rolled_out.iter().find(|other| other.play == play);
        (estimated.map_or(0.0, |other| (best - other.look_ahead - shift).max(0.0)), false)
    }
}

/// What the play that one half of the trials likes best loses by the other half, both ways together, in points.
fn lost_to_noise(candidates: &[Candidate]) -> f64 {
    let one_way = |by: usize, judged: usize| {
        let best = |half: usize| candidates.iter().max_by(|a, b| a.halves[half].total_cmp(&b.halves[half]));
        match (best(by), best(judged)) {
            (Some(chosen), Some(best)) => best.halves[judged] - chosen.halves[judged],
            _ => 0.0,
        }
    };
    one_way(0, 1) + one_way(1, 0)
}

/// In whole units, as files have them.
fn units(points: f64) -> i64 {
    (points * UNITS).round() as i64
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally { lost: self.lost.and(other.lost), noise: self.noise.and(other.noise), best: self.best.and(other.best) }
    }

    fn score(&self) -> Score {
        const UNITS_A_MILLIPOINT: f64 = UNITS / 1000.0;
        Score {
            decisions: self.best.count(),
            error_rate: self.lost.estimate(UNITS_A_MILLIPOINT, 0.0..=4000.0),
            // Both ways together.
            noise_floor: self.noise.estimate(2.0 * UNITS_A_MILLIPOINT, 0.0..=4000.0),
            best: self.best.estimate(1.0, 0.0..=1.0),
        }
    }
}
