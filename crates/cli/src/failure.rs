use std::fmt;
use std::io;
use std::process::ExitCode;

use mahbusa_arena::LinesError;
use mahbusa_arena::benchmark::BenchmarkError;
use mahbusa_net::NetFileError;
use mahbusa_net::locked::LockedFileError;
use mahbusa_report::ReportError;
use mahbusa_train::{ConfigError, FolderError, TrainError, chain};
use mahbusa_transcript::TranscriptError;

use crate::stderr::say;

/// Why a command did not succeed, by exit code.
#[derive(Debug)]
pub enum Failure {
    /// 1: the answer is no, and has been given already.
    Negative,
    /// 2: the command or a config is wrong; it may name what is not there.
    Usage(anyhow::Error),
    /// 3: a file that is there cannot be read or written, or is damaged; or a run broke down.
    Io(anyhow::Error),
    /// 130: interrupted, with everything saved, or what is known said.
    Interrupted,
    /// 0: whoever read our output has gone away.
    ReaderGone,
}

impl Failure {
    /// A wrong command.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(anyhow::Error::msg(message.into()))
    }

    /// A file or folder of the command that cannot be used: a usage error where it is not there, or where a file is to go has no folder, an I/O error
    /// where the system refuses it or it is damaged.
    pub fn of_place(error: impl Into<anyhow::Error>) -> Failure {
        let error = error.into();
        let absent = |cause: &(dyn std::error::Error + 'static)| {
            cause.downcast_ref::<io::Error>().is_some_and(|cause| cause.kind() == io::ErrorKind::NotFound)
        };
        if error.chain().any(absent) { Failure::Usage(error) } else { Failure::Io(error) }
    }

    /// The same, with what it was about said first.
    #[must_use]
    pub fn about(self, what: impl fmt::Display + Send + Sync + 'static) -> Failure {
        match self {
            Failure::Usage(error) => Failure::Usage(error.context(what)),
            Failure::Io(error) => Failure::Io(error.context(what)),
            other => other,
        }
    }

    /// Tells the user, and says how the process is to exit.
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Negative => ExitCode::from(1),
            Failure::Usage(error) => tell(&error, 2),
            Failure::Io(error) => tell(&error, 3),
            Failure::Interrupted => ExitCode::from(130),
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Negative => f.write_str("no"),
            Failure::Usage(error) | Failure::Io(error) => f.write_str(&chain(error.as_ref())),
            Failure::Interrupted => f.write_str("interrupted"),
            Failure::ReaderGone => f.write_str("nobody reads the output"),
        }
    }
}

fn tell(error: &anyhow::Error, code: u8) -> ExitCode {
    say(&format!("mahbusa: {}", chain(error.as_ref())));
    ExitCode::from(code)
}

/// An error without a place is one of standard output; who reads or writes anything else says which, with [`Failure::of_place`] and [`Failure::about`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ReaderGone;
        }
        Failure::Io(anyhow::Error::new(error).context("standard output"))
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        io::Error::from(error).into()
    }
}

impl From<BenchmarkError> for Failure {
    fn from(error: BenchmarkError) -> Failure {
        match error {
            BenchmarkError::Io(error) => Failure::of_place(error),
            BenchmarkError::Line { .. } => Failure::Io(error.into()),
            BenchmarkError::Occupied(_) | BenchmarkError::Foreign(_) => Failure::Usage(error.into()),
            BenchmarkError::Unfinished(error) => error.into(),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        match error {
            ConfigError::Io { .. } => Failure::of_place(error),
            ConfigError::Mistakes(_) => Failure::Usage(error.into()),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        match error {
            FolderError::Locked(_)
            | FolderError::Occupied(_)
            | FolderError::Given { .. }
            | FolderError::IsFile(_)
            | FolderError::NotARun(_)
            | FolderError::NotComplete(_) => Failure::Usage(error.into()),
            // Within a run it is no config of the command, but a file of the run.
            FolderError::Config(_) | FolderError::Changed(_) => Failure::Io(error.into()),
            _ => Failure::of_place(error),
        }
    }
}

impl From<TrainError> for Failure {
    fn from(error: TrainError) -> Failure {
        match error {
            // What goes away while a run works is no fault of the command.
            TrainError::Folder(FolderError::Io { .. }) => Failure::Io(error.into()),
            TrainError::Folder(error) => error.into(),
            TrainError::Threads { .. } => Failure::Usage(error.into()),
            TrainError::Diverged { .. } => Failure::Io(error.into()),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Failure {
        match error {
            ReportError::Occupied(_) => Failure::Usage(error.into()),
            ReportError::Folder(error) => error.into(),
            _ => Failure::of_place(error),
        }
    }
}

impl From<LinesError> for Failure {
    fn from(error: LinesError) -> Failure {
        match error {
            LinesError::File(LockedFileError::Locked(_)) | LinesError::BegunOtherwise { .. } => {
                Failure::Usage(error.into())
            }
            _ => Failure::of_place(error),
        }
    }
}

impl From<TranscriptError> for Failure {
    fn from(error: TranscriptError) -> Failure {
        match error {
            TranscriptError::Locked(_)
            | TranscriptError::Occupied(_)
            | TranscriptError::Refused(_)
            | TranscriptError::Play(_) => Failure::Usage(error.into()),
            _ => Failure::of_place(error),
        }
    }
}

impl From<NetFileError> for Failure {
    fn from(error: NetFileError) -> Failure {
        Failure::Io(error.into())
    }
}
