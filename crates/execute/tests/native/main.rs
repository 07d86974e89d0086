//! Functions run on the real machine: paths, results, limits.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod binary;
mod hostile;
mod inputs;
mod interpreted;
mod paths;
mod speed;
mod subject;
mod together;
