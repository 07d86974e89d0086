//! Refuting an open branch, with the reasons if they are recorded.

use clew_execute::Event;
use clew_symbolic::{Open, Resume};

use crate::Search;
use crate::refuted::Reason;

impl Search<'_> {
    /// Notes that no input takes an open branch.
    pub(crate) fn refute(&mut self, open: &Open) {
        if open.state.guard {
            return;
        }
        let event = match open.resume {
            Resume::Go(_, event) => event,
            Resume::Again | Resume::Label(_) => None,
        };
        self.refutations.note(open.state.record.events.iter().copied().chain(event));
        if self.stepper.config.explain && event.is_some() {
            let path = open.state.record.events.iter().copied().chain(event).collect();
            let because = self.reasons(open, event);
            self.refutations.explain(path, because);
        }
    }

    /// What the last contradiction rests on, in the order of the path.
    fn reasons(&mut self, open: &Open, flipped: Option<Event>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for term in self.stepper.constraints.core() {
            let branch = open.state.record.reasons.iter().find(|(of, _)| *of == term).map(|(_, event)| *event);
            let branch = branch.or(flipped.filter(|_| term == open.when)).map(Reason::Branch);
            let clause = self.stepper.origin(term).map(Reason::Clause);
            let reason = branch.or(clause).unwrap_or(Reason::Assumed);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }
}
