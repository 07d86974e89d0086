//! Many methods, tested by processes of their own: a mistake in clew that ends one of them costs one method.
//!
//! A worker is this program with its own arguments and a variable of the environment. It reads numbers of methods, tests these, and
//! ends what it says of each with a line that begins with [`MARK`]. What is said to people and to tools goes the same way: lines
//! of JSON are for tools.

use super::total::{One, Untested};
use crate::status::Status;
use crate::terminal::Terminal;
use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Tells a process that it is a worker.
const VARIABLE: &str = "CLEW_JAVA_WORKER";

/// Begins the line that ends what a worker says of a method.
const MARK: char = '\u{1}';

/// Seconds that a method may take beyond its time.
const PATIENCE: f64 = 60.0;
/// How many times its time a method may take.
const OVERTIME: f64 = 20.0;

/// Whether this process is a worker.
pub(super) fn is_worker() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// What a worker does: tests methods by their numbers.
pub(super) fn work(test: &mut dyn FnMut(usize) -> Result<One, Untested>) {
    for line in io::stdin().lines() {
        let Some(number) = line.ok().and_then(|line| line.trim().parse().ok()) else { return };
        let one = test(number);
        let told = serde_json::to_string(&one).expect("it is made of strings and numbers");
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{MARK}{told}").and_then(|()| out.flush());
        if written.is_err() {
            return;
        }
    }
}

/// What came of a method: what was said, and the result.
type Told = (Vec<String>, Result<One, Untested>);

/// Has workers test methods, and tells of each in their order.
pub(super) fn run(
    (methods, jobs): (usize, usize),
    seconds: Option<f64>,
    terminal: Terminal,
    each: &mut dyn FnMut(usize, Result<One, Untested>),
) {
    let next = AtomicUsize::new(0);
    let limit = seconds.map(|seconds| Duration::from_secs_f64(PATIENCE + OVERTIME * seconds));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<(usize, Told)>();
        for _ in 0..jobs.min(methods).max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut worker = None;
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= methods || sender.send((number, one(&mut worker, number, limit, terminal))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = std::collections::BTreeMap::new();
        let mut turn = 0;
        for (number, told) in receiver {
            early.insert(number, told);
            while let Some((lines, result)) = early.remove(&turn) {
                tell(&lines, terminal);
                each(turn, result);
                turn += 1;
            }
            terminal.progress(&format!("{turn} of {methods} methods"));
        }
        terminal.progress("");
    });
}

fn tell(lines: &[String], terminal: Terminal) {
    for line in lines {
        if line.starts_with('{') {
            terminal.print(&format!("{line}\n"));
        } else {
            terminal.say(line);
        }
    }
}

/// Has a worker test a method; a new one where there is none.
fn one(worker: &mut Option<Worker>, number: usize, limit: Option<Duration>, terminal: Terminal) -> Told {
    let mut running = match worker.take() {
        Some(running) => running,
        None => match Worker::start(terminal) {
            Ok(started) => started,
            Err(error) => return (Vec::new(), Err(failed(format!("no worker can be started: {error}")))),
        },
    };
    let (lines, result) = running.ask(number, limit);
    match result {
        Some(result) => {
            *worker = Some(running);
            (lines, result)
        }
        None => (lines, Err(failed(format!("a mistake in clew: the process {}", running.end())))),
    }
}

fn failed(reason: String) -> Untested {
    Untested { reason, status: Status::Internal }
}

/// A process that tests methods.
struct Worker {
    child: Child,
    input: ChildStdin,
    lines: mpsc::Receiver<String>,
}

impl Worker {
    fn start(terminal: Terminal) -> io::Result<Worker> {
        let (reader, writer) = io::pipe()?;
        let mut command = Command::new(std::env::current_exe()?);
        let arguments: Vec<_> = std::env::args_os().skip(1).collect();
        let says_colour = arguments.iter().any(|word| word.to_string_lossy().starts_with("--color"));
        command.args(&arguments).env(VARIABLE, "1").stdin(Stdio::piped());
        if terminal.is_coloured() && !says_colour {
            command.args(["--color", "always"]);
        }
        command.stderr(writer.try_clone()?).stdout(writer);
        let mut child = command.spawn()?;
        // The command holds the writing ends of the pipe.
        drop(command);
        let input = child.stdin.take().ok_or_else(|| io::Error::other("its input is missing"))?;
        Ok(Worker { child, input, lines: reading(reader) })
    }

    /// What is said of a method, and what came of it; nothing if the process ended or takes too long.
    fn ask(&mut self, number: usize, limit: Option<Duration>) -> (Vec<String>, Option<Result<One, Untested>>) {
        let mut lines = Vec::new();
        if writeln!(self.input, "{number}").and_then(|()| self.input.flush()).is_err() {
            return (lines, None);
        }
        loop {
            let line = match limit {
                Some(limit) => self.lines.recv_timeout(limit).ok(),
                None => self.lines.recv().ok(),
            };
            let Some(line) = line else { return (lines, None) };
            match line.strip_prefix(MARK) {
                Some(told) => {
                    let result = serde_json::from_str(told).unwrap_or_else(|error| Err(failed(error.to_string())));
                    return (lines, Some(result));
                }
                None => lines.push(line),
            }
        }
    }

    /// Ends the process; says how it ended, or that it did not.
    fn end(mut self) -> String {
        let status = self.child.try_wait().ok().flatten();
        // It may just be ending.
        let status = status.or_else(|| {
            std::thread::sleep(Duration::from_millis(200));
            self.child.try_wait().ok().flatten()
        });
        if status.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        status.map_or_else(|| "took too long".to_owned(), |status| format!("ended: {status}"))
    }
}

/// The lines of a process, read as they come.
fn reading(reader: PipeReader) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
            bytes.clear();
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
