//! How many paths the control flow graph of a function has in which no activation of a loop makes more than k turns.
//!
//! What a state of the walk is made of is the block and the turns begun of the loops that are active: the turns only grow,
//! so that the states form no cycle, unless control goes round without a loop statement (`goto`, recursion); then there
//! is no number. Calls of functions with a body are gone into, and multiply. The number is one of the graph: whether there
//! is an input for a path is not asked.

use std::collections::{BTreeMap, BTreeSet};

use clew_coverage::evaluation::{conditions, next, result};
use clew_execute::Event;
use clew_ir::{Block, ENTRY, TerminatorKind};
use clew_ir::{BlockId, Callee, ConditionId, DecisionId, Formula, Function, FunctionId, InstKind, LoopId, Program};
use rustc_hash::FxHashMap;

use super::{Bound, note_turns};
use crate::policy;

/// Ways from a state: those that return, and those that end in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ways {
    returning: u128,
    ending: u128,
}

/// Where the walk stands: a block, and the turns of active loops.
type Standing = (BlockId, Vec<(LoopId, u32)>);

/// A way on: the blocks that control goes through, and what tells it from others.
type Step = Vec<BlockId>;

struct Walk<'p> {
    program: &'p Program,
    bound: Bound,
    whole: bool,
    /// By function: its ways; `None` while they are counted.
    known: BTreeMap<FunctionId, Option<Ways>>,
}

/// The number of paths within a bound; `whole` takes a decision for one branching, whatever conditions it has. `None` if
/// there is no number, or it cannot be told.
pub fn paths(program: &Program, function: FunctionId, bound: Bound, whole: bool) -> Option<u128> {
    let ways = Walk { program, bound, whole, known: BTreeMap::new() }.function(function)?;
    ways.returning.checked_add(ways.ending)
}

impl Walk<'_> {
    fn function(&mut self, function: FunctionId) -> Option<Ways> {
        if let Some(known) = self.known.get(&function) {
            return *known;
        }
        self.known.insert(function, None);
        let ways = self.counted(function)?;
        self.known.insert(function, Some(ways));
        Some(ways)
    }

    fn counted(&mut self, id: FunctionId) -> Option<Ways> {
        let program = self.program;
        let function = &program.functions[id];
        let mut done: FxHashMap<Standing, Option<Ways>> = FxHashMap::default();
        let start: Standing = (ENTRY, Vec::new());
        let mut open = vec![start.clone()];
        while let Some(standing) = open.last().cloned() {
            if matches!(done.get(&standing), Some(Some(_))) {
                open.pop();
                continue;
            }
            if done.len() > policy::MAX_GRAPH_STATES.size() {
                return None;
            }
            let after = self.after(function, &standing)?;
            let missing: Vec<Standing> =
                after.iter().filter(|one| !matches!(done.get(*one), Some(Some(_)))).cloned().collect();
            if missing.is_empty() {
                let block = &function.blocks[standing.0];
                let on = after.iter().try_fold(ends(block), |sum, one| sum.or(done[one]?))?;
                done.insert(standing, Some(self.through_calls(block, on)?));
                open.pop();
            } else {
                // What is missing a second time leads round.
                if done.insert(standing, None).is_some() {
                    return None;
                }
                open.extend(missing);
            }
        }
        done[&start]
    }

    /// The ways through the calls of a block, and on.
    fn through_calls(&mut self, block: &Block, on: Ways) -> Option<Ways> {
        let mut before = Ways { returning: 1, ending: 0 };
        for callee in callees(self.program, block) {
            let ways = self.function(callee)?;
            before = before.then(ways)?;
        }
        before.then(on)
    }

    /// Where the walk may stand next.
    fn after(&self, function: &Function, (block, turns): &Standing) -> Option<Vec<Standing>> {
        let mut after = Vec::new();
        for step in self.steps(function, *block)? {
            let (mut from, mut turns) = (*block, turns.clone());
            let is_within = step.iter().all(|to| {
                let begun = note_turns(function, from, &mut turns, *to);
                from = *to;
                self.bound.is_none_or(|k| begun.is_none_or(|begun| begun <= k))
            });
            if self.bound.is_none() {
                turns.clear();
            }
            if is_within {
                after.push((from, turns));
            }
        }
        Some(after)
    }

    fn steps(&self, function: &Function, block: BlockId) -> Option<Vec<Step>> {
        Some(match &function.blocks[block].terminator.kind {
            TerminatorKind::Jump(to) => vec![vec![*to]],
            TerminatorKind::Branch { condition: Some(condition), then, otherwise, .. } if self.whole => {
                let formula = function.decisions[function.conditions[*condition].decision].formula.as_ref();
                match formula.map(|formula| (formula, conditions(formula))) {
                    Some((formula, all)) if all.len() > 1 && all.first() == Some(condition) => {
                        return self.whole_steps(function, formula, block);
                    }
                    // In the middle of a decision of which more is to come, ways cannot be told apart.
                    Some((_, all)) if all.len() > 1 && all.last() != Some(condition) => return None,
                    _ => vec![vec![*then], vec![*otherwise]],
                }
            }
            TerminatorKind::Branch { then, otherwise, .. } => vec![vec![*then], vec![*otherwise]],
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter().map(|case| case.target).chain([*default]).map(|to| vec![to]).collect()
            }
            TerminatorKind::Return(_) | TerminatorKind::Unreachable { .. } => Vec::new(),
        })
    }

    /// The ways out of a decision: one for each truth and place it leads to, and one for each place in its middle where
    /// something else is decided first.
    fn whole_steps(&self, function: &Function, formula: &Formula, block: BlockId) -> Option<Vec<Step>> {
        let mut open: Vec<(Step, Vec<(ConditionId, bool)>)> = vec![(vec![block], Vec::new())];
        let mut ways: BTreeMap<(Option<bool>, BlockId), Step> = BTreeMap::new();
        for _ in 0..policy::MAX_DECISION_BLOCKS.size() {
            let Some((trail, outcomes)) = open.pop() else { return Some(ways.into_values().collect()) };
            let last = *trail.last().expect("a trail has a beginning");
            let asked = next(formula, &outcomes);
            let truth = result(formula, &outcomes);
            let at = &function.blocks[last];
            let goes_on = trail.len() == 1 || callees(self.program, at).is_empty();
            match at.terminator.kind {
                TerminatorKind::Branch { condition: Some(condition), then, otherwise, .. }
                    if truth.is_none() && goes_on && asked == Some(condition) =>
                {
                    for (to, outcome) in [(otherwise, false), (then, true)] {
                        let outcomes = outcomes.iter().copied().chain([(condition, outcome)]).collect();
                        open.push((trail.iter().copied().chain([to]).collect(), outcomes));
                    }
                }
                TerminatorKind::Jump(to) if truth.is_none() && goes_on => {
                    open.push((trail.into_iter().chain([to]).collect(), outcomes));
                }
                _ => drop(ways.insert((truth, last), trail[1..].to_vec())),
            }
        }
        None
    }
}

impl Ways {
    /// One of both.
    fn or(self, other: Ways) -> Option<Ways> {
        let returning = self.returning.checked_add(other.returning)?;
        Some(Ways { returning, ending: self.ending.checked_add(other.ending)? })
    }

    /// First these, then those.
    fn then(self, other: Ways) -> Option<Ways> {
        let ending = self.returning.checked_mul(other.ending)?.checked_add(self.ending)?;
        Some(Ways { returning: self.returning.checked_mul(other.returning)?, ending })
    }
}

/// The way that ends with a block.
fn ends(block: &Block) -> Ways {
    match block.terminator.kind {
        TerminatorKind::Return(_) => Ways { returning: 1, ending: 0 },
        TerminatorKind::Unreachable { .. } => Ways { returning: 0, ending: 1 },
        _ => Ways { returning: 0, ending: 0 },
    }
}

/// The functions of the program that a block calls, one after the other. Models of the library are not part of the graph.
fn callees(program: &Program, block: &Block) -> Vec<FunctionId> {
    let direct = block.insts.iter().filter_map(|inst| match inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
        _ => None,
    });
    let has_body = |callee: &FunctionId| {
        let callee = &program.functions[*callee];
        callee.is_defined() && !callee.span.is_none()
    };
    direct.filter(has_body).collect()
}

/// A decision of a function on the way, and the outcomes of its conditions so far.
type OpenDecision = (FunctionId, DecisionId, Vec<(ConditionId, bool)>);

/// The branchings of a path, where a decision is one: in place of its conditions stands the first one with the result. What
/// cannot be taken for part of a decision stays as it is.
pub fn whole(program: &Program, path: &[Event]) -> Vec<(bool, Event)> {
    let mut open: Vec<OpenDecision> = Vec::new();
    let mut seen = Vec::new();
    for event in path {
        let Event::Condition { function, condition, outcome } = *event else {
            seen.push((false, *event));
            continue;
        };
        let decision = program.functions[function].conditions[condition].decision;
        let Some(formula) = &program.functions[function].decisions[decision].formula else {
            seen.push((false, *event));
            continue;
        };
        let is_awaited = open.last().is_some_and(|(of, at, outcomes)| {
            (*of, *at) == (function, decision) && next(formula, outcomes) == Some(condition)
        });
        if !is_awaited {
            if next(formula, &[]) != Some(condition) {
                seen.push((false, *event));
                continue;
            }
            open.push((function, decision, Vec::new()));
        }
        let outcomes = &mut open.last_mut().expect("one is open").2;
        outcomes.push((condition, outcome));
        if let Some(truth) = result(formula, outcomes) {
            let first = outcomes[0].0;
            open.pop();
            seen.push((true, Event::Condition { function, condition: first, outcome: truth }));
        }
    }
    // A path that ends inside a decision is told from others by what it did there.
    for (function, _, outcomes) in open {
        seen.extend(
            outcomes.into_iter().map(|(condition, outcome)| (false, Event::Condition { function, condition, outcome })),
        );
    }
    seen
}

/// Paths by the branchings of their decisions.
#[derive(Clone, Debug, Default)]
pub struct Seen(BTreeSet<(Vec<(bool, Event)>, bool)>);

impl Seen {
    /// Whether no path before took the same decisions in the same way, and ended as well.
    pub fn is_new(&mut self, program: &Program, path: &[Event], covers: bool) -> bool {
        self.0.insert((whole(program, path), covers))
    }
}
