//! `clew test`: generate, run and write tests.

mod given;
mod project;
mod report;
pub(super) mod write;

use super::source;
use crate::cli::{AliasName, AssumeName, ErrorsName, MallocName, OptimisedName, ScopeName, TestArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew::session::{self, Natives, Optimised, Outcome, Replayed, Request};
use clew::settings::{Clause, FunctionSettings, PRECONDITION, Settings};
use clew::suite::made::{Floats, Made};
use clew::suite::{FunctionSuite, Suite};
use clew::{emit, infer};
use clew_coverage::Criterion;
use clew_explore::config::{Alias, Allocations, Config, Errors};
use clew_explore::{Precondition, objectives};
use clew_frontend::diagnostic::Place;
use clew_frontend::{Diagnostic, Loaded, Options, contract};
use clew_ir::{FunctionId, Location, Program};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Least time between two writings of a growing suite; writing takes a tenth of the time at most.
const WRITE_EVERY: Duration = Duration::from_millis(500);

/// Memory of the process beyond which exploring stops and keeps what it found, where no project shares the machine.
const MOST_MEMORY: u64 = 4 << 30;

/// A function that was tested, or the reason why it was not.
struct Tested<'p> {
    function: FunctionId,
    result: Result<Outcome<'p>, session::Error>,
}

impl Tested<'_> {
    /// Whether losing it would be a pity.
    fn took_long(&self) -> bool {
        self.result.as_ref().is_ok_and(|outcome| outcome.elapsed >= WRITE_EVERY)
    }
}

pub(super) fn run(arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let settings = Settings::read(arguments.config.as_deref()).map_err(|diagnostic| {
        terminal.diagnostics(&[*diagnostic], &clew_ir::Sources::default());
        Status::BadInput
    })?;
    let mut arguments = arguments.clone();
    arguments.cc_flags.splice(0..0, settings.flags.iter().cloned());
    arguments.settings = settings;
    run_with_settings(&arguments, terminal)
}

fn run_with_settings(arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    if arguments.worker {
        return project::worker::run(arguments, terminal);
    }
    if arguments.is_project() {
        return project::run(arguments, terminal);
    }
    let mut loaded = source::load_with(&options(arguments), terminal)?;
    if let Some(name) = arguments.stub.iter().find(|name| loaded.program.function(name).is_none()) {
        terminal.error(&format!("`--stub {name}`: the program has no function of that name"));
        return Err(Status::BadInput);
    }
    let functions = chosen(&loaded.program, arguments, terminal)?;
    write::prepare(&loaded.program, &functions, arguments, terminal)?;
    let mut preconditions = Vec::new();
    for &function in &functions {
        preconditions.push(precondition(&mut loaded, function, arguments, terminal)?);
    }
    let natives = Natives::new(&loaded.program, &loaded.builds, &functions, &stubbing(arguments), arguments.sanitize)
        .side_by_side(arguments.jobs())
        .also_optimised(optimised(arguments));
    let mut suite = Suite::new(Vec::new());
    let mut made = Made::of(&loaded, command());
    if functions.iter().any(|id| session::computes_with_floats(&loaded.program, *id)) {
        made.floats = Floats::of(&loaded);
        report::arithmetic(made.floats.as_ref(), terminal);
    }
    suite.made = Some(made);
    let mut tested = Vec::new();
    for (function, precondition) in functions.into_iter().zip(preconditions) {
        let one = test(&loaded, &natives, function, precondition, arguments, terminal, &mut suite)?;
        report::function(&loaded.program, &one, arguments, terminal);
        if one.took_long() {
            write::suite(&suite, arguments, terminal)?;
        }
        tested.push(one);
    }
    write::all(&loaded, &suite, &tested, arguments, terminal)?;
    let status = report::summary(&loaded.program, &tested, arguments, terminal);
    // The process ends here: giving back thousands of tests piece by piece would only take time.
    std::mem::forget((suite, tested));
    Ok(status)
}

/// What to read: the files, with models of what they call.
fn options(arguments: &TestArguments) -> Options {
    Options {
        library: true,
        stubs: arguments.stub.clone(),
        models: arguments.model.clone(),
        ..source::options(&arguments.source, &arguments.cc_flags)
    }
}

/// The functions named, or all that are defined in the files themselves.
fn chosen(program: &Program, arguments: &TestArguments, terminal: Terminal) -> Result<Vec<FunctionId>, Status> {
    if !arguments.function.is_empty() {
        return arguments.function.iter().map(|name| source::function(program, name, terminal)).collect();
    }
    let mut functions = source::own_functions(program, &arguments.source.files);
    let names: BTreeSet<&str> = functions.iter().map(|id| program.functions[*id].name.as_str()).collect();
    let guards = |name: &str| name.strip_suffix(PRECONDITION).is_some_and(|of| names.contains(of));
    functions.retain(|id| !guards(&program.functions[*id].name));
    if functions.is_empty() {
        let files: Vec<String> = arguments.source.files.iter().map(|file| file.display().to_string()).collect();
        terminal.error(&format!("no function is defined in {}; name the C file that has its body", files.join(", ")));
        return Err(Status::BadInput);
    }
    Ok(functions)
}

/// The functions whose objectives count.
fn scope(program: &Program, function: FunctionId, arguments: &TestArguments) -> Vec<FunctionId> {
    let each_by_itself = arguments.function.is_empty() || arguments.is_project() || arguments.worker;
    let default = if each_by_itself { ScopeName::Function } else { ScopeName::File };
    let unit = program.functions[function].span.unit;
    let file = |id: FunctionId| program.sources.locate(program.functions[id].span).map(|place| place.file);
    let own = if program.functions[function].decisions.is_empty() {
        clew_analyze::reach::inlined(program, function)
    } else {
        BTreeSet::from([function])
    };
    let counts = |id: &FunctionId| match arguments.scope.unwrap_or(default) {
        ScopeName::Function => own.contains(id),
        ScopeName::File => program.functions[*id].span.unit == unit && file(*id) == file(function),
        ScopeName::Program => true,
    };
    let reached = clew_analyze::reach::reach(program, function).functions;
    reached.into_iter().filter(|id| is_own(program, *id) && counts(id)).collect()
}

/// Options that say what is stubbed.
fn stubbing(arguments: &TestArguments) -> Config {
    let wants_paths = arguments.criterion.iter().all(|criterion| *criterion == Criterion::KPath);
    let default = if wants_paths { MallocName::Succeeds } else { MallocName::MayFail };
    let allocations = match arguments.malloc.unwrap_or(default) {
        MallocName::Succeeds => Allocations::Succeed,
        MallocName::MayFail => Allocations::MayFail,
    };
    Config { real: arguments.real.clone(), stub: arguments.stub.clone(), allocations, ..Config::default() }
}

/// Whose tests are run in an optimised build, too.
fn optimised(arguments: &TestArguments) -> Optimised {
    match arguments.optimised {
        OptimisedName::Never => Optimised::Never,
        OptimisedName::Floats => Optimised::Floats,
        OptimisedName::Always => Optimised::Always,
    }
}

/// Whether a function is defined by the program itself.
fn is_own(program: &Program, id: FunctionId) -> bool {
    program.functions[id].is_defined() && !program.models.contains(&id)
}

fn config(program: &Program, function: FunctionId, arguments: &TestArguments) -> Config {
    Config {
        criteria: arguments.criterion.clone(),
        scope: scope(program, function, arguments),
        bound: arguments.bound,
        errors: match arguments.errors {
            ErrorsName::Report => Errors::Report,
            ErrorsName::AssumeAbsent => Errors::AssumeAbsent,
        },
        globals: source::globals(program, function, arguments.globals),
        calls: arguments.calls,
        tests: arguments.tests.unwrap_or(u64::MAX),
        deadline: arguments.deadline(),
        is_hasty: arguments.worker,
        memory: Some(if arguments.worker { project::MOST_EXPLORED } else { MOST_MEMORY }),
        seed: arguments.seed,
        alias: match arguments.alias {
            AliasName::Merge => Alias::Merge,
            AliasName::Split => Alias::Split,
        },
        explain: arguments.explain,
        ..stubbing(arguments)
    }
}

/// The command line without the program and the place of the output, on which no result depends.
fn command() -> Vec<String> {
    let mut words = Vec::new();
    let mut all = std::env::args().skip(1);
    while let Some(word) = all.next() {
        match word.as_str() {
            "-o" | "--out" => drop(all.next()),
            word if word.starts_with("--out=") => {}
            _ => words.push(word),
        }
    }
    words
}

/// What options and settings add to the contract.
fn precondition(
    loaded: &mut Loaded,
    function: FunctionId,
    arguments: &TestArguments,
    terminal: Terminal,
) -> Result<Precondition, Status> {
    let mut all = source::precondition(loaded, function, &arguments.domain, &arguments.requires, terminal)?;
    let program = &mut loaded.program;
    let name = &program.functions[function].name;
    let FunctionSettings { domain, requires, precondition, .. } = arguments.settings.of(name);
    let named = arguments.precondition.as_ref().or(precondition.as_ref());
    all.function = match named {
        Some(guard) => Some(source::function(program, guard, terminal)?),
        None => program.function(&format!("{name}{PRECONDITION}")).filter(|id| program.functions[*id].is_defined()),
    };
    let mut add = |clause: Result<_, Box<Diagnostic>>, location: Location| match clause {
        Ok(clause) => {
            all.clauses.push(clause);
            Ok(())
        }
        Err(mut diagnostic) => {
            diagnostic.place = Place::File(location);
            terminal.diagnostics(&[*diagnostic], &clew_ir::Sources::default());
            Err(Status::BadInput)
        }
    };
    for Clause { text, location } in domain {
        let parsed = contract::domain::parse(&text);
        add(parsed.and_then(|domain| contract::domain::resolve(program, function, &domain)), location)?;
    }
    for Clause { text, location } in requires {
        add(contract::precondition(program, function, &text), location)?;
    }
    if arguments.assume == Some(AssumeName::Inferred) {
        for text in infer::preconditions(program, function) {
            all.clauses.extend(contract::precondition(program, function, &text).ok());
        }
    }
    Ok(all)
}

/// Tests one function, keeping the suite on disk valid all the while.
fn test<'p>(
    loaded: &'p Loaded,
    natives: &Natives<'p>,
    function: FunctionId,
    precondition: Precondition,
    arguments: &TestArguments,
    terminal: Terminal,
    suite: &mut Suite,
) -> Result<Tested<'p>, Status> {
    let program = &loaded.program;
    let arguments = &arguments.of_function(&program.functions[function].name);
    let readings = !natives.readings().is_empty();
    let config = Config { stubs: Some(natives.stubs()), readings, ..config(program, function, arguments) };
    let request = Request { program, natives, function, precondition, config };
    let path = arguments.out.join("suite.json");
    let name = &program.functions[function].name;
    let (start, mut written, mut pause) = (Instant::now(), Instant::now(), WRITE_EVERY);
    let mut known = 0;
    let mut failure = None;
    let given = given::inputs(program, function, arguments, terminal)?;
    let mut result = session::complement(&request, &given, &mut |tests: &[Replayed]| {
        terminal.progress(&format!("{name}: {} tests, {} s", tests.len(), start.elapsed().as_secs()));
        if written.elapsed() >= pause && tests.len() > known {
            known = tests.len();
            let start = Instant::now();
            suite.functions.push(FunctionSuite::of_tests(program, function, arguments.bound, tests, &[]));
            failure = emit::write(&path, suite.json()).err();
            suite.functions.pop();
            written = Instant::now();
            pause = WRITE_EVERY.max(start.elapsed() * 10);
        }
    });
    terminal.progress("");
    if let Ok(outcome) = &mut result {
        if arguments.minimise
            && !arguments.criterion.contains(&Criterion::KPath)
            && let Some(fresh) = objectives(program, function, &request.config)
        {
            outcome.minimise(fresh);
        }
        suite.functions.push(FunctionSuite::new(program, function, arguments.bound, outcome));
    }
    match failure {
        None => Ok(Tested { function, result }),
        Some(error) => {
            terminal.error(&error.to_string());
            Err(Status::BadInput)
        }
    }
}
