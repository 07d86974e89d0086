//! Probes: the numbers by which instrumented code reports conditions and switches.
//!
//! Probes are numbered over the whole program, in order of functions, so that a trace that enters other functions and
//! units stays readable. A condition reports its outcome in the lowest bit of one word; a `switch` reports one word and
//! the value it switches on, from which the arm is found here.

use crate::observation::{Event, Repeat};
use clew_ir::{Case, ConditionId, DecisionId, DecisionKind, Function, FunctionId, Program, Span, TerminatorKind, Type};

/// What a probe watches.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub(super) function: FunctionId,
    pub(super) span: Span,
    pub(super) kind: ProbeKind,
}

/// The kind of a probe.
#[derive(Clone, Debug)]
pub(super) enum ProbeKind {
    /// An atomic condition.
    Condition(ConditionId),
    /// The condition of a `?:` whose middle operand is left out: its value is used, too.
    Shared(ConditionId),
    /// A `switch`.
    Switch(Switch),
}

/// What is needed to find the arm of a `switch`.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    decision: DecisionId,
    pub(super) width: u8,
    cases: Vec<Case>,
}

/// Words a `switch` takes in a trace: its probe and a value of 128 bits.
const SWITCH_WORDS: usize = 5;

/// Marks words that are repeated, and the words that say how (`server.c`).
const REPEAT: u32 = u32::MAX;
const REPEAT_WORDS: usize = 4;

/// All probes of a program.
pub(super) fn collect(program: &Program) -> Vec<Probe> {
    let mut probes = Vec::new();
    for (id, function) in program.functions.iter().filter(|(_, function)| function.is_defined()) {
        conditions(program, id, function, &mut probes);
        switches(id, function, &mut probes);
    }
    probes.retain(|probe| !probe.span.is_none());
    probes
}

fn conditions(program: &Program, id: FunctionId, function: &Function, probes: &mut Vec<Probe>) {
    for (condition, node) in function.conditions.iter() {
        let is_ternary = function.decisions[node.decision].kind == DecisionKind::Ternary;
        let kind = if is_ternary && lacks_middle(program, node.span) {
            ProbeKind::Shared(condition)
        } else {
            ProbeKind::Condition(condition)
        };
        probes.push(Probe { function: id, span: node.span, kind });
    }
}

fn switches(id: FunctionId, function: &Function, probes: &mut Vec<Probe>) {
    for block in function.blocks.values() {
        let TerminatorKind::Switch { on, decision: Some(decision), cases, .. } = &block.terminator.kind else {
            continue;
        };
        let Type::Int(width) = on.ty(function) else { continue };
        let switch = Switch { decision: *decision, width, cases: cases.clone() };
        let span = function.decisions[*decision].span;
        probes.push(Probe { function: id, span, kind: ProbeKind::Switch(switch) });
    }
}

/// Whether `? :` without a middle operand follows the span.
fn lacks_middle(program: &Program, span: Span) -> bool {
    let Some(unit) = program.sources.units.get(span.unit) else { return false };
    let rest = unit.text.get(span.end as usize..).unwrap_or("");
    let rest = skip(rest, |byte| byte.is_ascii_whitespace() || byte == b')');
    rest.strip_prefix('?').is_some_and(|rest| skip(rest, |byte| byte.is_ascii_whitespace()).starts_with(':'))
}

/// The text after comments, line markers and bytes of a kind.
fn skip(mut text: &str, kind: impl Fn(u8) -> bool) -> &str {
    loop {
        let rest = text.trim_start_matches(|c: char| c.is_ascii() && kind(c as u8));
        let rest = match rest.get(..2) {
            Some("/*") => rest.split_once("*/").map_or("", |(_, rest)| rest),
            Some("//" | "# ") => rest.split_once('\n').map_or("", |(_, rest)| rest),
            _ => rest,
        };
        if rest.len() == text.len() {
            return rest;
        }
        text = rest;
    }
}

impl Switch {
    fn arm(&self, value: u128) -> u32 {
        let arm = self.cases.iter().position(|case| case.matches(self.width, value));
        arm.unwrap_or(self.cases.len()) as u32
    }
}

/// The path a trace describes, and what it repeats. Words that no probe wrote end it: the code under test wrote over the
/// trace.
pub(super) fn decode(probes: &[Probe], words: &[u32]) -> (Vec<Event>, Vec<Repeat>) {
    let (mut path, mut repeats) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < words.len() {
        if words[at] == REPEAT {
            let Some((repeat, rest)) = repeated(probes, &words[at..], &words[..at], path.len()) else { break };
            repeats.push(repeat);
            path.extend(rest);
            at += REPEAT_WORDS;
            continue;
        }
        let Some((event, length)) = event(probes, &words[at..]) else { break };
        path.push(event);
        at += length;
    }
    (path, repeats)
}

/// The event that words begin with, and how many of them it takes.
fn event(probes: &[Probe], words: &[u32]) -> Option<(Event, usize)> {
    let word = *words.first()?;
    let probe = probes.get((word >> 1) as usize)?;
    let function = probe.function;
    match &probe.kind {
        ProbeKind::Condition(condition) | ProbeKind::Shared(condition) => {
            Some((Event::Condition { function, condition: *condition, outcome: word & 1 == 1 }, 1))
        }
        ProbeKind::Switch(switch) => {
            let value = words.get(1..SWITCH_WORDS)?;
            let value = value.iter().rev().fold(0, |value, &word| value << 32 | u128::from(word));
            Some((Event::Switch { function, decision: switch.decision, arm: switch.arm(value) }, SWITCH_WORDS))
        }
    }
}

/// The events of words, if they are all of them whole.
fn events(probes: &[Probe], mut words: &[u32]) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    while !words.is_empty() {
        let (event, length) = event(probes, words)?;
        events.push(event);
        words = &words[length..];
    }
    Some(events)
}

/// What a mark says of the words before it: how often they are repeated as a whole, and the events of the last time, in
/// which they are not.
fn repeated(probes: &[Probe], mark: &[u32], before: &[u32], at: usize) -> Option<(Repeat, Vec<Event>)> {
    let &[_, period, low, high, ..] = mark else { return None };
    let (period, count) = (period as usize, u64::from(low) | u64::from(high) << 32);
    let own = before.len().checked_sub(period).map(|from| &before[from..]).filter(|own| !own.is_empty())?;
    let rest = (count % period as u64) as usize;
    let (all, rest) = (events(probes, own)?, events(probes, &own[..rest])?);
    (all.len() <= at).then_some((Repeat { at, events: all.len(), times: count / period as u64 }, rest))
}
