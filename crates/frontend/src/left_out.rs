//! Functions that are to be stubbed although they have a body: the body is left out.
//!
//! Whoever executes the program has to lead the calls elsewhere, which takes a symbol that the linker sees.

use crate::Loaded;
use crate::diagnostic::Diagnostic;
use clew_ir::{FunctionId, Linkage};

/// Leaves the bodies of the functions of some names out; those that have none are stubs anyway.
pub(crate) fn leave_out(loaded: &mut Loaded, names: &[String]) {
    let program = &mut loaded.program;
    let is_named = |id: &FunctionId| {
        let function = &program.functions[*id];
        function.is_defined() && !program.models.contains(id) && names.contains(&function.name)
    };
    let named: Vec<FunctionId> = program.functions.ids().filter(is_named).collect();
    for id in named {
        let function = &mut program.functions[id];
        if function.linkage == Linkage::Internal {
            let text =
                format!("`{}` cannot be stubbed: it is static, and the linker does not see calls of it", function.name);
            loaded.diagnostics.push(Diagnostic::error(function.span, text));
        } else {
            function.leave_body_out();
        }
    }
}
