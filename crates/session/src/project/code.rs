//! The test code of a whole file, which its functions share: written by a worker when all of them are tested.
//!
//! A stamp beside it tells what it was written from; it is written again when that changes.

use super::record::Record;
use super::run::{Files, place, suite_directory};
use super::watch::{self, Party};
use super::wire::{Answer, Event, Job, Order};
use super::worker::Red;
use crate::output::{self, MARK};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The name of the stamp.
const STAMP: &str = "code.json";

/// What a reason begins with that is about test code.
const NOT_PASSING: &str = "its test code does not pass: ";

/// What the test code of a file was written from, and what is wrong with it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    generator: String,
    key: String,
    red: Red,
}

/// Waits for a worker that writes code.
#[derive(Default)]
struct Waiting {
    red: Option<Red>,
    reason: Option<String>,
}

impl Party for Waiting {
    fn next(&mut self) -> Option<Order> {
        None
    }

    fn parts(&mut self, _: &str, _: &Event) -> Option<Answer> {
        None
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Code(red) => self.red = Some(red),
            Event::Unreadable(reason) => self.reason = Some(reason),
            _ => {}
        }
    }
}

impl Files<'_> {
    /// Has the test code of a file written, unless it is there or each function has its own.
    pub(super) fn write_code(&self, file: &Path) {
        let Some(layout) = &self.project.code else { return };
        let files = &self.project.request.sources.files;
        let directory = self.project.out.join(place(file, files));
        let records = self.with_tests(file);
        if records.is_empty() {
            return;
        }
        let key = key(layout, &records, &directory);
        let known = fs::read(directory.join(STAMP)).ok();
        let known = known.and_then(|text| serde_json::from_slice::<Stamp>(&text).ok());
        let red = match known.filter(|stamp| stamp.key == key) {
            Some(stamp) => stamp.red,
            None => {
                let red = self.have_written(file, &directory, &records);
                let stamp = Stamp { generator: format!("{MARK} {}", env!("CARGO_PKG_VERSION")), key, red };
                let text = serde_json::to_string(&stamp).expect("a stamp is made of strings") + "\n";
                // Without it the code is written again the next time.
                let _ = output::write(&directory.join(STAMP), text);
                stamp.red
            }
        };
        records.into_iter().for_each(|record| self.judge(record, &red));
    }

    /// The functions of a file that have tests.
    fn with_tests(&self, file: &Path) -> Vec<Record> {
        let (name, files) = (file.display().to_string(), &self.project.request.sources.files);
        let is_here = |record: &&Record| {
            let has_code = record.tests > 0 || !record.findings.is_empty();
            record.file == name && has_code && record.directory == suite_directory(files, record)
        };
        self.records(|records| records.values().filter(is_here).cloned().collect())
    }

    fn have_written(&self, file: &Path, directory: &Path, records: &[Record]) -> Red {
        let job = Job {
            file: file.to_owned(),
            directory: directory.to_owned(),
            kept: self.kept.to_owned(),
            known: BTreeMap::new(),
            look: false,
            tool: String::new(),
            code: Some(records.iter().map(|record| record.function.clone()).collect()),
        };
        let mut waiting = Waiting::default();
        let end = watch::run(&job, &self.project.launch, self.project.request.budget.seconds(), &mut waiting);
        let reason = match end {
            watch::End::Lost { reason, .. } => reason,
            watch::End::Done => waiting.reason.unwrap_or_else(|| "it was not written".to_owned()),
        };
        let all = || records.iter().map(|record| (record.function.clone(), reason.clone())).collect();
        waiting.red.unwrap_or_else(all)
    }

    /// Puts on record whether the test code of a function passes.
    fn judge(&self, record: Record, red: &Red) {
        let red = red.get(&record.function).cloned();
        if record.red == red {
            return;
        }
        let other = record.reason.clone().filter(|reason| !reason.starts_with(NOT_PASSING));
        let reason = red.as_ref().map(|what| format!("{NOT_PASSING}{what}")).or(other);
        self.remember(Record { red, reason, ..record });
    }
}

/// What code is written from.
fn key(layout: &str, records: &[Record], directory: &Path) -> String {
    let mut hash = Sha256::new();
    hash.update(layout);
    for record in records {
        hash.update(format!("\n{} {}\n", record.function, record.key));
        hash.update(fs::read(directory.join(&record.function).join("tests.json")).unwrap_or_default());
    }
    crate::hash::hex(&hash.finalize())
}
