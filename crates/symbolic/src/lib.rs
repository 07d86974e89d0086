//! Symbolic execution, one path at a time: a state in, its successors out.
//!
//! A [`Stepper`] runs the instructions of a program on a [`Path`]: known operands are computed, symbolic ones become
//! terms. A path carries an input that takes it, and goes the way of that input; whatever other inputs of the path would
//! do differently comes out as [`effects::Effects`]: forks, failed checks, undecided checks, limits met. At the end of a
//! block the ways out are handed to the driver, who says which of them is taken and which are left open.
//!
//! There are two drivers: `search`, which looks for tests path by path, and `prove`, which runs all paths to a goal at
//! once. This crate knows no strategy and no ledger.

mod accelerate;
pub mod condition;
pub mod config;
pub mod constraints;
pub mod contract;
pub mod effects;
mod encoding;
pub mod ending;
mod explored;
pub mod guard;
pub mod input;
pub mod kpath;
mod label;
pub mod memory;
mod packed;
mod path;
pub mod policy;
mod precondition;
mod question;
pub mod scope;
pub mod shared;
mod start;
pub mod state;
pub mod state_variable;
pub mod step;
pub mod stepped;
mod stepper;
pub mod stub;
pub mod temps;
pub mod value;

pub use crate::accelerate::Accelerated;
pub use crate::explored::Explored;
pub use crate::path::{Open, Path, Resume};
pub use crate::precondition::{Precondition, Unusable};
pub use crate::stepper::{Recording, Stepper};
pub use crate::stub::is_known;
