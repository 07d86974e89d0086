//! The functions of a file that wait to be tested by one of its workers.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

/// They are known once the first worker has read the file.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Option<VecDeque<String>>>,
    is_known: Condvar,
}

impl Queue {
    /// Says which functions are to be tested, if nobody has said so yet.
    pub(super) fn fill(&self, functions: Vec<String>) {
        self.locked().get_or_insert_with(|| functions.into());
        self.is_known.notify_all();
    }

    /// How many functions there are to be tested; waits until that is known.
    pub(super) fn wait(&self) -> usize {
        let known = self.is_known.wait_while(self.locked(), |waiting| waiting.is_none());
        known.unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, VecDeque::len)
    }

    /// The next function.
    pub(super) fn take(&self) -> Option<String> {
        self.locked().as_mut().and_then(VecDeque::pop_front)
    }

    /// Whether nothing is known to wait.
    pub(super) fn is_empty(&self) -> bool {
        self.locked().as_ref().is_none_or(VecDeque::is_empty)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Option<VecDeque<String>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
