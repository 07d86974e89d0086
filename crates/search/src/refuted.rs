//! Prefixes that no input takes: how many there are, and why.
//!
//! A prefix is a path up to a flipped branch, its alternative included. Each is met once, so that counting is enough,
//! unless a precondition written in C leads to the function in several ways: a prefix refuted after one of them may be
//! taken after another. Then prefixes are kept, and those that were taken are not counted.
//!
//! A reason is found by leaving out of the condition whatever can be left out; the rest still has no solution. What the
//! terms of the condition came from was noted on the way. Prefixes with the same reasons are a family.

use crate::policy;
use clew_execute::Event;
use clew_ir::Span;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Prefixes that no input takes for the same reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refuted {
    /// The branches of the first of them, the flipped one last.
    pub path: Vec<Event>,
    /// How many there are.
    pub number: u64,
    /// What cannot hold together.
    pub because: Vec<Reason>,
}

/// Part of a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    explained: Vec<Refuted>,
    /// By reasons: where they stand among the explained, unless prefixes are kept.
    families: BTreeMap<Vec<Reason>, usize>,
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

    /// Whether these may be met several times.
    pub(crate) fn keeps_prefixes(&self) -> bool {
        self.kept.is_some()
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

    /// Notes why a prefix is refuted.
    pub(crate) fn explain(&mut self, path: Vec<Event>, because: Vec<Reason>) {
        let known = self.families.get(&because).filter(|_| self.kept.is_none());
        if let Some(known) = known {
            self.explained[*known].number += 1;
        } else if self.explained.len() < policy::MAX_FAMILIES.size() {
            self.families.insert(because.clone(), self.explained.len());
            self.explained.push(Refuted { path, number: 1, because });
        }
    }

    /// Takes in what another search refuted.
    pub(crate) fn adopt(&mut self, count: u64, explained: Vec<Refuted>) {
        self.count += count;
        for Refuted { path, number, because } in explained {
            self.explain(path, because.clone());
            if let Some(known) = self.families.get(&because) {
                self.explained[*known].number += number - 1;
            }
        }
    }

    /// The prefixes by their reasons.
    pub(crate) fn explained(self) -> Vec<Refuted> {
        let Some(mut kept) = self.kept else { return self.explained };
        let mut families: Vec<Refuted> = Vec::new();
        let mut at: BTreeMap<Vec<Reason>, usize> = BTreeMap::new();
        for one in self.explained {
            if kept.is_taken(&one.path) || !kept.refuted.remove(&one.path) {
                continue;
            }
            match at.get(&one.because) {
                Some(known) => families[*known].number += one.number,
                None => {
                    at.insert(one.because.clone(), families.len());
                    families.push(one);
                }
            }
        }
        families
    }
}

#[cfg(test)]
mod tests {
    use super::{Reason, Refutations};
    use clew_execute::Event;
    use clew_ir::{ConditionId, FunctionId};

    fn event(condition: u32, outcome: bool) -> Event {
        Event::Condition { function: FunctionId::new(0), condition: ConditionId::new(condition), outcome }
    }

    #[test]
    fn prefixes_with_the_same_reasons_are_a_family() {
        let (a, b, not_b) = (event(0, true), event(1, true), event(1, false));
        for keeps in [false, true] {
            let mut refutations = Refutations::default();
            if keeps {
                refutations.keep_prefixes();
            }
            for (path, reason) in [(vec![a, b], b), (vec![b, a, b], b), (vec![not_b, a], a)] {
                refutations.note(path.iter().copied());
                refutations.explain(path, vec![Reason::Branch(reason)]);
            }
            let numbers: Vec<(u64, usize)> =
                refutations.explained().iter().map(|family| (family.number, family.path.len())).collect();
            assert_eq!(numbers, [(2, 2), (1, 2)]);
        }
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
