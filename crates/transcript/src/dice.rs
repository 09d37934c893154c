use mahbusa_net::random::{Generator, Purpose, generator};
use mahbusa_rules::{Roll, opener};
use rand::RngExt;

/// The dice of one game of a match: they follow from the seed of the match and the number of the game, and so from nothing that anybody plays.
///
/// Every throw of two dice is one number below 36 of the stream. With an opening roll, the first throws are White's die and Black's, until they differ; then comes one throw
/// a turn, passes included. `docs/formats.md` says it for other programs.
///
/// ```
/// use mahbusa_transcript::MatchDice;
///
/// let mut dice = MatchDice::new(7, 1);
/// let opening = dice.opening();
/// let third = dice.roll(2);
/// let mut again = MatchDice::new(7, 1);
/// assert_eq!((again.opening(), again.roll(2)), (opening, third));
/// ```
#[derive(Clone, Debug)]
pub struct MatchDice {
    stream: Generator,
    /// What has been rolled, turn by turn.
    rolls: Vec<Roll>,
}

impl MatchDice {
    /// The dice of a game of a match, whose number counts from 1.
    pub fn new(seed: u64, game: u32) -> MatchDice {
        MatchDice { stream: generator(Purpose::Match, seed, u64::from(game)), rolls: Vec::new() }
    }

    /// The throws of an opening roll: White's die and Black's, equal ones first, the last ones different. To be asked before the first turn, where there is an
    /// opening roll.
    pub fn opening(&mut self) -> Vec<[u8; 2]> {
        let mut throws = Vec::new();
        loop {
            let number = self.throw();
            let [white, black] = [number / 6 + 1, number % 6 + 1];
            throws.push([white, black]);
            if opener(white, black).is_some() {
                return throws;
            }
        }
    }

    /// The roll of a turn of the game, from 0.
    pub fn roll(&mut self, turn: usize) -> Roll {
        while self.rolls.len() <= turn {
            let roll = Roll::from_uniform(self.throw());
            self.rolls.push(roll);
        }
        self.rolls[turn]
    }

    /// The roll of a turn that has been asked for before.
    pub(crate) fn rolled(&self, turn: usize) -> Option<Roll> {
        self.rolls.get(turn).copied()
    }

    /// The next number of the stream, 0..36.
    fn throw(&mut self) -> u8 {
        self.stream.random_range(0..Roll::THROWS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by the program in `docs/formats.md`, which shares nothing with this one.
    #[test]
    fn the_dice_of_a_seed_have_not_changed() {
        let mut dice = MatchDice::new(7, 1);
        let opening = dice.opening();
        let rolls: Vec<String> = (0..12).map(|turn| dice.roll(turn).to_string()).collect();
        assert_eq!((opening, rolls.join(" ")), (vec![[4, 5]], "31 54 54 31 64 64 63 53 61 54 31 32".to_owned()));
    }
}
