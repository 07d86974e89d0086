//! `clew test` on class files: methods of Java, executed in a JVM, written as JUnit tests.

use super::report;
use crate::cli::{SummaryForm, TestArguments};
use crate::commands::java::{Setting, is_java};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_coverage::{Criterion, Verdict};
use clew_frontend_jvm::{Lowered, all_methods};
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
use clew_symbolic::ending::PathEnd;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether methods of Java are to be tested: some are named, or all files are jars or folders of class files.
pub(super) fn is_asked(arguments: &TestArguments) -> bool {
    let files = &arguments.source.files;
    !arguments.java.method.is_empty() || !files.is_empty() && files.iter().all(|file| is_java(file))
}

/// Tests the methods that the arguments name, or all of the files.
pub(super) fn run(request: &TestRequest, arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let setting = Setting::open(&arguments.source.files, &arguments.java).map_err(refuse)?;
    let mut methods = setting.named(&arguments.java.method).map_err(refuse)?;
    let mut total = Total::default();
    if arguments.java.method.is_empty() {
        let (all, broken) = all_methods(&setting.path, setting.entries);
        broken.iter().for_each(|error| terminal.error(error));
        total.broken = broken.len();
        methods = all;
    }
    let (mut status, mut written) = (Status::Fine, BTreeSet::new());
    for name in &methods {
        let (class, method) = name;
        let one = guarded(|| {
            let lowered = setting.lower(name).map_err(|error| refuse(error.to_string()))?;
            test(&Arc::new(lowered), &setting.machine, (request, arguments), terminal)
        });
        let one = one.unwrap_or_else(|reason| {
            terminal.error(&format!("{}.{method}: a mistake in clew: {reason}", class.replace('/', ".")));
            Err(Status::Internal)
        });
        if methods.len() == 1 {
            one.as_ref().map_err(|status| *status)?;
        }
        total.add(&one);
        written.extend(one.as_ref().ok().and_then(|one| one.file.clone()));
        status = worse(status, one.map_or_else(|status| status, |one| one.status));
    }
    if methods.len() > 1 {
        terminal.say(&total.to_string());
    }
    let places: BTreeSet<String> = match written.len() {
        0..=MOST_NAMED => written.iter().map(|path| path.display().to_string()).collect(),
        _ => BTreeSet::from([arguments.output.out.display().to_string()]),
    };
    if !places.is_empty() {
        terminal.say(&format!("tests in {}", places.into_iter().collect::<Vec<_>>().join(", ")));
    }
    Ok(if total.broken > 0 { worse(status, Status::BadInput) } else { status })
}

/// Files of tests that are named one by one.
const MOST_NAMED: usize = 8;

/// Runs something that may be mistaken; gives the message of a panic.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })
}

/// What came of testing one method.
struct One {
    status: Status,
    file: Option<PathBuf>,
    tests: usize,
    diverged: usize,
    covered: usize,
    infeasible: usize,
    unknown: usize,
    /// What was not supported, if something was.
    unsupported: Option<String>,
}

/// What came of testing many methods.
#[derive(Debug, Default)]
struct Total {
    methods: usize,
    /// Those with tests.
    tested: usize,
    /// Those on which clew failed.
    failed: usize,
    tests: usize,
    diverged: usize,
    covered: usize,
    infeasible: usize,
    unknown: usize,
    /// Classes that cannot be read.
    broken: usize,
    unsupported: BTreeMap<String, usize>,
}

impl Total {
    fn add(&mut self, one: &Result<One, Status>) {
        self.methods += 1;
        let Ok(one) = one else {
            self.failed += 1;
            return;
        };
        self.tested += usize::from(one.tests > 0);
        self.tests += one.tests;
        self.diverged += one.diverged;
        self.covered += one.covered;
        self.infeasible += one.infeasible;
        self.unknown += one.unknown;
        if let Some(what) = &one.unsupported {
            *self.unsupported.entry(what.clone()).or_default() += 1;
        }
    }
}

/// Reasons that are named at the end.
const MOST_REASONS: usize = 10;

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { methods, tested, tests, covered, infeasible, unknown, .. } = self;
        write!(f, "{methods} methods, {tested} of them with tests: {tests} tests, {} diverged; ", self.diverged)?;
        write!(f, "objectives: {covered} covered, {infeasible} infeasible, {unknown} unknown")?;
        if self.failed > 0 {
            write!(f, "; {} not tested", self.failed)?;
        }
        if self.broken > 0 {
            write!(f, "; {} classes cannot be read", self.broken)?;
        }
        let mut reasons: Vec<(&String, &usize)> = self.unsupported.iter().collect();
        reasons.sort_by_key(|(what, count)| (std::cmp::Reverse(**count), (*what).clone()));
        for (what, count) in reasons.iter().take(MOST_REASONS) {
            write!(f, "\n  not supported in {count}: {what}")?;
        }
        Ok(())
    }
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
    let status = status(program, &tested, arguments, terminal);
    Ok(one(&tested, status, file))
}

fn one(tested: &Tested<'_>, status: Status, file: Option<PathBuf>) -> One {
    let mut one = One { status, file, tests: 0, diverged: 0, covered: 0, infeasible: 0, unknown: 0, unsupported: None };
    let Ok(outcome) = &tested.result else { return one };
    one.tests = outcome.tests.iter().filter(|test| test.is_usable()).count();
    one.diverged = outcome.tests.iter().filter(|test| test.divergence.is_some()).count();
    for (_, _, verdict) in outcome.ledger.iter().flat_map(|ledger| ledger.entries()) {
        match verdict {
            Verdict::Covered(_) => one.covered += 1,
            Verdict::Infeasible(_) => one.infeasible += 1,
            Verdict::Open | Verdict::Unknown(_) => one.unknown += 1,
        }
    }
    one.unsupported = outcome.unsupported.first().and_then(|(end, _)| match end {
        PathEnd::Unsupported { what, .. } => Some(what.clone()),
        _ => None,
    });
    one
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
    let tests: Vec<&Observed> = tests.filter(|test| test.heap.is_spelled()).collect();
    if tests.is_empty() {
        return Ok(None);
    }
    let file = junit::write(lowered, &tests, framework);
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
