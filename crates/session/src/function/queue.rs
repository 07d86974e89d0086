//! Paths on their way from exploration to execution.
//!
//! Executing many at once is cheaper than one at a time, and so is waking a thread once for many. So whoever takes paths
//! waits a moment for more after the first, and is woken early only when there are enough.

use crate::policy;
use clew_symbolic::Explored;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long to wait for more paths after the first.
const MOMENT: Duration = Duration::from_millis(30);

/// A queue between two threads.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    paths: Vec<Explored>,
    /// Whether no more will come.
    is_closed: bool,
    /// Whether the receiver is gone.
    is_abandoned: bool,
}

/// What a queue gives.
#[derive(Debug)]
pub(super) enum Taken {
    /// Paths, in their order.
    Paths(Vec<Explored>),
    /// None yet.
    Nothing,
    /// No more will come.
    End,
}

/// Puts paths into a queue, which is closed when this is dropped.
#[derive(Debug)]
pub(super) struct Sender<'q>(&'q Queue);

/// Takes paths from a queue.
#[derive(Debug)]
pub(super) struct Receiver<'q>(&'q Queue);

impl Queue {
    /// The two ends.
    pub(super) fn ends(&self) -> (Sender<'_>, Receiver<'_>) {
        (Sender(self), Receiver(self))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sender<'_> {
    /// Adds a path; `false` if the receiver is gone.
    pub(super) fn send(&self, path: Explored) -> bool {
        let mut state = self.0.state();
        state.paths.push(path);
        if state.paths.len() == 1 || state.paths.len() == policy::MAX_BATCH.size() {
            self.0.changed.notify_one();
        }
        !state.is_abandoned
    }
}

impl Receiver<'_> {
    /// Takes paths, after a moment in which more may come; gives up waiting for the first after a pause.
    pub(super) fn take(&self, pause: Duration) -> Taken {
        let state = self.0.state();
        let is_idle = |state: &mut State| state.paths.is_empty() && !state.is_closed;
        let waited = self.0.changed.wait_timeout_while(state, pause, is_idle);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.paths.is_empty() {
            return if state.is_closed { Taken::End } else { Taken::Nothing };
        }
        let is_short = |state: &mut State| state.paths.len() < policy::MAX_BATCH.size() && !state.is_closed;
        let waited = self.0.changed.wait_timeout_while(state, MOMENT, is_short);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let count = state.paths.len().min(policy::MAX_BATCH.size());
        Taken::Paths(state.paths.drain(..count).collect())
    }
}

impl Drop for Sender<'_> {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.changed.notify_one();
    }
}

impl Drop for Receiver<'_> {
    fn drop(&mut self) {
        self.0.state().is_abandoned = true;
    }
}
