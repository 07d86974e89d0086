//! Variables that a function keeps from one call to the next, and never changes.

use clew_ir::{Function, GlobalId, GlobalKind, Inst, InstKind, Operand, Program, Symbol, TempId, TerminatorKind};
use std::collections::BTreeSet;

/// Whether a static variable of a function is never changed: it is only loaded from, and its address goes nowhere else.
pub fn is_only_read(program: &Program, global: GlobalId) -> bool {
    let GlobalKind::StaticLocal(owner) = program.globals[global].kind else { return false };
    let is_it = |symbol: &Symbol| matches!(symbol, Symbol::Global(other) if *other == global);
    if program.globals.values().any(|other| other.relocations.iter().any(|item| is_it(&item.symbol))) {
        return false;
    }
    let function = &program.functions[owner];
    let uses = Uses { global, temps: addresses(function, global) };
    function.blocks.values().all(|block| {
        block.insts.iter().all(|inst| uses.reads_at_most(inst))
            && match &block.terminator.kind {
                TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => !uses.leads(*on),
                TerminatorKind::Return(value) => !value.is_some_and(|value| uses.leads(value)),
                TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. } => true,
            }
    })
}

/// Where the address of a global is.
struct Uses {
    global: GlobalId,
    temps: BTreeSet<TempId>,
}

impl Uses {
    fn leads(&self, operand: Operand) -> bool {
        match operand {
            Operand::Global(global, _) => global == self.global,
            Operand::Temp(temp) => self.temps.contains(&temp),
            _ => false,
        }
    }

    fn reads_at_most(&self, inst: &Inst) -> bool {
        match inst.kind {
            InstKind::Load { .. } | InstKind::Offset { .. } => true,
            InstKind::Copy { to, .. } => !self.leads(to),
            _ => inst.kind.operands().into_iter().all(|operand| !self.leads(operand)),
        }
    }
}

/// The temporaries that may hold an address in a global.
fn addresses(function: &Function, global: GlobalId) -> BTreeSet<TempId> {
    let mut uses = Uses { global, temps: BTreeSet::new() };
    loop {
        let before = uses.temps.len();
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Offset { dest, base, .. } = inst.kind
                && uses.leads(base)
            {
                uses.temps.insert(dest);
            }
        }
        if uses.temps.len() == before {
            return uses.temps;
        }
    }
}
