//! What the search left out, and by which limit.

use std::collections::{BTreeMap, BTreeSet};

use crate::policy;
use clew_coverage::label::LabelId;
use clew_ir::{CheckId, FunctionId};
use clew_symbolic::Open;
use clew_symbolic::ending::Limit;

/// Everything that was left out.
#[derive(Debug, Default)]
pub(crate) struct Unfinished {
    /// Limits that left out inputs of which nothing else is known.
    pub(crate) limits: BTreeSet<Limit>,
    /// Paths and branches that were given up, by the limit that was met.
    pub(crate) given_up: BTreeMap<Limit, u64>,
    /// Where they stood.
    pub(crate) cut_off: Vec<Open>,
    /// Labels of which a limit left out inputs that make them hold.
    pub(crate) labels: BTreeSet<LabelId>,
    /// Checks of which the solver could not say whether they may fail.
    pub(crate) checks: BTreeSet<(FunctionId, CheckId)>,
}

impl Unfinished {
    /// Notes that a limit cuts off what comes after a branch or a path.
    pub(crate) fn give_up(&mut self, open: Open, limit: Limit) {
        *self.given_up.entry(limit).or_default() += 1;
        if self.cut_off.len() < policy::MAX_CUT_OFF.size() {
            self.cut_off.push(open);
        } else {
            self.limits.insert(limit);
        }
    }
}
