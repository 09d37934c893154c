use mahbusa_players::{GameDice, Level, LevelNumber, NetSize, OpeningRoll, Ply};
use mahbusa_rules::{Rules, Side};

/// What a match is, before it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The game.
    pub rules: Rules,
    /// Points that the match goes to; 0 is a single game.
    pub length: u16,
    /// Where the dice come from.
    pub dice: DiceSource,
    /// Who plays White.
    pub white: Seat,
    /// Who plays Black.
    pub black: Seat,
}

impl Head {
    /// Who plays a side.
    pub fn seat(&self, side: Side) -> &Seat {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

/// Where the dice of a match come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceSource {
    /// They were thrown elsewhere, and are taken as they are.
    Elsewhere,
    /// They follow from a seed and the number of each game, and so does who begins.
    Seed(u64),
    /// Those of a pair of games that players have played on equal dice, each opening one of them: one of these games.
    Pair {
        /// The seed of the measurement.
        seed: u64,
        /// The number of the pair, from 0.
        pair: u64,
    },
}

impl DiceSource {
    /// The seed, if there is one.
    pub fn seed(self) -> Option<u64> {
        match self {
            DiceSource::Elsewhere => None,
            DiceSource::Seed(seed) | DiceSource::Pair { seed, .. } => Some(seed),
        }
    }

    /// The number of the pair of games, if it is one.
    pub fn pair(self) -> Option<u64> {
        match self {
            DiceSource::Pair { pair, .. } => Some(pair),
            DiceSource::Elsewhere | DiceSource::Seed(_) => None,
        }
    }

    /// The dice of a game of the match, if they follow from anything.
    pub(crate) fn of_game(self, game: u32) -> Option<GameDice> {
        match self {
            DiceSource::Elsewhere => None,
            DiceSource::Seed(seed) => Some(GameDice::new(seed, game.into())),
            DiceSource::Pair { seed, pair } => Some(GameDice::new(seed, pair)),
        }
    }

    /// The opening roll of a game of the match, if there is one that follows from anything.
    pub(crate) fn opening(self, game: u32) -> Option<OpeningRoll> {
        match self {
            DiceSource::Seed(seed) => Some(GameDice::opening(seed, game.into())),
            DiceSource::Elsewhere | DiceSource::Pair { .. } => None,
        }
    }
}

/// Someone who plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// What people call them.
    pub name: String,
    /// The net that plays, if it is one.
    pub net: Option<NetSeat>,
}

/// How a net plays: with its file, all of its plays can be computed again.
#[derive(Clone, Debug, PartialEq)]
pub struct NetSeat {
    /// The model that it was asked for as, where it will be looked for; `None` for the one that comes with the program.
    pub model: Option<String>,
    /// The hash of the net that plays.
    pub sha256: String,
    /// How deep it looks.
    pub ply: Ply,
    /// Its strength level, if it has one.
    pub level: Option<LevelSeat>,
}

/// A strength level as it plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelSeat {
    /// Which of the six it is.
    pub number: LevelNumber,
    /// How much it doubts what it sees, in points.
    pub noise: f64,
    /// How much a play may lose, as it sees it, in points.
    pub cap: f64,
}

impl NetSeat {
    /// The level as a player has it. Which net it asks has been decided.
    pub fn as_level(&self) -> Option<Level> {
        let LevelSeat { number, noise, cap } = self.level?;
        Some(Level { number, name: String::new(), net: NetSize::Full, ply: self.ply, noise, cap })
    }
}
