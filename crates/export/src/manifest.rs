use std::collections::BTreeMap;

use mahbusa_net::container::sha256_hex;
use mahbusa_net::encoding::ENCODING;
use mahbusa_net::{NetFile, Shape};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ExportNet, onnx};

/// What the file is.
const KIND: &str = "bundle";

/// Raised whenever a program that reads bundles would have to be changed.
const FORMAT: u32 = 1;

/// `manifest.json`: what a bundle is, and the hash of each file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    mahbusa: String,
    format: u32,
    /// The version of the program that made it.
    pub version: String,
    /// The name of the net, which no other net has.
    pub name: String,
    rules: String,
    encoding: String,
    licence: String,
    net: NetEntry,
    onnx: OnnxEntry,
    /// All other files by name.
    pub files: BTreeMap<String, FileEntry>,
}

/// The net.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NetEntry {
    /// The hash of its `.mnet` file.
    sha256: String,
    games: u64,
    hidden: usize,
    activation: String,
    second: usize,
    parameters: usize,
}

/// How the model is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OnnxEntry {
    opset: i64,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    bytes: usize,
    sha256: String,
}

impl FileEntry {
    /// Of a file with these contents.
    pub fn of(contents: &[u8]) -> FileEntry {
        FileEntry { bytes: contents.len(), sha256: sha256_hex(contents) }
    }
}

/// A manifest that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is something else.
    #[error("this is no manifest of a bundle: expected a JSON object with \"mahbusa\": \"{KIND}\"")]
    OtherKind,
    /// It is of another version of the format.
    #[error("this bundle has format {found}, this program reads format {FORMAT}")]
    OtherFormat {
        /// Its version.
        found: u32,
    },
    /// It is no JSON, or lacks something, or has something that nobody knows.
    #[error("damaged: {0}")]
    Json(#[from] serde_json::Error),
}

/// What every version has.
#[derive(Deserialize)]
struct Head {
    mahbusa: Option<String>,
    format: Option<u32>,
}

impl Manifest {
    /// Of a net and the other files of its bundle.
    pub fn of(net: &ExportNet, files: BTreeMap<String, FileEntry>) -> Manifest {
        let NetFile { rules, games, weights } = &net.file;
        let Shape { hidden, activation, second } = weights.shape;
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Manifest {
            mahbusa: KIND.to_owned(),
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            name: net.name(),
            rules: rules.to_string(),
            encoding: ENCODING.to_owned(),
            licence: net.licence.clone(),
            net: NetEntry {
                sha256: net.file.hash(),
                games: *games,
                hidden,
                activation: activation.to_string(),
                second,
                parameters: weights.parameters(),
            },
            onnx: OnnxEntry { opset: onnx::OPSET, inputs: names(&onnx::INPUTS), outputs: names(&onnx::OUTPUTS) },
            files,
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is no manifest of this version.
    pub fn from_json(text: &[u8]) -> Result<Manifest, ManifestError> {
        let head: Head = serde_json::from_slice(text)?;
        if head.mahbusa.as_deref() != Some(KIND) {
            return Err(ManifestError::OtherKind);
        }
        if let Some(found) = head.format.filter(|&format| format != FORMAT) {
            return Err(ManifestError::OtherFormat { found });
        }
        Ok(serde_json::from_slice(text)?)
    }

    /// The fields that are not as expected: name, what was expected, what was found.
    pub fn differences(&self, expected: &Manifest) -> Vec<String> {
        // Both were read or made as manifests, and all of those can be written.
        let [found, expected] = [self, expected].map(|manifest| serde_json::to_value(manifest).unwrap_or_default());
        let mut all = Vec::new();
        differences(&mut all, "", &expected, &found);
        all
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None: everything in it can be written.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// Adds the values that differ by their whole keys.
fn differences(all: &mut Vec<String>, key: &str, expected: &Value, found: &Value) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (name, expected) in expected {
                let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                differences(all, &key, expected, found.get(name).unwrap_or(&Value::Null));
            }
        }
        _ if expected == found => {}
        _ => all.push(format!("{key}: expected {expected}, found {found}")),
    }
}
