//! A process that tests functions of one file, one after the other: it reads the file once, survives panics, and ends when
//! there is nothing more to do or it has too much memory.

use super::MOST_KEPT;
use super::summary::shortened;
use super::wire::{Event, Job};
use crate::cli::TestArguments;
use crate::commands::source;
use crate::commands::test::{Tested, optimised, options, precondition, report, stubbing, test, write};
use crate::status::Status;
use crate::terminal::Terminal;
use clew::project::changed::{self, Changes};
use clew::project::key::Keys;
use clew::project::record::{Finding, Record};
use clew::project::statements;
use clew::session::{Natives, Optimised, Outcome, Replayed};
use clew::suite::{self, Suite};
use clew_explore::Precondition;
use clew_explore::ending::PathEnd;
use clew_explore::resident;
use clew_frontend::{Build, Diagnostic, Loaded, Severity};
use clew_ir::{FunctionId, Program, Unit};
use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

/// Characters of an input in a record; the suite has it whole.
const MOST_INPUT: usize = 1_000;
/// Stack of a thread that tests functions.
const STACK_BYTES: usize = 1 << 28;

/// Reads a job from standard input and does it.
pub(in crate::commands) fn run(arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let job: Job = order().and_then(|line| serde_json::from_str(&line).ok()).ok_or(Status::Internal)?;
    match load(&job, arguments) {
        Err(reason) => say(&Event::Unreadable(reason)),
        Ok(loaded) => test_all(&job, loaded, arguments, terminal),
    }
    Ok(Status::Fine)
}

/// The next line of standard input.
fn order() -> Option<String> {
    let mut line = String::new();
    let length = std::io::stdin().read_line(&mut line).ok()?;
    (length > 0).then(|| line.trim_end().to_owned())
}

/// Sends an event. When nobody listens any more, there is nothing left to do.
fn say(event: &Event) {
    let text = serde_json::to_string(event).expect("an event is made of strings and numbers") + "\n";
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

fn load(job: &Job, arguments: &TestArguments) -> Result<Loaded, String> {
    let mut options = options(arguments);
    options.files = vec![job.file.clone()];
    let first = |diagnostics: &[Diagnostic]| {
        let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        error.map_or_else(|| "it cannot be read".to_owned(), |diagnostic| diagnostic.message.clone())
    };
    let loaded = catch_unwind(AssertUnwindSafe(|| clew_frontend::load(&options))).map_err(reason_of_panic)?;
    let loaded = loaded.map_err(|error| first(&error.diagnostics()))?;
    if loaded.has_errors() { Err(first(&loaded.diagnostics)) } else { Ok(loaded) }
}

fn test_all(job: &Job, mut loaded: Loaded, arguments: &TestArguments, terminal: Terminal) {
    let functions = match chosen(job, &loaded, arguments) {
        Ok(functions) => functions,
        Err(reason) => return say(&Event::Unreadable(reason)),
    };
    let keys = Keys::new(&loaded.program, &fingerprint(arguments));
    let name = |id: &FunctionId| loaded.program.functions[*id].name.clone();
    let is_open = |id: &&FunctionId| {
        // The key of a function knows nothing of a precondition that only `clew.toml` names.
        let is_known = job.known.get(&name(id)) == Some(&keys.of(**id));
        !is_known || arguments.settings.of(&name(id)).precondition.is_some()
    };
    let open = functions.iter().filter(is_open).map(name).collect();
    say(&Event::Functions { asked: functions.iter().map(name).collect(), open });
    let by_name: BTreeMap<String, FunctionId> = functions.iter().map(|id| (name(id), *id)).collect();
    let preconditions: BTreeMap<FunctionId, Option<Precondition>> =
        functions.iter().map(|&id| (id, precondition(&mut loaded, id, arguments, terminal).ok())).collect();
    let again = Some(optimised(arguments)).filter(|asked| *asked == Optimised::Always).unwrap_or_default();
    let natives = Natives::new(&loaded.program, &loaded.builds, &functions, &stubbing(arguments), arguments.sanitize)
        .also_optimised(again)
        .kept_in(&job.kept);
    let bench = Bench { job, loaded: &loaded, natives: &natives, keys: &keys, arguments, terminal };
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
fn chosen(job: &Job, loaded: &Loaded, arguments: &TestArguments) -> Result<Vec<FunctionId>, String> {
    let program = &loaded.program;
    let mut functions = source::own_functions(program, std::slice::from_ref(&job.file));
    if !arguments.function.is_empty() {
        functions.retain(|id| arguments.function.contains(&program.functions[*id].name));
    }
    if let Some(revision) = &arguments.changed_since {
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

/// All options that bear on results, as a text.
fn fingerprint(arguments: &TestArguments) -> String {
    let mut same = arguments.clone();
    same.source.files.clear();
    same.source.database = None;
    same.function.clear();
    same.out = PathBuf::new();
    (same.jobs, same.changed_since, same.summary) = (None, None, None);
    (same.project, same.resume, same.explain, same.worker) = (false, false, false, false);
    format!("{same:?}")
}

/// What testing a function of the file needs.
struct Bench<'a> {
    job: &'a Job,
    loaded: &'a Loaded,
    natives: &'a Natives<'a>,
    keys: &'a Keys,
    arguments: &'a TestArguments,
    terminal: Terminal,
}

impl Bench<'_> {
    /// Tests a function, writes its suite and says what came of it.
    fn function(&self, function: FunctionId, precondition: Option<&Precondition>) {
        let program = &self.loaded.program;
        let (name, key) = (program.functions[function].name.clone(), self.keys.of(function));
        say(&Event::Begin(name.clone(), key.clone()));
        let start = Instant::now();
        let file = self.job.file.display().to_string();
        let tested = catch_unwind(AssertUnwindSafe(|| self.suite(function, precondition)));
        let mut record = match tested {
            Ok(Ok(tested)) => self.record(&tested, &file, &key),
            Ok(Err(reason)) => Record::failed(&file, &name, &key, reason),
            Err(panic) => Record::failed(&file, &name, &key, format!("a mistake in clew: {}", reason_of_panic(panic))),
        };
        let span = program.functions[function].span;
        record.line = suite::line(program, span);
        record.statements = statements::count(program.sources.text(span));
        record.seconds = start.elapsed().as_secs_f64();
        say(&Event::Done(Box::new(record)));
    }

    fn suite(&self, function: FunctionId, precondition: Option<&Precondition>) -> Result<Tested<'_>, String> {
        let precondition = precondition.ok_or("a domain or precondition given for it does not fit")?.clone();
        let out = self.job.directory.join(&self.loaded.program.functions[function].name);
        std::fs::create_dir_all(&out).map_err(|error| format!("cannot create {}: {error}", out.display()))?;
        let arguments = TestArguments { out, ..self.arguments.clone() };
        let mut suite = Suite::new(Vec::new());
        let unwritten = |_| "its suite cannot be written".to_owned();
        let (loaded, terminal) = (self.loaded, self.terminal);
        let tested = test(loaded, self.natives, function, precondition, &arguments, terminal, &mut suite);
        let tested = tested.map_err(unwritten)?;
        write::all(loaded, &suite, std::slice::from_ref(&tested), &arguments, terminal).map_err(unwritten)?;
        Ok(tested)
    }

    fn record(&self, tested: &Tested<'_>, file: &str, key: &str) -> Record {
        let program = &self.loaded.program;
        let name = &program.functions[tested.function].name;
        let summary = report::function_summary(program, tested, self.arguments);
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
    let finding = |replayed: &clew::session::ReplayedFinding| {
        let failure = &replayed.finding.failure;
        let place = program.sources.locate(failure.span);
        Finding {
            what: failure.what.clone(),
            file: place.as_ref().map_or_else(String::new, |place| place.file.clone()),
            line: place.as_ref().map_or(0, |place| place.line),
            column: place.map_or(0, |place| place.column),
            text: suite::source(program, failure.span),
            input: shortened(&suite::describe_input(program, tested, &replayed.finding.input), MOST_INPUT),
            native: replayed.observation.as_ref().map(suite::ending),
        }
    };
    outcome.findings.iter().map(finding).collect()
}

fn reason_of_panic(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("unknown reason").to_owned()
}
