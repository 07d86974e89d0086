//! The value of a term under a model.
