//! `clew test` for a whole project: every function of every file, by worker processes, with an account on disk.
//!
//! A worker reads a file and tests its functions, one at a time, as it is told. Many files are tested side by side, by a
//! worker each; a few by several, the first of which builds what all of them run. A worker that dies, takes too much
//! memory or does not end costs the function it was at, and another takes its place.

mod queue;
mod summary;
mod watch;
mod wire;
pub(in crate::commands) mod worker;

use crate::cli::TestArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew::emit::WriteError;
use clew::project::journal::Journal;
use clew::project::record::Record;
use clew_execute::native::Workspace;
use clew_frontend::compilation;
use queue::Queue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use watch::End;
use wire::{Event, Job};

/// Memory of a worker beyond which exploring stops and keeps what it found.
pub(super) const MOST_EXPLORED: u64 = 3 << 29;

/// Memory that a worker may keep between functions, beyond what it began with; then it makes way for another.
const MOST_KEPT: u64 = 1 << 30;

/// What is known of the project so far.
struct Account {
    journal: Journal,
    /// The functions of this run, by file and name.
    functions: BTreeSet<(String, String)>,
    /// Those of them that were tested, not only remembered.
    tested: BTreeSet<(String, String)>,
    failure: Option<WriteError>,
}

/// Tests a project.
pub(super) fn run(arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let start = Instant::now();
    let files = files(arguments, terminal)?;
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let out = &arguments.out;
    super::write::create(out, terminal)?;
    let journal = Journal::open(out).map_err(|error| refuse(error.to_string()))?;
    let account = Mutex::new(Account { journal, functions: BTreeSet::new(), tested: BTreeSet::new(), failure: None });
    let kept = Workspace::new().map_err(|error| refuse(format!("cannot create a temporary directory: {error}")))?;
    let jobs = arguments.jobs();
    let (side_by_side, workers) = if files.len() >= 2 * jobs { (jobs, 1) } else { (1, jobs) };
    let project = Files { arguments, terminal, account: &account, all: &files, kept: kept.path() };
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    project.test(file, workers);
                }
            });
        }
    });
    terminal.progress("");
    let account = account.into_inner().expect("no thread panicked");
    if let Some(error) = account.failure {
        return Err(refuse(error.to_string()));
    }
    let is_missing = |name: &&String| !account.functions.iter().any(|(_, known)| known == *name);
    for name in arguments.function.iter().filter(is_missing).filter(|_| arguments.changed_since.is_none()) {
        terminal.error(&format!("no file that could be read defines a function `{name}`"));
    }
    if account.functions.is_empty() && !arguments.function.is_empty() && arguments.changed_since.is_none() {
        // What is known of other functions stays.
        return Err(Status::BadInput);
    }
    let records = account.functions.iter().filter_map(|function| account.journal.records.get(function)).collect();
    summary::finish(records, start.elapsed(), arguments, terminal)
}

/// The files named, or all of the database.
fn files(arguments: &TestArguments, terminal: Terminal) -> Result<Vec<PathBuf>, Status> {
    let source = &arguments.source;
    if !source.files.is_empty() {
        return Ok(source.files.clone());
    }
    let database = source.database.as_deref().unwrap_or(Path::new("."));
    let files = compilation::read(database).map(|database| database.files()).map_err(|error| {
        terminal.diagnostics(&error.diagnostics(), &clew_ir::Sources::default());
        Status::BadInput
    })?;
    if files.is_empty() {
        terminal.error("the database names no file");
        return Err(Status::BadInput);
    }
    Ok(files)
}

/// The files of a project and what to do with them.
struct Files<'a> {
    arguments: &'a TestArguments,
    terminal: Terminal,
    account: &'a Mutex<Account>,
    all: &'a [PathBuf],
    /// Where workers keep what they build.
    kept: &'a Path,
}

impl Files<'_> {
    /// Has the functions of a file tested by some workers.
    fn test(&self, file: &Path, workers: usize) {
        let name = file.display().to_string();
        let job = Job {
            file: file.to_owned(),
            directory: self.arguments.out.join(place(file, self.all)),
            kept: self.kept.to_owned(),
            known: self.known(&name),
        };
        let queue = Queue::default();
        std::thread::scope(|scope| {
            for number in 0..workers {
                let (job, name, queue) = (&job, &name, &queue);
                scope.spawn(move || {
                    // The first one says what there is to do; the others come if that is enough for them.
                    if number == 0 || queue.wait() > number {
                        self.work(job, name, queue);
                    }
                });
            }
        });
    }

    /// Has functions tested by a worker, and by another when it is gone, as long as there are some.
    fn work(&self, job: &Job, name: &str, queue: &Queue) {
        loop {
            let mut hear = |event| self.hear(name, queue, event);
            match watch::run(job, self.arguments.seconds(), &mut || queue.take(), &mut hear) {
                End::Lost { open: Some((function, key)), reason } => {
                    self.note(Record::failed(name, &function, &key, reason));
                }
                End::Lost { open: None, reason } => {
                    self.note(Record::failed(name, "", "", reason));
                    return queue.fill(Vec::new());
                }
                End::Done if queue.is_empty() => return queue.fill(Vec::new()),
                End::Done => {}
            }
        }
    }

    /// The keys of functions that need not be tested again.
    fn known(&self, file: &str) -> BTreeMap<String, String> {
        let account = self.account.lock().expect("no thread panicked");
        let of_file = account.journal.records.values().filter(|record| record.file == file);
        let kept = of_file.filter(|record| self.arguments.resume || !record.is_cut_off());
        kept.map(|record| (record.function.clone(), record.key.clone())).collect()
    }

    fn hear(&self, file: &str, queue: &Queue, event: Event) {
        match event {
            Event::Functions { asked, open } => {
                let mut account = self.account.lock().expect("no thread panicked");
                account.functions.extend(asked.into_iter().map(|name| (file.to_owned(), name)));
                queue.fill(open);
            }
            Event::Unreadable(reason) => self.note(Record::failed(file, "", "", reason)),
            Event::Done(record) => self.note(*record),
            Event::Ready => {}
            Event::Begin(name, _) => {
                let account = self.account.lock().expect("no thread panicked");
                let (done, all) = (account.tested.len(), account.functions.len());
                self.terminal.progress(&format!("{done} of {all} functions; {file}: {name}"));
            }
        }
    }

    /// Puts a result on record.
    fn note(&self, record: Record) {
        let mut account = self.account.lock().expect("no thread panicked");
        let function = (record.file.clone(), record.function.clone());
        account.functions.insert(function.clone());
        account.tested.insert(function);
        if let Err(error) = account.journal.append(record) {
            account.failure.get_or_insert(error);
        }
    }
}

/// The directory of a file's functions: its path below the directory that all files have in common.
fn place(file: &Path, all: &[PathBuf]) -> PathBuf {
    let folders = |file: &Path| -> Vec<String> {
        let parts = file.parent().into_iter().flat_map(Path::components);
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let own = folders(file);
    let common = all.iter().map(|other| folders(other).iter().zip(&own).take_while(|(a, b)| a == b).count()).min();
    let rest = own.iter().skip(common.unwrap_or(0)).filter(|part| *part != "/" && *part != "..");
    let mut place: PathBuf = rest.collect();
    place.push(file.file_name().unwrap_or_default());
    place
}

#[cfg(test)]
mod tests {
    use super::place;
    use std::path::{Path, PathBuf};

    #[test]
    fn files_have_places_of_their_own() {
        let all: Vec<PathBuf> = ["/p/src/a.c", "/p/src/b/a.c", "/p/src/b/c.c"].map(PathBuf::from).into();
        let places: Vec<PathBuf> = all.iter().map(|file| place(file, &all)).collect();
        assert_eq!(places, [Path::new("a.c"), Path::new("b/a.c"), Path::new("b/c.c")]);
        assert_eq!(place(Path::new("x/a.c"), &[PathBuf::from("x/a.c")]), Path::new("a.c"));
    }
}
