//! Labels by the instructions after which they are evaluated.

use std::collections::BTreeMap;

use clew_coverage::label::{Label, LabelId};
use clew_ir::Expr;

use crate::stepped::At;

/// The labels after each instruction that has some, with their predicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels(BTreeMap<At, Vec<(LabelId, Expr)>>);

impl Labels {
    /// Those of a list, numbered in its order.
    pub(crate) fn new(labels: &[Label]) -> Labels {
        let mut after: BTreeMap<At, Vec<(LabelId, Expr)>> = BTreeMap::new();
        for (id, label) in labels.iter().enumerate() {
            let at = (label.at.function, label.at.block, label.at.index);
            after.entry(at).or_default().push((id, label.holds.clone()));
        }
        Labels(after)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those after an instruction.
    pub(crate) fn after(&self, at: At) -> &[(LabelId, Expr)] {
        self.0.get(&at).map_or(&[], Vec::as_slice)
    }
}
