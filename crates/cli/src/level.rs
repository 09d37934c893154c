//! Levels to be played at: where they are described, and their nets.

use std::io;
use std::path::Path;

use mahbusa_net::NetFile;
use mahbusa_players::{Level, LevelNumber, Levels, LevelsError, NetSize};

use crate::args::LevelFileArgs;
use crate::failure::Failure;
use crate::model::{self, Found};

/// The file of the levels in the folder of a model.
const LEVELS: &str = "levels.json";

/// A level of a model and the net that it asks.
pub fn find(name: &str, number: LevelNumber, files: &LevelFileArgs) -> Result<(NetFile, Level), Failure> {
    of(model::find(name)?, name, number, files)
}

/// The same of a model that has been found.
pub fn of(model: Found, name: &str, number: LevelNumber, files: &LevelFileArgs) -> Result<(NetFile, Level), Failure> {
    let path = files.levels.clone().or_else(|| Some(model.folder.as_ref()?.join(LEVELS))).ok_or_else(|| {
        Failure::usage(format!("{name} has no folder where {LEVELS} could be looked for; --levels FILE names one"))
    })?;
    let levels = Levels::read(&path).map_err(|error| unreadable(error, name, &path))?;
    let full = model.net.hash();
    if levels.full != full {
        return Err(Failure::usage(format!(
            "{}: these are the levels of the net {}, and {name} is the net {full}",
            path.display(),
            levels.full
        )));
    }
    if levels.rules != model.net.rules {
        return Err(Failure::Io(anyhow::anyhow!(
            "{}: damaged: rules: expected those of the net, {}, found {}",
            path.display(),
            model.net.rules,
            levels.rules
        )));
    }
    let level = levels.get(number).level.clone();
    let net = match level.net {
        NetSize::Full => model.net,
        NetSize::Small => {
            let small = model::small_of(&model, files.small.as_deref())
                .map_err(|failure| failure.about(format!("level {number} asks the small net {}", levels.small)))?;
            let hash = small.hash();
            if hash != levels.small {
                return Err(Failure::usage(format!(
                    "{}: level {number} asks the small net {}, and the one that was found is {hash}; --small MODEL names another",
                    path.display(),
                    levels.small
                )));
            }
            small
        }
    };
    Ok((net, level))
}

fn unreadable(error: LevelsError, model: &str, path: &Path) -> Failure {
    let shown = path.display();
    match error {
        LevelsError::Io(error) if error.kind() == io::ErrorKind::NotFound => Failure::usage(format!(
            "{model} has no levels: {shown} is not there; `mahbusa levels {model} --small MODEL --out {shown}` makes it"
        )),
        error => Failure::Io(anyhow::Error::new(error).context(shown.to_string())),
    }
}

/// Who plays at a level: who has the same id plays the same. At no noise that is the net as it is.
pub fn id(hash: &str, level: &Level) -> String {
    let plain = model::deeper(hash, level.ply);
    if level.noise == 0.0 { plain } else { format!("{plain}~{}^{}", level.noise, level.cap) }
}
