//! Parts of long explorations that wait for a worker, and who is at them.
//!
//! The worker that tests the function adds the tasks, and it and workers that have nothing else to do take them, one after
//! the other. What a worker was at that is gone can be taken again. What comes of a task lies in a file, which the worker
//! that tests the function reads.

use super::wire::{Answer, Job};
use crate::function::parts::Task;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A function, by its file and name.
pub(super) type Function = (String, String);

/// The explorations that go on in parts.
#[derive(Debug, Default)]
pub(super) struct Parts {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    explorations: BTreeMap<Function, Exploration>,
    /// Threads that have something else to do, of which more may come.
    busy: usize,
    /// Workers so far.
    workers: u64,
}

/// An exploration that goes on in parts.
#[derive(Debug)]
struct Exploration {
    /// How a worker is told of its file.
    job: Job,
    tasks: Vec<(Task, At)>,
    /// Workers that are on their way to it.
    coming: usize,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Open,
    /// This worker is at it.
    Taken(u64),
    Done,
}

impl Parts {
    /// Says that so many threads have something else to do.
    pub(super) fn begin(&self, threads: usize) {
        self.locked().busy += threads;
    }

    /// Says that a thread has nothing else to do any more.
    pub(super) fn end(&self) {
        self.locked().busy -= 1;
        self.changed.notify_all();
    }

    /// A number for a worker.
    pub(super) fn worker(&self) -> u64 {
        let mut state = self.locked();
        state.workers += 1;
        state.workers
    }

    /// An exploration that a worker could help with; waits until there is one, or nobody is left who could begin one.
    pub(super) fn wanting(&self) -> Option<(Job, Function)> {
        let mut state = self.locked();
        loop {
            let wanting = state.explorations.iter_mut().find(|(_, exploration)| exploration.wants_help());
            if let Some((function, exploration)) = wanting {
                exploration.coming += 1;
                return Some((exploration.job.clone(), function.clone()));
            }
            if state.busy == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes note that a worker has come to help.
    pub(super) fn came(&self, function: &Function) {
        if let Some(exploration) = self.locked().explorations.get_mut(function) {
            exploration.coming = exploration.coming.saturating_sub(1);
        }
    }

    /// Adds tasks of a function.
    pub(super) fn add(&self, job: &Job, function: &Function, tasks: &[Task]) {
        let mut state = self.locked();
        let new = || Exploration { job: job.clone(), tasks: Vec::new(), coming: 0 };
        let exploration = state.explorations.entry(function.clone()).or_insert_with(new);
        exploration.tasks.extend(tasks.iter().map(|task| (*task, At::Open)));
        self.changed.notify_all();
    }

    /// What a worker is to do for a function, which it tests itself or helps with.
    pub(super) fn next(&self, function: &Function, worker: u64, helps: bool) -> Answer {
        let mut state = self.locked();
        let Some(exploration) = state.explorations.get_mut(function) else { return Answer::Over };
        let is_over = helps || exploration.tasks.iter().all(|(_, at)| *at == At::Done);
        let open = (0..).zip(&mut exploration.tasks).find(|(_, (_, at))| *at == At::Open);
        match open {
            Some((number, (task, at))) => {
                *at = At::Taken(worker);
                Answer::Run(number, *task)
            }
            None if is_over => Answer::Over,
            None => Answer::Wait,
        }
    }

    /// Takes note that what came of a task is there.
    pub(super) fn done(&self, function: &Function, task: usize) {
        let mut state = self.locked();
        let exploration = state.explorations.get_mut(function);
        if let Some((_, at)) = exploration.and_then(|exploration| exploration.tasks.get_mut(task)) {
            *at = At::Done;
        }
    }

    /// Takes note that a worker is gone: what it was at can be taken again.
    pub(super) fn leave(&self, worker: u64) {
        let mut state = self.locked();
        let tasks = state.explorations.values_mut().flat_map(|exploration| &mut exploration.tasks);
        tasks.filter(|(_, at)| *at == At::Taken(worker)).for_each(|(_, at)| *at = At::Open);
        self.changed.notify_all();
    }

    /// Takes note that the exploration of a function is over.
    pub(super) fn remove(&self, function: &Function) {
        self.locked().explorations.remove(function);
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exploration {
    /// Whether there is more to be done than workers are on their way to.
    fn wants_help(&self) -> bool {
        self.tasks.iter().filter(|(_, at)| *at == At::Open).count() > self.coming
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;
    use crate::function::parts::Task;
    use crate::project::wire::{Answer, Job};
    use clew_search::deal::Part;
    use std::time::Duration;

    fn task(number: usize) -> Task {
        Task { part: Part { number, of: 2 }, effort: Duration::from_secs(1) }
    }

    #[test]
    fn what_a_lost_worker_was_at_is_taken_again() {
        let (parts, job) = (Parts::default(), Job::default());
        let function = ("a.c".to_owned(), "f".to_owned());
        let (own, other) = (parts.worker(), parts.worker());
        parts.add(&job, &function, &[task(0), task(1)]);
        assert!(matches!(parts.next(&function, own, false), Answer::Run(0, _)));
        assert_eq!(parts.wanting().map(|(_, function)| function), Some(function.clone()));
        assert!(parts.wanting().is_none(), "one is on its way to the only task, and nobody can begin another");
        parts.came(&function);
        assert!(matches!(parts.next(&function, other, true), Answer::Run(1, _)));
        assert!(matches!(parts.next(&function, other, true), Answer::Over));
        parts.done(&function, 0);
        assert!(matches!(parts.next(&function, own, false), Answer::Wait));
        parts.leave(other);
        assert!(matches!(parts.next(&function, own, false), Answer::Run(1, _)));
        parts.done(&function, 1);
        assert!(matches!(parts.next(&function, own, false), Answer::Over));
        parts.add(&job, &function, &[task(1)]);
        assert!(
            matches!(parts.next(&function, own, false), Answer::Run(2, _)),
            "tasks of another round have numbers of their own"
        );
        parts.remove(&function);
        assert!(matches!(parts.next(&function, own, false), Answer::Over));
    }
}
