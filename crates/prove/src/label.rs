//! Labelling: where the searches come to no answer, arguments that have few values are given them one by one.
//!
//! With its arguments fixed a function often runs as if it were compiled: loops that no solver sees through (products,
//! remainders, conditions that are hashes of the input) become arithmetic on constants. The argument with the fewest values
//! goes first, then the next one, if that does not suffice. A goal that no value reaches is infeasible; for one that some
//! value reaches, that is the answer. This is the labelling at the end of every search by constraints (InKa, Euclide),
//! done for the function as a whole. Not done: parts of arrays and structures, globals, and arguments of more values.

use clew_ir::Span;
use clew_scalar::Value;
use clew_solver::clock::Deadline;
use clew_solver::domain::int::IntDomain;
use clew_solver::term::Node;

use super::property::words;
use super::pursue::Pursuit;
use crate::goal::{Goal, Proof, Verdict};
use crate::policy;
use crate::question::{Question, start, stepper};
use clew_symbolic::ending::{Limit, PathEnd};
use clew_symbolic::stepped::Step;
use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Explored, Path, Stepper, Unusable};

/// An argument and its value.
type Fixed = (usize, u128);

/// Who hears of inputs found, and says whether they were confirmed.
type Found<'f> = dyn FnMut(usize, &Explored) -> bool + 'f;

/// Looks for inputs that reach some of the goals, where some arguments have given values.
pub(super) fn search(
    question: Question<'_>,
    fixed: &[Fixed],
    open: &[usize],
    deadline: Deadline,
    found: &mut Found<'_>,
) -> Result<Vec<Verdict>, Unusable> {
    let goals: Vec<Goal> = open.iter().map(|goal| question.goals[*goal].clone()).collect();
    let mut config = question.config.clone();
    config.limits.deadline = deadline;
    let mut stepper = stepper(question.program, question.function, config);
    let mut start = match start(&mut stepper, question.function, question.precondition) {
        Ok(start) => start,
        Err(Unusable { limit: Some(_), reason, .. }) => {
            return Ok(vec![Verdict::Unknown([reason].into()); goals.len()]);
        }
        Err(unusable) => return Err(unusable),
    };
    for (argument, bits) in fixed {
        match fix_argument(&mut stepper, &mut start, *argument, *bits) {
            Ok(()) => {}
            Err(PathEnd::Contradiction) => return Ok(vec![Verdict::Infeasible(Proof::AllPaths); goals.len()]),
            Err(_) => {
                return Ok(vec![Verdict::Unknown(["an argument cannot be fixed".to_owned()].into()); goals.len()]);
            }
        }
    }
    let few = if deadline.is_set() { few(&mut stepper, &start, fixed) } else { None };
    if few.is_some() {
        stepper.config.limits.deadline = deadline.part(2);
    }
    let mut pursuit = Pursuit::new(&mut stepper, question.function, start, &goals);
    pursuit.run(&mut |goal, explored| found(open[goal], explored));
    let mut verdicts = pursuit.verdicts();
    if let Some(few) = few {
        label(question, fixed, open, deadline, few, &mut verdicts, found)?;
    }
    Ok(verdicts)
}

/// Settles what is not known for all values of an argument together, value by value.
fn label(
    question: Question<'_>,
    fixed: &[Fixed],
    open: &[usize],
    deadline: Deadline,
    (argument, values): (usize, Vec<u128>),
    verdicts: &mut [Verdict],
    found: &mut Found<'_>,
) -> Result<(), Unusable> {
    let mut left: Vec<usize> = (0..verdicts.len()).filter(|goal| is_hard(&verdicts[*goal])).collect();
    let mut proofs = vec![Some(Proof::AllPaths); verdicts.len()];
    for (done, value) in values.iter().enumerate() {
        if left.is_empty() {
            return Ok(());
        }
        let fixed: Vec<Fixed> = fixed.iter().copied().chain([(argument, *value)]).collect();
        let goals: Vec<usize> = left.iter().map(|goal| open[*goal]).collect();
        let share = deadline.part((values.len() - done) as u32);
        let known = search(question, &fixed, &goals, share, found)?;
        for (goal, verdict) in std::mem::take(&mut left).into_iter().zip(known) {
            match verdict {
                Verdict::Reached(_) => {
                    verdicts[goal] = verdict;
                    continue;
                }
                Verdict::Infeasible(proof @ Proof::Bounded(_)) => proofs[goal] = proofs[goal].take().and(Some(proof)),
                Verdict::Infeasible(_) => {}
                Verdict::Unknown(_) => proofs[goal] = None,
            }
            left.push(goal);
        }
    }
    for goal in left {
        if let Some(proof) = proofs[goal].take() {
            verdicts[goal] = Verdict::Infeasible(proof);
        }
    }
    Ok(())
}

/// Whether nothing but effort stands between a goal and its verdict.
fn is_hard(verdict: &Verdict) -> bool {
    let is_effort =
        |reason: &String| [Limit::Time, Limit::Effort, Limit::Solver].into_iter().any(|limit| *reason == words(limit));
    matches!(verdict, Verdict::Unknown(reasons) if reasons.iter().all(is_effort))
}

/// Gives an argument a value.
fn fix_argument(stepper: &mut Stepper<'_>, start: &mut Path, argument: usize, bits: u128) -> Step {
    let Some(Scalar::Term(term)) = argument_of(stepper, start, argument) else {
        return Err(PathEnd::Unsupported { what: "an argument with a value of its own".to_owned(), span: Span::NONE });
    };
    let terms = stepper.constraints.terms();
    let width = terms.width(term);
    let constant = terms.int(width, bits);
    let is_it = terms.eq(term, constant);
    stepper.assume(start, is_it)?;
    let known = Val::Scalar(Scalar::Known(Value::int(width, bits)));
    start.state.replace_values(&mut |val| if val == Val::Scalar(Scalar::Term(term)) { known } else { val });
    Ok(())
}

/// The argument with the fewest values among those that are not fixed, and its values, if they are few.
fn few(stepper: &mut Stepper<'_>, start: &Path, fixed: &[Fixed]) -> Option<(usize, Vec<u128>)> {
    let count = stepper.program.functions[start.state.outermost().function].params.len();
    let free = (0..count).filter(|argument| fixed.iter().all(|(other, _)| other != argument));
    let mut ranges: Vec<(u128, usize, IntDomain)> = Vec::new();
    for argument in free {
        if let Some(Scalar::Term(term)) = argument_of(stepper, start, argument)
            && matches!(stepper.constraints.terms().node(term), Node::Var(_))
            && stepper.constraints.terms().ty(term).format().is_none()
            && let Some(range) = stepper.constraints.range(&start.state, term)
        {
            ranges.push((range.count(), argument, range));
        }
    }
    let (count, argument, range) = ranges.into_iter().min_by_key(|(count, argument, _)| (*count, *argument))?;
    (1..=policy::MAX_LABELLED_VALUES.wide()).contains(&count).then(|| (argument, range.values().collect()))
}

/// The value of an argument where the function under test is called.
fn argument_of(stepper: &Stepper<'_>, start: &Path, argument: usize) -> Option<Scalar> {
    let frame = start.state.outermost();
    let param = stepper.program.functions[frame.function].params.get(argument)?;
    match frame.temps.get(param.temp) {
        Some(Val::Scalar(scalar)) => Some(scalar),
        _ => None,
    }
}
