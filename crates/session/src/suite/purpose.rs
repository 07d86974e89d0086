//! What a test is for, in the lines above it: the objectives it was made for, or else the path it takes.

use super::source;
use clew_execute::Event;
use clew_ir::Program;
use std::collections::{BTreeMap, BTreeSet};

/// The most purposes shown.
const MOST_PURPOSES: usize = 3;
/// The longest line about a path.
const LONGEST_LINE: usize = 110;

/// The lines above a test: what it is for, or else the path it takes.
pub fn lines(program: &Program, purpose: &[String], path: &[Event]) -> Vec<String> {
    if !purpose.is_empty() {
        // Both halves of a pair are for the same thing.
        let mut purposes: Vec<&String> = Vec::new();
        let decisions: BTreeSet<String> = purpose.iter().filter_map(|purpose| decision(purpose)).collect();
        for one in purpose {
            if !purposes.contains(&one) && !decisions.contains(one) {
                purposes.push(one);
            }
        }
        let mut lines: Vec<String> = purposes.iter().take(MOST_PURPOSES).map(|purpose| (*purpose).clone()).collect();
        let left = purposes.len() - lines.len();
        lines.extend((left > 0).then(|| format!("and {left} more, listed in suite.json")));
        return lines;
    }
    let mut texts: BTreeMap<&Event, String> = BTreeMap::new();
    for event in path {
        texts.entry(event).or_insert_with(|| branch(program, event));
    }
    let branches: Vec<&str> = path.iter().map(|event| texts[event].as_str()).collect();
    let mut line = String::new();
    for step in folded(&branches) {
        let separator = if line.is_empty() { "" } else { ", " };
        if line.len() + step.len() > LONGEST_LINE {
            line += separator;
            line += "...";
            break;
        }
        line = line + separator + &step;
    }
    if line.is_empty() { Vec::new() } else { vec![line] }
}

/// A branch as C has it: `x < 3`, `!(x < 3)` or `switch (x) case 2`.
fn branch(program: &Program, event: &Event) -> String {
    match *event {
        Event::Condition { function, condition, outcome } => {
            let text = source(program, program.functions[function].conditions[condition].span);
            let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            match (outcome, is_name) {
                (true, _) => text,
                (false, true) => format!("!{text}"),
                (false, false) => format!("!({text})"),
            }
        }
        Event::Switch { function, decision, arm } => {
            let text = source(program, program.functions[function].decisions[decision].span);
            let arm = clew_coverage::words::arm(program, &program.functions[function], decision, arm);
            format!("switch ({text}) {}", arm.trim_start_matches("the "))
        }
    }
}

/// What a condition says of a decision that it is the whole of.
fn decision(purpose: &str) -> Option<String> {
    let (outcome, place) = purpose.strip_prefix("takes the ")?.split_once(" side of ")?;
    Some(format!("makes the decision {place} {outcome}"))
}

/// The steps with repetitions folded: `a, b, a, b, c` is `2 times (a, b), c`.
fn folded(steps: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let (period, times) = repetition(&steps[at..]);
        match times {
            1 => out.push(steps[at].to_owned()),
            _ => out.push(format!("{times} times ({})", steps[at..at + period].join(", "))),
        }
        at += if times == 1 { 1 } else { period * times };
    }
    out
}

/// The block of steps at the beginning that repeats over the longest stretch: its length, and how often it comes.
fn repetition(steps: &[&str]) -> (usize, usize) {
    let times = |period: usize| {
        let block = &steps[..period];
        steps.chunks_exact(period).take_while(|chunk| chunk == &block).count()
    };
    let longest = (steps.len() / 2).min(8);
    let blocks = (1..=longest).map(|period| (period, times(period))).filter(|(_, times)| *times > 1);
    blocks.rev().max_by_key(|(period, times)| period * times).unwrap_or((1, 1))
}

#[cfg(test)]
mod tests {
    use super::{decision, folded};

    #[test]
    fn repetitions_are_folded() {
        let fold = |steps: &str| folded(&steps.split(' ').collect::<Vec<_>>()).join(", ");
        assert_eq!(fold("a b a b c"), "2 times (a, b), c");
        assert_eq!(fold("a a a a"), "4 times (a)");
        assert_eq!(fold("x a b c"), "x, a, b, c");
    }

    #[test]
    fn a_decision_of_one_condition_is_said_once() {
        let said = decision("takes the true side of `i < n` at line 7");
        assert_eq!(said.as_deref(), Some("makes the decision `i < n` at line 7 true"));
        assert_eq!(decision("makes the decision `i < n` at line 7 true"), None);
    }
}
