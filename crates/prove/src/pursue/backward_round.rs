//! The backward round of a pursuit, in turns with merged and single states: backwards from the goals (`backward`).

use std::rc::Rc;

use super::{Found, Limit, Pursuit};
use crate::backward::Backward;
use crate::confirm;
use crate::goal::{Proof, Verdict};
use crate::policy;
use clew_symbolic::config::Overlap;

impl Pursuit<'_, '_> {
    /// Searches backwards until that has had as much effort as merged states.
    pub(super) fn catch_up_backward(&mut self, found: &mut Found<'_>) {
        // It takes references of the input apart where nothing compares them.
        if self.stepper.config.references {
            return;
        }
        let mut backward = match self.backward.take() {
            Some(backward) => backward,
            None => Backward::new(self.stepper, self.start.state.outermost().function, self.goals),
        };
        // What is not known backwards says nothing about the other searches.
        let limits = std::mem::take(&mut self.stepper.effects.limits);
        let mut goal = 0;
        let mut idle = 0;
        while self.effort.spent[2] < self.effort.spent[0] && idle < self.goals.len() && !self.is_over() {
            if self.is_open(goal) && backward.is_open(goal) {
                self.step_backward(&mut backward, goal, found);
                idle = 0;
            } else {
                idle += 1;
            }
            goal = (goal + 1) % self.goals.len();
        }
        self.stepper.effects.limits = limits;
        self.backward = Some(backward);
    }

    /// Searches backwards and in no other way.
    pub(crate) fn only_backward(&mut self, effort: u64, found: &mut Found<'_>) -> Vec<Verdict> {
        self.effort.spent[0] = effort;
        self.catch_up_backward(found);
        let verdict = |goal: usize| match self.progress[goal].reached.take() {
            Some(explored) => Verdict::Reached(Box::new(explored)),
            None if self.progress[goal].is_refuted => Verdict::Infeasible(Proof::Backward),
            None => Verdict::Unknown(["the search backwards is not complete".to_owned()].into()),
        };
        (0..self.goals.len()).map(verdict).collect()
    }

    fn step_backward(&mut self, backward: &mut Backward, goal: usize, found: &mut Found<'_>) {
        let cost = |this: &Self, backward: &Backward| {
            this.effort.instructions
                + this.stepper.constraints.questions() * policy::EFFORT_OF_QUESTION.get()
                + backward.effort()
        };
        let before = cost(self, backward);
        let came = backward.step(self.stepper, &self.start, goal);
        // What static variables hold is left open backwards; other limits leave out inputs.
        let is_whole = self.met.began.iter().all(|limit| *limit == Limit::Static);
        let is_apart = self.stepper.config.overlap == Overlap::Compared;
        self.progress[goal].is_refuted |= came.is_refuted && is_whole && is_apart;
        for model in came.inputs {
            self.effort.spent[2] += policy::EFFORT_OF_FOLLOWING.get();
            let input = (&model, &Rc::default());
            if let Some(explored) = confirm::follow(self.stepper, &self.start, &self.goals[goal], input) {
                self.executed(goal, Some(explored), found);
            }
        }
        self.effort.spent[2] += cost(self, backward) - before + 1;
    }
}
