//! Functions without a body: mocks that give what the running test says, call by call, and zero after that.
//!
//! A mock writes behind its pointer arguments what the test says, too. A mock of a function that does not return goes
//! back to the test by `longjmp`.

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
    /// The variable that points to what it gives next; empty for `void`.
    pub(super) next: String,
    /// The variable that counts what is left to give.
    pub(super) left: String,
    /// Parameters through which some test has it write, each with the variable that points to what comes next.
    pub(super) writes: Vec<(usize, String)>,
}

/// Writes a mock for every function some test answers.
pub(super) fn write(file: &mut File<'_>) {
    let calls = || file.suite.tests.iter().flat_map(|test| &test.input.stubs);
    let functions: BTreeSet<FunctionId> = calls().map(|call| call.function).collect();
    if calls().any(|call| !call.outputs.is_empty()) {
        file.written = file.names.take("written");
        let _ = writeln!(file.out, "\nstruct {} {{\n    const void *from;\n    unsigned long size;\n}};", file.written);
    }
    let endless = clew_execute::native::never_returns(file.suite.program);
    if functions.iter().any(|function| endless.contains(function)) {
        file.stop = file.names.take("stop");
        let _ = writeln!(file.out, "\n#include <setjmp.h>\nstatic jmp_buf {};", file.stop);
    }
    for function in functions {
        let mock = mock(file, function, endless.contains(&function));
        file.mocks.extend(mock);
    }
}

/// Parameters through which some test has a function write.
fn written_params(file: &File<'_>, id: FunctionId) -> BTreeSet<usize> {
    let calls = file.suite.tests.iter().flat_map(|test| &test.input.stubs).filter(|call| call.function == id);
    calls.flat_map(|call| &call.outputs).map(|(position, _)| *position).collect()
}

/// Writes one mock; `None` where a type has no spelling, which the compiler will say.
fn mock(file: &mut File<'_>, id: FunctionId, endless: bool) -> Option<Mock> {
    let program = file.suite.program;
    let ctypes = &program.ctypes;
    let function = &program.functions[id];
    let CType::Function { returns, params, variadic } = ctypes.get(function.ty) else { return None };
    let name = &function.name;
    let mut declared = Vec::new();
    let mut body = String::new();
    for (index, param) in params.iter().enumerate() {
        declared.push(spell::declare(ctypes, *param, &format!("given_{index}"))?);
        let _ = writeln!(body, "    (void)given_{index};");
    }
    if *variadic {
        declared.push(if declared.is_empty() { String::new() } else { "...".to_owned() });
    }
    let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
    let head = spell::declare(ctypes, *returns, &format!("{name}({declared})"))?;
    let is_void = matches!(ctypes.get(*returns), CType::Void);
    let returns = spell::unqualified(ctypes, *returns);
    let mut mock = Mock {
        function: id,
        returns: (!is_void).then_some(returns),
        next: if is_void { String::new() } else { file.names.take(&format!("{name}_next")) },
        left: file.names.take(&format!("{name}_left")),
        writes: Vec::new(),
    };
    let mut variables = format!("static unsigned long {};\n", mock.left);
    if !is_void {
        let _ = writeln!(variables, "static {};", spell::declare(ctypes, returns, &format!("*{}", mock.next))?);
        body.insert_str(0, &format!("    static {};\n", spell::declare(ctypes, returns, "zero")?));
    }
    let give_up = if is_void { "return" } else { "return zero" };
    let _ = writeln!(body, "    if ({} == 0)\n        {give_up};\n    {}--;", mock.left, mock.left);
    for param in written_params(file, id) {
        let next = file.names.take(&format!("{name}_writes_{param}"));
        let _ = writeln!(variables, "static const struct {} *{next};", file.written);
        let _ = writeln!(
            body,
            "    if ({next}->from)\n        __builtin_memcpy(given_{param}, {next}->from, {next}->size);"
        );
        let _ = writeln!(body, "    {next}++;");
        mock.writes.push((param, next));
    }
    if !is_void {
        let _ = writeln!(body, "    return *{}++;", mock.next);
    }
    file.comment(&[format!("Stands in for {name}, which has no body.")]);
    let body = if endless { endless_body(params.len(), &mock, &file.stop) } else { body };
    let _ = writeln!(file.out, "{variables}\n{head}\n{{\n{body}}}");
    Some(mock)
}

/// The body of a mock that does not return.
fn endless_body(params: usize, mock: &Mock, stop: &str) -> String {
    let unused: String = (0..params).map(|index| format!("    (void)given_{index};\n")).collect();
    let next = if mock.next.is_empty() { String::new() } else { format!("    (void){};\n", mock.next) };
    format!("{unused}{next}    (void){};\n    longjmp({stop}, 1);\n", mock.left)
}
