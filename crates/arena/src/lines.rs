//! Files of JSON lines that grow while something is made, so that a process that was killed need not begin again.
//!
//! The first line says what is made and how; each other one is a part of it, written as soon as it is there. A file that was begun otherwise, or is
//! something else, or damaged, is refused and left as it is; a last line that a kill has cut off is dropped.

use std::path::{Path, PathBuf};

use mahbusa_net::locked::{LockedFile, LockedFileError};
use serde::Serialize;

/// What a file holds, as it is read.
pub(crate) trait Contents {
    /// What people call such a file, such as `a file of played games`.
    const NAME: &'static str;

    /// What the first line says.
    fn head(&self) -> impl Serialize;

    /// What was asked for otherwise when a file was begun that has this first line; `None` if it is of another kind or version.
    fn begun_otherwise(&self, first: &str) -> Option<String>;

    /// Understands the next line, or says why it cannot be.
    fn take(&mut self, line: &str) -> Result<(), String>;
}

/// Such a file, locked for this process.
#[derive(Debug)]
pub(crate) struct LineFile(LockedFile);

/// A growing file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LinesError {
    /// It cannot be read or written, or another process uses it.
    #[error(transparent)]
    File(#[from] LockedFileError),
    /// The file is something else, or of another version, in which players may play otherwise.
    #[error("{path} does not begin as {name} of this version ({version}) does; choose another file", version = VERSION)]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should be.
        name: &'static str,
    },
    /// What it holds was asked for otherwise.
    #[error("{path} was begun otherwise ({how}); go on as it was begun, or choose another file")]
    BegunOtherwise {
        /// The file.
        path: PathBuf,
        /// What is different, and how it is in the file.
        how: String,
    },
    /// A line makes no sense.
    #[error("{path} is damaged in line {line}: {why}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

/// Players may play otherwise in another version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

impl LineFile {
    /// Opens a file and reads what it holds; a new one is begun where there is none.
    pub fn open<C: Contents>(path: &Path, contents: &mut C) -> Result<LineFile, LinesError> {
        let (file, bytes) = LockedFile::open_or_create(path)?;
        let head = json_line(&contents.head());
        let foreign = || LinesError::Foreign { path: path.to_owned(), name: C::NAME };
        let sound = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = (1..).zip(bytes[..sound].split_inclusive(|&byte| byte == b'\n'));
        match lines.next() {
            Some((_, first)) if first == head.as_bytes() => {}
            Some((_, first)) => {
                let how = str::from_utf8(first).ok().and_then(|first| contents.begun_otherwise(first.trim_end()));
                return Err(how.map_or_else(foreign, |how| LinesError::BegunOtherwise { path: path.to_owned(), how }));
            }
            // Nothing, or a first line that was cut off.
            None if head.as_bytes().starts_with(&bytes) => {}
            None => return Err(foreign()),
        }
        for (line, bytes) in lines {
            let text = str::from_utf8(bytes).map_err(|_| "expected text in UTF-8".to_owned());
            let taken = text.and_then(|text| contents.take(text.trim_end()));
            taken.map_err(|why| LinesError::Damaged { path: path.to_owned(), line, why })?;
        }
        let mut file = LineFile(file);
        // Only now, since nothing is to be lost that somebody may still want.
        file.0.keep(sound)?;
        if sound == 0 {
            file.0.append(head.as_bytes())?;
        }
        Ok(file)
    }

    /// Adds a line.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), LinesError> {
        Ok(self.0.append(json_line(line).as_bytes())?)
    }

    /// Gives the finished file its name.
    pub fn finish(self, target: &Path) -> Result<(), LinesError> {
        self.0.sync()?;
        std::fs::rename(self.0.path(), target)
            .map_err(|source| LockedFileError::Io { what: "rename to", path: target.to_owned(), source }.into())
    }
}

fn json_line(value: &impl Serialize) -> String {
    match serde_json::to_string(value) {
        Ok(text) => text + "\n",
        Err(error) => unreachable!("numbers and texts always serialise: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// The numbers from 0 on, by steps of some width.
    struct Numbers {
        step: u64,
        known: Vec<u64>,
    }

    impl Contents for Numbers {
        const NAME: &'static str = "a file of numbers";

        fn head(&self) -> impl Serialize {
            ("numbers", self.step)
        }

        fn begun_otherwise(&self, first: &str) -> Option<String> {
            let (kind, step): (String, u64) = serde_json::from_str(first).ok()?;
            (kind == "numbers").then(|| format!("step {step}"))
        }

        fn take(&mut self, line: &str) -> Result<(), String> {
            let number: u64 = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let expected = self.known.len() as u64 * self.step;
            if number != expected {
                return Err(format!("expected {expected}, found {number}"));
            }
            self.known.push(number);
            Ok(())
        }
    }

    fn path() -> PathBuf {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        std::env::temp_dir().join(format!("mahbusa-lines-{}-{number}.jsonl", std::process::id()))
    }

    fn open(path: &Path, step: u64) -> Result<(LineFile, Vec<u64>), LinesError> {
        let mut numbers = Numbers { step, known: Vec::new() };
        LineFile::open(path, &mut numbers).map(|file| (file, numbers.known))
    }

    const WHOLE: &str = "[\"numbers\",5]\n0\n5\n10\n15\n";

    #[test]
    fn a_file_cut_anywhere_is_used_as_far_as_it_goes() {
        let path = path();
        for length in 0..=WHOLE.len() {
            fs::write(&path, &WHOLE[..length]).unwrap();
            let (mut file, known) = open(&path, 5).unwrap();
            assert_eq!(known.len(), WHOLE[..length].matches('\n').count().saturating_sub(1), "cut at {length}");
            for number in known.len() as u64..4 {
                file.append(&(5 * number)).unwrap();
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), WHOLE, "cut at {length}");
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_something_else_or_begun_otherwise_or_damaged_is_refused_and_left_alone() {
        let path = path();
        for (text, says) in [
            (&b"my diary\n"[..], "does not begin as a file of numbers of this version"),
            (b"my diary", "does not begin"),
            (b"\xff\xff\n", "does not begin"),
            (b"[\"letters\",5]\n", "does not begin"),
            (b"[\"numbers\",7]\n0\n7\n1", "was begun otherwise (step 7)"),
            (b"[\"numbers\",5]\n0\n7\n10", "damaged in line 3: expected 5, found 7"),
            (b"[\"numbers\",5]\nx\n", "damaged in line 2: expected value"),
            (b"[\"numbers\",5]\n0\n\xff\n", "damaged in line 3: expected text in UTF-8"),
        ] {
            fs::write(&path, text).unwrap();
            let error = open(&path, 5).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
            assert!(error.contains(path.to_str().unwrap()), "{error}");
            assert_eq!(fs::read(&path).unwrap(), text);
        }
        fs::remove_file(path).unwrap();
        assert!(matches!(open(&std::env::temp_dir(), 5), Err(LinesError::File(LockedFileError::Io { .. }))));
    }

    #[test]
    fn two_processes_do_not_write_to_one_file() {
        let path = path();
        let (file, _) = open(&path, 5).unwrap();
        assert!(matches!(open(&path, 5), Err(LinesError::File(LockedFileError::Locked(_)))));
        drop(file);
        assert!(open(&path, 5).is_ok());
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_finished_file_has_its_name() {
        let [path, target] = [path(), path()];
        let (mut file, _) = open(&path, 5).unwrap();
        file.append(&0).unwrap();
        file.finish(&target).unwrap();
        assert!(!path.exists() && fs::read_to_string(&target).unwrap() == "[\"numbers\",5]\n0\n");
        fs::remove_file(target).unwrap();
    }
}
