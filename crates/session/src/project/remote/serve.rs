//! A worker: it takes orders from a queue and has processes of its own test the functions.
//!
//! Each of its slots does one order at a time, as [`bench`] says. The process that has read a file is kept while the orders that follow are
//! of the same file. Everything is written to a directory of the worker's own and goes to the coordinator as parcels.

mod bench;
mod parts;

use super::{Exchange, Fault, Lease, Named, News, Order, Pulse, Report};
use crate::hash;
use crate::project::parcel::Parcel;
use crate::project::record::Record;
use bench::Bench;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most functions of an order.
pub(super) const MOST_FUNCTIONS: usize = 16;
/// How long to wait for an order before saying again that the worker lives.
const WAIT: Duration = Duration::from_secs(1);
/// How often workers may be lost over an order.
const MOST_LOST: u64 = 4;
/// How often workers may decline an order before one must do it or say why not.
const MOST_DECLINED: u32 = 20;
/// Time between declining an order and taking the next.
const PAUSE: Duration = Duration::from_millis(300);
/// Room that there must be before work is taken.
const ROOM: usize = 1 << 20;

/// A worker.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it holds a queue")]
pub struct Serve<'a> {
    /// The queue.
    pub exchange: &'a dyn Exchange,
    /// What the worker is called, as no other is.
    pub name: &'a str,
    /// Its program of clew.
    pub tool: &'a str,
    /// How the process that tests functions is started: the program, and words before those of the order.
    pub program: (&'a Path, &'a [OsString]),
    /// Where it may write.
    pub scratch: &'a Path,
    /// Functions tested side by side.
    pub slots: usize,
    /// Stop when no order came for so long; `None` to go on for ever.
    pub idle: Option<Duration>,
}

/// What the slots share.
struct Shared<'a> {
    serve: Serve<'a>,
    /// What each slot is at.
    at: Mutex<BTreeMap<usize, (String, Instant)>>,
    /// Reports so far.
    reports: AtomicU64,
    /// Slots that have nothing to do, and since when none has had.
    busy: AtomicUsize,
    quiet: Mutex<Instant>,
}

/// Works until the queue cannot be used, or nothing came for long.
///
/// # Errors
/// When the queue cannot be used.
pub fn run(serve: &Serve<'_>) -> Result<(), Fault> {
    let shared = Shared {
        serve: *serve,
        at: Mutex::default(),
        reports: AtomicU64::new(0),
        busy: AtomicUsize::new(0),
        quiet: Mutex::new(Instant::now()),
    };
    std::thread::scope(|scope| {
        let slots: Vec<_> = (0..serve.slots)
            .map(|number| {
                let shared = &shared;
                scope.spawn(move || Slot { shared, number, stash: None }.run())
            })
            .collect();
        slots.into_iter().try_for_each(|slot| slot.join().expect("a slot does not panic"))
    })
}

impl Shared<'_> {
    /// Shows that the worker lives.
    fn pulse(&self, trouble: Option<String>) {
        let at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let at = at.values().map(|(function, begin)| (function.clone(), begin.elapsed().as_secs_f64())).collect();
        let Serve { exchange, name, tool, .. } = self.serve;
        exchange.pulse(&Pulse { worker: name.to_owned(), tool: tool.to_owned(), at, trouble });
    }

    fn report(&self, order: &Order, news: News, parcel: &[u8]) -> Result<(), Fault> {
        let report = Report { worker: self.serve.name.to_owned(), file: order.file.display().to_string(), news };
        let number = self.reports.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}-{number}", self.serve.name);
        self.serve.exchange.report(&order.run, &id, &report.bytes(parcel))
    }

    /// Reports that something could not be tested.
    fn failed(&self, order: &Order, function: &str, key: &str, reason: String) -> Result<(), Fault> {
        let record = Record::failed(&order.file.display().to_string(), function, key, reason);
        self.report(order, News::Done, &Parcel { record, files: Vec::new() }.bytes())
    }

    fn submit(&self, order: &Order) -> Result<(), Fault> {
        let content = serde_json::to_vec(order).expect("an order is made of strings and numbers");
        self.serve.exchange.submit(&order.run, &order.id(), &content)
    }

    /// Puts functions into the queue, as orders of some.
    fn pass_on(&self, order: &Order, functions: &[Named], each: usize) -> Result<(), Fault> {
        functions.chunks(each.max(1)).try_for_each(|some| {
            self.submit(&Order {
                functions: Some(some.to_vec()),
                known: BTreeMap::new(),
                long: Vec::new(),
                ..order.clone()
            })
        })
    }

    /// Why nothing can be written, if that is so.
    fn no_room(&self) -> Option<String> {
        let path = self.serve.scratch.join("room");
        let written = std::fs::write(&path, vec![1; ROOM]);
        let _ = std::fs::remove_file(&path);
        written.err().map(|error| format!("{}: {error}", self.serve.scratch.display()))
    }
}

/// A part of a worker that does one order at a time.
struct Slot<'a> {
    shared: &'a Shared<'a>,
    number: usize,
    /// An order that was taken while another file was at hand.
    stash: Option<Box<dyn Lease>>,
}

impl Slot<'_> {
    fn run(&mut self) -> Result<(), Fault> {
        loop {
            self.shared.pulse(None);
            if self.stash.is_none()
                && let Some(trouble) = self.shared.no_room()
            {
                self.shared.pulse(Some(trouble));
                std::thread::sleep(WAIT);
                continue;
            }
            let lease = match self.stash.take() {
                Some(lease) => Some(lease),
                None => self.shared.serve.exchange.take(WAIT)?,
            };
            let Some(lease) = lease else {
                if self.is_over() {
                    return Ok(());
                }
                continue;
            };
            self.shared.busy.fetch_add(1, Ordering::SeqCst);
            let done = self.handle(lease);
            self.shared.busy.fetch_sub(1, Ordering::SeqCst);
            *self.shared.quiet.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            done?;
        }
    }

    /// Whether nothing came for as long as one would wait.
    fn is_over(&self) -> bool {
        let quiet = self.shared.quiet.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        self.shared.busy.load(Ordering::SeqCst) == 0 && self.shared.serve.idle.is_some_and(|most| quiet >= most)
    }

    fn handle(&mut self, lease: Box<dyn Lease>) -> Result<(), Fault> {
        let Ok(order) = serde_json::from_slice::<Order>(lease.content()) else { return lease.done() };
        if self.is_refused(&order, lease.deliveries())? {
            return lease.done();
        }
        let place = self.shared.serve.scratch.join(format!("{}-{}", order.run, self.number));
        let place = place.join(&hash::sha256(order.file.display().to_string().as_bytes())[..16]);
        let mut bench = Bench::new(self, order, lease, &place);
        let done = bench.work();
        self.shared.at.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
        let _ = std::fs::remove_dir_all(&place);
        done
    }

    /// Whether an order is not for this worker, or is given up; it is then dealt with.
    fn is_refused(&self, order: &Order, deliveries: u64) -> Result<bool, Fault> {
        let shared = self.shared;
        if deliveries > 1 && order.help.is_none() {
            shared.report(order, News::TakenOver, &[])?;
        }
        let content = std::fs::read(order.at.join(&order.file));
        let differs = content.as_ref().map_or(true, |content| hash::sha256(content) != order.source);
        let why = if order.tool != shared.serve.tool {
            Some("it is of another version".to_owned())
        } else if !order.at.is_dir() {
            Some(format!("it has no directory {}", order.at.display()))
        } else if differs {
            Some(format!("its {} is another one", order.file.display()))
        } else if order.avoid.as_deref() == Some(shared.serve.name) && order.declined < MOST_DECLINED {
            None
        } else {
            return self.is_given_up(order, deliveries);
        };
        // Who tests the function does what nobody helps with.
        if order.help.is_some() {
            return Ok(true);
        }
        if order.declined >= MOST_DECLINED {
            let reason = format!("no worker can do it; {}: {}", shared.serve.name, why.unwrap_or_default());
            self.give_up(order, &reason)?;
            return Ok(true);
        }
        if let Some(why) = why {
            shared.report(order, News::Note(format!("worker {} declines work: {why}", shared.serve.name)), &[])?;
        }
        shared.submit(&Order { declined: order.declined + 1, ..order.clone() })?;
        std::thread::sleep(PAUSE);
        Ok(true)
    }

    /// Whether too many workers were lost over an order. Which of its functions it is shows when each is an order.
    fn is_given_up(&self, order: &Order, deliveries: u64) -> Result<bool, Fault> {
        match &order.functions {
            _ if order.help.is_some() => Ok(deliveries > 2),
            Some(functions) if deliveries > 1 && functions.len() > 1 => {
                self.shared.pass_on(order, functions, 1)?;
                Ok(true)
            }
            _ if deliveries > MOST_LOST => {
                self.give_up(order, &format!("unknown: {MOST_LOST} workers were lost over it"))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn give_up(&self, order: &Order, reason: &str) -> Result<(), Fault> {
        let Some(functions) = &order.functions else {
            return self.shared.failed(order, "", "", reason.to_owned());
        };
        functions.iter().try_for_each(|it| self.shared.failed(order, &it.name, &it.key, reason.to_owned()))
    }
}
