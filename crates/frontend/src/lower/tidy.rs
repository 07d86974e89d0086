//! Clean-up of a finished function.
//!
//! Removes what lowering emitted before it could know better: values nobody reads, ends of variables whose address
//! never escapes (nothing could reach them afterwards), and beginnings that a store follows anyway. Neither checks nor
//! anything the source asked for are touched.

use clew_ir::{CType, CTypes, CheckKind, Function, InstKind, LocalId, Operand, TempId, TerminatorKind};
use rustc_hash::FxHashSet;

/// Tidies a function; `initialised` are the variables that are written whole where they are declared.
pub(crate) fn tidy(function: &mut Function, initialised: &FxHashSet<LocalId>, ctypes: &CTypes) {
    let escaping = escaping(function);
    drop_certain(function, &escaping, ctypes);
    let mut used = used(function);
    for (_, block) in function.blocks.iter_mut() {
        block.insts.retain(|inst| match inst.kind {
            InstKind::End { local } => escaping.contains(&local),
            InstKind::Begin { local } => escaping.contains(&local) || !initialised.contains(&local),
            _ => true,
        });
    }
    // Definitions precede uses, so one walk backwards finds chains of unused values.
    for index in (0..function.blocks.len()).rev() {
        let block = &mut function.blocks[clew_ir::BlockId::new(index as u32)];
        let mut kept = Vec::with_capacity(block.insts.len());
        for inst in std::mem::take(&mut block.insts).into_iter().rev() {
            let is_unused = is_pure(&inst.kind) && inst.kind.dest().is_some_and(|dest| used[dest.index()] == 0);
            if is_unused {
                release(&inst.kind, &mut used);
            } else {
                kept.push(inst);
            }
        }
        kept.reverse();
        block.insts = kept;
    }
}

/// Drops the checks of values read from variables that only stores of their own type can have written.
fn drop_certain(function: &mut Function, escaping: &FxHashSet<LocalId>, ctypes: &CTypes) {
    let insts = || function.blocks.values().flat_map(|block| &block.insts);
    // A store that is checked goes through a pointer, which may be one to another type.
    let through_pointers: FxHashSet<LocalId> = insts()
        .filter_map(|inst| match &inst.kind {
            InstKind::Store { to: Operand::Local(local), check: Some(_), .. }
            | InstKind::Copy { to: Operand::Local(local), .. }
            | InstKind::Fill { to: Operand::Local(local), .. } => Some(*local),
            _ => None,
        })
        .collect();
    let is_certain = |from: &Operand| match from {
        Operand::Local(local) => {
            let is_bool = *ctypes.get(function.locals[*local].ty) == CType::Bool;
            is_bool && !escaping.contains(local) && !through_pointers.contains(local)
        }
        _ => false,
    };
    let certain: FxHashSet<TempId> = insts()
        .filter_map(|inst| match &inst.kind {
            InstKind::Load { dest, from, .. } if is_certain(from) => Some(*dest),
            _ => None,
        })
        .collect();
    let of_certain: FxHashSet<TempId> = insts()
        .filter_map(|inst| match &inst.kind {
            InstKind::Binary { dest, a: Operand::Temp(a), .. } if certain.contains(a) => Some(*dest),
            _ => None,
        })
        .collect();
    let Function { blocks, checks, .. } = function;
    let is_dropped = |kind: &InstKind| match kind {
        InstKind::Check { holds: Operand::Temp(holds), check } => {
            checks[*check].kind == CheckKind::Representation && of_certain.contains(holds)
        }
        _ => false,
    };
    blocks.iter_mut().for_each(|(_, block)| block.insts.retain(|inst| !is_dropped(&inst.kind)));
}

fn release(kind: &InstKind, used: &mut [u32]) {
    for operand in kind.operands() {
        if let Operand::Temp(temp) = operand {
            used[temp.index()] -= 1;
        }
    }
}

/// How often every temporary is read.
fn used(function: &Function) -> Vec<u32> {
    let mut used = vec![0; function.temps.len()];
    let mut read = |temp: TempId| used[temp.index()] += 1;
    for block in function.blocks.values() {
        for operand in block.insts.iter().flat_map(|inst| inst.kind.operands()) {
            if let Operand::Temp(temp) = operand {
                read(temp);
            }
        }
        if let TerminatorKind::Branch { on: Operand::Temp(temp), .. }
        | TerminatorKind::Switch { on: Operand::Temp(temp), .. }
        | TerminatorKind::Return(Some(Operand::Temp(temp))) = block.terminator.kind
        {
            read(temp);
        }
    }
    used
}

/// Whether leaving an instruction out changes nothing but its result.
fn is_pure(kind: &InstKind) -> bool {
    match kind {
        InstKind::Unary { check, .. }
        | InstKind::Binary { check, .. }
        | InstKind::Convert { check, .. }
        | InstKind::Offset { check, .. } => check.is_none(),
        InstKind::Load { check, volatile, .. } => check.is_none() && !volatile,
        InstKind::Ternary { .. } | InstKind::PointerToInt { .. } | InstKind::IntToPointer { .. } => true,
        _ => false,
    }
}

/// Locals whose address is used for more than loading from and storing to them.
fn escaping(function: &Function) -> FxHashSet<LocalId> {
    let mut escaping = FxHashSet::default();
    let mut note = |operand: Operand| {
        if let Operand::Local(local) = operand {
            escaping.insert(local);
        }
    };
    for block in function.blocks.values() {
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { .. } | InstKind::Fill { .. } => {}
                InstKind::Store { value, .. } => note(*value),
                other => other.operands().into_iter().for_each(&mut note),
            }
        }
        if let TerminatorKind::Return(Some(value)) = block.terminator.kind {
            note(value);
        }
    }
    escaping
}
