//! What was found to go wrong, and what paths did on which it does.

use std::collections::{BTreeMap, BTreeSet};

use crate::policy;
use clew_coverage::Trace;
use clew_ir::{CheckId, FunctionId};
use clew_symbolic::ending::Finding;

/// Failures with inputs that lead to them.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// By the check that fails.
    pub(crate) failures: BTreeMap<(FunctionId, CheckId), Finding>,
    /// What paths did that ended in something undefined.
    pub(crate) undefined: BTreeSet<Trace>,
}

impl Findings {
    /// Keeps what a path did before something undefined happened.
    pub(crate) fn keep_undefined(&mut self, trace: &Trace) {
        let kept: usize = self.undefined.iter().map(Vec::len).sum();
        if kept + trace.len() <= policy::MAX_UNDEFINED_STEPS.size() {
            self.undefined.insert(trace.clone());
        }
    }
}
