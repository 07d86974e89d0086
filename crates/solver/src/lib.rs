//! Constraints in, a checked answer out.
//!
//! A [`Solver`](solver::Solver) owns hash-consed [`terms`](term::Terms) over booleans, bit-vectors of 1 to 128 bits,
//! IEEE floats and arrays, with exactly the operators of `clew_scalar`. Conditions are asserted in scopes; a query is
//! answered by a model, by the assertions that contradict each other, or by the reason why neither was found. The layers
//! a query passes through are composed in one function, `Solver::decide`:
//!
//! 1. [`term`] construction simplifies, so that some answers are plain;
//! 2. the last model may still hold ([`evaluate`]);
//! 3. `store` propagates [`domain`]s through the contractors of [`propagate`];
//! 4. `search` labels the inputs of the part that is connected to what failed;
//! 5. `relaxation` refutes it by a certified linear program, or finds where to search;
//! 6. [`local`] search moves a candidate downhill;
//! 7. [`blast`] turns terms into clauses for a SAT solver, and always answers in the end.
//!
//! Whatever a layer finds, a model is evaluated before it is returned. [`smtlib`] runs scripts against the same
//! interface. [`linear`] has the linear reasoning that goals and loops need. The crate knows nothing of C.
//!
//! ```
//! use clew_scalar::BinaryOp;
//! use clew_solver::solver::{Answer, Budget, Solver};
//!
//! let mut solver = Solver::default();
//! let x = solver.terms_mut().int_var("x", 32);
//! let ten = solver.terms_mut().int(32, 10);
//! let small = solver.terms_mut().binary(BinaryOp::Ult, x, ten);
//! solver.assert(small);
//! let Answer::Sat(model) = solver.check(&Budget::default()) else { panic!("there are such numbers") };
//! assert!(model.bits(clew_solver::term::VarId::from_index(0)) < 10);
//!
//! solver.push();
//! let large = solver.terms_mut().not(small);
//! solver.assert(large);
//! assert!(matches!(solver.check(&Budget::default()), Answer::Unsat(_)));
//! solver.pop();
//! ```

pub mod blast;
pub mod clock;
pub mod domain;
mod equate;
pub mod evaluate;
pub mod linear;
pub mod local;
pub mod model;
mod order;
pub mod propagate;
mod relaxation;
mod repair;
mod residue;
mod search;
mod simplify;
pub mod smtlib;
pub mod solver;
mod store;
pub mod term;
