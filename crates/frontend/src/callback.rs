//! Functions for the function pointers of an input to lead to.
//!
//! Every function type that some pointer of the program leads to gets a function without a body. Exploration treats it
//! as any other stub; native execution and emitted tests define it.

use clew_ir::{CALLBACK, CType, CTypeId, Function, Program};

/// Adds the functions to a program.
pub(crate) fn declare(program: &mut Program) {
    let mut types: Vec<CTypeId> = Vec::new();
    for ctype in program.ctypes.types.values() {
        let CType::Pointer(to) = ctype else { continue };
        let function = program.ctypes.resolve(*to);
        let is_function = matches!(program.ctypes.types[function], CType::Function { .. });
        if is_function && !types.contains(&function) {
            types.push(function);
        }
    }
    for (number, ty) in types.into_iter().enumerate() {
        program.functions.push(Function::declare(format!("{CALLBACK}{number}"), ty));
    }
}
