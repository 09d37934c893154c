//! Players meet: games are played, kept and shown.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use mahbusa_arena::{Contest, Halt, Key, Meeting, Pair, Record, play_rounds};
use rayon::ThreadPool;

use crate::failure::Failure;
use crate::progress::Progress;

/// What all meetings of a command share.
pub struct Host {
    pub pool: ThreadPool,
    /// Set when the user wants an end.
    pub stop: &'static AtomicBool,
    /// Where games are kept.
    pub record: Option<Record>,
    /// Show no progress.
    pub quiet: bool,
}

/// What was played, and why no more.
pub struct Played<T> {
    pub pairs: T,
    /// An error leaves what was played before.
    pub halt: Result<Halt, Failure>,
}

impl<T> Played<T> {
    /// What was played, why no more, and what went wrong: what has been played is told, even if it cannot be kept.
    pub fn told(self) -> (T, Halt, Option<Failure>) {
        match self.halt {
            Ok(halt) => (self.pairs, halt, None),
            Err(failure) => (self.pairs, Halt::Stopped, Some(failure)),
        }
    }
}

impl Host {
    /// Two players play so many pairs, or until `enough` breaks off, which sees all of them after each round; what is kept of these players is not played
    /// again.
    pub fn play(
        &mut self,
        contest: Contest<'_>,
        [player, opponent]: [&str; 2],
        pairs: u64,
        stage: &str,
        mut enough: impl FnMut(&[Pair], &Progress) -> ControlFlow<()> + Send,
    ) -> Played<Vec<Pair>> {
        let enough = |meetings: &[Meeting<'_>], progress: &Progress| enough(&meetings[0].pairs, progress);
        let Played { pairs, halt } = self.play_all(&[(contest, [player, opponent])], pairs, stage, enough);
        Played { pairs: pairs.into_iter().flatten().collect(), halt }
    }

    /// Contests between players of these ids are played side by side, so many pairs of each, or until `enough` breaks off, which sees all of them after each
    /// round; what is kept of these players is not played again.
    pub fn play_all(
        &mut self,
        contests: &[(Contest<'_>, [&str; 2])],
        pairs: u64,
        stage: &str,
        mut enough: impl FnMut(&[Meeting<'_>], &Progress) -> ControlFlow<()> + Send,
    ) -> Played<Vec<Vec<Pair>>> {
        let Host { pool, stop, record, quiet } = self;
        let key = |&(contest, [player, opponent]): &(Contest<'_>, [&str; 2])| {
            let [player, opponent] = [player, opponent].map(str::to_owned);
            Key { player, opponent, rules: contest.rules, seed: contest.seed }
        };
        let keys: Vec<Key> = contests.iter().map(key).collect();
        let known = |key: &Key| {
            let mut known = record.as_ref().map_or_else(Vec::new, |record| record.pairs(key));
            known.truncate(pairs as usize);
            known
        };
        let mut meetings: Vec<Meeting<'_>> =
            contests.iter().zip(&keys).map(|(&(contest, _), key)| Meeting { contest, pairs: known(key) }).collect();
        let progress = Progress::new(2 * pairs * meetings.len() as u64, *quiet);
        progress.begin(meetings.iter().map(|meeting| 2 * meeting.pairs.len() as u64).sum());
        progress.stage(stage);
        let halt = pool.install(|| {
            play_rounds(
                &mut meetings,
                pairs,
                stop,
                || progress.advance(2),
                |meetings| {
                    if let Some(record) = record {
                        keys.iter().zip(meetings).try_for_each(|(key, meeting)| record.add(key, &meeting.pairs))?;
                    }
                    Ok::<_, Failure>(enough(meetings, &progress))
                },
            )
        });
        progress.finish();
        Played { pairs: meetings.into_iter().map(|meeting| meeting.pairs).collect(), halt }
    }
}
