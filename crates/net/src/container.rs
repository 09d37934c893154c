//! The frame of every binary file of this project.
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
    fn another_version_is_named() {
        let bytes = pack(Format { version: 4, ..FORMAT }, Rules::TAPA, &1u8);
        let error = unpack::<u8>(FORMAT, &bytes).unwrap_err().to_string();
        assert_eq!(error, "this test file has format version 4, this program reads version 3");
    }
}
