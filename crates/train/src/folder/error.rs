use std::io;
use std::path::PathBuf;

use mahbusa_net::NetFileError;
use mahbusa_net::container::ContainerError;

use crate::config::ConfigError;

/// A run folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The operating system refused something.
    #[error("{what} {path}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Another process works on the run.
    #[error("another process is working on the run {0}; wait for it or stop it first")]
    Locked(PathBuf),
    /// The folder holds something already.
    #[error("{0} exists and is not empty; choose another --run-dir, or continue a run with `mahbusa resume`")]
    Occupied(PathBuf),
    /// A file stands where the folder is to be.
    #[error("{0} is a file: expected the name of a new folder; choose another --run-dir")]
    IsFile(PathBuf),
    /// A net that the run is given does not fit.
    #[error("--{role}: the net is of {found}, the config says {expected}")]
    Given {
        /// What it was given for: `init` or `teacher`, and of several teachers which it is.
        role: String,
        /// What the net is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// The configuration is no longer that of the run.
    #[error(
        "{0} has changed since the run began, in a part that decides the weights (rules, seed, net, train): \
         put it back, or start a new run, with --init to go on from these weights"
    )]
    Changed(PathBuf),
    /// The folder is no run.
    #[error("{0} is not a run folder: it has no config.toml")]
    NotARun(PathBuf),
    /// The folder has no net yet.
    #[error("the run {0} has no net yet: no best.mnet, no final.mnet, no checkpoint")]
    NoNet(PathBuf),
    /// The run is to be cleaned and is not complete.
    #[error("the run {0} is not complete: its checkpoints are what `mahbusa resume` needs")]
    NotComplete(PathBuf),
    /// A file that the run cannot do without is gone.
    #[error("{path} is missing: {what}. {remedy}")]
    Missing {
        /// The file.
        path: PathBuf,
        /// What it holds.
        what: &'static str,
        /// What can be done.
        remedy: String,
    },
    /// The configuration of the run cannot be used.
    #[error("{}", in_one_line(.0))]
    Config(ConfigError),
    /// There are checkpoints, and none is sound.
    #[error("{why}. No other is sound: without {folder} `mahbusa resume` begins the run again, with the same games")]
    NoSoundCheckpoint {
        /// Where they are.
        folder: PathBuf,
        /// What is wrong with the newest.
        why: String,
    },
    /// A checkpoint cannot be used.
    #[error("{path}")]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ContainerError,
    },
    /// A net cannot be used.
    #[error("{path}")]
    Net {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NetFileError,
    },
    /// The run was made by another version of the program.
    #[error(
        "{path} was written by another version of mahbusa ({why}): this one, {version}, cannot resume the run; \
         its nets can be used, where their format is the same", version = env!("CARGO_PKG_VERSION")
    )]
    OtherVersion {
        /// Its manifest.
        path: PathBuf,
        /// What is otherwise there.
        why: String,
    },
    /// A file of the run is damaged.
    #[error("{path} is damaged ({why}): expected {expected}. {remedy}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
        /// What it holds when it is sound.
        expected: &'static str,
        /// What can be done.
        remedy: String,
    },
    /// The best net of the run is damaged.
    #[error("{why}. {remedy}")]
    DamagedBest {
        /// The file, and what is wrong with it.
        why: String,
        /// What can be done.
        remedy: String,
    },
    /// A file does not belong to the run.
    #[error("{path} cannot be used for this run: {why}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
}

/// Several mistakes one after the other.
fn in_one_line(error: &ConfigError) -> String {
    error.to_string().replace(":\n", ": ").replace('\n', "; ")
}
