//! `clew test` on class files: methods of Java, executed in a JVM, written as JUnit tests.

use super::report;
use crate::cli::{SummaryForm, TestArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_coverage::{Criterion, Verdict};
use clew_frontend_jvm::{ClassPath, Lowered, lower, methods_named};
use clew_jvm::replay::{Log, Observed};
use clew_jvm::{Java, Machine, Replay, junit};
use clew_session::event::Event;
use clew_session::request::TestRequest;
use clew_session::summary::FunctionSummary;
use clew_session::test::Tested;
use clew_session::{self as session, Natives, Request, output};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Errors, Globals, Limits, Mode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// Tests the methods that the arguments name.
pub(super) fn run(request: &TestRequest, arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let java = Java::find(arguments.java.java.as_deref()).map_err(|error| refuse(error.to_string()))?;
    let path = ClassPath::open(&arguments.source.files, Some(&java.home)).map_err(|error| refuse(error.to_string()))?;
    let path = Rc::new(path);
    let machine = Arc::new(Mutex::new(Machine::new(java, arguments.source.files.clone())));
    let mut status = Status::Fine;
    let mut written = BTreeSet::new();
    for named in &arguments.java.method {
        for (class, method) in methods_named(&path, named).map_err(|error| refuse(error.to_string()))? {
            let lowered = lower(&path, arguments.java.sources.clone(), &class, &method);
            let lowered = lowered.map_err(|error| refuse(error.to_string()))?;
            let one = test(&Arc::new(lowered), &machine, (request, arguments), terminal)?;
            written.extend(one.1);
            status = worse(status, one.0);
        }
    }
    if !written.is_empty() {
        let shown: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        terminal.say(&format!("tests in {}", shown.join(", ")));
    }
    Ok(status)
}

/// The more serious of two results.
fn worse(one: Status, other: Status) -> Status {
    let rank = |status: Status| match status {
        Status::Fine => 0,
        Status::Limit => 1,
        _ => 2,
    };
    if rank(other) > rank(one) { other } else { one }
}

/// Tests one method, and writes its tests.
fn test(
    lowered: &Arc<Lowered>,
    machine: &Arc<Mutex<Machine>>,
    (asked, arguments): (&TestRequest, &TestArguments),
    terminal: Terminal,
) -> Result<(Status, Option<PathBuf>), Status> {
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
    let tested = Tested { function, budget: asked.budget_of(name), given_unfit: 0, result };
    report::function(program, &tested, asked, terminal);
    unsupported(lowered, &tested, terminal);
    let file = tests_of(&tested, &log, lowered, &arguments.output.out, terminal)?;
    Ok((status(program, &tested, arguments, terminal), file))
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
    out: &Path,
    terminal: Terminal,
) -> Result<Option<PathBuf>, Status> {
    let Ok(outcome) = &tested.result else { return Ok(None) };
    let log = log.lock().unwrap_or_else(PoisonError::into_inner);
    let usable = outcome.tests.iter().filter(|test| test.is_usable());
    let observed = |input: &clew_execute::Input| log.iter().find(|(known, _)| known == input).map(|(_, seen)| seen);
    let tests: Vec<&Observed> = usable.filter_map(|test| observed(&test.explored.input)).collect();
    if tests.is_empty() {
        return Ok(None);
    }
    let file = junit::write(lowered, &tests);
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
    let criteria = if wanted.is_empty() { vec![Criterion::Decision] } else { wanted.clone() };
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
