//! A worker seen from outside: what it says, how much memory it takes, how it ends.

use super::run::Launch;
use super::wire::{Answer, Event, Job, Order};
use clew_search::resident;
use serde::Serialize;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
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
    /// It did all there was to do, or has too much memory to do more.
    Done,
    /// It was lost, with the function that was being tested and its key.
    Lost { open: Option<(String, String)>, reason: String },
}

/// A running worker.
struct Worker {
    child: Child,
    /// Where it is told what to test, until there is nothing more.
    orders: Option<ChildStdin>,
    events: Receiver<Event>,
    budget: Duration,
    /// The function being tested: name, key, which is empty until the worker has said it, and beginning.
    open: Option<(String, String, Instant)>,
}

/// Who has functions tested by a worker.
pub(super) trait Party {
    /// Says what to do when the worker can do more; `None` if there is nothing more.
    fn next(&mut self) -> Option<Order>;

    /// Is told of parts of the exploration of a function; answers where that is asked for.
    fn parts(&mut self, function: &str, event: &Event) -> Option<Answer>;

    /// Is told everything else that the worker says.
    fn hear(&mut self, event: Event);

    /// Is called every now and then.
    fn look(&mut self) {}
}

/// Has functions tested by a process of its own.
pub(super) fn run(job: &Job, launch: &Launch, seconds: f64, party: &mut dyn Party) -> End {
    let mut worker = match Worker::start(job, launch, seconds) {
        Ok(worker) => worker,
        Err(error) => return End::Lost { open: None, reason: format!("no process can be started: {error}") },
    };
    let reason = worker.listen(party);
    if reason.is_some() {
        let _ = worker.child.kill();
    }
    let status = worker.child.wait();
    let reason = match (reason, status) {
        (Some(reason), _) => reason,
        (None, Ok(status)) if status.success() && worker.open.is_none() => return End::Done,
        (None, Ok(status)) => format!("a mistake in clew: the process ended with {status}"),
        (None, Err(error)) => error.to_string(),
    };
    End::Lost { open: worker.open.map(|(function, key, _)| (function, key)), reason }
}

impl Worker {
    fn start(job: &Job, launch: &Launch, seconds: f64) -> std::io::Result<Worker> {
        let mut command = Command::new(&launch.program);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let text = serde_json::to_string(job).expect("a job is made of strings and numbers") + "\n";
        let mut orders = child.stdin.take().expect("standard input is piped");
        orders.write_all(text.as_bytes())?;
        let lines = BufReader::new(child.stdout.take().expect("standard output is piped")).lines();
        let (sender, events) = mpsc::channel();
        std::thread::spawn(move || {
            let events = lines.map_while(Result::ok).filter_map(|line| serde_json::from_str(&line).ok());
            events.map(|event| sender.send(event)).take_while(Result::is_ok).count()
        });
        let budget = BUILD_TIME + Duration::from_secs_f64(seconds.clamp(0.0, 1e9)) * 2;
        Ok(Worker { child, orders: Some(orders), events, budget, open: None })
    }

    /// Passes events on until there are no more, or there is a reason to stop the worker.
    fn listen(&mut self, party: &mut dyn Party) -> Option<String> {
        let mut looked = Instant::now();
        loop {
            match self.events.recv_timeout(LOOK_EVERY) {
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Event::Ready) => self.order(party.next()),
                Ok(event @ (Event::Parts(_) | Event::NextPart | Event::Part(_))) => {
                    let function = self.open.as_ref().map_or("", |(name, ..)| name);
                    let answer = party.parts(function, &event);
                    answer.iter().for_each(|answer| self.tell(answer));
                }
                Ok(event) => {
                    match &event {
                        Event::Begin(name, key) => self.open = Some((name.clone(), key.clone(), Instant::now())),
                        Event::Done(_) | Event::Helped => self.open = None,
                        _ => {}
                    }
                    party.hear(event);
                }
            }
            if looked.elapsed() >= LOOK_EVERY {
                looked = Instant::now();
                party.look();
                if resident::bytes_of(&self.child.id().to_string()) > MOST_BYTES {
                    return Some("unknown: memory".to_owned());
                }
                if self.open.as_ref().is_some_and(|(_, _, begin)| begin.elapsed() > self.budget) {
                    return Some("unknown: time".to_owned());
                }
            }
        }
    }

    /// Tells the worker what to test, or that there is nothing more. If it is gone already, that will be seen.
    fn order(&mut self, order: Option<Order>) {
        match order {
            Some(order) => {
                self.tell(&order);
                self.open = Some((order.function().to_owned(), String::new(), Instant::now()));
            }
            None => self.orders = None,
        }
    }

    fn tell(&mut self, line: &impl Serialize) {
        let text = serde_json::to_string(line).expect("an order is made of strings and numbers") + "\n";
        if let Some(orders) = &mut self.orders {
            let _ = orders.write_all(text.as_bytes());
        }
    }
}
