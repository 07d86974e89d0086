//! Relations between several calls of a function: an oracle without expected values.
//!
//! A relation is a C function that takes inputs, calls the function under test several times and says whether the results
//! agree: one that the user wrote, or one that [`harness`] writes for a relation named by an option ([`syntax`]). Three
//! engines settle it: proof ([`crate::goals`]), all inputs of a bounded domain, and inputs at random, the last two by a
//! native program ([`driver`]).
//!
//! Symmetric testing (Gotlieb, "Exploiting symmetries to test programs", ISSRE 2003) is the special case of permutations.
//! A permutation theta acts by (theta.x)_i = x_theta(i). Only the transposition (1 2) and the cycle (1 2 ... k) are tried:
//! they generate the group, and a relation that maps permutations of inputs to permutations of outputs homomorphically
//! holds for all permutations once it holds for both on every input of a domain that is closed under them.

pub mod cexpr;
pub mod clause;
pub mod draw;
pub mod driver;
pub mod effects;
mod harness;
mod kinds;
mod ranges;
pub mod subject;
mod suggest;
pub mod syntax;

pub use harness::{Check, Extra, Harness};
pub use kinds::{Options, harness};
pub use suggest::suggestions;

use crate::select::refusal;
use clew_frontend::Diagnostic;
use clew_ir::{CType, FunctionId, Program};

/// How the names of relations in C begin, after the name of the function.
const RELATION: &str = "_relation";

/// What a harness returns where the relation holds, where it does not, and where the domain is not closed under it.
pub const HOLDS: i128 = 1;
/// See [`HOLDS`].
pub const VIOLATED: i128 = 0;
/// See [`HOLDS`].
pub const NOT_CLOSED: i128 = 2;

/// The relations in C that belong to a function by their names.
pub fn named(program: &Program, function: &str) -> Vec<FunctionId> {
    let prefix = format!("{function}{RELATION}");
    let all = program.functions.iter().filter(|(_, it)| it.is_defined() && it.name.starts_with(&prefix));
    all.map(|(id, _)| id).collect()
}

/// Whether a function is a relation of another one by its name.
pub fn is_relation(program: &Program, id: FunctionId) -> bool {
    let name = &program.functions[id].name;
    let of = name.find(RELATION).map(|at| &name[..at]);
    of.is_some_and(|of| program.function(of).is_some_and(|of| of != id && program.functions[of].is_defined()))
}

/// A relation in C: the function of that name, which calls something and can fail.
///
/// # Errors
/// When there is no such function, or nothing in it can fail.
pub fn in_c(program: &Program, name: &str) -> Result<FunctionId, Box<Diagnostic>> {
    let id = crate::select::function(program, name)?;
    let calls = program.functions[id].mentions().callees().any(|callee| program.functions[callee].is_defined());
    if !calls {
        return Err(refusal(format!("`{name}` is no relation: it calls no function that has a body here")));
    }
    Ok(id)
}

/// Whether a function that is a relation gives a truth value: then it must not be 0.
pub fn gives_truth(program: &Program, id: FunctionId) -> bool {
    let CType::Function { returns, .. } = program.ctypes.get(program.functions[id].ty) else { return false };
    !matches!(program.ctypes.get(*returns), CType::Void)
}
