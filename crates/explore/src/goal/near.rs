//! Paths to the goals one at a time, beside the merged states.
//!
//! Merging is of no use where pointers lead to different objects, and too much where the formulas become large. So the
//! same states are also run on without merging, those first that promise most, in turns by two measures: the nearest to
//! an open goal (branches still to be decided, as for criteria; turns of a loop still to be made), and the one whose
//! condition has the fewest constraints, since every constraint may stand for as many alternatives. A state from which no
//! goal can be reached is dropped. If all states come to an end, that is as good a proof as any.

use std::collections::{BTreeMap, BTreeSet};

use clew_analyze::distance::{Distances, Map};
use clew_ir::{BlockId, FunctionId, LoopId, Program};

use super::frontier::{Allowed, Waiting};
use super::{Goal, Site};
use crate::state::State;

/// States kept at most.
const MOST: usize = 20_000;

/// What a state costs whose function the map does not show.
const FAR: u32 = 16;

/// What a turn of a loop costs that is still to be made.
const TURN: u32 = 8;

/// The states that wait, each in two orders.
pub(super) struct Near {
    map: Map,
    /// Where open goals stand.
    targets: BTreeSet<(FunctionId, BlockId)>,
    distances: Distances,
    /// Whether an open goal stands where the function under test returns.
    wants_return: bool,
    /// Loops of which open goals want turns.
    turns: Vec<(FunctionId, LoopId, u32)>,
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
            targets: BTreeSet::new(),
            distances: Distances::default(),
            wants_return: false,
            turns: Vec::new(),
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
        let mut targets: BTreeSet<(FunctionId, BlockId)> = BTreeSet::new();
        (self.wants_return, self.turns) = (false, Vec::new());
        for goal in goals {
            match &goal.site {
                Site::Points(points) => targets.extend(points.iter().map(|point| (point.function, point.block))),
                Site::Return => self.wants_return = true,
                Site::Turns(function, target, turns) => {
                    targets.insert((*function, program.functions[*function].loops[*target].exit));
                    self.turns.push((*function, *target, *turns));
                }
                Site::Check(function, check) => {
                    let blocks = program.functions[*function].blocks.iter();
                    let has = |block: &clew_ir::Block| block.insts.iter().any(|inst| inst.kind.check() == Some(*check));
                    let ends = |block: &clew_ir::Block| matches!(block.terminator.kind, clew_ir::TerminatorKind::Unreachable { check: Some(own) } if own == *check);
                    let there = blocks.filter(|(_, block)| has(block) || ends(block));
                    targets.extend(there.map(|(block, _)| (*function, block)));
                }
            }
        }
        // Only pointers of the input lead to what the map does not show.
        self.is_incomplete |= targets.iter().any(|(function, _)| !self.map.shows(*function));
        self.distances = self.map.distances(&targets);
        self.targets = targets;
    }

    /// Keeps a state, unless it leads to no goal.
    pub(super) fn push(&mut self, state: Waiting, allowed: Option<Allowed>) {
        let Some(distance) = self.distance(&state.path.state) else { return };
        if allowed.is_some_and(|allowed| !allowed.permits(&state)) {
            self.is_bounded = true;
            return;
        }
        if self.waiting.len() >= MOST {
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
        let blocks: Option<BTreeSet<BlockId>> = self.targets.iter().map(own).collect();
        blocks.filter(|blocks| !self.wants_return && !blocks.is_empty())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Branches to be decided on the way to the nearest goal, in the running activation or in one it returns to.
    fn distance(&self, state: &State) -> Option<u32> {
        let mut best: Option<u32> = None;
        let mut out: Option<u32> = Some(0);
        for frame in state.frames.iter().rev() {
            let Some(so_far) = out else { break };
            let near = match self.map.shows(frame.function) {
                true => self.distances.from(frame.function, frame.block),
                false => Some(FAR),
            };
            best = best.into_iter().chain(near.map(|near| so_far + near)).min();
            out = match self.map.out(frame.function, frame.block) {
                Some(more) => Some(so_far + more),
                None if self.map.shows(frame.function) => None,
                None => Some(so_far + FAR),
            };
        }
        best = best.into_iter().chain(out.filter(|_| self.wants_return)).min();
        best.map(|best| best.saturating_add(self.missing(state).saturating_mul(TURN)))
    }

    /// Turns still to be made of the loop that wants fewest.
    fn missing(&self, state: &State) -> u32 {
        let of = |(function, target, turns): &(FunctionId, LoopId, u32)| {
            let made = |frame: &crate::state::Frame| {
                let own = frame.loops.iter().filter(|_| frame.function == *function);
                own.filter(|(id, _)| id == target).map(|(_, made)| *made).max()
            };
            turns.abs_diff(state.frames.iter().filter_map(|frame| made(frame)).max().unwrap_or(0))
        };
        self.turns.iter().map(of).min().unwrap_or(0)
    }
}
