//! Arguments after the last parameter: which types a test may pass.
//!
//! A call is compiled once for all tests, so every sequence of types that a test may pass needs a call of its own. The
//! types are those that the program reads by `va_arg`; sequences are as long as a fixed number of calls allows.
//!
//! Not done: structures as variable arguments.

use clew_ir::{CType, CTypeId, InstKind, Program, Type};
use std::collections::BTreeSet;

/// Calls compiled for one function at most.
const MOST_CALLS: usize = 100;

/// Arguments passed at most.
const MOST_ARGUMENTS: usize = 8;

/// The C type in which a test passes what is read as a machine type, if the program has one.
pub fn passed_as(program: &Program, ty: Type) -> Option<CTypeId> {
    let rank = |ctype: &CType| match (ctype, ty) {
        (CType::Int { width, signed, .. }, Type::Int(wanted)) if *width == wanted => Some(u8::from(!signed)),
        (CType::Float { format, .. }, Type::Float(wanted)) if *format == wanted => Some(0),
        (CType::Pointer(to), Type::Pointer) => match program.ctypes.get(*to) {
            CType::Void => Some(0),
            CType::Int { width: 8, .. } => Some(1),
            CType::Function { .. } => None,
            _ => Some(2),
        },
        _ => None,
    };
    let fitting = program.ctypes.types.iter().filter_map(|(id, ctype)| Some((rank(ctype)?, id)));
    fitting.min().map(|(_, id)| id)
}

/// The sequences of types that a test may pass, the empty one first.
pub fn sequences(program: &Program) -> Vec<Vec<CTypeId>> {
    let types = types_read(program);
    let mut all = vec![Vec::new()];
    let mut longest: Vec<Vec<CTypeId>> = all.clone();
    for _ in 0..MOST_ARGUMENTS {
        let longer = |shorter: &Vec<CTypeId>| {
            let shorter = shorter.clone();
            types.iter().map(move |ty| shorter.iter().copied().chain([*ty]).collect::<Vec<_>>())
        };
        longest = longest.iter().flat_map(longer).collect();
        if longest.is_empty() || all.len() + longest.len() > MOST_CALLS {
            break;
        }
        all.extend(longest.iter().cloned());
    }
    all
}

/// The types that the program reads by `va_arg`, as tests pass them.
fn types_read(program: &Program) -> BTreeSet<CTypeId> {
    let own = program.functions.iter().filter(|(id, _)| !program.models.contains(id));
    let read = own.flat_map(|(_, function)| {
        let insts = function.blocks.values().flat_map(|block| &block.insts);
        insts.filter_map(|inst| match inst.kind {
            InstKind::VaArg { dest, .. } => Some(function.temps[dest].ty),
            _ => None,
        })
    });
    read.filter_map(|ty| passed_as(program, ty)).collect()
}
