//! Tests of which only the beginning was predicted.
//!
//! Where exploration stops at something unsupported, there is an input nevertheless. Whoever executes it sees where it
//! goes: that is a test like others, except that nothing is concluded of what else may happen. Its trace is the predicted
//! one, followed by each branch that was observed, as a way through two blocks.

use super::{Replayed, Request};
use clew_coverage::{Criterion, Mark, Trace};
use clew_execute::{Ending, Event, Observation};
use clew_ir::{BlockId, Program, TerminatorKind};
use clew_symbolic::Explored;
use clew_symbolic::ending::PathEnd;

/// The test of an input that was observed to return, if it goes another way than those before.
pub(super) fn test(
    request: &Request<'_, '_>,
    explored: Explored,
    observation: Observation,
    divergence: Option<&String>,
    tests: &[Replayed],
) -> Option<Replayed> {
    let is_whole = observation.ending == Ending::Returned && !observation.truncated;
    let is_known = tests.iter().any(|test| test.observation.path == observation.path);
    // A beginning that was predicted otherwise is a divergence like any other.
    let is_shown = observation.repeats.is_empty() && explored.repeats.is_empty();
    if divergence.is_none() && (!is_whole || !is_shown || is_known && !tests.is_empty()) {
        return None;
    }
    let trace = trace(request, &explored, &observation);
    let explored = Explored {
        trace,
        path: observation.path.clone(),
        end: PathEnd::Observed,
        newly_covered: Vec::new(),
        ..explored
    };
    Some(Replayed { explored, observation, divergence: divergence.cloned() })
}

/// What is known of the run: nothing where criteria ask for more than branches.
fn trace(request: &Request<'_, '_>, explored: &Explored, observation: &Observation) -> Trace {
    let of_branches = |criterion: &Criterion| {
        matches!(
            criterion,
            Criterion::Statement
                | Criterion::Function
                | Criterion::Decision
                | Criterion::Condition
                | Criterion::ConditionDecision
        )
    };
    if !request.config.criteria.iter().all(of_branches) {
        return Trace::new();
    }
    let rest = observation.path.iter().skip(explored.path.len());
    let marks = rest.filter_map(|event| way(request.program, *event)).flatten();
    explored.trace.iter().copied().chain(marks).collect()
}

/// The block that ends in a branch, and the block after it, in an activation of their own.
fn way(program: &Program, event: Event) -> Option<[Mark; 4]> {
    let (function, from, to) = match event {
        Event::Condition { function, condition: wanted, outcome } => {
            let ends = |kind: &TerminatorKind| match kind {
                TerminatorKind::Branch { condition: Some(condition), then, otherwise, .. } if *condition == wanted => {
                    Some(if outcome { *then } else { *otherwise })
                }
                _ => None,
            };
            let (from, to) = found(program, function, ends)?;
            (function, from, to)
        }
        Event::Switch { function, decision: wanted, arm } => {
            let ends = |kind: &TerminatorKind| match kind {
                TerminatorKind::Switch { decision: Some(decision), .. } if *decision == wanted => {
                    kind.successors().get(arm as usize).copied()
                }
                _ => None,
            };
            let (from, to) = found(program, function, ends)?;
            (function, from, to)
        }
    };
    Some([Mark::Enter(function), Mark::Block(from), Mark::Block(to), Mark::Leave])
}

fn found(
    program: &Program,
    function: clew_ir::FunctionId,
    ends: impl Fn(&TerminatorKind) -> Option<BlockId>,
) -> Option<(BlockId, BlockId)> {
    let body = &program.functions[function];
    // The entry leads to one block, so that a way to any other block shows nothing.
    let TerminatorKind::Jump(_) = body.blocks.values().next()?.terminator.kind else { return None };
    body.blocks.iter().find_map(|(id, block)| Some((id, ends(&block.terminator.kind)?)))
}
