//! Files of people: how they are read without waiting for what is no file, and written so that nothing is lost.

use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest file that is read.
const LARGEST: u64 = 1 << 30;

/// How the name ends of what is built beside its place, and of a folder that is being replaced.
const BUILT: &str = "new";
const REPLACED: &str = "old";

/// Reads a file that somebody names, or what a shell hands over in the place of one (`<(...)`).
///
/// # Errors
/// What the operating system refused; that it is no file, and may never end; or that it is larger than 1 GiB, as none has reason to be.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !is_handed_over(path) {
        check_file(path)?;
    }
    read_all(&File::open(path)?)
}

/// The same for a text.
///
/// # Errors
/// As [`read`], or that it is no text in UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "expected text in UTF-8, found bytes that are not"))
}

/// All of an open file, with the same limit.
///
/// # Errors
/// What the operating system refused, or that it is larger than 1 GiB.
pub fn read_all(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(file.metadata()?.len().min(LARGEST) as usize);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST { Err(too_large()) } else { Ok(bytes) }
}

/// The rule for files that are to be read: one that is there, is neither folder, pipe nor device, and is not too large for [`read`].
///
/// # Errors
/// What of it does not hold, or what the operating system refused.
pub fn check_file(path: &Path) -> io::Result<()> {
    match fs::metadata(path)? {
        found if !found.is_file() => Err(no_file(&found)),
        found if found.len() > LARGEST => Err(too_large()),
        _ => Ok(()),
    }
}

/// The rule for folders that are to be looked into: one that is there.
///
/// # Errors
/// That something else stands there, or what the operating system refused.
pub fn check_folder(path: &Path) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Ok(());
    }
    let what = if found.is_file() { "a file" } else { "a pipe or a device" };
    Err(io::Error::new(io::ErrorKind::NotADirectory, format!("expected a folder, found {what}")))
}

/// Whether it is a stream that this process was started with, which never waits for somebody to open its other end.
fn is_handed_over(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|streams| path.starts_with(streams)) && !path.is_dir()
}

fn no_file(found: &Metadata) -> io::Error {
    let what = if found.is_dir() { "a folder" } else { "a pipe or a device" };
    io::Error::new(io::ErrorKind::InvalidInput, format!("expected a file, found {what}"))
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "this is larger than any such file, 1 GiB")
}

/// Writes a file whole or not at all: beside its place, then synced, then renamed. Where a link stands, the file that it leads to is written. What processes
/// that were killed have left beside it is swept.
///
/// # Errors
/// What the operating system refused, or that a pipe or a device stands there; what stood there before is untouched then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(path, |file| file.write_all(bytes))
}

/// The same for a file that is written bit by bit, and left as it was if that fails.
///
/// # Errors
/// What `write` says, or what the operating system refused; the file that stood there before is untouched then.
pub fn write_atomically_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let path = &replaceable(path)?;
    sweep(folder_of(path));
    let (beside, file) = new_beside(path, |beside| File::create_new(beside))?;
    let mut file = BufWriter::new(file);
    let written = write(&mut file).and_then(|()| {
        file.flush()?;
        Ok(file.get_ref().sync_all()?)
    });
    if let Err(error) = written.and_then(|()| Ok(fs::rename(&beside, path)?)) {
        // The first error is the one to tell.
        let _ = fs::remove_file(&beside);
        return Err(error);
    }
    sync_name(path);
    Ok(())
}

/// Whether a file or a folder could be written there, as far as that can be known before: something is made beside it, and removed again. For work that takes
/// long before it writes.
///
/// # Errors
/// What the operating system refused, or that a pipe or a device stands there.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let (beside, _) = new_beside(&replaceable(path)?, |beside| File::create_new(beside))?;
    fs::remove_file(beside)
}

/// Sees to it that a new name lasts. Not every file system can sync a folder; what bears the name is safe by now.
fn sync_name(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Something new beside a place, of a name that nobody else uses: `.NAME.PROCESS-NUMBER.new`.
fn new_beside<T>(path: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id();
    for number in 0u32.. {
        let beside = path.with_file_name(format!(".{name}.{process}-{number}.{BUILT}"));
        match make(&beside) {
            // What a killed process of the same number has left.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((beside, made?)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A folder that is built beside its place and appears there whole or not at all: dropped before that, it is gone.
#[derive(Debug)]
pub struct NewFolder {
    place: PathBuf,
    beside: PathBuf,
}

impl NewFolder {
    /// Begins one for this place. What processes that were killed have left beside it is swept.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn beside(place: &Path) -> io::Result<NewFolder> {
        sweep(folder_of(place));
        let (beside, ()) = new_beside(place, |beside| fs::create_dir(beside))?;
        Ok(NewFolder { place: place.to_owned(), beside })
    }

    /// Where it is built.
    pub fn path(&self) -> &Path {
        &self.beside
    }

    /// Adds a file, synced.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create_new(self.beside.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// The same for several files.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn write_all(self, files: &[(String, Vec<u8>)]) -> io::Result<NewFolder> {
        files.iter().try_for_each(|(name, bytes)| self.write(name, bytes))?;
        Ok(self)
    }

    /// Puts it in its place, where nothing may stand but an empty folder.
    ///
    /// # Errors
    /// When something stands there, or what the operating system refused.
    pub fn put(self) -> io::Result<()> {
        self.rename()
    }

    /// The same in the place of whatever folder stands there, which goes.
    ///
    /// # Errors
    /// What the operating system refused; what stood there before stands there again then.
    pub fn replace(self) -> io::Result<()> {
        let old = self.beside.with_extension(REPLACED);
        match fs::rename(&self.place, &old) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.rename(),
            moved => moved?,
        }
        // The first error is the one to tell.
        self.rename().inspect_err(|_| drop(fs::rename(&old, &self.place)))?;
        // What cannot be removed now is swept later.
        let _ = fs::remove_dir_all(&old);
        Ok(())
    }

    fn rename(&self) -> io::Result<()> {
        fs::rename(&self.beside, &self.place)?;
        sync_name(&self.place);
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        // Nothing is there any more when it has been put in its place.
        let _ = fs::remove_dir_all(&self.beside);
    }
}

/// Removes what processes that were killed while they wrote a file or a folder have left of it in a folder. What is younger than an hour may be that of a
/// living one, what was to be replaced may be all that there is, and what cannot be removed stays.
pub fn sweep(folder: &Path) {
    const OLD: Duration = Duration::from_secs(3600);
    sweep_if(folder, |left, _| {
        let age = left.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        age.is_some_and(|age| age > OLD)
    });
}

/// The same, however young it is, of what nobody but the caller writes there now, by its name.
pub fn sweep_own(folder: &Path, own: impl Fn(&str) -> bool) {
    sweep_if(folder, |_, of| own(of));
}

fn sweep_if(folder: &Path, abandoned: impl Fn(&DirEntry, &str) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let left = name.to_str().and_then(left_by_a_kill);
        let Some((of, ending)) = left else { continue };
        if abandoned(&entry, of) && (ending == BUILT || folder.join(of).exists()) {
            let path = entry.path();
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

/// Whether this is the name of what is being built or replaced, or was when its process was killed.
pub fn is_unfinished(name: &str) -> bool {
    left_by_a_kill(name).is_some()
}

/// Of which name it is what a kill has left, `.NAME.PROCESS-NUMBER.new` or `.old`, and how it ends.
fn left_by_a_kill(name: &str) -> Option<(&str, &str)> {
    let (rest, ending) = name.strip_prefix('.')?.rsplit_once('.')?;
    let (of, numbers) = rest.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    ([BUILT, REPLACED].contains(&ending) && digits(process) && digits(number)).then_some((of, ending))
}

/// The place of a file that may be replaced, which is where a link leads. Renaming over a pipe or a device would destroy it.
fn replaceable(path: &Path) -> io::Result<PathBuf> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path.to_owned()),
        found => found?,
    };
    if found.is_symlink() {
        return replaceable(&fs::canonicalize(path)?);
    }
    if found.is_file() || found.is_dir() { Ok(path.to_owned()) } else { Err(no_file(&found)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_and_what_is_no_file_is_left_alone() {
        let folder = std::env::temp_dir().join(format!("mahbusa-container-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [file, link, socket] = ["file", "link", "socket"].map(|name| folder.join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (place, kind) in [
            (socket.clone(), Some(io::ErrorKind::InvalidInput)),
            (folder.join("no/such"), Some(io::ErrorKind::NotFound)),
            (file.join("inside"), Some(io::ErrorKind::NotADirectory)),
            (link.clone(), None),
            (folder.join("new"), None),
        ] {
            assert_eq!(check_writable(&place).err().map(|error| error.kind()), kind, "{}", place.display());
        }
        assert_eq!(write_atomically(&socket, b"new").unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert!(!fs::symlink_metadata(&socket).unwrap().is_file());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left beside");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_stands_beside_is_left_alone_and_what_was_left_is_swept() {
        let folder = std::env::temp_dir().join(format!("mahbusa-beside-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let process = std::process::id();
        let mine = ["a.tmp", ".a.tmp", ".a.new", &format!(".a.{process}-0.new"), ".a.1-x.new", ".a.1-0.older"];
        mine.iter().for_each(|name| fs::write(folder.join(name), "mine").unwrap());
        write_atomically(&folder.join("a"), b"new").unwrap();
        assert_eq!(read(&folder.join("a")).unwrap(), b"new");
        mine.iter().for_each(|name| assert_eq!(read_text(&folder.join(name)).unwrap(), "mine", "{name}"));
        sweep(&folder);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 7, "nothing is old");
        age(&folder);
        sweep(&folder);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 6);
        assert!(!folder.join(mine[3]).exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Makes everything in a folder two hours old.
    fn age(folder: &Path) {
        let hours_ago = std::time::SystemTime::now() - Duration::from_secs(7200);
        for entry in fs::read_dir(folder).unwrap() {
            File::open(entry.unwrap().path()).unwrap().set_modified(hours_ago).unwrap();
        }
    }

    #[test]
    fn what_is_no_file_or_too_large_is_not_read() {
        let place = std::env::temp_dir();
        assert_eq!(read(&place).unwrap_err().to_string(), "expected a file, found a folder");
        assert_eq!(read(&place.join("no/such")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(check_folder(&place).is_ok());
        let large = place.join(format!("mahbusa-large-{}", std::process::id()));
        File::create_new(&large).unwrap().set_len(LARGEST + 1).unwrap();
        assert_eq!(read(&large).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(check_folder(&large).unwrap_err().to_string(), "expected a folder, found a file");
        fs::remove_file(large).unwrap();
        #[cfg(unix)]
        for device in ["/dev/zero", "/dev/null"] {
            assert_eq!(read(Path::new(device)).unwrap_err().to_string(), "expected a file, found a pipe or a device");
        }
    }

    #[test]
    fn a_folder_appears_whole_and_replaces_only_what_may_go() {
        let place = std::env::temp_dir().join(format!("mahbusa-folder-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let [folder, other] = ["folder", "other"].map(|name| place.join(name));
        let filled = |contents: &[u8]| {
            let new = NewFolder::beside(&folder).unwrap();
            new.write("one", contents).unwrap();
            assert!(new.write("one", contents).is_err(), "it is there already");
            new
        };
        fs::create_dir(&folder).unwrap();
        filled(b"1").put().unwrap();
        assert!(filled(b"2").put().is_err());
        assert_eq!(fs::read(folder.join("one")).unwrap(), b"1");
        filled(b"2").replace().unwrap();
        assert_eq!(fs::read(folder.join("one")).unwrap(), b"2");
        let lost = filled(b"3");
        fs::remove_dir_all(lost.path()).unwrap();
        assert!(lost.replace().is_err());
        assert_eq!(fs::read(folder.join("one")).unwrap(), b"2", "the old one is back");
        drop(filled(b"4"));
        NewFolder::beside(&other).unwrap().replace().unwrap();
        assert_eq!(fs::read_dir(&place).unwrap().count(), 2, "nothing is left beside");
        fs::remove_dir_all(&place).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_a_kill_has_left_of_folders_is_swept_but_for_what_is_the_only_one() {
        let place = std::env::temp_dir().join(format!("mahbusa-swept-{}", std::process::id()));
        let left = [".a.1-0.new", ".a.1-0.old", ".b.1-0.new", ".b.1-0.old"].map(|name| place.join(name));
        left.iter().chain([&place.join("a")]).for_each(|folder| {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("file"), "1").unwrap();
        });
        age(&place);
        drop(NewFolder::beside(&place.join("b")).unwrap());
        assert_eq!(left.map(|folder| folder.exists()), [false, false, false, true]);
        assert_eq!(fs::read_dir(&place).unwrap().count(), 2);
        fs::remove_dir_all(&place).unwrap();
    }
}
