//! The n-ply player.
//!
//! Written `V` for what a board is worth to the side to roll, and `W` for what an afterstate is worth to the side that has moved:
//!
//! * `V1` is the net's opinion.
//! * `Wn` is what the game has brought if it is over; what the table says if the player knows the position; else `Vn` seen from the other side.
//! * `Vn`, for `n` > 1, is the mean over the 21 rolls, weighted, of `W(n-1)` of the best reply: the one whose `W(n-1)` is highest, among those that
//!   pruning leaves.
//!
//! An n-ply player takes the play of highest `Wn`. Each step deeper costs some two hundred times as much, since so many replies come of a
//! board; pruning by what the step before says takes most of that away. See [`Breadth`].

use std::fmt;
use std::str::FromStr;

use mahbusa_net::{Evaluations, Outcomes};
use mahbusa_rules::{Board, Outcome, Rules};

use crate::lookahead::{Mean, Replies};
use crate::{Aim, Choice, Lookahead, NetPlayer, Player, Turn, Workspace};

/// How many plies deep a player looks: its own play is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ply {
    /// The net rates what each play leads to.
    #[default]
    One,
    /// All rolls and the best replies by the net.
    Two,
    /// All rolls, the best replies by their own all rolls and best replies.
    Three,
}

impl Ply {
    /// All, from the shallowest on.
    pub const ALL: [Ply; 3] = [Ply::One, Ply::Two, Ply::Three];

    /// Its number, 1..=3.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A text was no number of plies that a player can look ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyError;

impl fmt::Display for PlyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 1, 2 or 3")
    }
}

impl std::error::Error for PlyError {}

impl FromStr for Ply {
    type Err = PlyError;

    fn from_str(text: &str) -> Result<Ply, PlyError> {
        Ply::ALL.into_iter().find(|ply| ply.to_string() == text).ok_or(PlyError)
    }
}

/// Which plays of a turn are looked at more deeply, by what they seem to be worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pruning {
    /// At least so many, if there are so many; of equal ones the first in wire order. From 1 on.
    pub least: usize,
    /// At most so many.
    pub most: usize,
    /// All between that seem at most so much worse than the best one, in points of the game.
    pub margin: f32,
}

/// Which plays are looked at more deeply, step by step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breadth {
    /// Plays of the turn that are looked at two plies deep, by their 1-ply worth.
    pub second: Pruning,
    /// Of those, the plays that are looked at three plies deep, by their 2-ply worth.
    pub third: Pruning,
    /// Replies of each roll that are looked at two plies deep within a look of three plies, by their 1-ply worth.
    pub replies: Pruning,
}

impl Default for Breadth {
    /// Measured; see `docs/strength.md`.
    fn default() -> Breadth {
        Breadth {
            second: Pruning { least: 5, most: 20, margin: 0.15 },
            third: Pruning { least: 5, most: 8, margin: 0.05 },
            replies: Pruning { least: 2, most: 4, margin: 0.05 },
        }
    }
}

/// A net that looks ahead.
///
/// ```
/// use mahbusa_players::{Aim, MatchTable, NetPlayer, Ply, Search, Workspace, td_200k};
/// use mahbusa_rules::{Board, Position};
///
/// let player = Search::new(NetPlayer::new(&td_200k("mahbusa".parse()?)?.weights), Ply::Two);
/// let mut workspace = Workspace::default();
///
/// // White needs one point, Black two.
/// let position: Position = "mahbusa:MAA16a1a1m:0.0:w:31:2.1.3".parse()?;
/// let table = MatchTable::new(&player.net().evaluate(&Board::start(position.rules)));
/// let aim = table.stakes(position.score, position.turn).map_or(Aim::Points, Aim::Match);
///
/// let plays = position.plays();
/// let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
/// let best = player.best(position.rules, &position.board, &afterstates, aim, &mut workspace);
/// println!("{}: {:.3}", plays[best.index].play, aim.worth(&best.outcomes));
/// assert!(aim.worth(&best.outcomes) > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search {
    net: NetPlayer,
    ply: Ply,
    breadth: Breadth,
}

/// What a play is worth to the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// The outcomes.
    pub outcomes: Outcomes,
    /// How deep was looked. Less than the player looks for plays that were left out on the way.
    pub ply: Ply,
}

impl Rated {
    /// The indices of plays, given in wire order, the best first: those that were looked at deepest, and of these the ones of highest worth; of
    /// equal ones the first in wire order.
    pub fn order(rated: &[Rated], aim: Aim) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rated.len()).collect();
        let worth = |index: usize| aim.worth(&rated[index].outcomes);
        order.sort_by(|&a, &b| rated[b].ply.cmp(&rated[a].ply).then_with(|| worth(b).total_cmp(&worth(a))));
        order
    }
}

/// Memory of a search.
#[derive(Default)]
pub(crate) struct Desk {
    rated: Vec<Rated>,
    shortlist: Shortlist,
    sight: Sight,
}

/// Memory of looking beyond a board.
#[derive(Default)]
struct Sight {
    /// All replies to the board, of which some are looked at more deeply.
    replies: Replies,
    evaluations: Evaluations,
    rated: Vec<Outcomes>,
    shortlist: Shortlist,
    /// What has been looked at: different rolls may lead to the same board.
    looked_at: Vec<(Board, Outcomes)>,
    lookahead: Lookahead,
}

impl From<NetPlayer> for Search {
    /// The net as it is, looking one ply deep.
    fn from(net: NetPlayer) -> Search {
        Search::new(net, Ply::One)
    }
}

impl Search {
    /// A net that looks so deep, with the breadth that is good for it.
    pub fn new(net: NetPlayer, ply: Ply) -> Search {
        Search { net, ply, breadth: Breadth::default() }
    }

    /// The same player with another breadth.
    #[must_use]
    pub fn with_breadth(self, breadth: Breadth) -> Search {
        Search { breadth, ..self }
    }

    /// The net that it asks.
    pub fn net(&self) -> &NetPlayer {
        &self.net
    }

    /// How deep it looks.
    pub fn ply(&self) -> Ply {
        self.ply
    }

    /// What a position is worth to the side to roll, with the aim of that side: `Vn`. The game must not be over.
    pub fn evaluate(&self, rules: Rules, board: &Board, aim: Aim, workspace: &mut Workspace) -> Outcomes {
        let sight = &mut workspace.desk.sight;
        self.net.known(board).unwrap_or_else(|| self.value(self.ply, rules, board, aim, sight))
    }

    /// What each afterstate of a board is worth to the side that has moved, with its aim. Plays that were not pruned away were looked at as
    /// deep as the player looks; there is at least one.
    pub fn rate<'a>(
        &self,
        rules: Rules,
        board: &Board,
        afterstates: &[Board],
        aim: Aim,
        workspace: &'a mut Workspace,
    ) -> &'a [Rated] {
        let Workspace { evaluations, desk } = workspace;
        let Desk { rated, shortlist, sight } = desk.as_mut();
        let glances = self.net.rate_with(rules, board, afterstates, evaluations);
        rated.clear();
        rated.extend(glances.map(|(outcomes, _)| Rated { outcomes, ply: Ply::One }));
        let steps = [(Ply::One, Ply::Two, self.breadth.second), (Ply::Two, Ply::Three, self.breadth.third)];
        for (before, ply, pruning) in steps.into_iter().take_while(|&(_, ply, _)| ply <= self.ply) {
            let reached = rated.iter().enumerate().filter(|(_, rated)| rated.ply == before);
            for &index in shortlist.of(reached.map(|(index, rated)| (index, rated.outcomes)), pruning, aim) {
                let value = |board: &Board, aim| self.value(ply, rules, board, aim, sight);
                rated[index] = Rated { outcomes: self.after(rules, &afterstates[index], aim, value), ply };
            }
        }
        rated
    }

    /// The best of the afterstates of a board, of which there is at least one; of equal ones the first in wire order.
    pub fn best(
        &self,
        rules: Rules,
        board: &Board,
        afterstates: &[Board],
        aim: Aim,
        workspace: &mut Workspace,
    ) -> Choice {
        debug_assert!(!afterstates.is_empty(), "a turn has at least one afterstate");
        let rated = self.rate(rules, board, afterstates, aim, workspace);
        let deepest = rated.iter().enumerate().filter(|(_, rated)| rated.ply == self.ply);
        let (index, outcomes) = highest(deepest.map(|(index, rated)| (index, rated.outcomes)), aim)
            .unwrap_or((0, Outcomes::certain(Outcome::Lose2)));
        Choice { index, outcomes, ends: afterstates[index].ending(rules).is_some() }
    }

    /// `Wn`: what an afterstate is worth to the side that has moved, if `value` says what a board is worth to the side to roll with its aim.
    fn after(&self, rules: Rules, after: &Board, aim: Aim, value: impl FnOnce(&Board, Aim) -> Outcomes) -> Outcomes {
        if let Some(ending) = after.ending(rules) {
            return Outcomes::certain(ending.outcome());
        }
        let board = after.flip();
        self.net.known(&board).unwrap_or_else(|| value(&board, aim.flip())).flip()
    }

    /// `Vn` of a board that the player does not know.
    fn value(&self, ply: Ply, rules: Rules, board: &Board, aim: Aim, sight: &mut Sight) -> Outcomes {
        match ply {
            Ply::One => self.net.evaluate(board),
            Ply::Two => self.one_reply(rules, board, aim, &mut sight.lookahead),
            Ply::Three => self.two_replies(rules, board, aim, sight),
        }
    }

    /// `V2`: the mean over all rolls of the best reply by `W1`.
    fn one_reply(&self, rules: Rules, board: &Board, aim: Aim, lookahead: &mut Lookahead) -> Outcomes {
        lookahead.see(rules, &self.net, board, aim);
        lookahead.outcomes()
    }

    /// `V3`: the mean over all rolls of the best reply by `W2`.
    fn two_replies(&self, rules: Rules, board: &Board, aim: Aim, sight: &mut Sight) -> Outcomes {
        let Sight { replies, evaluations, rated, shortlist, looked_at, lookahead } = sight;
        replies.list(rules, board);
        rated.clear();
        rated.extend(self.net.rate_with(rules, board, replies.boards(), evaluations).map(|(outcomes, _)| outcomes));
        looked_at.clear();
        let mut mean = Mean::default();
        for (roll, range) in replies.rolls() {
            let chosen = shortlist.of(range.map(|index| (index, rated[index])), self.breadth.replies, aim);
            let deeper = chosen.iter().map(|&index| {
                let after = &replies.boards()[index];
                let found = looked_at.iter().find(|(board, _)| board == after).map(|&(_, outcomes)| outcomes);
                let outcomes = found.unwrap_or_else(|| {
                    self.after(rules, after, aim, |board, aim| self.one_reply(rules, board, aim, lookahead))
                });
                if found.is_none() {
                    looked_at.push((*after, outcomes));
                }
                (index, outcomes)
            });
            if let Some((_, outcomes)) = highest(deeper, aim) {
                mean.add(roll, &outcomes);
            }
        }
        mean.outcomes()
    }
}

impl Player for Search {
    fn choose(&self, turn: &Turn<'_>, workspace: &mut Workspace) -> usize {
        match (turn.afterstates, self.ply) {
            // A forced turn is not searched.
            ([_], _) => 0,
            (_, Ply::One) => self.net.choose(turn, workspace),
            _ => self.best(turn.rules, turn.board, turn.afterstates, Aim::Points, workspace).index,
        }
    }
}

/// The play of highest worth and what it is worth; of equal ones the first.
fn highest(plays: impl Iterator<Item = (usize, Outcomes)>, aim: Aim) -> Option<(usize, Outcomes)> {
    let mut best = None;
    let mut most = f32::NEG_INFINITY;
    for (index, outcomes) in plays {
        let worth = aim.worth(&outcomes);
        if worth > most {
            most = worth;
            best = Some((index, outcomes));
        }
    }
    best
}

/// The plays that pruning leaves, and memory to find them.
#[derive(Default)]
struct Shortlist {
    worths: Vec<(f32, usize)>,
    indices: Vec<usize>,
}

impl Shortlist {
    /// The indices of the plays that are left, in the order in which they were given, which is that of their indices.
    fn of(&mut self, plays: impl Iterator<Item = (usize, Outcomes)>, pruning: Pruning, aim: Aim) -> &[usize] {
        let Shortlist { worths, indices } = self;
        worths.clear();
        worths.extend(plays.map(|(index, outcomes)| (aim.worth(&outcomes), index)));
        worths.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let least = worths.first().map_or(0.0, |best| best.0) - pruning.margin * aim.of_a_point();
        let left = worths.iter().take_while(|(worth, _)| *worth >= least).count();
        let count = left.min(pruning.most).max(pruning.least.max(1));
        indices.clear();
        indices.extend(worths.iter().take(count).map(|&(_, index)| index));
        indices.sort_unstable();
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_the_best_is_kept_and_never_too_few_or_too_many() {
        let worth = |points: f32| Outcomes::new([0.0, 0.5 - points / 2.0, 0.0, 0.5 + points / 2.0, 0.0]);
        let plays = [-0.5, 0.25, 0.75, 0.5, 0.75, -0.75].map(worth);
        let kept = |least, most, margin| {
            let pruning = Pruning { least, most, margin };
            Shortlist::default().of(plays.iter().copied().enumerate(), pruning, Aim::Points).to_vec()
        };
        assert_eq!(kept(1, 9, 0.0), [2, 4]);
        assert_eq!(kept(1, 9, 0.25), [2, 3, 4]);
        assert_eq!(kept(1, 1, 0.25), [2], "of equal ones the first");
        assert_eq!(kept(4, 9, 0.0), [1, 2, 3, 4]);
        assert_eq!(kept(4, 2, 0.0), [1, 2, 3, 4]);
        assert_eq!(kept(9, 9, 0.0), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn plies_are_read_as_they_are_written() {
        for ply in Ply::ALL {
            assert_eq!(ply.to_string().parse(), Ok(ply));
        }
        for wrong in ["0", "4", "", "two", "+2", "02"] {
            assert_eq!(wrong.parse::<Ply>(), Err(PlyError));
        }
    }
}
