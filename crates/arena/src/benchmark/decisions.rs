use mahbusa_net::Weights;
use mahbusa_net::random::{Purpose, generator};
use mahbusa_rules::{Afterstates, Position, Rules, Side, generate};
use mahbusa_selfplay::{Game, GameSource, SelfPlay};
use rand::RngExt;

use crate::Phase;

/// A decision that was drawn and not yet judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Its number in the set, from 0.
    pub number: u64,
    /// The number of the self-play game that it is from.
    pub game: u64,
    /// Its phase.
    pub phase: Phase,
    /// The position, with dice.
    pub position: Position,
}

/// Self-play has not enough decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{games} games of self-play have only {found} decisions between different plays, {wanted} are wanted")]
pub struct TooFew {
    found: u64,
    games: u64,
    wanted: u64,
}

/// Games that are played at once.
const AT_ONCE: u64 = 256;
/// Games for each decision wanted after which a phase that is too rare gives its places to the others.
const PATIENCE: u64 = 50;

/// Draws decisions out of the self-play of a net: turns with a choice, each of another game.
///
/// Phases get equal numbers as far as they can be had: each game gives a decision of that of its phases which has the fewest so far. Within the
/// phase every turn of the game with at least two different plays is as likely as any other. Nothing else is asked of a decision.
///
/// # Errors
/// When the games have too few turns with a choice, which happens only with very few checkers.
pub fn choose(rules: Rules, weights: &Weights, count: u64, seed: u64) -> Result<Vec<Chosen>, TooFew> {
    let source = SelfPlay { rules, seed, endings: None };
    let patience = PATIENCE.saturating_mul(count);
    let mut chosen = Vec::new();
    let mut taken = [0; Phase::ALL.len()];
    for first in (0..patience.saturating_mul(2)).step_by(AT_ONCE as usize) {
        for (game, number) in source.games(weights, first..first + AT_ONCE).iter().zip(first..) {
            if chosen.len() as u64 == count {
                return Ok(chosen);
            }
            let turns = turns_with_a_choice(rules, game);
            let wanted = |&phase: &usize| {
                let share = (count + (Phase::ALL.len() - 1 - phase) as u64) / Phase::ALL.len() as u64;
                !turns[phase].is_empty() && (taken[phase] < share || number >= patience)
            };
            let Some(phase) = (0..Phase::ALL.len()).filter(wanted).min_by_key(|&phase| taken[phase]) else {
                continue;
            };
            taken[phase] += 1;
            let mut chance = generator(Purpose::Player, seed, number);
            let at = turns[phase][chance.random_range(0..turns[phase].len())];
            let turn = &game.turns[at];
            let side = if at.is_multiple_of(2) { Side::White } else { Side::Black };
            chosen.push(Chosen {
                number: chosen.len() as u64,
                game: number,
                phase: Phase::ALL[phase],
                position: Position { board: turn.board, turn: side, ..Position::start(rules) }.with_dice(turn.roll),
            });
        }
    }
    if chosen.len() as u64 == count {
        return Ok(chosen);
    }
    Err(TooFew { found: chosen.len() as u64, games: patience.saturating_mul(2), wanted: count })
}

/// The numbers of the turns that leave a choice, by phase in the order of [`Phase::ALL`].
fn turns_with_a_choice(rules: Rules, game: &Game) -> [Vec<usize>; Phase::ALL.len()] {
    let mut turns: [Vec<usize>; Phase::ALL.len()] = Default::default();
    let mut afterstates = Afterstates::default();
    for (number, turn) in game.turns.iter().enumerate() {
        afterstates.boards.clear();
        generate(rules, &turn.board, turn.roll, &mut afterstates);
        if afterstates.boards.len() > 1 {
            let phase = Phase::of(rules, &turn.board);
            let place = Phase::ALL.iter().position(|&other| other == phase);
            turns[place.unwrap_or_default()].push(number);
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Shape;
    use std::collections::HashSet;

    #[test]
    fn decisions_are_of_different_games_and_of_all_phases() {
        let weights = Weights::random(Shape::of(16), 1);
        let chosen = choose(Rules::TAPA, &weights, 53, 3).unwrap();
        assert_eq!(chosen.len(), 53);
        assert_eq!(chosen.iter().map(|one| one.game).collect::<HashSet<_>>().len(), 53);
        for (one, number) in chosen.iter().zip(0..) {
            assert_eq!(one.number, number);
            assert_eq!(one.phase, Phase::of(Rules::TAPA, &one.position.board));
            assert!(one.position.plays().len() > 1);
        }
        for (phase, count) in Phase::ALL.into_iter().zip([11, 11, 11, 10, 10]) {
            assert_eq!(chosen.iter().filter(|one| one.phase == phase).count(), count, "{phase}");
        }
        assert_eq!(chosen, choose(Rules::TAPA, &weights, 53, 3).unwrap());
        assert_ne!(chosen, choose(Rules::TAPA, &weights, 53, 4).unwrap());
    }

    #[test]
    fn too_few_decisions_are_an_error_and_no_endless_search() {
        // One checker a side: whatever the order of the dice, there is one play.
        let rules = Rules::TAPA.with_checkers(1).unwrap();
        let weights = Weights::random(Shape::of(16), 1);
        assert_eq!(choose(rules, &weights, 40, 1), Err(TooFew { found: 0, games: 4000, wanted: 40 }));
        assert_eq!(choose(rules, &weights, 0, 1), Ok(Vec::new()));
    }
}
