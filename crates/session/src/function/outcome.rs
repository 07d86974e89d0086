//! What came of testing a function: its tests, and a verdict for every objective by what they did and what was proved.

use super::{Difference, Kills, Request, overlap};
use crate::event::{Event, Shared};
use crate::finding::Worth;
use clew_coverage::{Assumption, Ledger, ObjectiveId, Proof, Reason, Verdict};
use clew_execute::Observation;
use clew_execute::usage::ProcessorTime;
use clew_ir::GlobalId;
use clew_prove::exclude::{Proved, exclude};
use clew_search::sample::Drawn;
use clew_search::{Stop, Summary};
use clew_symbolic::Explored;
use clew_symbolic::config::Assumptions;
use clew_symbolic::ending::{Finding, PathEnd};
use std::collections::BTreeSet;
use std::time::Duration;

/// A path with what its execution showed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What was predicted.
    pub explored: Explored,
    /// What was observed.
    pub observation: Observation,
    /// The first difference between the two.
    pub divergence: Option<String>,
}

impl Replayed {
    /// Whether it ran as predicted to an end that C defines.
    pub fn is_usable(&self) -> bool {
        self.divergence.is_none() && self.explored.end.covers()
    }
}

/// A failing check with what the execution of its input showed.
#[derive(Clone, Debug)]
pub struct ReplayedFinding {
    /// What was found.
    pub finding: Finding,
    /// What was observed; `None` if the input could not be executed.
    pub observation: Option<Observation>,
    /// What it is worth.
    pub worth: Worth,
}

/// What came of testing a function.
#[derive(Clone, Debug)]
pub struct Outcome<'p> {
    /// The tests, in the order they were found.
    pub tests: Vec<Replayed>,
    /// What exploration did.
    pub summary: Summary,
    /// Failing checks.
    pub findings: Vec<ReplayedFinding>,
    /// Paths that ended in something unsupported: what, and how many.
    pub unsupported: Vec<(PathEnd, u64)>,
    /// Given inputs that could not be followed: what they cover is not known.
    pub given_lost: usize,
    /// How inputs of paths were drawn, if they were.
    pub draws: Vec<Drawn>,
    /// Drawn inputs that could not be followed or executed.
    pub drawn_lost: usize,
    /// Inputs that could not be executed, and why.
    pub not_executed: Vec<String>,
    /// The objectives with their verdicts, if criteria were asked for. Tests are numbered by their position, findings
    /// after them.
    pub ledger: Option<Ledger<'p>>,
    /// Tests that do something else in an optimised build, or why there is none; `None` if that was not asked.
    pub optimised: Option<Result<Vec<Difference>, String>>,
    /// Globals of which observations hold the bytes.
    pub observed: Vec<GlobalId>,
    /// Which mutants the tests kill, or why that is not known; `None` if it was not asked.
    pub kills: Option<Result<Kills, String>>,
    /// Time of the whole.
    pub elapsed: Duration,
    /// Time of exploration, the solver's included.
    pub exploring: Duration,
    /// Time of native building and execution, side by side with exploration.
    pub native: Duration,
    /// The part of it that went into building.
    pub building: Duration,
    /// Tests that shared a process with others.
    pub shared: u64,
    /// Processor time of the whole, that of compilers and of all tests included.
    pub processor_time: ProcessorTime,
    /// Work of exploration by the clock of `--effort`: the same on every machine.
    pub effort: Duration,
}

impl Outcome<'_> {
    /// Decides every objective by what was executed, and by what was proved.
    pub(super) fn judge(&mut self, bound: Option<u32>, proved: Vec<Proved>, unended: &[ObjectiveId]) {
        let Some(ledger) = &mut self.ledger else { return };
        let usable = || (0..).zip(&self.tests).filter(|(_, test)| test.is_usable());
        // What is excluded may rest on it that inputs do not overlap.
        let (overlapping, apart): (Vec<_>, Vec<_>) =
            usable().partition(|(_, test)| overlap::overlaps(&test.explored.input));
        let facts_come_first = overlapping.is_empty();
        overlapping.into_iter().for_each(|(number, test)| drop(ledger.record(number, &test.explored.trace)));
        // A test that leads apart contradicts no fact by itself, but may be one half of a pair with one that overlaps.
        if facts_come_first {
            exclude(ledger, &self.summary.facts);
        }
        apart.into_iter().for_each(|(number, test)| drop(ledger.record(number, &test.explored.trace)));
        if !facts_come_first {
            exclude(ledger, &self.summary.facts);
        }
        for (number, finding) in (self.tests.len() as u32..).zip(&self.findings) {
            let failure = &finding.finding.failure;
            ledger.record_failure(number, failure.function, failure.check);
        }
        proved.into_iter().for_each(|(id, proof)| ledger.decide(id, Verdict::Infeasible(proof)));
        let diverged = self.tests.iter().filter(|test| test.divergence.is_some());
        let unconfirmed = diverged.flat_map(|test| &test.explored.newly_covered);
        let unconfirmed = unconfirmed.chain(unended);
        unconfirmed.for_each(|id| ledger.decide(*id, Verdict::Unknown(Reason::NotConfirmed)));
        let unknown = Verdict::Unknown(reason(&self.summary, &self.unsupported));
        let proof = self.summary.proof_of_some(bound).filter(|_| self.is_whole());
        let rest = proof.map_or_else(|| unknown.clone(), Verdict::Infeasible);
        let Some(ledger) = &mut self.ledger else { return };
        self.summary.doubtful.iter().for_each(|id| ledger.decide(*id, unknown.clone()));
        if matches!(rest, Verdict::Infeasible(_)) {
            let mut twin = ledger.reopened();
            for id in self.summary.undefined.iter().flat_map(|trace| twin.record(u32::MAX, trace)) {
                ledger.decide(id, Verdict::Infeasible(Proof::Undefined(bound)));
            }
        }
        ledger.settle(&rest);
    }

    /// Names what verdicts take for granted, or takes those back that take something for granted.
    pub(super) fn assume(&mut self, request: &Request<'_, '_>) {
        let Some(ledger) = &mut self.ledger else { return };
        ledger.assume(assumptions(request));
        if request.config.assumptions == Assumptions::Rejected {
            ledger.reject_assumptions();
        }
    }

    /// Tells what is known at the end: every verdict, every finding, every limit.
    pub(super) fn tell(&self, listener: &Shared<'_>) {
        for (id, _, verdict) in self.ledger.iter().flat_map(Ledger::entries) {
            listener.decided(id, verdict);
        }
        self.findings.iter().for_each(|finding| listener.tell(&Event::Finding(finding)));
        let limits = self.summary.limits.iter().chain(self.summary.given_up.keys());
        limits.for_each(|limit| listener.tell(&Event::Limit(limit.name())));
    }

    /// What is proved of everything that no test does; `None` if something was left out or not confirmed.
    pub fn proof(&self, bound: Option<u32>) -> Option<Proof> {
        self.summary.proof(bound).filter(|_| self.is_whole())
    }

    /// Whether every path found was supported, executed and confirmed.
    fn is_whole(&self) -> bool {
        let confirmed = self.tests.iter().all(|test| test.divergence.is_none());
        self.unsupported.is_empty() && self.not_executed.is_empty() && confirmed
    }
}

/// What verdicts about the function take for granted.
pub(crate) fn assumptions(request: &Request<'_, '_>) -> BTreeSet<Assumption> {
    if request.config.references {
        return [Assumption::JavaModel].into();
    }
    overlap::of_source(request)
}

/// Why an exploration leaves objectives undecided: what stopped it, and what it left out besides.
fn reason(summary: &Summary, unsupported: &[(PathEnd, u64)]) -> Reason {
    let mut left_out = summary.limits.iter().chain(summary.given_up.keys()).map(|limit| limit.name());
    let stopped = match summary.stop {
        Stop::Effort => "effort",
        Stop::Time => "time",
        Stop::Stagnant => "time: nothing new in half of what was left",
        Stop::Memory => "memory",
        Stop::Tests => "number of tests",
        Stop::Asked => "stopped",
        _ => {
            return match (unsupported.first(), left_out.next()) {
                (Some((PathEnd::Unsupported { what, .. }, _)), _) => Reason::Unsupported(what.clone()),
                (_, Some(reached)) => Reason::Limit(reached.into_owned()),
                (_, None) => Reason::NotConfirmed,
            };
        }
    };
    let besides: BTreeSet<_> = left_out.filter(|limit| *limit != stopped).collect();
    Reason::Limit(if besides.is_empty() {
        stopped.to_owned()
    } else {
        format!("{stopped}; left out besides: {}", besides.into_iter().collect::<Vec<_>>().join(", "))
    })
}
