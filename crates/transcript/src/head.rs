use mahbusa_players::{Level, LevelNumber, NetSize, Ply};
use mahbusa_rules::{Rules, Side};

/// What a match is, before it begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The game.
    pub rules: Rules,
    /// Points that the match goes to; 0 is a single game.
    pub length: u16,
    /// The seed that the dice follow from; `None` if they were thrown elsewhere.
    pub seed: Option<u64>,
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
