//! The way from a state to goals, over the graph of the program: branches still to be decided, turns still to be made.

use std::collections::BTreeSet;

use clew_analyze::distance::{Distances, Map};
use clew_ir::{Block, BlockId, FunctionId, LoopId, Program, TerminatorKind};

use crate::goal::{Goal, Site};
use crate::policy;
use clew_symbolic::state::State;

/// Where a state is: the functions and blocks of its activations, the outermost first.
pub(super) type Standing = Vec<(FunctionId, BlockId)>;

/// Where a state is.
pub(super) fn standing(state: &State) -> Standing {
    state.frames.iter().map(|frame| (frame.function, frame.block)).collect()
}

/// Some goals, and how far it is to them.
#[derive(Debug, Default)]
pub(super) struct Heading {
    /// Where the goals stand.
    pub(super) targets: BTreeSet<(FunctionId, BlockId)>,
    distances: Distances,
    /// Whether a goal stands where the function under test returns.
    pub(super) wants_return: bool,
    /// Loops of which goals want turns.
    turns: Vec<(FunctionId, LoopId, u32)>,
}

impl Heading {
    /// The way to these goals.
    pub(super) fn new<'g>(program: &Program, map: &Map, goals: impl Iterator<Item = &'g Goal>) -> Heading {
        let mut heading = Heading::default();
        for goal in goals {
            match &goal.site {
                Site::Points(points) => {
                    heading.targets.extend(points.iter().map(|point| (point.function, point.block)));
                }
                Site::Return => heading.wants_return = true,
                Site::Turns(function, target, turns) => {
                    heading.targets.insert((*function, program.functions[*function].loops[*target].exit));
                    heading.turns.push((*function, *target, *turns));
                }
                Site::Check(function, check) => {
                    let has = |block: &Block| block.insts.iter().any(|inst| inst.kind.check() == Some(*check));
                    let ends = |block: &Block| matches!(block.terminator.kind, TerminatorKind::Unreachable { check: Some(own) } if own == *check);
                    let blocks = program.functions[*function].blocks.iter();
                    let there = blocks.filter(|(_, block)| has(block) || ends(block));
                    heading.targets.extend(there.map(|(block, _)| (*function, block)));
                }
            }
        }
        heading.distances = map.distances(&heading.targets);
        heading
    }

    /// Branches to be decided on the way to the nearest goal, in the running activation or in one it returns to; `None`
    /// if there is no way.
    pub(super) fn distance(&self, map: &Map, standing: &Standing) -> Option<u32> {
        let mut best: Option<u32> = None;
        let mut out: Option<u32> = Some(0);
        for &(function, block) in standing.iter().rev() {
            let Some(so_far) = out else { break };
            let near = if map.shows(function) {
                map.distance(&self.distances, function, block)
            } else {
                Some(policy::COST_UNKNOWN_FUNCTION.small())
            };
            best = best.into_iter().chain(near.map(|near| so_far + near)).min();
            out = match map.out(function, block) {
                Some(more) => Some(so_far + more),
                None if map.shows(function) => None,
                None => Some(so_far + policy::COST_UNKNOWN_FUNCTION.small()),
            };
        }
        best.into_iter().chain(out.filter(|_| self.wants_return)).min()
    }

    /// What turns still to be made cost, of the loop that wants fewest.
    pub(super) fn missing(&self, state: &State) -> u32 {
        let of = |(function, target, turns): &(FunctionId, LoopId, u32)| {
            let made = |frame: &clew_symbolic::state::Frame| {
                let own = frame.loops.iter().filter(|_| frame.function == *function);
                own.filter(|(id, _)| id == target).map(|(_, made)| *made).max()
            };
            turns.abs_diff(state.frames.iter().filter_map(|frame| made(frame)).max().unwrap_or(0))
        };
        self.turns.iter().map(of).min().unwrap_or(0).saturating_mul(policy::COST_OF_TURN.small())
    }

    /// Whether all goals stand in what a map shows; only pointers of the input lead elsewhere.
    pub(super) fn is_shown(&self, map: &Map) -> bool {
        self.targets.iter().all(|(function, _)| map.shows(*function))
    }
}
