//! The native build of a program: made when the first function asks for it, and shared by all.

use clew_execute::native::{Binary, BuildError, Native, Options};
use clew_explore::config::Config;
use clew_explore::stub::Stubs;
use clew_frontend::Build;
use clew_ir::{FunctionId, GlobalId, Program};
use std::sync::{Arc, OnceLock};

/// The native build of some functions of a program.
#[derive(Debug)]
pub struct Natives<'a> {
    program: &'a Program,
    functions: Vec<FunctionId>,
    options: Options,
    binary: OnceLock<Result<Arc<Binary>, BuildError>>,
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
        let mut options = Options { sanitize, ..Options::default() };
        let stubs = Stubs::of(program, config);
        options.stubs = stubs.answering.union(&stubs.allocating).copied().collect();
        options.allocations = stubs.allocating.into_iter().collect();
        if let Some(build) = builds.iter().flatten().next() {
            options.compiler = build.compiler.clone();
            options.flags = build.flags.clone();
            options.directory = build.directory.clone();
        }
        Natives { program, functions: functions.to_vec(), options, binary: OnceLock::new() }
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
}
