//! The heuristics of all engines: the tables that `clew policy` lists and `--tune` changes.

use clew_policy::Table;

/// The tables of all engines.
pub const TABLES: &[&Table] = &[
    &clew_solver::policy::POLICY,
    &clew_analyze::policy::POLICY,
    &clew_symbolic::policy::POLICY,
    &clew_prove::policy::POLICY,
    &clew_search::policy::POLICY,
];
