//! Contractors of float operators.
