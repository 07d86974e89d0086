//! What is written of methods of Java besides tests: pages with their source, and files for other tools.

use crate::cli::OutputArguments;
use clew_frontend_jvm::Lowered;
use clew_report::html::{self, Subject};
use clew_report::{interchange, join};
use clew_session::output::{self, WriteError};
use clew_session::suite::{FunctionSuite, Suite};
use clew_session::test::Tested;
use std::path::Path;

/// The folder of pages below that of the tests.
const FOLDER: &str = "report";

/// Writes the page of a method whose source is there, and the files for other tools that are asked for; gives their folder, if any.
pub(super) fn write(
    lowered: &Lowered,
    tested: &Tested<'_>,
    arguments: &OutputArguments,
) -> Result<Option<String>, WriteError> {
    let program = &lowered.program;
    let span = program.functions[lowered.method].span;
    let has_source = program.sources.locate(span).is_some_and(|place| Path::new(&place.file).is_file());
    let (true, Ok(outcome)) = (has_source || !arguments.export.is_empty(), &tested.result) else { return Ok(None) };
    let folder = format!("{FOLDER}/{}", folder_name(&program.functions[tested.function].name));
    let at = arguments.out.join(&folder);
    let made = |error| WriteError::Io(at.clone(), error);
    std::fs::create_dir_all(&at).map_err(made)?;
    let function = tested.function;
    if has_source {
        let suite = FunctionSuite::new(program, function, tested.budget.k, (outcome, &tested.told));
        let page = html::html(program, &[], &[Subject { function, outcome, suite: &suite }]);
        output::write(&at.join("report.html"), page)?;
        output::write(&at.join("suite.json"), Suite::new(vec![suite]).json())?;
    }
    let method = &lowered.declaration.name;
    let names = (1..=outcome.tests.len()).map(|number| format!("{method} {number}")).collect();
    let subjects = [interchange::Subject { function, outcome, names }];
    let report = interchange::Report { program, subjects: &subjects, property: None };
    interchange::write(&report, &arguments.export, &at)?;
    Ok(Some(folder))
}

/// Joins the files of many methods into one of each form.
pub(super) fn join(out: &Path, folders: &[String]) -> Result<(), WriteError> {
    join::write(out, &folders.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A method as the name of a folder.
fn folder_name(method: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || letter == '.' { letter } else { '_' };
    let name: String = method.replace(", ", "_").trim_end_matches(')').chars().map(plain).collect();
    name.trim_end_matches('_').chars().take(MOST_LETTERS).collect()
}

/// Letters of the name of a folder, for the sake of file systems.
const MOST_LETTERS: usize = 200;
