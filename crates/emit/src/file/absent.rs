//! Functions and variables that the source names, nothing defines, and no test needs.
//!
//! The linker is told to let them be missing, but for those that the source hides from other libraries it does not: these
//! are made weak here.

use super::File;
use clew_execute::native::is_missing;
use clew_symbolic::is_known;
use std::fmt::Write;

/// Makes what is missing weak, if the source hides anything.
pub(super) fn write(file: &File<'_>, out: &mut String) {
    let program = file.suite.program;
    if !program.sources.units.values().any(|unit| unit.text.contains("visibility")) {
        return;
    }
    let is_mocked = |id| file.mocks.iter().any(|mock| mock.function == id);
    let functions = program.functions.iter().filter(|(id, function)| {
        let is_there = function.is_defined() || program.is_library(*id) || is_known(&function.name);
        !is_there && !function.span.is_none() && !is_mocked(*id)
    });
    let names: Vec<&str> = functions.map(|(_, function)| function.name.as_str()).collect();
    // A definition further down may be weak as well.
    let variables = program.globals.values().filter(|global| is_missing(global)).map(|global| global.name.as_str());
    let names: Vec<&str> = names.into_iter().chain(variables).collect();
    if !names.is_empty() {
        out.push_str("\n/* They may be missing: no test needs them. */\n");
    }
    for name in names {
        let _ = writeln!(out, "#pragma weak {name}");
    }
}
