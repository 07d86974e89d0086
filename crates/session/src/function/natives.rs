//! The native build of a program: made when the first function asks for it, and shared by all.

use super::Executor;
use super::optimised::Optimised;
use clew_execute::blobs::Shelf;
use clew_execute::native::{Binary, BuildError, Native, Options, readings};
use clew_frontend::Build;
use clew_ir::{FunctionId, GlobalId, Program};
use clew_symbolic::config::Config;
use clew_symbolic::stub::Stubs;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The native build of some functions of a program.
#[derive(Debug)]
pub struct Natives<'a> {
    program: &'a Program,
    functions: Vec<FunctionId>,
    options: Options,
    stubs: Arc<Stubs>,
    binary: OnceLock<Result<Arc<Binary>, BuildError>>,
    /// Which tests are run in an optimised build, too.
    pub(super) optimised: Optimised,
    /// That build.
    other: OnceLock<Result<Arc<Binary>, BuildError>>,
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
            options,
            stubs,
            binary: OnceLock::new(),
            optimised: Optimised::Never,
            other: OnceLock::new(),
            given: Mutex::default(),
        }
    }

    /// The same with an executor instead of the native build, for one function.
    pub fn instead(self, executor: Box<dyn Executor>) -> Natives<'a> {
        Natives { given: Mutex::new(Some(executor)), ..self }
    }

    /// What runs inputs of a function.
    pub(super) fn executor(
        &self,
        function: FunctionId,
        observe: &[GlobalId],
    ) -> Result<Box<dyn Executor + 'a>, BuildError> {
        if let Some(given) = self.given.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Ok(given);
        }
        Ok(Box::new(self.of(function, observe)?))
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
