//! Levels to be played at: where they are described, and their nets.

use std::io;
use std::path::Path;

use mahbusa_net::NetFile;
use mahbusa_players::{Level, LevelNumber, Levels, LevelsError, NetSize, OtherNet, Released};

use crate::args::LevelFileArgs;
use crate::failure::Failure;
use crate::model::{self, Found, Home};
use crate::words::for_a_shell;

/// The file of the levels in the folder of a model.
const LEVELS: &str = "levels.json";

/// A level of a model and the net that it asks.
pub fn find(name: &str, number: LevelNumber, files: &LevelFileArgs) -> Result<(NetFile, Level), Failure> {
    let model = model::find(name)?;
    let (levels, place) = levels_of(&model, name, files)?;
    check(&levels, NetSize::Full, &model.net, &place, name)?;
    let level = levels.get(number).level.clone();
    let net = match level.net {
        NetSize::Full => model.net,
        NetSize::Small => {
            let small = model::small_of(&model, files.small.as_deref())
                .map_err(|failure| failure.about(format!("level {number} asks the small net {}", levels.small)))?;
            check(&levels, NetSize::Small, &small, &place, "the one that was found; --small MODEL names another")?;
            small
        }
    };
    Ok((net, level))
}

/// Refuses a net that is not the one that levels ask, and says which it was.
pub fn check(levels: &Levels, size: NetSize, net: &NetFile, place: &str, which: &str) -> Result<(), Failure> {
    levels.check(size, &net.hash(), net.rules).map_err(|error| match error {
        OtherNet::Hash { .. } => Failure::usage(format!("{place}: {error}, which is {which}")),
        // The hash is of the rules too.
        OtherNet::Rules { .. } => Failure::Io(anyhow::anyhow!("{place}: damaged: {error}")),
    })
}

/// The levels of a model, and where they stand: in the file that the user names, else beside the model.
fn levels_of(model: &Found, name: &str, files: &LevelFileArgs) -> Result<(Levels, String), Failure> {
    let path = match (&files.levels, &model.home) {
        (Some(path), _) => path.clone(),
        (None, Home::Folder(folder)) => folder.join(LEVELS),
        (None, Home::Released(Released { levels: Some(text), .. })) => {
            let levels = Levels::from_json(text).map_err(|error| Failure::Io(error.into()))?;
            return Ok((levels, format!("{LEVELS} of {name}")));
        }
        (None, Home::Released(_) | Home::Baseline) => {
            return Err(Failure::usage(format!("{name} has no levels; --levels FILE names some")));
        }
    };
    let levels = Levels::read(&path).map_err(|error| unreadable(error, name, &path, files.levels.is_some()))?;
    Ok((levels, path.display().to_string()))
}

fn unreadable(error: LevelsError, model: &str, path: &Path, named: bool) -> Failure {
    let shown = path.display();
    match error {
        LevelsError::Io(error) if error.kind() == io::ErrorKind::NotFound => Failure::usage(format!(
            "{}{shown} is not there; `mahbusa levels {} --small MODEL --out {}` makes it",
            if named { String::new() } else { format!("{model} has no levels: ") },
            for_a_shell(model),
            for_a_shell(&shown.to_string())
        )),
        error => Failure::Io(anyhow::Error::new(error).context(shown.to_string())),
    }
}

/// Who plays at a level: who has the same id plays the same. At no noise that is the net as it is.
pub fn id(hash: &str, level: &Level) -> String {
    let plain = model::deeper(hash, level.ply);
    if level.noise == 0.0 { plain } else { format!("{plain}~{}^{}", level.noise, level.cap) }
}
