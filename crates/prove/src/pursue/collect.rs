//! All states that come to a goal, instead of one input that does.
//!
//! Merged states are run on as in a pursuit. Where one comes to the goal, the inputs for which the goal is as wanted become
//! a case, and the others go on: so every input is in at most one case, and what the cases hold can be added up. States
//! from which the goal cannot be reached are dropped; those that are left when the effort is spent may still reach it.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Pursuit, Waiting, words};
use crate::demands::may_recur;
use crate::frontier::Allowed;
use crate::goal::Site;
use crate::heading::standing;
use crate::property;
use clew_symbolic::Path;
use clew_symbolic::constraints::Answer;
use clew_symbolic::ending::{Limit, PathEnd};
use clew_symbolic::value::{self, Scalar, Val};

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    /// States that have come to the goal.
    pub(crate) cases: Vec<Path>,
    /// States that may still come there.
    pub(crate) left: Vec<Path>,
    /// Limits met: inputs may be missing from both.
    pub(crate) limits: BTreeSet<String>,
}

impl Pursuit<'_, '_> {
    /// Collects the states that come to the only goal, with so much effort.
    pub(crate) fn collect(mut self, effort: u64) -> Collected {
        assert_eq!(self.goals.len(), 1, "states are collected for one goal");
        self.cases = Some(Vec::new());
        self.near.head_for(self.stepper.program, self.goals.iter());
        self.frontier.parked.push(self.beginning());
        let bound = self.stepper.config.bound;
        for round in 0.. {
            self.frontier.allowed = Allowed::in_round(round, bound, self.inner_turns());
            for state in std::mem::take(&mut self.frontier.parked) {
                self.wait(state);
            }
            while let Some(state) = self.next() {
                if self.effort.spent[0] > effort || self.is_over() {
                    self.frontier.parked.push(state);
                    break;
                }
                self.measured(state, &mut |_, _| false);
            }
            let allowed = self.frontier.allowed;
            let bounded = bound.is_some_and(|bound| allowed == Allowed { outer: bound, inner: bound });
            if self.frontier.parked.is_empty() || bounded || self.effort.spent[0] > effort || self.is_over() {
                break;
            }
        }
        self.collected()
    }

    fn collected(mut self) -> Collected {
        let waiting = std::mem::take(&mut self.frontier.waiting).into_values().flatten();
        let left = waiting.chain(std::mem::take(&mut self.frontier.parked)).map(|state| state.path).collect();
        let mut limits = std::mem::take(&mut self.met.limits);
        limits.extend(std::mem::take(&mut self.progress[0].doubts));
        limits.extend(self.met.began.iter().copied().map(words));
        Collected { cases: self.cases.take().unwrap_or_default(), left, limits }
    }

    /// Whether a state that is to wait may come to a goal, where states are all collected or nothing but turns of loops is
    /// asked for.
    pub(super) fn is_of_use(&mut self, state: &Waiting) -> bool {
        let asks_for_turns = self.goals.iter().all(|goal| matches!(goal.site, Site::Turns(..)));
        if !self.cuts.is_empty() || self.cases.is_none() && !asks_for_turns {
            return true;
        }
        let standing = standing(&state.path.state);
        (0..self.goals.len())
            .any(|goal| self.is_open(goal) && self.may_reach(goal, &standing) && !self.exceeds(goal, state))
    }

    /// Whether a state has made more turns of a loop than a goal wants, and cannot come to the loop again: it is a loop of
    /// the function under test, in no other loop, and the function does not run inside itself.
    fn exceeds(&self, goal: usize, state: &Waiting) -> bool {
        let Site::Turns(function, target, turns) = self.goals[goal].site else { return false };
        let program = self.stepper.program;
        let frame = &state.path.state.frames[0];
        frame.function == function
            && state.rounds[0].is_regular()
            && program.functions[function].loops[target].parent.is_none()
            && frame.loops.iter().any(|(own, made)| *own == target && *made > turns)
            && !may_recur(program, function)
    }

    /// Makes a case of the inputs of a state that have come to the goal; says whether the state goes on with others.
    pub(super) fn comes_by(&mut self, state: &mut Waiting) -> bool {
        if self.cases.is_none() || state.path.state.guard {
            return true;
        }
        let frame = state.path.state.frame();
        let (function, block, position) = (frame.function, frame.block, frame.next);
        let Site::Points(points) = &self.goals[0].site else { return true };
        let is_here =
            |point: &crate::goal::Point| (point.function, point.block, point.position) == (function, block, position);
        if !points.iter().any(is_here) {
            return true;
        }
        // What reading the goal leaves open stands where the state stands, as if an instruction had left it open.
        state.path.state.frame_mut().next += 1;
        let goes_on = self.take_case(&mut state.path, None);
        let depth = state.path.state.frames.len();
        self.left_open(&state.rounds[..depth]);
        state.path.state.frame_mut().next -= 1;
        goes_on
    }

    /// Makes a case of the inputs of a state that are as wanted; says whether there are others.
    fn take_case(&mut self, path: &mut Path, result: Option<Val>) -> bool {
        let wanted = property::wanted(self.stepper, path, &self.goals[0].wanted, result);
        let cases = self.cases.as_mut().expect("cases are collected");
        match wanted {
            Ok(Scalar::Known(truth)) if truth.bits == 0 => true,
            Ok(Scalar::Known(_)) => {
                cases.push(path.clone());
                false
            }
            Ok(Scalar::Term(term)) => {
                let mut case = path.clone();
                match self.stepper.solve(&mut case.state, Some(term), &path.model) {
                    Answer::Sat(model) => cases.push(Path { model, ..case }),
                    Answer::Unsat => {}
                    Answer::Unknown => drop(self.met.limits.insert(words(Limit::Solver))),
                }
                let others = value::not(self.stepper.constraints.terms(), Scalar::Term(term));
                let Scalar::Term(others) = others else { return true };
                let near = Rc::clone(&path.model);
                match self.stepper.solve(&mut path.state, Some(others), &near) {
                    Answer::Sat(model) => path.model = model,
                    Answer::Unsat => return false,
                    Answer::Unknown => {
                        self.met.limits.insert(words(Limit::Solver));
                        return false;
                    }
                }
                true
            }
            Err(PathEnd::Contradiction) => false,
            Err(end) => {
                let unread = || "the condition cannot be evaluated".to_owned();
                self.met.limits.insert(property::reason(&end).unwrap_or_else(unread));
                false
            }
        }
    }

    /// Makes a case of a state in which the function under test returns, if that is where the goal stands.
    pub(super) fn returns(&mut self, path: &Path, end: &PathEnd) {
        if let (Site::Return, PathEnd::Returned(result)) = (&self.goals[0].site, end) {
            let forks = std::mem::take(&mut self.stepper.effects.forks);
            self.take_case(&mut path.clone(), *result);
            if !std::mem::replace(&mut self.stepper.effects.forks, forks).is_empty() {
                self.met.limits.insert("the condition is read in several ways".to_owned());
            }
        }
    }
}
