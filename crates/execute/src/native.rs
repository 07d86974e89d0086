//! Tests on the real machine: instrumented source, the user's compiler, one process per test.
//!
//! [`Binary::build`] wraps every condition and every `switch` of the preprocessed source in a probe (`instrument`),
//! appends calls of the functions under test (`harness`) and compiles that with the user's compiler and flags into a
//! library, once for all functions. A fork server (`server.c`) loads it. [`Native::run`] sends an [`Input`] to the
//! server, which forks a process that sets up globals and objects, calls the function and leaves result, objects and
//! trace in shared memory.
//!
//! Each test runs in its own process under limits on time, memory, files and processes, without network, in an empty
//! directory of its own. Objects that tests may not free end where inaccessible memory begins, so that reading or
//! writing past their end is seen even without sanitizers; where the program calls `free` or `realloc` they come from
//! `malloc`. A tool run by root runs tests as a user without rights, because no limit on processes binds root. Linux only.
//!
//! Not seen: `static` variables of functions cannot be set or observed. Where C leaves the order of evaluation open
//! (arguments of a call), the trace has the order the compiler chose.

mod agree;
pub mod arithmetic;
mod builtin;
mod cache;
mod compile;
mod constructor;
mod error;
pub mod fixed;
mod harness;
mod instrument;
mod options;
mod probe;
mod protocol;
pub mod readings;
mod sanitizer;
mod server;
mod stub;
mod symbol;
mod workspace;

use crate::input::Input;
use crate::observation::{Ending, Observation};
pub use agree::{Divergence, agrees};
pub use builtin::own_flags;
use clew_ir::{Callee, FunctionId, GlobalId, InstKind, Program};
use compile::Names;
pub use constructor::has_constructors;
pub use error::{BuildError, Error};
use harness::Harness;
pub use options::{Limits, Options};
use probe::Probe;
use protocol::{RawEnding, Response};
use server::Server;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
pub use stub::{extra_places, is_missing, never_returns};
use symbol::Symbols;
pub use symbol::addressed;
pub use workspace::{Workspace, remove_all as remove_workspaces};

/// Functions of a program compiled for native execution.
#[derive(Debug)]
pub struct Binary {
    options: Options,
    /// The numbers of the functions that can be called, or why there is none.
    entries: BTreeMap<FunctionId, Result<u32, BuildError>>,
    symbols: Symbols,
    probes: Vec<Probe>,
    /// The fork server.
    executable: PathBuf,
    /// The units under test.
    library: PathBuf,
    /// Servers started while the library was being built.
    warm: Mutex<Vec<Server>>,
    workspace: Workspace,
    /// Directories given to servers so far.
    servers: AtomicUsize,
}

impl Binary {
    /// Instruments and compiles the program for tests of some of its functions.
    ///
    /// # Errors
    ///
    /// When the compiler refuses the instrumented source, or the system refuses files or processes. A single function
    /// that cannot be called is an error only when it is asked for.
    pub fn build(program: &Program, functions: &[FunctionId], options: &Options) -> Result<Binary, BuildError> {
        let probes = probe::collect(program);
        let symbols = Symbols::collect(program);
        let defined = |id: &FunctionId| program.functions[*id].is_defined();
        let functions: Vec<FunctionId> = functions.iter().copied().filter(defined).collect();
        let harness = Harness::new(program, &functions, options, &symbols);
        let mut units = Vec::new();
        for unit in program.sources.units.ids() {
            let mut text = stub::renames(program, &options.stubs);
            text.push_str(&constructor::disarmed(instrument::instrument(program, unit, &probes)?));
            text.push_str(&harness.text(unit)?);
            units.push(text);
        }
        let entries = harness.entries();
        let workspace = Workspace::new().map_err(BuildError::io("create a temporary directory"))?;
        let is_closed = symbol::is_closed(program);
        let names = Names { rooms: harness::rooms(program), own: own_flags(program), is_closed };
        let options = &stub::flags(program, options);
        let building = compile::Server::start(&workspace, options)?;
        let servers = AtomicUsize::new(0);
        let mut warm = Vec::new();
        if let compile::Server::Ready(executable) = &building {
            for _ in 0..options.jobs {
                warm.push(server(&workspace, &servers, executable)?);
            }
        }
        let warm_up = || warm.iter_mut().for_each(Server::warm_up);
        let build = || compile::library(&workspace, &units, &names, options, warm_up);
        let library = match &options.kept {
            Some(folder) => cache::library(folder, &units, options, build),
            None => build(),
        };
        let executable = building.finish()?;
        let (options, warm) = (options.clone(), Mutex::new(warm));
        Ok(Binary { options, entries, symbols, probes, executable, library: library?, warm, workspace, servers })
    }

    /// A server of its own for a function.
    fn server(&self, settings: Vec<u8>) -> Result<Server, BuildError> {
        let warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut server = warm.map_or_else(|| server(&self.workspace, &self.servers, &self.executable), Ok)?;
        server.set_up(settings);
        Ok(server)
    }
}

/// A server with a directory of its own.
fn server(workspace: &Workspace, servers: &AtomicUsize, executable: &Path) -> Result<Server, BuildError> {
    let number = servers.fetch_add(1, Ordering::Relaxed);
    let directory = workspace.directory(&format!("work{number}"));
    let directory = directory.map_err(BuildError::io("create a temporary directory"))?;
    Ok(Server::new(executable.to_owned(), directory))
}

/// A function ready for native execution.
#[derive(Debug)]
pub struct Native<'a> {
    program: &'a Program,
    /// Sizes of the arguments, where known.
    arguments: Vec<Option<u64>>,
    observe: Vec<GlobalId>,
    /// The number of the function.
    entry: u32,
    servers: Vec<Server>,
    /// Holds the files the servers are started from.
    binary: Arc<Binary>,
}

impl<'a> Native<'a> {
    /// Instruments and compiles the program for tests of one function.
    ///
    /// # Errors
    ///
    /// When the function has no body, a type cannot be expressed, the compiler refuses the instrumented source, or the
    /// system refuses files or processes.
    pub fn build(program: &'a Program, function: FunctionId, options: &Options) -> Result<Native<'a>, BuildError> {
        if !program.functions[function].is_defined() {
            return Err(BuildError::NotDefined(program.functions[function].name.clone()));
        }
        let binary = Arc::new(Binary::build(program, &[function], options)?);
        Native::new(program, binary, function, &options.observe)
    }

    /// Takes a function from what was compiled for several; `observe` names globals whose bytes are reported after each
    /// test.
    ///
    /// # Errors
    ///
    /// When the function is none of those compiled for, a type cannot be expressed, or the system refuses files.
    pub fn new(
        program: &'a Program,
        binary: Arc<Binary>,
        function: FunctionId,
        observe: &[GlobalId],
    ) -> Result<Native<'a>, BuildError> {
        let entry = match binary.entries.get(&function) {
            Some(Ok(entry)) => *entry,
            Some(Err(error)) => return Err(error.clone()),
            None => return Err(BuildError::NotDefined(program.functions[function].name.clone())),
        };
        let settings = protocol::settings(program, &binary.symbols, &binary.options, entry, observe, &binary.library);
        let settings = settings.map_err(|error| BuildError::Unsupported(error.to_string()))?;
        let servers = (0..binary.options.jobs.max(1)).map(|_| binary.server(settings.clone()));
        let servers = servers.collect::<Result<_, _>>()?;
        let pointer_bytes = program.target.pointer_bytes();
        let sizes = harness::c_params(program, function).into_iter();
        let arguments = sizes.map(|ty| program.ctypes.size_of(ty, pointer_bytes)).collect();
        Ok(Native { program, arguments, observe: observe.to_vec(), entry, servers, binary })
    }

    /// Has tests end after so much processor time from now on, instead of what the options say.
    pub fn limit_time(&mut self, time: Duration) {
        let Binary { symbols, options, library, .. } = &*self.binary;
        let options = Options { limits: Limits { time, ..options.limits }, ..options.clone() };
        let settings = protocol::settings(self.program, symbols, &options, self.entry, &self.observe, library);
        let settings = settings.expect("it could be said when the servers were set up");
        self.kill_servers();
        self.servers.iter_mut().for_each(|server| server.set_up(settings.clone()));
    }

    /// Runs one test.
    ///
    /// # Errors
    ///
    /// When the input does not fit the function or the system refuses a process. How the test itself ends is part of
    /// the observation.
    pub fn run(&mut self, input: &Input) -> Result<Observation, Error> {
        self.run_batch(std::slice::from_ref(input)).pop().expect("every input gets its result")
    }

    /// Runs many tests, spread over the servers; results are in the order of the inputs.
    pub fn run_batch(&mut self, inputs: &[Input]) -> Vec<Result<Observation, Error>> {
        let share = inputs.len().div_ceil(self.servers.len()).max(1);
        let mut servers = std::mem::take(&mut self.servers);
        let results = std::thread::scope(|scope| {
            let shared = &*self;
            let pairs = servers.iter_mut().zip(inputs.chunks(share));
            let workers: Vec<_> =
                pairs.map(|(server, inputs)| scope.spawn(move || shared.run_on(server, inputs))).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
        });
        self.servers = servers;
        results
    }

    /// Ends the processes that run tests; the next test starts them again.
    pub fn kill_servers(&mut self) {
        self.servers.iter_mut().for_each(Server::kill);
    }

    fn run_on(&self, server: &mut Server, inputs: &[Input]) -> Vec<Result<Observation, Error>> {
        let requests: Vec<Result<Vec<u8>, Error>> = inputs.iter().map(|input| self.request(input)).collect();
        let good: Vec<&[u8]> = requests.iter().filter_map(|request| request.as_deref().ok()).collect();
        let mut responses = server.run(&good).into_iter();
        let answers = requests.into_iter().zip(inputs).map(|(request, input)| {
            request?;
            let response = responses.next().expect("every request gets its response")?;
            self.observation(input, response)
        });
        answers.collect()
    }

    fn request(&self, input: &Input) -> Result<Vec<u8>, Error> {
        let fits = |(content, size): (&crate::input::Content, &Option<u64>)| {
            size.is_none_or(|size| size == content.bytes.len() as u64)
        };
        let mut calls = input.earlier.iter().map(|call| &call.arguments).chain([&input.arguments]);
        if !calls.all(|given| given.len() == self.arguments.len() && given.iter().zip(&self.arguments).all(fits)) {
            return Err(Error::Unsupported("the arguments do not fit the parameters".to_owned()));
        }
        protocol::request(self.program, &self.binary.symbols, &self.binary.options, input)
    }

    fn observation(&self, input: &Input, response: Response) -> Result<Observation, Error> {
        let ending = match response.ending {
            RawEnding::Returned => Ending::Returned,
            RawEnding::Exited(status) if self.binary.options.sanitize && status == sanitizer::STATUS => {
                let line = sanitizer::first_line(&response.output);
                line.map_or(Ending::Exited(status), Ending::Sanitizer)
            }
            RawEnding::Exited(status) => Ending::Exited(status),
            RawEnding::Signalled(signal) => Ending::Signalled(signal),
            RawEnding::TimedOut => Ending::TimedOut,
            RawEnding::Stopped => Ending::Stopped,
            RawEnding::Refused => return Err(Error::Refused),
        };
        let mut rest = response.reply.as_slice();
        let result = cut(&mut rest, response.result_bytes).unwrap_or_default();
        let objects = input.objects.iter().map_while(|object| cut(&mut rest, object.content.bytes.len())).collect();
        let sizes = self.observe.iter().map(|&global| self.program.globals[global].size as usize);
        let globals = sizes.map_while(|size| cut(&mut rest, size)).collect();
        let object_addresses = input.objects.iter().map_while(|_| address(&mut rest)).collect();
        let global_addresses = self.observe.iter().map_while(|_| address(&mut rest)).collect();
        let calls = stub::calls(self.program, &self.binary.options.stubs, rest);
        let path = probe::decode(&self.binary.probes, &response.trace);
        Ok(Observation {
            path,
            truncated: response.truncated,
            ending,
            result,
            objects,
            globals,
            object_addresses,
            global_addresses,
            calls,
            output: response.output,
        })
    }
}

/// The first `size` bytes, if there are as many.
fn cut(rest: &mut &[u8], size: usize) -> Option<Vec<u8>> {
    let (first, after) = rest.split_at_checked(size)?;
    *rest = after;
    Some(first.to_vec())
}

/// The next address; the server gives each as eight bytes.
fn address(rest: &mut &[u8]) -> Option<u64> {
    let bytes = cut(rest, size_of::<u64>())?;
    Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

/// Whether the program may free or resize an object it is given: it calls a function that does, or could by pointer.
pub fn frees(program: &Program) -> bool {
    let insts = program.functions.values().flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    let called = insts.filter_map(|inst| match inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
        _ => None,
    });
    called.chain(symbol::addressed(program)).any(|function| releases(program, function))
}

/// Whether a function is one that frees or resizes what it is given.
pub fn releases(program: &Program, function: FunctionId) -> bool {
    matches!(program.functions[function].name.as_str(), "free" | "realloc" | "reallocarray")
}
