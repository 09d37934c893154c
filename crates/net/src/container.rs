//! The frame of every binary file of this project, and how files are written so that nothing is lost.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | the magic `mahbusa` and a line feed |
//! | 4 | the kind of file, ASCII |
//! | 2 | format version of the kind, little-endian |
//! | 2 | length of the rules, little-endian |
//! | n | the rules in their notation, UTF-8 |
//! | 8 | length of the payload, little-endian |
//! | 32 | SHA-256 of everything above and of the payload |
//! | m | the payload: bincode, little-endian, integers of fixed width |

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use mahbusa_rules::Rules;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"mahbusa\n";
const DIGEST: usize = 32;

/// A kind of file and the only version of its format that this program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Four ASCII letters.
    pub kind: [u8; 4],
    /// Raised whenever the payload changes.
    pub version: u16,
    /// What people call such a file.
    pub name: &'static str,
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ContainerError {
    /// The file is something else.
    #[error("this is not a {0}")]
    OtherKind(&'static str),
    /// The file is of another version of the format.
    #[error("this {name} has format version {found}, this program reads version {expected}")]
    OtherVersion {
        /// What the file is.
        name: &'static str,
        /// Its version.
        found: u16,
        /// The version that can be read.
        expected: u16,
    },
    /// The file ends too early, goes on too long, or has changed since it was written.
    #[error("this {0} is damaged: its checksum or length does not fit its contents")]
    Damaged(&'static str),
}

/// Packs a payload for its file.
pub fn pack(format: Format, rules: Rules, payload: &impl Serialize) -> Vec<u8> {
    let rules = rules.to_string();
    let mut bytes = Vec::new();
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&format.kind);
    bytes.extend_from_slice(&format.version.to_le_bytes());
    bytes.extend_from_slice(&(rules.len() as u16).to_le_bytes());
    bytes.extend_from_slice(rules.as_bytes());
    let payload = match bincode::serde::encode_to_vec(payload, config()) {
        Ok(payload) => payload,
        Err(error) => unreachable!("plain numbers and texts always serialise: {error}"),
    };
    bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    let digest = digest(&bytes, &payload);
    bytes.extend_from_slice(&digest);
    bytes.extend_from_slice(&payload);
    bytes
}

/// Unpacks what [`pack`] made, after checking all of it.
///
/// # Errors
/// When the bytes are not of this format, or damaged.
pub fn unpack<T: DeserializeOwned>(format: Format, bytes: &[u8]) -> Result<(Rules, T), ContainerError> {
    let damaged = || ContainerError::Damaged(format.name);
    let mut rest = bytes;
    let mut take = |length: usize| rest.split_off(..length).ok_or_else(damaged);
    let other = |_| ContainerError::OtherKind(format.name);
    if take(MAGIC.len()).map_err(other)? != MAGIC || take(4).map_err(other)? != format.kind {
        return Err(ContainerError::OtherKind(format.name));
    }
    let version = u16::from_le_bytes(array(take(2)?));
    if version != format.version {
        return Err(ContainerError::OtherVersion { name: format.name, found: version, expected: format.version });
    }
    let length = u16::from_le_bytes(array(take(2)?));
    let rules = take(usize::from(length))?;
    let length = u64::from_le_bytes(array(take(8)?));
    let expected: [u8; DIGEST] = array(take(DIGEST)?);
    let head = bytes.len() - rest.len() - DIGEST;
    if rest.len() as u64 != length || digest(&bytes[..head], rest) != expected {
        return Err(damaged());
    }
    let rules = std::str::from_utf8(rules).ok().and_then(|text| text.parse().ok()).ok_or_else(damaged)?;
    let (payload, read) = bincode::serde::decode_from_slice(rest, config()).map_err(|_| damaged())?;
    if read == rest.len() { Ok((rules, payload)) } else { Err(damaged()) }
}

/// Reads a file that has no reason to be large. What goes on and on, such as a device, is left after 256 MiB.
///
/// # Errors
/// What the operating system refused, or that the file is larger.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    const LARGEST: u64 = 256 << 20;
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "this is larger than any such file, 256 MiB"));
    }
    Ok(bytes)
}

/// The same for a text.
///
/// # Errors
/// As [`read`], or that it is no text in UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "expected text in UTF-8, found bytes that are not"))
}

/// Writes a file whole or not at all: beside its place, then synced, then renamed. Where a link stands, the file that it leads to is written.
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
    let (beside, file) = new_beside(path)?;
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
    if let Some(Ok(folder)) = path.parent().filter(|parent| !parent.as_os_str().is_empty()).map(File::open) {
        // Not every file system can sync a folder; the file itself is safe by now.
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A new file beside a place, of a name that nobody else uses: `.NAME.PROCESS-NUMBER.new`.
fn new_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let process = std::process::id();
    for number in 0u32.. {
        let beside = path.with_file_name(format!(".{name}.{process}-{number}.new"));
        match File::create_new(&beside) {
            // What a killed process of the same number has left.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return Ok((beside, made?)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes what processes that were killed while they wrote a file have left of it in a folder. What is younger than an hour may be that of a living one, and
/// what cannot be removed stays.
pub fn sweep(folder: &Path) {
    const OLD: Duration = Duration::from_secs(3600);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let left = name.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(".new")?.rsplit_once('.'));
        let numbers = left.and_then(|(_, numbers)| numbers.split_once('-'));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        if numbers.is_some_and(|(process, number)| digits(process) && digits(number))
            && age.is_some_and(|age| age > OLD)
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a new folder with its files, whole or not at all: beside its place, then synced, then renamed.
///
/// # Errors
/// When something stands there, or what the operating system refused.
pub fn write_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    if fs::symlink_metadata(folder).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(format!(".new-{}", std::process::id()));
    let building = folder.with_file_name(name);
    let fill = || {
        for (name, bytes) in files {
            let mut file = File::create_new(building.join(name))?;
            file.write_all(bytes)?;
            file.sync_all()?;
        }
        fs::rename(&building, folder)
    };
    fs::create_dir(&building)?;
    fill().inspect_err(|_| {
        // The first error is the one to tell.
        let _ = fs::remove_dir_all(&building);
    })
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
    if found.is_file() || found.is_dir() {
        return Ok(path.to_owned());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file, found a pipe or a device"))
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest(head: &[u8], payload: &[u8]) -> [u8; DIGEST] {
    Sha256::new().chain_update(head).chain_update(payload).finalize().into()
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| bytes[i])
}

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { kind: *b"test", version: 3, name: "test file" };

    #[test]
    fn what_is_packed_is_unpacked() {
        let bytes = pack(FORMAT, Rules::TAPA, &(7u32, "text".to_owned()));
        assert_eq!(unpack::<(u32, String)>(FORMAT, &bytes).unwrap(), (Rules::TAPA, (7, "text".to_owned())));
    }

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let bytes = pack(FORMAT, Rules::TAPA, &(7u32, "text".to_owned()));
        for i in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[i] ^= 0x10;
            assert!(unpack::<(u32, String)>(FORMAT, &changed).is_err(), "byte {i}");
            assert!(unpack::<(u32, String)>(FORMAT, &bytes[..i]).is_err(), "cut at {i}");
        }
        assert!(unpack::<(u32, String)>(FORMAT, &[bytes.as_slice(), b"!"].concat()).is_err());
    }

    #[cfg(unix)]
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
        let mine = ["a.tmp", ".a.tmp", ".a.new", &format!(".a.{process}-0.new"), ".a.1-x.new"];
        mine.iter().for_each(|name| fs::write(folder.join(name), "mine").unwrap());
        write_atomically(&folder.join("a"), b"new").unwrap();
        assert_eq!(read(&folder.join("a")).unwrap(), b"new");
        mine.iter().for_each(|name| assert_eq!(read_text(&folder.join(name)).unwrap(), "mine", "{name}"));
        sweep(&folder);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 6, "nothing is old");
        let hours_ago = std::time::SystemTime::now() - Duration::from_secs(7200);
        for entry in fs::read_dir(&folder).unwrap() {
            File::options().write(true).open(entry.unwrap().path()).unwrap().set_modified(hours_ago).unwrap();
        }
        sweep(&folder);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 5);
        assert!(!folder.join(mine[3]).exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_left() {
        assert_eq!(read(Path::new("/dev/zero")).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_folder_appears_whole_and_replaces_nothing() {
        let place = std::env::temp_dir().join(format!("mahbusa-folder-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let [folder, other] = ["folder", "other"].map(|name| place.join(name));
        let files = [("one".to_owned(), b"1".to_vec()), ("two".to_owned(), b"2".to_vec())];
        write_folder(&folder, &files).unwrap();
        assert_eq!(fs::read(folder.join("two")).unwrap(), b"2");
        assert_eq!(write_folder(&folder, &files[..1]).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert!(write_folder(&other, &[("no/such".to_owned(), Vec::new())]).is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        assert_eq!(fs::read_dir(&place).unwrap().count(), 1, "nothing is left beside");
        fs::remove_dir_all(&place).unwrap();
    }

    #[test]
    fn another_version_is_named() {
        let bytes = pack(Format { version: 4, ..FORMAT }, Rules::TAPA, &1u8);
        let error = unpack::<u8>(FORMAT, &bytes).unwrap_err().to_string();
        assert_eq!(error, "this test file has format version 4, this program reads version 3");
    }
}
