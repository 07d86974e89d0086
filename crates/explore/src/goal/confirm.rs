//! Following one input from the beginning, without merging: does it do what the merged model says?

use std::rc::Rc;

use clew_scalar::Value;
use clew_solver::model::Model;

use super::{Goal, Site};
use crate::config::Errors;
use crate::ending::PathEnd;
use crate::strategy::DepthFirst;
use crate::value::{Scalar, Val};
use crate::{Explored, Explorer, Path};

impl Explorer<'_> {
    /// The path that an input takes, if it reaches the goal on the way.
    pub(super) fn follow(&mut self, start: &Path, goal: &Goal, model: &Rc<Model>) -> Option<Explored> {
        let open = std::mem::replace(&mut self.open, Box::new(DepthFirst::default()));
        let errors = std::mem::replace(&mut self.config.errors, Errors::End);
        let bound = self.config.bound.take();
        let mut path = Path { state: start.state.clone(), model: Rc::clone(model) };
        path.state.repeats = true;
        let (end, reached) = self.follow_path(goal, &mut path);
        self.open = open;
        self.config.errors = errors;
        self.config.bound = bound;
        if !reached || end == PathEnd::Contradiction {
            return None;
        }
        let end = match end {
            PathEnd::Returned(Some(Val::Scalar(Scalar::Term(term)))) => {
                let bits = self.constraints.value(&path.model, term);
                let ty = self.constraints.terms().ty(term);
                PathEnd::Returned(Some(Val::Scalar(Scalar::Known(Value::new(ty, bits)))))
            }
            other => other,
        };
        Some(Explored {
            addressed: path.state.inputs.addressed || self.has_far(&path),
            input: self.concrete_input(&path.state, &path.model),
            path: path.state.path.iter().copied().collect(),
            end,
            turns: path.state.turns,
            trace: self.trace(&path),
            news: Vec::new(),
            given: false,
        })
    }

    fn follow_path(&mut self, goal: &Goal, path: &mut Path) -> (PathEnd, bool) {
        let mut reached = false;
        loop {
            reached = reached || self.is_at(goal, path);
            let turning = self.turning(goal, path);
            match self.step(path) {
                Ok(()) => reached |= turning.is_some_and(|depth| self.has_left(goal, path, depth)),
                Err(end) => {
                    reached |= self.ends_at(goal, path, &end);
                    return (end, reached);
                }
            }
            while self.open.pop(None).is_some() {}
        }
    }

    /// Whether a path stands where the goal wants it, as it wants it.
    fn is_at(&mut self, goal: &Goal, path: &Path) -> bool {
        let Site::Points(points) = &goal.site else { return false };
        let frame = path.state.frame();
        let here = |point: &&super::Point| {
            (point.function, point.block, point.position) == (frame.function, frame.block, frame.next)
        };
        points.iter().any(|point| here(&point)) && self.is_wanted(goal, path, None)
    }

    /// The depth of the running activation, if it has made just the turns of a loop that are asked for.
    fn turning(&self, goal: &Goal, path: &Path) -> Option<usize> {
        let Site::Turns(function, target, turns) = goal.site else { return None };
        let frame = path.state.frame();
        (frame.function == function && frame.loops.contains(&(target, turns))).then_some(path.state.frames.len())
    }

    /// Whether the activation of that depth has left the loop.
    fn has_left(&self, goal: &Goal, path: &Path, depth: usize) -> bool {
        let Site::Turns(function, target, _) = goal.site else { return false };
        let frame = path.state.frame();
        let exit = self.program.functions[function].loops[target].exit;
        path.state.frames.len() == depth && frame.block == exit && frame.loops.iter().all(|(id, _)| *id != target)
    }

    fn ends_at(&mut self, goal: &Goal, path: &Path, end: &PathEnd) -> bool {
        match (&goal.site, end) {
            (Site::Return, PathEnd::Returned(result)) => self.is_wanted(goal, path, *result),
            (Site::Check(function, check), PathEnd::Failed(failure)) => {
                (failure.function, failure.check) == (*function, *check)
            }
            (Site::Check(function, check), PathEnd::Returned(result)) => {
                self.lost(&path.state, *result).iter().any(|lost| (lost.0, lost.1) == (*function, *check))
            }
            _ => false,
        }
    }

    fn is_wanted(&mut self, goal: &Goal, path: &Path, result: Option<Val>) -> bool {
        match self.wanted(&mut path.clone(), &goal.wanted, result) {
            Ok(Scalar::Known(truth)) => truth.bits == 1,
            Ok(Scalar::Term(term)) => self.constraints.holds(&path.model, term),
            Err(_) => false,
        }
    }
}
