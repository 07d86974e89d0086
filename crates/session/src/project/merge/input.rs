//! What is joined: directories that `clew test` wrote, of projects or of single suites.

use crate::finding::Kind;
use crate::output::{MARK, WriteError};
use crate::project::journal;
use crate::project::record::{Finding, Record};
use crate::project::run::place;
use crate::project::shard::Told;
use crate::suite::objective::ObjectiveCase;
use crate::suite::{FindingCase, FunctionSuite, Suite, TestCase};
use crate::{hash, output};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A directory to join.
#[derive(Clone, Debug)]
pub struct Input {
    /// The directory, as it was named.
    pub name: String,
    /// Records, each with the directory of its suite.
    pub records: Vec<(Record, PathBuf)>,
    /// Which part of a project it is.
    pub shard: Option<Told>,
    /// Whether it is one suite and not a project.
    pub is_suite: bool,
}

/// What is read of `project.json`: which functions belong to the run, and its part.
#[derive(Deserialize)]
struct Project {
    functions: Vec<Named>,
    #[serde(default)]
    shard: Option<Told>,
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    file: String,
    #[serde(default)]
    name: String,
}

/// Reads a directory that `clew test` or `clew merge` wrote.
///
/// # Errors
/// When it holds neither a project nor a suite of ours.
pub fn read(directory: &Path) -> Result<Input, String> {
    let told = |error: WriteError| match error {
        WriteError::Io(path, error) => format!("cannot read {}: {error}", path.display()),
        WriteError::NotOurs(path) => format!("{} was not written by clew", path.display()),
    };
    let name = directory.display().to_string();
    if directory.join(journal::FILE).exists() {
        let records = journal::read(directory).map_err(told)?;
        let project = std::fs::read(directory.join("project.json")).ok();
        let project: Option<Project> = project.and_then(|text| serde_json::from_slice(&text).ok());
        // A run that was killed has records that its summary does not know.
        let project = project.filter(|_| is_finished(directory));
        return Ok(of_project(name, directory, records, project));
    }
    let path = directory.join("suite.json");
    let text = std::fs::read_to_string(&path).map_err(|_| format!("{name} holds neither a project nor a suite"))?;
    if !text.lines().next().unwrap_or_default().contains(MARK) {
        return Err(told(WriteError::NotOurs(path)));
    }
    let suite: Suite =
        serde_json::from_str(&text).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(of_suite(name, directory, &suite))
}

/// Whether the summary of a project was written after its journal.
fn is_finished(directory: &Path) -> bool {
    let modified = |name| std::fs::metadata(directory.join(name)).and_then(|data| data.modified()).ok();
    modified("project.json") >= modified(journal::FILE)
}

/// What the last run left out belongs to functions that are gone.
fn of_project(name: String, directory: &Path, mut records: Vec<Record>, project: Option<Project>) -> Input {
    let (functions, shard) = project.map_or((None, None), |project| (Some(project.functions), project.shard));
    if let Some(functions) = functions {
        let current: BTreeSet<Named> = functions.into_iter().collect();
        let named = |record: &Record| Named { file: record.file.clone(), name: record.function.clone() };
        records.retain(|record| current.contains(&named(record)));
    }
    let files: Vec<PathBuf> = records.iter().map(|record| PathBuf::from(&record.file)).collect();
    for record in records.iter_mut().filter(|record| record.directory.is_empty() && !record.function.is_empty()) {
        record.directory = place(record.file.as_ref(), &files).join(&record.function).display().to_string();
    }
    let records = records.into_iter().map(|record| {
        let origin = directory.join(&record.directory);
        (record, origin)
    });
    Input { name, records: records.collect(), shard, is_suite: false }
}

/// A suite has no keys of its own: functions are the same where all that it was made from is.
fn of_suite(name: String, directory: &Path, suite: &Suite) -> Input {
    let made = serde_json::to_string(&suite.made).expect("it is made of strings");
    let folder = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let folder = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let record = |function: &FunctionSuite| {
        let key = hash::sha256(format!("{}{}{made}", suite.generator, function.source_hash).as_bytes());
        let record =
            Record { directory: folder.clone(), source: source(directory, function), ..record(function, &key[..32]) };
        (record, directory.to_owned())
    };
    Input { name, records: suite.functions.iter().map(record).collect(), shard: None, is_suite: true }
}

fn source(directory: &Path, function: &FunctionSuite) -> String {
    std::fs::canonicalize(&function.file).map_or_else(|_| String::new(), |file| output::named_from(directory, &file))
}

/// The record that a project would have of a function's suite.
fn record(function: &FunctionSuite, key: &str) -> Record {
    let diverged = function.tests.iter().filter(|test| test.divergence.is_some()).count();
    let usable = function.tests.iter().filter(|test| is_usable(test)).count();
    let summary = serde_json::json!({
        "name": function.name,
        "tests": function.tests.len(),
        "refuted_prefixes": function.refuted_prefixes,
        "open_prefixes": function.open_prefixes,
        "diverged": diverged,
        "findings": function.findings.len(),
        "stop": function.stop,
        "criteria": criteria(&function.objectives),
    });
    Record {
        line: function.line,
        tests: function.tests.len(),
        usable,
        diverged,
        stop: function.stop.clone(),
        reason: None,
        findings: findings(function),
        summary: summary.into(),
        ..Record::failed(&function.file, &function.name, key, String::new())
    }
}

/// Whether a test ran as predicted to an end that C defines, as far as the suite tells.
fn is_usable(test: &TestCase) -> bool {
    test.divergence.is_none() && (test.ending == "returned" || test.ending.starts_with("exited"))
}

fn criteria(objectives: &[ObjectiveCase]) -> Vec<serde_json::Value> {
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for objective in objectives {
        let count = counts.entry(&objective.criterion).or_default();
        count[["covered", "infeasible"].iter().position(|name| *name == objective.verdict).unwrap_or(2)] += 1;
    }
    let count = |(criterion, [covered, infeasible, unknown]): (&str, [usize; 3])| {
        let objectives = covered + infeasible + unknown;
        serde_json::json!({ "criterion": criterion, "objectives": objectives, "covered": covered, "infeasible": infeasible, "unknown": unknown })
    };
    counts.into_iter().map(count).collect()
}

/// The findings of a suite, one for each cause.
fn findings(function: &FunctionSuite) -> Vec<Finding> {
    let mut causes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found: Vec<Finding> = Vec::new();
    for case in &function.findings {
        match case.cause.and_then(|cause| causes.get(&cause)) {
            Some(&first) => found[first].also.push(case.line),
            None => {
                causes.extend(case.cause.map(|cause| (cause, found.len())));
                found.push(finding(function, case));
            }
        }
    }
    for finding in &mut found {
        finding.also.sort_unstable();
        finding.also.dedup();
    }
    found
}

fn finding(function: &FunctionSuite, case: &FindingCase) -> Finding {
    let mut input = String::new();
    for given in &case.inputs {
        let comma = if input.is_empty() { "" } else { ", " };
        let _ = write!(input, "{comma}{} = {}", given.name, given.value);
    }
    Finding {
        what: case.what.clone(),
        file: function.file.clone(),
        line: case.line,
        column: 0,
        text: case.text.clone(),
        input,
        native: case.native.clone(),
        kind: case.kind.unwrap_or(Kind::Other),
        confirmed: case.confirmed,
        requires: case.requires.clone(),
        also: Vec::new(),
    }
}
