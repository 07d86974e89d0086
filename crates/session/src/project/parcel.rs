//! A result as one piece of bytes that can be kept or sent: the record and the files of the suite.
//!
//! First one line of JSON, then the contents of the files one after the other. Who takes a parcel in checks that it is
//! whole, that its files stay in their directory, and that they are files of clew.

use super::merge::copy;
use super::record::Record;
use crate::output;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A result with the files of its suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Parcel {
    /// What came of the function.
    pub record: Record,
    /// Paths from the directory of the suite, and contents.
    pub files: Vec<(String, Vec<u8>)>,
}

/// The line before the contents.
#[derive(Serialize, Deserialize)]
struct Head {
    record: Record,
    /// Paths and sizes.
    files: Vec<(String, usize)>,
}

impl Parcel {
    /// A result with files of its directory; `None` if one lies elsewhere or cannot be read.
    pub fn pack(record: &Record, directory: &Path, paths: &[PathBuf]) -> Option<Parcel> {
        let file = |path: &PathBuf| {
            let below = path.strip_prefix(directory).ok()?.to_str()?;
            Some((below.to_owned(), fs::read(path).ok()?))
        };
        Some(Parcel { record: record.clone(), files: paths.iter().map(file).collect::<Option<_>>()? })
    }

    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let sizes = self.files.iter().map(|(path, content)| (path.clone(), content.len())).collect();
        let head = Head { record: self.record.clone(), files: sizes };
        let mut out = serde_json::to_vec(&head).expect("a record is made of strings and numbers");
        out.push(b'\n');
        self.files.iter().for_each(|(_, content)| out.extend(content));
        out
    }

    /// The parcel that some bytes are; `None` if they are not a whole one.
    pub fn read(bytes: &[u8]) -> Option<Parcel> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let Head { record, files } = serde_json::from_slice(&bytes[..end]).ok()?;
        let mut rest = &bytes[end + 1..];
        let mut contents = Vec::new();
        for (path, size) in files {
            let (content, behind) = rest.split_at_checked(size)?;
            rest = behind;
            if !stays_below(Path::new(&path)) || !output::is_ours(content) {
                return None;
            }
            contents.push((path, content.to_vec()));
        }
        rest.is_empty().then_some(Parcel { record, files: contents })
    }

    /// Writes the files to a directory.
    ///
    /// # Errors
    /// When a file in the way is not ours or the system refuses.
    pub fn unpack(&self, directory: &Path) -> Result<(), output::WriteError> {
        for (path, content) in &self.files {
            let path = directory.join(path);
            let folder = path.parent().unwrap_or(directory);
            fs::create_dir_all(folder).map_err(|error| output::WriteError::Io(folder.to_owned(), error))?;
            output::write(&path, content)?;
        }
        Ok(())
    }

    /// Makes the parcel one of another directory: test code there names the source file by another path.
    pub fn move_to(&mut self, directory: &Path, source: &Path) {
        if self.record.source.is_empty() {
            return;
        }
        let named = output::named_from(directory, source);
        for (path, content) in self.files.iter_mut().filter(|(path, _)| copy::is_code(Path::new(path))) {
            let below = Path::new(path).components().count() - 1;
            let from_below = |name: &str| match name.starts_with('/') {
                true => name.to_owned(),
                false => format!("{}{name}", "../".repeat(below)),
            };
            *content = copy::renamed(std::mem::take(content), &from_below(&self.record.source), &from_below(&named));
        }
        self.record.source = named;
    }
}

/// Whether a path stays in the directory it starts from.
fn stays_below(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::{Parcel, stays_below};
    use crate::output::MARK;
    use crate::project::record::Record;
    use std::path::Path;

    fn parcel(path: &str, content: &str) -> Parcel {
        let record = Record::failed("a.c", "f", "key", String::new());
        Parcel { record, files: vec![(path.to_owned(), content.into())] }
    }

    #[test]
    fn only_whole_parcels_of_our_files_are_taken() {
        let whole = parcel("plain/test_f.c", &format!("/* {MARK} */"));
        let bytes = whole.bytes();
        assert_eq!(Parcel::read(&bytes), Some(whole));
        assert_eq!(Parcel::read(&bytes[..bytes.len() - 1]), None, "cut short");
        assert_eq!(Parcel::read(&[&bytes[..], b"x"].concat()), None, "too long");
        assert_eq!(Parcel::read(&parcel("../f.c", &format!("/* {MARK} */")).bytes()), None, "outside");
        assert_eq!(Parcel::read(&parcel("f.c", "int x;").bytes()), None, "not ours");
        assert_eq!(Parcel::read(b"nothing"), None);
    }

    #[test]
    fn moved_code_names_the_source_from_its_new_place() {
        let text = |name: &str| format!("/* {MARK} */\n#include \"{name}\"\n");
        let mut moved = parcel("plain/test_f.c", &text("../../a.c"));
        moved.record.source = "../a.c".to_owned();
        moved.move_to(Path::new("/nowhere/p/out/deep"), Path::new("/nowhere/p/a.c"));
        assert_eq!(moved.record.source, "../../a.c");
        assert_eq!(moved.files[0].1, text("../../../a.c").into_bytes());
    }

    #[test]
    fn files_stay_in_their_directory() {
        assert!(stays_below(Path::new("plain/test_f.c")));
        assert!(["../x", "/x", "", "a/../../x"].iter().all(|path| !stays_below(Path::new(path))));
    }
}
