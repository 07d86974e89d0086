//! Tests and oracles from conditional rewriting rules.
//!
//! [`generate::generate`] takes a checked specification and gives, for each objective of a [`Criterion`], a verdict:
//! *covered* by a [`Test`], *infeasible* by a finished search, or *unknown* by a limit. A test is abstract, leaving open
//! what does not matter, and concrete; its oracle is what the rules rewrite it to. [`warnings`] reports rules that
//! contradict each other and cases without a rule. [`evaluate`] rewrites an expression.
//! [`program`] writes a specification as a program of C. [`adapter`] makes tests of an implementation in C, [`exhaust`] all of them up to a size.
//!
//! Everything stands on one engine, narrowing over terms (`search`): it solves conditions, evaluates, and proves that
//! there is no solution. Terms lie in vectors (`store`, [`tree`]); nothing recurses over them.

pub mod adapter;
mod concrete;
pub mod evaluate;
pub mod exhaust;
pub mod generate;
mod index;
pub mod integers;
mod objective;
pub mod policy;
pub mod program;
pub mod report;
mod search;
mod store;
pub mod tree;
pub mod values;
pub mod warnings;

pub use concrete::Concretise;
pub use objective::{Aim, Criterion, Limit, Objective, Proof, Test, Verdict};
pub use search::Demand;
