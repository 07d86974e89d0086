//! Testing functions of a program as a request asks: what is explored, what inputs may be, and the growing `suite.json`.

use crate::event::{Event, Listener};
use crate::finding;
use crate::function::parts::Parts;
use crate::function::{self, Chosen, Natives, Outcome, Replayed, Request};
use crate::given::Given;
use crate::output::{self, WriteError};
use crate::request::{Role, Scope, TestRequest};
use crate::select::{self, refusal};
use crate::settings::{Clause, FunctionSettings, PRECONDITION};
use crate::suite::told::{self, Told};
use crate::suite::{FunctionSuite, Suite, objective};
use crate::{infer, settings::Budget};
use clew_coverage::Criterion;
use clew_execute::Input;
use clew_frontend::diagnostic::Place;
use clew_frontend::{Diagnostic, Loaded, contract};
use clew_ir::{FunctionId, Location, Program};
use clew_search::objectives;
use clew_search::sample::Sampling;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Limits, Mode, Stubbing};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Least time between two writings of a growing suite; writing takes a tenth of the time at most.
const WRITE_EVERY: Duration = Duration::from_millis(500);

/// Memory of the process beyond which exploring stops and keeps what it found, where no project shares the machine.
const MOST_MEMORY: u64 = 4 << 30;

/// Tests of a function where all paths are wanted, unless the request says how many.
const MOST_PATHS: u64 = 2000;

/// The same for a worker of a project.
const MOST_MEMORY_OF_WORKER: u64 = 3 << 29;

/// A function that was tested, or the reason why it was not.
#[derive(Debug)]
pub struct Tested<'p> {
    /// The function.
    pub function: FunctionId,
    /// How far it was to go.
    pub budget: Budget,
    /// Given tests that do not fit the program.
    pub given_unfit: usize,
    /// How its tests are told, one for each.
    pub told: Vec<Told>,
    /// What came of it.
    pub result: Result<Outcome<'p>, function::Error>,
}

impl Tested<'_> {
    /// Whether losing it would be a pity.
    pub fn took_long(&self) -> bool {
        self.result.as_ref().is_ok_and(|outcome| outcome.elapsed >= WRITE_EVERY)
    }
}

/// Why testing cannot go on: what the user must change.
#[derive(Debug)]
pub enum Refused {
    /// The request does not fit the program.
    Request(Box<Diagnostic>),
    /// The suite cannot be written.
    Write(WriteError),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Request(diagnostic) => f.write_str(&diagnostic.message),
            Refused::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// The functions named, or all that are defined in the files themselves but for preconditions of others.
///
/// # Errors
/// When a function is not there, or there is none.
pub fn chosen(program: &Program, request: &TestRequest) -> Result<Vec<FunctionId>, Box<Diagnostic>> {
    if let Some(name) = request.inputs.stub.iter().find(|name| program.function(name).is_none()) {
        return Err(refusal(format!("`--stub {name}`: the program has no function of that name")));
    }
    if !request.wanted.functions.is_empty() {
        return request.wanted.functions.iter().map(|name| select::function(program, name)).collect();
    }
    let files = &request.sources.files;
    let mut functions = select::own_functions(program, files);
    let names: BTreeSet<&str> = functions.iter().map(|id| program.functions[*id].name.as_str()).collect();
    let guards = |name: &str| name.strip_suffix(PRECONDITION).is_some_and(|of| names.contains(of));
    functions.retain(|id| !guards(&program.functions[*id].name));
    if functions.is_empty() {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let files = files.join(", ");
        return Err(refusal(format!("no function is defined in {files}; name the C file that has its body")));
    }
    Ok(functions)
}

/// The native build of some functions.
pub fn natives<'p>(loaded: &'p Loaded, functions: &[FunctionId], request: &TestRequest) -> Natives<'p> {
    let sanitize = request.execution.sanitize;
    Natives::new(&loaded.program, &loaded.builds, functions, &stubbing(request), sanitize).refining(request.refine())
}

/// The functions whose objectives count.
fn scope(program: &Program, function: FunctionId, request: &TestRequest) -> Vec<FunctionId> {
    let unit = program.functions[function].span.unit;
    let file = |id: FunctionId| program.sources.locate(program.functions[id].span).map(|place| place.file);
    let own = if program.functions[function].decisions.is_empty() {
        clew_analyze::reach::inlined(program, function)
    } else {
        BTreeSet::from([function])
    };
    let counts = |id: &FunctionId| match request.scope() {
        Scope::Function => own.contains(id),
        Scope::File => program.functions[*id].span.unit == unit && file(*id) == file(function),
        Scope::Program => true,
    };
    let is_own = |id: &FunctionId| program.functions[*id].is_defined() && !program.models.contains(id);
    let reached = clew_analyze::reach::reach(program, function).functions;
    reached.into_iter().filter(|id| is_own(id) && counts(id)).collect()
}

/// Options that say what is stubbed.
fn stubbing(request: &TestRequest) -> Config {
    let stubbing = Stubbing {
        real: request.inputs.real.clone(),
        stub: request.inputs.stub.clone(),
        allocations: request.allocations(),
        found: None,
    };
    Config { stubbing, assumptions: request.inputs.assumptions, ..Config::default() }
}

fn config(program: &Program, function: FunctionId, request: &TestRequest, budget: &Budget) -> Config {
    let is_shared = request.role == Role::Project;
    let mode = Mode::of(&request.wanted.criteria);
    Config {
        mode,
        criteria: request.wanted.criteria.clone(),
        scope: scope(program, function, request),
        bound: budget.k,
        whole: request.wanted.whole,
        errors: request.inputs.errors,
        globals: select::globals(program, function, request.inputs.globals),
        calls: request.wanted.calls,
        limits: Limits {
            tests: budget.tests.unwrap_or(if mode == Mode::Paths { MOST_PATHS } else { u64::MAX }),
            is_hasty: is_shared,
            memory: Some(if is_shared { MOST_MEMORY_OF_WORKER } else { MOST_MEMORY }),
            ..Limits::until(budget.deadline())
        },
        seed: request.seed,
        alias: request.inputs.alias,
        explain: request.wanted.explain,
        ..stubbing(request)
    }
}

/// What the request and its settings add to the contract of a function.
///
/// # Errors
/// When a domain or precondition cannot be read, or does not fit the function.
pub fn precondition(
    loaded: &mut Loaded,
    function: FunctionId,
    request: &TestRequest,
) -> Result<Precondition, Box<Diagnostic>> {
    let mut all = select::precondition(loaded, function, &request.inputs.domains, &request.inputs.requires)?;
    let program = &loaded.program;
    let name = program.functions[function].name.clone();
    let FunctionSettings { domain, requires, precondition, .. } = request.settings.of(&name);
    let named = request.inputs.precondition.as_ref().or(precondition.as_ref());
    all.function = select::guard(program, function, named.map(String::as_str))?;
    let at = |location: Location| move |diagnostic| located(diagnostic, location);
    for Clause { text, location } in domain {
        let parsed = contract::domain::parse(&text);
        let clause = parsed.and_then(|domain| contract::domain::resolve(loaded, function, &domain));
        all.clauses.push(clause.map_err(at(location))?);
    }
    for Clause { text, location } in requires {
        all.clauses.push(contract::precondition(loaded, function, &text).map_err(at(location))?);
    }
    if request.inputs.assume_inferred {
        for text in infer::preconditions(&loaded.program, function) {
            all.clauses.extend(contract::precondition(loaded, function, &text).ok());
        }
    }
    Ok(all)
}

/// What is wrong with a setting points at its line.
fn located(mut diagnostic: Box<Diagnostic>, location: Location) -> Box<Diagnostic> {
    diagnostic.place = Place::File(location);
    diagnostic
}

/// What testing functions of a program needs.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a, 'p> {
    /// The program.
    pub program: &'p Program,
    /// Its native build.
    pub natives: &'a Natives<'p>,
    /// What is asked.
    pub request: &'a TestRequest,
    /// The suite that is being replaced, if there is one.
    pub earlier: Option<&'a Suite>,
    /// Who else runs parts of long explorations; `None` if nobody does.
    pub parts: Option<&'a dyn Parts>,
}

impl<'p> Bench<'_, 'p> {
    /// Tests one function, keeping the `suite.json` of a directory valid all the while.
    ///
    /// # Errors
    /// When the request does not fit the program, or the suite cannot be written.
    pub fn test(
        &self,
        function: FunctionId,
        precondition: Precondition,
        out: &Path,
        suite: &mut Suite,
        listener: Listener<'_>,
    ) -> Result<Tested<'p>, Refused> {
        self.test_drawn((function, None), precondition, out, suite, listener)
    }

    /// The same with inputs that were drawn, which alone are the tests.
    ///
    /// # Errors
    /// When the request does not fit the program, or the suite cannot be written.
    pub fn test_drawn(
        &self,
        (function, drawn): (FunctionId, Option<&[Input]>),
        precondition: Precondition,
        out: &Path,
        suite: &mut Suite,
        listener: Listener<'_>,
    ) -> Result<Tested<'p>, Refused> {
        let Bench { program, request, .. } = *self;
        let budget = request.budget_of(&program.functions[function].name);
        let one = self.one(function, precondition, &budget);
        let given = request.wanted.given.as_ref().map(|path| Given::read(program, function, path)).transpose();
        let given = given.map_err(Refused::Request)?.unwrap_or_default();
        let mut growing = Growing::new(out.join("suite.json"), suite);
        let sampling = request.wanted.per_path.map(|per_path| Sampling {
            per_path,
            ranges: request.wanted.ranges,
            seed: request.seed,
        });
        let inputs = Chosen { given: &given.inputs, drawn, sampling, parts: self.parts };
        let mut result = function::chosen(&one, &inputs, &mut |event| {
            listener(event);
            if let Event::Tests { all, .. } | Event::Pulse { all } = event {
                growing.write(all.len(), || FunctionSuite::of_tests(program, function, budget.k, all, &[]));
            }
        });
        if let Some(error) = growing.failure {
            return Err(Refused::Write(error));
        }
        let mut told = Vec::new();
        if let Ok(outcome) = &mut result {
            finding::choose(&mut outcome.findings, &request.wanted.findings);
            if request.wanted.minimise
                && !request.wanted.criteria.contains(&Criterion::KPath)
                && let Some(fresh) = objectives(program, function, &one.config)
            {
                outcome.minimise(fresh);
            }
            told = self.tell(function, outcome, given.suite.as_ref());
            suite.functions.push(FunctionSuite::new(program, function, budget.k, (outcome, &told)));
        }
        Ok(Tested { function, budget, given_unfit: given.unfit, told, result })
    }

    /// Runs parts of the exploration of a function for the process that tests it.
    pub fn help(&self, function: FunctionId, precondition: Precondition) {
        let budget = self.request.budget_of(&self.program.functions[function].name);
        if let Some(parts) = self.parts {
            function::parts::help(&self.one(function, precondition, &budget), parts);
        }
    }

    /// What to do with one function.
    fn one(&self, function: FunctionId, precondition: Precondition, budget: &Budget) -> Request<'p, '_> {
        let Bench { program, natives, request, .. } = *self;
        let readings = !natives.readings().is_empty();
        let mut config = Config { readings, ..config(program, function, request, budget) };
        config.stubbing.found = Some(natives.stubs());
        Request { program, natives, function, precondition, config }
    }

    /// How tests are told: as in the suite that is being replaced, or in one that was given, if they stand there.
    fn tell(&self, function: FunctionId, outcome: &Outcome<'_>, given: Option<&Suite>) -> Vec<Told> {
        let purposes = |test: &Replayed| {
            let ledger = outcome.ledger.as_ref();
            ledger.map_or_else(Vec::new, |ledger| objective::purposes_without_lines(ledger, &test.explored))
        };
        let purposes: Vec<Vec<String>> = outcome.tests.iter().map(purposes).collect();
        let earlier: Vec<&Suite> = self.earlier.into_iter().chain(given).collect();
        told::tell(self.program, function, &outcome.tests, &purposes, &earlier)
    }
}

/// A suite that is written now and then while a function of it is being tested.
struct Growing<'s> {
    path: PathBuf,
    suite: &'s mut Suite,
    /// Tests of the function that are on disk.
    known: usize,
    written: Instant,
    pause: Duration,
    failure: Option<WriteError>,
}

impl<'s> Growing<'s> {
    fn new(path: PathBuf, suite: &'s mut Suite) -> Growing<'s> {
        Growing { path, suite, known: 0, written: Instant::now(), pause: WRITE_EVERY, failure: None }
    }

    /// Writes the suite with what there is of the function, if it is time to.
    fn write(&mut self, tests: usize, function: impl FnOnce() -> FunctionSuite) {
        if self.written.elapsed() < self.pause || tests <= self.known {
            return;
        }
        self.known = tests;
        let start = Instant::now();
        self.suite.functions.push(function());
        self.failure = output::write(&self.path, self.suite.json()).err();
        self.suite.functions.pop();
        self.written = Instant::now();
        self.pause = WRITE_EVERY.max(start.elapsed() * 10);
    }
}
