//! What happens while a function is tested, as a stream of events.
//!
//! A terminal, a growing `suite.json`, an editor or another process may read it. Events come from two threads; an
//! objective may be decided again, and what was said last holds.

use crate::function::{Replayed, ReplayedFinding};
use clew_coverage::{ObjectiveId, Verdict};
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// Tests were executed: all of them so far, the last `new` for the first time.
    Tests {
        /// All tests, in the order they were found.
        all: &'a [Replayed],
        /// How many of them are new.
        new: usize,
    },
    /// An objective was decided.
    Objective {
        /// Which one.
        id: ObjectiveId,
        /// What is known of it.
        verdict: &'a Verdict,
    },
    /// A check fails for an input that was executed.
    Finding(&'a ReplayedFinding),
    /// A limit left something out.
    Limit(Cow<'static, str>),
    /// Nothing new; work goes on.
    Pulse {
        /// All tests so far.
        all: &'a [Replayed],
    },
}

/// Who is told of events.
pub type Listener<'l> = &'l mut (dyn FnMut(&Event<'_>) + Send);

/// A listener that several threads tell of events.
pub(crate) struct Shared<'l>(Mutex<Listener<'l>>);

impl<'l> Shared<'l> {
    /// Shares a listener.
    pub(crate) fn new(listener: Listener<'l>) -> Shared<'l> {
        Shared(Mutex::new(listener))
    }

    /// Tells of an event.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        (self.0.lock().unwrap_or_else(PoisonError::into_inner))(event);
    }

    /// Tells that an objective was decided.
    pub(crate) fn decided(&self, id: ObjectiveId, verdict: &Verdict) {
        self.tell(&Event::Objective { id, verdict });
    }

    /// Tells that tests were executed, and what those of them cover that went as predicted.
    pub(crate) fn executed(&self, all: &[Replayed], new: usize) {
        if new > 0 {
            self.tell(&Event::Tests { all, new });
        }
        for (number, test) in (0..).zip(all).skip(all.len() - new).filter(|(_, test)| test.is_usable()) {
            let verdict = Verdict::Covered([number].into());
            test.explored.newly_covered.iter().for_each(|id| self.decided(*id, &verdict));
        }
    }
}
