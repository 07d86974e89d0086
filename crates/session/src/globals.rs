//! Variables of the program that a function may change by name: what tests observe.

use clew_ir::{FunctionId, GlobalId, Program};

/// The variables the function may change by name.
pub fn observed_globals(program: &Program, function: FunctionId) -> Vec<GlobalId> {
    let reach = clew_analyze::reach::reach(program, function);
    let changes = |global: &GlobalId| {
        let data = &program.globals[*global];
        let is_there = data.init.is_some() || data.address.is_some();
        data.kind == clew_ir::GlobalKind::Variable && !data.is_const && !data.span.is_none() && is_there
    };
    reach.globals.into_iter().filter(changes).collect()
}
