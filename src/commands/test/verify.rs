//! The test code that was written is built and run, and what came of it is said.

use crate::cli::OutputArguments;
use crate::terminal::{Paint, Terminal};
use clew_emit::verify::{self, Verified, Written};

/// Warnings shown of a framework.
const MOST_WARNINGS: usize = 3;

/// Builds and runs test code, unless that is not wanted; gives whether it passes as far as that can be told.
pub(super) fn run(code: &[Written], arguments: &OutputArguments, jobs: usize, terminal: Terminal) -> bool {
    if arguments.no_verify {
        return true;
    }
    let mut is_green = true;
    for written in code.iter().filter(|written| !written.programs.is_empty()) {
        terminal.progress(&format!("building and running the tests for {}", written.framework.name()));
        let verified = verify::verify(written, jobs);
        terminal.progress("");
        say(&verified, terminal);
        is_green &= verified.failures.is_empty();
    }
    is_green
}

fn say(verified: &Verified, terminal: Terminal) {
    let mark = match (&verified.missing, verified.failures.is_empty() && verified.warnings.is_empty()) {
        (_, false) => terminal.paint(Paint::Red, "✗"),
        (Some(_), _) => terminal.paint(Paint::Yellow, "?"),
        (None, _) => terminal.paint(Paint::Green, "✓"),
    };
    terminal.say(&format!("{mark} {}", verified.words()));
    for failure in &verified.failures {
        let what = format!(
            "{} {}, which is a mistake in clew, or in what the tests depend on:",
            failure.program, failure.what
        );
        terminal.say(&terminal.paint(Paint::Red, &format!("  {what}")));
        failure.log.lines().for_each(|line| terminal.say(&format!("    {line}")));
    }
    let warnings = verified.warnings.iter().take(MOST_WARNINGS);
    warnings.for_each(|warning| terminal.say(&terminal.paint(Paint::Yellow, &format!("  {warning}"))));
}

/// The same in a process that tests functions for another; gives what is wrong.
pub(super) fn of_worker(code: &[Written], arguments: &OutputArguments) -> Option<String> {
    let words: Vec<String> = failures(code, arguments).into_iter().map(|(_, what)| what).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The programs that do not pass, with what is wrong with them.
pub(super) fn failures(code: &[Written], arguments: &OutputArguments) -> Vec<(String, String)> {
    if arguments.no_verify {
        return Vec::new();
    }
    let failures = code.iter().flat_map(|written| verify::verify(written, 1).failures);
    let words = failures.map(|failure| {
        let log = failure.log.lines().take(4).collect::<Vec<_>>().join("; ");
        (failure.program.clone(), format!("{} {}: {log}", failure.program, failure.what))
    });
    words.collect()
}
