//! Tests on the real machine: instrumented source, the user's compiler, processes under limits.
//!
//! [`Binary::build`] wraps every condition and every `switch` of the preprocessed source in a probe (`instrument`),
//! appends calls of the functions under test (`harness`) and compiles that with the user's compiler and flags into a
//! library, once for all functions. A fork server (`server.c`) loads it. [`Native::run`] sends an [`Input`] to the
//! server, which forks a process that sets up globals and objects, calls the function and leaves result, objects and
//! trace in shared memory.
//!
//! Tests that end as C defines may share a process, whose memory is put back between them ([`Native::run_all`]). The
//! server falls back to a process for each test by itself; what is observed is the same. All others have a process of
//! their own. Each runs under limits on time, memory, files and processes, without network, in an empty
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
pub use cache::{identity, is_for_this_machine};
use clew_ir::{Callee, FunctionId, GlobalId, InstKind, Program};
use compile::Names;
pub use constructor::has_constructors;
pub use error::{BuildError, Error};
use harness::Harness;
pub use options::{Limits, Options};
use probe::Probe;
use protocol::{RawEnding, Response};
use server::{Request, Server};
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
        let units = program.sources.units.ids();
        let texts = units.map(|unit| instrument::instrument(program, unit, &probes)).collect::<Result<_, _>>()?;
        Binary::compile(program, functions, options, Texts { texts, probes, choice: None })
    }

    /// Compiles texts that hold mutants instead of the program's own: a variable of theirs, which is named, has two
    /// words of four bytes, the number of the mutant and how much work it may do.
    ///
    /// # Errors
    ///
    /// As for the program itself.
    pub fn of_mutants(
        program: &Program,
        functions: &[FunctionId],
        options: &Options,
        texts: Vec<String>,
        choice: &str,
    ) -> Result<Binary, BuildError> {
        Binary::compile(program, functions, options, Texts { texts, probes: Vec::new(), choice: Some(choice) })
    }

    fn compile(
        program: &Program,
        functions: &[FunctionId],
        options: &Options,
        Texts { texts, probes, choice }: Texts<'_>,
    ) -> Result<Binary, BuildError> {
        let symbols = Symbols::collect(program);
        let defined = |id: &FunctionId| program.functions[*id].is_defined();
        let functions: Vec<FunctionId> = functions.iter().copied().filter(defined).collect();
        let harness = Harness::new(program, &functions, options, &symbols, choice);
        let mut units = Vec::new();
        for (unit, instrumented) in program.sources.units.ids().zip(texts) {
            let mut text = stub::renames(program, &options.stubs);
            text.push_str(&constructor::disarmed(instrumented));
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
            warm.push(server(&workspace, &servers, executable)?);
        }
        let warm_up = || warm.iter_mut().for_each(Server::warm_up);
        let build = || compile::library(&workspace, &units, &names, options, warm_up);
        let library = match &options.kept {
            Some(folder) => cache::library(folder, &units, &names, options, build),
            None => cache::remembered(&workspace, &units, &names, options, build),
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

/// What is compiled.
struct Texts<'a> {
    /// The text of every unit.
    texts: Vec<String>,
    /// The probes in them.
    probes: Vec<Probe>,
    /// The variable that selects a mutant, if they hold some.
    choice: Option<&'a str>,
}

/// A server with a directory of its own.
fn server(workspace: &Workspace, servers: &AtomicUsize, executable: &Path) -> Result<Server, BuildError> {
    let number = servers.fetch_add(1, Ordering::Relaxed);
    let directory = workspace.directory(&format!("work{number}"));
    let directory = directory.map_err(BuildError::io("create a temporary directory"))?;
    Ok(Server::new(executable.to_owned(), directory))
}

/// A test to run.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Its input.
    pub input: &'a Input,
    /// Whether it is expected to end as C defines, so that it may run in one process with others.
    pub may_share: bool,
    /// The mutant that is run, and how much work it may do, where the native form holds some.
    pub mutant: Option<(u32, u32)>,
}

impl<'a> Job<'a> {
    /// A run in a process of its own.
    pub fn alone(input: &'a Input) -> Job<'a> {
        Job { input, may_share: false, mutant: None }
    }
}

/// What was observed, and whether other tests ran in the same process.
struct Observed {
    observation: Observation,
    is_shared: bool,
    /// What the run recorded, where nothing is known of probes: numbers of places of mutants.
    places: Vec<u32>,
}

/// Tests with processes of their own that keep one server busy for a while.
const ALONE_PER_SERVER: usize = 8;

/// Tests that the server could not run in one process before no more are asked to share one.
const MOST_FALLEN_BACK: usize = 64;

/// Of so many tests that share a process, about one is run again in its own: first, and when there were many.
const SAMPLED: [u64; 2] = [64, 256];

/// Whether the test of a number is run in both ways: the first one, and others at random.
fn is_chosen(number: u64) -> bool {
    let mixed = (number ^ (number >> 3)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32;
    number == 0 || mixed.is_multiple_of(SAMPLED[usize::from(number >= SAMPLED[1])])
}

/// A function ready for native execution.
#[derive(Debug)]
pub struct Native<'a> {
    program: &'a Program,
    /// Sizes of the arguments, where known.
    arguments: Vec<Option<u64>>,
    observe: Vec<GlobalId>,
    servers: Vec<Server>,
    /// Processor time that each test has.
    time: Duration,
    /// Whether every test has a process of its own from now on.
    is_apart: bool,
    /// Tests so far that shared a process.
    shared: u64,
    /// Whether a test went otherwise in a process of its own than in one it shared.
    is_doubtful: bool,
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
        let (is_apart, time, observe) = (binary.options.sanitize, binary.options.limits.time, observe.to_vec());
        Ok(Native { program, arguments, observe, servers, time, is_apart, shared: 0, is_doubtful: false, binary })
    }

    /// Has tests end after so much processor time from now on, instead of what the options say.
    pub fn limit_time(&mut self, time: Duration) {
        self.time = time;
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

    /// Runs many tests, each in a process of its own; results are in the order of the inputs.
    pub fn run_batch(&mut self, inputs: &[Input]) -> Vec<Result<Observation, Error>> {
        let jobs: Vec<Job<'_>> = inputs.iter().map(Job::alone).collect();
        self.spread(&jobs).into_iter().map(|result| Ok(result?.observation)).collect()
    }

    /// Runs many tests, those in one process that may; results are in the order of the jobs.
    ///
    /// Some of those that shared a process, chosen at random but the same each time, are run again in a process of their
    /// own. Where that makes a difference, all are, and no test shares a process from then on.
    pub fn run_all(&mut self, jobs: &[Job<'_>]) -> Vec<Result<Observation, Error>> {
        let results = self.spread(jobs);
        let is_wrong = !self.confirms(jobs, &results);
        self.is_doubtful |= is_wrong;
        if is_wrong {
            self.keep_apart();
            return self.spread(jobs).into_iter().map(|result| Ok(result?.observation)).collect();
        }
        results.into_iter().map(|result| Ok(result?.observation)).collect()
    }

    /// Runs mutants, or where none is selected the original, with the numbers of the places of mutants that it comes to.
    pub fn run_mutants(&mut self, jobs: &[Job<'_>]) -> Vec<Result<(Observation, Vec<u32>), Error>> {
        self.spread(jobs).into_iter().map(|result| result.map(|it| (it.observation, it.places))).collect()
    }

    /// Has every test run in a process of its own from now on.
    pub fn keep_apart(&mut self) {
        self.is_apart = true;
    }

    /// How many tests shared a process so far.
    pub fn shared(&self) -> u64 {
        self.shared
    }

    /// Whether every test runs in a process of its own.
    pub fn is_apart(&self) -> bool {
        self.is_apart
    }

    /// Whether a test went otherwise in a process of its own than in one it shared: then earlier observations are to be
    /// made again.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// Runs some of the tests that shared a process in their own; whether nothing differs.
    fn confirms(&mut self, jobs: &[Job<'_>], results: &[Result<Observed, Error>]) -> bool {
        let mut chosen = Vec::new();
        for (job, result) in jobs.iter().zip(results) {
            let Some(observed) = result.as_ref().ok().filter(|observed| observed.is_shared) else { continue };
            if is_chosen(self.shared) {
                chosen.push((*job, &observed.observation));
            }
            self.shared += 1;
        }
        let again: Vec<Job<'_>> = chosen.iter().map(|(job, _)| Job { may_share: false, ..*job }).collect();
        let again = if again.is_empty() { Vec::new() } else { self.spread(&again) };
        let mut pairs = chosen.iter().zip(again);
        pairs.all(|((_, observation), alone)| alone.is_ok_and(|alone| alone.observation == **observation))
    }

    /// Runs tests on as many servers as they keep busy.
    fn spread(&mut self, jobs: &[Job<'_>]) -> Vec<Result<Observed, Error>> {
        let asked = |job: &Job<'_>| job.may_share && !self.is_apart;
        let alone = jobs.iter().filter(|job| !asked(job)).count();
        let wanted = self.servers.len().min(1 + alone / ALONE_PER_SERVER);
        let share = jobs.len().div_ceil(wanted).max(1);
        let mut servers = std::mem::take(&mut self.servers);
        let results: Vec<Result<Observed, Error>> = match servers.first_mut() {
            Some(server) if wanted == 1 => self.run_on(server, jobs),
            _ => std::thread::scope(|scope| {
                let shared = &*self;
                let pairs = servers.iter_mut().zip(jobs.chunks(share));
                let workers: Vec<_> =
                    pairs.map(|(server, jobs)| scope.spawn(move || shared.run_on(server, jobs))).collect();
                workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
            }),
        };
        self.servers = servers;
        let fell_back = |(job, result): &(&Job<'_>, &Result<Observed, Error>)| {
            asked(job) && result.as_ref().is_ok_and(|observed| !observed.is_shared)
        };
        let fallen_back = jobs.iter().zip(&results).filter(fell_back).count();
        self.is_apart |= fallen_back > MOST_FALLEN_BACK;
        results
    }

    /// Ends the processes that run tests; the next test starts them again.
    pub fn kill_servers(&mut self) {
        self.servers.iter_mut().for_each(Server::kill);
    }

    fn run_on(&self, server: &mut Server, jobs: &[Job<'_>]) -> Vec<Result<Observed, Error>> {
        let (mut good, mut refused) = (Vec::with_capacity(jobs.len()), Vec::with_capacity(jobs.len()));
        for job in jobs {
            let request = self.request(job);
            refused.push(match request {
                Ok(bytes) => {
                    good.push(Request { bytes, may_share: job.may_share && !self.is_apart });
                    None
                }
                Err(error) => Some(error),
            });
        }
        let mut responses = server.run(&good).into_iter();
        let answers = refused.into_iter().zip(jobs).map(|(refused, job)| {
            refused.map_or(Ok(()), Err)?;
            let response = responses.next().expect("every request gets its response")?;
            let is_shared = response.shared;
            let is_known = !self.binary.probes.is_empty();
            let places = if is_known { Vec::new() } else { response.trace.iter().map(|word| word >> 1).collect() };
            Ok(Observed { observation: self.observation(job.input, response)?, is_shared, places })
        });
        answers.collect()
    }

    fn request(&self, job: &Job<'_>) -> Result<Vec<u8>, Error> {
        let input = job.input;
        let fits = |(content, size): (&crate::input::Content, &Option<u64>)| {
            size.is_none_or(|size| size == content.bytes.len() as u64)
        };
        let mut calls = input.earlier.iter().map(|call| &call.arguments).chain([&input.arguments]);
        if !calls.all(|given| given.len() == self.arguments.len() && given.iter().zip(&self.arguments).all(fits)) {
            return Err(Error::Unsupported("the arguments do not fit the parameters".to_owned()));
        }
        let Binary { symbols, options, .. } = &*self.binary;
        protocol::request(self.program, symbols, options, self.time, job)
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
        let (path, repeats) = probe::decode(&self.binary.probes, &response.trace);
        Ok(Observation {
            path,
            repeats,
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
    let row = clew_library::lookup(&program.functions[function].name);
    row.is_some_and(|row| row.effects.frees.is_some())
}

#[cfg(test)]
mod tests {
    use super::is_chosen;

    #[test]
    fn about_one_test_in_many_is_run_both_ways() {
        assert!(is_chosen(0));
        let chosen = |numbers: std::ops::Range<u64>| numbers.filter(|number| is_chosen(*number)).count();
        assert!((2..12).contains(&chosen(0..256)), "{}", chosen(0..256));
        assert!((300..500).contains(&chosen(256..100_000)), "{}", chosen(256..100_000));
    }
}
