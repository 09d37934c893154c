//! How a net opens.

use mahbusa_net::NetFile;
use mahbusa_players::{Aim, NetPlayer, Ply, Rated, Search, Workspace};
use mahbusa_rules::{Board, Position, Roll};

use crate::board::Moved;

/// How a net opens: its play of each roll, looking two plies ahead.
#[derive(Clone, Debug, PartialEq)]
pub struct Openings {
    /// Games that the net has learnt.
    pub games: u64,
    /// What having the first move is worth, in points.
    pub equity: f64,
    /// Its plays, in the order of [`Roll::ALL`].
    pub plays: Vec<Opening>,
}

/// The play of an opening roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The roll.
    pub roll: Roll,
    /// The play, as people write it.
    pub play: String,
    /// What it is worth to the side that plays it, in points.
    pub equity: f64,
    /// The board after it, as that side sees it.
    pub board: Board,
    /// How many checkers were moved to each point and are still on it.
    pub moved: Moved,
    /// The play that is next best, and how much less it is worth, if there is another.
    pub next: Option<(String, f64)>,
}

impl Openings {
    /// Asks a net.
    pub fn of(net: &NetFile) -> Openings {
        let player = Search::new(NetPlayer::new(&net.weights), Ply::Two);
        let mut workspace = Workspace::default();
        let start = Position::start(net.rules);
        let plays: Vec<Opening> = Roll::ALL
            .into_iter()
            .filter_map(|roll| opening(&player, start.with_dice(roll), roll, &mut workspace))
            .collect();
        let sum: f64 = plays.iter().map(|opening| f64::from(opening.roll.weight()) * opening.equity).sum();
        Openings { games: net.games, equity: sum / f64::from(Roll::THROWS), plays }
    }
}

fn opening(player: &Search, position: Position, roll: Roll, workspace: &mut Workspace) -> Option<Opening> {
    let plays = position.plays();
    let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
    if afterstates.is_empty() {
        return None;
    }
    let rated = player.rate(position.rules, &position.board, &afterstates, Aim::Points, workspace);
    let worth = |rated: &Rated| f64::from(rated.outcomes.equity());
    let order = Rated::order(rated, Aim::Points);
    let best = *order.first()?;
    let next =
        order.get(1).map(|&index| (position.display(plays[index].play), worth(&rated[best]) - worth(&rated[index])));
    let (board, before) = (afterstates[best], position.board);
    let reached = |point: usize| (board.free()[point] - before.free()[point].max(0)).max(0).unsigned_abs();
    Some(Opening {
        roll,
        play: position.display(plays[best].play),
        equity: worth(&rated[best]),
        board,
        moved: std::array::from_fn(reached),
        next,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_players::td_200k;
    use mahbusa_rules::Rules;

    #[test]
    fn every_roll_is_opened_and_moved_checkers_are_known() {
        for rules in [Rules::MAHBUSA, Rules::TAPA] {
            let openings = Openings::of(&td_200k(rules).unwrap());
            assert_eq!(openings.plays.len(), Roll::ALL.len());
            assert!(openings.equity.abs() < 0.5);
            for opening in &openings.plays {
                assert!(opening.equity.abs() < 1.0, "{opening:?}");
                // All that have left the start.
                let left = opening.board.free()[23];
                assert_eq!(opening.moved.iter().sum::<u8>(), 15 - left.unsigned_abs(), "{opening:?}");
                assert!(opening.next.as_ref().is_some_and(|(_, less)| *less >= 0.0), "{opening:?}");
                let position = Position::start(rules).with_dice(opening.roll);
                let found = position.find_play(opening.play.parse().unwrap()).unwrap();
                assert_eq!(found.position.board.flip(), opening.board);
            }
        }
    }

    #[test]
    fn games_of_one_checker_have_openings_too() {
        let rules: Rules = "mahbusa,checkers=1".parse().unwrap();
        let net = td_200k(Rules::MAHBUSA).unwrap();
        assert_eq!(Openings::of(&NetFile { rules, ..net }).plays.len(), Roll::ALL.len());
    }
}
