//! Coverage as lcov's tracefile (`coverage.info`), which `genhtml` and most services read. See geninfo(1).

use super::coverage::{Coverage, FileCoverage, Fork};
use clew_session::output::MARK;
use std::fmt::Write;

/// The text of the tracefile.
pub(super) fn text(coverage: &Coverage) -> String {
    let mut out = format!("# {MARK}\nTN:\n");
    for (path, file) in &coverage.files {
        let _ = writeln!(out, "SF:{}", absolute(path));
        functions(file, &mut out);
        branches(file, &mut out);
        for (line, hits) in &file.lines {
            let _ = writeln!(out, "DA:{line},{hits}");
        }
        let lines = file.line_ratio();
        let _ = writeln!(out, "LF:{}\nLH:{}\nend_of_record", lines.all, lines.covered);
    }
    out
}

/// Readers look for the sources from wherever they are.
fn absolute(path: &str) -> String {
    std::fs::canonicalize(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

fn functions(file: &FileCoverage, out: &mut String) {
    for (line, name) in file.functions.keys() {
        let _ = writeln!(out, "FN:{line},{name}");
    }
    for ((_, name), hits) in &file.functions {
        let _ = writeln!(out, "FNDA:{hits},{name}");
    }
    let functions = file.function_ratio();
    let _ = writeln!(out, "FNF:{}\nFNH:{}", functions.all, functions.covered);
}

fn branches(file: &FileCoverage, out: &mut String) {
    for (line, forks) in &file.branches {
        for (number, fork) in forks.iter().enumerate() {
            for (way, hits) in fork.taken.iter().enumerate() {
                let _ = writeln!(out, "BRDA:{line},{number},{way},{}", taken(fork, *hits));
            }
        }
    }
    let branches = file.branch_ratio();
    let _ = writeln!(out, "BRF:{}\nBRH:{}", branches.all, branches.covered);
}

/// A dash stands for what was never evaluated.
fn taken(fork: &Fork, hits: u64) -> String {
    if fork.taken.iter().all(|hits| *hits == 0) { "-".to_owned() } else { hits.to_string() }
}
