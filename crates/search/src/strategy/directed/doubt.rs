//! What an exploration that was cut short leaves in doubt: the objectives that a branch still open may lead to, or a path
//! that was cut off. All others were decided by the paths that were run, as if the exploration had come to its end.
//!
//! A branch leads to an objective by the same measure by which exploring keeps it. What lies ahead of some branch at all is
//! found once for all objectives. Of a flow more is known: where no variable holds the value in question any more, it has
//! to be defined again; so its branches are looked at one by one.

use super::{Directed, is_pending};
use crate::policy;
use crate::strategy::undecided;
use clew_analyze::distance::{Distances, Map};
use clew_coverage::objective::Goal;
use clew_coverage::{Ledger, ObjectiveId, place};
use clew_ir::{BlockId, FunctionId};
use clew_symbolic::{Open, Resume};
use std::collections::BTreeSet;

/// A branch left open, or a path that was cut off.
struct Left<'a> {
    open: &'a Open,
    is_counted: bool,
    /// Whether something on the way to it is still to be covered.
    is_pending: bool,
}

/// The objectives in doubt.
pub(super) fn doubtful(strategy: &mut Directed<'_>, goals: &mut Ledger<'_>, cut: &[Open]) -> BTreeSet<ObjectiveId> {
    let mut doubtful = undecided(goals);
    let kept = std::mem::take(&mut strategy.open);
    let counted = kept.iter().map(|(id, kept)| (&kept.open, strategy.marks.counted.contains(id)));
    let all: Vec<(&Open, bool)> = counted.chain(cut.iter().map(|open| (open, false))).collect();
    let marks = |open: &Open| open.state.record.trace.as_ref().map_or(0, imbl::Vector::len) + 1;
    let effort: usize = all.iter().map(|(open, _)| marks(open)).sum();
    // Where a precondition in C still runs, or a function that only a pointer of the input leads to, everything lies ahead.
    let hides = |open: &Open| {
        open.state.guard || open.state.frames.iter().any(|frame| !strategy.rating.map.shows(frame.function))
    };
    if effort.saturating_mul(doubtful.len()) <= policy::MAX_DOUBTS.size() && !all.iter().any(|(open, _)| hides(open)) {
        let left = |(open, is_counted)| Left { open, is_counted, is_pending: is_pending(open, goals, is_counted) };
        let left: Vec<Left<'_>> = all.into_iter().map(left).collect();
        let ahead = strategy.rating.map.ahead(left.iter().flat_map(|left| ways(strategy, left.open)));
        let frames = left.iter().flat_map(|left| left.open.state.frames.iter());
        // An objective may be about leaving the block where an activation stands.
        let standing: BTreeSet<_> = frames.map(|frame| (frame.function, frame.block)).collect();
        let lies_ahead =
            |map: &Map, function, block| map.is_ahead(&ahead, function, block) || standing.contains(&(function, block));
        doubtful.retain(|id| {
            goals.focus(Some(*id));
            is_in_doubt(strategy, &left, &lies_ahead, *id, goals)
        });
        goals.focus(None);
        strategy.rating.rated_for = None;
    }
    strategy.open = kept;
    doubtful
}

/// Whether an objective, the only one that is wanted, may be covered by what is left open.
fn is_in_doubt(
    strategy: &mut Directed<'_>,
    left: &[Left<'_>],
    lies_ahead: &dyn Fn(&Map, FunctionId, BlockId) -> bool,
    id: ObjectiveId,
    goals: &Ledger<'_>,
) -> bool {
    let targets = goals.targets();
    if let Goal::Flow(..) = goals.objective(id).goal {
        strategy.rating.distances = strategy.rating.map.distances(&targets);
    } else if targets.iter().any(|(function, block)| lies_ahead(&strategy.rating.map, *function, *block)) {
        return true;
    } else {
        strategy.rating.distances = Distances::default();
    }
    left.iter().any(|left| leads(strategy, left, id, goals))
}

/// Where activations go on from what is left open, as far as they can come to their ends.
fn ways<'a>(strategy: &'a Directed<'_>, open: &'a Open) -> impl Iterator<Item = (FunctionId, BlockId)> + use<'a> {
    let mut returns = true;
    open.state.frames.iter().rev().enumerate().map_while(move |(depth, frame)| {
        let block = match open.resume {
            Resume::Go(to, _) if depth == 0 => to,
            _ => frame.block,
        };
        let is_reached = std::mem::replace(&mut returns, strategy.rating.map.out(frame.function, block).is_some());
        is_reached.then_some((frame.function, block))
    })
}

/// Whether what is left open may lead to an objective, the only one that is wanted.
fn leads(strategy: &Directed<'_>, left: &Left<'_>, id: ObjectiveId, goals: &Ledger<'_>) -> bool {
    if left.is_pending && is_pending(left.open, goals, left.is_counted) {
        return true;
    }
    strategy.way_ahead(left.open, goals).is_some()
        && (is_defined_ahead(strategy, left.open, id, goals)
            || goals.may_carry(id, left.open.state.record.trace.iter().flatten()))
}

/// Whether the definition of a flow may lie ahead of a branch.
fn is_defined_ahead(strategy: &Directed<'_>, open: &Open, id: ObjectiveId, goals: &Ledger<'_>) -> bool {
    let objective = goals.objective(id);
    let Goal::Flow(_, site, ..) = &objective.goal else { return true };
    let Some(home) = place::site(*site) else { return false };
    let ways = strategy.rating.map.distances(&BTreeSet::from([(objective.function, home)]));
    open.state.frames.iter().rev().enumerate().any(|(depth, frame)| {
        let block = match open.resume {
            Resume::Go(to, _) if depth == 0 => to,
            _ => frame.block,
        };
        !strategy.rating.map.shows(frame.function)
            || strategy.rating.map.distance(&ways, frame.function, block).is_some()
    })
}
