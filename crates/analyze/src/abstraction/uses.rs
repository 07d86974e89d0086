//! What the code of a function does with its locals and temporaries, as far as states depend on it.

use clew_ir::{BlockId, Function, LocalId, Operand, TempId, TerminatorKind};
use std::collections::{BTreeMap, BTreeSet};

/// Locals whose address is used for more than direct accesses.
pub fn exposed_locals(function: &Function) -> BTreeSet<LocalId> {
    use clew_ir::InstKind;
    let mut exposed = BTreeSet::new();
    // Temporaries that point into a local, by offsets.
    let mut derived: BTreeMap<TempId, LocalId> = BTreeMap::new();
    let mut grows = true;
    while grows {
        let before = derived.len();
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Offset { dest, base, .. } = &inst.kind {
                let local = match base {
                    Operand::Local(local) => Some(*local),
                    Operand::Temp(temp) => derived.get(temp).copied(),
                    _ => None,
                };
                derived.extend(local.map(|local| (*dest, local)));
            }
        }
        grows = derived.len() > before;
    }
    let mut expose = |operand: &Operand| match operand {
        Operand::Local(local) => drop(exposed.insert(*local)),
        Operand::Temp(temp) => exposed.extend(derived.get(temp)),
        _ => {}
    };
    for block in function.blocks.values() {
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { .. } | InstKind::Offset { .. } | InstKind::Fill { .. } | InstKind::Copy { .. } => {}
                InstKind::Store { value, .. } => expose(value),
                other => other.operands().iter().for_each(&mut expose),
            }
        }
        if let TerminatorKind::Return(Some(value)) = &block.terminator.kind {
            expose(value);
        }
    }
    exposed
}

/// Which temporaries other blocks use than the one that defines them.
pub(crate) fn crossing(function: &Function) -> Vec<bool> {
    let mut home: Vec<Option<BlockId>> = vec![None; function.temps.len()];
    for (id, block) in function.blocks.iter() {
        block.insts.iter().filter_map(|inst| inst.kind.dest()).for_each(|dest| home[dest.index()] = Some(id));
    }
    let mut crossing = vec![false; function.temps.len()];
    for (id, block) in function.blocks.iter() {
        let end = match block.terminator.kind {
            TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => Some(on),
            TerminatorKind::Return(value) => value,
            TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. } => None,
        };
        for operand in block.insts.iter().flat_map(|inst| inst.kind.operands()).chain(end) {
            if let Operand::Temp(temp) = operand {
                crossing[temp.index()] |= home[temp.index()] != Some(id);
            }
        }
    }
    crossing
}
