use std::io;
use std::path::Path;

use mahbusa_rules::Rules;
use serde::{Deserialize, Serialize};

use crate::container::{ContainerError, Format, pack, sha256_hex, unpack};
use crate::encoding::ENCODING;
use crate::files::{read, write_atomically};
use crate::{Weights, WeightsError};

const FORMAT: Format = Format { kind: *b"mnet", version: 2, name: "weights file (.mnet)" };

/// A trained net as it is kept in a `.mnet` file.
#[derive(Clone, Debug, PartialEq)]
pub struct NetFile {
    /// The rules that it was trained on.
    pub rules: Rules,
    /// Self-play games that it was trained on.
    pub games: u64,
    /// The net itself, in the encoding [`ENCODING`].
    pub weights: Weights,
}

/// What follows the rules in the file.
#[derive(Serialize, Deserialize)]
struct Payload {
    encoding: String,
    games: u64,
    weights: Weights,
}

/// A net that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is of another kind, or damaged.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The net expects other inputs.
    #[error("this net is of encoding `{found}`, this program computes `{ENCODING}`")]
    Encoding {
        /// The encoding of the file.
        found: String,
    },
    /// The numbers do not make a net.
    #[error("this net is unusable: {0}")]
    Weights(#[from] WeightsError),
}

impl NetFile {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let payload = Payload { encoding: ENCODING.to_owned(), games: self.games, weights: self.weights.clone() };
        pack(FORMAT, self.rules, &payload)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When they are no net, damaged, or of another version or encoding.
    pub fn from_bytes(bytes: &[u8]) -> Result<NetFile, NetFileError> {
        let (rules, payload): (Rules, Payload) = unpack(FORMAT, bytes)?;
        if payload.encoding != ENCODING {
            return Err(NetFileError::Encoding { found: payload.encoding });
        }
        payload.weights.check()?;
        Ok(NetFile { rules, games: payload.games, weights: payload.weights })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or as [`NetFile::from_bytes`].
    pub fn read(path: &Path) -> Result<NetFile, NetFileError> {
        NetFile::from_bytes(&read(path)?)
    }

    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }

    /// The SHA-256 of the file in hexadecimal: equal for equal nets, whatever they are called.
    pub fn hash(&self) -> String {
        sha256_hex(&self.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn net() -> NetFile {
        NetFile { rules: Rules::TAPA, games: 42, weights: Weights::random(Shape::of(16), 1) }
    }

    #[test]
    fn a_net_survives_its_file() {
        assert_eq!(NetFile::from_bytes(&net().to_bytes()).unwrap(), net());
    }

    #[test]
    fn a_net_that_is_not_finite_is_refused() {
        let mut sick = net();
        sick.weights.b1[3] = f32::NAN;
        let error = NetFile::from_bytes(&sick.to_bytes()).unwrap_err().to_string();
        assert_eq!(error, "this net is unusable: b1 holds a number that is not finite");
    }

    #[test]
    fn a_net_whose_arrays_do_not_fit_is_refused() {
        let mut odd = net();
        odd.weights.w3.pop();
        assert!(matches!(NetFile::from_bytes(&odd.to_bytes()), Err(NetFileError::Weights(_))));
    }
}
