//! What other tools read: coverage, findings, results and test inputs in their formats.
//!
//! A [`Report`] is what was tested; [`files`] makes the files of one [`Form`] of it. Like everything written, they carry
//! the mark of clew in their beginning, and they depend on nothing but the program and its tests.

mod cobertura;
mod coverage;
mod junit;
mod ktest;
mod lcov;
mod sarif;
mod testcomp;
mod walk;
pub(crate) mod xml;
mod zip;

use clew_ir::{FunctionId, Program};
use clew_session::output::{self, WriteError};
use clew_session::{Outcome, Replayed};
use std::path::Path;

/// A format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Test-Comp: `test-suite/metadata.xml` and an XML file per test.
    Testcomp,
    /// Test-Comp: the same as `test-suite.zip`.
    TestcompZip,
    /// KLEE: `ktest/test000001.ktest` and so on.
    Ktest,
    /// JUnit: `junit.xml`, how each test went.
    Junit,
    /// lcov: `coverage.info`, what the tests cover.
    Lcov,
    /// Cobertura: `cobertura.xml`, what the tests cover.
    Cobertura,
    /// SARIF 2.1.0: `findings.sarif`.
    Sarif,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 7] =
        [Form::Testcomp, Form::TestcompZip, Form::Ktest, Form::Junit, Form::Lcov, Form::Cobertura, Form::Sarif];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Form::Testcomp => "testcomp",
            Form::TestcompZip => "testcomp-zip",
            Form::Ktest => "ktest",
            Form::Junit => "junit",
            Form::Lcov => "lcov",
            Form::Cobertura => "cobertura",
            Form::Sarif => "sarif",
        }
    }

    /// What it is, for people who look for its name.
    pub fn description(self) -> &'static str {
        match self {
            Form::Testcomp => "Test-Comp: `test-suite/metadata.xml` and an XML file per test",
            Form::TestcompZip => "Test-Comp: the same as `test-suite.zip`",
            Form::Ktest => "KLEE: `ktest/test000001.ktest` and so on",
            Form::Junit => "JUnit: `junit.xml`, how each test went",
            Form::Lcov => "lcov: `coverage.info`, what the tests cover",
            Form::Cobertura => "Cobertura: `cobertura.xml`, what the tests cover",
            Form::Sarif => "SARIF 2.1.0: `findings.sarif`",
        }
    }
}

/// Writes the files of some formats below a directory.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub fn write(report: &Report<'_>, forms: &[Form], out: &Path) -> Result<(), WriteError> {
    for file in forms.iter().flat_map(|form| files(report, *form)) {
        let path = out.join(file.path);
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory).map_err(|error| WriteError::Io(directory.to_owned(), error))?;
        }
        output::write(&path, file.content)?;
    }
    Ok(())
}

/// What was tested.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The program.
    pub program: &'a Program,
    /// The functions, in order.
    pub subjects: &'a [Subject<'a>],
    /// The property the tests were made for, in the words of Test-Comp.
    pub property: Option<&'a str>,
}

/// A function that was tested.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The function.
    pub function: FunctionId,
    /// What came of it.
    pub outcome: &'a Outcome<'a>,
    /// The names of its tests.
    pub names: Vec<String>,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Where it goes, in the directory of the suite.
    pub path: String,
    /// What it holds.
    pub content: Vec<u8>,
}

impl File {
    fn text(path: impl Into<String>, text: String) -> File {
        File { path: path.into(), content: text.into_bytes() }
    }
}

/// The files of a form.
pub fn files(report: &Report<'_>, form: Form) -> Vec<File> {
    match form {
        Form::Testcomp => testcomp::files(report, "test-suite/"),
        Form::TestcompZip => {
            vec![File { path: "test-suite.zip".to_owned(), content: zip::archive(&testcomp::files(report, "")) }]
        }
        Form::Ktest => ktest::files(report),
        Form::Junit => vec![File::text("junit.xml", junit::text(report))],
        Form::Lcov => vec![File::text("coverage.info", lcov::text(&coverage::measure(report)))],
        Form::Cobertura => vec![File::text("cobertura.xml", cobertura::text(&coverage::measure(report)))],
        Form::Sarif => vec![File::text("findings.sarif", sarif::text(report))],
    }
}

/// The tests of a function that formats for the input of one call can express: those without earlier calls.
fn expressible<'a>(subject: &Subject<'a>) -> impl Iterator<Item = &'a Replayed> {
    subject.outcome.tests.iter().filter(|test| test.explored.input.earlier.is_empty())
}

/// How many tests a form leaves out because it cannot express them.
pub fn left_out(report: &Report<'_>, form: Form) -> usize {
    let is_whole = !matches!(form, Form::Testcomp | Form::TestcompZip | Form::Ktest);
    let subjects = report.subjects.iter().filter(|_| !is_whole);
    subjects.map(|subject| subject.outcome.tests.len() - expressible(subject).count()).sum()
}

/// Name and version, as other tools are told.
fn producer() -> String {
    format!("clew {}", env!("CARGO_PKG_VERSION"))
}

/// The file a function stands in.
fn file_of(program: &Program, function: FunctionId) -> String {
    program.sources.locate(program.functions[function].span).map_or_else(String::new, |place| place.file)
}

/// The beginning of a document in XML.
pub(crate) fn xml_head() -> String {
    xml::head()
}

/// The mark of generated files as a comment of XML.
fn xml_mark() -> String {
    format!("<!-- {} -->", clew_session::output::MARK)
}
