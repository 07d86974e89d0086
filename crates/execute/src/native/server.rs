//! One fork server: a process that is started again when a test brings it down.
//!
//! The process can be started before there is anything to run: it isolates itself while the library is being built, and
//! is told its settings with the first test.

use super::error::Error;
use super::protocol::{self, Response};
use nix::sys::personality::{self, Persona};
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// How often a test may bring the server down before it is given up.
const ATTEMPTS: usize = 2;

/// Tests that may share a process, and the bytes of their requests, at most.
const GROUP: usize = 256;
const GROUP_BYTES: usize = 1 << 20;

/// What a pipe takes without a reader.
const PIPE_BYTES: usize = 1 << 16;

/// How often to try to start a program that is busy, and the pause between.
const BUSY_ATTEMPTS: u32 = 200;
const BUSY_PAUSE: Duration = Duration::from_millis(1);

/// A fork server.
#[derive(Debug)]
pub(super) struct Server {
    executable: PathBuf,
    /// The working directory of the tests.
    directory: PathBuf,
    /// What a process is told first.
    settings: Vec<u8>,
    /// A process that was told nothing yet.
    fresh: Option<Process>,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    requests: ChildStdin,
    responses: BufReader<ChildStdout>,
}

impl Process {
    /// Ends the process by leaving it without requests, and waits for it: so its processor time, and that of all tests, is
    /// part of ours.
    fn end(self) {
        let Process { mut child, requests, responses } = self;
        drop((requests, responses));
        let _ = child.wait();
    }
}

/// What is asked of a server.
#[derive(Debug)]
pub(super) struct Request {
    /// The request in the layout of the protocol.
    pub(super) bytes: Vec<u8>,
    /// Whether the test may run in one process with others.
    pub(super) may_share: bool,
}

/// Requests one after the other, neighbours that may share a process in groups.
fn stream(requests: &[Request]) -> Vec<u8> {
    let mut stream = Vec::with_capacity(requests.iter().map(|request| request.bytes.len()).sum());
    let mut rest = requests;
    while let Some(first) = rest.first() {
        let mut bytes = 0;
        let fits = |request: &&Request| {
            bytes += request.bytes.len();
            request.may_share && bytes <= GROUP_BYTES
        };
        let count = rest.iter().take(GROUP).take_while(fits).count().max(1);
        let start = stream.len();
        stream.extend(&first.bytes);
        protocol::set_group(&mut stream[start..], count as u32);
        rest[1..count].iter().for_each(|request| stream.extend(&request.bytes));
        rest = &rest[count..];
    }
    stream
}

/// Reads so many responses; `false` if the server is gone before.
fn read_responses(from: &mut impl Read, count: usize, results: &mut Vec<Result<Response, Error>>) -> bool {
    for _ in 0..count {
        match Response::read(from) {
            Ok(response) => results.push(Ok(response)),
            Err(_) => return false,
        }
    }
    true
}

impl Server {
    pub(super) fn new(executable: PathBuf, directory: PathBuf) -> Server {
        Server { executable, directory, settings: Vec::new(), fresh: None, process: None }
    }

    /// Starts the process ahead of time. Where that fails, it fails again when the process is needed.
    pub(super) fn warm_up(&mut self) {
        self.fresh = self.spawn().ok();
    }

    /// Says what the process is to be told first.
    pub(super) fn set_up(&mut self, settings: Vec<u8>) {
        self.settings = settings;
    }

    /// Runs requests in order; each gets its response, or the reason why there is none. Responses come late, several at
    /// once: after a loss, one request at a time shows which of them brings the server down.
    pub(super) fn run(&mut self, requests: &[Request]) -> Vec<Result<Response, Error>> {
        let mut results = Vec::with_capacity(requests.len());
        let mut attempts = 0;
        let mut at_once = requests.len();
        while results.len() < requests.len() {
            let before = results.len();
            let last = requests.len().min(before + at_once);
            if let Err(error) = self.run_until_lost(&requests[before..last], &mut results) {
                results.push(Err(error));
                continue;
            }
            if results.len() == last {
                attempts = 0;
                continue;
            }
            attempts += usize::from(at_once == 1);
            at_once = 1;
            if attempts >= ATTEMPTS {
                results.push(Err(Error::ServerLost));
                attempts = 0;
            }
        }
        results
    }

    /// Runs requests until they are answered or the server is lost.
    fn run_until_lost(
        &mut self,
        requests: &[Request],
        results: &mut Vec<Result<Response, Error>>,
    ) -> Result<(), Error> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        let stream = stream(requests);
        let (sink, source) = (&mut process.requests, &mut process.responses);
        // A failed write means that the server is gone, which the reader notices.
        let lost = if stream.len() <= PIPE_BYTES {
            let _ = sink.write_all(&stream);
            !read_responses(source, requests.len(), results)
        } else {
            std::thread::scope(|scope| {
                scope.spawn(|| sink.write_all(&stream).is_ok());
                !read_responses(source, requests.len(), results)
            })
        };
        if lost {
            process.end();
        } else {
            self.process = Some(process);
        }
        Ok(())
    }

    /// Kills the process, as a test might.
    pub(super) fn kill(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.child.kill();
        }
    }

    /// A process ready for requests.
    fn start(&mut self) -> Result<Process, Error> {
        let mut process = match self.fresh.take() {
            Some(process) => process,
            None => self.spawn()?,
        };
        // A server that dies at once is noticed when its greeting is read.
        let _ = process.requests.write_all(&self.settings);
        let mut complaint = String::new();
        greeting(&mut process.responses, &mut complaint).map_err(Error::io("start the process that runs tests"))?;
        if !complaint.is_empty() {
            process.end();
            return Err(Error::Unsupported(complaint));
        }
        Ok(process)
    }

    fn spawn(&self) -> Result<Process, Error> {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.directory).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let what = || format!("run {} (is the temporary directory mounted noexec?)", self.executable.display());
        let mut child = at_fixed_addresses(|| spawn(&mut command)).map_err(Error::io(what()))?;
        let requests = child.stdin.take().expect("standard input is piped");
        let responses = child.stdout.take().expect("standard output is piped");
        Ok(Process { child, requests, responses: BufReader::with_capacity(1 << 16, responses) })
    }
}

/// Has what is started find the same addresses in every run. Where that is refused, the server tries by itself.
fn at_fixed_addresses<T>(start: impl FnOnce() -> T) -> T {
    let usual = personality::get().ok();
    let is_set = usual.is_some_and(|usual| personality::set(usual | Persona::ADDR_NO_RANDOMIZE).is_ok());
    let started = start();
    if let Some(usual) = usual.filter(|_| is_set) {
        let _ = personality::set(usual);
    }
    started
}

/// Starts a program just written. A process that another thread starts at this moment may hold the file open for writing
/// until it is under way itself; then the system refuses to run it.
fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..BUSY_ATTEMPTS {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => std::thread::sleep(BUSY_PAUSE),
            other => return other,
        }
    }
    command.spawn()
}

/// Reads what the server says first: nothing, or why it cannot serve.
fn greeting(from: &mut impl Read, complaint: &mut String) -> io::Result<()> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    from.take(u64::from(u32::from_ne_bytes(length))).read_to_string(complaint)?;
    Ok(())
}

impl Drop for Server {
    fn drop(&mut self) {
        [self.fresh.take(), self.process.take()].into_iter().flatten().for_each(Process::end);
    }
}
