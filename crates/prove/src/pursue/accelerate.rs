//! Single states that make many turns of a loop in one step.
//!
//! A state that has made some turns of a loop goes on as before. Beside that it is left open after any number of further turns,
//! where they have a closed form ([`clew_symbolic::Accelerated`]), once for each branch at which the loop may end then. Nothing is
//! left out by it, and nothing is proved by it: goals that are a million turns away are found.

use clew_symbolic::Path;
use clew_symbolic::constraints::Answer;

use super::{Found, Pursuit, Waiting};
use crate::policy;

/// Whether a state has made many turns in one step.
pub(super) fn has_skipped(state: &Waiting) -> bool {
    !state.path.state.record.skips.is_empty()
}

impl Pursuit<'_, '_> {
    /// Runs a state on that has made many turns in one step. What it comes to is also come to otherwise, so that no limit it
    /// meets makes the search incomplete.
    pub(super) fn run_extra(&mut self, state: Waiting, found: &mut Found<'_>) {
        let (limits, of_explorer) = (self.met.limits.clone(), self.stepper.effects.limits.clone());
        let is_incomplete = self.near.is_incomplete;
        let steps = self.stepper.constraints.limit_steps(policy::EXTRA_STEPS.get());
        self.measured(state, found);
        self.stepper.constraints.limit_steps(steps);
        (self.met.limits, self.stepper.effects.limits) = (limits, of_explorer);
        self.near.is_incomplete = is_incomplete;
    }

    /// Leaves a state open after many turns of the loop at whose head it stands, if it has made just some.
    pub(super) fn makes_many_turns(&mut self, waiting: &Waiting) {
        let state = &waiting.path.state;
        let frame = state.frame();
        let is_due = self.is_near
            && frame.next == 0
            && !state.guard
            && self.stepper.config.bound.is_none()
            && waiting.rounds.last().is_some_and(|it| it.turns(frame.block) == policy::TURNS_BEFORE_STEP.small())
            && state.record.skips.iter().all(|skip| skip.head != (frame.function, frame.block));
        if !is_due {
            return;
        }
        let Some(blocks) = self.stepper.only_turn(frame.function, frame.block) else { return };
        let Some(many) = self.stepper.accelerate(&waiting.path, &blocks) else { return };
        for end in many.ends.into_iter().take(policy::MAX_TURN_ENDS.size()) {
            let mut state = many.state.clone();
            let when = self.stepper.constraints.terms().and(many.when, end);
            // What the solver does not know is left to the turns one by one.
            if let Answer::Sat(model) = self.stepper.solve(&mut state, Some(when), &waiting.path.model) {
                self.wait(Waiting { path: Path { state, model }, rounds: waiting.rounds.clone() });
            }
        }
    }
}
