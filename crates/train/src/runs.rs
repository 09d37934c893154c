//! Runs seen from outside: what there is, how it stands, and what can go.

use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use mahbusa_arena::Estimate;
use mahbusa_net::files::is_unfinished;
use serde::{Deserialize, Serialize};

use crate::folder::{
    BEST, CHECKPOINTS, CONFIG, FINAL, FolderError, LOCK, METRICS, NETS, RunFolder, checkpoints, history_of_run, is_run,
    newest_checkpoint, read_best, read_bytes, read_config, read_net, read_run, verdict_of_run,
};
use crate::metrics::Strength;

/// A run, as it stands.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The run folder.
    pub path: PathBuf,
    /// Whether it goes on.
    #[serde(flatten)]
    pub state: State,
    /// The rules, if its configuration can be read.
    pub rules: Option<String>,
    /// The layers of its net, likewise.
    pub net: Option<String>,
    /// Units of its hidden layers, such as `512 + 32`, likewise.
    #[serde(skip)]
    pub layers: Option<String>,
    /// Self-play games learnt.
    pub games: u64,
    /// Self-play games of the whole run, if its configuration can be read.
    pub of: Option<u64>,
    /// Points a game of its best net against the heuristic player: by the closing measurement, else by the one that made it the best.
    pub strength: Option<Estimate>,
    /// Bytes of everything in the folder.
    pub bytes: u64,
}

/// Whether a run goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "state")]
pub enum State {
    /// A process works on it.
    Running,
    /// All that it tells of is saved; `mahbusa resume` goes on from there.
    Paused,
    /// It ended without saving its last games: `mahbusa resume` plays them again.
    Stopped,
    /// Its final net is there.
    Complete,
    /// It cannot go on; or it is complete, and what it has brought forth cannot be read.
    Broken {
        /// What is wrong.
        why: String,
    },
}

impl State {
    fn broken(error: &FolderError) -> State {
        State::Broken { why: chain(error).replace('\n', "; ") }
    }
}

/// The runs of a folder, by name.
///
/// # Errors
/// When the folder cannot be read; what is wrong with a run is part of it.
pub fn runs_in(folder: &Path) -> Result<Vec<Run>, FolderError> {
    let mut paths = paths_in(folder)?;
    paths.sort();
    Ok(paths.iter().map(|path| Run::at(path)).collect())
}

/// The run of a folder that somebody would look at first: one that a process works on, else the one that was worked on last; `None` if there is no run.
///
/// # Errors
/// When the folder cannot be read.
pub fn newest_run_in(folder: &Path) -> Result<Option<PathBuf>, FolderError> {
    let changed = |path: &PathBuf| {
        let of = |name| fs::metadata(path.join(name)).and_then(|data| data.modified()).ok();
        (is_worked_on(path), [CONFIG, METRICS].map(of).into_iter().max())
    };
    Ok(paths_in(folder)?.into_iter().max_by_key(changed))
}

fn paths_in(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let io = |source| FolderError::Io { what: "cannot read the folder", path: folder.to_owned(), source };
    let entries: Vec<_> = fs::read_dir(folder).map_err(io)?.collect::<Result<_, _>>().map_err(io)?;
    let finished = |entry: &&DirEntry| entry.file_name().to_str().is_none_or(|name| !is_unfinished(name));
    Ok(entries.iter().filter(finished).map(DirEntry::path).filter(|path| is_run(path)).collect())
}

impl Run {
    /// How the run in a folder stands.
    pub fn at(path: &Path) -> Run {
        let measured = Measured::of(path);
        let verdict = verdict_of_run(path).ok().flatten();
        let mut run = Run {
            path: path.to_owned(),
            state: State::Paused,
            rules: None,
            net: None,
            layers: None,
            games: measured.games,
            of: None,
            strength: verdict.map(|verdict| verdict.points_per_game).or(measured.strength),
            bytes: bytes_in(path),
        };
        if let Ok(config) = read_config(path) {
            run.rules = Some(config.rules.to_string());
            let shape = config.net.shape();
            run.net = Some(shape.to_string());
            run.layers = Some(match shape.second {
                0 => shape.hidden.to_string(),
                second => format!("{} + {second}", shape.hidden),
            });
            run.of = Some(config.train.games);
        }
        let config = match read_run(path) {
            Ok((config, ..)) => config,
            Err(error) => {
                run.state = State::broken(&error);
                return run;
            }
        };
        if is_worked_on(path) {
            run.state = State::Running;
        } else if path.join(FINAL).is_file() {
            run.state = check_results(path).map_or_else(|error| State::broken(&error), |()| State::Complete);
        } else {
            // What comes after the checkpoint is done again.
            match newest_checkpoint(path, &config, |_| {}) {
                Ok(checkpoint) => {
                    run.games = checkpoint.map_or(0, |checkpoint| checkpoint.games);
                    if measured.games > run.games {
                        run.state = State::Stopped;
                    }
                }
                Err(error) => run.state = State::broken(&error),
            }
        }
        run
    }
}

/// Whether everything that a complete run has brought forth can be read.
fn check_results(run: &Path) -> Result<(), FolderError> {
    if run.join(BEST).exists() {
        read_best(run)?;
    }
    read_net(&run.join(FINAL))?;
    verdict_of_run(run).map(drop)
}

/// What the metrics of a run say.
#[derive(Default)]
struct Measured {
    games: u64,
    /// Of the last net that was the best.
    strength: Option<Estimate>,
    /// The games that it had learnt.
    best: Option<u64>,
}

/// The games that the strongest net of a run had learnt, by its metrics, if any was measured.
pub(crate) fn best_by_metrics(run: &Path) -> Option<u64> {
    Measured::of(run).best
}

impl Measured {
    fn of(run: &Path) -> Measured {
        #[derive(Deserialize)]
        struct Line {
            games: u64,
            strength: Option<Strength>,
        }
        let mut measured = Measured::default();
        let text = read_bytes(&run.join(METRICS)).unwrap_or_default();
        // A line that is being written is not whole yet.
        for line in String::from_utf8_lossy(&text).lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
            measured.games = line.games;
            if let Some(strength) = line.strength.filter(Strength::is_best) {
                measured.strength = Some(strength.heuristic.points_per_game);
                measured.best = Some(line.games);
            }
        }
        measured
    }
}

/// Whether a process works on a run, this one or another. Nothing is written, and nobody is kept from the run for longer than a moment.
pub fn is_worked_on(run: &Path) -> bool {
    File::open(run.join(LOCK)).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The bytes of all files in a folder and below; what cannot be read counts nothing.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => bytes_in(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

/// An error and what caused it. Some errors say what caused them themselves, and nothing is said twice.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let said = source.to_string();
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        cause = source.source();
    }
    text
}

/// What of a complete run is needed no longer: its checkpoints, since it never goes on.
#[derive(Debug)]
pub struct Cleaning<'a> {
    folder: &'a RunFolder,
    /// Checkpoints to be removed.
    pub checkpoints: Vec<PathBuf>,
    /// Games of the nets that are nowhere but in a checkpoint: they are written to `nets/` first.
    pub rescued: Vec<u64>,
    /// Bytes that the checkpoints have.
    pub bytes: u64,
}

impl<'a> Cleaning<'a> {
    /// What can go of a run.
    ///
    /// # Errors
    /// When it is not complete, or its folder cannot be read.
    pub fn of(folder: &'a RunFolder) -> Result<Cleaning<'a>, FolderError> {
        let path = folder.path();
        if !folder.is_complete() {
            return Err(FolderError::NotComplete(path.to_owned()));
        }
        let kept = folder.nets_outside_checkpoints()?;
        let (games, checkpoints): (Vec<u64>, Vec<PathBuf>) = checkpoints(path)?.into_iter().unzip();
        let bytes = checkpoints.iter().filter_map(|path| fs::metadata(path).ok()).map(|data| data.len()).sum();
        let rescued = games.into_iter().filter(|games| !kept.contains(games)).collect();
        Ok(Cleaning { folder, checkpoints, rescued, bytes })
    }

    /// Does it. Every net that the run had it still has, as `mahbusa ladder` sees it.
    ///
    /// # Errors
    /// When a net cannot be read or written, before anything is removed; or a checkpoint cannot be removed.
    pub fn carry_out(self) -> Result<(), FolderError> {
        let path = self.folder.path();
        let io = |what, path: &Path| {
            let path = path.to_owned();
            move |source: io::Error| FolderError::Io { what, path, source }
        };
        if !self.rescued.is_empty() {
            let nets = path.join(NETS);
            fs::create_dir_all(&nets).map_err(io("cannot make the folder", &nets))?;
            for net in history_of_run(path)?.iter().filter(|net| self.rescued.contains(&net.games)) {
                self.folder.write_net(net)?;
            }
        }
        for checkpoint in &self.checkpoints {
            fs::remove_file(checkpoint).map_err(io("cannot remove the checkpoint", checkpoint))?;
        }
        // Gone if it is empty now; whatever else is there is not ours.
        let _ = fs::remove_dir(path.join(CHECKPOINTS));
        Ok(())
    }
}
