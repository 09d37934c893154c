//! Two players meet: games are played, kept and shown.

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
pub struct Played {
    pub pairs: Vec<Pair>,
    /// An error leaves what was played before.
    pub halt: Result<Halt, Failure>,
}

impl Host {
    /// Plays so many pairs, or until `enough` breaks off, which sees all of them after each round; what is kept of these players is not played again.
    pub fn play(
        &mut self,
        contest: Contest<'_>,
        [player, opponent]: [&str; 2],
        pairs: u64,
        stage: &str,
        mut enough: impl FnMut(&[Pair], &Progress) -> ControlFlow<()> + Send,
    ) -> Played {
        let key =
            Key { player: player.to_owned(), opponent: opponent.to_owned(), rules: contest.rules, seed: contest.seed };
        let Host { pool, stop, record, quiet } = self;
        let mut known = record.as_ref().map_or_else(Vec::new, |record| record.pairs(&key));
        known.truncate(pairs as usize);
        let progress = Progress::new(2 * pairs, *quiet);
        progress.begin(2 * known.len() as u64);
        progress.stage(stage);
        let mut meetings = [Meeting { contest, pairs: known }];
        let halt = pool.install(|| {
            play_rounds(
                &mut meetings,
                pairs,
                stop,
                || progress.advance(2),
                |meetings| {
                    let pairs = &meetings[0].pairs;
                    if let Some(record) = record {
                        record.add(&key, pairs)?;
                    }
                    Ok::<_, Failure>(enough(pairs, &progress))
                },
            )
        });
        progress.finish();
        let [meeting] = meetings;
        Played { pairs: meeting.pairs, halt }
    }
}
