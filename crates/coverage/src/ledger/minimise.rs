//! Fewer tests for the same objectives.

use super::{Ledger, Verdict};
use clew_ir::FunctionId;
use std::collections::{BTreeMap, BTreeSet};

impl Ledger<'_> {
    /// Tests that together cover all that is covered, ordered by value: each covers the most of what those before it
    /// leave (greedy set cover, Chvátal 1979). Of equals the lowest number comes first.
    pub fn minimal_tests(&self) -> Vec<u32> {
        let mut needs = self.needs();
        let mut chosen = Vec::new();
        while !needs.is_empty() {
            let mut gain: BTreeMap<u32, usize> = BTreeMap::new();
            needs.iter().flatten().for_each(|test| *gain.entry(*test).or_default() += 1);
            let best = gain.into_iter().max_by_key(|&(test, gain)| (gain, std::cmp::Reverse(test)));
            let (best, _) = best.expect("every need has a test");
            chosen.push(best);
            needs.retain(|tests| !tests.contains(&best));
        }
        chosen
    }

    /// Sets of tests of which one each is needed: those that cover an objective; for a pair, those of each half.
    fn needs(&self) -> Vec<BTreeSet<u32>> {
        let mut needs = Vec::new();
        for (id, objective, verdict) in self.entries() {
            let Verdict::Covered(tests) = verdict else { continue };
            match self.pairs.get(&id) {
                Some((a, b)) => needs.extend([a, b].map(|half| self.tests_of(objective.function, half))),
                None => needs.push(tests.clone()),
            }
        }
        needs.retain(|tests| !tests.is_empty());
        needs
    }

    fn tests_of(&self, function: FunctionId, evaluation: &[(clew_ir::ConditionId, bool)]) -> BTreeSet<u32> {
        let decision = self.program.functions[function].conditions[evaluation[0].0].decision;
        self.seen.get(&(function, decision)).and_then(|seen| seen.get(evaluation)).cloned().unwrap_or_default()
    }
}
