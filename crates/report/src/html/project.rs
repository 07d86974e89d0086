//! The page over all functions of a project: totals, findings, and a table that leads to each function's own page.
//!
//! Like those, it is one file that needs nothing else: the data as JSON, and a script that draws, sorts and filters. It
//! holds no times, so that the same results give the same bytes; but where workers of a queue tested the functions, what
//! each of them did.

use clew_session::output::MARK;
use clew_session::project::remote;
use serde::Serialize;
use std::io::{self, Write};

const STYLE: &str = concat!(include_str!("page/style.css"), include_str!("page/project.css"));
const BODY: &str = include_str!("page/project.html");
const SCRIPT: &str = include_str!("page/project.js");

/// What came of a project.
#[derive(Debug, Serialize)]
pub struct Project<'a> {
    /// The version of clew.
    pub version: &'static str,
    /// The functions.
    pub functions: Vec<Row<'a>>,
    /// Findings, the gravest first.
    pub findings: Vec<Finding<'a>>,
    /// What the workers of a queue did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crew: Option<Crew<'a>>,
}

/// The workers of a queue, and what kept them.
#[derive(Debug, Serialize)]
pub struct Crew<'a> {
    /// What each of them did, and what was done again.
    #[serde(flatten)]
    pub crew: &'a remote::Crew,
    /// The functions that took longest, with their seconds.
    pub slowest: Vec<(&'a str, f64)>,
}

/// One function.
#[derive(Debug, Serialize)]
pub struct Row<'a> {
    /// Its name.
    pub name: &'a str,
    /// What tells it from others of the same name and file, in joined results.
    pub variant: Option<&'a str>,
    /// Its file.
    pub file: &'a str,
    /// Its line.
    pub line: u32,
    /// Where its page is, from this one; `None` if it has no tests.
    pub link: Option<String>,
    /// Statements of its body.
    pub statements: u64,
    /// Tests.
    pub tests: usize,
    /// Tests that went another way than predicted.
    pub diverged: usize,
    /// Failing checks.
    pub findings: usize,
    /// Objectives that are covered, infeasible and unknown.
    pub objectives: [u64; 3],
    /// Why exploration stopped.
    pub stop: &'a str,
    /// Why there are no tests, or not all.
    pub reason: Option<&'a str>,
}

/// One finding.
#[derive(Debug, Serialize)]
pub struct Finding<'a> {
    /// What happens.
    pub what: &'a str,
    /// The file.
    pub file: &'a str,
    /// The line.
    pub line: u32,
    /// The expression.
    pub text: &'a str,
    /// The function tested, and the input that makes it happen.
    pub input: String,
    /// Whether native execution showed it.
    pub confirmed: bool,
}

/// Writes the page, piece by piece: a project may have very many functions. The mark stands in its first line.
///
/// # Errors
/// When it cannot be written.
pub fn write(project: &Project<'_>, out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "<!doctype html><!-- {MARK} {version} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>clew: {functions} functions</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}\
         <script type=\"application/json\" id=\"data\">",
        version = project.version,
        functions = project.functions.len(),
    )?;
    serde_json::to_writer(Inside(out), project)?;
    write!(out, "</script>\n<script>\n\"use strict\";\n{SCRIPT}</script>\n</body>\n</html>\n")
}

/// Writes JSON inside a script element: nothing in it may end the element or begin a comment.
struct Inside<'o>(&'o mut dyn Write);

impl Write for Inside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (number, piece) in bytes.split(|byte| *byte == b'<').enumerate() {
            if number > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(piece)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
