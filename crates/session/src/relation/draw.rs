//! Inputs of a function drawn evenly from those that its precondition allows.
//!
//! Every number is drawn evenly from its interval, and what the precondition does not allow is drawn again. Lengths of arrays
//! are drawn first, each evenly, then the elements. Floats are drawn evenly from the values that can be represented, or from
//! the interval that the precondition leaves. Globals keep their initial values.

use super::driver::{Driver, End, Mode, Plan};
use super::subject::{Shape, Subject};
use crate::select::refusal;
use clew_execute::{Content, Input, InputObject, PointerTarget, StoredPointer};
use clew_frontend::{Diagnostic, Loaded};
use clew_ir::contract::Clause;
use clew_ir::{CTypeId, FunctionId, Program};

/// Seconds that drawing may take.
const SECONDS: u32 = 60;

/// Inputs that were drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Draws that the precondition does not allow.
    pub rejected: u64,
    /// What was read off names.
    pub guessed: Vec<String>,
}

/// How many inputs are drawn, and how.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many.
    pub count: u64,
    /// The seed.
    pub seed: u64,
    /// The most elements of arrays whose length is an input.
    pub length: u32,
    /// Whether floats are drawn evenly from their interval, not from the values that can be represented.
    pub by_length: bool,
}

/// Draws inputs of a function.
///
/// # Errors
/// When the inputs of the function cannot be drawn, or hardly any draw is allowed.
pub fn inputs(
    loaded: &mut Loaded,
    function: FunctionId,
    clauses: Vec<Clause>,
    Wanted { count, seed, length, by_length }: Wanted,
) -> Result<Drawn, Box<Diagnostic>> {
    let own = loaded.program.functions[function].contract.requires.clone();
    let subject = Subject::new(loaded, function, [own, clauses].concat(), &[])?;
    let plan = Plan { loaded, subject: &subject, harness: None, check: None, called: &[], length, mutants: None };
    let mut driver = Driver::build(&plan)?;
    driver.by_length = by_length;
    if driver.digits.iter().any(|digit| digit.low > digit.high) {
        return Err(refusal(format!("the precondition of `{}` allows no input", subject.name)));
    }
    let tried = driver.run(Mode::Draw(count, seed), &driver.ranges(), SECONDS)?;
    if let End::Time(_) = tried.end {
        return Err(refusal(format!(
            "the precondition of `{}` allows only {} of {} inputs drawn: `--per-path` draws from paths instead",
            subject.name,
            tried.inputs,
            tried.inputs + tried.rejected
        )));
    }
    let inputs =
        tried.calls.iter().map(|line| input(&loaded.program, &subject, &bits(&driver, line), length)).collect();
    Ok(Drawn { inputs, rejected: tried.rejected, guessed: subject.guessed })
}

/// The bits of the digits of an input that was told of in a line.
fn bits(driver: &Driver, line: &str) -> Vec<u128> {
    let told = driver.told(line);
    told.iter().zip(&driver.digits).map(|(value, digit)| digit.bits(*value)).collect()
}

/// The input that digits stand for.
fn input(program: &Program, subject: &Subject, digits: &[u128], length: u32) -> Input {
    let mut input = Input::default();
    let size = |ty: CTypeId| program.ctypes.size_of(ty, program.target.pointer_bytes()).unwrap_or(1) as usize;
    let mut starts = Vec::new();
    let mut at = 0;
    for slot in &subject.slots {
        starts.push(at);
        at += match &slot.shape {
            Shape::Scalar | Shape::Opaque => 1,
            Shape::Array { extent, .. } => extent.parse().unwrap_or(length as usize),
        };
    }
    for (slot, start) in subject.slots.iter().zip(&starts) {
        let Shape::Array { element, extent, .. } = &slot.shape else {
            let bytes = digits[*start].to_le_bytes()[..size(slot.ty)].to_vec();
            input.arguments.push(Content { bytes, pointers: Vec::new() });
            continue;
        };
        let counted = || subject.position(extent).and_then(|at| usize::try_from(digits[starts[at]]).ok());
        let number = extent.parse().ok().or_else(counted).unwrap_or(0);
        let bytes: Vec<u8> = digits[*start..start + number]
            .iter()
            .flat_map(|digit| digit.to_le_bytes()[..size(*element)].to_vec())
            .collect();
        let target = PointerTarget::Object(input.objects.len(), 0);
        let pointer = vec![0; program.target.pointer_bytes() as usize];
        input.arguments.push(Content { bytes: pointer, pointers: vec![StoredPointer { at: 0, target }] });
        input.objects.push(InputObject {
            name: slot.name.clone(),
            element: *element,
            count: number as u64,
            content: Content { bytes, pointers: Vec::new() },
            residue: None,
            ordered: false,
        });
    }
    input
}
