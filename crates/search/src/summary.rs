//! What an exploration did, why it stopped, and what that proves.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use clew_analyze::facts::Facts;
use clew_coverage::objective::{Goal, Objective};
use clew_coverage::{ObjectiveId, Proof, Trace};

use crate::earlier::Earlier;
use crate::refuted::Refuted;
use crate::{Search, strategy};
use clew_symbolic::ending::{Finding, Limit};
use clew_symbolic::kpath;

/// What an exploration did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Prefixes that no input takes.
    pub refuted: u64,
    /// Prefixes given up, by the limit that was met.
    pub given_up: BTreeMap<Limit, u64>,
    /// Prefixes still open when the exploration stopped.
    pub open: u64,
    /// Questions asked to the solver.
    pub questions: u64,
    /// Time the solver took for them.
    pub solving: Duration,
    /// Findings, one per failing check.
    pub findings: Vec<Finding>,
    /// Limits that made the exploration leave paths out.
    pub limits: BTreeSet<Limit>,
    /// How many paths the graph of the function has, feasible or not, where paths were asked for and there is a number.
    pub graph: Option<u128>,
    /// Why the exploration stopped.
    pub stop: Stop,
    /// What was known before, if criteria were asked for.
    pub facts: Facts,
    /// Prefixes that no input takes with the reasons, if they were asked for.
    pub explained: Vec<Refuted>,
    /// What paths did that ended in something undefined, if criteria were asked for: as many as were kept.
    pub undefined: BTreeSet<Trace>,
    /// The objectives that may be covered by what was left open or cut off; but for these, the paths that were run
    /// decide, if no other paths were left out.
    pub doubtful: BTreeSet<ObjectiveId>,
}

impl Summary {
    /// What the exploration proves of objectives that no path of it covered, provided that no path ended in something
    /// unsupported; `None` if it left paths out.
    pub fn proof(&self, bound: kpath::Bound) -> Option<Proof> {
        let complete = self.stop == Stop::Exhausted && self.given_up.is_empty();
        self.proof_of_some(bound).filter(|_| complete)
    }

    /// The same for the objectives that are not doubtful.
    pub fn proof_of_some(&self, bound: kpath::Bound) -> Option<Proof> {
        self.limits.is_empty().then(|| bound.map_or(Proof::Paths, Proof::PathsWithin))
    }
}

/// Why an exploration stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// No branch is left open.
    #[default]
    Exhausted,
    /// Every objective is decided.
    Decided,
    /// Nothing new was found for long; only inside an exploration.
    Stalled,
    /// There is enough left open to go on in parts; only inside an exploration.
    Ripe,
    /// As many tests as were asked for.
    Tests,
    /// As much work as was allowed.
    Effort,
    /// As much time as was allowed.
    Time,
    /// Nothing new was covered in half of the time or work that was left.
    Stagnant,
    /// The process has too much memory.
    Memory,
    /// The caller said so.
    Asked,
}

impl Search<'_> {
    /// What the search did.
    pub fn summary(mut self) -> Summary {
        if self.open.has_dropped() {
            self.unfinished.limits.insert(Limit::Open);
        }
        self.limit_calls();
        let mut doubtful = self.doubtful();
        if self.unfinished.limits.is_empty() {
            doubtful.extend(&self.adopted.doubtful);
        }
        let adopted = self.adopted;
        let waiting = self.earlier.as_ref().map_or(0, Earlier::waiting);
        Summary {
            refuted: self.refutations.count(),
            given_up: self.unfinished.given_up,
            open: (self.open.len() + waiting) as u64 + adopted.open,
            questions: self.stepper.constraints.questions() + adopted.questions,
            solving: self.stepper.constraints.solving() + adopted.solving,
            findings: self.findings.failures.into_values().collect(),
            limits: self.unfinished.limits,
            graph: None,
            stop: self.stop,
            facts: self.excluded.facts,
            explained: self.refutations.explained(),
            undefined: self.findings.undefined,
            doubtful,
        }
    }

    /// Where earlier calls were tried, they tell whether a value of static variables was left out.
    fn limit_calls(&mut self) {
        if let Some(earlier) = &self.earlier
            && self.unfinished.limits.remove(&Limit::Static)
        {
            self.unfinished.limits.extend(earlier.limit());
        }
    }

    /// The objectives that may be covered by what was left open or cut off, or of which a limit alone is to blame.
    fn doubtful(&mut self) -> BTreeSet<ObjectiveId> {
        let Some(goals) = self.ledger.as_mut().filter(|_| self.unfinished.limits.is_empty()) else {
            return BTreeSet::new();
        };
        if self.earlier.as_ref().is_some_and(|earlier| earlier.waiting() > 0) {
            return strategy::undecided(goals);
        }
        let mut doubtful = self.open.doubtful(goals, &self.unfinished.cut_off);
        let is_limited = |objective: &Objective| match &objective.goal {
            Goal::Label(label) => self.unfinished.labels.contains(label),
            Goal::Failure(check) => self.unfinished.checks.contains(&(objective.function, *check)),
            _ => false,
        };
        doubtful.extend(goals.entries().filter(|(_, objective, _)| is_limited(objective)).map(|(id, ..)| id));
        doubtful
    }
}
