//! What findings are worth: how grave they are, whether an execution shows them, and which of them have one cause.
//!
//! A finding is confirmed only where the execution of its input alone shows it: it takes the predicted branches up to
//! the failing check and no further, and ends by what such a failure brings about. A signal later on proves nothing: of
//! an input, what the path up to the check does not need is left to chance. Overflow ends no program by itself; a
//! sanitizer sees it.

use crate::function::ReplayedFinding;
use crate::infer;
use clew_execute::{Ending, native};
use clew_ir::{CheckKind, FunctionId, Program};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How grave a finding is, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Memory that must not be accessed, or a call of what is no such function.
    Memory,
    /// A division that has no result.
    Division,
    /// Values that no operation has, control where there is none, results that are missing.
    Other,
    /// Signed arithmetic whose result is not representable: most machines wrap around.
    Overflow,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Memory, Kind::Division, Kind::Other, Kind::Overflow];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Memory => "memory",
            Kind::Division => "division",
            Kind::Other => "other",
            Kind::Overflow => "overflow",
        }
    }

    fn of(check: CheckKind) -> Kind {
        match check {
            CheckKind::Access | CheckKind::Index | CheckKind::FunctionPointer | CheckKind::VariableArgument => {
                Kind::Memory
            }
            CheckKind::Division => Kind::Division,
            CheckKind::Overflow => Kind::Overflow,
            _ => Kind::Other,
        }
    }
}

/// What a finding is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    /// How grave it is.
    pub kind: Kind,
    /// Whether the execution of the input alone shows it.
    pub confirmed: bool,
    /// The clause that would exclude it.
    pub requires: Option<String>,
    /// Number of its cause: findings of one kind that the same missing precondition brings about.
    pub cause: usize,
    /// Whether it is told.
    pub is_wanted: bool,
}

/// Findings of one cause.
#[derive(Clone, Debug)]
pub struct Cause<'a> {
    /// The one that is told.
    pub first: &'a ReplayedFinding,
    /// Those at other places.
    pub others: Vec<&'a ReplayedFinding>,
}

/// Says what findings of a tested function are worth, and puts the gravest first.
pub(crate) fn weigh(program: &Program, function: FunctionId, findings: &mut [ReplayedFinding]) {
    for one in findings.iter_mut() {
        let failure = &one.finding.failure;
        let kind = Kind::of(program.functions[failure.function].checks[failure.check].kind);
        let requires = infer::excluding(program, function, failure, &one.finding.input);
        one.worth = Worth { kind, confirmed: is_confirmed(program, one), requires, cause: 0, is_wanted: true };
    }
    findings.sort_by_key(|one| (one.worth.kind, !one.worth.confirmed));
    let mut causes = BTreeMap::new();
    for one in findings {
        let next = causes.len();
        one.worth.cause = *causes.entry(cause(program, one)).or_insert(next);
    }
}

/// Leaves out of what is told the findings of kinds that are not wanted; if none is named, all are.
pub(crate) fn choose(findings: &mut [ReplayedFinding], wanted: &[Kind]) {
    findings.iter_mut().for_each(|one| one.worth.is_wanted = wanted.is_empty() || wanted.contains(&one.worth.kind));
}

/// The findings that are told, by cause; the gravest first.
pub fn causes(findings: &[ReplayedFinding]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for one in findings.iter().filter(|one| one.worth.is_wanted) {
        match places.get(&one.worth.cause) {
            Some(at) => causes[*at].others.push(one),
            None => {
                places.insert(one.worth.cause, causes.len());
                causes.push(Cause { first: one, others: Vec::new() });
            }
        }
    }
    causes
}

/// What findings of one cause have in common.
fn cause(program: &Program, one: &ReplayedFinding) -> (FunctionId, String, String) {
    let failure = &one.finding.failure;
    let check = program.functions[failure.function].checks[failure.check].kind;
    let text = program.sources.text(failure.span);
    let by = match (&one.worth.requires, check) {
        (Some(clause), _) => format!("requires {clause}"),
        // No bound is known that would exclude it: the operands are too large, wherever that shows first.
        (None, CheckKind::Overflow) => String::new(),
        (None, CheckKind::Access) if failure.what.contains("null") => pointer(text),
        (None, _) => format!("check {}", failure.check.index()),
    };
    (failure.function, failure.what.clone(), by)
}

/// The pointer that an access goes through, as far as it can be told: `s->p` of `s->p->x`, `p` of `*p` and `p[i]`.
fn pointer(text: &str) -> String {
    let text = text.trim().trim_start_matches(['*', '(', ' ']);
    let end = text.rfind("->").or_else(|| text.find('[')).unwrap_or(text.len());
    let plain = text[..end].trim().trim_end_matches([')', '+', '-', ' ']);
    plain.split_whitespace().collect()
}

/// Whether the execution of a finding's input shows what it says.
fn is_confirmed(program: &Program, one: &ReplayedFinding) -> bool {
    let failure = &one.finding.failure;
    let Some(observation) = &one.observation else { return false };
    if native::agrees(one.finding.path.iter().copied(), observation).is_err() {
        return false;
    }
    let check = program.functions[failure.function].checks[failure.check].kind;
    match &observation.ending {
        Ending::Signalled(signal) => brings_about(check, *signal),
        Ending::Sanitizer(line) => speaks_of(check, line),
        _ => false,
    }
}

/// Whether a failure of such a check ends a program by a signal at once.
fn brings_about(check: CheckKind, signal: i32) -> bool {
    const FPE: i32 = 8;
    const ACCESS: [i32; 2] = [7, 11];
    match check {
        CheckKind::Division => signal == FPE,
        CheckKind::Access | CheckKind::Index | CheckKind::FunctionPointer => ACCESS.contains(&signal),
        _ => false,
    }
}

/// Whether the line of a sanitizer is about such a check.
fn speaks_of(check: CheckKind, line: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    match check {
        CheckKind::Overflow => has(&["signed integer overflow", "cannot be represented"]),
        CheckKind::Division => has(&["division by zero", "cannot be represented", "FPE"]),
        CheckKind::Shift => has(&["shift"]),
        CheckKind::Access | CheckKind::FunctionPointer => {
            has(&["AddressSanitizer", "null pointer", "misaligned", "insufficient space", "incorrect function type"])
        }
        CheckKind::Index => has(&["out of bounds", "AddressSanitizer"]),
        CheckKind::PointerArithmetic => has(&["pointer index expression", "offset to null", "applying"]),
        CheckKind::FloatToInt => has(&["outside the range"]),
        CheckKind::ArraySize => has(&["variable length array"]),
        CheckKind::Unreachable => has(&["unreachable"]),
        CheckKind::MissingReturn => has(&["without returning a value"]),
        CheckKind::Representation => has(&["not a valid value"]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{brings_about, pointer, speaks_of};
    use clew_ir::CheckKind;

    #[test]
    fn only_what_a_failure_brings_about_confirms_it() {
        assert!(brings_about(CheckKind::Access, 11) && brings_about(CheckKind::Division, 8));
        assert!(!brings_about(CheckKind::Overflow, 11) && !brings_about(CheckKind::Shift, 11));
        assert!(!brings_about(CheckKind::Division, 11) && !brings_about(CheckKind::Access, 6));
        let overflow =
            "a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        assert!(speaks_of(CheckKind::Overflow, overflow));
        assert!(!speaks_of(CheckKind::Overflow, "AddressSanitizer: SEGV"));
        assert!(speaks_of(CheckKind::Access, "AddressSanitizer: heap-buffer-overflow"));
    }

    #[test]
    fn accesses_through_one_pointer_have_one_cause() {
        assert_eq!(pointer("y[0]"), pointer("y[1]"));
        assert_eq!(pointer("s->p->x"), "s->p");
        assert_eq!(pointer("*p"), pointer("p[3]"));
        assert_ne!(pointer("s->p"), pointer("t->p"));
    }
}
