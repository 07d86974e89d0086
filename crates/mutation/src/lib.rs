//! Mutants of C functions: small changes of the source, all of them in one text, of which a variable selects one.
//!
//! [`Mutants::of`] goes through the spans of a function's instructions and through the tokens of its body. It needs no
//! parser of its own: where an expression stands and of what type it is says the intermediate form; which operator it
//! has is read off its tokens. [`Mutants::texts`] writes every unit with a choice around each place: while mutant `k` is
//! selected, the changed text is evaluated, otherwise the original one (mutant schemata, Untch, Offutt and Harrold 1993).
//! So all mutants are compiled once. When no mutant is selected, the text records which places a run comes to, and
//! conditions count work, so that an endless mutant is ended by its limit.
//!
//! Not here: running mutants, comparing what they do.

mod body;
mod expression;
mod mutant;
mod schemata;
mod token;

pub use mutant::{Mutant, Mutants, Operator, Set};
pub use schemata::{CHOICE, PLACES, Rewritten, SELECTED};
