//! Names across translation units, and the types all units share.
//!
//! A name of external linkage denotes one function or one global of the program, whichever unit mentions it first.
//! Equal C types of different units become one type; records are equal when their tags, layouts and member spellings
//! are.

use clew_ir::{
    CType, CTypeId, CTypes, Callee, FunctionId, GlobalId, InstKind, Operand, Program, Record, RecordId, Symbol,
    TerminatorKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What is known across units while they are lowered.
#[derive(Debug, Default)]
pub(crate) struct Linker {
    /// Functions of external linkage by name.
    pub(crate) functions: FxHashMap<String, FunctionId>,
    /// Globals of external linkage by name.
    pub(crate) globals: FxHashMap<String, GlobalId>,
    /// Globals of external linkage that have an initialiser.
    pub(crate) initialised: FxHashSet<GlobalId>,
    /// Functions some unit declared weak.
    pub(crate) weak: FxHashSet<FunctionId>,
    /// Second names: the function of the first id is the one of that name.
    pub(crate) aliases: Vec<(FunctionId, String)>,
    /// Variables at fixed addresses.
    pub(crate) registers: BTreeMap<u64, GlobalId>,
    types: FxHashMap<CType, CTypeId>,
    records: FxHashMap<String, RecordId>,
}

impl Linker {
    /// The one id of a type.
    pub(crate) fn intern(&mut self, ctypes: &mut CTypes, ty: CType) -> CTypeId {
        if let Some(&id) = self.types.get(&ty) {
            return id;
        }
        let id = ctypes.types.push(ty.clone());
        self.types.insert(ty, id);
        id
    }

    /// The record of that signature, and whether it is new.
    pub(crate) fn record(&mut self, ctypes: &mut CTypes, signature: String) -> (RecordId, bool) {
        if let Some(&id) = self.records.get(&signature) {
            return (id, false);
        }
        let id = ctypes.records.push(Record {
            tag: None,
            is_union: false,
            is_complete: false,
            size: 0,
            align: 1,
            fields: Vec::new(),
        });
        self.records.insert(signature, id);
        (id, true)
    }

    /// Resolves what needed all units: aliases, and weak functions nobody defined, whose address is null.
    pub(crate) fn finish(&mut self, program: &mut Program) {
        let mut replaced: FxHashMap<FunctionId, Operand> = FxHashMap::default();
        for (alias, target) in &self.aliases {
            if let Some(target) = program.function(target) {
                replaced.insert(*alias, Operand::Function(target));
            }
        }
        for &function in &self.weak {
            if !program.functions[function].is_defined() && !replaced.contains_key(&function) {
                replaced.insert(function, Operand::Null);
            }
        }
        if !replaced.is_empty() {
            replace_functions(program, &replaced);
        }
    }
}

fn replace_functions(program: &mut Program, replaced: &FxHashMap<FunctionId, Operand>) {
    for (_, global) in program.globals.iter_mut() {
        global.relocations.retain_mut(|relocation| match relocation.symbol {
            Symbol::Function(function) => match replaced.get(&function) {
                Some(Operand::Function(target)) => {
                    relocation.symbol = Symbol::Function(*target);
                    true
                }
                other => other.is_none(),
            },
            Symbol::Global(_) => true,
        });
    }
    for (_, function) in program.functions.iter_mut() {
        for (_, block) in function.blocks.iter_mut() {
            for inst in &mut block.insts {
                replace_in(&mut inst.kind, replaced);
            }
            let replace = |operand: &mut Operand| replace_operand(operand, replaced);
            match &mut block.terminator.kind {
                TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => replace(on),
                TerminatorKind::Return(Some(value)) => replace(value),
                _ => {}
            }
        }
    }
}

fn replace_operand(operand: &mut Operand, replaced: &FxHashMap<FunctionId, Operand>) {
    if let Operand::Function(function) = operand
        && let Some(new) = replaced.get(function)
    {
        *operand = *new;
    }
}

fn replace_in(inst: &mut InstKind, replaced: &FxHashMap<FunctionId, Operand>) {
    let replace = |operand: &mut Operand| replace_operand(operand, replaced);
    match inst {
        InstKind::Unary { a, .. }
        | InstKind::Convert { a, .. }
        | InstKind::PointerToInt { a, .. }
        | InstKind::IntToPointer { a, .. }
        | InstKind::Offset { base: a, .. } => replace(a),
        InstKind::Binary { a, b, .. } | InstKind::Distance { a, b, .. } => {
            replace(a);
            replace(b);
        }
        InstKind::Ternary { b, c, .. } => {
            replace(b);
            replace(c);
        }
        InstKind::Store { value, .. } => replace(value),
        InstKind::Call { callee, args, .. } => {
            args.iter_mut().for_each(replace);
            if let Callee::Direct(function) = callee {
                match replaced.get(function) {
                    Some(Operand::Function(target)) => *callee = Callee::Direct(*target),
                    Some(other) => *callee = Callee::Indirect(*other),
                    None => {}
                }
            }
        }
        _ => {}
    }
}
