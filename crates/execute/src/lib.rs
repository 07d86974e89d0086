//! One input becomes one observation.
