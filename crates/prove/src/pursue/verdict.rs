//! What a pursuit says of its goals when it ends.

use std::collections::BTreeSet;

use super::{Pursuit, words};
use crate::goal::{Proof, Site, Verdict};
use crate::heading::{Standing, standing};
use clew_symbolic::ending::Limit;

impl Pursuit<'_, '_> {
    /// What is known of each goal.
    pub(crate) fn verdicts(mut self) -> Vec<Verdict> {
        let before: BTreeSet<String> = self.stepper.effects.limits.iter().copied().map(words).collect();
        let waiting = self.frontier.waiting.values().flatten().chain(&self.frontier.parked);
        let left: BTreeSet<Standing> = waiting.map(|state| standing(&state.path.state)).collect();
        (0..self.goals.len())
            .map(|goal| match self.progress[goal].reached.take() {
                Some(explored) => Verdict::Reached(Box::new(explored)),
                None => self.unreached(goal, &before, &left),
            })
            .collect()
    }

    /// What is known of a goal to which no input was found. `limits` were met before anything was run; states are left
    /// where told.
    fn unreached(&mut self, goal: usize, limits: &BTreeSet<String>, left: &BTreeSet<Standing>) -> Verdict {
        if self.progress[goal].is_refuted {
            return Verdict::Infeasible(Proof::Backward);
        }
        let is_left = left.iter().any(|standing| self.may_reach(goal, standing));
        let proof = match self.stepper.config.bound {
            _ if self.near_is_done() && !self.near.is_bounded => Proof::AllPaths,
            Some(bound) if self.near_is_done() => Proof::Bounded(bound),
            _ if !is_left => Proof::AllPaths,
            _ => Proof::Bounded(self.frontier.allowed.inner.min(self.frontier.allowed.outer)),
        };
        let mut reasons = BTreeSet::new();
        if !self.near_is_done() {
            reasons.extend(limits.iter().chain(&self.met.limits).cloned());
            reasons.extend(self.met.cut_by.filter(|_| is_left).map(words));
        }
        if !self.near_is_done() || self.progress[goal].refusals > 0 {
            reasons.extend(self.progress[goal].doubts.iter().cloned());
        }
        if let Site::Check(function, check) = self.goals[goal].site
            && self.stepper.effects.undecided.contains(&(function, check))
        {
            reasons.insert(words(Limit::Solver));
        }
        if reasons.is_empty() { Verdict::Infeasible(proof) } else { Verdict::Unknown(reasons) }
    }
}
