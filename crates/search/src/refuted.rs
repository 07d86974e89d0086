//! Prefixes that no input takes: how many there are, and why.
//!
//! A prefix is a path up to a flipped branch, its alternative included. Each is met once, so that counting is enough,
//! unless a precondition written in C leads to the function in several ways: a prefix refuted after one of them may be
//! taken after another. Then prefixes are kept, and those that were taken are not counted.
//!
//! A reason is found by leaving out of the condition whatever can be left out; the rest still has no solution. What the
//! terms of the condition came from was noted on the way.

use clew_execute::Event;
use clew_ir::Span;
use std::collections::BTreeSet;
use std::ops::Bound;

/// A prefix that no input takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The branches, the flipped one last.
    pub path: Vec<Event>,
    /// What cannot hold together.
    pub because: Vec<Reason>,
}

/// Part of a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A branch of the path.
    Branch(Event),
    /// A clause of the precondition.
    Clause(Span),
    /// Something taken for granted: the extent of an object, or that the program is defined.
    Assumed,
}

/// The prefixes refuted by an exploration.
#[derive(Debug, Default)]
pub(crate) struct Refutations {
    count: u64,
    /// Where one may be met several times.
    kept: Option<Kept>,
    pub(crate) explained: Vec<Refuted>,
}

/// What was met so far.
#[derive(Debug, Default)]
struct Kept {
    refuted: BTreeSet<Vec<Event>>,
    taken: BTreeSet<Vec<Event>>,
}

impl Kept {
    /// Whether a path that begins like this was taken.
    fn is_taken(&self, prefix: &[Event]) -> bool {
        let mut after = self.taken.range::<[Event], _>((Bound::Included(prefix), Bound::Unbounded));
        after.next().is_some_and(|path| path.starts_with(prefix))
    }
}

impl Refutations {
    /// Prefixes and paths may be met several times from now on.
    pub(crate) fn keep_prefixes(&mut self) {
        self.kept.get_or_insert_default();
    }

    /// Notes a prefix.
    pub(crate) fn note(&mut self, prefix: impl Iterator<Item = Event>) {
        match &mut self.kept {
            None => self.count += 1,
            Some(kept) => {
                kept.refuted.insert(prefix.collect());
            }
        }
    }

    /// Notes a path that was taken; says whether it is the first of its kind.
    pub(crate) fn is_new(&mut self, path: &[Event]) -> bool {
        self.kept.as_mut().is_none_or(|kept| kept.taken.insert(path.to_vec()))
    }

    /// How many prefixes no input takes.
    pub(crate) fn count(&self) -> u64 {
        match &self.kept {
            None => self.count,
            Some(kept) => kept.refuted.iter().filter(|prefix| !kept.is_taken(prefix)).count() as u64,
        }
    }

    /// The prefixes with their reasons.
    pub(crate) fn explained(self) -> Vec<Refuted> {
        let mut explained = self.explained;
        if let Some(mut kept) = self.kept {
            explained.retain(|one| !kept.is_taken(&one.path) && kept.refuted.remove(&one.path));
        }
        explained
    }
}

#[cfg(test)]
mod tests {
    use super::Refutations;
    use clew_execute::Event;
    use clew_ir::{ConditionId, FunctionId};

    fn event(condition: u32, outcome: bool) -> Event {
        Event::Condition { function: FunctionId::new(0), condition: ConditionId::new(condition), outcome }
    }

    #[test]
    fn prefixes_that_were_taken_another_way_do_not_count() {
        let (a, b, not_b) = (event(0, true), event(1, true), event(1, false));
        let mut refutations = Refutations::default();
        refutations.keep_prefixes();
        refutations.note([a, b].into_iter());
        refutations.note([a, not_b].into_iter());
        refutations.note([a, not_b].into_iter());
        assert!(refutations.is_new(&[a, b, a]));
        assert!(!refutations.is_new(&[a, b, a]));
        assert_eq!(refutations.count(), 1);
    }
}
