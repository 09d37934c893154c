use std::path::Path;

use mahbusa_net::json::fault_of_line;
use serde::{Deserialize, Serialize};

use super::{Book, Header, Part};
use crate::LinesError;
use crate::lines::{Contents, LineFile, VERSION};

/// A file that keeps the parts of a book, one a line after its header, each as soon as it is made.
#[derive(Debug)]
pub struct SaveFile(LineFile);

const KIND: &str = "book";
const FORMAT: u32 = 1;

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
        Head { mahbusa: KIND.to_owned(), format: FORMAT, version: VERSION.to_owned(), book: header.clone() }
    }
}

impl SaveFile {
    /// Opens a file for a book and reads what of it has been made; a new file is begun where there is none. A line that a kill has cut off is dropped.
    ///
    /// # Errors
    /// When it cannot be read or written, is used by another process, or holds something else.
    pub fn open(path: &Path, header: &Header) -> Result<(SaveFile, Book), LinesError> {
        let mut book = Book::new(header.clone());
        Ok((SaveFile(LineFile::open(path, &mut book)?), book))
    }

    /// Writes the next part down.
    ///
    /// # Errors
    /// What the operating system refused.
    pub fn append(&mut self, part: &Part) -> Result<(), LinesError> {
        self.0.append(part)
    }
}

impl Contents for Book {
    const NAME: &'static str = "a book in the making";

    fn head(&self) -> impl Serialize {
        Head::of(&self.header)
    }

    fn begun_otherwise(&self, first: &str) -> Option<String> {
        let found: Head = serde_json::from_str(first).ok()?;
        (found == Head::of(&found.book)).then(|| differences(&found.book, &self.header))
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        self.add(serde_json::from_str(line).map_err(|error| fault_of_line(line, &error))?)
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
