//! The run-time image of a JDK, `lib/modules`: a table of resources, read by offsets.
//!
//! The file has a header, a perfect hash over resource names, their attributes, a table of strings, and then the contents. All
//! attributes are read once and indexed by class name; the hash is not needed. Compressed contents, which only images made
//! by `jlink --compress` have, are refused.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u32 = 0xcafe_dada;
const HEADER_BYTES: u64 = 28;

/// Kinds of attributes of a location; 0 ends the list.
const PARENT: usize = 2;
const BASE: usize = 3;
const EXTENSION: usize = 4;
const OFFSET: usize = 5;
const COMPRESSED: usize = 6;
const UNCOMPRESSED: usize = 7;

/// An open image.
#[derive(Debug)]
pub(crate) struct Image {
    file: File,
    /// Where the contents begin.
    contents: u64,
    /// Where each class lies in the contents, and its bytes.
    classes: BTreeMap<String, (u64, u64)>,
}

impl Image {
    /// Opens an image and reads its index.
    ///
    /// # Errors
    /// If the file cannot be read or is no image.
    pub(crate) fn open(path: &Path) -> io::Result<Image> {
        let file = File::open(path)?;
        let mut header = [0; HEADER_BYTES as usize];
        file.read_exact_at(&mut header, 0)?;
        if word(&header, 0) != MAGIC {
            return Err(invalid("no run-time image of this byte order"));
        }
        let [slots, location_bytes, string_bytes] = [16, 20, 24].map(|at| u64::from(word(&header, at)));
        let contents = HEADER_BYTES + 8 * slots + location_bytes + string_bytes;
        if contents > file.metadata()?.len() {
            return Err(invalid("the index is larger than the file"));
        }
        let mut index = vec![0; (contents - HEADER_BYTES) as usize];
        file.read_exact_at(&mut index, HEADER_BYTES)?;
        let (offsets, rest) = index[(4 * slots) as usize..].split_at((4 * slots) as usize);
        let (locations, strings) = rest.split_at(location_bytes as usize);
        let attributes = (0..slots as usize).filter_map(|slot| locations.get(word(offsets, 4 * slot) as usize..));
        let classes = attributes.filter_map(|bytes| class(bytes, strings)).collect();
        Ok(Image { file, contents, classes })
    }

    /// The class file of an internal name.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(&(offset, size)) = self.classes.get(name) else { return Ok(None) };
        let mut bytes = vec![0; size as usize];
        self.file.read_exact_at(&mut bytes, self.contents + offset)?;
        Ok(Some(bytes))
    }
}

/// A class among the locations: its name, and where it lies.
fn class(location: &[u8], strings: &[u8]) -> Option<(String, (u64, u64))> {
    let values = attributes(location)?;
    let text = |kind: usize| {
        let rest = strings.get(values[kind] as usize..)?;
        std::str::from_utf8(rest.split(|byte| *byte == 0).next()?).ok()
    };
    if text(EXTENSION)? != "class" || values[COMPRESSED] != 0 {
        return None;
    }
    let (parent, base) = (text(PARENT)?, text(BASE)?);
    let name = if parent.is_empty() { base.to_owned() } else { format!("{parent}/{base}") };
    Some((name, (values[OFFSET], values[UNCOMPRESSED])))
}

/// The attributes of a location, by kind.
fn attributes(mut bytes: &[u8]) -> Option<[u64; 8]> {
    let mut values = [0; 8];
    loop {
        let (&first, rest) = bytes.split_first()?;
        let (kind, length) = (usize::from(first >> 3), usize::from(first & 7) + 1);
        if kind == 0 {
            return Some(values);
        }
        let number = rest.get(..length)?;
        *values.get_mut(kind)? = number.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        bytes = &rest[length..];
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
