//! A worker seen from outside: what it says, how much memory it takes, how it ends.

use super::wire::{Event, Job};
use clew_explore::resident;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Memory that testing one function may take.
const MOST_BYTES: u64 = 2 << 30;
/// Time between two looks at the memory of a worker.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Time that building a file may take on top of the budget of a function.
const BUILD_TIME: Duration = Duration::from_secs(600);

/// Why a worker is gone.
pub(super) enum End {
    /// It did its job.
    Done,
    /// It made way for another.
    Unfinished,
    /// It was lost while these functions, with their keys, were being tested.
    Lost { open: BTreeMap<String, String>, reason: String },
}

/// A running worker.
struct Worker {
    child: Child,
    events: Receiver<Event>,
    threads: u64,
    budget: Duration,
    /// Functions being tested: key and beginning.
    open: BTreeMap<String, (String, Instant)>,
    /// Whether it said that it makes way.
    makes_way: bool,
}

/// Has a job done by a process of its own; `hear` is told everything the process says.
pub(super) fn run(job: &Job, seconds: f64, hear: &mut dyn FnMut(Event)) -> End {
    let mut worker = match Worker::start(job, seconds) {
        Ok(worker) => worker,
        Err(error) => {
            return End::Lost { open: BTreeMap::new(), reason: format!("no process can be started: {error}") };
        }
    };
    let reason = worker.listen(hear);
    if reason.is_some() {
        let _ = worker.child.kill();
    }
    let status = worker.child.wait();
    let reason = match (reason, status) {
        (Some(reason), _) => reason,
        (None, Ok(status)) if status.success() && worker.open.is_empty() => {
            return if worker.makes_way { End::Unfinished } else { End::Done };
        }
        (None, Ok(status)) => format!("a mistake in clew: the process ended with {status}"),
        (None, Err(error)) => error.to_string(),
    };
    let open = worker.open.into_iter().map(|(function, (key, _))| (function, key)).collect();
    End::Lost { open, reason }
}

impl Worker {
    fn start(job: &Job, seconds: f64) -> std::io::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let text = serde_json::to_string(job).expect("a job is made of strings and numbers") + "\n";
        child.stdin.take().expect("standard input is piped").write_all(text.as_bytes())?;
        let lines = BufReader::new(child.stdout.take().expect("standard output is piped")).lines();
        let (sender, events) = mpsc::channel();
        std::thread::spawn(move || {
            let events = lines.map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok());
            events.map(|event| sender.send(event)).take_while(Result::is_ok).count()
        });
        let budget = BUILD_TIME + Duration::from_secs_f64(seconds.clamp(0.0, 1e9)) * 2;
        Ok(Worker { child, events, threads: job.threads as u64, budget, open: BTreeMap::new(), makes_way: false })
    }

    /// Passes events on until there are no more, or there is a reason to stop the worker.
    fn listen(&mut self, hear: &mut dyn FnMut(Event)) -> Option<String> {
        let mut looked = Instant::now();
        loop {
            match self.events.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
                Ok(event) => {
                    match &event {
                        Event::Begin(name, key) => {
                            self.open.insert(name.clone(), (key.clone(), Instant::now()));
                        }
                        Event::Done(record) => {
                            self.open.remove(&record.function);
                        }
                        Event::MakesWay => self.makes_way = true,
                        Event::Unreadable(_) | Event::Functions(_) => {}
                    }
                    hear(event);
                }
            }
            if looked.elapsed() >= LOOK_EVERY {
                looked = Instant::now();
                if resident::bytes_of(&self.child.id().to_string()) > MOST_BYTES * self.threads.max(1) {
                    return Some("unknown: memory".to_owned());
                }
                if self.open.values().any(|(_, begin)| begin.elapsed() > self.budget) {
                    return Some("unknown: time".to_owned());
                }
            }
        }
    }
}

/// Our own arguments, with the word that makes a worker.
fn arguments() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let at = words.iter().position(|word| word == "test").map_or(0, |at| at + 1);
    words.insert(at, "--worker".into());
    words
}
