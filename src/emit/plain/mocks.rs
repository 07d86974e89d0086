//! Functions without a body: mocks that give what the running test says, call by call, and zero after that.

use super::File;
use crate::emit::spell;
use clew_ir::{CType, CTypeId, FunctionId};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A mock.
#[derive(Debug)]
pub(super) struct Mock {
    pub(super) function: FunctionId,
    /// What it returns; `None` for `void`.
    pub(super) returns: Option<CTypeId>,
    /// The variable that points to what it gives next.
    pub(super) next: String,
    /// The variable that counts what is left to give.
    pub(super) left: String,
}

/// Writes a mock for every function some test answers.
pub(super) fn write(file: &mut File<'_>) {
    let calls = file.suite.tests.iter().flat_map(|test| &test.input.stubs);
    let functions: BTreeSet<FunctionId> = calls.map(|call| call.function).collect();
    for function in functions {
        let mock = mock(file, function);
        file.mocks.extend(mock);
    }
}

/// Writes one mock; `None` where a type has no spelling, which the compiler will say.
fn mock(file: &mut File<'_>, id: FunctionId) -> Option<Mock> {
    let program = file.suite.program;
    let ctypes = &program.ctypes;
    let function = &program.functions[id];
    let CType::Function { returns, params, .. } = ctypes.get(function.ty) else { return None };
    let name = &function.name;
    let mut declared = Vec::new();
    let mut unused = String::new();
    for (index, param) in params.iter().enumerate() {
        declared.push(spell::declare(ctypes, *param, &format!("given_{index}"))?);
        let _ = writeln!(unused, "    (void)given_{index};");
    }
    let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
    let head = spell::declare(ctypes, *returns, &format!("{name}({declared})"))?;
    file.comment(&[format!("Stands in for {name}, which has no body.")]);
    if matches!(ctypes.get(*returns), CType::Void) {
        let _ = writeln!(file.out, "{head}\n{{\n{unused}}}");
        return Some(Mock { function: id, returns: None, next: String::new(), left: String::new() });
    }
    let returns = spell::unqualified(ctypes, *returns);
    let (next, left) = (file.names.take(&format!("{name}_next")), file.names.take(&format!("{name}_left")));
    let pointer = spell::declare(ctypes, returns, &format!("*{next}"))?;
    let zero = spell::declare(ctypes, returns, "zero")?;
    let _ = writeln!(
        file.out,
        "static {pointer};\nstatic unsigned long {left};\n\n{head}\n{{\n    static {zero};\n{unused}"
    );
    let _ = writeln!(file.out, "    if ({left} == 0)\n        return zero;\n    {left}--;\n    return *{next}++;\n}}");
    Some(Mock { function: id, returns: Some(returns), next, left })
}
