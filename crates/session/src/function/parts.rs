//! Long explorations in parts, which may be run by several processes.
//!
//! An exploration that has much work before it and is not over after some of it goes on as a fixed number of parts
//! ([`clew_search::part`]), each with an equal share of the work that is left. What parts leave of that, because they were
//! over before, is dealt out again among those that it cut off, as long as that at least doubles their shares; these begin
//! anew. Goals that are pursued are dealt out like branches. All this is the same whoever runs the parts, and in which
//! order: work that was done elsewhere is charged to the clock here.

use super::Request;
use super::pursue::pursue;
use clew_prove::exclude::{Proved, ask};
use clew_search::deal::{Deal, Part};
use clew_search::part::Found;
use clew_search::{Next, Progress, Search, Stop};
use clew_solver::clock;
use clew_symbolic::Explored;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

/// A part to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Which one.
    pub part: Part,
    /// The work it may do.
    pub effort: Duration,
}

/// Who runs the parts of an exploration. Tasks are numbered from 0 on, over all rounds.
pub trait Parts: fmt::Debug {
    /// Says that there are further tasks.
    fn add(&self, tasks: &[Task]);

    /// A task to be run here; `None` when all are done, or others are at those that are not and this process only helps.
    fn next(&self) -> Option<(usize, Task)>;

    /// Hands in what came of a task.
    fn put(&self, task: usize, found: &[u8]);

    /// What came of a task.
    fn get(&self, task: usize) -> Option<Vec<u8>>;
}

/// One process runs all parts.
#[derive(Debug, Default)]
struct Alone {
    tasks: RefCell<VecDeque<(usize, Task)>>,
    found: RefCell<BTreeMap<usize, Vec<u8>>>,
    added: RefCell<usize>,
}

impl Parts for Alone {
    fn add(&self, tasks: &[Task]) {
        let first = self.added.replace_with(|added| *added + tasks.len());
        self.tasks.borrow_mut().extend((first..).zip(tasks.iter().copied()));
    }

    fn next(&self) -> Option<(usize, Task)> {
        self.tasks.borrow_mut().pop_front()
    }

    fn put(&self, task: usize, found: &[u8]) {
        self.found.borrow_mut().insert(task, found.to_vec());
    }

    fn get(&self, task: usize) -> Option<Vec<u8>> {
        self.found.borrow_mut().remove(&task)
    }
}

/// What a search is told beside the paths it finds.
pub(super) struct Told<'t> {
    /// What was proved.
    pub(super) proved: &'t mut dyn FnMut(Vec<Proved>),
    /// Whether facts were asked for already.
    pub(super) is_asked: bool,
}

/// Searches until it is over, or goes on in parts. Where it stalls, asks facts about what is open, and pursues the rest as
/// goals, before it goes on.
pub(super) fn search(
    request: &Request<'_, '_>,
    search: &mut Search<'_>,
    told: &mut Told<'_>,
    found: &mut dyn FnMut(Explored) -> Next,
) -> Progress {
    loop {
        let progress = search.run(found);
        if progress == Progress::Over {
            return progress;
        }
        if let Some(goals) = search.ledger() {
            if !std::mem::replace(&mut told.is_asked, true) {
                (told.proved)(ask(goals, request.function, &request.precondition, &request.config));
            } else if progress == Progress::Stalled {
                (told.proved)(pursue(request, goals, WHOLE, found));
            }
        }
        if progress == Progress::Ripe {
            return progress;
        }
    }
}

/// The only part there is.
pub(super) const WHOLE: Part = Part { number: 0, of: 1 };

/// Goes on with a search in parts, and takes in what they find.
pub(super) fn go_on(
    request: &Request<'_, '_>,
    search: &mut Search<'_>,
    deal: Deal,
    parts: Option<&dyn Parts>,
    told: &mut Told<'_>,
    found: &mut dyn FnMut(Explored) -> Next,
) {
    let alone = Alone::default();
    let parts = parts.unwrap_or(&alone);
    let left = || request.config.limits.deadline.work_left().unwrap_or_default();
    let share = |number: usize| left() / u32::try_from(number).unwrap_or(u32::MAX);
    let mut effort = share(deal.parts);
    let mut round: Vec<Part> = (0..deal.parts).map(|number| Part { number, of: deal.parts }).collect();
    let mut results: BTreeMap<usize, Found> = BTreeMap::new();
    let mut first = 0;
    while !round.is_empty() {
        let tasks: Vec<Task> = round.iter().map(|part| Task { part: *part, effort }).collect();
        for (task, found) in run_all(request, search, parts, (first, &tasks)) {
            results.insert(task.part.number, found);
        }
        first += tasks.len();
        let cut_off = |part: &Part| results.get(&part.number).is_some_and(|found| found.stop == Stop::Effort);
        round.retain(cut_off);
        let next = share(round.len().max(1));
        if next < effort * 2 || !search.lacks(results.values()) {
            break;
        }
        effort = next;
    }
    results.values().for_each(|found| (told.proved)(found.proved.clone()));
    search.adopt(results.into_values().collect(), found);
}

/// Has tasks run, and charges the work of others to the clock.
fn run_all(
    request: &Request<'_, '_>,
    search: &Search<'_>,
    parts: &dyn Parts,
    (first, tasks): (usize, &[Task]),
) -> Vec<(Task, Found)> {
    parts.add(tasks);
    let mut own = BTreeMap::new();
    while let Some((number, task)) = parts.next() {
        let found = run(request, search, task);
        parts.put(number, &bytes(&found));
        own.insert(number, found);
    }
    let result = |(number, task): (usize, &Task)| {
        let from_others = || {
            let found: Found = postcard::from_bytes(&parts.get(number)?).ok()?;
            clock::spend(u64::try_from(found.work.as_nanos()).unwrap_or(u64::MAX));
            Some(found)
        };
        // What others made and cannot be read is made here.
        let found = own.remove(&number).or_else(from_others).unwrap_or_else(|| run(request, search, *task));
        (*task, found)
    };
    (first..).zip(tasks).map(result).collect()
}

/// Runs a part of a search.
fn run(request: &Request<'_, '_>, of: &Search<'_>, task: Task) -> Found {
    let before = clock::work();
    let mut request = request.clone();
    request.config.limits.deadline = request.config.limits.deadline.or_work(task.effort);
    let mut search = of.part(task.part, request.config.limits.deadline);
    let (paths, mut proved) = (RefCell::new(Vec::new()), Vec::new());
    let mut found = |explored| {
        paths.borrow_mut().push(explored);
        Next::Continue
    };
    while search.run(&mut found) == Progress::Stalled {
        if let Some(goals) = search.ledger() {
            proved.extend(pursue(&request, goals, task.part, &mut found));
        }
    }
    search.found(of, paths.into_inner(), proved, clock::work().saturating_sub(before))
}

/// What a part found, for another process.
fn bytes(found: &Found) -> Vec<u8> {
    postcard::to_allocvec(found).expect("what a part found is made of strings and numbers")
}

/// Repeats the beginning of an exploration, and runs parts of the rest for the process that tests the function.
pub fn help(request: &Request<'_, '_>, parts: &dyn Parts) {
    let Ok(mut begun) = Search::new(request.program, request.function, &request.precondition, &request.config) else {
        return;
    };
    let Some(deal) = Deal::of(&request.config) else { return };
    begun.ripen(deal.when);
    let mut told = Told { proved: &mut |_| {}, is_asked: false };
    if search(request, &mut begun, &mut told, &mut |_| Next::Continue) != Progress::Ripe {
        return;
    }
    while let Some((number, task)) = parts.next() {
        parts.put(number, &bytes(&run(request, &begun, task)));
    }
}
