//! Files of this crate replace their predecessors, and nothing else.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use mahbusa_net::files::{check_file, write_atomically};

use crate::{MARK, ReportError};

/// Bytes among which the mark of this crate stands.
const HEAD: u64 = 2048;

/// Refuses to replace a file that this crate has not made.
///
/// # Errors
/// When there is such a file or folder, or it cannot be read.
pub fn check_replaceable(path: &Path) -> Result<(), ReportError> {
    let mut head = Vec::new();
    let opened = check_file(path).and_then(|()| File::open(path));
    match opened.and_then(|file| file.take(HEAD).read_to_end(&mut head)) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(()),
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge) => {
            Err(ReportError::Occupied(path.to_owned()))
        }
        Err(source) => Err(ReportError::Io { what: "cannot read", path: path.to_owned(), source }),
        Ok(_) if head.windows(MARK.len()).any(|window| window == MARK.as_bytes()) => Ok(()),
        Ok(_) => Err(ReportError::Occupied(path.to_owned())),
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    write_atomically(path, bytes).map_err(|source| ReportError::Io {
        what: "cannot write",
        path: path.to_owned(),
        source,
    })
}
