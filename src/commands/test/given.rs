//! The tests of a suite that exists already.

use crate::cli::TestArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew::suite::{Suite, raw};
use clew_execute::Input;
use clew_ir::{FunctionId, Program};
use std::path::Path;

/// The inputs that the given suite has for a function.
pub(super) fn inputs(
    program: &Program,
    function: FunctionId,
    arguments: &TestArguments,
    terminal: Terminal,
) -> Result<Vec<Input>, Status> {
    let Some(path) = &arguments.given else { return Ok(Vec::new()) };
    let suite = read(path).map_err(|reason| {
        terminal.error(&format!("cannot read the given suite {}: {reason}", path.display()));
        Status::BadInput
    })?;
    let name = &program.functions[function].name;
    let own = suite.functions.iter().filter(|suite| suite.name == *name);
    let tests: Vec<_> = own.flat_map(|suite| &suite.tests).collect();
    let inputs: Vec<Input> = tests.iter().filter_map(|test| raw::input(program, &test.raw)).collect();
    if inputs.len() < tests.len() {
        let lost = tests.len() - inputs.len();
        terminal.say(&format!("{name}: {lost} given tests do not fit the program and are left out"));
    }
    Ok(inputs)
}

fn read(path: &Path) -> Result<Suite, String> {
    let file = if path.is_dir() { path.join("suite.json") } else { path.to_owned() };
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}
