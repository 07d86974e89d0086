//! The input that violates a relation: a small one if there is one, with its calls side by side.

use clew_frontend::Loaded;
use clew_ir::FunctionId;
use clew_prove::Verdict;
use clew_session::goals::Answered;
use clew_session::relation::driver::{Digit, Driver, End, Mode, Plan};
use clew_session::relation::subject::Shape;
use clew_session::relation::{HOLDS, NOT_CLOSED};
use clew_session::suite::{self, value};
use serde_json::Value;

/// Inputs that are tried to find a small one.
const MOST_SMALL: u128 = 300_000;

/// Seconds that telling the calls may take.
const SECONDS: u32 = 5;

/// What is shown of a violation.
pub(super) struct Found {
    pub(super) verdict: &'static str,
    pub(super) input: Vec<String>,
    pub(super) calls: Vec<String>,
    /// What makes the input this one, as ACSL; empty where it is the one that was found first.
    pub(super) pins: Vec<String>,
}

/// Looks for a small input natively, and has its calls told.
pub(super) fn found(plan: &Plan<'_>, loaded: &Loaded, id: FunctionId, answer: &Answered) -> Found {
    let Verdict::Reached(explored) = &answer.verdict else { unreachable!("only violations are shown") };
    let described = vec![suite::describe_input(&loaded.program, id, &explored.input)];
    let returned = answer.observation.as_ref().and_then(|it| it.result.first()).map_or(HOLDS, |it| i128::from(*it));
    let verdict = if plan.check.is_some() && returned == NOT_CLOSED { "not-closed" } else { "violated" };
    let mut found = Found { verdict, input: described, calls: Vec::new(), pins: Vec::new() };
    let Ok(driver) = Driver::build(plan) else { return found };
    if verdict == "not-closed" {
        return found;
    }
    let small = driver.smallest(MOST_SMALL).ok().flatten();
    let is_small = small.is_some();
    let Some(digits) = small.or_else(|| digits(plan, &value::inputs(&loaded.program, id, &explored.input))) else {
        return found;
    };
    let told = tell(&driver, &digits);
    if is_small {
        found.input = described_digits(plan, (&driver.digits, &digits));
        found.pins = pins(plan, &digits);
    }
    found.calls = told;
    found
}

/// The calls on an input, one per line.
pub(super) fn tell(driver: &Driver, digits: &[i128]) -> Vec<String> {
    let ranges: Vec<(i128, i128)> = digits.iter().map(|digit| (*digit, *digit)).collect();
    match driver.run(Mode::Show, &ranges, SECONDS) {
        Ok(tried) if matches!(tried.end, End::Violated(_)) => tried.calls,
        _ => Vec::new(),
    }
}

/// The names of all inputs with the number of their elements, `None` for numbers.
fn inputs<'a>(plan: &'a Plan<'_>, digits: &[i128]) -> Vec<(&'a str, Option<(usize, usize)>)> {
    let mut all = Vec::new();
    let mut starts = Vec::new();
    let mut at = 0;
    for slot in &plan.subject.slots {
        starts.push(at);
        at += slot_digits(plan, &slot.shape);
    }
    for (slot, start) in plan.subject.slots.iter().zip(&starts) {
        let count = match &slot.shape {
            Shape::Scalar | Shape::Opaque => None,
            Shape::Array { extent, .. } => {
                let number = extent.parse().ok();
                let counted = || plan.subject.position(extent).and_then(|at| digits.get(starts[at]));
                let number = number.or_else(|| counted().and_then(|it| usize::try_from(*it).ok()));
                Some((*start, number.unwrap_or(0)))
            }
        };
        all.push((slot.name.as_str(), count));
    }
    all.extend(plan.check.iter().flat_map(|check| &check.extra).map(|extra| (extra.name.as_str(), None)));
    all
}

fn slot_digits(plan: &Plan<'_>, shape: &Shape) -> usize {
    match shape {
        Shape::Scalar | Shape::Opaque => 1,
        Shape::Array { extent, .. } => extent.parse().unwrap_or(plan.length as usize),
    }
}

/// An input for the reader.
pub(super) fn described_digits(plan: &Plan<'_>, (known, digits): (&[Digit], &[i128])) -> Vec<String> {
    let mut at = 0;
    let mut said = Vec::new();
    for (index, (name, array)) in inputs(plan, digits).into_iter().enumerate() {
        match array {
            None => said.push(format!("{name} = {}", known[at].told(digits[at]))),
            Some((start, number)) => {
                let told = |at: usize| known[at].told(digits[at]);
                let elements: Vec<String> = (start..start + number).map(told).collect();
                said.push(format!("{name} = {{{}}}", elements.join(", ")));
            }
        }
        at += plan.subject.slots.get(index).map_or(1, |slot| slot_digits(plan, &slot.shape));
    }
    said
}

/// An input as preconditions.
pub(super) fn pins(plan: &Plan<'_>, digits: &[i128]) -> Vec<String> {
    let mut at = 0;
    let mut said = Vec::new();
    for (index, (name, array)) in inputs(plan, digits).into_iter().enumerate() {
        match array {
            None => said.push(format!("{name} == {}", digits[at])),
            Some((start, number)) => {
                let elements = digits[start..start + number].iter().enumerate();
                said.extend(elements.map(|(element, value)| format!("{name}[{element}] == {value}")));
            }
        }
        at += plan.subject.slots.get(index).map_or(1, |slot| slot_digits(plan, &slot.shape));
    }
    said
}

/// The digits of an input that the solver gave.
fn digits(plan: &Plan<'_>, given: &[value::Typed]) -> Option<Vec<i128>> {
    let number = |value: &Value| value.to_string().trim_matches('"').parse::<i128>().ok();
    let named = |name: &str| given.iter().find(|typed| typed.name == name).map(|typed| &typed.value);
    let mut digits = Vec::new();
    for slot in &plan.subject.slots {
        match &slot.shape {
            Shape::Scalar | Shape::Opaque => digits.push(named(&slot.name).map_or(Some(0), number)?),
            Shape::Array { .. } => {
                let elements = match named(&format!("*{}", slot.name)) {
                    Some(Value::Array(elements)) => elements.iter().map(number).collect::<Option<Vec<i128>>>()?,
                    Some(Value::String(text)) => text.bytes().map(i128::from).collect(),
                    Some(other) => vec![number(other)?],
                    None => Vec::new(),
                };
                let padded = elements.into_iter().chain(std::iter::repeat(0));
                digits.extend(padded.take(slot_digits(plan, &slot.shape)));
            }
        }
    }
    for extra in plan.check.iter().flat_map(|check| &check.extra) {
        digits.push(named(&extra.name).map_or(Some(0), number)?);
    }
    Some(digits)
}
