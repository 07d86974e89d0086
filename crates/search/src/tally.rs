//! How many paths were handed over, and whether one of them is a test to be counted on.
//!
//! Heading for objectives ends when all are decided, but not before there is a test: a path that ends in something
//! undefined is none, and one that depends on where objects lie may go another way when it is executed. After one of the
//! latter kind the search for another goes on for a while only.

use crate::policy;
use clew_coverage::ObjectiveId;
use clew_symbolic::Explored;
use clew_symbolic::ending::PathEnd;
use clew_symbolic::state::State;
use std::collections::BTreeSet;
use std::time::Duration;

/// Paths handed to the caller.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// All but those that ended in something unsupported.
    pub(crate) tests: u64,
    /// Those that end as C defines and depend on nothing but the input.
    sure: u64,
    /// Those that end as C defines and depend on where objects lie.
    doubtful: u64,
    /// Open branches taken up while there was no test to be counted on.
    further: u64,
}

/// What parts brought of which a search keeps no account of its own.
#[derive(Debug, Default)]
pub(crate) struct Adopted {
    pub(crate) open: u64,
    pub(crate) questions: u64,
    pub(crate) solving: Duration,
    pub(crate) doubtful: BTreeSet<ObjectiveId>,
}

impl Tally {
    /// Counts a path.
    pub(crate) fn count(&mut self, end: &PathEnd, state: &State) {
        self.tests += u64::from(!matches!(end, PathEnd::Unsupported { .. }));
        let depends_on_places = state.inputs.addressed || !state.inputs.ordered.is_empty();
        self.sure += u64::from(end.covers() && !depends_on_places);
        self.doubtful += u64::from(end.covers() && depends_on_places);
    }

    /// Counts a path whose input was given, which ends as C defines.
    pub(crate) fn count_given(&mut self, explored: &Explored) {
        self.tests += 1;
        self.sure += u64::from(!explored.addressed);
    }

    /// Counts a path that another search ran.
    pub(crate) fn count_adopted(&mut self, explored: &Explored) {
        self.tests += 1;
        self.sure += u64::from(explored.end.covers() && !explored.addressed);
        self.doubtful += u64::from(explored.end.covers() && explored.addressed);
    }

    /// The same as [`Tally::lacks`] for such a path.
    pub(crate) fn lacks_adopted(&self, explored: &Explored) -> bool {
        self.tests == 0 || self.sure == 0 && explored.end.covers() && !explored.addressed
    }

    /// Whether a path that covers nothing new is a test nevertheless, because there is none that is better.
    pub(crate) fn lacks(&self, end: &PathEnd, state: &State) -> bool {
        let mut with = *self;
        with.count(end, state);
        self.tests == 0 || self.sure == 0 && with.sure > 0
    }

    /// Whether nothing is missing but what criteria ask for.
    pub(crate) fn is_enough(&self) -> bool {
        self.sure > 0 || self.doubtful > 0 && self.further > policy::MAX_INDEPENDENT_TRIES.get()
    }

    /// Notes that an open branch is taken up; whether it had better be one near to the end of its path.
    pub(crate) fn turns_to_exit(&mut self) -> bool {
        if self.sure + self.doubtful > 0 {
            self.further += u64::from(self.sure == 0);
            return false;
        }
        self.further += 1;
        self.further > policy::FAR_BRANCHES_FIRST.get() && self.further.is_multiple_of(2)
    }
}
