//! The files of a suite: `suite.json`, `report.html`, test code for each framework asked for, and files for other tools.

use crate::cli::OutputArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_emit::directory::{self, Layout, Tests};
use clew_emit::stored;
use clew_emit::verify::{TestProgram, Written};
use clew_frontend::Loaded;
use clew_ir::{FunctionId, Program};
use clew_report::html::{self, Subject};
use clew_report::interchange;
use clew_session::output::{self, WriteError};
use clew_session::suite::Suite;
use clew_session::test::Tested;
use std::path::{Path, PathBuf};

/// What was written.
pub(super) struct Files {
    /// Where there is test code.
    pub(super) code: Vec<Written>,
    /// What is left out somewhere.
    pub(super) notes: Vec<String>,
}

/// Writes everything: test code, page and `suite.json` side by side, for they have nothing to do with each other. Tests of
/// functions that stand in the suite and were not tested now have their code as before.
pub(super) fn all(
    loaded: &Loaded,
    suite: &Suite,
    tested: &[Tested<'_>],
    (arguments, layout): (&OutputArguments, &Layout),
    out: &Path,
) -> Result<Files, WriteError> {
    let tests = tests(loaded, suite, tested, layout, out);
    let (page, written) = std::thread::scope(|scope| {
        let page = scope.spawn(|| {
            let page = output::write(&out.join("report.html"), report(loaded, suite, tested));
            page.and_then(|()| output::write(&out.join("suite.json"), suite.json()))
        });
        let written = directory::write(loaded, &tests, layout, out);
        let written = written.and_then(|code| {
            stored::write(&loaded.program, &tests, out)?;
            let notes = code.iter().flat_map(|written| &written.programs).filter_map(edited);
            let notes = notes.chain(export(loaded, tested, arguments, out)?).collect();
            Ok(Files { code, notes })
        });
        (page.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), written)
    });
    let files = written?;
    page.map(|()| files)
}

/// What a worker of a project writes of one function, whose test code comes later: everything else.
pub(super) fn all_but_code(
    loaded: &Loaded,
    suite: &Suite,
    tested: &Tested<'_>,
    (arguments, layout): (&OutputArguments, &Layout),
    out: &Path,
) -> Result<(), WriteError> {
    let one = std::slice::from_ref(tested);
    let tests: Vec<Tests> = Tests::of(&loaded.program, tested, layout.keeps_given).into_iter().collect();
    stored::write(&loaded.program, &tests, out)?;
    output::write(&out.join("report.html"), report(loaded, suite, one))?;
    output::write(&out.join("suite.json"), suite.json())?;
    export(loaded, one, arguments, out).map(drop)
}

/// The tests of all functions of a suite, in its order.
fn tests(loaded: &Loaded, suite: &Suite, tested: &[Tested<'_>], layout: &Layout, out: &Path) -> Vec<Tests> {
    let program = &loaded.program;
    let own = tested.iter().filter_map(|one| Tests::of(program, one, layout.keeps_given));
    let mut all: Vec<Tests> = own.collect();
    let is_tested = |function: FunctionId| tested.iter().any(|one| one.function == function);
    let place = |function: FunctionId| {
        let name = &program.functions[function].name;
        suite.functions.iter().position(|other| other.name == *name)
    };
    if suite.functions.len() > all.len() {
        let kept = stored::read(program, out).into_iter();
        all.extend(kept.filter(|kept| !is_tested(kept.function) && place(kept.function).is_some()));
    }
    all.sort_by_key(|tests| place(tests.function));
    all
}

/// What is said of a test file that had been changed by hand.
fn edited(program: &TestProgram) -> Option<String> {
    let aside = program.aside.as_ref()?.display();
    Some(format!(
        "{}.c had been changed by hand outside of lines that stay; as it was, it is now {aside}",
        program.name
    ))
}

/// Makes the directory of the output and looks whether files are missing or in the way, before there is anything to lose.
pub(super) fn prepare(
    program: &Program,
    functions: &[FunctionId],
    (arguments, layout): (&OutputArguments, &Layout),
    terminal: Terminal,
) -> Result<(), Status> {
    let out = &arguments.out;
    if let Some((path, Err(error))) = arguments.property.as_ref().map(|path| (path, std::fs::metadata(path))) {
        terminal.error(&format!("cannot read {}: {error}", path.display()));
        return Err(Status::BadInput);
    }
    create(out, terminal)?;
    let mut files = vec![out.join("suite.json"), out.join("report.html")];
    files.extend(directory::files(program, functions, layout, out));
    files.iter().try_for_each(|file| output::may_write(file)).map_err(|error| refused(&error, terminal))
}

/// Makes the directory of the output.
pub(super) fn create(out: &Path, terminal: Terminal) -> Result<(), Status> {
    let explain = |error: std::io::Error| match out.is_dir() || !out.exists() {
        true => format!("cannot create {}: {error}", out.display()),
        false => format!("{} is a file; choose another directory with --out", out.display()),
    };
    std::fs::create_dir_all(out).map_err(|error| {
        terminal.error(&explain(error));
        Status::BadInput
    })
}

/// Writes `suite.json`.
pub(super) fn suite(suite: &Suite, out: &Path, terminal: Terminal) -> Result<(), Status> {
    output::write(&out.join("suite.json"), suite.json()).map_err(|error| refused(&error, terminal))
}

/// Says why a file was not written.
pub(super) fn refused(error: &WriteError, terminal: Terminal) -> Status {
    terminal.error(&error.to_string());
    Status::BadInput
}

/// The page for people.
fn report(loaded: &Loaded, suite: &Suite, tested: &[Tested<'_>]) -> String {
    let outcomes = tested.iter().filter_map(|one| Some((one.function, one.result.as_ref().ok()?)));
    let suite_of = |function: FunctionId| {
        let name = &loaded.program.functions[function].name;
        suite.functions.iter().find(|suite| suite.name == *name)
    };
    let subject = |(function, outcome)| Some(Subject { function, outcome, suite: suite_of(function)? });
    let subjects: Vec<Subject<'_, '_>> = outcomes.filter_map(subject).collect();
    html::html(&loaded.program, &loaded.builds, &subjects)
}

/// Writes the files for other tools, and says what they leave out.
fn export(
    loaded: &Loaded,
    tested: &[Tested<'_>],
    arguments: &OutputArguments,
    out: &Path,
) -> Result<Vec<String>, WriteError> {
    if arguments.export.is_empty() {
        return Ok(Vec::new());
    }
    let read = |path: &PathBuf| std::fs::read_to_string(path).map_err(|error| WriteError::Io(path.clone(), error));
    let property = arguments.property.as_ref().map(read).transpose()?;
    let subject = |one| {
        let Tested { function, told, result, .. }: &Tested<'_> = one;
        let names = told.iter().map(|told| told.name.clone()).collect();
        Some(interchange::Subject { function: *function, outcome: result.as_ref().ok()?, names })
    };
    let subjects: Vec<interchange::Subject<'_>> = tested.iter().filter_map(subject).collect();
    let report = interchange::Report { program: &loaded.program, subjects: &subjects, property: property.as_deref() };
    interchange::write(&report, &arguments.export, out)?;
    let left_out = arguments.export.iter().map(|form| (form, interchange::left_out(&report, *form)));
    let note = |(form, number): (&interchange::Form, usize)| {
        format!("{}: {number} tests with earlier calls have no form there and are left out", form.name())
    };
    Ok(left_out.filter(|(_, number)| *number > 0).map(note).collect())
}
