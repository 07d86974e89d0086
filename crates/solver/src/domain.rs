//! What is known about a term: an abstract value per scalar type.

pub mod float;
pub mod int;
