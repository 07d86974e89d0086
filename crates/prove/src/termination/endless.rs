//! Inputs for which a loop does not end.
//!
//! Runs that make many turns of the loop suggest conditions that hold from some turn on. Those that a turn does not keep are
//! left out until all are kept (as in `induction`, but without that they hold on entry); if no state of which the others
//! hold leaves the loop, or meets anything undefined, they are closed. An input that leads to one of these states does not
//! end. It is looked for in the function itself and executed by the caller.

use std::collections::BTreeSet;

use clew_ir::contract::Predicate;
use clew_ir::{BlockId, Callee, Function, InstKind, LoopId, Program};
use clew_symbolic::config::{Config, Errors};
use clew_symbolic::{Explored, Unusable};

use super::cycles;
use super::turns::watched;
use crate::cut;
use crate::cut::Cut;
use crate::goal::{Goal, Point, Site, Wanted};
use crate::induction::{self, Manner};
use crate::invent::{self, conditions};
use crate::policy;
use crate::pursue;
use crate::question::{Question, for_goals};

/// An input for which a loop of the function in question does not end, if one is found and `found` says that its execution
/// did not.
pub(super) fn endless(
    question: Question<'_>,
    target: LoopId,
    found: &mut dyn FnMut(&Explored) -> bool,
) -> Result<Option<Explored>, Unusable> {
    let Question { program, function, .. } = question;
    let data = &program.functions[function];
    let Ok(cut) = cut::cut_loop(program, function, target, false) else { return Ok(None) };
    if !always_returns(program, data, &cycles::blocks(data, target)) {
        return Ok(None);
    }
    let variables = invent::variables(program, function);
    let atoms = conditions::atoms(program, function, &variables);
    let mut tried: Vec<Vec<Predicate>> = Vec::new();
    for visits in invent::long_runs(question, cut.head, &variables)? {
        let mut suggested = invent::candidates(&cut, &variables, &visits, &atoms);
        suggested.truncate(policy::MAX_ENDLESS_CONDITIONS.size());
        if tried.len() == policy::MAX_ENDLESS_RUNS.size() || tried.contains(&suggested) {
            continue;
        }
        tried.push(suggested.clone());
        if let Some(closed) = closed(question, target, suggested)?
            && let Some(explored) = leading_to(question, cut.head, closed, found)?
        {
            return Ok(Some(explored));
        }
    }
    Ok(None)
}

/// Whether calls in these blocks, if they end, go on behind the call: functions without a body may end the program.
fn always_returns(program: &Program, function: &Function, blocks: &BTreeSet<BlockId>) -> bool {
    let insts = blocks.iter().flat_map(|block| &function.blocks[*block].insts);
    insts.into_iter().all(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => {
            let reached = clew_analyze::reach::reach(program, *callee).functions;
            reached.into_iter().all(|id| {
                let reached = &program.functions[id];
                reached.is_defined() || reached.name.starts_with("__VERIFIER_nondet")
            })
        }
        InstKind::Call { .. } => false,
        _ => true,
    })
}

/// Those of some conditions that are closed under the turns of a loop, if no state of which they hold leaves it.
fn closed(
    question: Question<'_>,
    target: LoopId,
    mut conditions: Vec<Predicate>,
) -> Result<Option<Vec<Predicate>>, Unusable> {
    let watched = watched(question.program, question.function, target, &[]);
    let question = Question { program: &watched.program, ..question };
    let out = out(question, target);
    let at_turn = |predicate: &Predicate| Goal {
        site: Site::Points(vec![Point { function: question.function, block: watched.turned, position: 0 }]),
        wanted: Wanted::Fails { assumes: Vec::new(), predicate: predicate.clone() },
    };
    let cuts: Vec<Cut> = induction::cuts(question, false);
    let manner = Manner { blurs: false, guesses: true };
    for _ in 0..policy::MAX_ENDLESS_ATTEMPTS.small() {
        let goals: Vec<Goal> = conditions.iter().map(at_turn).chain(out.iter().cloned()).collect();
        let config = Config { errors: Errors::Report, ..question.config.clone() };
        let config = for_goals(&config, &goals);
        let holding = |cut: &Cut| {
            let invariants = if cut.target == target { conditions.clone() } else { Vec::new() };
            Cut { invariants, ..cut.clone() }
        };
        let cuts: Vec<Cut> = cuts.iter().map(holding).collect();
        let excluded = induction::pursue_cut(Question { config: &config, goals: &goals, ..question }, &cuts, manner)?;
        let (kept, left) = excluded.split_at(conditions.len());
        if left.contains(&false) && kept.iter().all(|kept| !kept) || question.config.limits.deadline.has_passed() {
            return Ok(None);
        }
        if kept.iter().all(|kept| *kept) {
            return Ok(left.iter().all(|excluded| *excluded).then_some(conditions));
        }
        let mut kept = kept.iter();
        conditions.retain(|_| kept.next() == Some(&true));
    }
    Ok(None)
}

/// The goals that the loop is left, or that something undefined happens.
fn out(question: Question<'_>, target: LoopId) -> Vec<Goal> {
    let Question { program, function, .. } = question;
    let data = &program.functions[function];
    let blocks = cycles::blocks(data, target);
    let next = blocks.iter().flat_map(|block| data.blocks[*block].terminator.kind.successors());
    let outside: BTreeSet<BlockId> = next.filter(|block| !blocks.contains(block)).collect();
    let leaves = outside.into_iter().map(|block| Site::Points(vec![Point { function, block, position: 0 }]));
    let reached = clew_analyze::reach::reach(program, function).functions;
    let fails =
        reached.into_iter().flat_map(|id| program.functions[id].checks.ids().map(move |it| Site::Check(id, it)));
    leaves.chain(fails).map(|site| Goal { site, wanted: Wanted::Arrival }).collect()
}

/// An input that leads to a state at the head of a loop of which conditions hold.
fn leading_to(
    question: Question<'_>,
    head: BlockId,
    conditions: Vec<Predicate>,
    found: &mut dyn FnMut(&Explored) -> bool,
) -> Result<Option<Explored>, Unusable> {
    let Question { program, function, precondition, config, .. } = question;
    let site = Site::Points(vec![Point { function, block: head, position: 0 }]);
    let goal = Goal { site, wanted: Wanted::Holds(Predicate::And(conditions)) };
    let mut config = config.clone();
    config.limits.steps = policy::ENDLESS_STEPS.get();
    config.limits.deadline = config.limits.deadline.part(2);
    let verdicts = pursue(program, function, precondition, &config, &[goal], &mut |_, explored| found(explored))?;
    Ok(match verdicts.into_iter().next() {
        Some(crate::goal::Verdict::Reached(explored)) => Some(*explored),
        _ => None,
    })
}
