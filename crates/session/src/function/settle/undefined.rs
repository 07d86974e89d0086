//! Mutants that do what C leaves undefined on the input of a test, where the function itself does not.
//!
//! The interpreter sees that, for it fails at every check, also where a value was never written; natively, such a mutant
//! often does by accident what the function does. It is not the same function, and no assertion need notice it: a sanitizer
//! does.

use crate::policy;
use clew_execute::{Checks, Image, Input, Interpreter, Limits, Outcome, Refusal};
use clew_ir::{FunctionId, Program};

/// What a mutant does wrong on one of some numbered inputs.
pub(super) fn undefined(program: &Program, mutant: FunctionId, inputs: &[&Input]) -> Option<(usize, String)> {
    let image = Image::new(program, Checks::ALL);
    let mut interpreter = Interpreter::new(&image, mutant);
    interpreter.limits = Limits { steps: policy::UNDEFINED_STEPS.get(), ..Limits::default() };
    inputs.iter().take(policy::MAX_UNDEFINED_RUNS.size()).enumerate().find_map(|(number, input)| {
        let outcome = match interpreter.run(input) {
            Ok(run) => run.outcome,
            Err(Refusal::Stopped(outcome)) => outcome,
            Err(Refusal::Unfit(_)) => return None,
        };
        match outcome {
            Outcome::Failed(failure) => Some((number, failure.describe(program))),
            _ => None,
        }
    })
}
