use std::ops::Range;

use mahbusa_net::Weights;
use mahbusa_net::random::{Purpose, generator};
use mahbusa_players::{Aim, Search, Workspace};
use mahbusa_rules::{Afterstates, Board, Play, Position, Rules, Side, generate};
use mahbusa_selfplay::{Game, GameSource, SelfPlay};
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Advice, Question, Stance};
use crate::{Phase, text};

/// Where decisions come from and who rates them.
#[derive(Clone, Copy)]
pub struct Surveyor<'a> {
    /// The game.
    pub rules: Rules,
    /// The net that plays both sides of all games, one ply deep.
    pub weights: &'a Weights,
    /// Who says what plays are worth.
    pub player: &'a Search,
    /// The seed of the games.
    pub seed: u64,
}

/// A turn of some game that a piece of advice is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The advice.
    pub advice: Advice,
    /// Which of its groups the turn belongs to.
    pub group: usize,
    /// The phase of the game.
    pub phase: Phase,
    /// The position, with dice.
    #[serde(with = "text")]
    pub position: Position,
    /// The best of the plays that follow the advice.
    #[serde(with = "text")]
    pub follows: Play,
    /// The best of those that go against it.
    #[serde(with = "text")]
    pub against: Play,
    /// Where the best play of all stands.
    pub best: Stance,
    /// What the best that follows is worth more than the best that goes against, in hundredths of a millipoint.
    pub gain: i64,
}

/// Hundredths of a millipoint in a point: whole numbers add up in any order.
pub(crate) const UNITS: f64 = 100_000.0;

impl Surveyor<'_> {
    /// The decisions of the games with these numbers, at most one of each piece of advice a game, in the order of games and [`Advice::ALL`]. Of all turns of
    /// a game that a piece of advice is about, each is as likely as any other. On the threads of the current rayon pool; each finished game is
    /// reported.
    pub fn survey(&self, numbers: Range<u64>, finished: impl Fn() + Sync) -> Vec<Decision> {
        let source = SelfPlay { rules: self.rules, seed: self.seed, endings: None };
        source
            .games(self.weights, numbers.clone())
            .par_iter()
            .enumerate()
            .map_init(Memory::default, |memory, (place, game)| {
                let decisions = self.decisions(game, numbers.start + place as u64, memory);
                finished();
                decisions
            })
            .flatten()
            .collect()
    }

    fn decisions(&self, game: &Game, number: u64, memory: &mut Memory) -> Vec<Decision> {
        let mut asked: [Vec<usize>; Advice::ALL.len()] = Default::default();
        for (at, turn) in game.turns.iter().enumerate() {
            memory.afterstates.boards.clear();
            generate(self.rules, &turn.board, turn.roll, &mut memory.afterstates);
            for (advice, turns) in Advice::ALL.into_iter().zip(&mut asked) {
                if advice.asks(self.rules, &turn.board, &memory.afterstates.boards).is_some() {
                    turns.push(at);
                }
            }
        }
        let mut chance = generator(Purpose::Player, self.seed, number);
        let mut decisions = Vec::new();
        for (advice, turns) in Advice::ALL.into_iter().zip(asked) {
            // Drawn whether there are turns or not, so that no piece of advice changes what is drawn for another.
            let drawn: f64 = chance.random();
            let Some(&at) = turns.get((drawn * turns.len() as f64) as usize) else { continue };
            let turn = &game.turns[at];
            let side = if at.is_multiple_of(2) { Side::White } else { Side::Black };
            let position =
                Position { board: turn.board, turn: side, ..Position::start(self.rules) }.with_dice(turn.roll);
            decisions.extend(self.decide(advice, position, &mut memory.workspace));
        }
        decisions
    }

    /// Rates the plays of a turn that a piece of advice is about; `None` where it has nothing to say.
    pub fn decide(&self, advice: Advice, position: Position, workspace: &mut Workspace) -> Option<Decision> {
        let plays = position.plays();
        let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
        let Question { stances, group } = advice.asks(self.rules, &position.board, &afterstates)?;
        let mut best = |stance: Stance| {
            let of_kind: Vec<usize> = (0..plays.len()).filter(|&index| stances[index] == stance).collect();
            let boards: Vec<Board> = of_kind.iter().map(|&index| afterstates[index]).collect();
            let choice = (!boards.is_empty())
                .then(|| self.player.best(self.rules, &position.board, &boards, Aim::Points, workspace))?;
            Some((plays[of_kind[choice.index]].play, f64::from(choice.outcomes.equity())))
        };
        let (follows, against) = (best(Stance::Follows)?, best(Stance::Against)?);
        let aside = best(Stance::Aside).map_or(f64::NEG_INFINITY, |(_, equity)| equity);
        let best = if aside > follows.1.max(against.1) {
            Stance::Aside
        } else if follows.1 >= against.1 {
            Stance::Follows
        } else {
            Stance::Against
        };
        Some(Decision {
            advice,
            group,
            phase: Phase::of(self.rules, &position.board),
            position,
            follows: follows.0,
            against: against.0,
            best,
            gain: ((follows.1 - against.1) * UNITS).round() as i64,
        })
    }
}

/// Memory of a thread.
#[derive(Default)]
struct Memory {
    afterstates: Afterstates,
    workspace: Workspace,
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Shape;
    use mahbusa_players::{NetPlayer, Ply};

    #[test]
    fn decisions_depend_on_the_number_of_their_game_and_not_on_the_threads() {
        let weights = Weights::random(Shape::of(16), 1);
        let player = Search::new(NetPlayer::new(&weights), Ply::Two);
        let surveyor = Surveyor { rules: Rules::TAPA, weights: &weights, player: &player, seed: 5 };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| surveyor.survey(10..20, || {}))
        };
        let decisions = on(1);
        assert_eq!(decisions, on(3));
        let later = surveyor.survey(15..20, || {});
        assert!(!later.is_empty() && decisions.ends_with(&later));
        for decision in &decisions {
            let plays = decision.position.plays();
            assert!([decision.follows, decision.against].iter().all(|play| plays.iter().any(|p| p.play == *play)));
        }
        for advice in Advice::ALL {
            assert!(decisions.iter().any(|decision| decision.advice == advice), "{advice:?}");
        }
    }
}
