//! Files that one process adds to, piece by piece, and that are whole whatever happens.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::files::{check_file, read_all};

/// A file that grows, locked for this process as long as this lives. The lock goes when the process does.
#[derive(Debug)]
pub struct LockedFile {
    path: PathBuf,
    file: File,
    /// Bytes that are to stay. What may stand behind them is half of something.
    length: u64,
    /// Whether this has made it. As long as nothing has been added, as on a full disk, it goes again.
    is_new: bool,
}

/// A file that cannot be added to.
#[derive(Debug, thiserror::Error)]
pub enum LockedFileError {
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
    #[error("another process is writing to {0}; wait for it, or choose another file")]
    Locked(PathBuf),
    /// A new file would replace one.
    #[error("{0} is there already")]
    Occupied(PathBuf),
}

impl LockedFile {
    /// Makes a new file.
    ///
    /// # Errors
    /// When there is one already, or it cannot be made or locked.
    pub fn create(path: &Path) -> Result<LockedFile, LockedFileError> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => LockedFileError::Occupied(path.to_owned()),
            _ => refused("create", path, source),
        })?;
        lock(path, &file)?;
        Ok(LockedFile { path: path.to_owned(), file, length: 0, is_new: true })
    }

    /// Opens a file that is there, and reads all of it.
    ///
    /// # Errors
    /// When it is none, cannot be read or written, or is used by another process.
    pub fn open(path: &Path) -> Result<(LockedFile, Vec<u8>), LockedFileError> {
        let opened = check_file(path).and_then(|()| OpenOptions::new().read(true).write(true).open(path));
        let file = opened.map_err(|source| refused("open", path, source))?;
        lock(path, &file)?;
        let bytes = read_all(&file).map_err(|source| refused("read", path, source))?;
        let length = bytes.len() as u64;
        Ok((LockedFile { path: path.to_owned(), file, length, is_new: false }, bytes))
    }

    /// The same; a new file is made where there is none.
    ///
    /// # Errors
    /// When it is no file, cannot be made, read or written, or is used by another process.
    pub fn open_or_create(path: &Path) -> Result<(LockedFile, Vec<u8>), LockedFileError> {
        match LockedFile::open(path) {
            Err(LockedFileError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        match LockedFile::create(path) {
            // Somebody was quicker.
            Err(LockedFileError::Occupied(_)) => LockedFile::open(path),
            made => Ok((made?, Vec::new())),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes away all but so many bytes at the beginning.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn keep(&mut self, length: usize) -> Result<(), LockedFileError> {
        self.length = length as u64;
        self.file.set_len(self.length).map_err(|source| refused("write to", &self.path, source))
    }

    /// Adds bytes at the end. If that fails, as on a full disk, what had been written of it is taken away again: half of it would spoil what is added later.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), LockedFileError> {
        let begun = self.file.seek(SeekFrom::Start(self.length));
        if let Err(source) = begun.and_then(|_| self.file.write_all(bytes)) {
            // The first error is the one to tell.
            let _ = self.file.set_len(self.length);
            return Err(refused("write to", &self.path, source));
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Whether the path still leads to this file, and nobody else has written to it: it holds these bytes and no others.
    pub fn holds(&mut self, bytes: &[u8]) -> bool {
        #[cfg(unix)]
        let is_there = {
            use std::os::unix::fs::MetadataExt;

            let identity = |found: io::Result<fs::Metadata>| found.ok().map(|found| (found.dev(), found.ino()));
            identity(fs::metadata(&self.path)) == identity(self.file.metadata())
        };
        #[cfg(not(unix))]
        let is_there = self.path.exists();
        // By its own handle: elsewhere a locked file cannot be read by another.
        let mut found = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut found));
        is_there && read.is_ok() && found == bytes
    }

    /// Waits until what was added is on the disk.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn sync(&self) -> Result<(), LockedFileError> {
        self.file.sync_data().map_err(|source| refused("write to", &self.path, source))
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        if self.is_new && self.length == 0 && self.holds(b"") {
            let _ = fs::remove_file(&self.path);
        }
        // Closing is not enough: a process that is being started at this moment still has the file, and the lock with it.
        let _ = self.file.unlock();
    }
}

fn lock(path: &Path, file: &File) -> Result<(), LockedFileError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LockedFileError::Locked(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(refused("lock", path, source)),
    }
}

fn refused(what: &'static str, path: &Path, source: io::Error) -> LockedFileError {
    LockedFileError::Io { what, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("mahbusa-locked-{name}-{}", std::process::id()))
    }

    #[test]
    fn a_file_is_made_once_and_used_by_one_at_a_time() {
        let path = path("once");
        assert!(matches!(LockedFile::open(&path), Err(LockedFileError::Io { what: "open", .. })));
        let mut file = LockedFile::create(&path).unwrap();
        assert!(matches!(LockedFile::create(&path), Err(LockedFileError::Occupied(_))));
        assert!(matches!(LockedFile::open(&path), Err(LockedFileError::Locked(_))));
        assert!(matches!(LockedFile::open_or_create(&path), Err(LockedFileError::Locked(_))));
        file.append(b"1").unwrap();
        drop(file);
        assert!(LockedFile::open(&path).is_ok());
        assert!(matches!(LockedFile::open_or_create(&std::env::temp_dir()), Err(LockedFileError::Io { .. })));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_new_file_to_which_nothing_was_added_goes_again() {
        let path = path("empty");
        drop(LockedFile::create(&path).unwrap());
        assert!(!path.exists());
        fs::write(&path, "").unwrap();
        drop(LockedFile::open_or_create(&path).unwrap());
        assert!(path.exists(), "it was there before");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_added_stands_behind_what_is_kept() {
        let path = path("kept");
        let (mut file, found) = LockedFile::open_or_create(&path).unwrap();
        assert!(found.is_empty());
        file.append(b"one\ntw").unwrap();
        file.keep(4).unwrap();
        file.append(b"two\n").unwrap();
        file.append(b"three\n").unwrap();
        file.sync().unwrap();
        drop(file);
        let (mut file, found) = LockedFile::open(&path).unwrap();
        assert_eq!(found, b"one\ntwo\nthree\n");
        file.append(b"four\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\nfour\n");
        fs::remove_file(path).unwrap();
    }

    /// For the test below, which runs it where no file can grow beyond a few kilobytes.
    #[test]
    #[ignore = "a part of another test"]
    fn on_a_full_disk() {
        let Some(path) = std::env::var_os("MAHBUSA_FULL_DISK").map(PathBuf::from) else { return };
        let mut file = LockedFile::create(&path).unwrap();
        let line = "x".repeat(999) + "\n";
        let written = (0..100).take_while(|_| file.append(line.as_bytes()).is_ok()).count();
        assert!((1..20).contains(&written), "{written}");
        assert_eq!(fs::metadata(&path).unwrap().len(), 1000 * written as u64, "nothing is left of what did not fit");
        assert!(matches!(file.append(line.as_bytes()), Err(LockedFileError::Io { what: "write to", .. })));
        // There is room for less.
        file.append(b"end\n").unwrap();
        assert!(fs::read_to_string(&path).unwrap().ends_with("x\nend\n"));
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_leaves_what_was_whole() {
        let path = path("full");
        let output = std::process::Command::new("sh")
            .args(["-c", "ulimit -f 9; trap '' XFSZ; exec \"$0\" --exact locked::tests::on_a_full_disk --ignored"])
            .arg(std::env::current_exe().unwrap())
            .env("MAHBUSA_FULL_DISK", &path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(path.exists(), "{}", String::from_utf8_lossy(&output.stdout));
        fs::remove_file(path).unwrap();
    }
}
