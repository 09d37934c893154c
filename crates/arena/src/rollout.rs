//! Rollouts: what a position is worth, measured by playing it out many times.
//!
//! A *trial* plays the position on with one player for both sides, a net that looks one ply ahead or more, to the end or until
//! so many plies were played, when the player's own value stands for the rest.
//!
//! **Luck is taken out.** Before each roll the net rates the best reply to all 21 rolls (1-ply, however deep the player looks); what it says of the
//! roll that fell, less the mean over all of them, is the luck of that roll. Luck is zero on average whatever the net believes, so that the result of a trial
//! less its luck has the same mean, and a variance that is the smaller the better the net is (a control variate; the "variance reduction"
//! of GNU Backgammon and Snowie, see D. Montgomery, *Variance Reduction*, GammOnLine 2000). It is done for each of the five outcomes, and
//! the equity follows. So a mean can lie a little outside 0..=1.
//!
//! **Dice are spread evenly.** Trials come in blocks of 36, in which the first roll is each of the 36 throws once, and so is the second;
//! over 36 blocks each pair of throws falls once. The order of pairs is shuffled, so the mean stays unbiased at any number of blocks.
//!
//! **Dice are common.** The dice of a trial depend on the seed and its number only: candidates of one decision meet the same dice, and much
//! of their noise cancels out in the difference.
//!
//! The result does not depend on the number of threads: trials are added in the order of their numbers.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

use mahbusa_net::random::{Generator, Purpose, generator};
use mahbusa_net::{OUTCOMES, Outcomes};
use mahbusa_players::{Aim, Lookahead, Ply, Search, Workspace};
use mahbusa_rules::{Board, Roll, Rules};
use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use crate::rolled_out::{BLOCK, RolledOut, equity};

/// Throws of two dice.
const THROWS: usize = BLOCK;
/// Trials between two looks at the error: two blocks, so that halves of the trials are equally large.
const ROUND: usize = 2 * BLOCK;
/// With fewer trials the error itself is not known well enough to stop by.
const LEAST_TO_STOP: usize = 4 * BLOCK;
/// More turns than any game has; only a bug can reach it.
const TURN_CAP: u32 = 100_000;

/// How positions are rolled out.
#[derive(Clone, Copy)]
pub struct Rollout<'a> {
    /// The game.
    pub rules: Rules,
    /// Who plays for both sides, and whose opinion takes the luck out.
    pub player: &'a Search,
    /// The seed of the dice.
    pub seed: u64,
    /// Plies after which the player's opinion stands for the rest of the game; `None` plays to the end.
    pub truncate: Option<NonZeroU32>,
}

/// How many trials are made of each position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// At most so many, rounded up to a multiple of 72.
    pub trials: u64,
    /// Fewer, though not less than 144, if the standard errors that matter are no larger than this: that of the difference to the best for
    /// plays, that of the equity for a position. In points.
    pub max_error: Option<f64>,
}

impl Budget {
    /// The trials that it pays for.
    pub fn most(self) -> u64 {
        self.trials.max(1).next_multiple_of(ROUND as u64)
    }
}

impl Rollout<'_> {
    /// Rolls out a position for the side to roll, which sees the board; the game must not be over. Each finished trial is reported, on any
    /// thread. Once the flag is set, ends with the round of trials that has begun.
    pub fn position(
        &self,
        board: &Board,
        budget: Budget,
        interrupted: &AtomicBool,
        finished: impl Fn() + Sync,
    ) -> RolledOut {
        let boards = std::slice::from_ref(board);
        let mut all = self.rounds(boards, &[], budget, interrupted, finished, |all| all[0].whole.error());
        all.pop().unwrap_or_default().whole
    }

    /// Rolls out the boards after some plays of one turn, all on the same dice, for the side that played, which sees them. Otherwise as
    /// [`Rollout::position`]; a play may have ended the game.
    pub fn plays(
        &self,
        afterstates: &[Board],
        budget: Budget,
        interrupted: &AtomicBool,
        finished: impl Fn() + Sync,
    ) -> Vec<RolledOut> {
        let boards: Vec<Board> = afterstates.iter().map(Board::flip).collect();
        let all = self.rounds(&boards, &[], budget, interrupted, finished, |all| {
            let all = || all.iter().map(|one| &one.whole);
            // Seen by the side now to roll, so what is worst for it is best.
            let best = all().min_by(|a, b| a.equity().total_cmp(&b.equity()));
            best.map_or(0.0, |best| all().map(|one| one.error_of_difference(best)).fold(0.0, f64::max))
        });
        all.into_iter().map(|one| one.flipped().whole).collect()
    }

    /// Rolls out the boards after some plays of one turn as [`Rollout::plays`], but until the standard error of each equity is small enough, and says
    /// besides what the same trials would have shown if they had been cut after fewer plies, in ascending order.
    pub fn each_play(
        &self,
        afterstates: &[Board],
        cuts: &[NonZeroU32],
        budget: Budget,
        interrupted: &AtomicBool,
        finished: impl Fn() + Sync,
    ) -> Vec<ByCut> {
        let boards: Vec<Board> = afterstates.iter().map(Board::flip).collect();
        let all = self.rounds(&boards, cuts, budget, interrupted, finished, |all| {
            all.iter().map(|one| one.whole.error()).fold(0.0, f64::max)
        });
        all.into_iter().map(ByCut::flipped).collect()
    }

    /// What the boards after plays of one turn are worth to the side that played, which sees them, one roll and reply later: the mean over
    /// all rolls of what the net says of its best reply (2-ply, however deep the player looks). No dice are thrown.
    pub fn look_ahead(&self, afterstates: &[Board]) -> Vec<f64> {
        let value = |lookahead: &mut Lookahead, afterstate: &Board| match afterstate.ending(self.rules) {
            Some(ending) => f64::from(ending.points()),
            None => {
                lookahead.see(self.rules, self.player.net(), &afterstate.flip(), Aim::Points);
                -equity(&lookahead.mean())
            }
        };
        afterstates.par_iter().map_init(Lookahead::default, value).collect()
    }

    /// Makes trials of all boards, round by round, until the budget is spent or the error, as `error` computes it, is small enough.
    fn rounds(
        &self,
        boards: &[Board],
        cuts: &[NonZeroU32],
        budget: Budget,
        interrupted: &AtomicBool,
        finished: impl Fn() + Sync,
        error: impl Fn(&[ByCut]) -> f64,
    ) -> Vec<ByCut> {
        let nothing = ByCut { whole: RolledOut::default(), cuts: vec![RolledOut::default(); cuts.len()] };
        let mut all = vec![nothing; boards.len()];
        let mut made = 0;
        loop {
            let trials: Vec<Trial> = (0..ROUND * boards.len())
                .into_par_iter()
                .map_init(Memory::default, |memory, task| {
                    let trial = made + task / boards.len();
                    let trial = self.trial(&boards[task % boards.len()], cuts, trial as u64, memory);
                    finished();
                    trial
                })
                .collect();
            for (task, trial) in trials.iter().enumerate() {
                all[task % boards.len()].add(trial);
            }
            made += ROUND;
            let precise = |limit| made >= LEAST_TO_STOP && error(&all) <= limit;
            if made as u64 >= budget.most()
                || budget.max_error.is_some_and(precise)
                || interrupted.load(Ordering::Relaxed)
            {
                return all;
            }
        }
    }

    /// Plays a board on once; the probabilities of the five outcomes for the side to roll, without luck.
    #[expect(clippy::panic, reason = "only a fault in the rules can come here, and no result would be right then")]
    fn trial(&self, start: &Board, cuts: &[NonZeroU32], number: u64, memory: &mut Memory) -> Trial {
        let Memory { lookahead, workspace } = memory;
        let mut dice = Dice::of_trial(self.seed, number);
        let mut board = *start;
        let mut value = None;
        // Seen by the side that rolled at the start.
        let mut luck = [0.0; OUTCOMES];
        let mut so_far = Vec::new();
        for ply in 0..TURN_CAP {
            let others = ply % 2 == 1;
            let without_luck = |outcomes: Outcomes| -> [f64; OUTCOMES] {
                let outcomes = seen_by(others, outcomes.probabilities().map(f64::from));
                std::array::from_fn(|i| outcomes[i] - luck[i])
            };
            if let Some(outcomes) = self.end(&board, ply, value) {
                let whole = without_luck(outcomes);
                // Where it was over before a cut, nothing is cut.
                so_far.resize(cuts.len(), whole);
                return Trial { whole, cuts: so_far };
            }
            if let Some(value) = value
                && cuts.get(so_far.len()).is_some_and(|cut| cut.get() == ply)
            {
                so_far.push(without_luck(value));
            }
            lookahead.see(self.rules, self.player.net(), &board, Aim::Points);
            let roll = dice.roll(ply);
            let (best, fell) = lookahead.best(roll);
            let mean = lookahead.mean();
            let luck_now = seen_by(others, std::array::from_fn(|i| f64::from(fell.probabilities()[i]) - mean[i]));
            for (sum, luck) in luck.iter_mut().zip(luck_now) {
                *sum += luck;
            }
            let (played, worth) = match self.player.ply() {
                Ply::One => (best, fell),
                Ply::Two | Ply::Three => self.search(&board, lookahead.afterstates(roll), workspace),
            };
            board = played.flip();
            value = Some(worth.flip());
        }
        panic!("a trial of {} has not ended after {TURN_CAP} plies (seed {}, trial {number})", self.rules, self.seed);
    }

    /// The board after the play that a player takes who looks deeper, and what it is worth to the side that played.
    fn search(&self, board: &Board, afterstates: &[Board], workspace: &mut Workspace) -> (Board, Outcomes) {
        let choice = self.player.best(self.rules, board, afterstates, Aim::Points, workspace);
        (afterstates[choice.index], choice.outcomes)
    }

    /// What a trial is worth to the side to roll if it ends before this ply: the one place where trials end. It does so with the game, where the player knows
    /// the rest, and where it is cut; `value` is the player's opinion.
    fn end(&self, board: &Board, ply: u32, value: Option<Outcomes>) -> Option<Outcomes> {
        if let Some(ending) = board.flip().ending(self.rules) {
            return Some(Outcomes::certain(ending.outcome()).flip());
        }
        if let Some(known) = self.player.net().known(board) {
            return Some(known);
        }
        value.filter(|_| self.truncate.is_some_and(|plies| ply >= plies.get()))
    }
}

/// What one trial showed, for the side that rolled at its start.
struct Trial {
    whole: [f64; OUTCOMES],
    /// What it would have shown if it had been cut, by cut.
    cuts: Vec<[f64; OUTCOMES]>,
}

/// What the trials of one position showed, and would have shown if they had been cut, all on the same dice.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ByCut {
    /// Out of the trials as they were made.
    pub whole: RolledOut,
    /// If they had been cut after each of the numbers of plies that were asked for.
    pub cuts: Vec<RolledOut>,
}

impl ByCut {
    fn add(&mut self, trial: &Trial) {
        self.whole.add(&trial.whole);
        self.cuts.iter_mut().zip(&trial.cuts).for_each(|(rolled, cut)| rolled.add(cut));
    }

    /// As the other side sees it.
    fn flipped(mut self) -> ByCut {
        self.whole.flip();
        self.cuts.iter_mut().for_each(RolledOut::flip);
        self
    }
}

/// Memory of a thread that makes trials.
#[derive(Default)]
struct Memory {
    lookahead: Lookahead,
    workspace: Workspace,
}

/// The outcomes for one side as the other one sees them, if it is the other one's turn.
fn seen_by(others: bool, mut outcomes: [f64; OUTCOMES]) -> [f64; OUTCOMES] {
    if others {
        outcomes.reverse();
    }
    outcomes
}

/// The dice of one trial.
struct Dice {
    first: u8,
    second: u8,
    rest: Generator,
}

impl Dice {
    fn of_trial(seed: u64, trial: u64) -> Dice {
        let throws = THROWS as u64;
        let (block, first) = (trial / throws, trial % throws);
        let (square, row) = (block / throws, block % throws);
        // A Latin square: rows are blocks, columns first throws. Its rows are shuffled by a stream that no trial uses.
        let mut shifts: [u64; THROWS] = std::array::from_fn(|shift| shift as u64);
        shifts.shuffle(&mut generator(Purpose::Rollout, seed, u64::MAX - square));
        let second = (first + shifts[row as usize]) % throws;
        Dice { first: first as u8, second: second as u8, rest: generator(Purpose::Rollout, seed, trial) }
    }

    /// The roll of a ply; to be asked once for each ply, in order.
    fn roll(&mut self, ply: u32) -> Roll {
        Roll::from_uniform(match ply {
            0 => self.first,
            1 => self.second,
            _ => self.rest.random_range(0..THROWS as u8),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn first_and_second_throws_are_spread_evenly() {
        let throws: Vec<(u8, u8)> =
            (0..36 * 36).map(|trial| Dice::of_trial(9, trial)).map(|dice| (dice.first, dice.second)).collect();
        assert_eq!(throws.iter().collect::<HashSet<_>>().len(), 36 * 36);
        for block in throws.chunks(36) {
            assert_eq!(block.iter().map(|&(first, _)| first).collect::<HashSet<_>>().len(), 36);
            assert_eq!(block.iter().map(|&(_, second)| second).collect::<HashSet<_>>().len(), 36);
        }
    }
}
