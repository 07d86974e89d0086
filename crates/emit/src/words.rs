//! What a test does, in words: for its name and for the line above it.

use super::expectation::expectation;
use super::{Suite, Test, identifier, literal};
use clew_execute::Event;
use clew_ir::{CType, Program, TerminatorKind};
use clew_session::suite::source;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The longest name of a test, without its number.
const LONGEST_NAME: usize = 48;
/// The most purposes shown.
const MOST_PURPOSES: usize = 3;
/// The longest line about a path.
const LONGEST_LINE: usize = 110;

/// The name of a test: its number, how it ends, and the branch it is for.
pub(super) fn name(suite: &Suite<'_>, number: usize, test: &Test) -> String {
    let outcome = expectation(test).verb().or_else(|| returned(suite, test));
    let branch = telling(suite.program, test).map(|event| spoken(&condensed(suite.program, event)));
    let words = match (outcome, branch) {
        (Some(outcome), Some(branch)) => format!("{outcome} if {branch}"),
        (None, Some(branch)) => format!("if {branch}"),
        (outcome, None) => outcome.unwrap_or_default(),
    };
    let words = identifier(&words).to_lowercase();
    let mut short: String = words.chars().take(LONGEST_NAME).collect();
    if short.len() < words.len() {
        // A name that is cut ends with a whole word.
        short.truncate(short.rfind('_').unwrap_or(short.len()));
    }
    format!("test_{number}_{short}").trim_end_matches('_').to_owned()
}

/// The branch that says most about a test: the last one that its purposes quote, one that leaves no loop before others;
/// or else the last one.
fn telling<'t>(program: &Program, test: &'t Test) -> Option<&'t Event> {
    let path = || test.observation.path.iter().rev();
    if test.purpose.is_empty() {
        return path().next();
    }
    let is_quoted = |event: &Event| {
        let text = condition(program, event).map(|text| format!("`{text}`"));
        text.is_some_and(|text| test.purpose.iter().any(|purpose| purpose.contains(&text)))
    };
    let inside = path().find(|event| is_quoted(event) && !leaves_loop(program, event));
    inside.or_else(|| path().find(|event| is_quoted(event))).or_else(|| path().next())
}

/// The source of a condition.
fn condition(program: &Program, event: &Event) -> Option<String> {
    match *event {
        Event::Condition { function, condition, .. } => {
            Some(source(program, program.functions[function].conditions[condition].span))
        }
        Event::Switch { .. } => None,
    }
}

/// Whether a branch leads straight out of a loop.
fn leaves_loop(program: &Program, event: &Event) -> bool {
    let Event::Condition { function, condition: own, outcome } = *event else { return false };
    let body = &program.functions[function];
    let to = body.blocks.values().find_map(|block| match block.terminator.kind {
        TerminatorKind::Branch { condition: Some(condition), then, otherwise, .. } if condition == own => {
            Some(if outcome { then } else { otherwise })
        }
        _ => None,
    });
    to.is_some_and(|to| body.loops.values().any(|item| item.exit == to))
}

/// What a name says of a branch: as [`branch`], but `x == 2` for a case.
fn condensed(program: &Program, event: &Event) -> String {
    let Event::Switch { function, decision, arm } = *event else { return branch(program, event) };
    let text = source(program, program.functions[function].decisions[decision].span);
    let arm = clew_coverage::words::arm(program, &program.functions[function], decision, arm);
    match arm.strip_prefix("case ") {
        Some(value) => format!("{text} == {value}"),
        None => format!("{text} is {}", arm.trim_start_matches("the ")),
    }
}

/// `returns 3`, of a small integer, a letter, a truth value or the name of one.
fn returned(suite: &Suite<'_>, test: &Test) -> Option<String> {
    let ctypes = &suite.program.ctypes;
    let CType::Function { returns, .. } = ctypes.get(suite.program.functions[suite.function].ty) else { return None };
    let bytes = &test.observation.result;
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    let value = literal::integer(bytes);
    let value = match ctypes.is_signed(*returns) {
        true => literal::sign_extend(bytes.len() as u8 * 8, value),
        false => value as i128,
    };
    match ctypes.get(*returns) {
        CType::Int { name: "char", .. } => {
            let letter = u8::try_from(value).ok().filter(u8::is_ascii_graphic);
            if let Some(letter) = letter {
                return letter.is_ascii_alphanumeric().then(|| format!("returns {}", char::from(letter)));
            }
        }
        CType::Enum { enumerators, .. } => {
            let named = enumerators.iter().find(|(_, number)| *number == value);
            return named.map(|(name, _)| format!("returns {name}"));
        }
        CType::Bool => return Some(format!("returns {}", value != 0)),
        CType::Int { .. } => {}
        _ => return None,
    }
    let minus = if value < 0 { "minus " } else { "" };
    (value.abs() <= 9999).then(|| format!("returns {minus}{}", value.abs()))
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

/// Operators as words, longest first.
const OPERATORS: [(&str, &str); 14] = [
    ("<=", "le"),
    (">=", "ge"),
    ("==", "eq"),
    ("!=", "ne"),
    ("->", " "),
    ("<<", "shl"),
    (">>", "shr"),
    ("<", "lt"),
    (">", "gt"),
    ("!", "not"),
    ("%", "mod"),
    ("+", "plus"),
    ("/", "by"),
    ("-", "minus"),
];

/// Characters that have a name.
const CHARACTERS: [(&str, &str); 6] =
    [("'\\t'", "tab"), ("' '", "space"), ("'\\0'", "nul"), ("'\\n'", "newline"), ("'\\r'", "return"), ("'.'", "dot")];

fn spoken(text: &str) -> String {
    CHARACTERS.iter().chain(&OPERATORS).fold(text.to_owned(), |text, (sign, word)| match text.contains(sign) {
        true => text.replace(sign, &format!(" {word} ")),
        false => text,
    })
}

/// The lines above a test: what it is for, or else the path it takes.
pub(super) fn purpose(program: &Program, test: &Test) -> Vec<String> {
    if !test.purpose.is_empty() {
        // Both halves of a pair are for the same thing.
        let mut purposes: Vec<&String> = Vec::new();
        let decisions: BTreeSet<String> = test.purpose.iter().filter_map(|purpose| decision(purpose)).collect();
        for purpose in &test.purpose {
            if !purposes.contains(&purpose) && !decisions.contains(purpose) {
                purposes.push(purpose);
            }
        }
        let mut lines: Vec<String> = purposes.iter().take(MOST_PURPOSES).map(|purpose| (*purpose).clone()).collect();
        let left = purposes.len() - lines.len();
        lines.extend((left > 0).then(|| format!("and {left} more, listed in suite.json")));
        return lines;
    }
    let mut texts: FxHashMap<&Event, String> = FxHashMap::default();
    for event in &test.observation.path {
        texts.entry(event).or_insert_with(|| branch(program, event));
    }
    let branches: Vec<&str> = test.observation.path.iter().map(|event| texts[event].as_str()).collect();
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
    use super::{decision, folded, spoken};
    use crate::identifier;

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

    #[test]
    fn operators_are_spoken() {
        assert_eq!(identifier(&spoken("!(p->next != 0)")), "not_p_next_ne_0");
        assert_eq!(identifier(&spoken("a[i] <= 2.5f")), "a_i_le_2_5f");
        assert_eq!(identifier(&spoken(r"c == '\t'")), "c_eq_tab");
    }
}
