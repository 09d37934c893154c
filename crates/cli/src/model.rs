//! What people call a model: a file, a run folder, a moment of a run, the name of a released net or of a baseline.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use mahbusa_exact::{Cache, Endings};
use mahbusa_net::NetFile;
use mahbusa_players::{
    Heuristic, Level, LevelNumber, LevelPlayer, NetPlayer, Player, Ply, Random, Released, Search, td_200k,
};
use mahbusa_rules::Rules;
use mahbusa_train::{history_of_run, is_run, net_of_run};
use mahbusa_transcript::{LevelSeat, NetSeat, Seat};

use crate::args::LevelFileArgs;
use crate::failure::Failure;
use crate::level;

/// The baseline that is a net; it plays both games.
const TD_200K: &str = "td-200k";

/// The net in the folder of a model.
const NET: &str = "net.mnet";

/// A net and what belongs to it.
pub struct Found {
    /// The net.
    pub net: NetFile,
    /// Where its levels and its small net are.
    pub home: Home,
}

/// Where a net was.
pub enum Home {
    /// In a folder.
    Folder(PathBuf),
    /// In this program, as a released net.
    Released(&'static Released),
    /// In this program, as a baseline, to which nothing belongs.
    Baseline,
}

/// The model that is meant where none is named: the strongest released for the game.
pub fn or_released(name: Option<&str>, rules: Rules) -> &str {
    name.unwrap_or(Released::strongest(rules).name)
}

/// Loads the net that a name stands for.
pub fn load(name: &str) -> Result<NetFile, Failure> {
    Ok(find(name)?.net)
}

/// The same, and says where it was.
pub fn find(name: &str) -> Result<Found, Failure> {
    let path = Path::new(name);
    if is_run(path) {
        return Ok(Found { net: net_of_run(path)?, home: Home::Folder(path.to_owned()) });
    }
    if let Some((run, games)) = moment(name) {
        return Ok(Found { net: net_at(run, games)?, home: Home::Folder(run.into()) });
    }
    if let Some(released) = Released::named(name) {
        return Ok(Found { net: released.net()?, home: Home::Released(released) });
    }
    match name {
        TD_200K => return Ok(Found { net: td_200k(Rules::MAHBUSA)?, home: Home::Baseline }),
        "td-200k-tapa" => return Ok(Found { net: td_200k(Rules::TAPA)?, home: Home::Baseline }),
        "random" | "heuristic" => {
            return Err(Failure::usage(format!(
                "`{name}` is a player without a net: it plays, and can say nothing of a position"
            )));
        }
        _ => {}
    }
    let inside = path.join(NET);
    let file = if inside.is_file() { &inside } else { path };
    // A pipe is as good as a file.
    if !file.exists() || file.is_dir() {
        let released: Vec<&str> = Released::all().map(|released| released.name).collect();
        return Err(Failure::usage(format!(
            "no model `{name}`: expected a .mnet file, a run folder (or RUN@GAMES for one of its kept nets), a folder with {NET}, \
             a net that comes with the program ({}), or the baseline {TD_200K} ({TD_200K}-tapa for Tapa)",
            released.join(", ")
        )));
    }
    let net = read(file)?;
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    Ok(Found { net, home: Home::Folder(folder) })
}

/// Reads a file that is there.
fn read(file: &Path) -> Result<NetFile, Failure> {
    NetFile::read(file).map_err(|error| Failure::Io(anyhow::Error::new(error).context(file.display().to_string())))
}

/// The small net that goes with a model: the one that the user names, else the one that was released with it, else that of the folder beside the
/// model's, called the same with `-small` behind.
pub fn small_of(model: &Found, named: Option<&str>) -> Result<NetFile, Failure> {
    if let Some(name) = named {
        return load(name);
    }
    let nobody = |why: &str| Failure::usage(format!("no small net: {why}; --small MODEL names one"));
    let folder = match &model.home {
        Home::Folder(folder) => folder,
        Home::Released(released) => {
            let small = released.small.ok_or_else(|| nobody(&format!("none was released with {}", released.name)))?;
            return Ok(small.net()?);
        }
        Home::Baseline => return Err(nobody("a baseline has none")),
    };
    // `.` and the like have no name of their own.
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push("-small");
    let file = folder.with_file_name(name).join(NET);
    if !file.is_file() {
        return Err(nobody(&format!("{} is not there", file.display())));
    }
    read(&file)
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
    /// A net that plays at a level.
    Level(NetFile, Level),
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

    /// The same at a level of the model, if one is asked for.
    pub fn find_at(name: &str, level: Option<LevelNumber>, files: &LevelFileArgs) -> Result<Contestant, Failure> {
        let Some(number) = level else { return Contestant::find(name) };
        let (net, level) = level::find(name, number, files)?;
        Ok(Contestant::Level(net, level))
    }

    /// The rules that it was made for, if it was made for one game only.
    pub fn rules(&self) -> Option<Rules> {
        match self {
            Contestant::Random | Contestant::Heuristic | Contestant::Td200k => None,
            Contestant::Net(net) | Contestant::Level(net, _) => Some(net.rules),
        }
    }

    /// Someone who looks so deep, if no level says how deep, and plays by these rules, which are refused if a net was not trained on them, unless they
    /// are forced.
    pub fn seated(self, name: &str, rules: Rules, forced: bool, ply: Ply) -> Result<Seated, Failure> {
        let check = |net: &NetFile| {
            check_rules(net.rules, rules, forced).map_err(|error| Failure::usage(format!("{name}: {error}")))
        };
        let mut manner = Manner::Ply(ply);
        // A baseline is known by its name.
        let mut seat = None;
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
                (deeper(name, ply), Box::new(player), Some(net.games))
            }
            Contestant::Net(net) => {
                check(&net)?;
                seat = Some(net_seat(name, &net, ply, None));
                (deeper(&net.hash(), ply), Box::new(Search::new(player(&net), ply)), Some(net.games))
            }
            Contestant::Level(net, level) => {
                check(&net)?;
                manner = Manner::Level(level.number, level.ply);
                seat = Some(net_seat(name, &net, level.ply, Some(&level)));
                (level::id(&net.hash(), &level), Box::new(LevelPlayer::new(player(&net), level)), Some(net.games))
            }
        };
        let seat = Seat { name: manner.called(&called(name)), net: seat };
        Ok(Seated { id, player, games, manner, seat })
    }
}

/// The id of a player that looks so deep.
pub fn deeper(id: &str, ply: Ply) -> String {
    if ply > Ply::One { format!("{id}/{ply}") } else { id.to_owned() }
}

/// How a player plays.
#[derive(Clone, Copy)]
pub enum Manner {
    /// As well as it can, looking so deep.
    Ply(Ply),
    /// At a level, looking so deep.
    Level(LevelNumber, Ply),
}

impl Manner {
    /// How deep it looks.
    pub fn ply(self) -> Ply {
        match self {
            Manner::Ply(ply) | Manner::Level(_, ply) => ply,
        }
    }

    /// The number of its level.
    pub fn level(self) -> Option<u8> {
        match self {
            Manner::Ply(_) => None,
            Manner::Level(level, _) => Some(level.get()),
        }
    }

    /// A player by name and how it plays, where that is not as usual.
    pub fn called(self, name: &str) -> String {
        match self {
            Manner::Ply(Ply::One) => name.to_owned(),
            Manner::Ply(deeper) => format!("{name} ({deeper}-ply)"),
            Manner::Level(level, _) => format!("{name} (level {level})"),
        }
    }
}

/// Someone who plays.
pub struct Seated {
    /// The name of a baseline, the hash of any other net, with `/2` or `/3` if it looks so many plies ahead, and its noise and cap if it plays at a level:
    /// who has the same plays the same.
    pub id: String,
    /// Who moves.
    pub player: Box<dyn Player>,
    /// Self-play games that a net was trained on.
    pub games: Option<u64>,
    /// How it plays.
    pub manner: Manner,
    /// The same for the file of a match.
    pub seat: Seat,
}

/// What people call a model: the end of its path that says something, without what would upset a terminal.
pub fn called(model: &str) -> String {
    let path = Path::new(model);
    let [folder, end] = [path.parent().and_then(Path::file_name), path.file_name()].map(|part| part.map(Path::new));
    let shown = match (folder, end) {
        (Some(folder), Some(file)) if file.extension().is_some_and(|ending| ending == "mnet") => folder.join(file),
        (_, Some(end)) => end.to_owned(),
        _ => path.to_owned(),
    };
    shown.display().to_string().replace(char::is_control, "?")
}

/// How a net plays, for the file of a match.
pub fn net_seat(model: &str, net: &NetFile, ply: Ply, level: Option<&Level>) -> NetSeat {
    let level = level.map(|level| LevelSeat { number: level.number, noise: level.noise, cap: level.cap });
    NetSeat { model: Some(model.to_owned()), sha256: net.hash(), ply, level }
}

/// The net that played a match: the model, or the small one that goes with it, if it is either of them.
pub fn net_of_seat(found: &Found, seat: &NetSeat, small: Option<&str>) -> Option<NetFile> {
    if found.net.hash() == seat.sha256 {
        return Some(found.net.clone());
    }
    let small = seat.level.and_then(|_| small_of(found, small).ok());
    small.filter(|small| small.hash() == seat.sha256)
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
