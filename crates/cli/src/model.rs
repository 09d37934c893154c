//! What people call a model: a file, a run folder, a moment of a run, the name of a baseline.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use mahbusa_exact::{Cache, Endings};
use mahbusa_net::NetFile;
use mahbusa_players::{Heuristic, NetPlayer, Player, Ply, Random, Search, td_200k};
use mahbusa_rules::Rules;
use mahbusa_train::{history_of_run, is_run, net_of_run};

use crate::failure::Failure;

/// The baseline that is a net; it plays both games.
const TD_200K: &str = "td-200k";

/// Loads the net that a name stands for.
pub fn load(name: &str) -> Result<NetFile, Failure> {
    let path = Path::new(name);
    if is_run(path) {
        return Ok(net_of_run(path)?);
    }
    if let Some((run, games)) = moment(name) {
        return net_at(run, games);
    }
    match name {
        TD_200K => return Ok(td_200k(Rules::MAHBUSA)?),
        "td-200k-tapa" => return Ok(td_200k(Rules::TAPA)?),
        "random" | "heuristic" => {
            return Err(Failure::usage(format!(
                "`{name}` is a player without a net: it plays, and can say nothing of a position"
            )));
        }
        _ => {}
    }
    let released = [path.join("net.mnet"), Path::new("models").join(name).join("net.mnet")];
    let file = released.iter().map(PathBuf::as_path).find(|path| path.is_file()).unwrap_or(path);
    if !file.is_file() {
        return Err(Failure::usage(format!(
            "no model `{name}`: expected a .mnet file, a run folder (or RUN@GAMES for one of its kept nets), \
             the baseline {TD_200K}, or a folder with net.mnet here or under models/"
        )));
    }
    NetFile::read(file).map_err(|error| Failure::Io(anyhow::Error::new(error).context(file.display().to_string())))
}

/// `RUN@GAMES`: a run, and how many games a net of it had learnt.
fn moment(name: &str) -> Option<(&str, u64)> {
    let (run, games) = name.rsplit_once('@')?;
    is_run(Path::new(run)).then_some(())?;
    Some((run, games.parse().ok()?))
}

fn net_at(run: &str, games: u64) -> Result<NetFile, Failure> {
    let history = history_of_run(Path::new(run))?;
    let kept: Vec<String> = history.iter().map(|net| net.games.to_string()).collect();
    history.into_iter().find(|net| net.games == games).ok_or_else(|| {
        Failure::usage(format!("{run} has kept no net after {games} games; there are {}", kept.join(", ")))
    })
}

/// Someone who can be measured.
pub enum Contestant {
    Random,
    Heuristic,
    Td200k,
    Net(NetFile),
}

impl Contestant {
    /// Finds out who is meant.
    pub fn find(name: &str) -> Result<Contestant, Failure> {
        Ok(match name {
            "random" => Contestant::Random,
            "heuristic" => Contestant::Heuristic,
            TD_200K => Contestant::Td200k,
            _ => Contestant::Net(load(name)?),
        })
    }

    /// The rules that it was made for, if it was made for one game only.
    pub fn rules(&self) -> Option<Rules> {
        match self {
            Contestant::Random | Contestant::Heuristic | Contestant::Td200k => None,
            Contestant::Net(net) => Some(net.rules),
        }
    }

    /// Someone who looks so deep and plays by these rules, which are refused if a net was not trained on them, unless they are forced.
    pub fn seated(self, name: &str, rules: Rules, forced: bool, ply: Ply) -> Result<Seated, Failure> {
        let deeper = |id: String| if ply > Ply::One { format!("{id}/{ply}") } else { id };
        let check = |net: &NetFile| {
            check_rules(net.rules, rules, forced).map_err(|error| Failure::usage(format!("{name}: {error}")))
        };
        let (id, player, games): (_, Box<dyn Player>, _) = match self {
            Contestant::Random | Contestant::Heuristic if ply > Ply::One => {
                return Err(Failure::usage(format!("{name} cannot look {ply} plies ahead: expected a net")));
            }
            Contestant::Random => (name.to_owned(), Box::new(Random), None),
            Contestant::Heuristic => (name.to_owned(), Box::new(Heuristic), None),
            Contestant::Td200k => {
                let net = td_200k(rules)?;
                check(&net)?;
                // A baseline never changes: it plays the end as its net sees it.
                let player = Search::new(NetPlayer::new(&net.weights), ply);
                (deeper(name.to_owned()), Box::new(player), Some(net.games))
            }
            Contestant::Net(net) => {
                check(&net)?;
                (deeper(net.hash()), Box::new(Search::new(player(&net), ply)), Some(net.games))
            }
        };
        Ok(Seated { id, player, games })
    }
}

/// Someone who plays.
pub struct Seated {
    /// The name of a baseline, the hash of any other net, with `/2` or `/3` if it looks so many plies ahead: who has the same plays the same.
    pub id: String,
    /// Who moves.
    pub player: Box<dyn Player>,
    /// Self-play games that a net was trained on.
    pub games: Option<u64>,
}

/// The bear-off table of the user's cache, one for the whole process.
pub fn endings() -> Arc<Endings> {
    static ENDINGS: LazyLock<Arc<Endings>> = LazyLock::new(|| Arc::new(Endings::new(Cache::of_user())));
    Arc::clone(&ENDINGS)
}

/// A net that plays the end of the game exactly.
pub fn player(net: &NetFile) -> NetPlayer {
    NetPlayer::new(&net.weights).with_endings(endings())
}

/// Refuses rules that a net was not trained on.
pub fn check_rules(trained: Rules, asked: Rules, forced: bool) -> Result<(), String> {
    if trained == asked || forced {
        return Ok(());
    }
    Err(format!("the net was trained on {trained}, not on {asked}; --force-rules uses it all the same"))
}
