//! One fork server: a process that is started again when a test brings it down.
//!
//! The process can be started before there is anything to run: it isolates itself while the library is being built, and
//! is told its settings with the first test.

use super::error::Error;
use super::protocol::Response;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// How often a test may bring the server down before it is given up.
const ATTEMPTS: usize = 2;

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
    pub(super) fn run(&mut self, requests: &[&[u8]]) -> Vec<Result<Response, Error>> {
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
    fn run_until_lost(&mut self, requests: &[&[u8]], results: &mut Vec<Result<Response, Error>>) -> Result<(), Error> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        let (sink, source) = (&mut process.requests, &mut process.responses);
        let child = &mut process.child;
        let lost = std::thread::scope(|scope| {
            // A failed write means that the server is gone, which the reader notices.
            scope.spawn(move || requests.iter().try_for_each(|request| sink.write_all(request)).is_ok());
            for _ in requests {
                match Response::read(source) {
                    Ok(response) => results.push(Ok(response)),
                    Err(_) => {
                        let _ = child.kill();
                        return true;
                    }
                }
            }
            false
        });
        if lost {
            let _ = process.child.wait();
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
            let _ = process.child.wait();
            return Err(Error::Unsupported(complaint));
        }
        Ok(process)
    }

    fn spawn(&self) -> Result<Process, Error> {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.directory).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let what = || format!("run {} (is the temporary directory mounted noexec?)", self.executable.display());
        let mut child = spawn(&mut command).map_err(Error::io(what()))?;
        let requests = child.stdin.take().expect("standard input is piped");
        let responses = child.stdout.take().expect("standard output is piped");
        Ok(Process { child, requests, responses: BufReader::with_capacity(1 << 16, responses) })
    }
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
        for mut process in [self.fresh.take(), self.process.take()].into_iter().flatten() {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}
