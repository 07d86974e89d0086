//! `clew test` on class files: methods of Java, executed in a JVM, written as JUnit tests.

mod crew;
mod pages;
mod total;

use super::{report, write};
use crate::cli::{SummaryForm, TestArguments};
use crate::commands::java::{Setting, build, is_java};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_coverage::{Criterion, Verdict};
use clew_frontend_jvm::{Lowered, MethodName, all_methods};
use clew_jvm::junit::framework::Framework;
use clew_jvm::replay::{Log, Observed};
use clew_jvm::{Machine, Replay, junit};
use clew_session::event::Event;
use clew_session::request::TestRequest;
use clew_session::summary::FunctionSummary;
use clew_session::test::Tested;
use clew_session::{self as session, Natives, Request, output};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Errors, Globals, Limits, Mode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use total::{One, Total, Untested, worse};

/// Whether methods of Java are to be tested: some are named, or all files are jars or folders of class files.
pub(super) fn is_asked(arguments: &TestArguments) -> bool {
    let files = &arguments.source.files;
    let is_given = !files.is_empty() && files.iter().all(|file| is_java(file));
    !arguments.java.method.is_empty() || is_given || project(arguments).is_some()
}

/// The project of Maven or Gradle that is asked for, with no files besides.
fn project(arguments: &TestArguments) -> Option<&Path> {
    let folder = arguments.source.database.as_deref()?;
    (arguments.source.files.is_empty() && build::is_project(folder)).then_some(folder)
}

/// Tests the methods that the arguments name, or all of the files.
pub(super) fn run(request: &TestRequest, arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let built = project(arguments).map(|folder| build::of(folder, &arguments.java)).transpose().map_err(refuse)?;
    let (files, java) =
        built.as_ref().map_or((&arguments.source.files, &arguments.java), |(files, java)| (files, java));
    let setting = Setting::open(files, java).map_err(refuse)?;
    let mut methods = setting.named(&arguments.java.method).map_err(refuse)?;
    let mut total = Total::default();
    if arguments.java.method.is_empty() {
        let (all, broken) = all_methods(&setting.path, setting.entries);
        if !crew::is_worker() {
            broken.iter().for_each(|error| terminal.error(error));
        }
        total.broken = broken.len();
        methods = all;
    }
    let mut request = request.clone();
    if methods.len() > 1 && request.budget.time.is_none() && request.budget.effort.is_none() {
        request.budget.time = Some(DEFAULT_TIME);
    }
    let mut tested = |number: usize| {
        let failed = |reason, status| Untested { reason, status };
        let missing = || failed("there is no such method".to_owned(), Status::Internal);
        let name: &MethodName = methods.get(number).ok_or_else(missing)?;
        let one = guarded(|| {
            let lowered = setting.lower(name).map_err(|error| failed(error.to_string(), Status::BadInput))?;
            let one = test(&Arc::new(lowered), &setting.machine, (&request, arguments), terminal);
            one.map_err(|status| failed("its tests cannot be written".to_owned(), status))
        });
        one.unwrap_or_else(|reason| Err(failed(format!("a mistake in clew: {reason}"), Status::Internal)))
    };
    let refused = |number: usize, why: &Untested| {
        let (class, method): &MethodName = &methods[number];
        terminal.error(&format!("{}.{method} was not tested: {}", class.replace('/', "."), why.reason));
        why.status
    };
    if crew::is_worker() {
        crew::work(&mut tested);
        return Ok(Status::Fine);
    }
    if let [_] = methods[..] {
        let one = tested(0).map_err(|why| refused(0, &why))?;
        say_places(one.file.iter().map(|file| file.display().to_string()).collect(), terminal);
        return Ok(one.status);
    }
    let (mut status, mut written, mut folders) = (Status::Fine, BTreeSet::new(), Vec::new());
    let mut each = |number: usize, one: Result<One, Untested>| {
        total.add(&one);
        match one {
            Ok(one) => {
                written.extend(one.file);
                folders.extend(one.folder);
                status = worse(status, one.status);
            }
            Err(why) => status = worse(status, refused(number, &why)),
        }
    };
    let jobs = request.execution.jobs;
    if methods.len() <= FEW && jobs == 1 {
        (0..methods.len()).for_each(|number| each(number, tested(number)));
    } else {
        crew::run((methods.len(), jobs), request.budget.time, terminal, &mut each);
    }
    terminal.say(&total.to_string());
    pages::join(&arguments.output.out, &folders).map_err(|error| write::refused(&error, terminal))?;
    let places = match written.len() {
        0..=MOST_NAMED => written.iter().map(|path| path.display().to_string()).collect(),
        _ => BTreeSet::from([arguments.output.out.display().to_string()]),
    };
    say_places(places, terminal);
    Ok(if total.broken > 0 { worse(status, Status::BadInput) } else { status })
}

fn say_places(places: BTreeSet<String>, terminal: Terminal) {
    if !places.is_empty() {
        terminal.say(&format!("tests in {}", places.into_iter().collect::<Vec<_>>().join(", ")));
    }
}

/// Seconds for each of many methods, where nobody says how many.
const DEFAULT_TIME: f64 = 5.0;

/// Methods that are tested without a process of their own.
const FEW: usize = 8;

/// Files of tests that are named one by one.
const MOST_NAMED: usize = 8;

/// Runs something that may be mistaken; gives the message of a panic.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })
}

/// Tests one method, and writes its tests.
fn test(
    lowered: &Arc<Lowered>,
    machine: &Arc<Mutex<Machine>>,
    (asked, arguments): (&TestRequest, &TestArguments),
    terminal: Terminal,
) -> Result<One, Status> {
    let (program, function) = (&lowered.program, lowered.entry);
    let name = &program.functions[function].name;
    let mut config = config(lowered, asked);
    let log = Log::default();
    let replay = Replay::new(Arc::clone(lowered), Arc::clone(machine), Log::clone(&log));
    let natives = Natives::new(program, &[], &[function], &config, false).instead(Box::new(replay));
    config.stubbing.found = Some(natives.stubs());
    let request = Request { program, natives: &natives, function, precondition: Precondition::default(), config };
    let mut result = session::run(&request, &mut |event| {
        if let Event::Tests { all, .. } = event {
            terminal.progress(&format!("{name}: {} tests", all.len()));
        }
    });
    terminal.progress("");
    if let Ok(outcome) = &mut result
        && asked.wanted.minimise
        && let Some(fresh) = clew_search::objectives(program, function, &request.config)
    {
        outcome.minimise(fresh);
    }
    let tested = Tested { function, budget: asked.budget_of(name), given_unfit: 0, told: Vec::new(), result };
    report::function(program, &tested, asked, terminal);
    unsupported(lowered, &tested, terminal);
    let file = tests_of(&tested, &log, lowered, (&arguments.output.out, arguments.output.java_framework()), terminal)?;
    let folder = pages::write(lowered, &tested, &arguments.output).map_err(|error| write::refused(&error, terminal))?;
    let status = status(program, &tested, arguments, terminal);
    Ok(One { folder, ..total::one(&tested, status, file) })
}

/// Prints the summary for tools, if asked, and gives the status.
fn status(program: &clew_ir::Program, tested: &Tested<'_>, arguments: &TestArguments, terminal: Terminal) -> Status {
    if arguments.output.summary == Some(SummaryForm::Json) {
        let summary = FunctionSummary::of(program, tested);
        let text = serde_json::to_string(&summary).expect("a summary is made of strings and numbers");
        terminal.print(&format!("{text}\n"));
    }
    let Ok(outcome) = &tested.result else { return Status::BadInput };
    let diverges = outcome.tests.iter().any(|test| test.divergence.is_some());
    let is_open = |verdict: &Verdict| matches!(verdict, Verdict::Open | Verdict::Unknown(_));
    let has_open = outcome.ledger.iter().flat_map(|ledger| ledger.entries()).any(|(_, _, verdict)| is_open(verdict));
    match (diverges, has_open) {
        (true, _) => Status::Findings,
        (_, true) => Status::Limit,
        _ => Status::Fine,
    }
}

/// Says what of the code is not supported, where that cost paths.
fn unsupported(lowered: &Lowered, tested: &Tested<'_>, terminal: Terminal) {
    let Ok(outcome) = &tested.result else { return };
    if outcome.unsupported.is_empty() {
        return;
    }
    let own = lowered.methods.iter().map(|method| method.class.replace('/', ".")).collect::<BTreeSet<_>>();
    for diagnostic in lowered.diagnostics.iter().filter(|diagnostic| own.contains(&diagnostic.class)) {
        let clew_frontend_jvm::Diagnostic { class, method, line, what } = diagnostic;
        terminal.say(&format!("note: not supported in {class}.{method}, line {line}: {what}"));
    }
}

/// Writes the tests that went as predicted.
fn tests_of(
    tested: &Tested<'_>,
    log: &Log,
    lowered: &Lowered,
    (out, framework): (&Path, Framework),
    terminal: Terminal,
) -> Result<Option<PathBuf>, Status> {
    let Ok(outcome) = &tested.result else { return Ok(None) };
    let log = log.lock().unwrap_or_else(PoisonError::into_inner);
    let usable = outcome.tests.iter().filter(|test| test.is_usable());
    let observed = |input: &clew_execute::Input| log.iter().find(|(known, _)| known == input).map(|(_, seen)| seen);
    let tests = usable.filter_map(|test| observed(&test.explored.input));
    let tests: Vec<&Observed> = tests.collect();
    let Some(file) = junit::write(lowered, &tests, framework) else { return Ok(None) };
    let path = out.join(&file.path);
    let failed = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    if let Some(folder) = path.parent() {
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| failed(format!("cannot make {}: {error}", folder.display())))?;
    }
    output::write(&path, file.text).map_err(|error| failed(error.to_string()))?;
    Ok(Some(path))
}

fn config(lowered: &Lowered, request: &TestRequest) -> Config {
    let wanted = &request.wanted.criteria;
    let criteria = if wanted.is_empty() { vec![Criterion::Decision, Criterion::Condition] } else { wanted.clone() };
    let budget = request.budget_of(&lowered.program.functions[lowered.entry].name);
    Config {
        mode: Mode::of(&criteria),
        criteria,
        scope: vec![lowered.method],
        bound: budget.k,
        // What Java guarantees of its objects are checks of the program.
        errors: Errors::AssumeAbsent,
        globals: Globals::Initial,
        limits: Limits { tests: budget.tests.unwrap_or(u64::MAX), ..Limits::until(budget.deadline()) },
        seed: request.seed,
        references: true,
        explain: request.wanted.explain,
        ..Config::default()
    }
}
