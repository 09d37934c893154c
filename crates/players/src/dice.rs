use mahbusa_net::random::{Generator, Purpose, generator};
use mahbusa_rules::{Roll, Side, opener};
use rand::RngExt;

/// The dice of one game, turn by turn, out of a seed and the number of the game: everywhere the same, and the same whatever is played, so that a game can
/// be replayed and a turn taken back.
///
/// The games of a match count from 1, pairs of games between players from 0. Every throw of two dice is one number below 36 of a stream, one a turn, passes
/// included; who begins is thrown out of another stream. `docs/formats.md` says it for other programs.
///
/// ```
/// use mahbusa_players::GameDice;
///
/// let mut dice = GameDice::new(7, 0);
/// assert_eq!([0, 1, 2, 0].map(|turn| dice.roll(turn).to_string()), ["63", "42", "63", "63"]);
/// ```
#[derive(Clone, Debug)]
pub struct GameDice {
    stream: Generator,
    /// What has been rolled, turn by turn.
    rolls: Vec<Roll>,
}

/// One die each, to see who begins a game. Whoever does then rolls both dice anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningRoll {
    /// White's die and Black's of the throws that were ties.
    pub ties: Vec<[u8; 2]>,
    /// Those of the throw that decided.
    pub decisive: [u8; 2],
    /// Who begins: the side with the higher die.
    pub opener: Side,
}

impl GameDice {
    /// The dice of this game, before its first turn.
    pub fn new(seed: u64, game: u64) -> GameDice {
        GameDice { stream: generator(Purpose::Dice, seed, game), rolls: Vec::new() }
    }

    /// The opening roll of this game, where there is one.
    pub fn opening(seed: u64, game: u64) -> OpeningRoll {
        let mut stream = generator(Purpose::Opening, seed, game);
        let mut ties = Vec::new();
        loop {
            let number = throw(&mut stream);
            let [white, black] = [number / 6 + 1, number % 6 + 1];
            match opener(white, black) {
                Some(opener) => return OpeningRoll { ties, decisive: [white, black], opener },
                None => ties.push([white, black]),
            }
        }
    }

    /// The roll of a turn of the game, from 0.
    pub fn roll(&mut self, turn: usize) -> Roll {
        while self.rolls.len() <= turn {
            let roll = Roll::from_uniform(throw(&mut self.stream));
            self.rolls.push(roll);
        }
        self.rolls[turn]
    }

    /// The roll of a turn that has been asked for before.
    pub fn rolled(&self, turn: usize) -> Option<Roll> {
        self.rolls.get(turn).copied()
    }
}

impl OpeningRoll {
    /// All throws, White's die and Black's of each: equal ones first, the last ones different.
    pub fn throws(&self) -> impl Iterator<Item = [u8; 2]> {
        self.ties.iter().copied().chain([self.decisive])
    }
}

/// The next number of a stream, 0..36.
fn throw(stream: &mut Generator) -> u8 {
    stream.random_range(0..Roll::THROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by the program in `docs/formats.md`, which shares nothing with this one.
    #[test]
    fn the_dice_of_a_seed_have_not_changed() {
        let mut dice = GameDice::new(7, 1);
        let rolls: Vec<String> = (0..12).map(|turn| dice.roll(turn).to_string()).collect();
        assert_eq!(rolls.join(" "), "42 43 43 62 51 44 21 63 11 31 65 63");
        for (seed, throws, opener) in
            [(7, &[[4, 2]][..], Side::White), (9, &[[4, 5]], Side::Black), (8, &[[2, 2], [5, 5], [6, 1]], Side::White)]
        {
            let opening = GameDice::opening(seed, 1);
            assert_eq!((opening.throws().collect::<Vec<_>>().as_slice(), opening.opener), (throws, opener));
        }
    }

    #[test]
    fn a_turn_has_its_roll_whenever_it_is_asked_for() {
        let mut dice = GameDice::new(3, 5);
        assert_eq!(dice.rolled(0), None);
        let third = dice.roll(2);
        assert_eq!((dice.rolled(2), dice.rolled(3)), (Some(third), None));
        let mut again = GameDice::new(3, 5);
        let all = [0, 1, 2].map(|turn| again.roll(turn));
        assert_eq!((dice.roll(0), dice.roll(1), all[2]), (all[0], all[1], third));
    }
}
