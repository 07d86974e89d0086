//! What a pursuit says of its goals when it ends.

use std::collections::BTreeSet;

use super::{Pursuit, words};
use crate::ending::Limit;
use crate::goal::heading::{Standing, standing};
use crate::goal::{Proof, Site, Verdict};

impl Pursuit<'_, '_> {
    /// What is known of each goal.
    pub(in crate::goal) fn verdicts(mut self) -> Vec<Verdict> {
        let before: BTreeSet<String> = self.explorer.limits.iter().copied().map(words).collect();
        let waiting = self.frontier.values().flatten().chain(&self.parked);
        let left: BTreeSet<Standing> = waiting.map(|state| standing(&state.path.state)).collect();
        (0..self.goals.len())
            .map(|goal| match self.reached[goal].take() {
                Some(explored) => Verdict::Reached(Box::new(explored)),
                None => self.unreached(goal, &before, &left),
            })
            .collect()
    }

    /// What is known of a goal to which no input was found. `limits` were met before anything was run; states are left
    /// where told.
    fn unreached(&mut self, goal: usize, limits: &BTreeSet<String>, left: &BTreeSet<Standing>) -> Verdict {
        if self.refuted[goal] {
            return Verdict::Infeasible(Proof::Backward);
        }
        let is_left = left.iter().any(|standing| self.may_reach(goal, standing));
        let proof = match self.explorer.config.bound {
            _ if self.near_is_done() && !self.near.is_bounded => Proof::AllPaths,
            Some(bound) if self.near_is_done() => Proof::Bounded(bound),
            _ if !is_left => Proof::AllPaths,
            _ => Proof::Bounded(self.allowed.inner.min(self.allowed.outer)),
        };
        let mut reasons = BTreeSet::new();
        if !self.near_is_done() {
            reasons.extend(limits.iter().chain(&self.limits).cloned());
            reasons.extend(self.cut_by.filter(|_| is_left).map(words));
        }
        if !self.near_is_done() || self.refusals[goal] > 0 {
            reasons.extend(self.doubts[goal].iter().cloned());
        }
        if let Site::Check(function, check) = self.goals[goal].site
            && self.explorer.undecided.contains(&(function, check))
        {
            reasons.insert(words(Limit::Solver));
        }
        if reasons.is_empty() { Verdict::Infeasible(proof) } else { Verdict::Unknown(reasons) }
    }
}
