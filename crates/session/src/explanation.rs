//! Paths, and why there are none, in words.

use crate::suite;
use clew_execute::Event;
use clew_ir::Program;
use clew_search::refuted::Reason;

/// A path, one line per branch.
pub fn steps(program: &Program, path: &[Event]) -> Vec<String> {
    path.iter().map(|event| step(program, event)).collect()
}

fn step(program: &Program, event: &Event) -> String {
    match *event {
        Event::Condition { function, condition, outcome } => {
            let span = program.functions[function].conditions[condition].span;
            format!("line {}: {} is {outcome}", suite::line(program, span), suite::source(program, span))
        }
        Event::Switch { function, decision, arm } => {
            let span = program.functions[function].decisions[decision].span;
            format!("line {}: switch ({}) takes arm {arm}", suite::line(program, span), suite::source(program, span))
        }
    }
}

/// Part of a contradiction.
pub fn because(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Branch(event) => step(program, event),
        Reason::Clause(span) => {
            let place = suite::line(program, *span);
            format!("line {place}: the precondition {}", suite::source(program, *span))
        }
        Reason::Assumed => "objects have their extent, and the program is defined".to_owned(),
    }
}
