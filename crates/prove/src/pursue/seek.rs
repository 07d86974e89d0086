//! What a goal wants, asked of one state; and what comes of the answer.
//!
//! To read a predicate may mean to go on with one value of many (an index that may be anything, a pointer that may lead to
//! several objects). The others are left open by that, as in a program; here the predicate is read again for them, or, where
//! they stand at an earlier instruction, they come here again.

use std::rc::Rc;

use clew_ir::{BlockId, FunctionId};
use clew_solver::model::Model;
use clew_solver::term::TermId;

use super::{Found, Pursuit, Rounds, Waiting, words};
use crate::goal::Wanted;
use crate::{confirm, policy, property};
use clew_symbolic::constraints::Answer;
use clew_symbolic::ending::{Limit, PathEnd};
use clew_symbolic::input::Meeting;
use clew_symbolic::stepped::Step;
use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Explored, Path};

impl Pursuit<'_, '_> {
    /// Asks whether some input of a state is what a goal wants.
    pub(super) fn seek(&mut self, goal: usize, path: &Path, result: Option<Val>, found: &mut Found<'_>) {
        let mut waiting = vec![path.clone()];
        while let Some(mut path) = waiting.pop()
            && self.is_open(goal)
        {
            let wanted = self.read(goal, &mut path, result, &mut waiting);
            self.ask(goal, &mut path, wanted, found);
        }
    }

    /// What a goal wants of a state; where that goes on with some of its inputs, the others come to those that wait.
    fn read(&mut self, goal: usize, path: &mut Path, result: Option<Val>, waiting: &mut Vec<Path>) -> Step<Scalar> {
        let wanted: &Wanted = &self.goals[goal].wanted;
        let forks = std::mem::take(&mut self.stepper.effects.forks);
        let read = property::wanted(self.stepper, path, wanted, result);
        let mut others = std::mem::replace(&mut self.stepper.effects.forks, forks);
        while let Some(mut other) = others.pop() {
            if other.entry.is_some_and(|entry| !self.entered[usize::from(self.is_near)].insert(entry)) {
                continue;
            }
            match self.stepper.solve(Rc::make_mut(&mut other.state), Some(other.when), &other.model) {
                Answer::Unsat => {}
                Answer::Unknown => self.doubt(goal, words(Limit::Solver)),
                Answer::Sat(model) => {
                    let other = Path { state: Rc::unwrap_or_clone(other.state), model };
                    if stands(&other) != stands(path) {
                        // It stands where something first looked behind a pointer, and comes here again.
                        let rounds = vec![Rounds::default(); other.state.frames.len()];
                        self.wait(Waiting { path: other, rounds });
                    } else {
                        waiting.push(other);
                    }
                }
            }
        }
        read
    }

    fn ask(&mut self, goal: usize, path: &mut Path, wanted: Step<Scalar>, found: &mut Found<'_>) {
        match wanted {
            Ok(Scalar::Known(truth)) if truth.bits == 0 => {}
            Ok(Scalar::Known(_)) => {
                let meetings = self.stepper.meetings(&path.state, &path.model);
                self.candidate(goal, &path.model, &meetings, found);
            }
            Ok(Scalar::Term(term)) if self.is_refuted_alike(term) => self.not_inductive(goal),
            Ok(Scalar::Term(term)) => {
                let near = Rc::clone(&path.model);
                match self.stepper.solve(&mut path.state, Some(term), &near) {
                    Answer::Unsat => {}
                    Answer::Unknown => self.doubt(goal, words(Limit::Solver)),
                    Answer::Sat(model) => {
                        let meetings = self.stepper.meetings(&path.state, &model);
                        self.refuting.extend((!self.cuts.is_empty()).then(|| Rc::clone(&model)));
                        self.candidate(goal, &model, &meetings, found);
                    }
                }
            }
            Err(PathEnd::Contradiction) => {}
            Err(end) => {
                let reason = property::reason(&end).unwrap_or_else(|| "the property cannot be evaluated".to_owned());
                self.doubt(goal, reason);
            }
        }
    }

    /// Whether what showed that another invariant may fail in the same state shows this of a term. Nothing is proved by that,
    /// only left out without a question.
    fn is_refuted_alike(&mut self, term: TermId) -> bool {
        let most = policy::MAX_REFUTING_MODELS.size();
        let mut latest = self.refuting.iter().rev().take(most);
        latest.any(|model| self.stepper.constraints.holds(model, term))
    }

    /// Notes why a goal may be reached all the same.
    fn doubt(&mut self, goal: usize, reason: String) {
        let doubts = if self.is_near { &mut self.met.limits } else { &mut self.progress[goal].doubts };
        doubts.insert(reason);
    }

    /// Follows an input that should reach a goal, and has it executed.
    pub(super) fn candidate(
        &mut self,
        goal: usize,
        model: &Rc<Model>,
        meetings: &Rc<[Meeting]>,
        found: &mut Found<'_>,
    ) {
        if !self.cuts.is_empty() {
            return self.not_inductive(goal);
        }
        let explored = confirm::follow(self.stepper, &self.start, &self.goals[goal], (model, meetings));
        self.executed(goal, explored, found);
    }

    /// Has an input executed that should reach a goal.
    pub(super) fn executed(&mut self, goal: usize, explored: Option<Explored>, found: &mut Found<'_>) {
        if let Some(explored) = explored.as_ref().filter(|explored| found(goal, explored)) {
            self.progress[goal].reached = Some(explored.clone());
            return;
        }
        self.progress[goal].refusals += 1;
        self.progress[goal].doubts.insert(match explored {
            Some(_) => "the execution of an input went another way than predicted".to_owned(),
            None => "an input that should lead there does not".to_owned(),
        });
    }
}

/// Where a path stands: the instruction that is next, if it has not returned, and how many there were.
fn stands(path: &Path) -> (usize, Option<(FunctionId, BlockId, usize)>, u64) {
    let at = path.state.frames.last().map(|frame| (frame.function, frame.block, frame.next));
    (path.state.frames.len(), at, path.state.steps)
}
