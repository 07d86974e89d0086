//! Pointers of the input that lead to objects of their own, though C would let them lead into one.
//!
//! That two pointers lead into one object is tried only where the program compares them. What is called infeasible or
//! proved therefore assumes of the others that they do not, which is said together with it.

use super::pointee;
use clew_ir::{CType, CTypeId, FunctionId, Param, ParamKind, Program};

/// Parameters of a function that are taken to lead to different objects, in words; `None` if there are no two.
pub fn apart(program: &Program, id: FunctionId) -> Option<String> {
    let params = program.functions[id].params.iter().filter(|param| param.kind != ParamKind::ReturnSlot);
    let pointers: Vec<(&Param, CTypeId)> = params.filter_map(|param| Some((param, pointee(program, param)?))).collect();
    let meets = |(one, (_, to)): (usize, &(&Param, CTypeId))| {
        let others = pointers.iter().enumerate().filter(move |(other, _)| *other != one);
        others.into_iter().any(|(_, (_, other))| may_be_one(program, *to, *other))
    };
    let named: Vec<String> = pointers
        .iter()
        .enumerate()
        .filter(|pointer| meets(*pointer))
        .map(|(_, (param, _))| format!("`{}`", param.name))
        .collect();
    let (last, first) = named.split_last()?;
    Some(format!("{} and {last} lead to different objects, unless the program compares them", first.join(", ")))
}

/// Whether what one pointer leads to may be what another leads to, and one of them may change it.
fn may_be_one(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    let ctypes = &program.ctypes;
    let is_bytes = |ty: CTypeId| matches!(ctypes.get(ty), CType::Void | CType::Int { width: 8, .. });
    let is_same = ctypes.get(a) == ctypes.get(b) || is_bytes(a) || is_bytes(b);
    is_same && !(ctypes.is_const(a) && ctypes.is_const(b))
}
