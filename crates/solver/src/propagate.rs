//! Propagators: forward and backward narrowing of domains, operator by operator.

pub mod float;
pub mod int;
