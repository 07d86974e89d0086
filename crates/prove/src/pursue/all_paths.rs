//! Running every path to its end, to see that there is one.

use super::Pursuit;
use crate::frontier::Allowed;
use crate::policy;

impl Pursuit<'_, '_> {
    /// Runs merged states on until none is left; says whether that came to pass with so much effort and no limit met, so that
    /// each execution ends.
    pub(crate) fn all_paths_end(mut self, effort: u64) -> bool {
        if !self.met.began.is_empty() {
            return false;
        }
        self.frontier.parked.push(self.beginning());
        for round in 0.. {
            self.frontier.allowed = Allowed::in_round(round, None, 0);
            for state in std::mem::take(&mut self.frontier.parked) {
                self.wait(state);
            }
            while let Some(state) = self.next() {
                self.advance(state, &mut |_, _| false);
                let spent =
                    self.effort.instructions + self.stepper.constraints.questions() * policy::EFFORT_OF_QUESTION.get();
                let is_limited = !self.met.limits.is_empty() || !self.stepper.effects.limits.is_empty();
                if is_limited || spent > effort || self.stepper.cut_by().is_some() {
                    return false;
                }
            }
            if self.frontier.parked.is_empty() {
                return true;
            }
        }
        false
    }
}
