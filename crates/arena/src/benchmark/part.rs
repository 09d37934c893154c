use std::io;
use std::path::{Path, PathBuf};

use mahbusa_net::files::read_text;
use serde::Serialize;

use super::file::{read_decision, read_header};
use super::{BenchmarkError, Decision, Header};
use crate::LinesError;
use crate::lines::{Contents, LineFile};

/// A benchmark set in the making, `FILE.part`: every decision is on disk as soon as it is judged, and the next process goes on there.
#[derive(Debug)]
pub struct PartFile {
    file: LineFile,
    target: PathBuf,
    decisions: u64,
}

/// What was found where a set is to be made.
#[derive(Debug)]
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
        match read_text(target) {
            Ok(text) => match read_header(text.lines().next().unwrap_or_default()) {
                Ok(found) if found == *header => return Ok(Begun::Complete),
                Ok(_) => return Err(BenchmarkError::Occupied(target.to_owned())),
                Err(_) => return Err(BenchmarkError::Foreign(target.to_owned())),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(BenchmarkError::Foreign(target.to_owned()));
            }
            Err(error) => return Err(error.into()),
        }
        let mut path = target.as_os_str().to_owned();
        path.push(".part");
        let mut made = Made { header, decisions: 0 };
        let file = LineFile::open(path.as_ref(), &mut made)?;
        Ok(Begun::Unfinished(PartFile { file, target: target.to_owned(), decisions: made.decisions }))
    }

    /// Decisions that are there.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Adds the next decision and hands it to the operating system.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn append(&mut self, decision: &Decision) -> Result<(), LinesError> {
        self.file.append(decision)?;
        self.decisions += 1;
        Ok(())
    }

    /// Gives the whole set its name.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn finish(self) -> Result<(), LinesError> {
        self.file.finish(&self.target)
    }
}

/// What of a set has been made.
struct Made<'a> {
    header: &'a Header,
    decisions: u64,
}

impl Contents for Made<'_> {
    const NAME: &'static str = "a benchmark set in the making";

    fn head(&self) -> impl Serialize {
        self.header
    }

    fn begun_otherwise(&self, first: &str) -> Option<String> {
        Some(read_header(first).ok()?.command)
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        read_decision(line, self.header, self.decisions)?;
        self.decisions += 1;
        Ok(())
    }
}
