//! What a run folder holds, read by anybody, while a process works on the run or not.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mahbusa_arena::Verdict;
use mahbusa_net::container::{ContainerError, sha256_hex};
use mahbusa_net::encoding::ENCODING;
use mahbusa_net::files::{check_folder, read, read_text};
use mahbusa_net::{NetFile, NetFileError};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{
    BEST, CHECKPOINTS, CONFIG, FILES, FINAL, FolderError, Given, INIT, MANIFEST, Manifest, NETS, VERDICT, net_name,
    teacher_name,
};
use crate::checkpoint::Checkpoint;
use crate::config::Config;
use crate::runs::{best_by_metrics, chain};

/// Whether a folder holds a run, whose configuration is sound or not.
pub fn is_run(path: &Path) -> bool {
    path.join(CONFIG).symlink_metadata().is_ok()
}

/// Refuses what is no run folder.
///
/// # Errors
/// When there is nothing, no folder, or a folder without a run.
pub fn check_run(path: &Path) -> Result<(), FolderError> {
    if is_run(path) {
        return Ok(());
    }
    let io = |source| FolderError::Io { what: "not a run folder:", path: path.to_owned(), source };
    check_folder(path).map_err(io)?;
    Err(FolderError::NotARun(path.to_owned()))
}

/// The configuration of a run. Where its manifest is still there, that must know it.
///
/// # Errors
/// When it cannot be read, is damaged, or not what the run began with.
pub fn config_of_run(path: &Path) -> Result<Config, FolderError> {
    /// What is needed of a manifest.
    #[derive(Deserialize)]
    struct Made {
        config: Option<String>,
    }
    let config = read_config(path)?;
    if path.join(MANIFEST).exists() {
        let made: Made = read_manifest(path)?;
        made.config.map_or(Ok(()), |hash| check_unchanged(path, &config, &hash))?;
    }
    Ok(config)
}

/// The configuration of a run, whether it is the one that it began with or not.
pub(crate) fn read_config(run: &Path) -> Result<Config, FolderError> {
    let path = run.join(CONFIG);
    let text = read_text(&path).map_err(unreadable(&path))?;
    Config::from_text(&path.display().to_string(), &text, &[]).map_err(FolderError::Config)
}

/// Whether a configuration is still the one with this hash, in the part that decides the weights.
fn check_unchanged(run: &Path, config: &Config, hash: &str) -> Result<(), FolderError> {
    if sha256_hex(config.decisive_part().as_bytes()) == hash {
        Ok(())
    } else {
        Err(FolderError::Changed(run.join(CONFIG)))
    }
}

/// What is wanted of the manifest of a run.
fn read_manifest<T: DeserializeOwned>(run: &Path) -> Result<T, FolderError> {
    let path = run.join(MANIFEST);
    serde_json::from_slice(&read_bytes(&path)?).map_err(|error| {
        let why = error.to_string();
        // JSON that says something else than this version does.
        if error.is_data() {
            return FolderError::OtherVersion { path, why };
        }
        let nets: Vec<String> = [BEST, FINAL, NETS, CHECKPOINTS]
            .map(|name| run.join(name))
            .iter()
            .filter(|path| path.exists())
            .map(|path| path.display().to_string())
            .collect();
        let remedy = format!(
            "Put back a copy of it: without one the run cannot go on. Its nets can be used as before ({}), and once the file is moved away `mahbusa report` can too",
            nets.join(", ")
        );
        FolderError::Damaged { path, why, expected: "what the run was made with, as JSON", remedy }
    })
}

/// The closing measurement of a run, if it has been made.
///
/// # Errors
/// When it cannot be read or is damaged.
pub fn verdict_of_run(run: &Path) -> Result<Option<Verdict>, FolderError> {
    let path = run.join(VERDICT);
    if !path.exists() {
        return Ok(None);
    }
    serde_json::from_slice(&read_bytes(&path)?).map(Some).map_err(|error| FolderError::Damaged {
        path,
        why: error.to_string(),
        expected: "the closing measurement, as JSON",
        remedy: "`mahbusa resume` makes that measurement again".to_owned(),
    })
}

/// The run that a file belongs to, if it is one that training writes there, now or later. Its page and what else lies in the folder are not.
/// The path is to be without links and dots.
pub fn run_of_file(path: &Path) -> Option<PathBuf> {
    let (folder, name) = (path.parent()?, path.file_name()?);
    // A run that keeps a teacher keeps all before it.
    let teachers = || (1..).map(teacher_name).take_while(|teacher| folder.join(teacher).exists());
    if is_run(folder) && (FILES.iter().any(|file| name == *file) || teachers().any(|teacher| name == teacher.as_str()))
    {
        return Some(folder.to_owned());
    }
    let run = folder.parent().filter(|run| is_run(run))?;
    [CHECKPOINTS, NETS].iter().any(|part| folder.ends_with(part)).then(|| run.to_owned())
}

/// What stands in the folder of a run: its configuration, how it was made, and the nets it was given. Everything is checked, nothing locked.
///
/// # Errors
/// When something is missing, damaged, or not what the run began with.
pub(crate) fn read_run(path: &Path) -> Result<(Config, Manifest, Given), FolderError> {
    let config = read_config(path)?;
    let manifest_path = path.join(MANIFEST);
    if !manifest_path.exists() {
        return Err(FolderError::Missing {
            path: manifest_path,
            what: "what the run was made with",
            remedy: "Put it back, or begin a new run with --init and a net of this one".to_owned(),
        });
    }
    let manifest: Manifest = read_manifest(path)?;
    if manifest.encoding != ENCODING {
        let why = format!("the run is of encoding `{}`, this program computes `{ENCODING}`", manifest.encoding);
        return Err(FolderError::Foreign { path: manifest_path, why });
    }
    check_unchanged(path, &config, &manifest.config)?;
    let read = |name: &str, what: &'static str, hash: &String| {
        let path = path.join(name);
        if !path.exists() {
            let remedy =
                format!("Put the net with the SHA-256 {hash} there again: `mahbusa inspect MODEL` says what a net has");
            return Err(FolderError::Missing { path, what, remedy });
        }
        let net = read_net(&path)?;
        if net.hash() != *hash {
            return Err(FolderError::Foreign { path, why: "its hash is not that in the manifest".to_owned() });
        }
        Ok(net)
    };
    let init = |hash| read(INIT, "the weights that the run began with, its --init", hash);
    let teacher = |(number, hash)| read(&teacher_name(number), "a net that the run learns from, its --teacher", hash);
    let given = Given {
        init: manifest.init.as_ref().map(init).transpose()?,
        teachers: (1..).zip(manifest.teacher.as_slice()).map(teacher).collect::<Result<_, _>>()?,
    };
    Ok((config, manifest, given))
}

/// The net that stands for a run: the best measured, else the final, else the newest.
///
/// # Errors
/// When the folder has none, or it cannot be read.
pub fn net_of_run(path: &Path) -> Result<NetFile, FolderError> {
    if path.join(BEST).is_file() {
        return read_best(path);
    }
    if path.join(FINAL).is_file() {
        return read_net(&path.join(FINAL));
    }
    let (_, newest) = checkpoints(path)?.pop().ok_or_else(|| FolderError::NoNet(path.to_owned()))?;
    let (rules, checkpoint) = read_checkpoint(&newest)?;
    Ok(NetFile { rules, games: checkpoint.games, weights: checkpoint.weights })
}

/// The strongest net of a run that has measured one.
pub(crate) fn read_best(run: &Path) -> Result<NetFile, FolderError> {
    let damaged = |error| match error {
        FolderError::Net {
            source: NetFileError::Container(ContainerError::OtherKind(_) | ContainerError::Damaged(_)),
            ..
        } => FolderError::DamagedBest { why: chain(&error), remedy: remedy_for_best(run) },
        error => error,
    };
    read_net(&run.join(BEST)).map_err(damaged)
}

/// What helps where the strongest net of a run is damaged.
fn remedy_for_best(run: &Path) -> String {
    let [last, nets] = [FINAL, NETS].map(|name| run.join(name));
    let is_sound = |path: &Path| NetFile::read(path).is_ok();
    let same = best_by_metrics(run).map(|games| nets.join(net_name(games))).filter(|path| is_sound(path));
    match same {
        Some(same) => format!("{} is the same net: copy it there", same.display()),
        None if !last.exists() => "`mahbusa resume` writes it again out of the checkpoint".to_owned(),
        None if is_sound(&last) => {
            format!("Move it away, and {}, the net at the end, stands for the run", last.display())
        }
        None => format!("Those of its nets that are sound can be used by their files, in {}", nets.display()),
    }
}

/// Every net that a run has kept, in order of the games that it had learnt: those of measurements and of checkpoints, the best
/// and the final one, each once.
///
/// # Errors
/// When the folder has none, or one cannot be read.
pub fn history_of_run(path: &Path) -> Result<Vec<NetFile>, FolderError> {
    let mut nets = BTreeMap::new();
    for (games, path) in checkpoints(path)? {
        match read_checkpoint(&path) {
            Ok((rules, checkpoint)) => drop(nets.insert(games, NetFile { rules, games, weights: checkpoint.weights })),
            // The run goes on and has removed it meanwhile.
            Err(FolderError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    let kept = numbered(&path.join(NETS), "mnet")?.into_iter().map(|(_, path)| path);
    let named = [BEST, FINAL].into_iter().map(|name| path.join(name)).filter(|path| path.is_file());
    for path in kept.chain(named) {
        let net = read_net(&path)?;
        nets.insert(net.games, net);
    }
    if nets.is_empty() { Err(FolderError::NoNet(path.to_owned())) } else { Ok(nets.into_values().collect()) }
}

/// What a run has kept, by the games that had been learnt; the fewest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The nets of its measurements.
    pub nets: Vec<u64>,
    /// Its checkpoints.
    pub checkpoints: Vec<u64>,
}

/// The nets and checkpoints that a run has kept, without reading them.
///
/// # Errors
/// When the folder cannot be read.
pub fn kept_by_run(path: &Path) -> Result<Kept, FolderError> {
    let games = |files: Vec<(u64, PathBuf)>| files.into_iter().map(|(games, _)| games).collect();
    Ok(Kept { nets: games(numbered(&path.join(NETS), "mnet")?), checkpoints: games(checkpoints(path)?) })
}

/// The games of the newest checkpoint of a run and when it was saved, without reading it; `None` if there is none.
///
/// # Errors
/// When the folder cannot be read.
pub fn saved_by_run(path: &Path) -> Result<Option<(u64, SystemTime)>, FolderError> {
    let newest = checkpoints(path)?.pop();
    Ok(newest.and_then(|(games, path)| Some((games, fs::metadata(path).ok()?.modified().ok()?))))
}

/// The newest checkpoint that can be read; `skip` is told of each damaged one that is passed over for it.
///
/// # Errors
/// When the folder cannot be read, or none of its checkpoints is sound.
pub(crate) fn newest_checkpoint(
    run: &Path,
    config: &Config,
    skip: impl Fn(&FolderError),
) -> Result<Option<Checkpoint>, FolderError> {
    let mut passed_over = Vec::new();
    for (_, path) in checkpoints(run)?.into_iter().rev() {
        match read_checkpoint(&path) {
            Ok(net) if net.0 != config.rules || net.1.weights.shape != config.net.shape() => {
                let why = "its rules or its net are not those of config.toml".to_owned();
                return Err(FolderError::Foreign { path, why });
            }
            Ok((_, checkpoint)) => {
                passed_over.iter().for_each(skip);
                return Ok(Some(checkpoint));
            }
            Err(error) => passed_over.push(error),
        }
    }
    match passed_over.into_iter().next() {
        None => Ok(None),
        Some(error @ FolderError::Checkpoint { .. }) => {
            Err(FolderError::NoSoundCheckpoint { folder: run.join(CHECKPOINTS), why: chain(&error) })
        }
        Some(error) => Err(error),
    }
}

/// The checkpoints of a run by games, the oldest first.
pub(crate) fn checkpoints(run: &Path) -> Result<Vec<(u64, PathBuf)>, FolderError> {
    numbered(&run.join(CHECKPOINTS), "ckpt")
}

/// The files of a folder whose names are a number and this extension, by number; none where there is no folder.
pub(super) fn numbered(folder: &Path, extension: &str) -> Result<Vec<(u64, PathBuf)>, FolderError> {
    let io = |source| FolderError::Io { what: "cannot read the folder", path: folder.to_owned(), source };
    let mut found = Vec::new();
    let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    if fs::symlink_metadata(folder).is_err_and(is_missing) {
        return Ok(found);
    }
    // A link that leads nowhere now is more than nothing.
    if fs::metadata(folder).map_or_else(is_missing, |found| !found.is_dir()) {
        return Err(FolderError::Damaged {
            path: folder.to_owned(),
            why: "it is a file, or a link that leads nowhere".to_owned(),
            expected: "a folder",
            remedy: "Nothing has been changed; put the folder there again".to_owned(),
        });
    }
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let games = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok());
        if let Some(games) = games
            && path.extension().is_some_and(|found| found == extension)
        {
            found.push((games, path));
        }
    }
    found.sort();
    Ok(found)
}

fn read_checkpoint(path: &Path) -> Result<(mahbusa_rules::Rules, Checkpoint), FolderError> {
    let bytes = read_bytes(path)?;
    Checkpoint::from_bytes(&bytes).map_err(|source| FolderError::Checkpoint { path: path.to_owned(), source })
}

pub(crate) fn read_net(path: &Path) -> Result<NetFile, FolderError> {
    NetFile::read(path).map_err(|source| FolderError::Net { path: path.to_owned(), source })
}

/// Reads a file of a run.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, FolderError> {
    read(path).map_err(unreadable(path))
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_owned();
    |source| FolderError::Io { what: "cannot read", path, source }
}
