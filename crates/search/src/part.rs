//! Parts of a long search: the branches it has left open, dealt out.
//!
//! A search that has done some work and has many open branches can go on as a fixed number of parts. Each has every
//! so-manieth of the open branches, the terms, the ledger and the known contradictions as they stand, and a solver that
//! knows nothing else. So what a part finds depends on the work before, on its number and on its budget, and on nothing
//! that another part does: parts may be run one after the other or at the same time, here or by a process that has
//! repeated the work before. What they found is adopted in the order of their numbers.
//!
//! Cloud9 (Bucur, Ureche, Zamfir, Candea 2011) moves open branches from busy machines to idle ones, and what is found
//! depends on when. Here they are dealt out once, whoever is there.

use clew_coverage::{ObjectiveId, Proof, Trace, Verdict};
use clew_ir::{CheckId, FunctionId};
use clew_solver::clock::Deadline;
use clew_symbolic::Explored;
use clew_symbolic::ending::{Finding, Limit, PathEnd};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

use crate::deal::{Part, milliseconds};
use crate::findings::Findings;
use crate::policy;
use crate::refuted::{Refutations, Refuted};
use crate::tally::Adopted;
use crate::unfinished::Unfinished;
use crate::{Next, Search, Stop};

/// What a part found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The paths it handed over.
    pub paths: Vec<Explored>,
    /// What was proved beside it.
    pub proved: Vec<(ObjectiveId, Proof)>,
    /// Why it stopped.
    pub stop: Stop,
    /// The work it did.
    pub work: Duration,
    refuted: u64,
    explained: Vec<Refuted>,
    given_up: Vec<(Limit, u64)>,
    limits: BTreeSet<Limit>,
    doubtful: BTreeSet<ObjectiveId>,
    open: u64,
    questions: u64,
    solving: Duration,
    findings: Vec<Finding>,
    undefined: BTreeSet<Trace>,
}

impl<'p> Search<'p> {
    /// From then on the search pauses when it has left enough open to go on in parts, if it can be dealt out at all:
    /// earlier calls, draws, a precondition in C and paths told apart by decisions need one account of everything.
    pub fn ripen(&mut self, when: Deadline) {
        let is_whole = self.earlier.is_none() && self.sampling.is_none() && !self.stepper.config.whole;
        let can_be_dealt = is_whole && !self.refutations.keeps_prefixes();
        self.ripe = Some(when).filter(|_| can_be_dealt);
    }

    /// Whether it is time to go on in parts.
    pub(crate) fn is_ripe(&mut self) -> bool {
        let is_time = self.ripe.is_some_and(Deadline::has_passed);
        let left = self.stepper.config.limits.deadline.work_left().unwrap_or_default();
        is_time && self.open.len() >= policy::DEAL_LEAST.size() && left >= milliseconds(policy::DEAL_FROM.get()) / 2
    }

    /// A part of what is open.
    #[must_use]
    pub fn part(&self, part: Part, deadline: Deadline) -> Search<'p> {
        let stepper = self.stepper.apart(deadline);
        Search {
            open: self.open.deal(part),
            ledger: self.ledger.clone(),
            branching: self.branching.clone(),
            excluded: self.excluded.clone(),
            stagnation: self.stagnation.apart(stepper.constraints.questions(), deadline),
            tally: self.tally,
            entered: self.entered.clone(),
            labelled: None,
            parked_labels: self.parked_labels.clone(),
            stepper,
            earlier: None,
            start: None,
            findings: Findings::default(),
            unfinished: Unfinished::default(),
            refutations: Refutations::default(),
            decided: self.decided.clone(),
            rejected: Vec::new(),
            sampling: None,
            drawn: Vec::new(),
            stop: Stop::Exhausted,
            ripe: None,
            adopted: Adopted::default(),
            is_fresh: false,
        }
    }

    /// What a part of another search found: the paths it handed over, and what was proved beside it.
    #[must_use]
    pub fn found(
        self,
        of: &Search<'_>,
        paths: Vec<Explored>,
        proved: Vec<(ObjectiveId, Proof)>,
        work: Duration,
    ) -> Found {
        let summary = self.summary();
        let paths = paths.into_iter().map(without_value).collect();
        Found {
            paths,
            proved,
            stop: summary.stop,
            work,
            refuted: summary.refuted,
            explained: summary.explained,
            given_up: summary.given_up.into_iter().collect(),
            limits: summary.limits,
            doubtful: summary.doubtful,
            open: summary.open,
            questions: summary.questions - of.stepper.constraints.questions(),
            solving: summary.solving,
            findings: summary.findings,
            undefined: summary.undefined,
        }
    }

    /// Whether there would be something left to look for with what parts found.
    pub fn lacks<'f>(&self, parts: impl Iterator<Item = &'f Found>) -> bool {
        let Some(mut goals) = self.ledger.clone() else { return true };
        for part in parts {
            part.proved.iter().for_each(|(id, proof)| goals.decide(*id, Verdict::Infeasible(proof.clone())));
            let ends = part.paths.iter().filter(|explored| explored.end.covers());
            ends.for_each(|explored| drop(goals.record(u32::MAX, &explored.trace)));
        }
        goals.open() > 0
    }

    /// Takes in what all parts found, in their order. `handed` is given the paths that count.
    pub fn adopt(&mut self, parts: Vec<Found>, handed: &mut dyn FnMut(Explored) -> Next) {
        let stops: Vec<Stop> = parts.iter().map(|part| part.stop).collect();
        self.open = self.open.deal(NONE);
        self.stop = Stop::Exhausted;
        for mut part in parts {
            let paths = std::mem::take(&mut part.paths);
            self.adopt_account(part);
            for explored in paths {
                if self.stop == Stop::Exhausted && self.adopt_path(explored, handed) == Next::Stop {
                    self.stop = Stop::Asked;
                }
            }
        }
        let all_decided = self.ledger.as_ref().is_some_and(|ledger| ledger.open() == 0);
        if self.stop == Stop::Exhausted {
            let cut_off = stops.into_iter().find(|stop| *stop != Stop::Exhausted);
            let decided = cut_off.filter(|_| all_decided && self.tally.is_enough()).map(|_| Stop::Decided);
            self.stop = decided.or(cut_off).unwrap_or(Stop::Exhausted);
        }
    }

    /// Hands over a path of a part, if it counts.
    fn adopt_path(&mut self, mut explored: Explored, handed: &mut dyn FnMut(Explored) -> Next) -> Next {
        if matches!(explored.end, PathEnd::Unsupported { .. }) {
            return handed(explored);
        }
        explored.newly_covered = self.covered(&explored.trace, &explored.end);
        let is_wanted = !self.stepper.config.is_directed() || self.tally.lacks_adopted(&explored);
        if explored.newly_covered.is_empty() && !is_wanted {
            return Next::Continue;
        }
        self.tally.count_adopted(&explored);
        let next = handed(explored);
        if self.tally.tests >= self.stepper.config.limits.tests {
            self.stop = Stop::Tests;
        }
        next
    }

    /// Adds up everything but paths.
    fn adopt_account(&mut self, part: Found) {
        for finding in part.findings {
            let key: (FunctionId, CheckId) = (finding.failure.function, finding.failure.check);
            if let Some(goals) = &mut self.ledger {
                goals.record_failure(u32::MAX, key.0, key.1);
            }
            self.findings.failures.entry(key).or_insert(finding);
        }
        if let Some(goals) = &mut self.ledger {
            part.proved.into_iter().for_each(|(id, proof)| goals.decide(id, Verdict::Infeasible(proof)));
        }
        part.undefined.iter().for_each(|trace| self.findings.keep_undefined(trace));
        self.refutations.adopt(part.refuted, part.explained);
        self.unfinished.limits.extend(part.limits);
        for (limit, number) in part.given_up {
            *self.unfinished.given_up.entry(limit).or_default() += number;
        }
        self.adopted.open += part.open;
        self.adopted.questions += part.questions;
        self.adopted.solving += part.solving;
        self.adopted.doubtful.extend(part.doubtful);
    }
}

/// A part that nothing belongs to.
const NONE: Part = Part { number: 1, of: 1 };

/// A value of one search means nothing to another.
fn without_value(explored: Explored) -> Explored {
    match explored.end {
        PathEnd::Returned(_) => Explored { end: PathEnd::Returned(None), ..explored },
        _ => explored,
    }
}
