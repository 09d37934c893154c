//! The run folder: everything that a run is, on disk.
//!
//! | file | what |
//! | --- | --- |
//! | `config.toml` | the resolved configuration |
//! | `manifest.json` | versions, seed, machine |
//! | `init.mnet` | the weights that the run began with, if they were given |
//! | `teacher.mnet` | the net whose values are learnt, if one was given; of several the second is `teacher-2.mnet`, and so on |
//! | `metrics.jsonl` | a line every so many games |
//! | `checkpoints/` | the state after so many games, `<games>.ckpt` |
//! | `nets/` | the net at every measurement, `<games>.mnet` |
//! | `best.mnet` | the strongest net measured so far |
//! | `final.mnet` | the net at the end, when the run is complete |
//! | `verdict.json` | the strength of `best.mnet` on dice not used before, when the run is complete |
//! | `report.html` | for the eye; written by the command, not by this crate |
//! | `lock` | held by the process that works on the run |

mod error;
mod read;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use mahbusa_arena::Verdict;
use mahbusa_net::container::sha256_hex;
use mahbusa_net::encoding::ENCODING;
use mahbusa_net::files::{NewFolder, sweep, sweep_own, write_atomically};
use mahbusa_net::{NetFile, instruction_set};
use serde::{Deserialize, Serialize};

use crate::checkpoint::Checkpoint;
use crate::config::Config;

pub use error::FolderError;
use read::numbered;
pub use read::{
    Kept, check_run, config_of_run, history_of_run, is_run, kept_by_run, net_of_run, run_of_file, saved_by_run,
    verdict_of_run,
};
pub(crate) use read::{checkpoints, newest_checkpoint, read_best, read_bytes, read_config, read_net, read_run};

pub(crate) const CONFIG: &str = "config.toml";
const MANIFEST: &str = "manifest.json";
const INIT: &str = "init.mnet";
pub(crate) const METRICS: &str = "metrics.jsonl";
pub(crate) const CHECKPOINTS: &str = "checkpoints";
pub(crate) const NETS: &str = "nets";
pub(crate) const BEST: &str = "best.mnet";
pub(crate) const FINAL: &str = "final.mnet";
pub(crate) const VERDICT: &str = "verdict.json";
pub(crate) const LOCK: &str = "lock";

/// All that training writes in a run folder, but for the teachers, which it is made with.
const FILES: [&str; 10] = [CONFIG, MANIFEST, INIT, METRICS, BEST, FINAL, VERDICT, LOCK, CHECKPOINTS, NETS];

/// The file of a net in `nets/`.
fn net_name(games: u64) -> String {
    format!("{games:012}.mnet")
}

/// The file of a teacher, whose number counts from 1.
fn teacher_name(number: usize) -> String {
    if number == 1 { "teacher.mnet".to_owned() } else { format!("teacher-{number}.mnet") }
}

/// What a run was made with; a resumed run is byte-identical on the same instruction set only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this program.
    pub version: String,
    /// Version of the encoding.
    pub encoding: String,
    /// The rules.
    pub rules: String,
    /// The seed.
    pub seed: u64,
    /// SHA-256 of the part of the configuration that decides the weights.
    pub config: String,
    /// SHA-256 of the weights that the run began with, if they were given.
    pub init: Option<String>,
    /// SHA-256 of each net whose values are learnt.
    #[serde(default)]
    pub teacher: Hashes,
    /// Operating system and processor family.
    pub platform: String,
    /// Vector instructions in use.
    pub instruction_set: String,
    /// Processors of the machine.
    pub processors: usize,
}

/// The SHA-256 of nets, in the order in which they were named. As JSON, null if there is none, a text if there is one, else a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Hashes {
    /// No net.
    #[default]
    None,
    /// One net.
    One(String),
    /// Several nets.
    Several(Vec<String>),
}

impl Hashes {
    /// Of some nets.
    pub fn of(nets: &[NetFile]) -> Hashes {
        match nets {
            [] => Hashes::None,
            [net] => Hashes::One(net.hash()),
            nets => Hashes::Several(nets.iter().map(NetFile::hash).collect()),
        }
    }

    /// One by one.
    pub fn as_slice(&self) -> &[String] {
        match self {
            Hashes::None => &[],
            Hashes::One(hash) => std::slice::from_ref(hash),
            Hashes::Several(hashes) => hashes,
        }
    }
}

/// Nets that a run is given.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The weights to begin with, instead of random ones.
    pub init: Option<NetFile>,
    /// The nets whose values of the positions are learnt, instead of how the games went on: distillation (Hinton, Vinyals and Dean 2015). Of several
    /// it is the mean of what they say, added up in this order; of none, how the games went on.
    pub teachers: Vec<NetFile>,
}

/// A run folder, locked for this process.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    config: Config,
    given: Given,
    manifest: Manifest,
    _lock: File,
}

impl RunFolder {
    /// Makes a new run: whole or not at all.
    ///
    /// # Errors
    /// When a net does not fit the configuration, or the folder holds something already or cannot be written.
    pub fn create(path: &Path, config: Config, given: Given) -> Result<RunFolder, FolderError> {
        RunFolder::check_new(path, &config, &given)?;
        RunFolder::build(path, config, given)
    }

    /// Whether a new run can be made: what would be refused by [`RunFolder::create`], without anything being written.
    ///
    /// # Errors
    /// When a net does not fit the configuration, or the folder holds something already.
    pub fn check_new(path: &Path, config: &Config, given: &Given) -> Result<(), FolderError> {
        if let Some(init) = &given.init {
            let wrong = |found, expected| Err(FolderError::Given { role: "init".to_owned(), found, expected });
            if !init.weights.sees_only(config.net.inputs) {
                return wrong("a net that sees expert inputs".to_owned(), "net.inputs = \"raw\"".to_owned());
            }
            let (found, expected) = ((init.rules, init.weights.shape), (config.rules, config.net.shape()));
            if found != expected {
                let text = |(rules, shape)| format!("{rules} with {shape}");
                return wrong(text(found), text(expected));
            }
        }
        let mut teachers = (1..).zip(&given.teachers);
        if let Some((number, teacher)) = teachers.find(|(_, teacher)| teacher.rules != config.rules) {
            let several = given.teachers.len() > 1;
            let role = if several { format!("teacher (number {number})") } else { "teacher".to_owned() };
            let (found, expected) = (teacher.rules.to_string(), config.rules.to_string());
            return Err(FolderError::Given { role, found, expected });
        }
        occupied(path).map_or(Ok(()), Err)
    }

    fn build(path: &Path, config: Config, given: Given) -> Result<RunFolder, FolderError> {
        let io = |what, path: &Path| {
            let path = path.to_owned();
            move |source| FolderError::Io { what, path, source }
        };
        let outer = path.parent().unwrap_or(Path::new(""));
        let begun = fs::create_dir_all(outer).and_then(|()| NewFolder::beside(path));
        let new = begun.map_err(io("cannot make the folder", path))?;
        fs::create_dir(new.path().join(CHECKPOINTS)).map_err(io("cannot make the folder", path))?;
        let manifest = Manifest {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            encoding: ENCODING.to_owned(),
            rules: config.rules.to_string(),
            seed: config.seed,
            config: sha256_hex(config.decisive_part().as_bytes()),
            init: given.init.as_ref().map(NetFile::hash),
            teacher: Hashes::of(&given.teachers),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            instruction_set: instruction_set(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
        };
        let write = |name: &str, bytes: &[u8]| new.write(name, bytes).map_err(io("cannot write", &path.join(name)));
        write(CONFIG, config.to_toml().as_bytes())?;
        write(MANIFEST, json_text(serde_json::to_string_pretty(&manifest)).as_bytes())?;
        if let Some(init) = &given.init {
            write(INIT, &init.to_bytes())?;
        }
        for (number, teacher) in (1..).zip(&given.teachers) {
            write(&teacher_name(number), &teacher.to_bytes())?;
        }
        let lock = lock(new.path())?;
        new.put().map_err(|source| {
            // Somebody may have been quicker than the look whether the place is free.
            occupied(path).unwrap_or_else(|| io("cannot make the folder", path)(source))
        })?;
        Ok(RunFolder { path: path.to_owned(), config, given, manifest, _lock: lock })
    }

    /// Opens the folder of a run that is to go on.
    ///
    /// # Errors
    /// When it is no run, damaged, or another process works on it.
    pub fn open(path: &Path) -> Result<RunFolder, FolderError> {
        check_run(path)?;
        let lock = lock(path)?;
        let (config, manifest, given) = read_run(path)?;
        // What the lock keeps everybody else from; the page of the run and what people keep beside it, others may be writing.
        sweep(path);
        sweep_own(path, |of| FILES.contains(&of));
        for part in [CHECKPOINTS, NETS] {
            sweep_own(&path.join(part), |_| true);
        }
        Ok(RunFolder { path: path.to_owned(), config, given, manifest, _lock: lock })
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The resolved configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the run was made with.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The nets that the run was given.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// Whether the run is complete.
    pub fn is_complete(&self) -> bool {
        NetFile::read(&self.path.join(FINAL)).is_ok()
    }

    /// The last measurement of a complete run, if it has been made.
    pub fn verdict(&self) -> Option<Verdict> {
        verdict_of_run(&self.path).ok().flatten()
    }

    /// Writes the last measurement.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_verdict(&self, verdict: &Verdict) -> Result<(), FolderError> {
        self.write(&self.path.join(VERDICT), json_text(serde_json::to_string_pretty(verdict)).as_bytes())
    }

    /// Whether there is a checkpoint, sound or not. Without one a run begins again.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn has_checkpoints(&self) -> Result<bool, FolderError> {
        Ok(!checkpoints(&self.path)?.is_empty())
    }

    /// The newest checkpoint that can be read; `skip` is told of each damaged one that is passed over.
    ///
    /// # Errors
    /// When the folder cannot be read, or none of its checkpoints is sound.
    pub fn newest_checkpoint(&self, skip: impl Fn(&FolderError)) -> Result<Option<Checkpoint>, FolderError> {
        newest_checkpoint(&self.path, &self.config, skip)
    }

    /// Writes a checkpoint, then forgets those that are no longer to be kept.
    ///
    /// # Errors
    /// When something cannot be written; older checkpoints are all there then.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), FolderError> {
        let folder = self.path.join(CHECKPOINTS);
        fs::create_dir_all(&folder).map_err(|source| FolderError::Io {
            what: "cannot make the folder",
            path: folder.clone(),
            source,
        })?;
        let path = folder.join(format!("{:012}.ckpt", checkpoint.games));
        self.write(&path, &checkpoint.to_bytes(self.config.rules))?;
        let remove = |path: &Path| {
            fs::remove_file(path).map_err(|source| FolderError::Io {
                what: "cannot remove the old checkpoint",
                path: path.to_owned(),
                source,
            })
        };
        let (existing, passed_over): (Vec<_>, Vec<_>) =
            checkpoints(&self.path)?.into_iter().partition(|(games, _)| *games <= checkpoint.games);
        // The run has gone back past them because they are damaged. Left there they would be counted as the newest.
        passed_over.iter().try_for_each(|(_, path)| remove(path))?;
        let old = existing.len().saturating_sub(self.config.output.keep);
        let mut last_kept = 0;
        for (games, path) in &existing[..old] {
            if self.is_first_past_multiple(last_kept, *games) {
                last_kept = *games;
                continue;
            }
            remove(path)?;
        }
        Ok(())
    }

    /// Whether a checkpoint is the first one past a multiple of `output.keep_every` games, given the last one kept for good.
    fn is_first_past_multiple(&self, last_kept: u64, games: u64) -> bool {
        let every = self.config.output.keep_every;
        every > 0 && games / every > last_kept / every
    }

    /// Keeps the net of a measurement, unless the config says that none are kept.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_net(&self, net: &NetFile) -> Result<(), FolderError> {
        if !self.config.output.keep_nets {
            return Ok(());
        }
        let folder = self.path.join(NETS);
        fs::create_dir_all(&folder).map_err(|source| FolderError::Io {
            what: "cannot make the folder",
            path: folder.clone(),
            source,
        })?;
        self.write_net(net)
    }

    /// Writes a net to `nets/`, which is there.
    pub(crate) fn write_net(&self, net: &NetFile) -> Result<(), FolderError> {
        self.write(&self.path.join(NETS).join(net_name(net.games)), &net.to_bytes())
    }

    /// The games of every net that the run has besides those in its checkpoints.
    pub(crate) fn nets_outside_checkpoints(&self) -> Result<Vec<u64>, FolderError> {
        let mut games: Vec<u64> =
            numbered(&self.path.join(NETS), "mnet")?.into_iter().map(|(games, _)| games).collect();
        for path in [BEST, FINAL].map(|name| self.path.join(name)) {
            if path.is_file() {
                games.push(read_net(&path)?.games);
            }
        }
        Ok(games)
    }

    /// Removes the kept nets past `games`, which come again.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub(crate) fn forget_nets_past(&self, games: u64) -> Result<(), FolderError> {
        for (of, path) in numbered(&self.path.join(NETS), "mnet")? {
            if of > games {
                fs::remove_file(&path).map_err(|source| FolderError::Io { what: "cannot remove", path, source })?;
            }
        }
        Ok(())
    }

    /// Writes the strongest net so far.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_best(&self, net: &NetFile) -> Result<(), FolderError> {
        self.write(&self.path.join(BEST), &net.to_bytes())
    }

    /// Writes the net of the complete run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_final(&self, net: &NetFile) -> Result<(), FolderError> {
        self.write(&self.path.join(FINAL), &net.to_bytes())
    }

    /// The metrics file, with every line past `games` cut off, and what damage has cost of it.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(crate) fn metrics(&self, games: u64) -> Result<(MetricsFile, Option<LostLines>), FolderError> {
        #[derive(Deserialize)]
        struct Line {
            games: u64,
        }
        let path = self.path.join(METRICS);
        // Damage costs the lines after it, which come again or are of no use without their beginning.
        let bytes = if path.exists() { read_bytes(&path)? } else { Vec::new() };
        let text = String::from_utf8_lossy(&bytes);
        // A last line without an end was being written.
        let lines: Vec<&str> = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
        let of = |line: &&str| serde_json::from_str::<Line>(line).ok().map(|line| line.games);
        let sound = lines.iter().take_while(|line| of(line).is_some_and(|of| of <= games)).count();
        let (kept, dropped) = lines.split_at(sound);
        let lost = dropped.first().is_some_and(|line| of(line).is_none()).then(|| LostLines {
            path: path.clone(),
            first: kept.len() + 1,
            lines: dropped.iter().filter(|line| of(line).is_none_or(|of| of <= games)).count(),
        });
        self.write(&path, kept.concat().as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path).map_err(|source| FolderError::Io {
            what: "cannot open",
            path: path.clone(),
            source,
        })?;
        Ok((MetricsFile { file, path }, lost))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
        write_atomically(path, bytes).map_err(|source| FolderError::Io {
            what: "cannot write",
            path: path.to_owned(),
            source,
        })
    }
}

/// Lines that a damaged one has cost, itself among them, and that do not come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostLines {
    /// The file.
    pub path: PathBuf,
    /// The number of the damaged line, from 1.
    pub first: usize,
    /// How many are lost.
    pub lines: usize,
}

/// `metrics.jsonl`, open for more lines.
pub(crate) struct MetricsFile {
    file: File,
    path: PathBuf,
}

impl MetricsFile {
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), FolderError> {
        let text = json_text(serde_json::to_string(line));
        self.file.write_all(text.as_bytes()).map_err(|source| FolderError::Io {
            what: "cannot write",
            path: self.path.clone(),
            source,
        })
    }
}

/// A JSON text as a line.
fn json_text(text: serde_json::Result<String>) -> String {
    match text {
        Ok(text) => text + "\n",
        Err(error) => unreachable!("numbers and texts always serialise: {error}"),
    }
}

/// Why a place is not free for a new folder, if it is not: an empty one may stand there.
fn occupied(path: &Path) -> Option<FolderError> {
    if path.is_file() {
        return Some(FolderError::IsFile(path.to_owned()));
    }
    let holds_something = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
    holds_something.then(|| FolderError::Occupied(path.to_owned()))
}

fn lock(path: &Path) -> Result<File, FolderError> {
    let lock_path = path.join(LOCK);
    let io = |source| FolderError::Io { what: "cannot lock", path: lock_path.clone(), source };
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path).map_err(io)?;
    // Whoever looks whether the run goes on holds the lock for a moment; whoever works on it still has it then.
    let locked = match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            sleep(Duration::from_millis(50));
            file.try_lock()
        }
        other => other,
    };
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FolderError::Locked(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_nothing_a_text_or_a_list_and_may_be_missing() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct Made {
            #[serde(default)]
            teacher: Hashes,
        }
        let [a, b] = ["a", "b"].map(str::to_owned);
        for (teacher, text) in [
            (Hashes::None, r#"{"teacher":null}"#),
            (Hashes::One(a.clone()), r#"{"teacher":"a"}"#),
            (Hashes::Several(vec![a, b]), r#"{"teacher":["a","b"]}"#),
        ] {
            let made = Made { teacher };
            assert_eq!(serde_json::to_string(&made).unwrap(), text);
            assert_eq!(serde_json::from_str::<Made>(text).unwrap(), made);
        }
        assert_eq!(serde_json::from_str::<Made>("{}").unwrap().teacher.as_slice(), [""; 0]);
        assert!(serde_json::from_str::<Made>(r#"{"teacher":7}"#).is_err());
    }
}
