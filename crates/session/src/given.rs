//! The tests of a suite that exists already.

use crate::select::refusal;
use crate::suite::{Suite, raw};
use clew_execute::Input;
use clew_frontend::Diagnostic;
use clew_ir::{FunctionId, Program};
use std::path::Path;

/// The tests that a given suite has for a function.
#[derive(Debug, Default)]
pub struct Given {
    /// Their inputs.
    pub inputs: Vec<Input>,
    /// Tests that do not fit the program.
    pub unfit: usize,
    /// The suite.
    pub suite: Option<Suite>,
}

impl Given {
    /// Reads the suite at a path.
    ///
    /// # Errors
    /// When there is no suite, or none that we wrote.
    pub fn read(program: &Program, function: FunctionId, path: &Path) -> Result<Given, Box<Diagnostic>> {
        let suite = read(path)
            .map_err(|reason| refusal(format!("cannot read the given suite {}: {reason}", path.display())))?;
        let name = &program.functions[function].name;
        let own = suite.functions.iter().filter(|suite| suite.name == *name);
        let tests: Vec<_> = own.flat_map(|suite| &suite.tests).collect();
        let reader = raw::Reader::new(program);
        let inputs: Vec<Input> = tests.iter().filter_map(|test| reader.input(&test.raw)).collect();
        Ok(Given { unfit: tests.len() - inputs.len(), inputs, suite: Some(suite) })
    }
}

/// Reads a suite, given as its directory or its `suite.json`.
///
/// # Errors
/// Why it cannot be read.
pub fn read(path: &Path) -> Result<Suite, String> {
    let file = if path.is_dir() { path.join("suite.json") } else { path.to_owned() };
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}
