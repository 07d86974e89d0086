//! What a step brings about beside the next state of its path: forks, failed checks, undecided checks, limits met.
//!
//! The stepper collects these, and its driver takes them between two steps. It knows nothing of the order in
//! which forks are taken up, of the verdicts of objectives, or of what becomes of a finding.

use std::collections::BTreeSet;
use std::rc::Rc;

use clew_coverage::label::LabelId;
use clew_ir::{CheckId, FunctionId};
use clew_solver::model::Model;

use crate::ending::{Finding, Limit};
use crate::input::Meeting;
use crate::path::Open;

/// What steps brought about since the driver last took it.
#[derive(Debug, Default)]
pub struct Effects {
    /// Ways that the path did not take, in the order it came by them.
    pub forks: Vec<Open>,
    /// Checks that failed, each with an input that makes it fail.
    pub failures: Vec<Failing>,
    /// Checks of which the solver could not say whether they may fail.
    pub undecided: BTreeSet<(FunctionId, CheckId)>,
    /// Limits that left inputs out.
    pub limits: BTreeSet<Limit>,
    /// Labels of which a limit left out inputs that make them hold.
    pub limited: BTreeSet<LabelId>,
}

/// A check that failed.
#[derive(Debug)]
pub struct Failing {
    /// What failed.
    pub finding: Finding,
    /// The values of the input.
    pub model: Rc<Model>,
    /// Which of its pointers meet.
    pub meetings: Rc<[Meeting]>,
}

impl Effects {
    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.forks.is_empty()
            && self.failures.is_empty()
            && self.undecided.is_empty()
            && self.limits.is_empty()
            && self.limited.is_empty()
    }
}
