//! One fork server: a process that is started again when a test brings it down.

use super::error::Error;
use super::protocol::Response;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// How often a test may bring the server down before it is given up.
const ATTEMPTS: usize = 2;

/// A fork server.
#[derive(Debug)]
pub(super) struct Server {
    executable: PathBuf,
    /// The units under test.
    library: PathBuf,
    /// The working directory of the tests.
    directory: PathBuf,
    settings: Vec<u8>,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    requests: ChildStdin,
    responses: BufReader<ChildStdout>,
}

impl Server {
    pub(super) fn new(executable: PathBuf, library: PathBuf, directory: PathBuf, settings: Vec<u8>) -> Server {
        Server { executable, library, directory, settings, process: None }
    }

    /// Runs requests in order; each gets its response, or the reason why there is none.
    pub(super) fn run(&mut self, requests: &[&[u8]]) -> Vec<Result<Response, Error>> {
        let mut results = Vec::with_capacity(requests.len());
        let mut attempts = 0;
        while results.len() < requests.len() {
            let before = results.len();
            if let Err(error) = self.run_until_lost(&requests[before..], &mut results) {
                results.push(Err(error));
                continue;
            }
            attempts = if results.len() > before { 1 } else { attempts + 1 };
            if results.len() < requests.len() && attempts >= ATTEMPTS {
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

    fn start(&self) -> Result<Process, Error> {
        let mut command = Command::new(&self.executable);
        command
            .arg(&self.library)
            .current_dir(&self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let what = || format!("run {} (is the temporary directory mounted noexec?)", self.executable.display());
        let mut child = command.spawn().map_err(Error::io(what()))?;
        let mut requests = child.stdin.take().expect("standard input is piped");
        let responses = child.stdout.take().expect("standard output is piped");
        // A server that dies at once is noticed when its greeting is read.
        let _ = requests.write_all(&self.settings);
        let mut responses = BufReader::with_capacity(1 << 16, responses);
        let mut complaint = String::new();
        greeting(&mut responses, &mut complaint).map_err(Error::io("start the process that runs tests"))?;
        if !complaint.is_empty() {
            let _ = child.wait();
            return Err(Error::Unsupported(complaint));
        }
        Ok(Process { child, requests, responses })
    }
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
        if let Some(mut process) = self.process.take() {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}
