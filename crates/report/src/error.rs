use std::io;
use std::path::PathBuf;

use mahbusa_train::FolderError;

/// A report that cannot be made or written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
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
    /// A line of the metrics is damaged.
    #[error("{path}:{line}: {message}; while its run is not complete, `mahbusa resume` mends the file")]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A file is damaged.
    #[error("{path}: {message}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A run folder, or a net in it, cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file that something else has made stands where one is to be written.
    #[error("{0} exists and was not made by `mahbusa report`: choose another name, or replace it with --force")]
    Occupied(PathBuf),
}
