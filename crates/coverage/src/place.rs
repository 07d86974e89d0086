//! Where conditions, switches, checks and definitions stand in a function.

use crate::objective::Site;
use clew_ir::{Block, BlockId, CheckId, ConditionId, DecisionId, Function, TerminatorKind};

/// The block that branches on a condition.
pub fn branch(function: &Function, id: ConditionId) -> Option<BlockId> {
    find(
        function,
        |block| matches!(block.terminator.kind, TerminatorKind::Branch { condition: Some(condition), .. } if condition == id),
    )
}

/// The block that ends in a `switch`.
pub fn switch(function: &Function, id: DecisionId) -> Option<BlockId> {
    find(
        function,
        |block| matches!(block.terminator.kind, TerminatorKind::Switch { decision: Some(decision), .. } if decision == id),
    )
}

/// The block that holds a check.
pub fn check(function: &Function, id: CheckId) -> Option<BlockId> {
    find(function, |block| {
        let ends = matches!(block.terminator.kind, TerminatorKind::Unreachable { check: Some(check) } if check == id);
        ends || block.insts.iter().any(|inst| inst.kind.check() == Some(id))
    })
}

/// The block of a definition, if it is in the code.
pub fn site(site: Site) -> Option<BlockId> {
    match site {
        Site::Entry => None,
        Site::At(point) => Some(point.block),
    }
}

fn find(function: &Function, holds: impl Fn(&Block) -> bool) -> Option<BlockId> {
    function.blocks.iter().find(|(_, block)| holds(block)).map(|(id, _)| id)
}
