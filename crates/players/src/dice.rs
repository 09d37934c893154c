use mahbusa_net::random::{Generator, Purpose, generator};
use mahbusa_rules::{Roll, Side, opener};
use rand::RngExt;

/// The dice of one game, turn by turn, out of a seed and the number of the game: everywhere the same, so that a game can be replayed.
///
/// ```
/// use mahbusa_players::GameDice;
///
/// let mut dice = GameDice::new(7, 0);
/// assert_eq!([dice.roll(), dice.roll(), dice.roll()].map(|roll| roll.to_string()), ["63", "42", "63"]);
/// ```
#[derive(Clone, Debug)]
pub struct GameDice(Generator);

impl GameDice {
    /// The dice of this game, before its first turn.
    pub fn new(seed: u64, game: u64) -> GameDice {
        GameDice(generator(Purpose::Dice, seed, game))
    }

    /// The dice of the next turn.
    pub fn roll(&mut self) -> Roll {
        Roll::from_uniform(self.0.random_range(0..Roll::THROWS))
    }

    /// Who begins this game, by one die each, White's first; ties are thrown again, and only the last throw is told. It is apart from the dice of
    /// the turns: whoever begins rolls both dice anew.
    pub fn opening(seed: u64, game: u64) -> ([u8; 2], Side) {
        let mut generator = generator(Purpose::Opening, seed, game);
        loop {
            let number = generator.random_range(0..Roll::THROWS);
            let dice = [number / 6 + 1, number % 6 + 1];
            if let Some(side) = opener(dice[0], dice[1]) {
                return (dice, side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_is_decided_and_each_side_begins_half_of_the_games() {
        let white = (0..1000).filter(|&game| {
            let (dice, side) = GameDice::opening(3, game);
            assert_eq!(opener(dice[0], dice[1]), Some(side));
            side == Side::White
        });
        assert!((450..550).contains(&white.count()));
    }
}
