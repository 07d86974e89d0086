//! The third search of a pursuit, in turns with merged and single states: backwards from the goals (`backward`).

use super::{Found, Limit, Pursuit, QUESTION_EFFORT};
use crate::goal::backward::Backward;
use crate::goal::{Proof, Verdict};

/// What it costs to follow an input, in instructions.
const FOLLOWING_EFFORT: u64 = 1_000;

impl Pursuit<'_, '_> {
    /// Searches backwards until that has had as much effort as merged states.
    pub(super) fn catch_up_backward(&mut self, found: &mut Found<'_>) {
        let mut backward = match self.backward.take() {
            Some(backward) => backward,
            None => Backward::new(self.explorer, self.start.state.frame().function, self.goals),
        };
        // What is not known backwards says nothing about the other searches.
        let limits = std::mem::take(&mut self.explorer.limits);
        let mut goal = 0;
        let mut idle = 0;
        while self.effort[2] < self.effort[0] && idle < self.goals.len() && !self.is_over() {
            if self.is_open(goal) && backward.is_open(goal) {
                self.step_backward(&mut backward, goal, found);
                idle = 0;
            } else {
                idle += 1;
            }
            goal = (goal + 1) % self.goals.len();
        }
        self.explorer.limits = limits;
        self.backward = Some(backward);
    }

    /// Searches backwards and in no other way.
    pub(in crate::goal) fn only_backward(&mut self, effort: u64, found: &mut Found<'_>) -> Vec<Verdict> {
        self.effort[0] = effort;
        self.catch_up_backward(found);
        let verdict = |goal: usize| match self.reached[goal].take() {
            Some(explored) => Verdict::Reached(Box::new(explored)),
            None if self.refuted[goal] => Verdict::Infeasible(Proof::Backward),
            None => Verdict::Unknown(["the search backwards is not complete".to_owned()].into()),
        };
        (0..self.goals.len()).map(verdict).collect()
    }

    fn step_backward(&mut self, backward: &mut Backward, goal: usize, found: &mut Found<'_>) {
        let cost = |this: &Self, backward: &Backward| {
            this.instructions + this.explorer.constraints.questions() * QUESTION_EFFORT + backward.effort()
        };
        let before = cost(self, backward);
        let came = backward.step(self.explorer, &self.start, goal);
        // What static variables hold is left open backwards; other limits leave out inputs.
        let is_whole = self.began.iter().all(|limit| *limit == Limit::Static);
        self.refuted[goal] |= came.is_refuted && is_whole;
        for model in came.inputs {
            self.effort[2] += FOLLOWING_EFFORT;
            if let Some(explored) = self.explorer.follow(&self.start, &self.goals[goal], &model) {
                self.executed(goal, Some(explored), found);
            }
        }
        self.effort[2] += cost(self, backward) - before + 1;
    }
}
