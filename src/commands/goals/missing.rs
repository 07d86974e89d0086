//! What contracts do not say of pointers, where that is why a property is violated.
//!
//! Accesses behind parameters that may be null are told in one line for the whole function.

use super::{Pursued, Words};
use crate::terminal::{Paint, Terminal};
use clew_ir::{FunctionId, Program};
use clew_prove::Verdict;
use clew_session::goals::Answered;
use clew_session::infer::missing::{separation, validity};
use clew_session::suite;
use std::collections::BTreeSet;

/// The clause that is missing.
pub(super) fn clause(program: &Program, function: FunctionId, answer: &Answered) -> Option<String> {
    let Verdict::Reached(explored) = &answer.verdict else { return None };
    of_validity(program, function, answer).or_else(|| separation(program, function, &explored.input))
}

fn of_validity(program: &Program, function: FunctionId, answer: &Answered) -> Option<String> {
    let Verdict::Reached(explored) = &answer.verdict else { return None };
    let is_access = answer.asked.id.starts_with("access");
    validity(program, function, &answer.asked.text, &explored.input).filter(|_| is_access)
}

/// The accesses behind parameters that may be null, where there are several, and the other goals.
pub(super) fn split<'a>(program: &Program, one: &'a Pursued, words: Words) -> (Vec<&'a Answered>, Vec<&'a Answered>) {
    let is_invalid = |answer: &&Answered| words.is_violation && of_validity(program, one.function, answer).is_some();
    let (invalid, others): (Vec<_>, Vec<_>) = one.answers.iter().partition(is_invalid);
    if invalid.len() > 1 { (invalid, others) } else { (Vec::new(), one.answers.iter().collect()) }
}

/// Tells all accesses behind parameters that may be null in one line.
pub(super) fn tell(program: &Program, function: FunctionId, invalid: &[&Answered], terminal: Terminal) {
    if invalid.is_empty() {
        return;
    }
    let clauses: BTreeSet<String> =
        invalid.iter().filter_map(|answer| of_validity(program, function, answer)).collect();
    let lines: BTreeSet<u32> = invalid.iter().map(|answer| suite::line(program, answer.asked.span)).collect();
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let clauses: Vec<String> = clauses.into_iter().collect();
    terminal.say(&format!(
        "{} {}  {} accesses behind pointers that may be null, on {} {}  {}",
        terminal.paint(Paint::Red, "✗"),
        terminal.paint(Paint::Bold, "access"),
        invalid.len(),
        if lines.len() == 1 { "line" } else { "lines" },
        lines.join(", "),
        terminal.paint(Paint::Red, "violated"),
    ));
    let clauses = clauses.join(" && ");
    let hint = format!("    missing: requires {clauses};  (try it: --requires '{clauses}')");
    terminal.say(&terminal.paint(Paint::Dim, &hint));
}
