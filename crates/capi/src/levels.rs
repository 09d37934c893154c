use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use mahbusa_players::{LevelNumber, Levels, LevelsError, NetSize};
use mahbusa_rules::{Position, PositionPlay};

use crate::fault::Fault;
use crate::model::{Desk, Model, Ranking, file_at, plays};
use crate::types::{CLegalPlay, CLevelInfo, field};

/// The levels in a folder of a release.
const LEVELS: &str = "levels.json";

/// Strength levels and the nets that they ask.
pub(crate) struct LevelSet {
    levels: Levels,
    full: Arc<Model>,
    /// Without it the levels that ask it cannot play.
    small: Option<Arc<Model>>,
}

impl LevelSet {
    /// Reads the file at a path, or `levels.json` in the folder there.
    pub fn open(path: &Path, full: &Arc<Model>, small: Option<&Arc<Model>>) -> Result<LevelSet, Fault> {
        let path = file_at(path, LEVELS);
        let place = path.display();
        match Levels::read(&path) {
            Ok(levels) => LevelSet::new(place, levels, full, small),
            Err(LevelsError::Io(error)) => Err(Fault::unread(&path, &error)),
            Err(error) => Err(Fault::file(place, error)),
        }
    }

    /// Out of the text of a file.
    pub fn from_json(text: &str, full: &Arc<Model>, small: Option<&Arc<Model>>) -> Result<LevelSet, Fault> {
        let levels = Levels::from_json(text).map_err(|error| Fault::file("json", error))?;
        LevelSet::new("json", levels, full, small)
    }

    fn new(
        place: impl Display,
        levels: Levels,
        full: &Arc<Model>,
        small: Option<&Arc<Model>>,
    ) -> Result<LevelSet, Fault> {
        for (size, net) in [(NetSize::Full, Some(full)), (NetSize::Small, small)] {
            let Some(net) = net else { continue };
            levels
                .check(size, net.hash(), net.rules())
                .map_err(|error| Fault::mismatch(format!("{place}: {error}")))?;
        }
        Ok(LevelSet { levels, full: Arc::clone(full), small: small.cloned() })
    }

    /// The plays of a position as a level sees them, and the one that it takes.
    pub fn rank(
        &self,
        number: LevelNumber,
        seed: u64,
        position: &Position,
        plays: &[PositionPlay],
        desk: &mut Desk,
    ) -> Result<Ranking, Fault> {
        self.net(number)?.rank_at(&self.levels.get(number).level, seed, position, plays, desk)
    }

    /// The play that a level takes.
    pub fn choose(
        &self,
        number: LevelNumber,
        seed: u64,
        position: &Position,
        desk: &mut Desk,
    ) -> Result<CLegalPlay, Fault> {
        // The arguments are checked in a forced turn too, which is not searched.
        self.net(number)?.aim(position)?;
        let plays = plays(position)?;
        if let [forced] = &plays[..] {
            return Ok(forced.into());
        }
        let ranking = self.rank(number, seed, position, &plays, desk)?;
        Ok(ranking.plays[ranking.chosen].legal)
    }

    pub fn info(&self, number: LevelNumber) -> CLevelInfo {
        let graded = self.levels.get(number);
        let level = &graded.level;
        CLevelInfo {
            noise: level.noise,
            cap: level.cap,
            loss: graded.loss.mean,
            win_rate: graded.against_below.map_or(-1.0, |result| result.win_rate.mean),
            level: number.get(),
            ply: level.ply.number(),
            small: u8::from(level.net == NetSize::Small),
            name: field(&level.name),
        }
    }

    /// The net that a level asks.
    fn net(&self, number: LevelNumber) -> Result<&Model, Fault> {
        let net = match self.levels.get(number).level.net {
            NetSize::Full => Some(&self.full),
            NetSize::Small => self.small.as_ref(),
        };
        net.map(Arc::as_ref).ok_or_else(|| {
            Fault::mismatch(format!(
                "level {number} asks the small net {}, and these levels were opened without it",
                self.levels.hash(NetSize::Small)
            ))
        })
    }
}
