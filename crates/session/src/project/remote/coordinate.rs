//! The coordinator: it puts files into the queue, and results into the journal.
//!
//! It keeps which functions have no result yet, and nothing else of them: reading files, and cutting them into orders, is up
//! to the workers. A function with an error is given to another worker once, for the error may be the machine's. When the
//! coordinator is killed, the same command goes on: the journal knows what is done, and results that came meanwhile wait
//! in the queue.

use super::serve::MOST_FUNCTIONS;
use super::{Crew, Exchange, Fault, Named, News, Order, Pulse, Report, unique};
use crate::hash;
use crate::project::parcel::Parcel;
use crate::project::record::Record;
use crate::project::run::{Files, Progress, suite_directory};
use crate::project::shard::base;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for reports before looking at workers.
const LISTEN: Duration = Duration::from_millis(200);
/// How long reports of an earlier start may take to arrive.
const CATCH_UP: Duration = Duration::from_millis(500);
/// A worker that was silent for so long does not count as being there.
const SILENCE: Duration = Duration::from_secs(10);
/// Seconds of an earlier run after which a function is an order of its own.
const LONG: f64 = 1.0;
/// After so long without a report, the queue is asked whether it still has the orders.
const LOST_AFTER: Duration = Duration::from_secs(5);

/// Where a project is tested when others do it.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it holds a queue")]
pub struct Commission<'a> {
    /// The queue.
    pub exchange: &'a dyn Exchange,
    /// The program of clew that workers must have.
    pub tool: &'a str,
    /// The arguments of the command, without those about the queue.
    pub words: &'a [String],
    /// How long functions took in an earlier run, the longest first: file without folders, name, seconds.
    pub durations: &'a [((String, String), f64)],
}

/// What is known of a run.
struct State<'a> {
    files: &'a Files<'a>,
    commission: Commission<'a>,
    run: String,
    start: String,
    at: PathBuf,
    /// Files whose functions are not known yet.
    unread: BTreeSet<String>,
    /// Functions without a result, by file.
    open: BTreeSet<(String, Named)>,
    /// Functions and files that failed once.
    failed: BTreeSet<(String, String)>,
    /// Functions whose results came in this run, by hashes: there may be very many.
    done: BTreeSet<[u8; 16]>,
    crew: Crew,
    heard: BTreeMap<String, (Pulse, Instant)>,
    /// When the queue was last seen to hold something, or gave a report.
    lively: Instant,
}

/// Has the files of a project tested by the workers of a queue.
pub(in crate::project) fn run(files: &Files<'_>, commission: Commission<'_>) -> Result<Crew, Fault> {
    let at = std::env::current_dir().map_err(|error| Fault(format!("no current directory: {error}")))?;
    let out = std::fs::canonicalize(files.project.out).unwrap_or_else(|_| files.project.out.to_owned());
    let identity = format!("{}\n{:?}\n{}\n{}", commission.tool, commission.words, at.display(), out.display());
    let run = hash::sha256(identity.as_bytes())[..16].to_owned();
    let mut state = State {
        files,
        commission,
        run,
        start: unique(),
        at,
        unread: BTreeSet::new(),
        open: BTreeSet::new(),
        failed: BTreeSet::new(),
        done: BTreeSet::new(),
        crew: Crew::default(),
        heard: BTreeMap::new(),
        lively: Instant::now(),
    };
    state.commission.exchange.withdraw(&state.run)?;
    state.listen(CATCH_UP)?;
    state.unread = files.project.request.sources.files.iter().map(|file| file.display().to_string()).collect();
    state.order_all()?;
    while !state.is_over() {
        state.listen(LISTEN)?;
        state.look();
        state.replace_lost()?;
    }
    state.commission.exchange.forget(&state.run)?;
    Ok(state.crew)
}

/// Stands for a function of a file with its key.
fn identity((file, Named { name, key }): &(String, Named)) -> [u8; 16] {
    let digest = Sha256::digest(format!("{file}\n{name}\n{key}"));
    std::array::from_fn(|at| digest[at])
}

impl State<'_> {
    fn is_over(&self) -> bool {
        self.unread.is_empty() && self.open.is_empty()
    }

    /// An order for a file, or for functions of it.
    fn order(&self, file: &Path, functions: Option<Vec<Named>>, avoid: Option<String>) -> Order {
        let name = file.display().to_string();
        let content = std::fs::read(file).unwrap_or_default();
        Order {
            run: self.run.clone(),
            start: self.start.clone(),
            tool: self.commission.tool.to_owned(),
            at: self.at.clone(),
            words: self.commission.words.to_vec(),
            seconds: self.files.project.request.budget.seconds(),
            file: file.to_owned(),
            source: hash::sha256(&content),
            known: if functions.is_none() { self.files.known(&name) } else { BTreeMap::new() },
            long: if functions.is_none() {
                self.long(file).map(|(name, _)| name.to_owned()).collect()
            } else {
                Vec::new()
            },
            functions,
            avoid,
            declined: 0,
            help: None,
        }
    }

    /// The functions of a file that are known to take long, the longest first.
    fn long(&self, file: &Path) -> impl Iterator<Item = (&str, f64)> {
        let base = base(file);
        let durations = self.commission.durations.iter().take_while(|(_, seconds)| *seconds >= LONG);
        durations.filter(move |((of, _), _)| *of == base).map(|((_, name), seconds)| (name.as_str(), *seconds))
    }

    /// Puts all into the queue that is to be done.
    fn order_all(&self) -> Result<(), Fault> {
        // What takes longest begins first (Graham, 1969).
        let mut files: Vec<&PathBuf> = self.files.project.request.sources.files.iter().collect();
        let longest = |file: &PathBuf| self.long(file).next().map_or(0.0, |(_, seconds)| seconds);
        files.sort_by(|one, other| longest(other).total_cmp(&longest(one)));
        for file in files {
            if self.unread.contains(&file.display().to_string()) {
                self.submit(self.order(file, None, None))?;
            }
        }
        let mut open: BTreeMap<&str, Vec<Named>> = BTreeMap::new();
        self.open.iter().for_each(|(file, named)| open.entry(file).or_default().push(named.clone()));
        open.into_iter().try_for_each(|(file, functions)| {
            let some = functions.chunks(MOST_FUNCTIONS);
            some.into_iter().try_for_each(|some| self.submit(self.order(Path::new(file), Some(some.to_vec()), None)))
        })
    }

    /// Puts orders into the queue again when it has none, though there is something to be done: a server may have lost
    /// what it kept.
    fn replace_lost(&mut self) -> Result<(), Fault> {
        if self.is_over() || self.lively.elapsed() < LOST_AFTER {
            return Ok(());
        }
        if self.commission.exchange.orders(&self.run) == Some(0) {
            self.trouble("the queue lost orders, which were given to it again".to_owned());
            self.start = unique();
            self.order_all()?;
        }
        self.lively = Instant::now();
        Ok(())
    }

    fn submit(&self, order: Order) -> Result<(), Fault> {
        let content = serde_json::to_vec(&order).expect("an order is made of strings and numbers");
        self.commission.exchange.submit(&self.run, &order.id(), &content)
    }

    /// Takes in the reports that come in time.
    fn listen(&mut self, wait: Duration) -> Result<(), Fault> {
        for lease in self.commission.exchange.reports(&self.run, wait)? {
            self.lively = Instant::now();
            if let Some((report, parcel)) = Report::read(lease.content()) {
                self.hear(report, parcel)?;
            }
            // Only now may it be forgotten: the journal has it.
            lease.done()?;
        }
        Ok(())
    }

    fn hear(&mut self, report: Report, parcel: &[u8]) -> Result<(), Fault> {
        let Report { worker, file, news } = report;
        match news {
            News::Functions { asked, open } => {
                if self.unread.remove(&file) {
                    self.files.ask(&file, asked);
                    let open = open.into_iter().map(|named| (file.clone(), named));
                    self.open.extend(open.filter(|function| !self.done.contains(&identity(function))));
                }
            }
            News::Done => {
                if let Some(parcel) = Parcel::read(parcel) {
                    self.result(&worker, &file, parcel)?;
                }
            }
            News::TakenOver => self.crew.taken_over += 1,
            News::Note(note) => self.files.tell(note),
        }
        Ok(())
    }

    fn result(&mut self, worker: &str, file: &str, mut parcel: Parcel) -> Result<(), Fault> {
        let record = &parcel.record;
        let named = Named { name: record.function.clone(), key: record.key.clone() };
        let function = (file.to_owned(), named);
        let is_file = record.function.is_empty();
        let is_unread = self.unread.contains(file);
        let is_asked_for = if is_file { is_unread } else { self.open.contains(&function) };
        // A result of an earlier start saves testing the function, if that is what the file turns out to ask for.
        let is_early = !is_asked_for && !is_file && (is_unread || self.is_over());
        let is_error = record.stop == "error";
        let is_useless = is_error || self.files.has(file, &record.function, &record.key);
        if self.done.contains(&identity(&function)) || !is_asked_for && (!is_early || is_useless) {
            self.crew.repeated += 1;
            return Ok(());
        }
        if is_error && self.failed.insert((file.to_owned(), record.function.clone())) {
            return self.retry(worker, file, &parcel.record);
        }
        if !is_file && !self.unpack(file, &mut parcel)? {
            return Ok(());
        }
        let share = self.crew.workers.entry(worker.to_owned()).or_default();
        share.functions += usize::from(!is_file);
        share.seconds += parcel.record.seconds;
        self.open.remove(&function);
        if is_file {
            self.unread.remove(file);
        } else {
            self.done.insert(identity(&function));
        }
        if is_early {
            self.files.remember(parcel.record);
        } else {
            self.files.note(parcel.record);
        }
        Ok(())
    }

    /// Writes the suite of a function; `false` if the project has no such file.
    fn unpack(&self, file: &str, parcel: &mut Parcel) -> Result<bool, Fault> {
        let files = &self.files.project.request.sources.files;
        let Some(source) = files.iter().find(|known| known.as_os_str() == file) else { return Ok(false) };
        let directory = self.files.project.out.join(suite_directory(files, &parcel.record));
        if parcel.files.is_empty() {
            return Ok(true);
        }
        // A path can only lead from a directory that is there. The journal must not know of a suite that is not: where it
        // cannot be written, the report stays in the queue.
        let failed = |error: String| Fault(error);
        std::fs::create_dir_all(&directory).map_err(|error| failed(format!("{}: {error}", directory.display())))?;
        parcel.move_to(&directory, &std::fs::canonicalize(source).unwrap_or_else(|_| source.clone()));
        parcel.unpack(&directory).map_err(|error| failed(error.to_string()))?;
        Ok(true)
    }

    /// Has another worker try what failed.
    fn retry(&mut self, worker: &str, file: &str, record: &Record) -> Result<(), Fault> {
        let why = format!("{worker}: {}", record.reason.as_deref().unwrap_or("unknown reason"));
        self.crew.retried.push((file.to_owned(), record.function.clone(), why));
        let named = Named { name: record.function.clone(), key: record.key.clone() };
        let functions = if record.function.is_empty() { None } else { Some(vec![named]) };
        self.submit(self.order(Path::new(file), functions, Some(worker.to_owned())))
    }

    /// Takes note of a trouble, and tells it once.
    fn trouble(&mut self, trouble: String) {
        if self.crew.troubles.insert(trouble.clone()) {
            (self.files.listener)(&Progress::Trouble(&trouble));
        }
    }

    /// Takes note of the workers, and tells how far things are.
    fn look(&mut self) {
        for pulse in self.commission.exchange.pulses() {
            if pulse.tool != self.commission.tool {
                let note = format!("worker {} is left out: it is clew {}", pulse.worker, pulse.tool);
                self.trouble(format!("{note}, and this is {}", self.commission.tool));
                continue;
            }
            if let Some(trouble) = &pulse.trouble {
                self.trouble(format!("worker {} takes no work for a while: {trouble}", pulse.worker));
            }
            self.heard.insert(pulse.worker.clone(), (pulse, Instant::now()));
        }
        self.heard.retain(|_, (_, when)| when.elapsed() < SILENCE);
        let at = self.heard.values().flat_map(|(pulse, _)| pulse.at.iter().map(move |at| (&pulse.worker, at)));
        let slowest = at.max_by(|(_, one), (_, other)| one.1.total_cmp(&other.1));
        let slowest = slowest.map(|(worker, (function, seconds))| (worker.as_str(), function.as_str(), *seconds));
        let progress = Progress::Crew {
            workers: self.heard.len(),
            unread: self.unread.len(),
            done: self.done.len(),
            open: self.open.len(),
            slowest,
        };
        (self.files.listener)(&progress);
    }
}
