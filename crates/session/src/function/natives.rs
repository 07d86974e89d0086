//! The native build of a program: made when the first function asks for it, and shared by all.

use super::Executor;
use super::mutation::named_lines;
use super::optimised::Optimised;
use crate::policy;
use clew_execute::blobs::Shelf;
use clew_execute::native::{Binary, BuildError, Native, Options, readings};
use clew_frontend::Build;
use clew_ir::{FunctionId, GlobalId, Program};
use clew_mutation::Mutants;
use clew_symbolic::config::Config;
use clew_symbolic::stub::Stubs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A constant may become a pointer.
const LENIENT: [&str; 2] = ["-Wno-int-conversion", "-Wno-incompatible-pointer-types"];

/// What is done with mutants, and with the inputs of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refine {
    /// Whether tests are measured by the mutants that they kill; with `true` every test that kills a mutant is named.
    pub measured: Option<bool>,
    /// Whether inputs are made small, and then such that mutants are killed.
    pub telling: bool,
    /// Whether mutants that survive are killed by further tests, or proved to be the same function.
    pub settle: bool,
}

/// The native build of some functions of a program.
#[derive(Debug)]
pub struct Natives<'a> {
    program: &'a Program,
    functions: Vec<FunctionId>,
    /// How the units are compiled.
    builds: Vec<Option<Build>>,
    options: Options,
    stubs: Arc<Stubs>,
    binary: OnceLock<Result<Arc<Binary>, BuildError>>,
    /// Which tests are run in an optimised build, too.
    pub(super) optimised: Optimised,
    /// That build.
    other: OnceLock<Result<Arc<Binary>, BuildError>>,
    /// What is done with mutants and inputs.
    pub(super) refine: Refine,
    /// The build that holds all mutants.
    mutants: OnceLock<Result<(Arc<Binary>, Mutants), BuildError>>,
    /// What runs inputs instead of a native build, until it is asked for.
    given: Mutex<Option<Box<dyn Executor>>>,
}

impl<'a> Natives<'a> {
    /// Prepares to build functions the way the program's units are compiled; `config` says what is to be stubbed.
    pub fn new(
        program: &'a Program,
        builds: &[Option<Build>],
        functions: &[FunctionId],
        config: &Config,
        sanitize: bool,
    ) -> Natives<'a> {
        let mut options = Options { sanitize, ..options(builds.iter().flatten().next()) };
        let stubs = Arc::new(Stubs::of(program, &config.stubbing));
        options.stubs = stubs.answering.union(&stubs.allocating).copied().collect();
        options.allocations = stubs.allocating.iter().copied().collect();
        options.readings = readings::flags(program, &options).unwrap_or_default();
        Natives {
            program,
            functions: functions.to_vec(),
            builds: builds.to_vec(),
            options,
            stubs,
            binary: OnceLock::new(),
            optimised: Optimised::Never,
            other: OnceLock::new(),
            refine: Refine::default(),
            mutants: OnceLock::new(),
            given: Mutex::default(),
        }
    }

    /// The same with an executor instead of the native build, for one function.
    pub fn instead(self, executor: Box<dyn Executor>) -> Natives<'a> {
        Natives { given: Mutex::new(Some(executor)), ..self }
    }

    /// What runs inputs of a function.
    pub(crate) fn executor(
        &self,
        function: FunctionId,
        observe: &[GlobalId],
    ) -> Result<Box<dyn Executor + 'a>, BuildError> {
        if let Some(given) = self.given.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Ok(given);
        }
        Ok(Box::new(self.of(function, observe)?))
    }

    /// How the units of the program are compiled.
    pub(super) fn builds(&self) -> &[Option<Build>] {
        &self.builds
    }

    /// The stubs of the program.
    pub fn stubs(&self) -> Arc<Stubs> {
        Arc::clone(&self.stubs)
    }

    /// Flags under which volatile memory may change between two readings; none where it cannot.
    pub fn readings(&self) -> &[String] {
        &self.options.readings
    }

    /// The same with tests of some functions run in an optimised build, too; or in one that is not, if this one is.
    pub fn also_optimised(self, optimised: Optimised) -> Natives<'a> {
        Natives { optimised, ..self }
    }

    /// The same with tests measured by mutants, and with inputs chosen.
    pub fn refining(self, refine: Refine) -> Natives<'a> {
        Natives { refine, ..self }
    }

    /// The same with what is built kept in a folder, for other processes that test the same functions.
    pub fn kept_in(mut self, folder: &Path) -> Natives<'a> {
        self.options.kept = Some(folder.to_owned());
        self
    }

    /// The same with libraries shared with other machines.
    pub fn shared_on(mut self, shelf: Option<&Shelf>) -> Natives<'a> {
        self.options.shelf = shelf.cloned();
        self
    }

    /// The same with several processes that run tests side by side.
    pub fn side_by_side(mut self, jobs: usize) -> Natives<'a> {
        self.options.jobs = jobs;
        self
    }

    /// The native form of a function, `observe` naming the globals of which tests report the bytes.
    ///
    /// # Errors
    ///
    /// When the program cannot be built natively, or this function cannot be called.
    pub fn of(&self, function: FunctionId, observe: &[GlobalId]) -> Result<Native<'a>, BuildError> {
        let build = || Binary::build(self.program, &self.functions, &self.options).map(Arc::new);
        let binary = self.binary.get_or_init(build).clone()?;
        Native::new(self.program, binary, function, observe)
    }

    /// The same in the build that holds all mutants, with these.
    pub(super) fn of_mutants(
        &self,
        function: FunctionId,
        observe: &[GlobalId],
    ) -> Result<(Native<'a>, &Mutants), BuildError> {
        let built = self.mutants.get_or_init(|| self.build_mutants()).as_ref().map_err(Clone::clone)?;
        Ok((Native::new(self.program, Arc::clone(&built.0), function, observe)?, &built.1))
    }

    /// Builds all mutants of the functions at once; those that do not compile are left out.
    fn build_mutants(&self) -> Result<(Arc<Binary>, Mutants), BuildError> {
        let mut mutants = Mutants::of(self.program, &self.functions);
        let mut options = Options { readings: Vec::new(), ..self.options.clone() };
        options.flags.extend(LENIENT.map(str::to_owned));
        for _ in 0..policy::MAX_MUTANT_BUILDS.size() {
            let texts = mutants.texts(self.program);
            let texts = texts.ok_or_else(|| BuildError::Unsupported("conditions are no expressions".to_owned()))?;
            match Binary::of_mutants(self.program, &self.functions, &options, texts.texts, clew_mutation::CHOICE) {
                Ok(binary) => return Ok((Arc::new(binary), mutants)),
                Err(BuildError::Compiler { command, message }) => {
                    let fewer = mutants.without_lines(self.program, &named_lines(&message));
                    if fewer.list.len() == mutants.list.len() {
                        return Err(BuildError::Compiler { command, message });
                    }
                    mutants = fewer;
                }
                Err(error) => return Err(error),
            }
        }
        Err(BuildError::Unsupported("mutants do not compile".to_owned()))
    }

    /// The build that holds all mutants with sanitizers, for one function.
    pub(super) fn of_sanitized_mutants(
        &self,
        function: FunctionId,
        observe: &[GlobalId],
    ) -> Result<Native<'a>, BuildError> {
        let (_, mutants) = self.of_mutants(function, observe)?;
        let mut options = Options { readings: Vec::new(), sanitize: true, ..self.options.clone() };
        options.flags.extend(LENIENT.map(str::to_owned));
        let texts = mutants.texts(self.program);
        let texts = texts.ok_or_else(|| BuildError::Unsupported("conditions are no expressions".to_owned()))?;
        let binary = Binary::of_mutants(self.program, &self.functions, &options, texts.texts, clew_mutation::CHOICE)?;
        Native::new(self.program, Arc::new(binary), function, observe)
    }

    /// The same in the optimised build, which is given up if it takes longer than so much time.
    pub(super) fn of_optimised(
        &self,
        function: FunctionId,
        observe: &[GlobalId],
        time: Option<Duration>,
    ) -> Result<Native<'a>, BuildError> {
        let build = || {
            let flags = otherwise_optimised(&self.options.flags);
            let deadline = time.map(|time| Instant::now() + time);
            let options = Options { flags, deadline, ..self.options.clone() };
            Binary::build(self.program, &self.functions, &options).map(Arc::new)
        };
        let binary = self.other.get_or_init(build).clone()?;
        Native::new(self.program, binary, function, observe)
    }
}

/// Options that compile as a unit is compiled.
pub fn options(build: Option<&Build>) -> Options {
    let Some(build) = build else { return Options::default() };
    let Build { compiler, flags, directory, .. } = build.clone();
    Options { compiler, flags, directory, ..Options::default() }
}

/// Flags with `-O2` where they ask for no optimisation, with `-O0` where they do.
fn otherwise_optimised(flags: &[String]) -> Vec<String> {
    let is_level = |flag: &&String| flag.starts_with("-O");
    let level = if flags.iter().rfind(is_level).is_none_or(|last| last == "-O0") { "-O2" } else { "-O0" };
    flags.iter().filter(|flag| !is_level(flag)).cloned().chain([level.to_owned()]).collect()
}
