//! Objectives that exploring left open, pursued as goals: all paths at once instead of one by one.
//!
//! An objective becomes a goal where it says nothing but that control comes to a point, that a loop is left after so many
//! turns, or that a check fails; the others stay open. What is reached goes the way of every path: it is executed and
//! becomes a test.

use super::Request;
use crate::policy;
use clew_coverage::objective::{Goal as Seek, Objective, Turns};
use clew_coverage::{Ledger, ObjectiveId, Proof, Verdict, evaluation, place};
use clew_ir::{BlockId, ConditionId, DecisionId, Function, FunctionId};
use clew_prove::exclude::Proved;
use clew_prove::{self as goal, Goal, Point, Site, Wanted};
use clew_search::Next;
use clew_search::deal::Part;
use clew_symbolic::Explored;
use clew_symbolic::config::{Config, Mode};
use std::collections::BTreeSet;

/// Number under which the exploration's ledger knows what was reached here.
const REACHED: u32 = u32::MAX - 1;

/// Pursues what an exploration has left open, a part of it, within a part of the time that is left. `found` is given what was reached.
pub(super) fn pursue(
    request: &Request<'_, '_>,
    ledger: &mut Ledger<'_>,
    part: Part,
    found: &mut dyn FnMut(Explored) -> Next,
) -> Vec<Proved> {
    let mut config = request.config.clone();
    config.limits.deadline = config.limits.deadline.part(policy::PURSUIT_SHARE.small());
    pursue_under(request, &config, ledger, part, found)
}

/// Pursues what is open under some options.
pub(super) fn pursue_under(
    request: &Request<'_, '_>,
    config: &Config,
    ledger: &mut Ledger<'_>,
    part: Part,
    found: &mut dyn FnMut(Explored) -> Next,
) -> Vec<Proved> {
    let (ids, goals) = open_goals(ledger, part);
    if goals.is_empty() {
        return Vec::new();
    }
    let config = Config { mode: Mode::Goal, ..config.clone() };
    let reach = &mut |_: usize, explored: &Explored| {
        let mut explored = explored.clone();
        let covers = explored.end.covers();
        if covers {
            explored.newly_covered = ledger.record(REACHED, &explored.trace);
            found(explored);
        }
        covers
    };
    let verdicts = goal::pursue(request.program, request.function, &request.precondition, &config, &goals, reach);
    let proved = ids.into_iter().zip(verdicts.unwrap_or_default()).filter_map(|(id, verdict)| match verdict {
        goal::Verdict::Infeasible(proof) => Some((id, proof_of(proof))),
        _ => None,
    });
    let proved: Vec<Proved> = proved.collect();
    proved.iter().for_each(|(id, proof)| ledger.decide(*id, Verdict::Infeasible(proof.clone())));
    proved
}

fn proof_of(proof: goal::Proof) -> Proof {
    match proof {
        goal::Proof::AllPaths | goal::Proof::Backward => Proof::Paths,
        goal::Proof::Bounded(turns) => Proof::PathsWithin(turns),
        goal::Proof::Inductive(_) => Proof::Fact("induction with loop invariants: it never happens".to_owned()),
        goal::Proof::Ranked(_) => Proof::Fact("a measure decreases with each turn".to_owned()),
        goal::Proof::Abstract => Proof::Fact("abstract interpretation: it never happens".to_owned()),
    }
}

/// The open objectives of a part that can be goals.
fn open_goals(ledger: &Ledger<'_>, part: Part) -> (Vec<ObjectiveId>, Vec<Goal>) {
    let open = ledger.entries().filter(|(id, _, verdict)| **verdict == Verdict::Open && part.has(*id));
    let goals = open.filter_map(|(id, objective, _)| {
        let site = site(ledger, objective)?;
        Some((id, Goal { site, wanted: Wanted::Arrival }))
    });
    goals.unzip()
}

/// Where control must come for an objective to be covered, or for one half of a pair to be seen, if that is all.
fn site(ledger: &Ledger<'_>, objective: &Objective) -> Option<Site> {
    let id = objective.function;
    let function = &ledger.program().functions[id];
    let point = |block: BlockId, position: usize| Point { function: id, block, position };
    let outcome = |condition: ConditionId, outcome: bool| {
        let edge = (place::branch(function, condition)?, usize::from(!outcome));
        Some(Site::Points(ends(id, function, &[edge].into())?))
    };
    match &objective.goal {
        Seek::Block(block) => Some(Site::Points(vec![point(*block, 0)])),
        Seek::Call(call) => Some(Site::Points(vec![point(call.block, call.index as usize)])),
        Seek::Outcome(condition, wanted) => outcome(*condition, *wanted),
        Seek::Independence(condition, _) => {
            let seen = ledger.evaluations(id, function.conditions[*condition].decision);
            let is_seen = |wanted: bool| {
                seen.into_iter().flatten().any(|(way, _)| evaluation::outcome(way, *condition) == Some(wanted))
            };
            let missing = [true, false].into_iter().find(|wanted| !is_seen(*wanted))?;
            outcome(*condition, missing)
        }
        Seek::Result(decision, result) => {
            Some(Site::Points(ends(id, function, &deciding(function, *decision, *result)?)?))
        }
        Seek::Arm(decision, arm) => {
            let edge = (place::switch(function, *decision)?, *arm as usize);
            Some(Site::Points(ends(id, function, &[edge].into())?))
        }
        Seek::Turns(item, turns) => {
            let number = match turns {
                Turns::Zero => 0,
                Turns::One => 1,
                // Exactly two may be infeasible where more are not: no proof, but mostly a test.
                Turns::Many => return None,
            };
            Some(Site::Turns(id, *item, number))
        }
        Seek::Failure(check) => Some(Site::Check(id, *check)),
        _ => None,
    }
}

/// The ways out of blocks by which a decision gets a result.
fn deciding(function: &Function, decision: DecisionId, result: bool) -> Option<BTreeSet<(BlockId, usize)>> {
    let formula = function.decisions[decision].formula.as_ref()?;
    let all = evaluation::completions(formula, &[], policy::MAX_PURSUED_EVALUATIONS.size())?;
    let last = all.iter().filter(|way| evaluation::result(formula, way) == Some(result)).filter_map(|way| way.last());
    last.map(|(condition, outcome)| Some((place::branch(function, *condition)?, usize::from(!outcome)))).collect()
}

/// The beginnings of the blocks to which some ways lead; `None` if other ways lead there, too.
fn ends(id: FunctionId, function: &Function, ways: &BTreeSet<(BlockId, usize)>) -> Option<Vec<Point>> {
    let to: BTreeSet<BlockId> =
        ways.iter().map(|(block, way)| function.blocks[*block].terminator.kind.successors()[*way]).collect();
    let only = function.blocks.iter().all(|(block, data)| {
        let successors = data.terminator.kind.successors();
        (0..).zip(successors).all(|(way, next)| !to.contains(&next) || ways.contains(&(block, way)))
    });
    only.then(|| to.into_iter().map(|block| Point { function: id, block, position: 0 }).collect())
}
