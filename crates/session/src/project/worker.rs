//! A process that tests functions of one file, one after the other: it reads the file once, survives panics, and ends when
//! there is nothing more to do or it has too much memory.

use super::cache::{Cache, Wanted};
use super::changed::{self, Changes};
use super::key::Keys;
use super::record::{Finding, Record};
use super::shard::Shard;
use super::statements;
use super::wire::{Answer, Event, Job, Order, part_file};
use crate::finding::{self, Cause};
use crate::function::parts::{Parts, Task};
use crate::function::{Natives, Optimised, Outcome, Replayed};
use crate::request::TestRequest;
use crate::suite::{self, Suite};
use crate::summary::FunctionSummary;
use crate::test::{self, Tested};
use crate::{given, output, select, suite::shortened};
use clew_execute::blobs::Shelf;
use clew_execute::usage::ProcessorTime;
use clew_frontend::{Build, Diagnostic, Loaded, Severity};
use clew_ir::{FunctionId, Program, Unit};
use clew_search::resident;
use clew_symbolic::Precondition;
use clew_symbolic::ending::PathEnd;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Memory that a worker may keep between functions, beyond what it began with; then it makes way for another.
const MOST_KEPT: u64 = 1 << 30;
/// Characters of an input in a record; the suite has it whole.
const MOST_INPUT: usize = 1_000;
/// Results looked for side by side.
const LOOK_SIDE_BY_SIDE: usize = 8;
/// Time between two questions whether a part can be run.
const ASK_EVERY: Duration = Duration::from_millis(20);
/// Stack of a thread that tests functions.
const STACK_BYTES: usize = 1 << 28;

/// Writes what came of a function to its directory; gives what is wrong with the test code there, if anything.
pub type WriteSuite<'w> = &'w (dyn Fn(&Loaded, &Suite, &Tested<'_>, &Path) -> Result<Option<String>, String> + Sync);

/// What is wrong with the test code of functions, by their names.
pub type Red = BTreeMap<String, String>;

/// Writes the test code of some functions of a file, from what is in their directories below the one given.
pub type WriteCode<'w> = &'w (dyn Fn(&Loaded, &[String], &Path) -> Result<Red, String> + Sync);

/// What a worker is to do besides its job.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct Worker<'a> {
    /// What is asked of each function.
    pub request: &'a TestRequest,
    /// Only functions that changed since this revision of git.
    pub changed_since: Option<&'a str>,
    /// Only functions of this share.
    pub shard: Option<&'a Shard>,
    /// Where results and libraries are shared with others.
    pub shelf: Option<&'a Shelf>,
    /// Writes suites.
    pub write: WriteSuite<'a>,
    /// Writes the test code of a file where its functions share it.
    pub code: WriteCode<'a>,
}

/// Reads a job from standard input and does it; `None` if there is none.
pub fn run(worker: &Worker<'_>) -> Option<()> {
    let job: Job = order().and_then(|line| serde_json::from_str(&line).ok())?;
    match load(&job, worker.request) {
        Err(reason) => say(&Event::Unreadable(reason)),
        Ok(loaded) => match &job.code {
            Some(functions) => write_code(&job, &loaded, functions, worker),
            None => test_all(&job, loaded, worker),
        },
    }
    Some(())
}

/// The next line of standard input.
fn order() -> Option<String> {
    let mut line = String::new();
    let length = std::io::stdin().read_line(&mut line).ok()?;
    (length > 0).then(|| line.trim_end().to_owned())
}

/// Sends an event. When the listener is gone, there is nothing left to do.
#[expect(clippy::disallowed_methods, reason = "a worker without a listener ends wherever it is")]
fn say(event: &Event) {
    let text = serde_json::to_string(event).expect("an event is made of strings and numbers") + "\n";
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn load(job: &Job, request: &TestRequest) -> Result<Loaded, String> {
    let mut options = request.sources.clone();
    options.files = vec![job.file.clone()];
    let first = |diagnostics: &[Diagnostic]| {
        let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        error.map_or_else(|| "it cannot be read".to_owned(), |diagnostic| diagnostic.message.clone())
    };
    let loaded = catch_unwind(AssertUnwindSafe(|| clew_frontend::load(&options))).map_err(reason_of_panic)?;
    let loaded = loaded.map_err(|error| first(&error.diagnostics()))?;
    if loaded.has_errors() { Err(first(&loaded.diagnostics)) } else { Ok(loaded) }
}

/// Writes the test code of functions that were tested.
fn write_code(job: &Job, loaded: &Loaded, functions: &[String], worker: &Worker<'_>) {
    let written = catch_unwind(AssertUnwindSafe(|| (worker.code)(loaded, functions, &job.directory)));
    let written = written.unwrap_or_else(|panic| Err(format!("a mistake in clew: {}", reason_of_panic(panic))));
    // What keeps all of it from being written is wrong with each function.
    let red = written.unwrap_or_else(|reason| functions.iter().map(|name| (name.clone(), reason.clone())).collect());
    say(&Event::Code(red));
}

fn test_all(job: &Job, mut loaded: Loaded, worker: &Worker<'_>) {
    let request = worker.request;
    let built = match chosen(job, &loaded, worker) {
        Ok(functions) => functions,
        Err(reason) => return say(&Event::Unreadable(reason)),
    };
    // All shares of a file run the same library.
    let functions = own_share(job, &loaded.program, &built, worker);
    let options = format!("{} {}", request.key(), clew_policy::settings(crate::policy::TABLES));
    let keys = Keys::new(&loaded.program, &options);
    let name = |id: &FunctionId| loaded.program.functions[*id].name.clone();
    let is_open = |id: &&FunctionId| {
        // The key of a function knows nothing of a precondition that only `clew.toml` names.
        let is_known = job.known.get(&name(id)) == Some(&keys.of(**id));
        !is_known || request.settings.of(&name(id)).precondition.is_some()
    };
    let mut open: Vec<FunctionId> = functions.iter().filter(is_open).copied().collect();
    let cache = worker.shelf.and_then(|shelf| Cache::new(shelf, &job.tool, &loaded, request));
    let bench = Bench { job, loaded: &loaded, keys: &keys, worker, cache };
    let found = if job.look { bench.found(&mut open) } else { Vec::new() };
    let with_key = |id: &FunctionId| (name(id), keys.of(*id));
    say(&Event::Functions { asked: functions.iter().map(name).collect(), open: open.iter().map(with_key).collect() });
    found.into_iter().for_each(|record| say(&Event::Found(Box::new(record))));
    let cache = bench.cache;
    let by_name: BTreeMap<String, FunctionId> = functions.iter().map(|id| (name(id), *id)).collect();
    let preconditions: BTreeMap<FunctionId, Option<Precondition>> =
        functions.iter().map(|&id| (id, test::precondition(&mut loaded, id, request).ok())).collect();
    let again = Some(request.execution.optimised).filter(|asked| *asked == Optimised::Always).unwrap_or_default();
    let natives = test::natives(&loaded, &built, request).also_optimised(again).kept_in(&job.kept);
    let natives = natives.shared_on(worker.shelf);
    let bench = Bench { job, loaded: &loaded, keys: &keys, worker, cache };
    let most = resident::bytes() + MOST_KEPT;
    let work = || {
        while resident::bytes() <= most {
            say(&Event::Ready);
            let Some(order) = order().and_then(|line| serde_json::from_str::<Order>(&line).ok()) else { return };
            let Some(&function) = by_name.get(order.function()) else { return };
            match order {
                Order::Test(_) => bench.function(function, preconditions[&function].as_ref(), &natives),
                Order::Help(_) => bench.help(function, preconditions[&function].as_ref(), &natives),
            }
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, work).expect("the system has memory left");
    });
    worker.shelf.into_iter().flat_map(Shelf::notes).for_each(|note| say(&Event::Note(note)));
}

/// Those of some functions that belong to the worker's share.
fn own_share(job: &Job, program: &Program, functions: &[FunctionId], worker: &Worker<'_>) -> Vec<FunctionId> {
    let holds =
        |id: &&FunctionId| worker.shard.is_none_or(|shard| shard.holds(&job.file, &program.functions[**id].name));
    functions.iter().filter(holds).copied().collect()
}

/// The functions the file defines, those asked for.
fn chosen(job: &Job, loaded: &Loaded, worker: &Worker<'_>) -> Result<Vec<FunctionId>, String> {
    let (program, asked) = (&loaded.program, &worker.request.wanted.functions);
    let mut functions = select::own_functions(program, std::slice::from_ref(&job.file));
    if !asked.is_empty() {
        functions.retain(|id| asked.contains(&program.functions[*id].name));
    }
    if let Some(revision) = worker.changed_since {
        let changes = changed::since(revision, &job.file, &included(loaded))?;
        functions.retain(|id| touched(program, *id, &changes));
    }
    Ok(functions)
}

/// The files that the units of a program are made of.
fn included(loaded: &Loaded) -> Vec<PathBuf> {
    let files = |(unit, build): (&Unit, &Option<Build>)| {
        let directory = build.as_ref().and_then(|build| build.directory.clone()).unwrap_or_default();
        unit.files.iter().map(|file| directory.join(file)).collect::<Vec<_>>()
    };
    loaded.program.sources.units.values().zip(&loaded.builds).flat_map(files).collect()
}

fn touched(program: &Program, function: FunctionId, changes: &Changes) -> bool {
    let span = program.functions[function].span;
    let last = clew_ir::Span { start: span.end.saturating_sub(1), ..span };
    changes.touch(suite::line(program, span), suite::line(program, last))
}

/// Parts of the exploration of a function that workers share.
#[derive(Debug)]
struct Common<'a> {
    job: &'a Job,
    function: &'a str,
}

impl Parts for Common<'_> {
    fn add(&self, tasks: &[Task]) {
        say(&Event::Parts(tasks.to_vec()));
    }

    fn next(&self) -> Option<(usize, Task)> {
        loop {
            say(&Event::NextPart);
            match serde_json::from_str(&order()?).ok()? {
                Answer::Run(number, task) => return Some((number, task)),
                Answer::Wait => std::thread::sleep(ASK_EVERY),
                Answer::Over => return None,
            }
        }
    }

    /// What cannot be written is run again by the worker that needs it.
    fn put(&self, task: usize, found: &[u8]) {
        let file = part_file(self.job, self.function, task);
        let aside = file.with_extension(std::process::id().to_string());
        if std::fs::write(&aside, found).is_err() || std::fs::rename(&aside, &file).is_err() {
            let _ = std::fs::remove_file(&aside);
        }
        say(&Event::Part(task));
    }

    fn get(&self, task: usize) -> Option<Vec<u8>> {
        let file = part_file(self.job, self.function, task);
        let found = std::fs::read(&file).ok();
        let _ = std::fs::remove_file(&file);
        found
    }
}

/// What testing a function of the file needs.
struct Bench<'a> {
    job: &'a Job,
    loaded: &'a Loaded,
    keys: &'a Keys,
    worker: &'a Worker<'a>,
    cache: Option<Cache>,
}

impl Bench<'_> {
    /// Tests a function, writes its suite and says what came of it.
    fn function(&self, function: FunctionId, precondition: Option<&Precondition>, natives: &Natives<'_>) {
        let program = &self.loaded.program;
        let (name, key) = (program.functions[function].name.clone(), self.keys.of(function));
        say(&Event::Begin(name.clone(), key.clone()));
        let (start, used) = (Instant::now(), ProcessorTime::now());
        let file = self.job.file.display().to_string();
        let work = || catch_unwind(AssertUnwindSafe(|| self.suite(function, precondition, natives)));
        let (tested, written) = output::written(work);
        let mut record = match tested {
            Ok(Ok((tested, red))) => {
                let record = self.record(&tested, &file, &key);
                let reason = red.as_ref().map(|red| format!("its test code does not pass: {red}"));
                Record { reason: reason.or(record.reason), red, ..record }
            }
            Ok(Err(reason)) => Record::failed(&file, &name, &key, reason),
            Err(panic) => Record::failed(&file, &name, &key, format!("a mistake in clew: {}", reason_of_panic(panic))),
        };
        let span = program.functions[function].span;
        record.line = suite::line(program, span);
        record.statements = statements::count(program.sources.text(span));
        record.seconds = start.elapsed().as_secs_f64();
        record.cpu_seconds = ProcessorTime::now().since(used).total().as_secs_f64();
        self.place(&mut record, function);
        if let Some(cache) = self.shared(function) {
            self.ask(function, |wanted| cache.put(&cache.name(wanted), &record, wanted.directory, &written));
        }
        say(&Event::Done(Box::new(record)));
    }

    /// Runs parts of an exploration of which another worker began.
    fn help(&self, function: FunctionId, precondition: Option<&Precondition>, natives: &Natives<'_>) {
        let program = &self.loaded.program;
        let name = &program.functions[function].name;
        if let Some(precondition) = precondition {
            let parts = Common { job: self.job, function: name };
            let request = self.worker.request;
            let bench = test::Bench { program, natives, request, earlier: None, parts: Some(&parts) };
            // If it fails, so will the worker that tests the function, and says so.
            let _ = catch_unwind(AssertUnwindSafe(|| bench.help(function, precondition.clone())));
        }
        say(&Event::Helped);
    }

    /// Notes where the suite and the source are.
    fn place(&self, record: &mut Record, function: FunctionId) {
        let unit = self.loaded.program.functions[function].span.unit;
        if let Some(build) = self.loaded.builds.get(unit.index()).and_then(Option::as_ref) {
            let path = build.directory.as_ref().map_or_else(|| build.file.clone(), |it| it.join(&build.file));
            let path = std::fs::canonicalize(&path).unwrap_or(path);
            record.source = output::named_from(&self.directory(function), &path);
        }
    }

    /// Where the suite of a function goes.
    fn directory(&self, function: FunctionId) -> PathBuf {
        self.job.directory.join(&self.loaded.program.functions[function].name)
    }

    /// Where results of a function are shared, if they are.
    fn shared(&self, function: FunctionId) -> Option<&Cache> {
        let request = self.worker.request;
        let name = &self.loaded.program.functions[function].name;
        let is_named = request.inputs.precondition.is_some() || request.settings.of(name).precondition.is_some();
        self.cache.as_ref().filter(|_| !is_named)
    }

    /// Says what the result of a function is shared by.
    fn ask<T>(&self, function: FunctionId, then: impl FnOnce(&Wanted<'_>) -> T) -> T {
        let program = &self.loaded.program;
        let (key, directory) = (self.keys.of(function), self.directory(function));
        let reached = self.keys.reached(function).into_iter();
        let lines: Vec<u32> = reached.map(|id| suite::line(program, program.functions[id].span)).collect();
        let name = &program.functions[function].name;
        then(&Wanted { file: &self.job.file, function: name, key: &key, lines: &lines, directory: &directory })
    }

    /// Results that others have made; their functions are no longer open.
    fn found(&self, open: &mut Vec<FunctionId>) -> Vec<Record> {
        let next = AtomicUsize::new(0);
        let found = Mutex::new(BTreeMap::new());
        let look = || {
            while let Some(&function) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(cache) = self.shared(function) else { continue };
                let record = self.ask(function, |wanted| cache.get(&cache.name(wanted), wanted));
                if let Some(record) = record {
                    found.lock().unwrap_or_else(PoisonError::into_inner).insert(function, record);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..LOOK_SIDE_BY_SIDE.min(open.len()) {
                scope.spawn(look);
            }
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        open.retain(|function| !found.contains_key(function));
        found.into_values().collect()
    }

    fn suite<'n>(
        &'n self,
        function: FunctionId,
        precondition: Option<&Precondition>,
        natives: &Natives<'n>,
    ) -> Result<(Tested<'n>, Option<String>), String> {
        let precondition = precondition.ok_or("a domain or precondition given for it does not fit")?.clone();
        let out = self.directory(function);
        std::fs::create_dir_all(&out).map_err(|error| format!("cannot create {}: {error}", out.display()))?;
        let mut suite = Suite::new(Vec::new());
        let earlier = given::read(&out).ok();
        let (program, request) = (&self.loaded.program, self.worker.request);
        let parts = Common { job: self.job, function: &program.functions[function].name };
        let bench = test::Bench { program, natives, request, earlier: earlier.as_ref(), parts: Some(&parts) };
        let tested = bench.test(function, precondition, &out, &mut suite, &mut |_| {});
        let tested = tested.map_err(|refused| refused.to_string())?;
        let red = (self.worker.write)(self.loaded, &suite, &tested, &out)?;
        Ok((tested, red))
    }

    fn record(&self, tested: &Tested<'_>, file: &str, key: &str) -> Record {
        let program = &self.loaded.program;
        let name = &program.functions[tested.function].name;
        let summary = serde_json::to_value(FunctionSummary::of(program, tested));
        let summary = summary.expect("a summary is made of strings and numbers").into();
        match &tested.result {
            Err(error) => {
                let reason = error.to_string().lines().take(4).collect::<Vec<_>>().join("; ");
                Record { summary, ..Record::failed(file, name, key, reason) }
            }
            Ok(outcome) => Record {
                tests: outcome.tests.len(),
                usable: outcome.tests.iter().filter(|test| test.is_usable()).count(),
                diverged: outcome.tests.iter().filter(|test| test.divergence.is_some()).count(),
                stop: suite::stop(outcome).to_owned(),
                reason: reason(outcome),
                findings: findings(program, tested.function, outcome),
                summary,
                ..Record::failed(file, name, key, String::new())
            },
        }
    }
}

/// Why there is less than there might be: nothing could be executed, or a test diverged.
fn reason(outcome: &Outcome<'_>) -> Option<String> {
    if let Some(divergence) = outcome.tests.iter().find_map(|test| test.divergence.as_ref()) {
        return Some(format!("a test diverged {divergence}"));
    }
    if outcome.tests.iter().any(Replayed::is_usable) {
        return None;
    }
    if let Some(PathEnd::Failed(failure)) = outcome.tests.first().map(|test| &test.explored.end) {
        return Some(format!("every path found is undefined: {}", failure.what));
    }
    if let Some(reason) = outcome.not_executed.first() {
        return Some(format!("an input could not be executed: {reason}"));
    }
    match outcome.unsupported.first() {
        Some((PathEnd::Unsupported { what, .. }, _)) => Some(format!("{what} is not supported")),
        _ => Some("no path was found".to_owned()),
    }
}

fn findings(program: &Program, tested: FunctionId, outcome: &Outcome<'_>) -> Vec<Finding> {
    let finding = |cause: &Cause<'_>| {
        let replayed = cause.first;
        let failure = &replayed.finding.failure;
        let lines = cause.others.iter().map(|other| suite::line(program, other.finding.failure.span));
        let place = program.sources.locate(failure.span);
        Finding {
            what: failure.what.clone(),
            file: place.as_ref().map_or_else(String::new, |place| place.file.clone()),
            line: place.as_ref().map_or(0, |place| place.line),
            column: place.map_or(0, |place| place.column),
            text: suite::source(program, failure.span),
            input: shortened(&suite::describe_input(program, tested, &replayed.finding.input), MOST_INPUT),
            native: replayed.observation.as_ref().map(suite::ending),
            kind: replayed.worth.kind,
            confirmed: replayed.worth.confirmed,
            requires: replayed.worth.requires.clone(),
            also: lines.collect::<BTreeSet<_>>().into_iter().collect(),
        }
    };
    finding::causes(&outcome.findings).iter().map(finding).collect()
}

fn reason_of_panic(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("unknown reason").to_owned()
}
