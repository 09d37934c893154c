//! Strength levels: the same nets, playing worse on purpose, and never much worse.
//!
//! A level looks at its plays as deep as it looks, and then doubts what it has seen. With `W` for what a play is worth to it, in points of the game,
//! it takes the play of highest
//!
//! ```text
//! W - noise ln(-ln u)
//! ```
//!
//! among those with `W` at least the highest `W` less `cap`; `u` is a number in 0..1 that depends on the seed, the position, the dice and the play, see
//! [`TurnNoise`]. The second term is noise of the distribution of Gumbel, so that a play is taken with a probability in proportion to `exp(W / noise)`. If
//! the best play ends the game, nothing is in doubt, and it is taken. `docs/levels.md` says it for front ends that do it themselves.

use std::fmt;
use std::str::FromStr;

use mahbusa_rules::{Board, Position, Roll, Rules, Side};
use serde::{Deserialize, Serialize};

use crate::{Aim, NetPlayer, Player, Ply, Rated, Search, Turn, Workspace};

/// The number of a level: 1, the weakest, to 6, the net as strong as it is meant to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LevelNumber(u8);

impl LevelNumber {
    /// All levels, from the weakest on.
    pub const ALL: [LevelNumber; 6] = {
        use LevelNumber as N;
        [N(1), N(2), N(3), N(4), N(5), N(6)]
    };

    /// The strongest.
    pub const TOP: LevelNumber = LevelNumber(6);

    /// The level of this number, if there is one.
    pub fn new(number: u8) -> Option<LevelNumber> {
        LevelNumber::ALL.into_iter().find(|level| level.0 == number)
    }

    /// Its number, 1..=6.
    pub fn get(self) -> u8 {
        self.0
    }

    /// Its place among all, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0 - 1)
    }

    /// The next weaker one.
    pub fn below(self) -> Option<LevelNumber> {
        LevelNumber::new(self.0 - 1)
    }
}

impl fmt::Display for LevelNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text was no number of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a level from 1, the weakest, to 6")]
pub struct LevelNumberError;

impl FromStr for LevelNumber {
    type Err = LevelNumberError;

    fn from_str(text: &str) -> Result<LevelNumber, LevelNumberError> {
        LevelNumber::ALL.into_iter().find(|level| level.to_string() == text).ok_or(LevelNumberError)
    }
}

/// Which of the two nets of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NetSize {
    /// The net that the levels belong to.
    Full,
    /// A smaller one, which knows less.
    Small,
}

impl fmt::Display for NetSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NetSize::Full => "full",
            NetSize::Small => "small",
        })
    }
}

/// How a player of some strength is made of a net.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Which of the six it is.
    pub number: LevelNumber,
    /// What people call it.
    pub name: String,
    /// The net that it asks.
    pub net: NetSize,
    /// How deep it looks.
    pub ply: Ply,
    /// How much it doubts what it sees, in points of the game, from 0 on: the scale of the noise on each play.
    pub noise: f64,
    /// How much worse than the best play, as it sees it, a play may be that it takes, in points of the game, from 0 on.
    pub cap: f64,
}

impl Level {
    /// The index of the play that the level takes, given what it sees in all of them; of plays that seem equal the first in wire order. Only those are
    /// considered that it has looked at as deep as it looks.
    ///
    /// Noise and cap are in points; in a match, a point is what it is worth there on average.
    pub fn pick(&self, noise: &TurnNoise, afterstates: &[Board], rated: &[Rated], aim: Aim) -> usize {
        let worths = || {
            let deepest = rated.iter().enumerate().filter(|(_, rated)| rated.ply == self.ply);
            deepest.map(|(index, rated)| (index, f64::from(aim.worth(&rated.outcomes))))
        };
        let Some((best, most)) = highest(worths()) else { return 0 };
        let certain = afterstates[best].ending(noise.rules).is_some();
        if certain || self.noise == 0.0 {
            return best;
        }
        let point = f64::from(aim.of_a_point());
        let considered = worths().filter(|&(_, worth)| worth >= most - self.cap * point);
        let doubted = considered.map(|(index, worth)| {
            (index, worth - self.noise * point * (-noise.uniform(&afterstates[index]).ln()).ln())
        });
        highest(doubted).map_or(best, |(index, _)| index)
    }
}

/// The first of the highest.
fn highest(plays: impl Iterator<Item = (usize, f64)>) -> Option<(usize, f64)> {
    plays.reduce(|best, play| if play.1 > best.1 { play } else { best })
}

/// Where the noise of one turn comes from: nothing but the seed, the position, the dice and the play, so that every program can compute it.
///
/// The number of a play is a hash of this text, where both positions are written as if the player were White, in a single game:
///
/// ```text
/// SEED POSITION AFTERSTATE
/// 1 mahbusa:O22o:0.0:w:64:0.0.0 mahbusa:M3A1A16o:0.0:b:-:0.0.0
/// ```
///
/// The hash is FNV-1a of 64 bits over the bytes of the text (Fowler, Noll and Vo), then the finaliser of SplitMix64 (Steele et al. 2014), since FNV spreads the last bytes
/// badly.
#[derive(Clone, Copy, Debug)]
pub struct TurnNoise {
    rules: Rules,
    begun: Hasher,
}

impl TurnNoise {
    /// The noise of a turn: a seed, the board as the player sees it, the dice.
    pub fn new(seed: u64, rules: Rules, board: &Board, roll: Roll) -> TurnNoise {
        let position = Position { board: *board, ..Position::start(rules) }.with_dice(roll);
        let mut begun = Hasher::new();
        begun.add(format_args!("{seed} {position} "));
        TurnNoise { rules, begun }
    }

    /// The number of a play, above 0 and below 1, by the board after it as the player sees it.
    pub fn uniform(&self, afterstate: &Board) -> f64 {
        let position = Position { board: afterstate.flip(), turn: Side::Black, ..Position::start(self.rules) };
        let mut hasher = self.begun;
        hasher.add(format_args!("{position}"));
        // Half a step from both ends, and exact.
        ((hasher.finish() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }
}

/// The seed of a pair of games out of that of their match: the hash of the text `SEED PAIR`.
fn seed_of_pair(seed: u64, pair: u64) -> u64 {
    let mut hasher = Hasher::new();
    hasher.add(format_args!("{seed} {pair}"));
    hasher.finish()
}

/// A hash of a text in the making.
#[derive(Clone, Copy, Debug)]
struct Hasher(u64);

impl Hasher {
    fn new() -> Hasher {
        Hasher(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, text: fmt::Arguments<'_>) {
        // It takes everything that is written.
        let _ = fmt::write(self, text);
    }

    fn finish(self) -> u64 {
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl fmt::Write for Hasher {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(())
    }
}

/// A net that plays as a level says.
///
/// As a [`Player`] it has another seed in each pair of games, so that many games show how the level plays, and not how one seed does.
pub struct LevelPlayer {
    search: Search,
    level: Level,
}

impl LevelPlayer {
    /// A player of this level, which asks this net.
    pub fn new(net: NetPlayer, level: Level) -> LevelPlayer {
        LevelPlayer { search: Search::new(net, level.ply), level }
    }

    /// Its level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// What it sees, before any noise.
    pub fn search(&self) -> &Search {
        &self.search
    }
}

impl Player for LevelPlayer {
    fn choose(&self, turn: &Turn<'_>, workspace: &mut Workspace) -> usize {
        if self.level.noise == 0.0 || turn.afterstates.len() == 1 {
            return self.search.choose(turn, workspace);
        }
        let seed = seed_of_pair(turn.chance.seed, turn.chance.pair);
        let noise = TurnNoise::new(seed, turn.rules, turn.board, turn.roll);
        let rated = self.search.rate(turn.rules, turn.board, turn.afterstates, Aim::Points, workspace);
        self.level.pick(&noise, turn.afterstates, rated, Aim::Points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::Outcomes;
    use mahbusa_rules::Outcome;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for number in LevelNumber::ALL {
            assert_eq!(number.to_string().parse(), Ok(number));
            assert_eq!(LevelNumber::new(number.get()), Some(number));
            assert_eq!(number.below().map(LevelNumber::get), (number.get() > 1).then(|| number.get() - 1));
        }
        for wrong in ["0", "7", "", "one", "+1", "01"] {
            assert_eq!(wrong.parse::<LevelNumber>(), Err(LevelNumberError));
        }
    }

    /// The example of `docs/levels.md`.
    #[test]
    fn noise_is_what_every_program_computes() {
        let position: Position = "mahbusa:MAA16a1a1m:0.0:b:31:0.0.0".parse().unwrap();
        let plays = position.plays();
        let afterstates: Vec<Board> = plays.iter().map(|play| play.position.board.flip()).collect();
        let noise = |seed: u64, position: &Position| {
            TurnNoise::new(seed, position.rules, &position.board, position.dice.unwrap())
        };
        let example = [
            ("24/21 22/21", 0.0879, 0.766_000_629_118_137_3),
            ("24/21 21/20", 0.0684, 0.869_449_859_329_799_3),
            ("22/19 20/19", 0.0357, 0.232_198_523_439_011_26),
            ("24/23 22/19", 0.0069, 0.282_236_906_712_407_86),
            ("24/21 20/19", -0.0102, 0.023_175_110_631_519_558),
            ("22/19 19/18", -0.0193, 0.927_452_780_580_226_3),
        ];
        let mut rated = vec![Rated { outcomes: Outcomes::certain(Outcome::Lose2), ply: Ply::One }; plays.len()];
        for (play, equity, uniform) in example {
            let index = plays.iter().position(|known| known.play.to_string() == play).unwrap();
            assert_eq!(noise(2, &position).uniform(&afterstates[index]), uniform, "{play}");
            assert_ne!(noise(1, &position).uniform(&afterstates[index]), uniform, "{play}");
            rated[index].outcomes = Outcomes::new([0.0, 0.5 - equity / 2.0, 0.0, 0.5 + equity / 2.0, 0.0]);
        }
        let level = Level {
            number: LevelNumber::TOP,
            name: String::new(),
            net: NetSize::Full,
            ply: Ply::One,
            noise: 0.1,
            cap: 0.1,
        };
        let taken = level.pick(&noise(2, &position), &afterstates, &rated, Aim::Points);
        assert_eq!(plays[taken].play.to_string(), "24/21 21/20");

        // Neither the colour nor the match makes a difference.
        let white: Position = "mahbusa:M1A1A16aam:0.0:w:31:1.0.3".parse().unwrap();
        assert_eq!(white.board, position.board);
        assert_eq!(noise(2, &white).uniform(&afterstates[0]), noise(2, &position).uniform(&afterstates[0]));
        assert_eq!(seed_of_pair(1, 0), 12_324_187_240_167_160_354);
    }
}
