//! Goals that were left unknown, sought path by path.
//!
//! Pursuing goals runs all paths at once, and confirms an input by following it from the beginning. Whether two references of
//! the input lead to one object is no part of an input there: such a goal stays unknown. The search for tests tries aliases
//! one by one; a test of it that comes to a point reaches the goal, and where it excludes the block of every point, the goal
//! is infeasible.

use super::Subject;
use clew_coverage::objective::Goal as Sought;
use clew_coverage::{Criterion, Proof as Reason, Verdict as Decided};
use clew_ir::{BlockId, FunctionId};
use clew_prove::{Goal, Proof, Site, Verdict, Wanted};
use clew_session::Outcome;
use clew_session::goals::Answered;
use clew_symbolic::config::{Assumptions, Config, Mode};
use std::collections::BTreeSet;

/// Looks for tests that come to the points which are left.
pub(super) fn complete(subject: &Subject<'_>, config: Config, answers: &mut [Answered]) {
    let left: Vec<&mut Answered> = answers.iter_mut().filter(|answer| blocks(answer).is_some()).collect();
    if left.is_empty() {
        return;
    }
    let functions: BTreeSet<FunctionId> =
        left.iter().filter_map(|answer| blocks(answer)).flatten().map(|(function, _)| function).collect();
    let criteria = vec![Criterion::Statement];
    let config = Config { mode: Mode::of(&criteria), criteria, scope: functions.into_iter().collect(), ..config };
    let is_allowed = config.bound.is_none() && config.assumptions != Assumptions::Rejected;
    subject.with(config, |request| {
        let Ok(outcome) = clew_session::run(request, &mut |_| {}) else { return };
        for answer in left {
            decide(answer, &outcome, is_allowed);
        }
    });
}

/// The blocks of the points of a goal that is not decided, if to come there is all it wants.
fn blocks(answer: &Answered) -> Option<BTreeSet<(FunctionId, BlockId)>> {
    match (&answer.verdict, &answer.asked.goal) {
        (Verdict::Unknown(_), Ok(Goal { site: Site::Points(points), wanted: Wanted::Arrival })) => {
            Some(points.iter().map(|point| (point.function, point.block)).collect())
        }
        _ => None,
    }
}

/// Takes over what a search says of the blocks of a goal; that it is infeasible only where that is allowed to be said.
fn decide(answer: &mut Answered, outcome: &Outcome<'_>, is_allowed: bool) {
    let (Some(wanted), Some(ledger)) = (blocks(answer), &outcome.ledger) else { return };
    let mut excluded = BTreeSet::new();
    for (_, objective, verdict) in ledger.entries() {
        let Sought::Block(block) = objective.goal else { continue };
        let place = (objective.function, block);
        if !wanted.contains(&place) {
            continue;
        }
        match verdict {
            Decided::Covered(tests) => {
                let Some(test) = tests.first().and_then(|number| outcome.tests.get(*number as usize)) else { continue };
                answer.verdict = Verdict::Reached(Box::new(test.explored.clone()));
                answer.observation = Some(test.observation.clone());
                return;
            }
            Decided::Infeasible(Reason::Paths) => drop(excluded.insert(place)),
            _ => {}
        }
    }
    if excluded == wanted && is_allowed {
        answer.verdict = Verdict::Infeasible(Proof::AllPaths);
        answer.assumptions = vec![clew_coverage::Assumption::JavaModel];
    }
}
