use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::file::{read_decision, read_header};
use super::{BenchmarkError, Decision, Header};

/// A benchmark set in the making, `FILE.part`: every decision is on disk as soon as it is judged, and the next process goes on there.
pub struct PartFile {
    file: File,
    path: PathBuf,
    target: PathBuf,
    decisions: u64,
}

/// What was found where a set is to be made.
pub enum Begun {
    /// The set is there, whole.
    Complete,
    /// It is to be made, or to be made on.
    Unfinished(PartFile),
}

impl PartFile {
    /// Begins the set at `target`, or goes on where a process before has stopped: a line cut short at the end is taken away.
    ///
    /// # Errors
    /// When what is there was made with other settings or is damaged (it is then left as it is), another process works on it, or the
    /// operating system refuses.
    pub fn begin(target: &Path, header: &Header) -> Result<Begun, BenchmarkError> {
        match std::fs::read_to_string(target) {
            Ok(text) if read_header(text.lines().next().unwrap_or_default()).is_ok_and(|found| found == *header) => {
                return Ok(Begun::Complete);
            }
            Ok(_) => return Err(BenchmarkError::Occupied(target.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(BenchmarkError::Occupied(target.to_owned()));
            }
            Err(error) => return Err(error.into()),
        }
        let mut name = target.as_os_str().to_owned();
        name.push(".part");
        let path = PathBuf::from(name);
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BenchmarkError::Locked(path)),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let sound = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&bytes[..sound]);
        let mut lines = text.lines();
        let begun = match lines.next() {
            Some(line) => {
                let found = read_header(line)?;
                if found != *header {
                    return Err(BenchmarkError::OtherSettings { path, command: found.command });
                }
                true
            }
            None => false,
        };
        let mut decisions = 0;
        for line in lines {
            read_decision(line, header, decisions)?;
            decisions += 1;
        }
        // Only now, since nothing is to be lost that somebody may still want.
        file.set_len(sound as u64)?;
        file.seek(SeekFrom::Start(sound as u64))?;
        if !begun {
            write_line(&mut file, header)?;
        }
        Ok(Begun::Unfinished(PartFile { file, path, target: target.to_owned(), decisions }))
    }

    /// Decisions that are there.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Adds the next decision and hands it to the operating system.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn append(&mut self, decision: &Decision) -> io::Result<()> {
        self.decisions += 1;
        write_line(&mut self.file, decision)
    }

    /// Gives the whole set its name.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        std::fs::rename(&self.path, &self.target)
    }
}

/// Writes one line at once.
fn write_line(file: &mut File, value: &impl serde::Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}
