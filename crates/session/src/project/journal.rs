//! The journal of a project: records in the order they came, one line each, appended at once.
//!
//! A run that is killed leaves at worst half a last line, which reading skips and the next writing ends. The first line
//! carries the mark of generated files.

use super::record::{Json, Record};
use crate::output::{MARK, WriteError};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the journal in its directory.
pub const FILE: &str = "project.jsonl";

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Arc<File>,
    /// The length of the file.
    end: u64,
    /// The last record of each function, by file and name; the summaries stay in the file.
    pub records: BTreeMap<(String, String), Record>,
}

impl Journal {
    /// Opens the journal of a directory, or begins one.
    ///
    /// # Errors
    ///
    /// When the file is not ours or the system refuses.
    pub fn open(directory: &Path) -> Result<Journal, WriteError> {
        let path = directory.join(FILE);
        let failed = |error| WriteError::Io(path.clone(), error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        if text.is_empty() {
            text.extend(head().into_bytes());
            file.write_all(&text).map_err(failed)?;
        } else if !is_ours(&text) {
            return Err(WriteError::NotOurs(path));
        } else if !text.ends_with(b"\n") {
            writeln!(file).map_err(failed)?;
            text.push(b'\n');
        }
        let mut journal = Journal { path, file: Arc::new(file), end: 0, records: BTreeMap::new() };
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            journal.take_in(serde_json::from_slice(line).ok(), line.len());
        }
        Ok(journal)
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn append(&mut self, record: Record) -> Result<(), WriteError> {
        let line = line(&record);
        (&*self.file).write_all(line.as_bytes()).map_err(|error| WriteError::Io(self.path.clone(), error))?;
        self.take_in(Some(record), line.len());
        Ok(())
    }

    /// Remembers the record, if it is one, that is the next line of the file.
    fn take_in(&mut self, record: Option<Record>, length: usize) {
        if let Some(mut record) = record {
            record.summary = Json::in_line(&self.file, self.end, length);
            self.records.insert((record.file.clone(), record.function.clone()), record);
        }
        self.end += length as u64;
    }
}

/// The last record of each function, by file and name.
fn records_of(text: &str) -> BTreeMap<(String, String), Record> {
    let records = text.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok());
    records.map(|record| ((record.file.clone(), record.function.clone()), record)).collect()
}

/// Whether the first line carries the mark.
fn is_ours(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).contains(MARK)
}

/// The first line of a journal.
fn head() -> String {
    format!("{{\"generator\":\"{MARK} {}\"}}\n", env!("CARGO_PKG_VERSION"))
}

fn line(record: &Record) -> String {
    serde_json::to_string(record).expect("a record is made of strings and numbers") + "\n"
}

/// The records of a finished run, by file and name; nothing is written.
///
/// # Errors
///
/// When there is no journal, or the file is not ours.
pub fn read(directory: &Path) -> Result<Vec<Record>, WriteError> {
    let path = directory.join(FILE);
    let text = std::fs::read(&path).map_err(|error| WriteError::Io(path.clone(), error))?;
    if !is_ours(&text) {
        return Err(WriteError::NotOurs(path));
    }
    Ok(records_of(&String::from_utf8_lossy(&text)).into_values().collect())
}

/// Writes the journal of a directory anew.
///
/// # Errors
///
/// When there is a file in its place that is not ours, or the system refuses.
pub fn write(directory: &Path, records: &[Record]) -> Result<(), WriteError> {
    let text: String = std::iter::once(head()).chain(records.iter().map(line)).collect();
    crate::output::write(&directory.join(FILE), text)
}

#[cfg(test)]
mod tests {
    use super::Journal;
    use crate::project::record::Record;

    #[test]
    fn half_a_line_is_skipped_and_ended() {
        let directory = std::env::temp_dir().join(format!("clew-journal-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("project.jsonl");
        let record = |name: &str| Record::failed("a.c", name, "key", "none".to_owned());
        Journal::open(&directory).unwrap().append(record("f")).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{{\"file\":\"a.c\",\"func")).unwrap();
        let mut journal = Journal::open(&directory).unwrap();
        assert_eq!(journal.records.len(), 1);
        journal.append(record("g")).unwrap();
        assert_eq!(Journal::open(&directory).unwrap().records.len(), 2);
        std::fs::write(&path, "mine\n").unwrap();
        assert!(Journal::open(&directory).is_err());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
