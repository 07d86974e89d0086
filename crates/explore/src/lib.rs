//! Paths, constraints, inputs: the search for tests.
