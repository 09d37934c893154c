//! Arrays as NumPy reads them: each a file of format `.npy` version 1.0, all in one zip archive, not compressed.

use std::io::{self, Write};

/// A number that arrays are made of.
pub(super) trait Number: Copy {
    /// Its type, as NumPy writes it.
    const TYPE: &'static str;
    /// Little-endian.
    fn bytes(self) -> impl IntoIterator<Item = u8>;
}

/// An archive in the making.
pub(super) struct Npz<W> {
    out: W,
    written: usize,
    /// What stands at the end of the archive: one entry a file.
    directory: Vec<u8>,
    files: u16,
}

/// What all entries say: version 2.0 of the format is needed to read them, no flags, not compressed, 1980-01-01 as every date.
const COMMON: [u8; 10] = [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];

impl<W: Write> Npz<W> {
    pub fn new(out: W) -> Npz<W> {
        Npz { out, written: 0, directory: Vec::new(), files: 0 }
    }

    /// Adds an array of this shape.
    pub fn array<T: Number>(&mut self, name: &str, shape: &[usize], numbers: &[T]) -> io::Result<()> {
        let axes: String = shape.iter().map(|axis| format!("{axis}, ")).collect();
        let mut bytes = header(T::TYPE, &axes);
        bytes.extend(numbers.iter().flat_map(|&number| number.bytes()));
        self.file(name, &bytes)
    }

    /// Adds a text.
    pub fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        let mut bytes = header(&format!("|S{}", text.len()), "");
        bytes.extend(text.bytes());
        self.file(name, &bytes)
    }

    fn file(&mut self, name: &str, contents: &[u8]) -> io::Result<()> {
        let name = format!("{name}.npy");
        let mut entry = COMMON.to_vec();
        entry.extend(crc32fast::hash(contents).to_le_bytes());
        let length = small(contents.len())?.to_le_bytes();
        entry.extend([length, length].concat());
        entry.extend((name.len() as u16).to_le_bytes());
        // No extra field.
        entry.extend([0; 2]);
        let place = small(self.written)?.to_le_bytes();
        self.write(&[b"PK\x03\x04", entry.as_slice(), name.as_bytes()].concat())?;
        self.write(contents)?;
        // Made by version 2.0; no comment, no attributes.
        self.directory.extend([b"PK\x01\x02\x14\x00", entry.as_slice(), &[0; 10], &place, name.as_bytes()].concat());
        self.files += 1;
        Ok(())
    }

    /// Writes the end of the archive.
    pub fn finish(mut self) -> io::Result<()> {
        let files = self.files.to_le_bytes();
        let (length, place) = (small(self.directory.len())?.to_le_bytes(), small(self.written)?.to_le_bytes());
        let end = [b"PK\x05\x06\0\0\0\0", &files[..], &files, &length, &place, &[0; 2]].concat();
        let directory = std::mem::take(&mut self.directory);
        self.write(&directory)?;
        self.write(&end)?;
        self.out.flush()
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len();
        self.out.write_all(bytes)
    }
}

/// What comes before the numbers of an array.
fn header(dtype: &str, axes: &str) -> Vec<u8> {
    let mut text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({}), }}", axes.trim_end());
    const BEFORE: usize = 10;
    let length = (BEFORE + text.len() + 1).next_multiple_of(64) - BEFORE;
    text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
    text.push('\n');
    [b"\x93NUMPY\x01\x00", &(length as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

/// A length or place that the archive can hold.
fn small(length: usize) -> io::Result<u32> {
    u32::try_from(length)
        .map_err(|_| io::Error::other("an .npz file holds at most 4 GiB: expected fewer games, or the format jsonl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_what_the_formats_say() {
        let mut bytes = Vec::new();
        let mut npz = Npz::new(&mut bytes);
        npz.array("ab", &[2, 1], &[1i8, -1]).unwrap();
        npz.text("t", "hi").unwrap();
        npz.finish().unwrap();
        let text = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 1,), }";
        let mut file = [b"\x93NUMPY\x01\x00\x76\x00".to_vec(), text.as_bytes().to_vec()].concat();
        file.resize(127, b' ');
        file.extend(b"\n\x01\xff");
        assert_eq!(bytes[..4], *b"PK\x03\x04");
        assert_eq!(bytes[14..18], crc32fast::hash(&file).to_le_bytes());
        assert_eq!(bytes[18..30], [130, 0, 0, 0, 130, 0, 0, 0, 6, 0, 0, 0]);
        assert_eq!(bytes[30..36], *b"ab.npy");
        assert_eq!(bytes[36..166], file);
        let end = bytes.len() - 22;
        assert_eq!(bytes[end..end + 12], *b"PK\x05\x06\0\0\0\0\x02\0\x02\0");
        let directory = u32::from_le_bytes(bytes[end + 16..end + 20].try_into().unwrap()) as usize;
        assert_eq!(bytes[directory..directory + 4], *b"PK\x01\x02");
        assert_eq!(end - directory, 2 * 46 + 6 + 5);
    }
}
