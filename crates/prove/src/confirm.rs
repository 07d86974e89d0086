//! Following one input from the beginning, without merging: does it do what the merged model says? Where pointers meet is no
//! part of a model, so that is taken from the state that had it.

use std::rc::Rc;

use clew_ir::{BlockId, FunctionId, Program};
use clew_scalar::Value;
use clew_solver::model::Model;

use super::property::wanted;
use crate::goal::{Goal, Site};
use clew_symbolic::config::Errors;
use clew_symbolic::ending::{Failure, PathEnd};
use clew_symbolic::input::Meeting;
use clew_symbolic::stepped::Step;
use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Explored, Path, Stepper};

/// The path that an input takes, if it reaches the goal on the way.
pub(super) fn follow(
    stepper: &mut Stepper<'_>,
    start: &Path,
    goal: &Goal,
    (model, meetings): (&Rc<Model>, &Rc<[Meeting]>),
) -> Option<Explored> {
    let forks = std::mem::take(&mut stepper.effects.forks);
    let errors = std::mem::replace(&mut stepper.config.errors, Errors::End);
    let bound = stepper.config.bound.take();
    if let Site::Check(function, check) = goal.site {
        stepper.seek_failure(Some((function, check)));
    }
    let state = stepper.entered_with(meetings).unwrap_or(&start.state).clone();
    let mut path = Path { state, model: Rc::clone(model) };
    path.state.repeats = true;
    path.state.inputs.meetings = Rc::clone(meetings);
    let (end, reached) = follow_path(stepper, goal, &mut path);
    stepper.effects.forks = forks;
    stepper.config.errors = errors;
    stepper.config.bound = bound;
    stepper.seek_failure(None);
    if !reached || end == PathEnd::Contradiction {
        return None;
    }
    let end = match end {
        PathEnd::Returned(Some(Val::Scalar(Scalar::Term(term)))) => {
            let bits = stepper.constraints.value(&path.model, term);
            let ty = stepper.constraints.terms().ty(term);
            PathEnd::Returned(Some(Val::Scalar(Scalar::Known(Value::new(ty, bits)))))
        }
        other => other,
    };
    Some(Explored {
        addressed: path.state.inputs.addressed || stepper.has_far(&path),
        input: stepper.concrete_input(&path.state, &path.model),
        path: path.state.record.events.iter().copied().collect(),
        repeats: stepper.repeats(&path),
        end,
        turns: stepper.turns(&path),
        trace: stepper.trace(&path),
        newly_covered: Vec::new(),
        given: false,
    })
}

/// Follows a path to its end. Where it cannot go on but with another input, of which the goal does not hold, it ends before:
/// what comes next is undefined for the input that reached the goal.
fn follow_path(stepper: &mut Stepper<'_>, goal: &Goal, path: &mut Path) -> (PathEnd, bool) {
    let mut reached = false;
    let mut reached_at: Option<Path> = None;
    loop {
        if !reached && is_at(stepper, goal, path) {
            (reached, reached_at) = (true, Some(path.clone()));
        }
        if let Some(blocks) = stepper.turn_ahead(path)
            && !is_within(stepper.program, goal, path.state.frame().function, &blocks)
        {
            stepper.skip_turns(path, &blocks);
        }
        let before = reached_at.is_some().then(|| path.clone());
        let turning = turning(goal, path);
        let step = followed(stepper, path);
        if let (Some(there), Some(before)) = (&reached_at, before)
            && !Rc::ptr_eq(&before.model, &path.model)
            && !is_wanted(stepper, goal, &Path { model: Rc::clone(&path.model), ..there.clone() }, None)
        {
            *path = before;
            return (undefined_next(stepper, path), true);
        }
        match step {
            Ok(()) => reached |= turning.is_some_and(|depth| has_left(stepper, goal, path, depth)),
            Err(end) => {
                reached |= ends_at(stepper, goal, path, &end);
                return (end, reached);
            }
        }
        stepper.effects.forks.clear();
    }
}

/// The end of a path of which the next instruction is undefined.
fn undefined_next(stepper: &Stepper<'_>, path: &Path) -> PathEnd {
    let frame = path.state.frame();
    let next = stepper.program.functions[frame.function].blocks[frame.block].insts.get(frame.next);
    match next.and_then(|inst| Some((inst.kind.check()?, inst.span))) {
        Some((check, span)) => {
            let what = "undefined for this input".to_owned();
            PathEnd::Failed(Failure { function: frame.function, check, what, span })
        }
        None => PathEnd::Unended,
    }
}

/// Runs one instruction of a path that an input takes, and what criteria want to know there.
fn followed(stepper: &mut Stepper<'_>, path: &mut Path) -> Step {
    let most = stepper.config.limits.steps;
    stepper.follow(path, most)?.map_or(Ok(()), |at| stepper.labels_after(path, at, |_| true))
}

/// Whether a path stands where the goal wants it, as it wants it.
fn is_at(stepper: &mut Stepper<'_>, goal: &Goal, path: &Path) -> bool {
    let Site::Points(points) = &goal.site else { return false };
    if path.state.guard {
        return false;
    }
    let frame = path.state.frame();
    let here = |point: &&crate::goal::Point| {
        (point.function, point.block, point.position) == (frame.function, frame.block, frame.next)
    };
    points.iter().any(|point| here(&point)) && is_wanted(stepper, goal, path, None)
}

/// The depth of the running activation, if it has made just the turns of a loop that are asked for.
fn turning(goal: &Goal, path: &Path) -> Option<usize> {
    let Site::Turns(function, target, turns) = goal.site else { return None };
    let frame = path.state.frame();
    (!path.state.guard && frame.function == function && frame.loops.contains(&(target, turns)))
        .then_some(path.state.frames.len())
}

/// Whether the activation of that depth has left the loop.
fn has_left(stepper: &Stepper<'_>, goal: &Goal, path: &Path, depth: usize) -> bool {
    let Site::Turns(function, target, _) = goal.site else { return false };
    let frame = path.state.frame();
    let exit = stepper.program.functions[function].loops[target].exit;
    path.state.frames.len() == depth && frame.block == exit && frame.loops.iter().all(|(id, _)| *id != target)
}

fn ends_at(stepper: &mut Stepper<'_>, goal: &Goal, path: &Path, end: &PathEnd) -> bool {
    match (&goal.site, end) {
        (Site::Return, PathEnd::Returned(result)) => is_wanted(stepper, goal, path, *result),
        (Site::Check(function, check), PathEnd::Failed(failure)) => {
            (failure.function, failure.check) == (*function, *check)
        }
        (Site::Check(function, check), PathEnd::Returned(result)) => {
            stepper.lost(&path.state, *result).iter().any(|lost| (lost.0, lost.1) == (*function, *check))
        }
        _ => false,
    }
}

fn is_wanted(stepper: &mut Stepper<'_>, goal: &Goal, path: &Path, result: Option<Val>) -> bool {
    match wanted(stepper, &mut path.clone(), &goal.wanted, result) {
        Ok(Scalar::Known(truth)) => truth.bits == 1,
        Ok(Scalar::Term(term)) => stepper.constraints.holds(&path.model, term),
        Err(_) => false,
    }
}

/// Whether a goal stands within blocks of a function, or asks for turns of a loop that begins there.
fn is_within(program: &Program, goal: &Goal, id: FunctionId, blocks: &[BlockId]) -> bool {
    match &goal.site {
        Site::Points(points) => points.iter().any(|point| point.function == id && blocks.contains(&point.block)),
        Site::Turns(function, item, _) => {
            *function == id && blocks.contains(&program.functions[*function].loops[*item].head)
        }
        Site::Return | Site::Check(..) => false,
    }
}
