//! Constraints in, a checked answer out.
//!
//! A [`Solver`](solver::Solver) owns hash-consed [`terms`](term::Terms) over booleans, bit-vectors of 1 to 128 bits,
//! IEEE floats and arrays, with exactly the operators of `clew_scalar`. Conditions are asserted in scopes; a query is
//! answered by a model, by the assertions that contradict each other, or by the reason why neither was found. A query
//! passes through layers, cheapest first ([`solver::LAYERS`]); the heavier ones take turns:
//!
//! 1. `simplify`: terms are simplified as they are built, so that some answers are plain;
//! 2. `last model`: the last model may still hold;
//! 3. `repair`: a small change of the last model may hold;
//! 4. `store`: domains are narrowed by propagators until nothing changes;
//! 5. `order`: comparisons that go round in a circle are refuted;
//! 6. `equate`: equations are put into the other assertions;
//! 7. `residue`: equations with products are tried on their lowest bits;
//! 8. `algebra`: polynomials that are equal, or bounded, as integers refute what does not wrap;
//! 9. `search`: the inputs of the part that is connected to what failed are labelled;
//! 10. `relaxation`: a certified linear program refutes it, or finds where to search;
//! 11. `local`: local search moves a candidate downhill;
//! 12. `blast`: terms become clauses for a SAT solver, which always answers in the end.
//!
//! Whatever a layer finds, a model is evaluated before it is returned. How far each layer goes is a row of [`policy`], the
//! turns are a list in `solver/turn.rs`. [`smtlib`] runs scripts against the same interface. The crate knows nothing of C.
//! The modules `domain`, `propagate` and `linear` are open to clew's other engines, `blast` to tests: they change as those
//! need.
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

mod algebra;
#[doc(hidden)]
pub mod blast;
pub mod clock;
pub mod domain;
mod equate;
pub mod evaluate;
#[doc(hidden)]
pub mod linear;
mod local;
pub mod model;
mod order;
pub mod policy;
#[doc(hidden)]
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
