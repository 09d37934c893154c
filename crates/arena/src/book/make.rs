use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

use mahbusa_net::Weights;
use mahbusa_players::{Aim, Rated, Search, Workspace};
use mahbusa_rules::{Board, Position, PositionPlay, Roll};

use super::{Book, Check, CutOpinion, Opening, Part, REPLIES_ROLLED_OUT, Reply, Task, Valued};
use crate::advice::{Advice, Decision, Surveyor, Tally};
use crate::rolled_out::RolledOut;
use crate::{Budget, ByCut, Facts, Rollout};

/// Who makes the parts of a book, on the threads of the current rayon pool.
#[derive(Clone, Copy)]
pub struct Maker<'a> {
    /// The net.
    pub weights: &'a Weights,
    /// It as the player of rollouts.
    pub player: &'a Search,
    /// It looking two plies ahead: who says which replies are rolled out, and rates decisions about the advice.
    pub scout: &'a Search,
}

/// How much there is to be done of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// Finished units, trials or games, as the maker reports them.
    pub done: u64,
    /// How many it will be in all, as far as can be told.
    pub total: u64,
}

/// Plies at which the trials of openings that are played to the end are looked at on their way.
const LOOKS: [u32; 8] = [4, 8, 12, 16, 24, 36, 48, 60];
/// No rollout needs so many.
const TRIALS: u64 = 100_000_000;
/// Seeds of different kinds of work lie so far apart that they share no dice, and none of them those that nets are usually trained on.
const KIND: u64 = 1_000_000;
const OPENINGS: u64 = 1;
const REPLIES: u64 = 2;
const CHECKS: u64 = 3;
const SURVEY: u64 = 4;
const GAMES: u64 = 5;
/// Standard deviation of a trial from the start, in points, before anything is known; roughly.
const DEVIATION: f64 = 0.4;
/// Plies of checks.
const CHECK_CUT: Option<NonZeroU32> = NonZeroU32::new(12);
/// The standard error of their differences, in points: small beside how decisions differ from each other.
const CHECK_ERROR: f64 = 0.02;
const CHECK_TRIALS: u64 = 1440;

impl Maker<'_> {
    /// Makes a part of a book; `None` if the flag was set meanwhile. Each finished trial or game is reported, on any thread.
    pub fn make(&self, book: &Book, task: &Task, interrupted: &AtomicBool, finished: impl Fn() + Sync) -> Option<Part> {
        let header = &book.header;
        let part = match task {
            Task::Opening(number) => Part::Opening(self.opening(book, *number, interrupted, finished)),
            Task::Games(numbers) => {
                Part::Games(Facts::play(header.rules, self.player.net(), seed(book, GAMES), numbers.clone(), finished))
            }
            Task::Reply(opening, roll) => Part::Reply(self.reply(book, *opening, *roll, interrupted, finished)?),
            Task::Survey(numbers) => {
                let decisions = self.surveyor(book).survey(numbers.clone(), finished);
                let mut tally = Tally::default();
                decisions.iter().for_each(|decision| tally.add(decision));
                Part::Survey { tally, samples: samples(book, decisions) }
            }
            Task::Check(number) => {
                let check = self.check(book, *number, interrupted)?;
                finished();
                Part::Check(check)
            }
        };
        (!interrupted.load(Ordering::Relaxed)).then_some(part)
    }

    fn rollout(&self, book: &Book, kind: u64, number: u64, truncate: Option<NonZeroU32>) -> Rollout<'_> {
        let seed = seed(book, kind).wrapping_add(number);
        Rollout { rules: book.header.rules, player: self.player, seed, truncate }
    }

    fn surveyor(&self, book: &Book) -> Surveyor<'_> {
        let header = &book.header;
        Surveyor { rules: header.rules, weights: self.weights, player: self.scout, seed: seed(book, SURVEY) }
    }

    fn opening(&self, book: &Book, number: usize, interrupted: &AtomicBool, finished: impl Fn() + Sync) -> Opening {
        let settings = &book.header.settings;
        let roll = Roll::ALL[number];
        let plays = Position::start(book.header.rules).with_dice(roll).plays();
        let rollout = self.rollout(book, OPENINGS, number as u64, settings.opening_cut);
        let cuts = match settings.opening_cut {
            Some(_) => Vec::new(),
            None => looks(settings.reply_cut),
        };
        let budget = Budget { trials: TRIALS, max_error: Some(settings.opening_error) };
        let all = rollout.each_play(&boards(&plays), &cuts, budget, interrupted, finished);
        Opening {
            roll,
            trials: all.first().map_or(0, |one| one.whole.trials()),
            plays: ranked(&plays, &all, [0.0; 2]),
            cuts: (0..cuts.len()).map(|cut| opinion(cuts[cut], cut, &all)).collect(),
        }
    }

    fn reply(
        &self,
        book: &Book,
        opening: Roll,
        roll: Roll,
        interrupted: &AtomicBool,
        finished: impl Fn() + Sync,
    ) -> Option<Reply> {
        let settings = &book.header.settings;
        let found = book.openings.iter().find(|one| one.roll == opening)?;
        let plays = book.after(found)?.with_dice(roll).plays();
        let chosen = self.shortlist(book, &plays, &book.after(found)?.board);
        let number = book.replies.len() as u64;
        let rollout = self.rollout(book, REPLIES, number, settings.reply_cut);
        let uncertainty = book.reply_bias().map_or([0.0; 2], |bias| bias.uncertainty());
        let max_error = Some(left_for_trials(settings.reply_error, uncertainty[0]));
        let budget = Budget { trials: TRIALS, max_error };
        let all = rollout.each_play(&boards(&chosen), &[], budget, interrupted, finished);
        Some(Reply {
            opening,
            roll,
            trials: all.first().map_or(0, |one| one.whole.trials()),
            legal: plays.len(),
            plays: ranked(&chosen, &all, uncertainty),
        })
    }

    /// The plays that the scout likes best, in wire order.
    fn shortlist(&self, book: &Book, plays: &[PositionPlay], board: &Board) -> Vec<PositionPlay> {
        let mut workspace = Workspace::default();
        let rated = self.scout.rate(book.header.rules, board, &boards(plays), Aim::Points, &mut workspace);
        let mut order = Rated::order(rated, Aim::Points);
        order.truncate(REPLIES_ROLLED_OUT);
        order.sort_unstable();
        order.into_iter().map(|index| plays[index]).collect()
    }

    fn check(&self, book: &Book, number: usize, interrupted: &AtomicBool) -> Option<Check> {
        let decision = book.samples.get(number)?;
        let plays = decision.position.plays();
        let of = |wanted| plays.iter().find(|play| play.play == wanted).copied();
        let both = [of(decision.follows)?, of(decision.against)?];
        let rollout = self.rollout(book, CHECKS, number as u64, CHECK_CUT);
        let budget = Budget { trials: CHECK_TRIALS, max_error: Some(CHECK_ERROR) };
        let rolled = rollout.plays(&boards(&both), budget, interrupted, || {});
        let [follows, against] = rolled.as_slice() else { return None };
        Some(Check {
            gain: rounded(follows.equity() - against.equity()),
            error: rounded(follows.error_of_difference(against)),
        })
    }
}

impl Prospect {
    /// How far the work is that a task belongs to, before the task, if `done` units of it are done; the units of what is still to come are guessed.
    pub fn of(book: &Book, task: &Task) -> Prospect {
        let settings = &book.header.settings;
        match task {
            Task::Opening(number) => {
                let plays = |roll: Roll| Position::start(book.header.rules).with_dice(roll).plays().len() as u64;
                let done: u64 = book.openings.iter().map(|opening| opening.trials * opening.plays.len() as u64).sum();
                let played: u64 = book.openings.iter().map(|opening| opening.plays.len() as u64).sum();
                let guess = || guess(settings.opening_error, settings.opening_cut);
                let each = done.checked_div(played).unwrap_or_else(guess);
                let left: u64 = Roll::ALL[*number..].iter().map(|&roll| plays(roll)).sum();
                Prospect { done, total: done + left * each }
            }
            Task::Games(numbers) => Prospect { done: numbers.start, total: settings.games },
            Task::Reply(..) => {
                let done: u64 = book.replies.iter().map(|reply| reply.trials * reply.plays.len() as u64).sum();
                let replies = book.replies.len() as u64;
                let guess = || REPLIES_ROLLED_OUT as u64 * guess(settings.reply_error, settings.reply_cut);
                let each = done.checked_div(replies).unwrap_or_else(guess);
                let left = book.answers().len() as u64 - replies;
                Prospect { done, total: done + left * each }
            }
            Task::Survey(numbers) => Prospect { done: numbers.start, total: settings.advice_games },
            Task::Check(number) => Prospect { done: *number as u64, total: book.samples.len() as u64 },
        }
    }
}

/// The first seed of a kind of work.
fn seed(book: &Book, kind: u64) -> u64 {
    book.header.settings.seed.wrapping_add(kind * KIND)
}

/// Trials that a standard error takes, roughly.
fn guess(error: f64, cut: Option<NonZeroU32>) -> u64 {
    // Variance grows about with the plies; a game has ninety.
    let share = cut.map_or(1.0, |plies| (f64::from(plies.get()) / 90.0).min(1.0));
    ((DEVIATION / error).powi(2) * share).max(144.0) as u64
}

/// Where trials are looked at on their way.
fn looks(reply_cut: Option<NonZeroU32>) -> Vec<NonZeroU32> {
    let mut looks: Vec<NonZeroU32> = LOOKS.into_iter().filter_map(NonZeroU32::new).chain(reply_cut).collect();
    looks.sort_unstable();
    looks.dedup();
    looks
}

/// The standard error that trials may have where the whole is to have `error` and something else adds to its variance; half of it at least.
fn left_for_trials(error: f64, uncertainty: f64) -> f64 {
    (error.powi(2) - uncertainty).max(error.powi(2) / 4.0).sqrt()
}

/// Those of the decisions that are to be rolled out: the first of each piece of advice.
fn samples(book: &Book, decisions: Vec<Decision>) -> Vec<Decision> {
    let mut left = Advice::ALL.map(|advice| {
        let have = book.samples.iter().filter(|sample| sample.advice == advice).count() as u64;
        book.header.settings.advice_checks.saturating_sub(have)
    });
    let mut wanted = |decision: &Decision| {
        let left = &mut left[decision.advice as usize];
        let wanted = *left > 0;
        *left = left.saturating_sub(1);
        wanted
    };
    decisions.into_iter().filter(|decision| wanted(decision)).collect()
}

/// Plays by what their trials showed, the best first. The variance of each equity, and that of each difference to the best, are greater by `uncertainty`
/// than the trials say.
fn ranked(plays: &[PositionPlay], all: &[ByCut], uncertainty: [f64; 2]) -> Vec<Valued> {
    let mut order: Vec<(&PositionPlay, &RolledOut)> =
        plays.iter().zip(all).map(|(play, rolled)| (play, &rolled.whole)).collect();
    // Stable: plays of equal equity stay in wire order.
    order.sort_by(|a, b| b.1.equity().total_cmp(&a.1.equity()));
    let Some(&(_, best)) = order.first() else { return Vec::new() };
    let valued = |&(play, rolled): &(&PositionPlay, &RolledOut)| {
        // What ended the game is certain.
        let [of_equity, of_difference] = if play.ending.is_some() { [0.0; 2] } else { uncertainty };
        let of_difference = if std::ptr::eq(rolled, best) { 0.0 } else { of_difference };
        Valued {
            play: play.play,
            equity: rounded(rolled.equity()),
            error: rounded(rolled.error().hypot(of_equity.sqrt())),
            behind: rounded(best.equity() - rolled.equity()),
            behind_error: rounded(rolled.error_of_difference(best).hypot(of_difference.sqrt())),
            outcomes: rolled.outcomes().map(rounded),
        }
    };
    order.iter().map(valued).collect()
}

fn opinion(plies: NonZeroU32, cut: usize, all: &[ByCut]) -> CutOpinion {
    let count = all.len().max(1) as f64;
    let difference = |one: &ByCut| {
        let (cut, whole) = (one.cuts[cut].halves(), one.whole.halves());
        [cut[0] - whole[0], cut[1] - whole[1]].map(rounded)
    };
    let whole = RolledOut::mean_of(&all.iter().map(|one| &one.whole).collect::<Vec<_>>());
    let cuts = RolledOut::mean_of(&all.iter().map(|one| &one.cuts[cut]).collect::<Vec<_>>());
    let deviation = |one: &ByCut| one.cuts[cut].error() * (one.whole.trials() as f64).sqrt();
    CutOpinion {
        plies,
        mean: rounded(cuts.equity() - whole.equity()),
        error: rounded(cuts.error_of_difference(&whole)),
        halves: all.iter().map(difference).collect(),
        deviation: rounded(all.iter().map(deviation).sum::<f64>() / count),
    }
}

/// The boards after plays, seen by the side that played.
fn boards(plays: &[PositionPlay]) -> Vec<Board> {
    plays.iter().map(|play| play.position.board.flip()).collect()
}

/// As it stands in files: a hundredth of a millipoint is far below any error.
fn rounded(points: f64) -> f64 {
    (points * 100_000.0).round() / 100_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_trials_may_err_is_what_the_cut_leaves_them() {
        assert_eq!(left_for_trials(0.01, 0.0), 0.01);
        assert!((left_for_trials(0.01, 0.000_036) - 0.008).abs() < 1e-12);
        // Where the cut takes all of it, trials are not made without end.
        assert_eq!(left_for_trials(0.01, 0.01), 0.005);
    }

    #[test]
    fn trials_are_looked_at_where_replies_are_cut() {
        let plies = |cut| looks(NonZeroU32::new(cut)).iter().map(|look| look.get()).collect::<Vec<_>>();
        assert_eq!(plies(0), LOOKS);
        assert_eq!(plies(24), LOOKS);
        assert_eq!(plies(20), [4, 8, 12, 16, 20, 24, 36, 48, 60]);
    }
}
