use std::sync::atomic::{AtomicBool, Ordering};

use mahbusa_players::{NetPlayer, Search, Workspace};
use mahbusa_rules::{Board, PositionPlay};

use super::{Candidate, Chosen, Decision, Estimated, Settings};
use crate::{Budget, RolledOut, Rollout};

/// Prices the plays of a decision, on the threads of the current rayon pool; `None` when the flag was set meanwhile.
///
/// The plays that the judge likes best (see [`Settings`]) are rolled out, all on the same dice, until every difference to the best one is
/// as precise as the settings ask. All plays get the judge's look-ahead.
pub fn judge(player: &Search, settings: &Settings, chosen: &Chosen, interrupted: &AtomicBool) -> Option<Decision> {
    let rules = chosen.position.rules;
    let (candidates, others) = shortlist(player.net(), settings, chosen);
    let rollout =
        Rollout { rules, player, seed: settings.seed.wrapping_add(chosen.number), truncate: settings.truncate };
    let budget = Budget { trials: settings.max_trials, max_error: Some(settings.max_error) };
    let rolled = rollout.plays(&boards(&candidates), budget, interrupted, || {});
    if interrupted.load(Ordering::Relaxed) {
        return None;
    }
    let glances = rollout.look_ahead(&boards(&candidates));
    let mut priced: Vec<(&PositionPlay, &RolledOut, f64)> =
        candidates.iter().zip(&rolled).zip(glances).map(|((play, rolled), glance)| (play, rolled, glance)).collect();
    // Stable: plays of equal equity stay in wire order.
    priced.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
    let best = priced.first()?.1;
    let candidates = priced
        .iter()
        .map(|(play, rolled, glance)| Candidate {
            play: play.play,
            equity: rounded(rolled.equity()),
            look_ahead: rounded(*glance),
            error: rounded(rolled.error_of_difference(best)),
            halves: rolled.halves().map(rounded),
        })
        .collect();
    let not_rolled_out = others
        .iter()
        .zip(rollout.look_ahead(&boards(&others)))
        .map(|(play, glance)| Estimated { play: play.play, look_ahead: rounded(glance) })
        .collect();
    let Chosen { number, game, phase, position } = *chosen;
    Some(Decision { number, game, phase, position, trials: best.trials(), candidates, not_rolled_out })
}

/// The plays to roll out, and all others; both in wire order.
fn shortlist(player: &NetPlayer, settings: &Settings, chosen: &Chosen) -> (Vec<PositionPlay>, Vec<PositionPlay>) {
    let plays = chosen.position.plays();
    let mut workspace = Workspace::default();
    let (rules, board) = (chosen.position.rules, &chosen.position.board);
    let equities: Vec<f64> = player
        .rate(rules, board, &boards(&plays), &mut workspace)
        .map(|(outcomes, _)| f64::from(outcomes.equity()))
        .collect();
    let mut order: Vec<usize> = (0..plays.len()).collect();
    order.sort_by(|&a, &b| equities[b].total_cmp(&equities[a]));
    let least = order.first().map_or(0.0, |&best| equities[best]) - settings.margin;
    let mut listed = vec![false; plays.len()];
    for &index in order.iter().take(settings.candidates.max(1)).filter(|&&index| equities[index] >= least) {
        listed[index] = true;
    }
    let (candidates, others): (Vec<_>, Vec<_>) = plays.into_iter().zip(listed).partition(|&(_, listed)| listed);
    let plays = |listed: Vec<(PositionPlay, bool)>| listed.into_iter().map(|(play, _)| play).collect();
    (plays(candidates), plays(others))
}

/// The boards after plays, seen by the side that played.
fn boards(plays: &[PositionPlay]) -> Vec<Board> {
    plays.iter().map(|play| play.position.board.flip()).collect()
}

/// As it stands in the file: a hundredth of a millipoint is far below any error.
fn rounded(points: f64) -> f64 {
    (points * UNITS).round() / UNITS
}

/// Hundredths of a millipoint in a point.
pub(super) const UNITS: f64 = 100_000.0;
