//! Which variables certainly hold a value where they are used.
//!
//! A forward must-analysis over the blocks: the set at a block's start is the intersection of the sets at the ends of
//! its predecessors. For a variable in a slot the fact is "was written since its life began"; for one in memory it is
//! "its life was begun". Variables for which a use is not certain get a flag at run time, or an object on entry.

use super::shape::Shape;
use clew_ir::{Block, ENTRY, Function, InstKind, LocalId, Operand, TerminatorKind};

/// Variables with a use that is not certain.
pub(super) struct Assigned {
    uncertain: Vec<bool>,
}

impl Assigned {
    pub(super) fn of(function: &Function, shape: &Shape) -> Assigned {
        let starts = solve(function, shape);
        let mut uncertain = vec![false; function.locals.len()];
        for (id, block) in function.blocks.iter() {
            // Blocks that are never reached say nothing.
            let Some(mut facts) = starts[id.index()].clone() else { continue };
            for inst in &block.insts {
                for local in uses(shape, &inst.kind) {
                    uncertain[local.index()] |= !facts.contains(local);
                }
                transfer(shape, &mut facts, &inst.kind);
            }
            if let TerminatorKind::Return(Some(Operand::Local(local))) = block.terminator.kind {
                uncertain[local.index()] |= !facts.contains(local);
            }
        }
        Assigned { uncertain }
    }

    /// Whether some use may come before the variable holds a value (in a slot) or lives (in memory).
    pub(super) fn is_uncertain(&self, local: LocalId) -> bool {
        self.uncertain[local.index()]
    }
}

#[derive(Clone, PartialEq)]
struct Facts(Vec<u64>);

impl Facts {
    fn contains(&self, local: LocalId) -> bool {
        self.0[local.index() / 64] >> (local.index() % 64) & 1 == 1
    }

    fn set(&mut self, local: LocalId, holds: bool) {
        let bit = 1 << (local.index() % 64);
        let word = &mut self.0[local.index() / 64];
        *word = if holds { *word | bit } else { *word & !bit };
    }

    /// Intersects and says whether that changed anything.
    fn meet(&mut self, other: &Facts) -> bool {
        let before = self.clone();
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        *self != before
    }
}

fn solve(function: &Function, shape: &Shape) -> Vec<Option<Facts>> {
    let mut starts: Vec<Option<Facts>> = vec![None; function.blocks.len()];
    starts[ENTRY.index()] = Some(Facts(vec![0; function.locals.len().div_ceil(64)]));
    let mut pending = vec![ENTRY];
    while let Some(id) = pending.pop() {
        let block = &function.blocks[id];
        let mut facts = starts[id.index()].clone().expect("a pending block has been reached");
        transfer_block(shape, &mut facts, block);
        for successor in block.terminator.kind.successors() {
            let changed = match &mut starts[successor.index()] {
                Some(old) => old.meet(&facts),
                unreached => {
                    *unreached = Some(facts.clone());
                    true
                }
            };
            if changed {
                pending.push(successor);
            }
        }
    }
    starts
}

fn transfer_block(shape: &Shape, facts: &mut Facts, block: &Block) {
    for inst in &block.insts {
        transfer(shape, facts, &inst.kind);
    }
}

fn transfer(shape: &Shape, facts: &mut Facts, inst: &InstKind) {
    match inst {
        InstKind::Begin { local } => facts.set(*local, shape.in_slot[local.index()].is_none()),
        InstKind::Store { to, .. } => {
            if let Some(local) = shape.slot_local(*to) {
                facts.set(local, true);
            }
        }
        _ => {}
    }
}

/// Variables whose value (in a slot) or address (in memory) an instruction reads.
fn uses(shape: &Shape, inst: &InstKind) -> Vec<LocalId> {
    let written = match inst {
        InstKind::Store { to, .. } => shape.slot_local(*to),
        InstKind::Load { from, raw: true, .. } => shape.slot_local(*from),
        _ => None,
    };
    let locals = inst.operands().into_iter().filter_map(|operand| match operand {
        Operand::Local(local) => Some(local),
        _ => None,
    });
    locals.filter(|&local| Some(local) != written).collect()
}
