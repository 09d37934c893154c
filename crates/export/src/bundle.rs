//! A folder with a net for other programs, complete.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mahbusa_net::Evaluator;
use mahbusa_net::files::{NewFolder, check_folder, check_writable, read};
use mahbusa_net::json::fault_of_line;
use mahbusa_players::{Levels, NetSize, OtherNet};

use crate::golden::{self, Differences, Golden};
use crate::manifest::{FileEntry, Manifest, ManifestError};
use crate::{ExportNet, encoding, onnx, safetensors};

/// The file that says what the others are.
const MANIFEST: &str = "manifest.json";

const MODEL: &str = "model.onnx";
const TENSORS: &str = "model.safetensors";
const ENCODING: &str = "encoding.md";
const GOLDEN: &str = "golden.jsonl";
/// The strength levels of a net, in its folder and in its bundle.
pub const LEVELS: &str = "levels.json";
/// What a net is, in words, in its folder and in its bundle.
pub const CARD: &str = "MODEL_CARD.md";

/// All files that a bundle can have.
const FILES: [&str; 7] = [MODEL, TENSORS, ENCODING, GOLDEN, LEVELS, CARD, MANIFEST];

/// Wrong lines of golden positions that are told one by one, and characters of what is told of each.
const MOST_LINES: usize = 10;
const LONGEST_FINDING: usize = 300;

/// By how much a probability or an equity may differ from what is computed again.
pub const TOLERANCE: f32 = 1e-5;
/// The same for logits, which are larger.
const LOGIT_TOLERANCE: f32 = 1e-4;

/// All files of a bundle, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle(BTreeMap<&'static str, Vec<u8>>);

/// A bundle that cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is something already.
    #[error("{} is there already; --force replaces it", .0.display())]
    Occupied(PathBuf),
    /// A file stands where the folder is to be.
    #[error("{}: a bundle is a folder, found a file; choose another name", .0.display())]
    IsFile(PathBuf),
    /// There is something that is no bundle, and must not be lost.
    #[error("{} holds {}, which is no file of a bundle: it is not replaced", folder.display(), file.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What was found there.
        file: PathBuf,
    },
    /// The manifest cannot be used.
    #[error("{}: {source}", path.display())]
    Manifest {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        source: ManifestError,
    },
    /// The levels are not those of the net.
    #[error(transparent)]
    OtherLevels(#[from] OtherNet),
    /// Something cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// What `mahbusa export --verify` found.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// The name of the net.
    pub name: String,
    /// Files with the right hash.
    pub files: usize,
    /// Golden positions that were computed again.
    pub positions: usize,
    /// The largest differences, and how many plays were looked at.
    pub largest: Differences,
    /// What is not as it should be; nothing if all is well.
    pub findings: Vec<String>,
}

impl Bundle {
    /// Makes all files of a net: that takes a few seconds, for the games that golden positions are drawn from, on the threads of the current rayon pool.
    ///
    /// Without a model card a short one is written.
    ///
    /// # Errors
    /// When the levels are those of another net.
    pub fn make(net: &ExportNet, levels: Option<&Levels>, card: Option<String>) -> Result<Bundle, BundleError> {
        let mut files = BTreeMap::new();
        if let Some(levels) = levels {
            levels.check(NetSize::Full, &net.file.hash(), net.file.rules)?;
            files.insert(LEVELS, levels.to_json()?.into_bytes());
        }
        files.insert(MODEL, onnx::model(net));
        files.insert(TENSORS, safetensors::write(net));
        files.insert(ENCODING, encoding::text().into_bytes());
        let mut lines = Vec::new();
        for golden in golden::draw(&net.file) {
            serde_json::to_writer(&mut lines, &golden)?;
            lines.push(b'\n');
        }
        files.insert(GOLDEN, lines);
        files.insert(CARD, card.unwrap_or_else(|| short_card(net)).into_bytes());
        let entries = files.iter().map(|(name, contents)| ((*name).to_owned(), FileEntry::of(contents))).collect();
        files.insert(MANIFEST, Manifest::of(net, entries).to_json()?);
        Ok(Bundle(files))
    }

    /// The files by name, with their contents.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, contents)| (*name, contents.as_slice()))
    }

    /// Writes the folder whole or not at all: beside its place, then renamed. With `replace` a bundle that is there goes; nothing else does.
    ///
    /// # Errors
    /// When there is something already, or what the operating system refused.
    pub fn write(&self, folder: &Path, replace: bool) -> Result<(), BundleError> {
        check_place(folder, replace)?;
        let folder = settled(folder);
        let written = NewFolder::beside(&folder).and_then(|new| {
            self.files().try_for_each(|(name, contents)| new.write(name, contents))?;
            if replace { new.replace() } else { new.put() }
        });
        written.map_err(|source| BundleError::Io { path: folder, source })
    }
}

/// Where a link stands, the bundle goes where it leads.
fn settled(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Refuses a place where [`Bundle::write`] could not put a bundle.
///
/// # Errors
/// When there is something that must not be replaced, or nothing can be written there.
pub fn check_place(folder: &Path, replace: bool) -> Result<(), BundleError> {
    let failed = |source| BundleError::Io { path: folder.to_owned(), source };
    let check_room = || check_writable(&settled(folder)).map_err(failed);
    if !folder.try_exists().map_err(failed)? {
        return check_room();
    }
    if !folder.is_dir() {
        return Err(BundleError::IsFile(folder.to_owned()));
    }
    if !replace {
        return Err(BundleError::Occupied(folder.to_owned()));
    }
    let is_bundle = read(&folder.join(MANIFEST)).is_ok_and(|text| Manifest::from_json(&text).is_ok());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let ours = is_bundle && FILES.iter().any(|file| name == **file) && entry.file_type().map_err(failed)?.is_file();
        if !ours {
            return Err(BundleError::Foreign { folder: folder.to_owned(), file: name.into() });
        }
    }
    check_room()
}

/// Reads a bundle and computes everything in it again: hashes, the ONNX model and the manifest out of the weights, the encoding, all golden positions.
///
/// # Errors
/// When there is no bundle, or a file of it cannot be read. What differs is no error, but a finding.
pub fn verify(folder: &Path) -> Result<Verification, BundleError> {
    check_folder(folder).map_err(|source| BundleError::Io { path: folder.to_owned(), source })?;
    let path = folder.join(MANIFEST);
    let text = read(&path).map_err(|source| BundleError::Io { path: path.clone(), source })?;
    let manifest = Manifest::from_json(&text).map_err(|source| BundleError::Manifest { path, source })?;
    let mut verification = Verification {
        name: manifest.name.clone(),
        files: 0,
        positions: 0,
        largest: Differences::default(),
        findings: Vec::new(),
    };
    let files = read_files(folder, &manifest, &mut verification)?;
    // What is known to be damaged need not be computed again.
    if verification.findings.is_empty() {
        recompute(&manifest, &files, &mut verification);
    }
    Ok(verification)
}

/// All files that the manifest names, and whether they are what it says.
fn read_files(
    folder: &Path,
    manifest: &Manifest,
    verification: &mut Verification,
) -> Result<BTreeMap<&'static str, Vec<u8>>, BundleError> {
    let mut files = BTreeMap::new();
    for name in FILES.into_iter().filter(|name| *name != MANIFEST) {
        let optional = name == LEVELS;
        let Some(entry) = manifest.files.get(name) else {
            if !optional {
                verification.findings.push(format!("{MANIFEST}: {name} is missing in the list of files"));
            }
            continue;
        };
        let path = folder.join(name);
        match read(&path) {
            Ok(contents) if FileEntry::of(&contents) == *entry => {
                verification.files += 1;
                files.insert(name, contents);
            }
            Ok(_) => verification.findings.push(format!("{name}: its hash is not the one of the manifest")),
            Err(source) if source.kind() == io::ErrorKind::NotFound => {
                verification.findings.push(format!("{name}: is not there"));
            }
            Err(source) => return Err(BundleError::Io { path, source }),
        }
    }
    Ok(files)
}

fn recompute(manifest: &Manifest, files: &BTreeMap<&'static str, Vec<u8>>, verification: &mut Verification) {
    let contents = |name: &str| files.get(name).map_or(&[][..], Vec::as_slice);
    let findings = &mut verification.findings;
    let net = match safetensors::read(contents(TENSORS)) {
        Ok(net) => net,
        Err(error) => return findings.push(format!("{TENSORS}: {error}")),
    };
    // Who made it need not be of this version.
    let mut expected = Manifest::of(&net, manifest.files.clone());
    expected.version.clone_from(&manifest.version);
    findings.extend(manifest.differences(&expected).into_iter().map(|difference| format!("{MANIFEST}, {difference}")));
    if contents(MODEL) != onnx::model(&net) {
        findings.push(format!("{MODEL}: expected the graph of the weights in {TENSORS}"));
    }
    if contents(ENCODING) != encoding::text().as_bytes() {
        findings.push(format!("{ENCODING}: expected what this program writes"));
    }
    if let Some(text) = files.get(LEVELS) {
        let checked = std::str::from_utf8(text)
            .map_err(|error| error.to_string())
            .and_then(|text| Levels::from_json(text).map_err(|error| error.to_string()))
            .and_then(|levels| {
                let of_the_net = levels.check(NetSize::Full, &net.file.hash(), net.file.rules);
                of_the_net.map_err(|error| error.to_string())
            });
        if let Err(error) = checked {
            findings.push(format!("{LEVELS}: {error}"));
        }
    }
    let evaluator = Evaluator::new(&net.file.weights);
    let mut wrong = Vec::new();
    for (line, text) in contents(GOLDEN).split(|&byte| byte == b'\n').enumerate().filter(|(_, text)| !text.is_empty()) {
        let line = line + 1;
        let checked = serde_json::from_slice::<Golden>(text)
            .map_err(|error| fault_of_line(text, &error))
            .and_then(|golden| golden.check(&net.file, &evaluator));
        match checked {
            Ok(differences) => {
                verification.positions += 1;
                verification.largest.widen(&differences);
                let Differences { outcomes, equity, logits, .. } = differences;
                // Asked so that what is no number at all does not pass.
                if !(outcomes <= TOLERANCE && equity <= TOLERANCE && logits <= LOGIT_TOLERANCE) {
                    wrong.push(format!(
                        "{GOLDEN}, line {line}: differs by {outcomes:.1e} in outcomes, {equity:.1e} in equity, {logits:.1e} in logits"
                    ));
                }
            }
            Err(error) => {
                // Whole lines of numbers would hide what they say.
                wrong.push(format!("{GOLDEN}, line {line}: {error}").chars().take(LONGEST_FINDING).collect());
            }
        }
    }
    let more = wrong.len().saturating_sub(MOST_LINES);
    findings.extend(wrong.into_iter().take(MOST_LINES));
    if more > 0 {
        findings.push(format!("{GOLDEN}: {more} more lines are wrong"));
    }
    if verification.positions == 0 && findings.is_empty() {
        findings.push(format!("{GOLDEN}: expected positions, found none"));
    }
    let ours = env!("CARGO_PKG_VERSION");
    if !findings.is_empty() && manifest.version != ours {
        findings
            .push(format!("{MANIFEST}: made by version {}, this is {ours}: it may write otherwise", manifest.version));
    }
}

/// What is known of a net that comes without a card.
fn short_card(net: &ExportNet) -> String {
    format!(
        "# {}\n\n{}, as `mahbusa export` has packed it. How strong it is has not been measured here.\n\nLicence: {}\n",
        net.name(),
        net.describe(),
        net.licence
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_net::{NetFile, Shape, Weights};
    use mahbusa_rules::Rules;

    fn bundle() -> Bundle {
        let weights = Weights::random(Shape::of(16), 1);
        let file = NetFile { rules: Rules::MAHBUSA.with_checkers(2).unwrap(), games: 0, weights };
        Bundle::make(&ExportNet { file, licence: "CC0-1.0".to_owned() }, None, None).unwrap()
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("mahbusa-bundle-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_bundle_is_the_same_each_time_and_verifies() {
        assert_eq!(bundle(), bundle());
        let place = folder("sound");
        bundle().write(&place, false).unwrap();
        let found = verify(&place).unwrap();
        assert_eq!(found.findings, Vec::<String>::new());
        assert_eq!(found.files, 5);
        assert!(found.positions > 0 && found.largest.plays > 0);
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn nothing_is_replaced_but_a_bundle_that_may_go() {
        let place = folder("replaced");
        bundle().write(&place, false).unwrap();
        assert!(matches!(bundle().write(&place, false), Err(BundleError::Occupied(_))));
        fs::remove_file(place.join(CARD)).unwrap();
        bundle().write(&place, true).unwrap();
        assert!(place.join(CARD).exists());
        fs::write(place.join("mine.txt"), "precious").unwrap();
        assert!(matches!(bundle().write(&place, true), Err(BundleError::Foreign { .. })));
        assert!(place.join("mine.txt").exists());
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn what_is_consistent_and_still_wrong_is_found() {
        // Hashes that fit do not make a file right.
        let place = folder("wrong");
        for (name, from, to, says) in [
            (MODEL, "points", "pointz", "model.onnx: expected the graph of the weights"),
            (ENCODING, "0 to 335", "0 to 336", "encoding.md: expected what this program writes"),
            (GOLDEN, "\"outcomes\":[0.", "\"outcomes\":[0.9", "golden.jsonl, line 1: differs by"),
            (GOLDEN, "\"case\"", "\"base\"", "golden.jsonl, line 1: unknown field `base`"),
            (TENSORS, "pin-1", "pin-2", "model.safetensors: damaged: metadata, encoding"),
            (TENSORS, "CC0-1.0", "CC1-1.0", "manifest.json, licence: expected \"CC1-1.0\", found \"CC0-1.0\""),
        ] {
            let mut bundle = bundle();
            let contents = bundle.0.get_mut(name).unwrap();
            let at = contents.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
            contents.splice(at..at + from.len(), to.bytes());
            let mut manifest = Manifest::from_json(&bundle.0[MANIFEST]).unwrap();
            manifest.files.insert(name.to_owned(), FileEntry::of(&bundle.0[name]));
            bundle.0.insert(MANIFEST, manifest.to_json().unwrap());
            bundle.write(&place, true).unwrap();
            let found = verify(&place).unwrap();
            assert!(found.findings.iter().any(|finding| finding.starts_with(says)), "{name}: {:?}", found.findings);
        }
        fs::remove_dir_all(place).unwrap();
    }
}
