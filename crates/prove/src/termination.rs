//! Does every execution of a function end?
//!
//! What may go on without end is a loop, or functions that call each other ([`Cycle`]). A loop ends if a measure of its
//! variables decreases with each turn and is not negative when the turn begins (Turing 1949): measures are guessed from
//! conditions and templates, sifted by turns that were seen (`measure`), and proved by induction with invariants that are found
//! (`ranking`), first of what is left of the function without its memory (`integers`), then of the function itself. Values
//! are those of the machine, so that wrapping around is part of the proof. The calls of a function by itself end likewise, with a
//! measure of its arguments (`recursion`). Where every path can be run to its end, everything ends that is on it.
//!
//! A loop does not end where states are closed under its turns and none of them leaves it (`endless`; Gupta et al. 2008): an
//! input that leads to such a state is given to the caller, who executes it for some time. A loop from which no way leads
//! out is meant to go on: it is named and not called a mistake.
//!
//! Not done: loops made by `goto`, measures of lists, and functions that call each other with measures of their own. Functions without a body are taken to
//! return.

mod cycles;
mod endless;
mod integers;
mod measure;
mod ranking;
mod recursion;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::contract::visit::Node;
use clew_ir::contract::{PlaceKind, Predicate};
use clew_ir::{FunctionId, Program};
use clew_symbolic::config::{Config, Errors, Globals};
use clew_symbolic::{Explored, Precondition, Unusable};

use super::pursue::Pursuit;
use crate::goal::{Carried, Goal, Point, Ranking, Site, Wanted};
use crate::policy;
use crate::question::{Question, start, stepper};
pub use cycles::{Cycle, cycles};
use integers::Integers;
pub use measure::decrease_of;

/// Whether something that may go on without end does end.
#[derive(Clone, Debug, PartialEq)]
pub enum Ends {
    /// By a measure, for all inputs and any number of turns.
    Ranked(Ranking),
    /// Every path was run to its end.
    AllPaths,
    /// An input for which it does not, executed until its time was over.
    Endless(Box<Explored>),
    /// No way leads out of the loop: it is meant to go on.
    Meant,
    /// Not known, and why.
    Unknown(BTreeSet<String>),
}

/// Looks whether what may go on without end does end. `found` is given an input for which it should not, and says whether the
/// execution of that input did not end.
///
/// # Errors
/// If the precondition cannot be used.
pub fn terminates(
    program: &Program,
    function: FunctionId,
    precondition: &Precondition,
    config: &Config,
    cycles: &[Cycle],
    found: &mut dyn FnMut(usize, &Explored) -> bool,
) -> Result<Vec<Ends>, Unusable> {
    let config = &Config { errors: Errors::AssumeAbsent, ..config.clone() };
    let question = Question { program, function, precondition, config, goals: &[] };
    let mut ends = Vec::new();
    let mut integers = BTreeMap::new();
    for cycle in cycles {
        ends.push(ranked(question, cycle, &mut integers)?);
    }
    if ends.iter().any(is_unknown) && all_paths_end(question)? {
        ends.iter_mut().filter(|it| is_unknown(it)).for_each(|it| *it = Ends::AllPaths);
    }
    for (at, cycle) in cycles.iter().enumerate() {
        if let (true, &Cycle::Loop(holder, target)) = (is_unknown(&ends[at]), cycle)
            && holder == function
            && let Some(explored) = endless::endless(question, target, &mut |explored| found(at, explored))?
        {
            ends[at] = Ends::Endless(Box::new(explored));
        }
    }
    Ok(ends)
}

fn is_unknown(ends: &Ends) -> bool {
    matches!(ends, Ends::Unknown(_))
}

/// What can be said of one cycle by itself.
fn ranked(
    question: Question<'_>,
    cycle: &Cycle,
    integers: &mut BTreeMap<FunctionId, Option<Integers>>,
) -> Result<Ends, Unusable> {
    let unknown = |why: String| Ends::Unknown([why].into());
    let holder = match cycle {
        Cycle::Loop(holder, target) if !cycles::has_way_out(question.program, *holder, *target) => {
            return Ok(Ends::Meant);
        }
        Cycle::Loop(holder, _) => *holder,
        Cycle::Calls(functions) if functions.len() == 1 => functions[0],
        Cycle::Calls(functions) => return several(question, functions),
        Cycle::Jumps(_) => return Ok(unknown("jumps make a loop".to_owned())),
    };
    let nothing = Precondition::default();
    let is_called = holder != question.function;
    if is_called && !question.program.functions[holder].contract.requires.is_empty() {
        return Ok(unknown("the precondition of the function is not known to hold at its calls".to_owned()));
    }
    let globals = if is_called { Globals::Input } else { question.config.globals };
    let config = Config { globals, ..question.config.clone() };
    let precondition = if is_called { &nothing } else { question.precondition };
    let question = Question { function: holder, precondition, config: &config, ..question };
    let left = integers.entry(holder).or_insert_with(|| integers::integers(question.program, holder, &[]));
    let mut why = "it contains what may do anything".to_owned();
    if let Some(left) = left {
        match without_memory(question, left, cycle)? {
            Ok(ranking) => return Ok(Ends::Ranked(ranking)),
            Err(reason) => why = reason,
        }
    }
    let Cycle::Loop(_, target) = cycle else { return Ok(unknown(why)) };
    let found = within(question, |question| ranking::ranking(question, *target))?;
    Ok(found.map_or_else(|_| unknown(why), Ends::Ranked))
}

/// What can be said of functions that call each other, whatever they are given.
fn several(question: Question<'_>, functions: &[FunctionId]) -> Result<Ends, Unusable> {
    let config = Config { globals: Globals::Input, ..question.config.clone() };
    let question = Question { precondition: &Precondition::default(), config: &config, ..question };
    let found = within(question, |question| recursion::ranking_of_several(question, functions))?;
    Ok(found.map_or_else(|why| Ends::Unknown([why].into()), Ends::Ranked))
}

/// Looks for a ranking in what is left of a function without its memory.
fn without_memory(question: Question<'_>, left: &Integers, cycle: &Cycle) -> Result<Result<Ranking, String>, Unusable> {
    let precondition = plain(question);
    let question = Question { program: &left.program, precondition: &precondition, ..question };
    within(question, |question| match cycle {
        Cycle::Loop(_, target) => ranking::ranking(question, *target),
        _ => recursion::ranking(question, left),
    })
}

/// What is left of the precondition where memory is forgotten.
fn plain(question: Question<'_>) -> Precondition {
    let clauses = question.precondition.clauses.iter();
    let clauses = clauses.filter(|clause| integers::is_plain(question.program, &clause.predicate)).cloned().collect();
    Precondition { clauses, function: None }
}

/// Excludes goals about the ends of blocks in what is left of the function without its memory: measures of loops that a
/// contract gives are such goals.
pub(super) fn exclude_without_memory(question: Question<'_>) -> Result<Vec<Option<Vec<Carried>>>, Unusable> {
    let mut excluded = vec![None; question.goals.len()];
    let candidates: Vec<usize> = (0..question.goals.len()).filter(|at| end_of_block(question, *at).is_some()).collect();
    if candidates.is_empty() {
        return Ok(excluded);
    }
    let Some(left) = integers::integers(question.program, question.function, &[]) else { return Ok(excluded) };
    let precondition = plain(question);
    let question = Question { precondition: &precondition, ..question };
    for at in candidates {
        let Some((point, predicate)) = end_of_block(question, at) else { continue };
        let mut is_lost = |node: Node<'_>| matches!(node, Node::Place(place) if !matches!(place.kind, PlaceKind::Local(local) if left.kept.contains(&local)));
        if Node::Predicate(predicate).any(&mut is_lost) {
            continue;
        }
        let end = left.program.functions[point.function].blocks[point.block].insts.len();
        let site = Site::Points(vec![Point { position: end, ..point }]);
        let goals = [Goal { site, wanted: question.goals[at].wanted.clone() }];
        let question = Question { program: &left.program, goals: &goals, ..question };
        excluded[at] = within(question, ranking::excluded)?.map(|(_, carried)| carried);
    }
    Ok(excluded)
}

/// The end of a block of the function in question, and the predicate that is to fail there, if that is what a goal is.
fn end_of_block(question: Question<'_>, at: usize) -> Option<(Point, &Predicate)> {
    let goal = &question.goals[at];
    let (Site::Points(points), Wanted::Fails { assumes, predicate }) = (&goal.site, &goal.wanted) else { return None };
    let [point] = points[..] else { return None };
    let block = &question.program.functions[point.function].blocks[point.block];
    let is_end = point.function == question.function && point.position == block.insts.len();
    (is_end && assumes.is_empty() && integers::is_plain(question.program, predicate)).then_some((point, predicate))
}

/// Does something with a part of the time that is left.
fn within<T>(question: Question<'_>, run: impl FnOnce(Question<'_>) -> T) -> T {
    let mut config = question.config.clone();
    config.limits.deadline = config.limits.deadline.part(policy::TERMINATION_SHARE.small());
    run(Question { config: &config, ..question })
}

/// Whether every path of the function ends after so many turns as it can be run.
fn all_paths_end(question: Question<'_>) -> Result<bool, Unusable> {
    within(question, |question| {
        let Question { program, function, precondition, config, .. } = question;
        let mut stepper = stepper(program, function, Config { bound: None, ..config.clone() });
        let start = start(&mut stepper, function, precondition)?;
        // A goal that stands nowhere: nothing is looked for.
        let goals = [Goal { site: Site::Points(Vec::new()), wanted: Wanted::Arrival }];
        Ok(Pursuit::new(&mut stepper, function, start, &goals).all_paths_end(policy::ALL_PATHS_EFFORT.get()))
    })
}
