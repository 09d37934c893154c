//! What people call a model: a file, a run folder, the name of a baseline.

use std::path::{Path, PathBuf};

use mahbusa_net::NetFile;
use mahbusa_players::{Heuristic, NetPlayer, Player, Random};
use mahbusa_rules::Rules;
use mahbusa_train::{is_run, net_of_run};

use crate::failure::Failure;

/// Loads the net that a name stands for.
pub fn load(name: &str) -> Result<NetFile, Failure> {
    let path = Path::new(name);
    if is_run(path) {
        return Ok(net_of_run(path)?);
    }
    let released = [path.join("net.mnet"), Path::new("models").join(name).join("net.mnet")];
    let file = released.iter().map(PathBuf::as_path).find(|path| path.is_file()).unwrap_or(path);
    if !file.is_file() {
        return Err(Failure::usage(format!(
            "no model `{name}`: expected a .mnet file, a run folder, or a folder with net.mnet here or under models/"
        )));
    }
    NetFile::read(file).map_err(|error| Failure::Io(anyhow::Error::new(error).context(file.display().to_string())))
}

/// Someone who can be measured.
pub enum Contestant {
    Random,
    Heuristic,
    Net(NetFile),
}

impl Contestant {
    /// Finds out who is meant.
    pub fn find(name: &str) -> Result<Contestant, Failure> {
        Ok(match name {
            "random" => Contestant::Random,
            "heuristic" => Contestant::Heuristic,
            _ => Contestant::Net(load(name)?),
        })
    }

    /// The rules that it was made for, if it was made for any.
    pub fn rules(&self) -> Option<Rules> {
        match self {
            Contestant::Random | Contestant::Heuristic => None,
            Contestant::Net(net) => Some(net.rules),
        }
    }

    /// A player.
    pub fn player(&self) -> Box<dyn Player> {
        match self {
            Contestant::Random => Box::new(Random),
            Contestant::Heuristic => Box::new(Heuristic),
            Contestant::Net(net) => Box::new(NetPlayer::new(&net.weights)),
        }
    }
}

/// Refuses rules that a net was not trained on.
pub fn check_rules(trained: Rules, asked: Rules, forced: bool) -> Result<(), String> {
    if trained == asked || forced {
        return Ok(());
    }
    Err(format!("the net was trained on {trained}, not on {asked}; --force-rules uses it all the same"))
}
