//! What an assessor asks for: which criterion was reached and by what definition, what became of every gap, from which
//! sources and by which tools, what each test did, and what an independent tool measures.
//!
//! Everything comes from `suite.json` but the measurement: the plain C tests are built again with gcov's instrumentation
//! of the unmodified source, run, and compared line by line with what the suite claims ([`gcov`], [`compare`]); MC/DC is measured by [`llvm`] where it is installed. The
//! headings follow DO-178C 6.4.4 (structural coverage analysis and its resolution) and ISO 26262-6, 9.4.4. Tracing tests
//! to requirements is the user's: nothing here knows requirements.

pub mod compare;
pub mod gcov;
pub mod llvm;
mod markdown;
mod source;

use clew_coverage::Criterion;
use clew_session::suite::objective::ObjectiveCase;
use clew_session::suite::{FunctionSuite, Step, Suite};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

use clew_session::hash::sha256;
pub use source::SourceState;

/// The evidence for a suite.
#[derive(Debug, Serialize)]
pub struct Evidence {
    /// What made it; the mark by which a file is known to be ours.
    pub generator: String,
    /// The suite it is about.
    pub suite: PathBuf,
    /// SHA-256 of the suite's file.
    pub suite_sha256: String,
    /// Compiler, as it names itself.
    pub compiler: String,
    /// The command that made the suite.
    pub command: Vec<String>,
    /// The sources: as they were, and whether they still are.
    pub sources: Vec<SourceState>,
    /// The functions.
    pub functions: Vec<FunctionEvidence>,
    /// What other tools measured, or why they could not.
    pub measurements: Vec<Measurement>,
}

/// The evidence for one function.
#[derive(Debug, Serialize)]
pub struct FunctionEvidence {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// The bound on loop iterations.
    pub k: Option<u32>,
    /// Why the exploration stopped.
    pub stop: String,
    /// What was asked for.
    pub criteria: Vec<CriterionEvidence>,
    /// Objectives that are not covered.
    pub gaps: Vec<Gap>,
    /// The tests with what each did and covers.
    pub tests: Vec<TestEvidence>,
    /// Inputs for which the program is undefined.
    pub findings: Vec<String>,
}

/// How far a criterion is reached.
#[derive(Debug, Serialize)]
pub struct CriterionEvidence {
    /// Its name.
    pub name: String,
    /// Its definition in a few words; `docs/criteria.md` has the whole.
    pub definition: &'static str,
    /// Its flavour, where there are several.
    pub flavour: Option<&'static str>,
    /// All objectives.
    pub objectives: usize,
    /// Covered ones.
    pub covered: usize,
    /// Infeasible ones.
    pub infeasible: usize,
    /// Undecided ones.
    pub unknown: usize,
}

/// An objective that is not covered.
#[derive(Debug, Serialize)]
pub struct Gap {
    /// The criterion that asks for it.
    pub criterion: String,
    /// The function it is about.
    pub function: String,
    /// Its line.
    pub line: u32,
    /// What it asks for.
    pub what: String,
    /// `infeasible` or `unknown`.
    pub verdict: String,
    /// The proof or the reason, and what is to be done.
    pub disposition: String,
}

/// One test.
#[derive(Debug, Serialize)]
pub struct TestEvidence {
    /// Its number.
    pub id: usize,
    /// What it is given.
    pub inputs: String,
    /// The branches it takes: line and outcome.
    pub path: String,
    /// How it ended, and with what result.
    pub observed: String,
    /// How many objectives it covers.
    pub covers: usize,
    /// What it was made for.
    pub purpose: Vec<String>,
    /// How the execution differs from the prediction.
    pub divergence: Option<String>,
}

/// An independent measurement.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measurement {
    /// What was measured, line by line.
    Measured {
        /// The tool, as it names itself.
        tool: String,
        /// The lines.
        lines: Vec<compare::LineCase>,
    },
    /// Why nothing was.
    NotMeasured {
        /// The tool.
        tool: String,
        /// What stood in the way.
        why: String,
    },
}

/// Why there is no evidence.
#[derive(Debug)]
pub enum Error {
    /// There is no suite to read.
    Io(PathBuf, std::io::Error),
    /// The suite is not what this version writes.
    Form(PathBuf, serde_json::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(path, _) if path.with_file_name("project.json").exists() => {
                let directory = path.parent().unwrap_or(path).display();
                write!(f, "{directory} holds a project; name the directory of one of its functions")
            }
            Error::Io(path, error) => write!(f, "cannot read {}: {error}; run `clew test` first", path.display()),
            Error::Form(path, error) => write!(f, "{} is not a suite of this version: {error}", path.display()),
        }
    }
}

impl std::error::Error for Error {}

/// Collects the evidence for the suite in a directory.
///
/// # Errors
/// If there is no suite, or it cannot be read.
pub fn collect(directory: &Path, measure: bool) -> Result<Evidence, Error> {
    let path = directory.join("suite.json");
    let text = std::fs::read_to_string(&path).map_err(|error| Error::Io(path.clone(), error))?;
    let suite: Suite = serde_json::from_str(&text).map_err(|error| Error::Form(path.clone(), error))?;
    let measurements = if measure { measured(directory, &suite) } else { Vec::new() };
    let made = suite.made.clone().unwrap_or_default();
    Ok(Evidence {
        generator: format!("{} {}", clew_session::output::MARK, env!("CARGO_PKG_VERSION")),
        suite: path,
        suite_sha256: sha256(text.as_bytes()),
        compiler: source::version(&made.compiler),
        command: made.command.clone(),
        sources: made.sources.iter().map(SourceState::of).collect(),
        functions: suite.functions.iter().map(function).collect(),
        measurements,
    })
}

/// Branches and lines by gcov; MC/DC by llvm-cov where it is asked for.
fn measured(directory: &Path, suite: &Suite) -> Vec<Measurement> {
    let not_measured = |tool: &str, why: String| Measurement::NotMeasured { tool: tool.to_owned(), why };
    let by_gcov = gcov::measure(directory).map(|measured| {
        let lines = compare::lines(suite, &measured);
        Measurement::Measured { tool: measured.tool, lines }
    });
    let mut all = vec![by_gcov.unwrap_or_else(|why| not_measured("gcov", why))];
    let asks = |objective: &ObjectiveCase| objective.criterion == Criterion::McdcUnique.name();
    if suite.functions.iter().flat_map(|function| &function.objectives).any(asks) {
        let by_llvm = llvm::measure(directory).map(|measured| {
            let lines = compare::decisions(suite, &measured);
            Measurement::Measured { tool: measured.tool, lines }
        });
        all.push(by_llvm.unwrap_or_else(|why| not_measured("llvm-cov", why)));
    }
    all
}

impl Evidence {
    /// The text of `evidence.json`; the mark stands in its first line.
    pub fn json(&self) -> String {
        let pretty = serde_json::to_string_pretty(self).expect("evidence is made of strings, numbers and lists");
        pretty.replacen("{\n  \"generator\"", "{ \"generator\"", 1) + "\n"
    }

    /// The text of `evidence.md`.
    pub fn markdown(&self) -> String {
        markdown::text(self)
    }

    /// The lines on which the independent tool contradicts the suite.
    pub fn disagreements(&self) -> impl Iterator<Item = &compare::LineCase> {
        let lines = self.measurements.iter().flat_map(|measurement| match measurement {
            Measurement::Measured { lines, .. } => lines.as_slice(),
            Measurement::NotMeasured { .. } => &[],
        });
        lines.filter(|line| line.agreement == compare::Agreement::Contradicts)
    }
}

fn function(suite: &FunctionSuite) -> FunctionEvidence {
    let uncovered = suite.objectives.iter().filter(|objective| objective.verdict != "covered");
    FunctionEvidence {
        name: suite.name.clone(),
        file: suite.file.clone(),
        line: suite.line,
        k: suite.k,
        stop: suite.stop.clone(),
        criteria: criteria(&suite.objectives),
        gaps: uncovered.map(gap).collect(),
        tests: tests(suite),
        findings: suite.findings.iter().map(|it| format!("line {}: {} (`{}`)", it.line, it.what, it.text)).collect(),
    }
}

fn criteria(objectives: &[ObjectiveCase]) -> Vec<CriterionEvidence> {
    let count = |criterion: Criterion| {
        let own = || objectives.iter().filter(move |it| it.criterion == criterion.name());
        let with = |verdict: &str| own().filter(|it| it.verdict == verdict).count();
        CriterionEvidence {
            name: criterion.name().to_owned(),
            definition: criterion.meaning(),
            flavour: match criterion {
                Criterion::McdcUnique => Some("unique cause, short-circuiting respected"),
                Criterion::McdcMasking => Some("masking"),
                _ => None,
            },
            objectives: own().count(),
            covered: with("covered"),
            infeasible: with("infeasible"),
            unknown: with("unknown"),
        }
    };
    Criterion::all().map(count).filter(|count| count.objectives > 0).collect()
}

fn gap(objective: &ObjectiveCase) -> Gap {
    let because = objective.explanation().unwrap_or_default();
    let disposition = match objective.verdict.as_str() {
        "infeasible" if objective.kind == "failure" => format!("no input makes it undefined: {because}"),
        "infeasible" => {
            format!("no input does it: {because}. Extraneous, defensive or deactivated code: justify or remove it")
        }
        _ => format!("open: {because}. To be covered by a further test or resolved by analysis"),
    };
    Gap {
        criterion: objective.criterion.clone(),
        function: objective.function.clone(),
        line: objective.line,
        what: objective.what.clone(),
        verdict: objective.verdict.clone(),
        disposition,
    }
}

fn tests(suite: &FunctionSuite) -> Vec<TestEvidence> {
    let mut covers = vec![0; suite.tests.len() + suite.findings.len()];
    for test in suite.objectives.iter().flat_map(|objective| &objective.tests) {
        covers.get_mut((*test as usize).saturating_sub(1)).into_iter().for_each(|count| *count += 1);
    }
    let step = |(branch, outcome): &Step| {
        let line = suite.branches.get(*branch as usize).map_or(0, |branch| branch.line);
        format!("{line}:{outcome}")
    };
    let inputs = |values: &[clew_session::suite::value::Typed]| {
        values.iter().map(|value| format!("{} = {}", value.name, value.value)).collect::<Vec<_>>().join(", ")
    };
    let tests = suite.tests.iter().zip(covers).map(|(test, covers)| TestEvidence {
        id: test.id,
        inputs: inputs(&test.inputs),
        path: test.path.iter().map(step).collect::<Vec<_>>().join(" "),
        observed: test
            .result
            .as_ref()
            .map_or_else(|| test.ending.clone(), |result| format!("{}: {result}", test.ending)),
        covers,
        purpose: test.purpose.clone(),
        divergence: test.divergence.clone(),
    });
    tests.collect()
}
