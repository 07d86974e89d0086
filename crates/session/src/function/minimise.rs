//! Fewer tests for the same verdicts.

use super::{Outcome, Replayed};
use clew_coverage::{Ledger, Verdict};

impl<'p> Outcome<'p> {
    /// Leaves out the tests that cover nothing the others do not, and orders the rest by value. `fresh` is a ledger of
    /// the same objectives with nothing in it. Tests that went another way than predicted stay, at the end.
    pub fn minimise(&mut self, fresh: Ledger<'p>) {
        let Some(old) = self.ledger.take() else { return };
        let order = old.minimal_tests();
        self.renumber_kills(&order);
        let mut tests: Vec<Option<Replayed>> = std::mem::take(&mut self.tests).into_iter().map(Some).collect();
        let chosen = old.minimal_tests().into_iter();
        let chosen: Vec<Replayed> =
            chosen.filter_map(|number| tests.get_mut(number as usize).and_then(Option::take)).collect();
        let diverged = tests.into_iter().flatten().filter(|test| test.divergence.is_some());
        self.tests = chosen.into_iter().chain(diverged).collect();
        self.ledger = Some(self.recorded(fresh, &old));
    }

    /// Gives the tests that kill mutants their new positions; what only tests killed that are left out survives.
    fn renumber_kills(&mut self, order: &[u32]) {
        let Some(Ok(kills)) = &mut self.kills else { return };
        let diverged = (0..self.tests.len()).filter(|index| self.tests[*index].divergence.is_some());
        let order: Vec<usize> = order.iter().map(|number| *number as usize).chain(diverged).collect();
        let renumber = |tests: &mut Vec<usize>| {
            *tests = tests.iter().filter_map(|test| order.iter().position(|old| old == test)).collect();
            tests.sort_unstable();
        };
        kills.by.iter_mut().for_each(renumber);
        renumber(&mut kills.unmeasured);
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
