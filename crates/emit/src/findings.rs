//! Findings as programs: `make findings` builds them with sanitizers, which are to end each call.
//!
//! They stand beside the tests and are no part of `make check`, which says that the function does what it did. A program
//! of findings ends with 0 if each of them is reproduced.

use crate::directory::{Tests, source_named, target};
use crate::framework::findings::Findings;
use crate::project::Target;
use crate::{Subject, Suite, Test, file, identifier};
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

/// What names of files of findings begin with.
const WORD: &str = "findings";

/// Name of the file of findings of something, without extension.
pub(crate) fn stem(name: &str) -> String {
    format!("{WORD}_{}", identifier(name))
}

/// The calls of a function that are undefined, one for each cause.
pub(crate) fn tests(program: &Program, function: FunctionId, outcome: &Outcome<'_>) -> Vec<Test> {
    causes(&outcome.findings).iter().take(MOST_FINDINGS).map(|cause| test(program, function, cause)).collect()
}

/// Writes the findings of functions of one source file; gives what builds them, nothing if there is nothing to write.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub(crate) fn write(loaded: &Loaded, name: &str, all: &[&Tests], directory: &Path) -> Result<Vec<Target>, WriteError> {
    let program = &loaded.program;
    let can_be_shown = |findings: &[Test]| !findings.is_empty() && !file::readings::are_needed(findings.iter());
    let shown = all.iter().filter(|tests| can_be_shown(&tests.findings));
    let subjects: Vec<Subject<'_>> =
        shown.map(|it| Subject { function: it.function, observed: &[], tests: &it.findings }).collect();
    let Some(first) = subjects.first() else { return Ok(Vec::new()) };
    let unit = program.functions[first.function].span.unit;
    let source = source_named(loaded, unit, directory);
    let suite = Suite { program, unit, source: &source, subjects: &subjects, call_order: false };
    let texts = file::texts_in(&suite, &Findings, WORD, name);
    if texts.parts.iter().all(|part| part.skipped == part.tests) {
        return Ok(Vec::new());
    }
    let mut target = target(loaded, &suite, texts.flags, directory);
    if let Some(shared) = texts.shared {
        let header = format!("{}.h", stem(name));
        output::write(&directory.join(&header), shared)?;
        target.depends.push(header);
    }
    let mut targets = Vec::new();
    for part in texts.parts {
        output::write(&directory.join(format!("{}.c", part.stem)), &part.c)?;
        targets.push(Target { stem: part.stem, ..target.clone() });
    }
    Ok(targets)
}

/// A call that is undefined: nothing is known of what comes after.
fn test(program: &Program, function: FunctionId, cause: &Cause<'_>) -> Test {
    let failure = &cause.first.finding.failure;
    let mut lines =
        vec![format!("{} at line {}: {}", failure.what, line(program, failure.span), source(program, failure.span))];
    lines.extend(cause.first.worth.requires.iter().map(|clause| format!("excluded by: requires {clause};")));
    Test {
        name: format!("finding_{}_{}", program.functions[function].name, identifier(&failure.what)),
        lines,
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
