//! A process that tests functions of one file, one after the other: it reads the file once, survives panics, and ends when
//! there is nothing more to do or it has too much memory.

use super::changed::{self, Changes};
use super::key::Keys;
use super::record::{Finding, Record};
use super::statements;
use super::wire::{Event, Job};
use crate::finding::{self, Cause};
use crate::function::{Natives, Optimised, Outcome, Replayed};
use crate::request::TestRequest;
use crate::suite::{self, Suite};
use crate::summary::FunctionSummary;
use crate::test::{self, Tested};
use crate::{select, suite::shortened};
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
use std::time::Instant;

/// Memory that a worker may keep between functions, beyond what it began with; then it makes way for another.
const MOST_KEPT: u64 = 1 << 30;
/// Characters of an input in a record; the suite has it whole.
const MOST_INPUT: usize = 1_000;
/// Stack of a thread that tests functions.
const STACK_BYTES: usize = 1 << 28;

/// Writes what came of a function to its directory; gives what is wrong with the test code there, if anything.
pub type WriteSuite<'w> = &'w (dyn Fn(&Loaded, &Suite, &Tested<'_>, &Path) -> Result<Option<String>, String> + Sync);

/// What a worker is to do besides its job.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct Worker<'a> {
    /// What is asked of each function.
    pub request: &'a TestRequest,
    /// Only functions that changed since this revision of git.
    pub changed_since: Option<&'a str>,
    /// Writes suites.
    pub write: WriteSuite<'a>,
}

/// Reads a job from standard input and does it; `None` if there is none.
pub fn run(worker: &Worker<'_>) -> Option<()> {
    let job: Job = order().and_then(|line| serde_json::from_str(&line).ok())?;
    match load(&job, worker.request) {
        Err(reason) => say(&Event::Unreadable(reason)),
        Ok(loaded) => test_all(&job, loaded, worker),
    }
    Some(())
}

/// The next line of standard input.
fn order() -> Option<String> {
    let mut line = String::new();
    let length = std::io::stdin().read_line(&mut line).ok()?;
    (length > 0).then(|| line.trim_end().to_owned())
}

/// Sends an event. When nobody listens any more, there is nothing left to do.
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

fn test_all(job: &Job, mut loaded: Loaded, worker: &Worker<'_>) {
    let request = worker.request;
    let functions = match chosen(job, &loaded, worker) {
        Ok(functions) => functions,
        Err(reason) => return say(&Event::Unreadable(reason)),
    };
    let options = format!("{} {}", request.key(), clew_policy::settings(crate::policy::TABLES));
    let keys = Keys::new(&loaded.program, &options);
    let name = |id: &FunctionId| loaded.program.functions[*id].name.clone();
    let is_open = |id: &&FunctionId| {
        // The key of a function knows nothing of a precondition that only `clew.toml` names.
        let is_known = job.known.get(&name(id)) == Some(&keys.of(**id));
        !is_known || request.settings.of(&name(id)).precondition.is_some()
    };
    let open = functions.iter().filter(is_open).map(name).collect();
    say(&Event::Functions { asked: functions.iter().map(name).collect(), open });
    let by_name: BTreeMap<String, FunctionId> = functions.iter().map(|id| (name(id), *id)).collect();
    let preconditions: BTreeMap<FunctionId, Option<Precondition>> =
        functions.iter().map(|&id| (id, test::precondition(&mut loaded, id, request).ok())).collect();
    let again = Some(request.execution.optimised).filter(|asked| *asked == Optimised::Always).unwrap_or_default();
    let natives = test::natives(&loaded, &functions, request).also_optimised(again).kept_in(&job.kept);
    let bench = Bench { job, loaded: &loaded, natives: &natives, keys: &keys, worker };
    let most = resident::bytes() + MOST_KEPT;
    let work = || {
        while resident::bytes() <= most {
            say(&Event::Ready);
            let Some(function) = order().and_then(|name| by_name.get(&name).copied()) else { return };
            bench.function(function, preconditions[&function].as_ref());
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, work).expect("the system has memory left");
    });
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

/// What testing a function of the file needs.
struct Bench<'a> {
    job: &'a Job,
    loaded: &'a Loaded,
    natives: &'a Natives<'a>,
    keys: &'a Keys,
    worker: &'a Worker<'a>,
}

impl Bench<'_> {
    /// Tests a function, writes its suite and says what came of it.
    fn function(&self, function: FunctionId, precondition: Option<&Precondition>) {
        let program = &self.loaded.program;
        let (name, key) = (program.functions[function].name.clone(), self.keys.of(function));
        say(&Event::Begin(name.clone(), key.clone()));
        let (start, used) = (Instant::now(), ProcessorTime::now());
        let file = self.job.file.display().to_string();
        let tested = catch_unwind(AssertUnwindSafe(|| self.suite(function, precondition)));
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
        say(&Event::Done(Box::new(record)));
    }

    fn suite(
        &self,
        function: FunctionId,
        precondition: Option<&Precondition>,
    ) -> Result<(Tested<'_>, Option<String>), String> {
        let precondition = precondition.ok_or("a domain or precondition given for it does not fit")?.clone();
        let out = self.job.directory.join(&self.loaded.program.functions[function].name);
        std::fs::create_dir_all(&out).map_err(|error| format!("cannot create {}: {error}", out.display()))?;
        let mut suite = Suite::new(Vec::new());
        let bench = test::Bench { program: &self.loaded.program, natives: self.natives, request: self.worker.request };
        let tested = bench.test(function, precondition, &out, &mut suite, &mut |_| {});
        let tested = tested.map_err(|refused| refused.to_string())?;
        let red = (self.worker.write)(self.loaded, &suite, &tested, &out)?;
        Ok((tested, red))
    }

    fn record(&self, tested: &Tested<'_>, file: &str, key: &str) -> Record {
        let program = &self.loaded.program;
        let name = &program.functions[tested.function].name;
        let summary = serde_json::to_value(FunctionSummary::of(program, tested));
        let summary = summary.expect("a summary is made of strings and numbers");
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
