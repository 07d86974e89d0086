//! Findings as programs: `make findings` builds them with sanitizers, which are to end each call.
//!
//! They stand beside the tests and are no part of `make check`, which says that the function does what it did. A program
//! of findings ends with 0 if each of them is reproduced.

use crate::directory::target;
use crate::framework::findings::Findings;
use crate::project::Target;
use crate::{Suite, Test, file};
use clew_execute::{Ending, Observation};
use clew_frontend::Loaded;
use clew_ir::{FunctionId, Program};
use clew_session::Outcome;
use clew_session::finding::{Cause, causes};
use clew_session::output::{self, WriteError};
use clew_session::suite::{line, source};
use std::path::Path;

/// Causes that are written down of one function.
const MOST_FINDINGS: usize = 200;

/// Name of the file of the findings of a function, without extension.
pub(crate) fn stem(function: &str) -> String {
    format!("findings_{function}")
}

/// Writes the findings of a function; `None` if there is nothing to write.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub(crate) fn write(
    loaded: &Loaded,
    function: FunctionId,
    outcome: &Outcome<'_>,
    directory: &Path,
) -> Result<Option<Target>, WriteError> {
    let program = &loaded.program;
    let tests: Vec<Test> =
        causes(&outcome.findings).iter().take(MOST_FINDINGS).map(|cause| test(program, cause)).collect();
    if tests.is_empty() || file::readings::are_needed(&tests) {
        return Ok(None);
    }
    let name = &program.functions[function].name;
    let source = crate::directory::source_named(loaded, function, directory);
    let suite = Suite { program, function, source: &source, observed: &[], tests: &tests };
    let texts = file::texts_in(&suite, &Findings, &stem(name));
    if texts.skipped == tests.len() {
        return Ok(None);
    }
    output::write(&directory.join(format!("{}.c", stem(name))), &texts.c)?;
    Ok(Some(target(loaded, function, &tests, texts.flags, directory)))
}

/// A call that is undefined: nothing is known of what comes after.
fn test(program: &Program, cause: &Cause<'_>) -> Test {
    let failure = &cause.first.finding.failure;
    let mut purpose =
        vec![format!("{} at line {}: {}", failure.what, line(program, failure.span), source(program, failure.span))];
    purpose.extend(cause.first.worth.requires.iter().map(|clause| format!("excluded by: requires {clause};")));
    Test {
        purpose,
        undefined: None,
        addressed: false,
        diverged: false,
        input: cause.first.finding.input.clone(),
        observation: Observation {
            path: Vec::new(),
            repeats: Vec::new(),
            truncated: false,
            ending: Ending::Returned,
            result: Vec::new(),
            objects: Vec::new(),
            globals: Vec::new(),
            object_addresses: Vec::new(),
            global_addresses: Vec::new(),
            calls: Vec::new(),
            output: Vec::new(),
        },
    }
}
