//! What is known about a term: an abstract value per scalar type.
//!
//! A domain is a set of values, over-approximated. Domains only ever lose values that no solution has; an empty domain
//! is never stored, the operation that would make it answers [`Conflict`] instead. Integers wider than one bit use
//! [`int::IntDomain`], conditions (`Int(1)`) the cheaper [`boolean::BoolDomain`], floats [`float::FloatDomain`].
//!
//! [`float::FloatDomain`]: float

pub mod boolean;
pub mod float;
pub mod int;

/// No value is left: the constraints contradict each other. Control flow of propagation, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;
