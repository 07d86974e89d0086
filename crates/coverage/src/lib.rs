//! Criteria become objectives, observations decide them.
//!
//! A [`criterion::Criterion`] gives each function a set of [`objective::Objective`]s ([`generate`]). What a run did is a
//! [`trace::Trace`]: activations, blocks, and the [`label::Label`]s whose predicate held. [`sight`] reads a trace into
//! what matters for objectives; the [`ledger::Ledger`] keeps which tests cover which objective and what is still open.
//!
//! Nothing here executes or solves: traces come from other crates.

pub mod assumption;
pub mod criterion;
pub mod dataflow;
pub mod evaluation;
pub mod generate;
pub mod label;
pub mod ledger;
pub mod objective;
pub mod place;
pub mod sight;
pub mod trace;
pub mod words;

pub use assumption::Assumption;
pub use criterion::Criterion;
pub use ledger::{Ledger, Proof, Reason, Verdict};
pub use objective::{Objective, ObjectiveId};
pub use trace::{Mark, Trace};
