//! Tests of which only the beginning was predicted.
//!
//! Where exploration stops at something unsupported, there is an input nevertheless. Whoever executes it sees where it
//! goes: that is a test like others, except that nothing is concluded of what else may happen. Its trace is the predicted
//! one, followed by each branch that was observed: ways through two blocks, one after the other.

use super::{Replayed, Request};
use clew_coverage::{Criterion, Mark, Trace};
use clew_execute::{Ending, Event, Observation};
use clew_ir::{BlockId, FunctionId, Program, TerminatorKind};
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

/// A path of which nothing was predicted.
pub(super) fn forgotten(explored: Explored) -> Explored {
    Explored { trace: Trace::new(), path: Vec::new(), repeats: Vec::new(), ..explored }
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
    let mut marks: Vec<Mark> = explored.trace.to_vec();
    let mut at: Option<(FunctionId, BlockId)> = None;
    for (function, from, to) in rest.filter_map(|event| way(request.program, *event)) {
        // Branches of one function belong together as long as nothing that decides was left out between them.
        let goes_on = at.is_some_and(|(other, block)| {
            let decides = |block: BlockId| {
                let ending = &request.program.functions[function].blocks[block].terminator.kind;
                matches!(ending, TerminatorKind::Branch { condition: Some(_), .. } | TerminatorKind::Switch { .. })
            };
            other == function && (block == from || !decides(block))
        });
        if !goes_on {
            marks.extend(at.map(|_| Mark::Leave));
            marks.push(Mark::Enter(function));
        }
        if !goes_on || at != Some((function, from)) {
            marks.push(Mark::Block(from));
        }
        marks.push(Mark::Block(to));
        at = Some((function, to));
    }
    marks.extend(at.map(|_| Mark::Leave));
    marks.into_iter().collect()
}

/// The block that ends in a branch, and the block after it.
fn way(program: &Program, event: Event) -> Option<(FunctionId, BlockId, BlockId)> {
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
    Some((function, from, to))
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
