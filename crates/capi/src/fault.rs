use std::fmt::Display;
use std::path::Path;

use mahbusa_rules::{PlayError, PositionError};

use crate::types::{
    MAHBUSA_ERROR_ARGUMENT, MAHBUSA_ERROR_CAPACITY, MAHBUSA_ERROR_FILE, MAHBUSA_ERROR_INTERNAL, MAHBUSA_ERROR_IO,
    MAHBUSA_ERROR_MISMATCH, MAHBUSA_ERROR_PLAY, MAHBUSA_ERROR_POSITION, Status,
};

/// Why a call has failed: a code for the program and a sentence for people.
#[derive(Debug)]
pub(crate) struct Fault {
    pub status: Status,
    pub message: String,
}

impl Fault {
    fn new(status: Status, message: String) -> Fault {
        Fault { status, message }
    }

    pub fn argument(message: impl Display) -> Fault {
        Fault::new(MAHBUSA_ERROR_ARGUMENT, message.to_string())
    }

    pub fn position(message: impl Display) -> Fault {
        Fault::new(MAHBUSA_ERROR_POSITION, message.to_string())
    }

    pub fn play(message: impl Display) -> Fault {
        Fault::new(MAHBUSA_ERROR_PLAY, message.to_string())
    }

    pub fn mismatch(message: impl Display) -> Fault {
        Fault::new(MAHBUSA_ERROR_MISMATCH, message.to_string())
    }

    pub fn internal(message: impl Display) -> Fault {
        Fault::new(MAHBUSA_ERROR_INTERNAL, message.to_string())
    }

    /// Not enough room.
    pub fn capacity(what: &str, needed: usize, capacity: usize) -> Fault {
        Fault::new(MAHBUSA_ERROR_CAPACITY, format!("{what}: room for {needed} is needed, there is room for {capacity}"))
    }

    /// A file that cannot be read.
    pub fn unread(path: &Path, error: &std::io::Error) -> Fault {
        Fault::new(MAHBUSA_ERROR_IO, format!("{}: {error}", path.display()))
    }

    /// A file that cannot be used, or what was given in its stead.
    pub fn file(place: impl Display, error: impl Display) -> Fault {
        Fault::new(MAHBUSA_ERROR_FILE, format!("{place}: {error}"))
    }
}

impl From<PositionError> for Fault {
    fn from(error: PositionError) -> Fault {
        Fault::position(error)
    }
}

impl From<PlayError> for Fault {
    fn from(error: PlayError) -> Fault {
        Fault::play(error)
    }
}
