//! The incremental interface.
