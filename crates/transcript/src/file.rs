use std::io;
use std::path::{Path, PathBuf};

use mahbusa_net::files;
use mahbusa_net::locked::{LockedFile, LockedFileError};
use mahbusa_rules::{Play, PlayError, Side};

use crate::lines::{BackLine, FORMAT, HeadFault, Line, read_head, write_head};
use crate::{GameEnd, Head, How, Now, Transcript};

/// A transcript that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
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
    /// A new transcript would replace a file.
    #[error("{0} is there already; a transcript never replaces a file")]
    Occupied(PathBuf),
    /// Another process uses the file.
    #[error("another process plays the match in {0}")]
    Locked(PathBuf),
    /// The file is something else.
    #[error("{0} does not begin as a match does that was written down by `mahbusa play`")]
    Foreign(PathBuf),
    /// The file is of another version of the format.
    #[error("{path} has format {found}, this program reads format {FORMAT}")]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// A line makes no sense, or cannot follow.
    #[error("{path}:{line}: {why}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// What was to be added cannot follow.
    #[error("{0}")]
    Refused(String),
    /// The play is not legal.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// A match in a file, locked for this process, to which every turn is added as it is played, synced to disk.
///
/// Should the file be removed, replaced or changed by somebody else meanwhile, nothing is lost: the whole match is written anew, in its place if that is
/// free, else beside it, and what somebody else has put there is left alone.
#[derive(Debug)]
pub struct TranscriptFile {
    file: LockedFile,
    transcript: Transcript,
    /// What the file holds.
    text: Vec<u8>,
    /// What became of it since that was last asked.
    rescue: Option<Rescue>,
}

/// What became of the file of a match that somebody else has touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rescue {
    /// It was gone, and has been written anew.
    Restored,
    /// Something else stood there, which was left alone: the match is in another file now.
    Moved {
        /// Where it had been.
        from: PathBuf,
    },
}

impl From<LockedFileError> for TranscriptError {
    fn from(error: LockedFileError) -> TranscriptError {
        match error {
            LockedFileError::Io { what, path, source } => TranscriptError::Io { what, path, source },
            LockedFileError::Locked(path) => TranscriptError::Locked(path),
            LockedFileError::Occupied(path) => TranscriptError::Occupied(path),
        }
    }
}

/// Reads a match from a file. A last line that a kill has cut off is left out.
///
/// # Errors
/// When it cannot be read, is something else, or a line of it cannot be.
pub fn read(path: &Path) -> Result<Transcript, TranscriptError> {
    let text = files::read(path);
    let text = text.map_err(|source| TranscriptError::Io { what: "read", path: path.to_owned(), source })?;
    Ok(understand(path, &text)?.0)
}

impl TranscriptFile {
    /// Begins a match in a new file, with its first game.
    ///
    /// # Errors
    /// When there is a file already, or it cannot be written.
    pub fn create(path: &Path, head: Head) -> Result<TranscriptFile, TranscriptError> {
        let first = write_head(&head);
        let file = LockedFile::create(path)?;
        let mut file = TranscriptFile { file, transcript: Transcript::new(head), text: Vec::new(), rescue: None };
        file.settle(first)?;
        Ok(file)
    }

    /// Opens a match to play on. A last line that a kill has cut off is dropped, and what must follow is written.
    ///
    /// # Errors
    /// When it cannot be read or written, is used by another process, is something else, or a line of it cannot be.
    pub fn open(path: &Path) -> Result<TranscriptFile, TranscriptError> {
        let (mut file, mut text) = LockedFile::open(path)?;
        let (transcript, whole) = understand(path, &text)?;
        file.keep(whole)?;
        text.truncate(whole);
        let ended = if text.ends_with(b"\n") { "" } else { "\n" };
        let mut file = TranscriptFile { file, transcript, text, rescue: None };
        file.settle(ended.to_owned())?;
        Ok(file)
    }

    /// Where it is; another place than before after [`Rescue::Moved`].
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Looks whether the file still holds the match, and writes it anew if not; says whether that was so now or when something was added. To be asked before
    /// it is said where the match is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self) -> Result<Option<Rescue>, TranscriptError> {
        self.rescue_if_touched()?;
        Ok(self.rescue.take())
    }

    fn rescue_if_touched(&mut self) -> Result<(), TranscriptError> {
        if self.file.holds(&self.text) {
            return Ok(());
        }
        let from = self.path().to_owned();
        let stem = from.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let beside = (2..).map(|number| from.with_file_name(format!("{stem}-{number}.jsonl")));
        let places = std::iter::once(from.clone()).chain(beside);
        // Somebody may be quicker than a look whether a name is free.
        let mut free = places
            .map(|path| LockedFile::create(&path))
            .filter(|file| !matches!(file, Err(LockedFileError::Occupied(_))));
        self.file = free.next().ok_or_else(|| TranscriptError::Occupied(from.clone()))??;
        self.rescue = Some(if from == self.path() { Rescue::Restored } else { Rescue::Moved { from } });
        self.file.append(&self.text)?;
        Ok(self.file.sync()?)
    }

    /// What has been played.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Adds a play of the side in turn; if it ends the game, that too, and the beginning of the next one.
    ///
    /// # Errors
    /// When it is not legal or nobody is in turn, or the file cannot be written.
    pub fn play(&mut self, play: Play) -> Result<(), TranscriptError> {
        let Now::Play(position) = self.transcript.now() else {
            return Err(TranscriptError::Refused("nobody is in turn".to_owned()));
        };
        let play = position.find_play(play)?.play;
        self.add(&Line::Turn(self.transcript.turn_line(&position, play)))
    }

    /// Takes back a turn of the game, from 1, and all after it.
    ///
    /// # Errors
    /// When there is no such turn, or the file cannot be written.
    pub fn take_back(&mut self, turn: u32) -> Result<(), TranscriptError> {
        self.add(&Line::Back(BackLine { back: turn }))
    }

    /// A side gives the game up.
    ///
    /// # Errors
    /// When no game goes on, or the file cannot be written.
    pub fn resign(&mut self, side: Side) -> Result<(), TranscriptError> {
        let points = self.transcript.price_of_resigning(side);
        let end = GameEnd { how: How::Resigned, winner: Some(side.other()), points };
        self.add(&Line::End(self.transcript.end_line(end)))
    }

    fn add(&mut self, line: &Line) -> Result<(), TranscriptError> {
        let text = self.transcript.add(line).map_err(TranscriptError::Refused)?;
        self.write(&text)
    }

    /// Writes a text, and what must follow in the match, in one piece.
    fn settle(&mut self, text: String) -> Result<(), TranscriptError> {
        let due = self.transcript.settle().map_err(TranscriptError::Refused)?;
        self.write(&(text + &due))
    }

    fn write(&mut self, text: &str) -> Result<(), TranscriptError> {
        if text.is_empty() {
            return Ok(());
        }
        if !self.text.is_empty() {
            self.rescue_if_touched()?;
        }
        self.text.extend_from_slice(text.as_bytes());
        self.file.append(text.as_bytes())?;
        Ok(self.file.sync()?)
    }
}

/// The match that the bytes of a file tell, and how many of them are whole lines; empty lines at the end, which editors leave, are none of it.
fn understand(path: &Path, bytes: &[u8]) -> Result<(Transcript, usize), TranscriptError> {
    let line = |number: usize, why: String| TranscriptError::Line { path: path.to_owned(), line: number, why };
    let mut transcript = None;
    let mut whole = 0;
    let bytes = match bytes.trim_ascii_end() {
        [] => bytes,
        told => &bytes[..bytes.len().min(told.len() + 1)],
    };
    for (index, piece) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let number = index + 1;
        let text = std::str::from_utf8(piece).map_err(|_| "expected text in UTF-8".to_owned());
        let cut_off = !piece.ends_with(b"\n");
        match &mut transcript {
            None => {
                let text = text.map_err(|_| TranscriptError::Foreign(path.to_owned()))?;
                let head = read_head(text.trim_end()).map_err(|fault| match fault {
                    HeadFault::Foreign => TranscriptError::Foreign(path.to_owned()),
                    HeadFault::Format(found) => TranscriptError::Format { path: path.to_owned(), found },
                    HeadFault::Wrong(why) => line(number, why),
                })?;
                transcript = Some(Transcript::new(head));
            }
            Some(transcript) => {
                let read = text.and_then(|text| Line::read(text.trim_end()));
                if cut_off && read.is_err() {
                    break;
                }
                read.and_then(|read| transcript.take(&read)).map_err(|why| line(number, why))?;
            }
        }
        whole += piece.len();
    }
    let transcript = transcript.ok_or_else(|| TranscriptError::Foreign(path.to_owned()))?;
    Ok((transcript, whole))
}
