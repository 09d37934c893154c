//! Who is stronger: games between players on equal dice, and what they prove.
//!
//! Games come in pairs on one stream of dice, the first opened by one player, the second by the other, so that luck cancels out
//! and the mean over pairs has a small error.
//!
//! * [`Contest`] is two players and how they meet; [`Verdict`] is what it showed, with 95 % intervals.
//! * [`play_rounds`] plays many contests side by side, and can be stopped; [`Record`] keeps what was played in a file.
//! * [`Sequence`] says when enough has been played, however often one looks.
//! * [`Ladder`] ranks players who have all met each other.
//! * [`NoiseSearch`] makes a level as strong as it should be; [`Losses`] are what players lose a decision.
//! * [`Rollout`] measures what a position is worth by playing it out; a [`benchmark`] set holds decisions that were judged so, and prices the errors
//!   of any player. [`Phase`] says where in a game a position belongs.
//! * [`Facts`] are what games are like; [`advice`] is what a net says of the traditional advice; a [`book`] is both, and what the first plays are worth.
//! * [`truth()`] holds a net against a solved game, [`bear_off_truth`] against the exact bear-off table.

pub mod advice;
pub mod benchmark;
pub mod book;
mod calibration;
pub mod facts;
mod game;
mod ladder;
mod lines;
mod loss;
mod pair;
mod phase;
mod record;
mod rolled_out;
mod rollout;
mod rounds;
mod sequential;
mod statistics;
mod text;
mod truth;
mod verdict;

use mahbusa_players::{Player, Workspace};
use mahbusa_rules::{Board, Rules};
use rayon::prelude::*;

use game::play_watched;

pub use calibration::{Next, NoiseSearch, Probe, STEP, designs};
pub use facts::Facts;
pub use game::{GameResult, play};
pub use ladder::{Ladder, Rung, meetings_of};
pub use lines::LinesError;
pub use loss::Losses;
pub use mahbusa_players::Estimate;
pub use pair::{Finish, Pair};
pub use phase::Phase;
pub use record::{Key, Record};
pub use rolled_out::RolledOut;
pub use rollout::{Budget, ByCut, Rollout};
pub use rounds::{Halt, Meeting, play_rounds};
pub use sequential::{Finding, LOOK_EVERY, Sequence};
pub use statistics::Mean;
pub use truth::{Accuracy, Calibration, LostPerGame, Truth, bear_off_sample, bear_off_truth, truth};
pub use verdict::{Rates, Verdict};

/// Two players and how they meet.
#[derive(Clone, Copy)]
pub struct Contest<'a> {
    /// The game they play.
    pub rules: Rules,
    /// Whose points are counted.
    pub player: &'a dyn Player,
    /// Whom they are counted against.
    pub opponent: &'a dyn Player,
    /// The seed of dice and of chance.
    pub seed: u64,
}

impl Contest<'_> {
    /// Plays the pairs of these numbers in parallel and reports each as it is finished, on any thread.
    pub fn play(&self, pairs: std::ops::Range<u64>, finished: impl Fn() + Sync) -> Verdict {
        let pairs: Vec<Pair> = pairs
            .into_par_iter()
            .map_init(Workspace::default, |workspace, pair| {
                let pair = self.play_pair(pair, workspace);
                finished();
                pair
            })
            .collect();
        Verdict::of(&pairs)
    }

    /// Plays the pair of this number.
    pub fn play_pair(&self, pair: u64, workspace: &mut Workspace) -> Pair {
        self.play_pair_watched(pair, workspace, |_, _| {})
    }

    /// The same, and both games of it, in the order of [`Pair::games`]: the board after each turn as the side sees it that played. A pass leaves the board
    /// as it was.
    pub fn show_pair(&self, pair: u64, workspace: &mut Workspace) -> (Pair, [Vec<Board>; 2]) {
        let mut games = [Vec::new(), Vec::new()];
        let pair = self.play_pair_watched(pair, workspace, |game, board| games[game].push(*board));
        (pair, games)
    }

    fn play_pair_watched(&self, pair: u64, workspace: &mut Workspace, mut watch: impl FnMut(usize, &Board)) -> Pair {
        let orders = [[self.player, self.opponent], [self.opponent, self.player]];
        let [opened, answered] = std::array::from_fn(|game| {
            play_watched(self.rules, orders[game], self.seed, pair, workspace, |before, after| {
                watch(game, after.unwrap_or(before));
            })
        });
        Pair::of(&opened, &answered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::{Shape, Weights};
    use mahbusa_players::{Heuristic, NetPlayer, Random};

    fn contest<'a>(player: &'a dyn Player, opponent: &'a dyn Player) -> Contest<'a> {
        Contest { rules: Rules::MAHBUSA, player, opponent, seed: 11 }
    }

    #[test]
    fn a_player_against_itself_gets_exactly_nothing() {
        let net = NetPlayer::new(&Weights::random(Shape::of(16), 1));
        for player in [&Random as &dyn Player, &Heuristic, &net] {
            let verdict = contest(player, player).play(0..20, || {});
            assert_eq!(verdict.points_per_game, Estimate { mean: 0.0, low: 0.0, high: 0.0 });
            assert_eq!(verdict.win_rate, Estimate { mean: 0.5, low: 0.5, high: 0.5 });
        }
    }

    #[test]
    fn changing_seats_changes_the_sign_and_nothing_else() {
        let one = contest(&Heuristic, &Random).play(0..50, || {});
        let other = contest(&Random, &Heuristic).play(0..50, || {});
        assert_eq!(one.points_per_game.mean, -other.points_per_game.mean);
        assert_eq!(one.rates.win_mother, other.rates.lose_mother);
        assert_eq!(one.plies, other.plies);
    }

    #[test]
    fn a_pair_that_is_shown_is_the_pair_that_is_counted() {
        let contest = contest(&Heuristic, &Random);
        let mut workspace = Workspace::default();
        for number in 0..20 {
            let (pair, games) = contest.show_pair(number, &mut workspace);
            assert_eq!(pair, contest.play_pair(number, &mut workspace));
            assert_eq!(games.iter().map(Vec::len).sum::<usize>(), pair.plies as usize);
            for (seat, (game, finish)) in games.iter().zip(pair.games).enumerate() {
                let (last, before) = game.split_last().unwrap();
                let points = i64::from(last.ending(contest.rules).unwrap().points());
                // The opener has the first turn, the third and so on.
                let by_player = before.len() % 2 == seat;
                assert_eq!(if by_player { points } else { -points }, finish.points());
                assert!(before.iter().all(|board| board.ending(contest.rules).is_none()));
            }
        }
    }

    #[test]
    fn the_heuristic_beats_random_play_soundly() {
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            let verdict = Contest { rules, ..contest(&Heuristic, &Random) }.play(0..1000, || {});
            assert!(verdict.win_rate.low >= 0.95, "{verdict:?}");
            assert!(verdict.points_per_game.low >= 1.5, "{verdict:?}");
        }
    }

    #[test]
    fn the_heuristic_has_not_changed() {
        // Frozen before the first training run: a change would make all strengths measured so far worthless.
        let verdict = |rules| {
            let verdict = Contest { rules, ..contest(&Heuristic, &Random) }.play(0..100, || {});
            (verdict.points_per_game.mean, verdict.rates.win_mother, verdict.plies)
        };
        assert_eq!(verdict(Rules::MAHBUSA), (1.945, 0.7, 55.825));
        assert_eq!(verdict(Rules::TAPA), (1.895, 0.0, 96.055));
    }
}
