//! Constraints in, a checked answer out.

pub mod blast;
pub mod domain;
pub mod evaluate;
pub mod local;
pub mod model;
pub mod propagate;
mod simplify;
pub mod smtlib;
pub mod solver;
pub mod term;
