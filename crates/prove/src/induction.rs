//! Proofs by induction over loops, with the invariants that the contract gives.
//!
//! A loop is cut at its head: a state that enters it forgets all that the turns may change, takes the invariants for
//! granted, and so stands for the states after any number of turns; one that comes back to the head after a turn ends
//! there. Each invariant is a goal of its own at the head, for those that enter and for those that come back: one that may
//! fail, or whose meaning is not known, is left out, and all begins anew with the others (after Houdini, Flanagan and Leino
//! 2001). What no state reaches is excluded for all inputs and all turns, whatever their number.
//!
//! Loops that cannot be cut (`cut`) stay as they are, and their invariants are only checked; the same holds for loops of
//! callees. Clauses about what a loop assigns and its variant are not used.

use std::collections::BTreeSet;

use clew_ir::contract::{LoopContract, Predicate};

use super::pursue::Pursuit;
use crate::cut::{Cut, cut_loop, may_blur};
use crate::goal::{Carried, Goal, Point, Proof, Site, Verdict, Wanted};
use crate::policy;
use crate::question::{Question, stepper};
use clew_symbolic::Unusable;

/// How a proof is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// Whether accesses through pointers are blurred.
    pub(super) blurs: bool,
    /// Whether the invariants are guessed.
    pub(super) guesses: bool,
}

/// What came of a proof by induction.
#[derive(Debug, Default)]
pub(super) struct Induction {
    /// By goal, whether it is excluded; empty if there was nothing to try.
    pub(super) excluded: Vec<bool>,
    /// The invariants by which.
    pub(super) carried: Vec<Carried>,
    /// Why invariants are not used.
    pub(super) unused: BTreeSet<String>,
}

/// Tries to exclude goals by the invariants of the function under test; where that fails, without what accesses through
/// pointers do, if that is more than what happens.
pub(super) fn induct(question: Question<'_>) -> Result<Induction, Unusable> {
    let exact = by_contract(question, false)?;
    let is_in_vain = exact.excluded.iter().all(|excluded| !excluded);
    if is_in_vain && has_invariants(question) && may_blur(question) {
        let blurred = by_contract(question, true)?;
        if blurred.excluded.contains(&true) {
            return Ok(blurred);
        }
    }
    Ok(exact)
}

fn has_invariants(question: Question<'_>) -> bool {
    let contract = &question.program.functions[question.function].contract;
    contract.loops.iter().any(|about| !about.invariants.is_empty())
}

fn by_contract(question: Question<'_>, blurs: bool) -> Result<Induction, Unusable> {
    let mut unused = BTreeSet::new();
    let mut cuts = Vec::new();
    let contract = &question.program.functions[question.function].contract;
    for about in contract.loops.iter().filter(|about| !about.invariants.is_empty()) {
        match cut_loop(question.program, question.function, about.target, blurs) {
            Ok(cut) => cuts.push(with_invariants(cut, about)),
            Err(why) => drop(unused.insert(format!("the invariants of a loop are not used: {why}"))),
        }
    }
    let mut config = question.config.clone();
    config.limits.deadline = config.limits.deadline.part(policy::INDUCTION_SHARE.small());
    let (mut induction, _) = houdini(Question { config: &config, ..question }, cuts, Manner { blurs, guesses: false })?;
    induction.unused.extend(unused);
    Ok(induction)
}

/// The loops of the function under test that can be cut, with the invariants of its contract. Where accesses through pointers
/// are blurred, what they change does not stand in the way.
pub(super) fn cuts(question: Question<'_>, blurs: bool) -> Vec<Cut> {
    let function = &question.program.functions[question.function];
    let targets = function.loops.ids();
    let cuts = targets.filter_map(|target| cut_loop(question.program, question.function, target, blurs).ok());
    let about = |cut: &Cut| function.contract.loops.iter().find(|about| about.target == cut.target);
    cuts.map(|cut| if let Some(about) = about(&cut) { with_invariants(cut, about) } else { cut }).collect()
}

/// The loops that can be cut, without any invariants.
pub(super) fn bare_cuts(question: Question<'_>) -> Vec<Cut> {
    cuts(question, false).into_iter().map(|cut| Cut { invariants: Vec::new(), ..cut }).collect()
}

fn with_invariants(cut: Cut, about: &LoopContract) -> Cut {
    Cut { invariants: about.invariants.iter().map(|clause| clause.predicate.clone()).collect(), ..cut }
}

/// Leaves out invariants that are not shown to hold until all are, and says what they exclude. It ends early where even all
/// together exclude nothing.
pub(super) fn houdini(
    question: Question<'_>,
    mut cuts: Vec<Cut>,
    manner: Manner,
) -> Result<(Induction, Vec<Cut>), Unusable> {
    let mut induction = Induction::default();
    if manner.guesses && !pursue_cut(question, &cuts, manner)?.contains(&true) {
        // Not even all of them together exclude anything.
        return Ok((induction, cuts));
    }
    while cuts.iter().any(|cut: &Cut| !cut.invariants.is_empty()) && !question.config.limits.deadline.has_passed() {
        let excluded = attempt(question, &cuts, manner)?;
        let (of_goals, of_invariants) = excluded.split_at(question.goals.len());
        if of_invariants.iter().all(|excluded| *excluded) {
            induction.excluded = of_goals.to_vec();
            induction.carried = carried(&cuts);
            break;
        }
        induction.unused.insert("an invariant of a loop is not used: it is not shown to hold".to_owned());
        if !of_goals.contains(&true) {
            break;
        }
        let mut held = of_invariants.iter();
        cuts.iter_mut().for_each(|cut| cut.invariants.retain(|_| held.next() == Some(&true)));
    }
    Ok((induction, cuts))
}

pub(super) fn carried(cuts: &[Cut]) -> Vec<Carried> {
    let of = |cut: &Cut| {
        let target = cut.target;
        cut.invariants.iter().cloned().map(move |invariant| Carried { target, invariant }).collect::<Vec<_>>()
    };
    cuts.iter().flat_map(of).collect()
}

/// Leaves out invariants without which the same goals are excluded: halves, then quarters, and so on, with at most so
/// many attempts.
pub(super) fn minimised(
    question: Question<'_>,
    mut cuts: Vec<Cut>,
    manner: Manner,
    most: u32,
) -> Result<Vec<Cut>, Unusable> {
    let count = |cuts: &[Cut]| cuts.iter().map(|cut| cut.invariants.len()).sum::<usize>();
    let (mut left, mut size, mut from) = (most, count(&cuts).div_ceil(2), 0);
    while size > 0 && left > 0 && !question.config.limits.deadline.has_passed() {
        if from >= count(&cuts) {
            (size, from) = (size / 2, 0);
            continue;
        }
        left -= 1;
        let mut fewer = cuts.clone();
        let mut at = 0..;
        fewer.iter_mut().for_each(|cut| {
            cut.invariants.retain(|_| !(from..from + size).contains(&at.next().expect("numbers do not end")));
        });
        let excluded = attempt(question, &fewer, manner)?;
        if excluded.iter().all(|excluded| *excluded) { cuts = fewer } else { from += size }
    }
    Ok(cuts)
}

/// Runs states through cut loops: which goals no state reaches, and which invariants hold, in their order.
pub(super) fn attempt(question: Question<'_>, cuts: &[Cut], manner: Manner) -> Result<Vec<bool>, Unusable> {
    let Question { program, function, precondition, config, goals } = question;
    let mut goals = goals.to_vec();
    for cut in cuts {
        let site = Site::Points(vec![Point { function, block: cut.head, position: 0 }]);
        let fails = |predicate: &Predicate| Wanted::Fails { assumes: Vec::new(), predicate: predicate.clone() };
        goals.extend(cut.invariants.iter().map(|it| Goal { site: site.clone(), wanted: fails(it) }));
    }
    pursue_cut(Question { program, function, precondition, config, goals: &goals }, cuts, manner)
}

/// Runs states through cut loops: which goals no state reaches.
pub(super) fn pursue_cut(question: Question<'_>, cuts: &[Cut], manner: Manner) -> Result<Vec<bool>, Unusable> {
    let Question { program, function, precondition, config, goals } = question;
    let mut stepper = stepper(program, function, config.clone());
    stepper.constraints.limit_steps(if manner.guesses {
        policy::GUESS_STEPS.get()
    } else {
        policy::INDUCTION_STEPS.get()
    });
    let start = stepper.start(function, precondition)?;
    let mut pursuit = Pursuit::new(&mut stepper, function, start, goals);
    pursuit.cut(cuts.to_vec(), manner.blurs);
    pursuit.run(&mut |_, _| false);
    // Where loops are cut, turns are not counted.
    let is_countable = |goal: &Goal| !matches!(goal.site, Site::Turns(..));
    let excluded =
        |(goal, verdict): (&Goal, Verdict)| verdict == Verdict::Infeasible(Proof::AllPaths) && is_countable(goal);
    Ok(goals.iter().zip(pursuit.verdicts()).map(excluded).collect())
}
