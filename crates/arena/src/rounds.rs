use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mahbusa_players::Workspace;
use rayon::prelude::*;

use crate::{Contest, Pair};

/// A contest and the pairs that have been played of it: numbers 0, 1, 2, ...
pub struct Meeting<'a> {
    /// Who meets.
    pub contest: Contest<'a>,
    /// What has been played, in order.
    pub pairs: Vec<Pair>,
}

/// Why no more is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// All pairs that were asked for have been played.
    Complete,
    /// Enough is known.
    Decided,
    /// The flag to stop was set.
    Stopped,
}

/// Rounds are made to last about this long, so that a stop or a kill costs little and threads seldom wait for each other.
const ROUND: Duration = Duration::from_secs(2);

/// Pairs of a meeting in the first round.
const FIRST_ROUND: u64 = 4;

/// Plays until each meeting has `pairs` pairs, all meetings side by side and in parallel, round after round; what they have already
/// is not played again. Each pair is reported as it is finished, on any thread, and all meetings after each round.
///
/// What is in a meeting does not depend on threads or time: only how far a stopped one has come does. When `stop` is set, the games in
/// hand are finished and those that have no gap before them kept.
///
/// # Errors
/// Those of `after_round`.
pub fn play_rounds<E>(
    meetings: &mut [Meeting<'_>],
    pairs: u64,
    stop: &AtomicBool,
    finished: impl Fn() + Sync,
    mut after_round: impl FnMut(&[Meeting<'_>]) -> Result<ControlFlow<()>, E>,
) -> Result<Halt, E> {
    let mut reached = meetings.iter().map(|meeting| meeting.pairs.len() as u64).min().unwrap_or(pairs);
    let mut size = FIRST_ROUND;
    loop {
        // What was there before the first round may be enough.
        if after_round(meetings)?.is_break() {
            return Ok(Halt::Decided);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Halt::Stopped);
        }
        if reached >= pairs {
            return Ok(Halt::Complete);
        }
        let started = Instant::now();
        reached = pairs.min(reached + size);
        play_round(meetings, reached, stop, &finished);
        size = match started.elapsed() {
            short if short < ROUND / 2 => size * 2,
            long if long > ROUND * 2 => (size / 2).max(1),
            _ => size,
        };
    }
}

/// Plays until each meeting has `reached` pairs.
fn play_round(meetings: &mut [Meeting<'_>], reached: u64, stop: &AtomicBool, finished: &(impl Fn() + Sync)) {
    let done: Vec<u64> = meetings.iter().map(|meeting| meeting.pairs.len() as u64).collect();
    let first = done.iter().copied().min().unwrap_or(reached);
    let jobs: Vec<(usize, u64)> = (first..reached)
        .flat_map(|pair| (0..done.len()).map(move |meeting| (meeting, pair)))
        .filter(|&(meeting, pair)| pair >= done[meeting])
        .collect();
    let played: Vec<Option<Pair>> = jobs
        .par_iter()
        .map_init(Workspace::default, |workspace, &(meeting, pair)| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let pair = meetings[meeting].contest.play_pair(pair, workspace);
            finished();
            Some(pair)
        })
        .collect();
    for ((meeting, number), pair) in jobs.into_iter().zip(played) {
        let pairs = &mut meetings[meeting].pairs;
        // A pair after a gap is left out: pairs are known by their place.
        if let Some(pair) = pair
            && pairs.len() as u64 == number
        {
            pairs.push(pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_players::{Heuristic, Player, Random};
    use mahbusa_rules::Rules;
    use std::convert::Infallible;
    use std::sync::atomic::AtomicUsize;

    fn meetings<'a>(players: &[[&'a dyn Player; 2]]) -> Vec<Meeting<'a>> {
        let meeting = |&[player, opponent]: &[&'a dyn Player; 2]| Meeting {
            contest: Contest { rules: Rules::TAPA, player, opponent, seed: 7 },
            pairs: Vec::new(),
        };
        players.iter().map(meeting).collect()
    }

    fn go_on(_: &[Meeting<'_>]) -> Result<ControlFlow<()>, Infallible> {
        Ok(ControlFlow::Continue(()))
    }

    #[test]
    fn what_is_known_is_not_played_again_and_nothing_else_changes() {
        let players: [[&dyn Player; 2]; 2] = [[&Heuristic, &Random], [&Random, &Random]];
        let never = AtomicBool::new(false);
        let mut whole = meetings(&players);
        assert_eq!(play_rounds(&mut whole, 30, &never, || {}, go_on), Ok(Halt::Complete));

        let mut grown = meetings(&players);
        grown[0].pairs = whole[0].pairs[..13].to_vec();
        grown[1].pairs = whole[1].pairs[..2].to_vec();
        let played = AtomicUsize::new(0);
        let count = || {
            played.fetch_add(1, Ordering::Relaxed);
        };
        assert_eq!(play_rounds(&mut grown, 30, &never, count, go_on), Ok(Halt::Complete));
        assert_eq!(played.into_inner(), 17 + 28);
        for (grown, whole) in grown.iter().zip(&whole) {
            assert_eq!(grown.pairs, whole.pairs);
        }
    }

    #[test]
    fn a_stop_leaves_a_beginning_of_the_whole() {
        let players: [[&dyn Player; 2]; 2] = [[&Heuristic, &Random], [&Random, &Random]];
        let mut whole = meetings(&players);
        assert_eq!(play_rounds(&mut whole, 100, &AtomicBool::new(false), || {}, go_on), Ok(Halt::Complete));

        let stop = AtomicBool::new(false);
        let played = AtomicUsize::new(0);
        let stop_soon = || stop.store(played.fetch_add(1, Ordering::Relaxed) > 50, Ordering::Relaxed);
        let mut stopped = meetings(&players);
        assert_eq!(play_rounds(&mut stopped, 100, &stop, stop_soon, go_on), Ok(Halt::Stopped));
        for (stopped, whole) in stopped.iter().zip(&whole) {
            assert!(stopped.pairs.len() < 100 && whole.pairs.starts_with(&stopped.pairs));
        }
    }

    #[test]
    fn who_watches_can_say_that_it_is_enough() {
        let mut meetings = meetings(&[[&Random, &Random]]);
        let enough = |meetings: &[Meeting<'_>]| match meetings[0].pairs.len() {
            0..10 => Ok(ControlFlow::Continue(())),
            99.. => Err("too late"),
            _ => Ok(ControlFlow::Break(())),
        };
        assert_eq!(play_rounds(&mut meetings, 100, &AtomicBool::new(false), || {}, enough), Ok(Halt::Decided));
    }
}
