//! A goal that contains an instance of an earlier goal of the same branch is dropped.
//!
//! If the later goal had a solution, so would the earlier one, and with fewer steps: those between the two are saved. The
//! solution of the root with the fewest steps therefore never passes through such a pair, and if there is none else,
//! there is none at all. This is what proves that recursive functions do not reach something for any term.
//!
//! Calls are matched one to one: two calls of the earlier goal may not be the same call of the later one, whose steps
//! would count twice.

use super::{Ancestor, NONE, Search, State};
use crate::policy;
use crate::store::{Node, Term};
use rustc_hash::FxHashMap;

/// How deep a branch is compared at every step; beyond, now and then.
const DEEP: u32 = 256;
/// Room for the terms of which those that are compared are made.
const ROOM: usize = 16;

/// What the variables of an earlier goal stand for, in the order they were found.
#[derive(Default)]
struct Matching {
    known: FxHashMap<Term, Term>,
    order: Vec<Term>,
    work: usize,
}

impl Matching {
    fn undo(&mut self, length: usize) {
        for var in self.order.drain(length..) {
            self.known.remove(&var);
        }
    }
}

impl Search<'_> {
    /// Whether the goal, of which a call is about to be evaluated, contains an instance of an earlier one.
    pub(super) fn is_subsumed(&self, call: u32) -> bool {
        // Goals of later stages are not in the list of calls, nor is what is wanted of the result.
        if (self.state.stage as usize) < self.query.stages.len() || !self.query.heads.is_empty() {
            return false;
        }
        if self.state.depth > DEEP && !self.state.depth.is_multiple_of(DEEP) {
            return false;
        }
        let target = self.calls[call as usize].target;
        let mut now = None;
        let earlier = self.ancestors.iter().rev().take(policy::NEWEST_STATES.size());
        for ancestor in earlier.filter(|ancestor| self.calls[ancestor.call as usize].target == target) {
            let Some(now) = now.get_or_insert_with(|| self.list(self.state)) else { return false };
            if ancestor.state.stage == self.state.stage
                && ancestor.state.reached == self.state.reached
                && self.contains(now, ancestor)
            {
                return true;
            }
        }
        false
    }

    /// The calls of a goal, if they are not too many.
    fn list(&self, state: State) -> Option<Vec<u32>> {
        let mut calls = Vec::with_capacity(policy::MAX_SUBSUMED_CALLS.size() + 1);
        let mut at = state.pending;
        while at != NONE {
            let cell = self.pending[at as usize];
            calls.push(cell.value);
            if calls.len() > policy::MAX_SUBSUMED_CALLS.size() {
                return None;
            }
            at = cell.next;
        }
        Some(calls)
    }

    fn contains(&self, now: &[u32], ancestor: &Ancestor) -> bool {
        let Some(then) = self.list(ancestor.state) else { return false };
        if then.len() > now.len() {
            return false;
        }
        let mut matching = Matching::default();
        self.assign(&then, now, ancestor, &mut matching) && self.differences_contained(ancestor, &mut matching)
    }

    /// Matches the earlier calls to later ones, one to one, by depth-first search.
    fn assign(&self, then: &[u32], now: &[u32], ancestor: &Ancestor, matching: &mut Matching) -> bool {
        let mut used = vec![false; now.len()];
        // For each earlier call: the later call it is matched to, and how many variables were known before.
        let mut chosen: Vec<(usize, usize)> = Vec::new();
        let mut from = 0;
        while chosen.len() < then.len() {
            let known = matching.order.len();
            let earlier = then[chosen.len()];
            let next = (from..now.len()).find(|index| {
                let fits = !used[*index] && self.call_matches(earlier, now[*index], ancestor.bindings, matching);
                if !fits {
                    matching.undo(known);
                }
                fits
            });
            match next {
                Some(index) => {
                    used[index] = true;
                    chosen.push((index, known));
                    from = 0;
                }
                None => {
                    let Some((index, known)) = chosen.pop() else { return false };
                    used[index] = false;
                    matching.undo(known);
                    from = index + 1;
                }
            }
            if matching.work > policy::MAX_SUBSUMPTION_WORK.size() {
                return false;
            }
        }
        true
    }

    fn call_matches(&self, then: u32, now: u32, bindings: u32, matching: &mut Matching) -> bool {
        let (then, now) = (&self.calls[then as usize], &self.calls[now as usize]);
        if then.target != now.target || then.only != now.only || then.len != now.len {
            return false;
        }
        let pair = |index| (self.store.arg(then.first, index), self.store.arg(now.first, index));
        // Arguments are taken apart in the same list, so there is room for theirs.
        let mut pairs: Vec<(Term, Term)> = Vec::with_capacity(then.len as usize + ROOM);
        pairs.extend((0..then.len).map(pair));
        if then.result != NONE {
            pairs.push((then.result, now.result));
        }
        self.terms_match(pairs, bindings, matching)
    }

    /// Whether later terms are instances of earlier ones, as these were when there were so many bindings.
    fn terms_match(&self, mut pairs: Vec<(Term, Term)>, bindings: u32, matching: &mut Matching) -> bool {
        while let Some((then, now)) = pairs.pop() {
            matching.work += 1;
            if matching.work > policy::MAX_SUBSUMPTION_WORK.size() {
                return false;
            }
            let (then, now) = (self.store.find_then(then, bindings), self.store.find(now));
            match (self.store.raw(then), self.store.raw(now)) {
                (Node::Con { con, first, len }, Node::Con { con: other, first: others, .. }) if con == other => {
                    pairs.extend((0..len).map(|index| (self.store.arg(first, index), self.store.arg(others, index))));
                }
                (Node::Int(one), Node::Int(other)) if one == other => {}
                (Node::Var { .. }, _) => match matching.known.get(&then) {
                    Some(known) if !self.is_same(*known, now) => return false,
                    Some(_) => {}
                    None => {
                        matching.known.insert(then, now);
                        matching.order.push(then);
                    }
                },
                _ => return false,
            }
        }
        true
    }

    /// Whether two terms are the same now.
    fn is_same(&self, left: Term, right: Term) -> bool {
        let mut pairs = vec![(left, right)];
        let mut work = 0;
        while let Some((left, right)) = pairs.pop() {
            work += 1;
            let (left, right) = (self.store.find(left), self.store.find(right));
            if left == right {
                continue;
            }
            match (self.store.raw(left), self.store.raw(right)) {
                (Node::Con { con, first, len }, Node::Con { con: other, first: others, .. })
                    if con == other && work < policy::MAX_SUBSUMPTION_WORK.size() =>
                {
                    pairs.extend((0..len).map(|index| (self.store.arg(first, index), self.store.arg(others, index))));
                }
                (Node::Int(one), Node::Int(other)) if one == other => {}
                _ => return false,
            }
        }
        true
    }

    /// Whether everything that had to differ then has to differ now.
    fn differences_contained(&self, ancestor: &Ancestor, matching: &mut Matching) -> bool {
        let mut at = ancestor.state.differences;
        while at != NONE {
            let cell = self.differences[at as usize];
            if !self.difference_contained(cell.value, ancestor.bindings, matching) {
                return false;
            }
            at = cell.next;
        }
        true
    }

    fn difference_contained(&self, (left, right): (Term, Term), bindings: u32, matching: &mut Matching) -> bool {
        let mut at = self.state.differences;
        while at != NONE {
            let (now_left, now_right) = self.differences[at as usize].value;
            let known = matching.order.len();
            if self.terms_match(vec![(left, now_left), (right, now_right)], bindings, matching) {
                return true;
            }
            matching.undo(known);
            at = self.differences[at as usize].next;
        }
        false
    }
}
