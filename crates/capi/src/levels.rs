use std::path::Path;
use std::sync::Arc;

use mahbusa_players::{LevelNumber, Levels, LevelsError, NetSize};
use mahbusa_rules::{Position, PositionPlay};

use crate::fault::Fault;
use crate::model::{Desk, Model, Ranking, file_at, plays};
use crate::types::{CLevelInfo, field};

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
    pub fn open(path: &Path, full: Arc<Model>, small: Option<Arc<Model>>) -> Result<LevelSet, Fault> {
        let path = file_at(path, LEVELS);
        let place = path.display().to_string();
        match Levels::read(&path) {
            Ok(levels) => LevelSet::new(&place, levels, full, small),
            Err(LevelsError::Io(error)) => Err(Fault::unread(&path, &error)),
            Err(error) => Err(Fault::levels(&place, &error)),
        }
    }

    /// Out of the text of a file.
    pub fn from_json(text: &str, full: Arc<Model>, small: Option<Arc<Model>>) -> Result<LevelSet, Fault> {
        let levels = Levels::from_json(text).map_err(|error| Fault::levels("json", &error))?;
        LevelSet::new("json", levels, full, small)
    }

    fn new(place: &str, levels: Levels, full: Arc<Model>, small: Option<Arc<Model>>) -> Result<LevelSet, Fault> {
        let nets = [("full", NetSize::Full, Some(&full)), ("small", NetSize::Small, small.as_ref())];
        for (name, size, net) in nets {
            let Some(net) = net else { continue };
            let (expected, found) = (levels.hash(size), net.hash());
            if expected != found {
                return Err(Fault::mismatch(format!(
                    "{place}: the {name} net of these levels is {expected}, not {found}"
                )));
            }
            if net.rules() != levels.rules {
                let rules = net.rules();
                return Err(Fault::mismatch(format!(
                    "{place}: levels of {}, and the {name} net is one of {rules}",
                    levels.rules
                )));
            }
        }
        Ok(LevelSet { levels, full, small })
    }

    /// The plays of a position as a level sees them, and the one that it takes.
    pub fn rank(&self, number: LevelNumber, seed: u64, position: &Position, desk: &mut Desk) -> Result<Ranking, Fault> {
        self.net(number)?.rank_at(&self.levels.get(number).level, seed, position, desk)
    }

    /// The play that a level takes.
    pub fn choose(
        &self,
        number: LevelNumber,
        seed: u64,
        position: &Position,
        desk: &mut Desk,
    ) -> Result<PositionPlay, Fault> {
        // The arguments are checked in a forced turn too, which is not searched.
        self.net(number)?.aim(position)?;
        if let [forced] = plays(position)?[..] {
            return Ok(forced);
        }
        let ranking = self.rank(number, seed, position, desk)?;
        let chosen = ranking.chosen.and_then(|index| ranking.plays.get(index));
        chosen.copied().ok_or_else(|| Fault::internal("a level has chosen no play"))
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
