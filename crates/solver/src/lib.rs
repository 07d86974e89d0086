//! Constraints in, a checked answer out.
