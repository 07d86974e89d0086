//! Paths to the goals one at a time, beside the merged states.
//!
//! Merging is of no use where pointers lead to different objects, and too much where the formulas become large. So the
//! same states are also run on without merging, those first that promise most, in turns by two measures: the nearest to
//! an open goal (branches still to be decided, as for criteria; turns of a loop still to be made), and the one whose
//! condition has the fewest constraints, since every constraint may stand for as many alternatives. A state from which no
//! goal can be reached is dropped. If all states come to an end, that is as good a proof as any.

use std::collections::{BTreeMap, BTreeSet};

use clew_analyze::distance::Map;
use clew_ir::{BlockId, FunctionId, Program};

use super::frontier::{Allowed, Waiting};
use super::heading::{Heading, standing};
use crate::goal::Goal;
use crate::policy;

/// The states that wait, each in two orders.
pub(super) struct Near {
    pub(super) map: Map,
    /// The open goals.
    heading: Heading,
    waiting: BTreeMap<u64, Waiting>,
    /// By promise, then by age: near a goal, and with few constraints.
    orders: [BTreeSet<(u64, u64)>; 2],
    /// How often a state in a block was run on.
    tries: BTreeMap<(FunctionId, BlockId), u32>,
    next: u64,
    turn: usize,
    /// Whether a state was dropped that might have reached a goal.
    pub(super) is_incomplete: bool,
    /// Whether states were dropped because they make more turns than the bound allows.
    pub(super) is_bounded: bool,
}

impl Near {
    pub(super) fn new(program: &Program, function: FunctionId) -> Near {
        Near {
            map: Map::new(program, function),
            heading: Heading::default(),
            waiting: BTreeMap::new(),
            orders: [BTreeSet::new(), BTreeSet::new()],
            tries: BTreeMap::new(),
            next: 0,
            turn: 0,
            is_incomplete: false,
            is_bounded: false,
        }
    }

    /// Heads for these goals. States that wait already keep their place.
    pub(super) fn head_for<'g>(&mut self, program: &Program, goals: impl Iterator<Item = &'g Goal>) {
        self.heading = Heading::new(program, &self.map, goals);
        self.is_incomplete |= !self.heading.is_shown(&self.map);
    }

    /// Keeps a state, unless it leads to no goal.
    pub(super) fn push(&mut self, state: Waiting, allowed: Option<Allowed>) {
        let standing = standing(&state.path.state);
        let Some(distance) = self.heading.distance(&self.map, &standing) else { return };
        let distance = distance.saturating_add(self.heading.missing(&state.path.state));
        if allowed.is_some_and(|allowed| !allowed.permits(&state)) {
            self.is_bounded = true;
            return;
        }
        if self.waiting.len() >= policy::MAX_SINGLE_STATES.size() {
            self.is_incomplete = true;
            return;
        }
        let path = &state.path.state;
        let frame = path.frame();
        let tries = self.tries.get(&(frame.function, frame.block)).copied().unwrap_or(0);
        let bits = |number: u32| u64::from(u32::BITS - number.leading_zeros());
        let age = path.steps / 4096;
        let near = u64::from(distance) * 2 + 4 * bits(tries) + age;
        let few = path.condition.len() as u64 + age;
        let id = self.next;
        self.next += 1;
        self.orders[0].insert((near, id));
        self.orders[1].insert((few << 32 | u64::from(distance), id));
        self.waiting.insert(id, state);
    }

    /// The next state to be run on.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        self.turn += 1;
        loop {
            let (_, id) = self.orders[self.turn % 2].pop_first()?;
            if let Some(state) = self.waiting.remove(&id) {
                let frame = state.path.state.frame();
                *self.tries.entry((frame.function, frame.block)).or_default() += 1;
                return Some(state);
            }
        }
    }

    /// The blocks of a function at which all goals stand; `None` if one stands elsewhere.
    pub(super) fn targets_in(&self, function: FunctionId) -> Option<BTreeSet<BlockId>> {
        let own = |&(other, block): &(FunctionId, BlockId)| (other == function).then_some(block);
        let blocks: Option<BTreeSet<BlockId>> = self.heading.targets.iter().map(own).collect();
        blocks.filter(|blocks| !self.heading.wants_return && !blocks.is_empty())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
