//! What is known about a term: an abstract value per scalar type.

pub mod float;
pub mod int;

/// No value is left: the constraints contradict each other. Control flow of propagation, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;
