//! Goals: is there an input that brings control to a point, or that breaks a property?
//!
//! Paths are too many to answer that one by one. Here the function is run symbolically with all its paths at once: where
//! two paths come together again their states become one, values that differ become choices under the condition that
//! tells the paths apart (`ite` at joins), and so does memory. A function without loops is then one formula, and a goal
//! in it one question. Loops are unrolled a few turns at a time: whatever wants more turns is parked, and taken up again
//! when all else is done (iterative deepening without doing anything twice). Beside that, paths are also tried one by one,
//! and searched for backwards from the goal (`backward`); where that comes to no answer, arguments that have few values are
//! given them one by one (`label`).
//!
//! Every answer of the solver is followed from the beginning without any merging, to see that it does what is claimed,
//! and then given to the caller, who executes it for real. That a goal is infeasible is said only when every state was
//! run to its end, or refuted, and no limit was met; or, with a bound, when only turns beyond the bound are left.
//!
//! This is the merged constraint model of InKa and Euclide (Gotlieb, Botella and Rueher 1998; Gotlieb 2009), built as
//! state merging in symbolic execution (Kuznetsov, Kinder, Bucur and Candea 2012). Pointers to different objects are not
//! merged: such states stay apart.

mod backward;
mod confirm;
mod cut;
mod demands;
pub mod exclude;
mod frontier;
mod goal;
mod heading;
mod induction;
mod invent;
mod label;
mod merge;
mod near;
pub mod policy;
mod property;
mod pursue;
mod question;
pub mod questions;
mod shape;
pub mod termination;

use std::collections::BTreeSet;

use clew_analyze::facts::Facts;
use clew_ir::{FunctionId, InstKind, Program};

use clew_solver::clock::Deadline;
use clew_symbolic::config::{Config, Overlap};
use clew_symbolic::{Explored, Precondition, Unusable};

pub use cut::assigned;
pub use goal::{Carried, Goal, Point, Proof, Ranking, Site, Verdict, Wanted};
use induction::Induction;
use question::{Question, for_goals, start, stepper};

/// What facts about a function already say of a goal.
pub fn known(program: &Program, function: FunctionId, facts: &Facts, goal: &Goal) -> Option<Verdict> {
    let infeasible = match (&goal.site, &goal.wanted) {
        (Site::Points(points), wanted) => points.iter().all(|point| {
            let block = (point.function, point.block);
            let unreachable = facts.functions.contains(&point.function) && facts.unreachable.contains(&block);
            unreachable || holds_at(program, function, facts, *point, wanted)
        }),
        (Site::Return, Wanted::Fails { assumes, predicate }) => facts.ensure(program, function, assumes, predicate),
        (Site::Check(id, check), _) => facts.never_fails.contains(&(*id, *check)),
        (Site::Return | Site::Turns(..), _) => false,
    };
    infeasible.then_some(Verdict::Infeasible(Proof::Abstract))
}

/// Whether the assertion marked at a point holds whenever control passes it.
fn holds_at(program: &Program, function: FunctionId, facts: &Facts, point: Point, wanted: &Wanted) -> bool {
    let inst = program.functions[point.function].blocks[point.block].insts.get(point.position);
    match (inst.map(|inst| &inst.kind), wanted) {
        (Some(InstKind::Check { check, .. }), Wanted::Fails { assumes, predicate }) => {
            point.function == function && assumes.is_empty() && facts.assert(program, function, *check, predicate)
        }
        _ => false,
    }
}

/// Looks for inputs that reach goals. `found` is given a goal's position with an input that should reach it, and says
/// whether the execution of that input confirmed it.
///
/// # Errors
/// If the precondition cannot be used.
pub fn pursue(
    program: &Program,
    function: FunctionId,
    precondition: &Precondition,
    config: &Config,
    goals: &[Goal],
    found: &mut dyn FnMut(usize, &Explored) -> bool,
) -> Result<Vec<Verdict>, Unusable> {
    let config = &for_goals(config, goals);
    let question = Question { program, function, precondition, config, goals };
    let mut unused = BTreeSet::new();
    let mut verdicts = vec![Verdict::Unknown(BTreeSet::new()); goals.len()];
    let all: Vec<usize> = (0..goals.len()).collect();
    if config.overlap != Overlap::Compared {
        // Invariants would take for granted that inputs lead apart.
        search(question, &all, config.limits.deadline, &mut verdicts, found)?;
        return Ok(verdicts);
    }
    let induction = within_limits(induction::induct(question))?;
    adopt(induction, &all, &mut verdicts, &mut unused);
    for (verdict, carried) in verdicts.iter_mut().zip(termination::exclude_without_memory(question)?) {
        if let Some(carried) = carried {
            *verdict = Verdict::Infeasible(Proof::Inductive(carried));
        }
    }
    if !program.functions[function].loops.is_empty() && config.limits.deadline.is_set() {
        let left = unknown(&verdicts);
        search(
            question,
            &left,
            config
                .limits
                .deadline
                .part(policy::SEARCH_HEAD_START_SHARE.small())
                .or_work(policy::SEARCH_HEAD_START.millis()),
            &mut verdicts,
            found,
        )?;
        let left = unknown(&verdicts);
        let open: Vec<Goal> = left.iter().map(|goal| goals[*goal].clone()).collect();
        if !open.is_empty() {
            let induction = within_limits(invent::invent(Question { goals: &open, ..question }))?;
            adopt(Induction { unused: BTreeSet::new(), ..induction }, &left, &mut verdicts, &mut unused);
        }
    }
    let left = unknown(&verdicts);
    search(question, &left, config.limits.deadline, &mut verdicts, found)?;
    for verdict in &mut verdicts {
        if let Verdict::Unknown(reasons) = verdict {
            reasons.extend(unused.iter().cloned());
        }
    }
    Ok(verdicts)
}

/// A proof that a limit kept from its beginning shows nothing; what was found before is kept.
fn within_limits(induction: Result<Induction, Unusable>) -> Result<Induction, Unusable> {
    induction.or_else(|unusable| if unusable.limit.is_some() { Ok(Induction::default()) } else { Err(unusable) })
}

/// Goals of which nothing is known yet.
fn unknown(verdicts: &[Verdict]) -> Vec<usize> {
    (0..verdicts.len()).filter(|goal| matches!(verdicts[*goal], Verdict::Unknown(_))).collect()
}

/// Notes which goals a proof by induction excludes.
fn adopt(induction: Induction, goals: &[usize], verdicts: &mut [Verdict], unused: &mut BTreeSet<String>) {
    for (goal, excluded) in goals.iter().zip(&induction.excluded) {
        if *excluded {
            verdicts[*goal] = Verdict::Infeasible(Proof::Inductive(induction.carried.clone()));
        }
    }
    unused.extend(induction.unused);
}

/// Searches for some of the goals.
fn search(
    question: Question<'_>,
    left: &[usize],
    deadline: Deadline,
    verdicts: &mut [Verdict],
    found: &mut dyn FnMut(usize, &Explored) -> bool,
) -> Result<(), Unusable> {
    if left.is_empty() {
        return Ok(());
    }
    let known = label::search(question, &[], left, deadline, found)?;
    left.iter().zip(known).for_each(|(goal, verdict)| verdicts[*goal] = verdict);
    Ok(())
}

/// Looks for inputs as [`pursue`] does, but only backwards from the goals, with so much effort.
///
/// # Errors
/// If the precondition cannot be used.
pub fn pursue_backward(
    program: &Program,
    function: FunctionId,
    precondition: &Precondition,
    config: &Config,
    (goals, effort): (&[Goal], u64),
    found: &mut dyn FnMut(usize, &Explored) -> bool,
) -> Result<Vec<Verdict>, Unusable> {
    let mut stepper = stepper(program, function, for_goals(config, goals));
    let start = start(&mut stepper, function, precondition)?;
    let mut pursuit = pursue::Pursuit::new(&mut stepper, function, start, goals);
    Ok(pursuit.only_backward(effort, found))
}

/// Excludes goals by loop invariants that it finds itself, and in no other way.
///
/// # Errors
/// If the precondition cannot be used.
pub fn pursue_by_invariants(
    program: &Program,
    function: FunctionId,
    precondition: &Precondition,
    config: &Config,
    goals: &[Goal],
) -> Result<Vec<Verdict>, Unusable> {
    let config = &for_goals(config, goals);
    let induction = invent::invent(Question { program, function, precondition, config, goals })?;
    let mut verdicts = vec![Verdict::Unknown(BTreeSet::new()); goals.len()];
    adopt(induction, &(0..goals.len()).collect::<Vec<_>>(), &mut verdicts, &mut BTreeSet::new());
    Ok(verdicts)
}
