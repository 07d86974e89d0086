//! Fewer tests for the same verdicts.

use super::{Outcome, Replayed};
use clew_coverage::{Ledger, Verdict};

impl<'p> Outcome<'p> {
    /// Leaves out the tests that cover nothing the others do not, and orders the rest by value. `fresh` is a ledger of
    /// the same objectives with nothing in it. Tests that went another way than predicted stay, at the end.
    pub fn minimise(&mut self, fresh: Ledger<'p>) {
        let Some(old) = self.ledger.take() else { return };
        let mut tests: Vec<Option<Replayed>> = std::mem::take(&mut self.tests).into_iter().map(Some).collect();
        let chosen = old.minimal_tests().into_iter();
        let chosen: Vec<Replayed> =
            chosen.filter_map(|number| tests.get_mut(number as usize).and_then(Option::take)).collect();
        let diverged = tests.into_iter().flatten().filter(|test| test.divergence.is_some());
        self.tests = chosen.into_iter().chain(diverged).collect();
        self.ledger = Some(self.recorded(fresh, &old));
    }

    /// A ledger with what the tests cover now; what they do not has its old verdict.
    fn recorded(&mut self, mut ledger: Ledger<'p>, old: &Ledger<'p>) -> Ledger<'p> {
        for (number, test) in (0..).zip(&mut self.tests).filter(|(_, test)| test.divergence.is_none()) {
            test.explored.newly_covered = ledger.record(number, &test.explored.trace);
        }
        for (number, finding) in (self.tests.len() as u32..).zip(&self.findings) {
            let failure = &finding.finding.failure;
            ledger.record_failure(number, failure.function, failure.check);
        }
        for (id, _, verdict) in old.entries().filter(|(_, _, verdict)| !matches!(verdict, Verdict::Covered(_))) {
            ledger.decide(id, verdict.clone());
        }
        ledger
    }
}
