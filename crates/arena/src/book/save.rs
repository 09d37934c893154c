use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Book, Header, Part};

/// A file that keeps the parts of a book, one a line after its header, each as soon as it is made.
#[derive(Debug)]
pub struct SaveFile {
    file: File,
    path: PathBuf,
}

/// A file that cannot keep a book.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The operating system refused something.
    #[error("cannot {what} {path}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Another process uses the file.
    #[error("another process is writing to {0}; wait for it, or save to another file")]
    Locked(PathBuf),
    /// The file is something else, or of another version.
    #[error(
        "{0} does not begin as a book in the making of this version ({version}) does; save to another file",
        version = PROGRAM
    )]
    Foreign(PathBuf),
    /// The book was begun otherwise.
    #[error("{path} was begun otherwise ({differences}); go on as it was begun, or save to another file")]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// What is different, and how it is in the file.
        differences: String,
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

/// Nets may play otherwise in another version.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
const FORMAT: &str = "book";
const VERSION: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Head {
    mahbusa: String,
    format: u32,
    version: String,
    book: Header,
}

impl Head {
    fn of(header: &Header) -> Head {
        Head { mahbusa: FORMAT.to_owned(), format: VERSION, version: PROGRAM.to_owned(), book: header.clone() }
    }
}

impl SaveFile {
    /// Opens a file for a book and reads what of it has been made; a new file is begun where there is none. A line that a kill has cut off is dropped.
    ///
    /// # Errors
    /// When it cannot be read or written, is used by another process, or holds something else.
    pub fn open(path: &Path, header: &Header) -> Result<(SaveFile, Book), SaveError> {
        let io = |what| {
            let path = path.to_owned();
            move |source| SaveError::Io { what, path, source }
        };
        // Not a device or a pipe, which may never end.
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(SaveError::Foreign(path.to_owned()));
        }
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SaveError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io("read"))?;
        let sound = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let head = json_line(&Head::of(header));
        let text = str::from_utf8(&bytes[..sound]).map_err(|_| SaveError::Foreign(path.to_owned()))?;
        let mut lines = text.lines();
        match lines.next() {
            Some(line) => match serde_json::from_str::<Head>(line) {
                Ok(found) if found == Head::of(header) => {}
                Ok(found) if found == Head::of(&found.book) => {
                    let differences = differences(&found.book, header);
                    return Err(SaveError::OtherSettings { path: path.to_owned(), differences });
                }
                _ => return Err(SaveError::Foreign(path.to_owned())),
            },
            // Nothing, or a first line that was cut off.
            None if head.as_bytes().starts_with(&bytes) => {}
            None => return Err(SaveError::Foreign(path.to_owned())),
        }
        let mut book = Book::new(header.clone());
        for (line, text) in (2..).zip(lines) {
            let part = serde_json::from_str::<Part>(text).map_err(|error| error.to_string());
            part.and_then(|part| book.add(part)).map_err(|why| SaveError::Damaged {
                path: path.to_owned(),
                line,
                why,
            })?;
        }
        // Only now, since nothing is to be lost that somebody may still want.
        file.set_len(sound as u64).map_err(io("write to"))?;
        file.seek(SeekFrom::Start(sound as u64)).map_err(io("write to"))?;
        let mut save = SaveFile { file, path: path.to_owned() };
        if sound == 0 {
            save.write(&head)?;
        }
        Ok((save, book))
    }

    /// Writes the next part down.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn append(&mut self, part: &Part) -> Result<(), SaveError> {
        self.write(&json_line(part))
    }

    /// Writes one line at once.
    fn write(&mut self, line: &str) -> Result<(), SaveError> {
        self.file.write_all(line.as_bytes()).map_err(|source| SaveError::Io {
            what: "write to",
            path: self.path.clone(),
            source,
        })
    }
}

/// What a book was begun with that is asked for otherwise now.
fn differences(found: &Header, asked: &Header) -> String {
    let mut all = Vec::new();
    if found.rules != asked.rules {
        all.push(format!("rules {}", found.rules));
    }
    if found.net != asked.net {
        all.push(format!("net {}", found.net.sha256));
    }
    let [found, asked] = [found, asked].map(|header| serde_json::to_value(&header.settings).unwrap_or_default());
    for (key, value) in found.as_object().into_iter().flatten() {
        if asked.get(key) != Some(value) {
            let value = if value.is_null() { "full".to_owned() } else { value.to_string() };
            all.push(format!("{} {value}", key.replace('_', " ")));
        }
    }
    all.join(", ")
}

fn json_line(value: &impl Serialize) -> String {
    match serde_json::to_string(value) {
        Ok(text) => text + "\n",
        Err(error) => unreachable!("numbers and texts always serialise: {error}"),
    }
}
