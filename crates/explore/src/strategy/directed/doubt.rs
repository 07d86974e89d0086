//! What an exploration that was cut short leaves in doubt: the objectives that a branch still open may lead to, or a path
//! that was cut off. All others were decided by the paths that were run, as if the exploration had come to its end.
//!
//! A branch leads to an objective by the same measure by which exploring keeps it. Of a flow more is known: where no
//! variable holds the value in question any more, it has to be defined again.

use super::{Directed, is_pending};
use crate::strategy::undecided;
use crate::{Open, Resume};
use clew_coverage::objective::Goal;
use clew_coverage::{Ledger, ObjectiveId, place};
use std::collections::BTreeSet;

/// Objectives times marks on the way to what is left open that are looked at; beyond, all are in doubt.
const MOST: usize = 20_000_000;

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
    let counted = kept.iter().map(|(id, kept)| (&kept.open, strategy.counted.contains(id)));
    let all: Vec<(&Open, bool)> = counted.chain(cut.iter().map(|open| (open, false))).collect();
    let marks = |open: &Open| open.state.trace.as_ref().map_or(0, imbl::Vector::len) + 1;
    let effort: usize = all.iter().map(|(open, _)| marks(open)).sum();
    // Where a precondition in C still runs, everything lies ahead.
    if effort.saturating_mul(doubtful.len()) <= MOST && !all.iter().any(|(open, _)| open.state.guard) {
        let left = |(open, is_counted)| Left { open, is_counted, is_pending: is_pending(open, goals, is_counted) };
        let left: Vec<Left<'_>> = all.into_iter().map(left).collect();
        doubtful.retain(|id| {
            goals.focus(Some(*id));
            strategy.distances = strategy.map.distances(&goals.targets());
            left.iter().any(|left| leads(strategy, left, *id, goals))
        });
        goals.focus(None);
        strategy.rated_for = None;
    }
    strategy.open = kept;
    doubtful
}

/// Whether an objective, the only one that is wanted, may be covered by what is left open.
fn leads(strategy: &Directed<'_>, left: &Left<'_>, id: ObjectiveId, goals: &Ledger<'_>) -> bool {
    if left.is_pending && is_pending(left.open, goals, left.is_counted) {
        return true;
    }
    strategy.way_ahead(left.open, goals).is_some()
        && (is_defined_ahead(strategy, left.open, id, goals)
            || goals.may_carry(id, left.open.state.trace.iter().flatten()))
}

/// Whether the definition of a flow may lie ahead of a branch.
fn is_defined_ahead(strategy: &Directed<'_>, open: &Open, id: ObjectiveId, goals: &Ledger<'_>) -> bool {
    let objective = goals.objective(id);
    let Goal::Flow(_, site, ..) = &objective.goal else { return true };
    let Some(home) = place::site(*site) else { return false };
    let ways = strategy.map.distances(&BTreeSet::from([(objective.function, home)]));
    open.state.frames.iter().rev().enumerate().any(|(depth, frame)| {
        let block = match open.resume {
            Resume::Go(to, _) if depth == 0 => to,
            _ => frame.block,
        };
        !strategy.map.shows(frame.function) || ways.from(frame.function, block).is_some()
    })
}
