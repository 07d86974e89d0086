//! Measuring by gcov: the plain C tests, built with its instrumentation and run.
//!
//! The tests include the unmodified source, so gcov's lines are the user's. Where a test must end by a signal that
//! no `abort` raises, what its process counted is lost; gcov then shows less, never more.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Flags under which every condition and statement of the source is code of its own.
const FLAGS: [&str; 2] = ["CFLAGS=--coverage -O0 -g -w", "CXXFLAGS=--coverage -O0 -g -w"];

/// What was measured.
#[derive(Debug)]
pub struct Measured {
    /// The tool, as it names itself.
    pub tool: String,
    /// How often each line ran, by function and line.
    pub lines: BTreeMap<(String, u32), LineCount>,
}

/// How often a line ran, and each of its branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCount {
    /// Executions.
    pub count: u64,
    /// Executions of each branch.
    pub branches: Vec<u64>,
}

/// Builds and runs the tests in a directory, and asks gcov.
///
/// # Errors
/// In words, if a step is not possible.
pub fn measure(directory: &Path) -> Result<Measured, String> {
    let directory = plain(directory).ok_or("the suite has no plain C tests (`--emit plain`)")?;
    let result = build_and_run(&directory).and_then(|()| ask(&directory));
    clean(&directory);
    result
}

/// Where the plain C tests are.
pub(super) fn plain(directory: &Path) -> Option<PathBuf> {
    let has_tests = |path: &PathBuf| path.join("Makefile").exists() && !with_ending(path, &["c"]).is_empty();
    [directory.join("plain"), directory.to_owned()].into_iter().find(has_tests)
}

fn build_and_run(directory: &Path) -> Result<(), String> {
    run(directory, &["-s", "-B", FLAGS[0], FLAGS[1], "all"])?;
    // A test that fails still counts; what it claims shows in the comparison.
    let _ = run(directory, &["-s", FLAGS[0], FLAGS[1], "check"]);
    Ok(())
}

fn run(directory: &Path, args: &[&str]) -> Result<(), String> {
    let output = Command::new("make").arg("-C").arg(directory).args(args).output();
    let output = output.map_err(|error| format!("make cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("the tests cannot be built for gcov: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

pub(super) fn clean(directory: &Path) {
    let _ = run(directory, &["-s", "clean"]);
    for path in with_ending(directory, &["gcda", "gcno"]) {
        let _ = std::fs::remove_file(path);
    }
}

fn with_ending(directory: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let fits = |path: &PathBuf| path.extension().and_then(OsStr::to_str).is_some_and(|it| endings.contains(&it));
    let mut found: Vec<PathBuf> = entries.filter(fits).collect();
    found.sort_unstable();
    found
}

/// One JSON object per file that was run.
fn ask(directory: &Path) -> Result<Measured, String> {
    let mut measured = Measured { tool: String::new(), lines: BTreeMap::new() };
    for data in with_ending(directory, &["gcda"]) {
        let name = data.file_name().expect("files of a directory have names");
        let output = Command::new("gcov")
            .args(["--json-format", "--stdout", "--branch-probabilities", "--branch-counts"])
            .arg(name)
            .current_dir(directory)
            .output()
            .map_err(|error| format!("gcov cannot be run: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let report: Report = serde_json::from_str(line).map_err(|error| format!("gcov's answer: {error}"))?;
            measured.tool = format!("gcov {}", report.gcc_version);
            measured.add(report);
        }
    }
    if measured.lines.is_empty() { Err("gcov counted nothing".to_owned()) } else { Ok(measured) }
}

impl Measured {
    fn add(&mut self, report: Report) {
        for line in report.files.into_iter().flat_map(|file| file.lines) {
            let Some(function) = line.function_name else { continue };
            let branches: Vec<u64> = line.branches.iter().map(|branch| branch.count).collect();
            let known = self.lines.entry((function, line.line_number)).or_default();
            known.count += line.count;
            if known.branches.len() == branches.len() {
                known.branches.iter_mut().zip(&branches).for_each(|(known, more)| *known += more);
            } else if known.branches.is_empty() {
                known.branches = branches;
            }
        }
    }
}

/// gcov's intermediate format, as far as it is needed.
#[derive(Deserialize)]
struct Report {
    gcc_version: String,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    line_number: u32,
    function_name: Option<String>,
    count: u64,
    branches: Vec<Branch>,
}

#[derive(Deserialize)]
struct Branch {
    count: u64,
}

#[cfg(test)]
mod tests {
    use super::{LineCount, Measured, Report};
    use std::collections::BTreeMap;

    #[test]
    fn counts_of_several_programs_add_up() {
        let text = r#"{"gcc_version":"12.2.0","files":[{"file":"a.c","lines":[
            {"line_number":3,"function_name":"f","count":2,"unexecuted_block":false,
             "branches":[{"count":2,"throw":false,"fallthrough":true},{"count":0,"throw":false,"fallthrough":false}]}]}]}"#;
        let mut measured = Measured { tool: String::new(), lines: BTreeMap::new() };
        for _ in 0..2 {
            measured.add(serde_json::from_str::<Report>(text).expect("it is gcov's form"));
        }
        assert_eq!(measured.lines[&("f".to_owned(), 3)], LineCount { count: 4, branches: vec![4, 0] });
    }
}
