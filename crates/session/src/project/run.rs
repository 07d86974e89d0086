//! A whole project: every function of every file, by worker processes, with an account on disk.
//!
//! A worker reads a file and tests its functions, one at a time, as it is told. Many files are tested side by side, by a
//! worker each; a few by several, the first of which builds what all of them run. A worker that dies, takes too much
//! memory or does not end costs the function it was at, and another takes its place.

use super::journal::Journal;
use super::parts::{Function, Parts};
use super::queue::Queue;
use super::record::Record;
use super::remote::{self, Commission, Crew, Fault};
use super::watch::{self, End, Party};
use super::wire::{Answer, Event, Job, Order};
use crate::output::WriteError;
use crate::request::TestRequest;
use clew_execute::native::Workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What to do with a project.
#[derive(Clone)]
#[expect(missing_debug_implementations, reason = "it holds a queue")]
pub struct Project<'a> {
    /// What is asked of each function; the files are those of its sources.
    pub request: &'a TestRequest,
    /// Where the journal and the suites go.
    pub out: &'a Path,
    /// Whether functions that a limit cut off are left alone.
    pub resume: bool,
    /// How workers are started.
    pub launch: Launch,
    /// How test code is laid out where the functions of a file share it; `None` if each has its own.
    pub code: Option<String>,
    /// Whether this is only a share of the project.
    pub is_share: bool,
    /// What stands for the program of clew, where results are shared with others.
    pub shared_as: Option<String>,
    /// Who tests it, if that is not up to this machine.
    pub commission: Option<Commission<'a>>,
}

/// The command that starts a worker.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it is started; `None` for here.
    pub directory: Option<PathBuf>,
}

/// What happens while a project is tested.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Work on a function begins.
    Begin {
        /// Its file.
        file: &'a str,
        /// Its name.
        function: &'a str,
        /// Functions that are done.
        done: usize,
        /// Functions that are known so far.
        all: usize,
    },
    /// A function is done.
    Done(&'a Record),
    /// The workers of a queue have some trouble.
    Trouble(&'a str),
    /// How far the workers of a queue are.
    Crew {
        /// How many workers there are.
        workers: usize,
        /// Files whose functions are not known yet.
        unread: usize,
        /// Functions that are done.
        done: usize,
        /// Functions that are not.
        open: usize,
        /// What takes longest just now: the worker, the function, and for how many seconds.
        slowest: Option<(&'a str, &'a str, f64)>,
    },
}

/// Who is told of progress, by several threads.
pub type Listener<'l> = &'l (dyn Fn(&Progress<'_>) + Sync);

/// What came of a project.
#[derive(Debug)]
pub struct Finished {
    /// The functions of this run, by file and name; those that were only remembered, too.
    pub records: Vec<Record>,
    /// Functions asked for that no file defines.
    pub missing: Vec<String>,
    /// Functions of this run whose results were made by others.
    pub found: usize,
    /// What else the reader should know.
    pub notes: BTreeSet<String>,
    /// What the workers of a queue did.
    pub crew: Option<Crew>,
    /// Time of the whole.
    pub elapsed: Duration,
}

/// Why a project was not tested.
#[derive(Debug)]
pub enum Error {
    /// The journal cannot be written.
    Journal(WriteError),
    /// There is no place for what is built.
    Workspace(std::io::Error),
    /// The workers of a queue cannot be reached, or their results not written.
    Remote(Fault),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Journal(error) => error.fmt(f),
            Error::Workspace(error) => write!(f, "cannot create a temporary directory: {error}"),
            Error::Remote(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// What is known of the project so far.
struct Account {
    journal: Journal,
    /// The functions of this run, by file and name.
    functions: BTreeSet<(String, String)>,
    /// Hashes of those of them that were tested, not only remembered: to say how many.
    tested: BTreeSet<u64>,
    /// How many of them others had made.
    found: usize,
    notes: BTreeSet<String>,
    failure: Option<WriteError>,
}

/// Tests a project.
///
/// # Errors
/// When the journal cannot be written, or there is no place for what is built.
pub fn run(project: &Project<'_>, listener: Listener<'_>) -> Result<Finished, Error> {
    let start = Instant::now();
    let journal = Journal::open(project.out).map_err(Error::Journal)?;
    let account = Mutex::new(Account {
        journal,
        functions: BTreeSet::new(),
        tested: BTreeSet::new(),
        found: 0,
        notes: BTreeSet::new(),
        failure: None,
    });
    let kept = Workspace::new().map_err(Error::Workspace)?;
    let files = &project.request.sources.files;
    let all = Files { project, listener, account: &account, kept: kept.path(), parts: &Parts::default() };
    let crew = match project.commission {
        Some(commission) => {
            let crew = remote::run(&all, commission).map_err(Error::Remote)?;
            all.each_file(project.request.execution.jobs, |file| all.write_code(file));
            Some(crew)
        }
        None => {
            all.test_all();
            None
        }
    };
    let Account { mut journal, functions, found, notes, failure, .. } =
        account.into_inner().expect("no thread panicked");
    if let Some(error) = failure {
        return Err(Error::Journal(error));
    }
    let is_missing = |name: &&String| !project.is_share && !functions.iter().any(|(_, known)| known == *name);
    let missing = project.request.wanted.functions.iter().filter(is_missing).cloned().collect();
    let records = functions.iter().filter_map(|function| journal.records.remove(function));
    let records = records.map(|record| Record { directory: suite_directory(files, &record), ..record }).collect();
    Ok(Finished { records, missing, found, notes, crew, elapsed: start.elapsed() })
}

/// The directory of a function's suite, from that of the journal.
pub(super) fn suite_directory(files: &[PathBuf], record: &Record) -> String {
    match record.function.as_str() {
        "" => String::new(),
        function => place(record.file.as_ref(), files).join(function).display().to_string(),
    }
}

/// The files of a project and what to do with them.
pub(super) struct Files<'a> {
    pub(super) project: &'a Project<'a>,
    pub(super) listener: Listener<'a>,
    account: &'a Mutex<Account>,
    /// Where workers keep what they build.
    pub(super) kept: &'a Path,
    /// Parts of explorations that any worker may run.
    parts: &'a Parts,
}

impl Files<'_> {
    /// Has all files tested by workers on this machine.
    fn test_all(&self) {
        let (files, jobs) = (&self.project.request.sources.files, self.project.request.execution.jobs);
        let (side_by_side, workers) = if files.len() >= 2 * jobs { (jobs, 1) } else { (1, jobs) };
        let work = |file: &Path| {
            self.test(file, workers);
            self.write_code(file);
        };
        if workers > 1 { files.iter().for_each(|file| work(file)) } else { self.each_file(side_by_side, work) }
    }

    /// Does something for each file, for so many at a time.
    fn each_file(&self, threads: usize, work: impl Fn(&Path) + Sync) {
        let (files, next) = (&self.project.request.sources.files, AtomicUsize::new(0));
        self.side_by_side(threads, |_| {
            while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                work(file);
            }
        });
    }

    /// Does something in some threads, each of which then helps the others as long as they are at it.
    fn side_by_side(&self, threads: usize, work: impl Fn(usize) + Sync) {
        self.parts.begin(threads);
        std::thread::scope(|scope| {
            for number in 0..threads {
                let work = &work;
                scope.spawn(move || {
                    work(number);
                    self.parts.end();
                    while let Some((job, function)) = self.parts.wanting() {
                        self.help(&job, &function);
                    }
                });
            }
        });
    }

    /// Has parts of an exploration run by a worker. If it is lost, others run them.
    fn help(&self, job: &Job, function: &Function) {
        let (worker, seconds) = (self.parts.worker(), self.project.request.budget.seconds());
        let mut helper = Helper { parts: self.parts, function, worker, is_told: false, is_there: false };
        watch::run(&Job { look: false, ..job.clone() }, &self.project.launch, seconds, &mut helper);
        self.parts.leave(worker);
    }

    /// Has the functions of a file tested by some workers.
    fn test(&self, file: &Path, workers: usize) {
        let name = file.display().to_string();
        let job = Job {
            file: file.to_owned(),
            directory: self.project.out.join(place(file, &self.project.request.sources.files)),
            kept: self.kept.to_owned(),
            known: self.known(&name),
            look: self.project.shared_as.is_some(),
            tool: self.project.shared_as.clone().unwrap_or_default(),
            code: None,
        };
        let queue = Queue::default();
        let work = |number| {
            let job = Job { look: job.look && number == 0, ..job.clone() };
            // The first one says what there is to do; the others come if that is enough for them.
            if number == 0 || queue.wait() > number {
                self.work(&job, &name, &queue);
            }
        };
        if workers > 1 { self.side_by_side(workers, work) } else { work(0) }
    }

    /// Has functions tested by a worker, and by another when it is gone, as long as there are some.
    fn work(&self, job: &Job, name: &str, queue: &Queue) {
        let seconds = self.project.request.budget.seconds();
        let mut job = job.clone();
        loop {
            let worker = self.parts.worker();
            let mut party = Local { files: self, name, queue, job: &job, worker };
            let end = watch::run(&job, &self.project.launch, seconds, &mut party);
            self.parts.leave(worker);
            // Those that come later find what is to be done in the queue.
            job.look = false;
            match end {
                End::Lost { open: Some((function, key)), reason } => {
                    self.parts.remove(&(name.to_owned(), function.clone()));
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
    pub(super) fn known(&self, file: &str) -> BTreeMap<String, String> {
        let account = self.account.lock().expect("no thread panicked");
        let of_file = account.journal.records.values().filter(|record| record.file == file);
        let kept = of_file.filter(|record| self.project.resume || !record.is_cut_off());
        // Where files came or went, suites may have their place elsewhere now.
        let files = &self.project.request.sources.files;
        let kept = kept.filter(|it| it.directory.is_empty() || it.directory == suite_directory(files, it));
        kept.map(|record| (record.function.clone(), record.key.clone())).collect()
    }

    fn hear(&self, file: &str, queue: &Queue, event: Event) {
        match event {
            Event::Functions { asked, open } => {
                self.ask(file, asked);
                queue.fill(open.into_iter().map(|(name, _)| name).collect());
            }
            Event::Unreadable(reason) => self.note(Record::failed(file, "", "", reason)),
            Event::Done(record) => {
                self.parts.remove(&(file.to_owned(), record.function.clone()));
                self.note(*record);
            }
            Event::Found(record) => {
                self.account.lock().expect("no thread panicked").found += 1;
                self.note(*record);
            }
            Event::Note(note) => self.tell(note),
            Event::Ready | Event::Code(_) => {}
            Event::Parts(_) | Event::NextPart | Event::Part(_) | Event::Helped => {}
            Event::Begin(function, _) => {
                let account = self.account.lock().expect("no thread panicked");
                let (done, all) = (account.tested.len(), account.functions.len());
                (self.listener)(&Progress::Begin { file, function: &function, done, all });
            }
        }
    }

    /// Takes note of functions that are asked for.
    pub(super) fn ask(&self, file: &str, asked: Vec<String>) {
        let mut account = self.account.lock().expect("no thread panicked");
        account.functions.extend(asked.into_iter().map(|name| (file.to_owned(), name)));
    }

    /// Takes note of what the reader should know.
    pub(super) fn tell(&self, note: String) {
        self.account.lock().expect("no thread panicked").notes.insert(note);
    }

    /// Looks at all records there are.
    pub(super) fn records<T>(&self, look: impl FnOnce(&BTreeMap<(String, String), Record>) -> T) -> T {
        look(&self.account.lock().expect("no thread panicked").journal.records)
    }

    /// Whether the journal has a result for a function with this key.
    pub(super) fn has(&self, file: &str, function: &str, key: &str) -> bool {
        let account = self.account.lock().expect("no thread panicked");
        let record = account.journal.records.get(&(file.to_owned(), function.to_owned()));
        record.is_some_and(|record| record.key == key && !record.is_cut_off())
    }

    /// Puts a result in the journal of which it is not known whether it is asked for.
    pub(super) fn remember(&self, mut record: Record) {
        record.directory = suite_directory(&self.project.request.sources.files, &record);
        let mut account = self.account.lock().expect("no thread panicked");
        if let Err(error) = account.journal.append(record) {
            account.failure.get_or_insert(error);
        }
    }

    /// Puts a result on record.
    pub(super) fn note(&self, mut record: Record) {
        record.directory = suite_directory(&self.project.request.sources.files, &record);
        (self.listener)(&Progress::Done(&record));
        let mut account = self.account.lock().expect("no thread panicked");
        let function = (record.file.clone(), record.function.clone());
        account.tested.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(&function));
        account.functions.insert(function);
        if let Err(error) = account.journal.append(record) {
            account.failure.get_or_insert(error);
        }
    }
}

/// A worker on this machine and where its functions come from.
struct Local<'a> {
    files: &'a Files<'a>,
    name: &'a str,
    queue: &'a Queue,
    job: &'a Job,
    worker: u64,
}

impl Party for Local<'_> {
    fn next(&mut self) -> Option<Order> {
        self.queue.take().map(Order::Test)
    }

    fn parts(&mut self, function: &str, event: &Event) -> Option<Answer> {
        let (parts, function) = (self.files.parts, (self.name.to_owned(), function.to_owned()));
        match event {
            Event::Parts(tasks) => parts.add(self.job, &function, tasks),
            Event::NextPart => return Some(parts.next(&function, self.worker, false)),
            Event::Part(task) => parts.done(&function, *task),
            _ => {}
        }
        None
    }

    fn hear(&mut self, event: Event) {
        self.files.hear(self.name, self.queue, event);
    }
}

/// A worker on this machine that runs parts of an exploration.
struct Helper<'a> {
    parts: &'a Parts,
    function: &'a Function,
    worker: u64,
    /// Whether it was told what to do.
    is_told: bool,
    /// Whether it has come as far as the parts.
    is_there: bool,
}

impl Party for Helper<'_> {
    fn next(&mut self) -> Option<Order> {
        let is_told = std::mem::replace(&mut self.is_told, true);
        (!is_told).then(|| Order::Help(self.function.1.clone()))
    }

    fn parts(&mut self, _: &str, event: &Event) -> Option<Answer> {
        match event {
            Event::NextPart => {
                // Who never comes counts as being on the way, so that none is sent again and again.
                if !std::mem::replace(&mut self.is_there, true) {
                    self.parts.came(self.function);
                }
                return Some(self.parts.next(self.function, self.worker, true));
            }
            Event::Part(task) => self.parts.done(self.function, *task),
            _ => {}
        }
        None
    }

    fn hear(&mut self, _: Event) {}
}

/// The directory of a file's functions: its path below the directory that all files have in common.
pub fn place(file: &Path, all: &[PathBuf]) -> PathBuf {
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
