//! Tests that ran as predicted, run again in an optimised build: path, ending and outputs must be the same.
//!
//! Optimisation may not change what C defines. Where it does, the program relies on what C leaves open, or the compiler
//! gives floats another arithmetic. Addresses and the payload of NaN are not compared.

use super::{Replayed, Request};
use crate::address::is_address;
use crate::suite::{self, value};
use clew_execute::native::agrees;
use clew_execute::{Event, Input, Observation, PointerTarget};
use clew_ir::{FunctionId, GlobalId, Program, Type};
use serde_json::Value as Json;
use std::time::Duration;

/// Time that an optimised build may take in any case.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// Which functions' tests are run in an optimised build, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimised {
    /// None.
    #[default]
    Never,
    /// Those that compute with floats, or call what does.
    Floats,
    /// All.
    Always,
}

/// A test that does something else in the optimised build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its position among the tests.
    pub test: usize,
    /// What is different, in words.
    pub what: String,
}

/// Whether a function computes with floats, or calls what does.
pub fn computes_with_floats(program: &Program, function: FunctionId) -> bool {
    let is_float = |ty: Type| matches!(ty, Type::Float(_));
    let reached = clew_analyze::reach::reach(program, function).functions;
    let mut own = reached.iter().filter(|id| **id == function || !program.models.contains(id));
    own.any(|id| program.functions[*id].temps.values().any(|temp| is_float(temp.ty)))
}

/// The tests that do something else in the optimised build, if they are to be run there.
///
/// # Errors
/// Why that build cannot be made.
pub(super) fn differences(
    request: &Request<'_, '_>,
    observed: &[GlobalId],
    tests: &[Replayed],
    elapsed: Duration,
) -> Option<Result<Vec<Difference>, String>> {
    let asked = match request.natives.optimised {
        Optimised::Never => false,
        Optimised::Floats => computes_with_floats(request.program, request.function),
        Optimised::Always => true,
    };
    let usable: Vec<usize> = (0..tests.len()).filter(|&index| tests[index].is_usable()).collect();
    if !asked || usable.is_empty() {
        return None;
    }
    let mut native = match request.natives.of_optimised(request.function, observed, patience(request, elapsed)) {
        Ok(native) => native,
        Err(error) => return Some(Err(error.to_string())),
    };
    let inputs: Vec<_> = usable.iter().map(|&index| tests[index].explored.input.clone()).collect();
    let observations = native.run_batch(&inputs).into_iter();
    let different = usable.into_iter().zip(observations).filter_map(|(test, observation)| {
        let observation = super::replay::without_padding(request, observation.ok()?);
        let what = difference(request, observed, &tests[test], &observation)?;
        Some(Difference { test, what })
    });
    Some(Ok(different.collect()))
}

/// How long the optimised build may take: what is left of the time for the function, or half of the time that it took, where
/// there is a limit at all.
fn patience(request: &Request<'_, '_>, elapsed: Duration) -> Option<Duration> {
    let deadline = request.config.limits.deadline;
    deadline.left().map(|left| left.max(elapsed / 2).max(LEAST_PATIENCE))
}

/// What an optimised execution of a test does otherwise.
fn difference(
    request: &Request<'_, '_>,
    observed: &[GlobalId],
    test: &Replayed,
    optimised: &Observation,
) -> Option<String> {
    if agrees(test.explored.events(), optimised).is_err() {
        return Some(format!("takes another path {}", fork(request.program, &test.explored.path, &optimised.path)));
    }
    if test.observation.ending != optimised.ending {
        return Some(format!("{} instead of {}", suite::ending(optimised), suite::ending(&test.observation)));
    }
    let (program, input) = (request.program, &test.explored.input);
    let observations =
        [&test.observation, optimised].map(|it| without_addresses(&without_unwritten(it, input, observed)));
    let [plain, other] = observations.each_ref().map(|it| value::result(program, request.function, it));
    if let (Some(plain), Some(other)) = (plain, other)
        && !is_same(&plain, &other)
    {
        return Some(format!("returns {other} instead of {plain}"));
    }
    let [plain, other] = observations.each_ref().map(|it| value::outputs(program, input, it, observed));
    let mut changed = plain.iter().zip(&other).filter(|(plain, other)| !is_same(&plain.value, &other.value));
    changed.next().map(|(plain, other)| format!("leaves {} = {} instead of {}", plain.name, other.value, plain.value))
}

/// What was observed, with zeros where nothing that C defines was written.
pub(super) fn without_unwritten(observation: &Observation, input: &Input, observed: &[GlobalId]) -> Observation {
    let mut observation = observation.clone();
    let clear = |bytes: &mut [u8], at: u64, size: u64| {
        bytes.iter_mut().skip(at as usize).take(size as usize).for_each(|byte| *byte = 0);
    };
    input.unwritten.result.iter().for_each(|(at, size)| clear(&mut observation.result, *at, *size));
    for (place, size) in &input.unwritten.places {
        let (bytes, at) = match place {
            PointerTarget::Object(object, at) => (observation.objects.get_mut(*object), *at),
            PointerTarget::Global(global, at) => {
                let number = observed.iter().position(|other| other == global);
                (number.and_then(|number| observation.globals.get_mut(number)), *at)
            }
            PointerTarget::Function(_) => continue,
        };
        if let Some(bytes) = bytes {
            clear(bytes, at as u64, *size);
        }
    }
    observation
}

/// What was observed, with zeros for addresses, which may also be stored as numbers.
fn without_addresses(observation: &Observation) -> Observation {
    let mut observation = observation.clone();
    let outputs = observation.objects.iter_mut().chain(&mut observation.globals).chain([&mut observation.result]);
    for word in outputs.flat_map(|bytes| bytes.chunks_exact_mut(8)) {
        if word.first_chunk().is_some_and(|word| is_address(u64::from_le_bytes(*word))) {
            word.fill(0);
        }
    }
    observation
}

/// Where two paths part, in words.
fn fork(program: &Program, path: &[Event], other: &[Event]) -> String {
    let parts = path.iter().zip(other).position(|(event, other)| event != other);
    let Some(event) = path.get(parts.unwrap_or(other.len())) else { return "after its last branch".to_owned() };
    let span = match *event {
        Event::Condition { function, condition, .. } => program.functions[function].conditions[condition].span,
        Event::Switch { function, decision, .. } => program.functions[function].decisions[decision].span,
    };
    format!("before or at `{}` in line {}", suite::source(program, span), suite::line(program, span))
}

/// Whether two values are the same, one NaN being like another.
pub(super) fn is_same(a: &Json, b: &Json) -> bool {
    let is_nan = |text: &str| text.trim_start_matches('-').to_ascii_lowercase().starts_with("nan");
    match (a, b) {
        (Json::String(a), Json::String(b)) => a == b || is_nan(a) && is_nan(b),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.iter().all(|(name, value)| b.get(name).is_some_and(|b| is_same(value, b)))
        }
        _ => a == b,
    }
}
