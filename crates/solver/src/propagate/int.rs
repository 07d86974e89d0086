//! Contractors of integer operators.
