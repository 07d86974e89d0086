//! Pointers of the input that lead to objects of their own, though C would let them lead into one.
//!
//! That two pointers lead into one object is tried only where the program compares them. What is called infeasible or
//! proved therefore assumes of the others that they do not, which is said together with it.

use super::pointee;
use clew_analyze::reach::reach;
use clew_ir::{CType, CTypeId, FunctionId, GlobalKind, Param, ParamKind, Program};

/// What is taken for granted of the pointers that a function is given, in words; `None` if C says so itself.
pub fn apart(program: &Program, id: FunctionId) -> Option<String> {
    let params = program.functions[id].params.iter().filter(|param| param.kind != ParamKind::ReturnSlot);
    let pointers: Vec<(&Param, CTypeId)> = params.filter_map(|param| Some((param, pointee(program, param)?))).collect();
    let meets = |(one, (_, to)): (usize, &(&Param, CTypeId))| {
        let mut others = pointers.iter().enumerate().filter(|(other, _)| *other != one);
        others.any(|(_, (_, other))| may_be_one(program, *to, *other))
    };
    let met = pointers.iter().enumerate().filter(|pointer| meets(*pointer));
    let named: Vec<String> = met.map(|(_, (param, _))| format!("`{}`", param.name)).collect();
    let who = match named.split_last() {
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None if pointers.iter().any(|(_, to)| meets_itself(program, *to) || meets_variable(program, id, *to)) => {
            "pointers of the input".to_owned()
        }
        None => return None,
    };
    Some(format!("{who} lead to objects of their own, unless the program compares them"))
}

/// Whether what one pointer leads to may be what another leads to, and one of them may change it.
fn may_be_one(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    let ctypes = &program.ctypes;
    let is_bytes = |ty: CTypeId| matches!(ctypes.get(ty), CType::Void | CType::Int { width: 8, .. });
    let is_same = ctypes.get(a) == ctypes.get(b) || is_bytes(a) || is_bytes(b);
    is_same && !(ctypes.is_const(a) && ctypes.is_const(b))
}

/// Whether a structure holds a pointer to its own kind.
fn meets_itself(program: &Program, ty: CTypeId) -> bool {
    let CType::Record(record) = program.ctypes.get(ty) else { return false };
    let mut fields = program.ctypes.records[*record].fields.iter();
    fields.any(|field| matches!(program.ctypes.get(field.ty), CType::Pointer(to) if may_be_one(program, ty, *to)))
}

/// Whether a variable that the function can come to is what a pointer may lead to.
fn meets_variable(program: &Program, id: FunctionId, to: CTypeId) -> bool {
    reach(program, id).globals.iter().map(|global| &program.globals[*global]).any(|global| {
        let element = match program.ctypes.get(global.ty) {
            CType::Array { of, .. } => *of,
            _ => global.ty,
        };
        global.kind != GlobalKind::Literal && !global.is_const && may_be_one(program, to, element)
    })
}
