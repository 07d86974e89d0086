//! What functions without a body can reach although no call gives it to them: static variables, variables whose
//! address was told, memory behind pointers.
//!
//! A local variable is told where its address is stored, passed on, returned or turned into a number. Addresses are followed
//! through arithmetic within one function, not through memory.

use clew_ir::{Callee, Function, InstKind, Linkage, Operand, Program, TempId, TerminatorKind};
use std::collections::BTreeSet;

/// Whether a function reads memory that other code may know, or lets the address of a variable of its own escape.
pub(super) fn reads_hidden(program: &Program, function: &Function) -> bool {
    let own = own_addresses(function);
    let is_own = |operand: &Operand| match operand {
        Operand::Local(_) => true,
        Operand::Temp(temp) => own.contains(temp),
        _ => false,
    };
    let is_hidden = |kind: &InstKind| match kind {
        InstKind::Load { from: Operand::Global(global, _), .. }
        | InstKind::Copy { from: Operand::Global(global, _), .. } => {
            program.globals[*global].linkage != Linkage::External
        }
        InstKind::Load { from, .. } | InstKind::Copy { from, .. } => !is_own(from),
        InstKind::Store { value, .. } => is_own(value),
        InstKind::Call { args, callee, .. } => args.iter().any(is_own) && !is_harmless(program, callee),
        InstKind::PointerToInt { a, .. } => is_own(a),
        InstKind::Ternary { b, c, .. } => is_own(b) || is_own(c),
        _ => false,
    };
    let mut blocks = function.blocks.values();
    blocks.any(|block| {
        let returns = matches!(&block.terminator.kind, TerminatorKind::Return(Some(value)) if is_own(value));
        returns || block.insts.iter().any(|inst| is_hidden(&inst.kind))
    })
}

/// The temporaries that are addresses of variables of a function.
fn own_addresses(function: &Function) -> BTreeSet<TempId> {
    let mut own = BTreeSet::new();
    let insts = || function.blocks.values().flat_map(|block| &block.insts);
    loop {
        let before = own.len();
        for inst in insts() {
            if let InstKind::Offset { dest, base, .. } = &inst.kind {
                let is_own = match base {
                    Operand::Local(_) => true,
                    Operand::Temp(temp) => own.contains(temp),
                    _ => false,
                };
                if is_own {
                    own.insert(*dest);
                }
            }
        }
        if own.len() == before {
            return own;
        }
    }
}

/// Whether a function that is given an address forgets it when it returns: one of the C library that keeps nothing.
fn is_harmless(program: &Program, callee: &Callee) -> bool {
    let Callee::Direct(id) = callee else { return false };
    let function = &program.functions[*id];
    let row = clew_library::lookup(&function.name);
    row.is_some_and(|row| !row.effects.keeps) && (!function.is_defined() || program.models.contains(id))
}
