//! `clew merge`: what several runs made, as one project.

use super::test::{WrittenProject, conclude};
use crate::cli::MergeArguments;
use crate::status::Status;
use crate::terminal::{Paint, Terminal};
use clew_report::project::code_directories;
use clew_session::output::{self, WriteError};
use clew_session::project::merge::{self, Doubt, Input, Joined, Part, copy};
use clew_session::project::{journal, record::Record};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Doubts shown of each kind.
const MOST_SHOWN: usize = 20;

pub(super) fn run(arguments: &MergeArguments, terminal: Terminal) -> Result<Status, Status> {
    let start = Instant::now();
    let out = arguments.out.as_path();
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    if let Some(same) = arguments.inputs.iter().find(|input| is_same(input, out)) {
        let same = same.display();
        return Err(refuse(format!("{same} is an input and cannot be the output, too; choose another directory")));
    }
    let inputs = arguments.inputs.iter().map(|input| merge::read(input)).collect::<Result<Vec<Input>, String>>();
    let joined = merge::join(&inputs.map_err(refuse)?);
    let written = std::fs::create_dir_all(out).map_err(|error| WriteError::Io(out.to_owned(), error));
    let records = written.and_then(|()| write(&joined, out)).map_err(|error| refuse(error.to_string()))?;
    tell(&joined, terminal);
    let project = WrittenProject {
        records: &records,
        elapsed: start.elapsed(),
        out,
        shard: None,
        crew: None,
        denies_findings: false,
    };
    let status = conclude(&project, arguments.summary, terminal)?;
    let is_missing = |record: &&Record| record.tests > 0 && code_directories(&[*record], out).is_empty();
    let missing = records.iter().filter(is_missing).count();
    if missing > 0 {
        let (note, out) = (terminal.paint(Paint::Yellow, "note:"), out.display());
        terminal.say(&format!(
            "{note} files share the test code of {missing} functions, which is not joined; `clew test --resume -o {out}` with \
             the sources writes it"
        ));
    }
    let has = |is: fn(&Doubt) -> bool| joined.doubts.iter().any(is);
    Ok(match status {
        _ if has(|doubt| matches!(doubt, Doubt::Contradiction { .. })) => Status::Internal,
        Status::Fine if has(|doubt| matches!(doubt, Doubt::Missing { .. } | Doubt::Plans)) => Status::Limit,
        status => status,
    })
}

fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| std::fs::canonicalize(path).ok();
    whole(one).is_some_and(|one| Some(one) == whole(other))
}

/// Copies suites and writes the journal; gives the records as they are there.
fn write(joined: &Joined, out: &Path) -> Result<Vec<Record>, WriteError> {
    let mut folders: BTreeMap<&str, Vec<&Part>> = BTreeMap::new();
    for part in joined.parts.iter().filter(|part| !part.record.directory.is_empty() && part.origin.is_dir()) {
        folders.entry(&part.record.directory).or_default().push(part);
    }
    for (folder, parts) in folders {
        let sources = copy::sources(parts.iter().map(|part| &part.record));
        copy::suite(&parts[0].origin, &out.join(folder), &sources)?;
    }
    let mut records: Vec<Record> = joined.parts.iter().map(|part| part.record.clone()).collect();
    for record in records.iter_mut().filter(|record| !record.source.is_empty()) {
        if let Ok(file) = std::fs::canonicalize(&record.file) {
            record.source = output::named_from(&out.join(&record.directory), &file);
        }
    }
    journal::write(out, &records)?;
    Ok(records)
}

/// Says what the reader should know.
fn tell(joined: &Joined, terminal: Terminal) {
    for doubt in joined.doubts.iter().take(MOST_SHOWN) {
        terminal.say(&format!("{} {doubt}", terminal.paint(Paint::Yellow, "note:")));
    }
    if joined.doubts.len() > MOST_SHOWN {
        terminal.say(&format!("and {} more notes of this kind", joined.doubts.len() - MOST_SHOWN));
    }
    if joined.repeated > 0 {
        terminal.say(&format!("{} results were there several times; the best of each counts", joined.repeated));
    }
}
