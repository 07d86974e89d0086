//! An order being done: a process that has read the file tests its functions, one after the other.

use super::parts::Exploration;
use super::{MOST_DECLINED, MOST_FUNCTIONS, PAUSE, Slot};
use crate::function::parts::Task;
use crate::hash;
use crate::output;
use crate::project::parcel::Parcel;
use crate::project::record::Record;
use crate::project::remote::{Fault, Help, Lease, Named, News, Order};
use crate::project::run::Launch;
use crate::project::watch::{self, End, Party};
use crate::project::wire::{self, Answer, Event, Job};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How long a process that has read a file waits for more of it.
const KEEP: Duration = Duration::from_secs(1);
/// How often to look whether others are idle, and to show that the worker lives.
const LOOK: Duration = Duration::from_secs(1);
/// A function that takes so long keeps all that waits behind it from being tested.
const LONG: Duration = Duration::from_secs(1);

/// What doing an order needs.
pub(super) struct Bench<'a, 'b> {
    slot: &'b mut Slot<'a>,
    order: Order,
    job: Job,
    /// The order in the queue; `None` when it is done.
    lease: Option<Box<dyn Lease>>,
    /// Functions that are not begun.
    rest: VecDeque<Named>,
    /// The keys of the file's functions.
    keys: BTreeMap<String, String>,
    /// The function being tested.
    open: Option<(Named, Instant)>,
    /// Its exploration, if that goes on in parts.
    parts: Option<Exploration<'a>>,
    looked: Instant,
    fault: Option<Fault>,
}

impl<'a, 'b> Bench<'a, 'b> {
    pub(super) fn new(slot: &'b mut Slot<'a>, order: Order, lease: Box<dyn Lease>, place: &Path) -> Bench<'a, 'b> {
        let job = Job {
            file: order.file.clone(),
            directory: place.join("suites"),
            kept: place.join("kept"),
            known: order.known.clone(),
            look: false,
            tool: String::new(),
            code: None,
        };
        let rest = order.functions.clone().unwrap_or_default().into();
        let (keys, looked) = (BTreeMap::new(), Instant::now());
        let (open, parts) = (None, None);
        Bench { slot, order, job, lease: Some(lease), rest, keys, open, parts, looked, fault: None }
    }

    /// Has the functions tested by a process, and by another when it is gone, as long as there are some.
    pub(super) fn work(&mut self) -> Result<(), Fault> {
        if let Some(help) = self.order.help.clone()
            && !self.comes_to_help(help)?
        {
            return self.lease.take().map_or(Ok(()), Lease::done);
        }
        loop {
            for folder in [&self.job.directory, &self.job.kept] {
                // What is in the way shows when results are written.
                let _ = std::fs::create_dir_all(folder);
            }
            let (job, launch, seconds) = (self.job.clone(), self.launch(), self.order.seconds);
            let end = watch::run(&job, &launch, seconds, self);
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            self.parts = None;
            match end {
                End::Lost { .. } if self.order.help.is_some() => self.rest.clear(),
                End::Lost { open: Some((function, key)), reason } => {
                    let key = self.open.take().map_or(key, |(named, _)| named.key);
                    self.slot.shared.failed(&self.order, &function, &key, reason)?;
                }
                End::Lost { open: None, reason } => {
                    self.rest.clear();
                    if self.lease.is_some() {
                        self.slot.give_up(&self.order, &reason)?;
                    }
                }
                End::Done => {}
            }
            if self.rest.is_empty() {
                return self.lease.take().map_or(Ok(()), Lease::done);
            }
            // Another process reads the file; what was to be found out of it is known.
            self.order.functions = Some(self.rest.iter().cloned().collect());
            self.job.known = BTreeMap::new();
        }
    }

    fn launch(&self) -> Launch {
        let (program, before) = self.slot.shared.serve.program;
        let words = self.order.words.iter().map(OsString::from);
        let arguments = before.iter().cloned().chain(words).collect();
        Launch { program: program.to_owned(), arguments, directory: Some(self.order.at.clone()) }
    }

    /// Claims a part of an exploration that another worker began; `false` if none is left.
    fn comes_to_help(&mut self, help: Help) -> Result<bool, Fault> {
        let Some(named) = self.rest.front().cloned() else { return Ok(false) };
        let mut exploration = self.exploration(&named, help.tasks, true);
        let is_there = exploration.claim()?.is_some();
        self.parts = Some(exploration);
        Ok(is_there)
    }

    fn exploration(&self, named: &Named, tasks: Vec<Task>, helps: bool) -> Exploration<'a> {
        let Named { name, key } = named;
        let identity = format!("{}\n{name}\n{key}", self.order.file.display());
        Exploration {
            exchange: self.slot.shared.serve.exchange,
            run: self.order.run.clone(),
            name: hash::sha256(identity.as_bytes())[..16].to_owned(),
            function: name.clone(),
            job: self.job.clone(),
            tasks,
            helps,
            claimed: None,
            done: BTreeSet::new(),
        }
    }

    /// Adds tasks to the exploration of the function, and asks others to help with them.
    fn deal(&mut self, tasks: &[Task]) -> Result<(), Fault> {
        let Some((named, _)) = self.open.clone() else { return Ok(()) };
        let mut exploration = self.parts.take().unwrap_or_else(|| self.exploration(&named, Vec::new(), false));
        let first = exploration.tasks.len();
        exploration.tasks.extend(tasks);
        let order = Order {
            functions: Some(vec![named]),
            known: BTreeMap::new(),
            long: Vec::new(),
            avoid: None,
            ..self.order.clone()
        };
        for number in first + 1..exploration.tasks.len() {
            let help = Some(Help { number, tasks: exploration.tasks.clone() });
            self.slot.shared.submit(&Order { help, ..order.clone() })?;
        }
        self.parts = Some(exploration);
        Ok(())
    }

    /// Takes note of the file's functions, and passes on those that are too many for one order.
    fn functions(&mut self, asked: Vec<String>, open: Vec<(String, String)>) -> Result<(), Fault> {
        let shared = self.slot.shared;
        self.keys = open.iter().cloned().collect();
        if self.order.functions.is_some() {
            return self.compare();
        }
        let mut open: Vec<Named> = open.into_iter().map(|(name, key)| Named { name, key }).collect();
        shared.report(&self.order, News::Functions { asked, open: open.clone() }, &[])?;
        let place = |named: &Named| self.order.long.iter().position(|long| *long == named.name).unwrap_or(usize::MAX);
        open.sort_by_key(place);
        let long = open.iter().filter(|named| place(named) < usize::MAX).count();
        let own = if long > 0 { 1 } else { MOST_FUNCTIONS.min(open.len()) };
        shared.pass_on(&self.order, &open[own..long.max(own)], 1)?;
        shared.pass_on(&self.order, &open[long.max(own)..], MOST_FUNCTIONS)?;
        open.truncate(own);
        self.rest = open.clone().into();
        self.order.functions = Some(open);
        Ok(())
    }

    /// Leaves functions to others whose key is another one here: headers differ.
    fn compare(&mut self) -> Result<(), Fault> {
        let shared = self.slot.shared;
        let (same, other): (Vec<Named>, Vec<Named>) =
            self.rest.drain(..).partition(|named| self.keys.get(&named.name) == Some(&named.key));
        self.rest = same.into();
        if other.is_empty() || self.order.help.is_some() {
            return Ok(());
        }
        let what = format!("what {} includes is something else", self.order.file.display());
        let order = Order { functions: Some(other.clone()), declined: self.order.declined + 1, ..self.order.clone() };
        if order.declined > MOST_DECLINED {
            let reason = format!("no worker can do it; {}: {what}", shared.serve.name);
            return self.slot.give_up(&order, &reason);
        }
        let note = format!("worker {} declines work: {what}", shared.serve.name);
        shared.report(&order, News::Note(note), &[])?;
        std::thread::sleep(PAUSE);
        shared.submit(&order)
    }

    /// Sends a result with the files that were written for it.
    fn done(&mut self, record: &Record) -> Result<(), Fault> {
        self.open = None;
        self.parts.take().into_iter().for_each(Exploration::forget);
        let directory = self.job.directory.join(&record.function);
        let mut files = Vec::new();
        ours(&directory, &mut files);
        let parcel = Parcel::pack(record, &directory, &files);
        let _ = std::fs::remove_dir_all(&directory);
        match parcel {
            Some(parcel) => self.slot.shared.report(&self.order, News::Done, &parcel.bytes()),
            None => {
                let reason = "its files cannot be read".to_owned();
                self.slot.shared.failed(&self.order, &record.function, &record.key, reason)
            }
        }
    }

    /// Gives what is not begun to others while they are idle.
    fn share(&mut self) -> Result<(), Fault> {
        let idle = self.slot.shared.serve.exchange.idle();
        if idle == 0 || self.rest.is_empty() {
            return Ok(());
        }
        let is_long = self.open.as_ref().is_some_and(|(_, begin)| begin.elapsed() >= LONG);
        let keep = if is_long { 0 } else { self.rest.len().div_ceil(2) };
        let given: Vec<Named> = self.rest.split_off(keep).into();
        self.slot.shared.pass_on(&self.order, &given, given.len().div_ceil(idle))
    }

    /// The next function: of this order, or of another of the same file.
    fn following(&mut self) -> Result<Option<Named>, Fault> {
        loop {
            if let Some(named) = self.rest.pop_front() {
                return Ok(Some(named));
            }
            self.lease.take().map_or(Ok(()), Lease::done)?;
            if self.order.help.is_some() {
                return Ok(None);
            }
            let Some(lease) = self.slot.shared.serve.exchange.take(KEEP)? else { return Ok(None) };
            let order = serde_json::from_slice::<Order>(lease.content()).ok();
            let fits = |order: &Order| {
                order.run == self.order.run
                    && order.start == self.order.start
                    && order.file == self.order.file
                    && order.source == self.order.source
                    && order.functions.is_some()
                    && order.avoid.is_none()
                    && order.help.is_none()
                    && lease.deliveries() == 1
            };
            match order.filter(fits) {
                Some(order) => {
                    self.rest = order.functions.clone().unwrap_or_default().into();
                    self.lease = Some(lease);
                    self.order = order;
                    self.compare()?;
                }
                None => {
                    self.slot.stash = Some(lease);
                    return Ok(None);
                }
            }
        }
    }

    /// Remembers that the queue cannot be used: the process is then told to end.
    fn keep(&mut self, result: Result<(), Fault>) {
        if let Err(fault) = result {
            self.fault.get_or_insert(fault);
        }
    }

    fn parts_event(&mut self, event: &Event) -> Result<Option<Answer>, Fault> {
        match (event, &mut self.parts) {
            (Event::Parts(tasks), _) => self.deal(tasks).map(|()| None),
            (Event::NextPart, Some(exploration)) => exploration.next().map(Some),
            (Event::NextPart, None) => Ok(Some(Answer::Over)),
            (Event::Part(number), Some(exploration)) => exploration.put(*number).map(|()| None),
            _ => Ok(None),
        }
    }

    fn hear_event(&mut self, event: Event) -> Result<(), Fault> {
        let shared = self.slot.shared;
        match event {
            Event::Functions { asked, open } => self.functions(asked, open),
            Event::Unreadable(reason) => shared.failed(&self.order, "", "", reason),
            Event::Done(record) | Event::Found(record) => self.done(&record),
            Event::Note(note) => shared.report(&self.order, News::Note(note), &[]),
            Event::Ready | Event::Begin(..) | Event::Code(_) | Event::Helped => Ok(()),
            Event::Parts(_) | Event::NextPart | Event::Part(_) => Ok(()),
        }
    }
}

impl Party for Bench<'_, '_> {
    fn next(&mut self) -> Option<wire::Order> {
        if self.fault.is_some() {
            return None;
        }
        let next = self.following();
        let next = next.map_err(|fault| self.keep(Err(fault))).ok().flatten()?;
        let now = Instant::now();
        let mut at = self.slot.shared.at.lock().unwrap_or_else(PoisonError::into_inner);
        at.insert(self.slot.number, (next.name.clone(), now));
        self.open = Some((next.clone(), now));
        Some(if self.order.help.is_some() { wire::Order::Help(next.name) } else { wire::Order::Test(next.name) })
    }

    fn parts(&mut self, _: &str, event: &Event) -> Option<Answer> {
        let answer = self.parts_event(event);
        answer.map_err(|fault| self.keep(Err(fault))).unwrap_or(Some(Answer::Over))
    }

    fn hear(&mut self, event: Event) {
        let heard = self.hear_event(event);
        self.keep(heard);
    }

    fn look(&mut self) {
        if self.looked.elapsed() >= LOOK {
            self.looked = Instant::now();
            self.slot.shared.pulse(None);
            let shared = self.share();
            self.keep(shared);
        }
    }
}

/// The generated files below a directory.
fn ours(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            ours(&path, found);
        } else if output::may_write(&path).is_ok() {
            found.push(path);
        }
    }
}
