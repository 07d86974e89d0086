//! Constraints in, a checked answer out.

pub mod blast;
pub mod domain;
pub mod evaluate;
pub mod linear;
pub mod local;
pub mod model;
pub mod propagate;
mod search;
mod simplify;
pub mod smtlib;
pub mod solver;
mod store;
pub mod term;
