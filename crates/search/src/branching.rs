//! What is known of branches that paths have come by.

use std::collections::BTreeMap;

use clew_analyze::loops::NaturalLoop;
use clew_ir::{BlockId, FunctionId};
use clew_solver::term::TermId;
use clew_symbolic::condition::List;

/// What tells an open branch from most others: the digest of the path condition, what the branch adds to it, where it leads, and the
/// number of branches before.
pub(crate) type Key = (u64, TermId, FunctionId, BlockId, usize);

/// What is known of branches that paths have come by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Branching {
    /// The natural loops of functions that were run long.
    pub(crate) loops: BTreeMap<FunctionId, Vec<NaturalLoop>>,
    /// How often paths tried to leave a loop at a block.
    pub(crate) escapes: BTreeMap<(FunctionId, BlockId), u32>,
    /// Branches left open, by what leads there: a seed may come along a way that was taken before.
    left_open: BTreeMap<Key, Vec<List>>,
}

impl Branching {
    /// Whether a branch was left open after the same conditions.
    pub(crate) fn is_left_open(&self, key: &Key, conditions: &List) -> bool {
        self.left_open.get(key).is_some_and(|known| known.contains(conditions))
    }

    /// Notes that a branch is left open.
    pub(crate) fn note(&mut self, key: Key, conditions: &List) {
        let known = self.left_open.entry(key).or_default();
        if !known.contains(conditions) {
            known.push(conditions.clone());
        }
    }
}
