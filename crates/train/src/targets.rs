//! What the net should have said: forward-view TD(lambda) over finished games (Sutton 1988).

use mahbusa_net::Outcomes;
use mahbusa_rules::Board;
use mahbusa_selfplay::Game;

/// A position and the outcomes that it should be given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Seen by the side to roll.
    pub board: Board,
    /// For the side to roll.
    pub target: Outcomes,
}

/// A sample for each turn of a game, in order.
///
/// `target_t = flip((1 - lambda) value_t+1 + lambda target_t+1)`, ending in the true outcome; `flip` exchanges the sides.
/// Lambda 1 is the true outcome everywhere, lambda 0 the value one ply later. Where the value is known, it is the target.
pub fn samples(game: &Game, lambda: f32) -> Vec<Sample> {
    let mut samples = Vec::with_capacity(game.turns.len());
    // For the side of the turn before which we are, going backwards.
    let mut target = Outcomes::certain(game.ending.outcome());
    for turn in game.turns.iter().rev() {
        if turn.known {
            target = turn.value;
        }
        samples.push(Sample { board: turn.board, target });
        target = target.mix(lambda, &turn.value).flip();
    }
    samples.reverse();
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::{Ending, Roll, Rules};
    use mahbusa_selfplay::GameTurn;

    fn game(values: &[[f32; 5]], ending: Ending) -> Game {
        let turn = |value: &[f32; 5]| GameTurn {
            board: Board::start(Rules::MAHBUSA),
            roll: Roll::ALL[0],
            value: Outcomes::new(*value),
            known: false,
            passed: false,
        };
        Game { turns: values.iter().map(turn).collect(), ending }
    }

    fn targets(lambda: f32) -> Vec<[f32; 5]> {
        let values = [[0.2; 5], [0.0, 0.5, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]];
        let game = game(&values, Ending::Single);
        samples(&game, lambda).iter().map(|sample| *sample.target.probabilities()).collect()
    }

    #[test]
    fn lambda_one_is_the_true_outcome_for_whoever_rolls() {
        let won = [0.0, 0.0, 0.0, 1.0, 0.0];
        let lost = [0.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(targets(1.0), [won, lost, won]);
    }

    #[test]
    fn lambda_zero_is_the_value_one_ply_later() {
        assert_eq!(targets(0.0), [[0.0, 0.5, 0.0, 0.5, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]);
    }

    #[test]
    fn lambda_between_mixes_backwards() {
        // Last turn: a certain win of 1. The one before: flip(0.5 * that + 0.5 * win 2), and so on.
        assert_eq!(targets(0.5), [[0.0, 0.25, 0.0, 0.5, 0.25], [0.5, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]);
    }

    #[test]
    fn what_is_known_is_the_target() {
        let values = [[0.2; 5], [0.0, 0.25, 0.0, 0.75, 0.0], [0.0, 0.5, 0.0, 0.5, 0.0]];
        let mut game = game(&values, Ending::Single);
        game.turns[1].known = true;
        let known = Outcomes::new(values[1]);
        let targets: Vec<Outcomes> = samples(&game, 1.0).iter().map(|sample| sample.target).collect();
        assert_eq!(targets, [known.flip(), known, Outcomes::new([0.0, 0.0, 0.0, 1.0, 0.0])]);
    }
}
