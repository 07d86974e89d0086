//! What an exploration is asked to do.

use std::time::Instant;

use crate::kpath::Bound;

/// Options of an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The most iterations of a loop that paths should have.
    pub bound: Bound,
    /// What to do about inputs that make the program undefined.
    pub errors: Errors,
    /// Which globals are part of the input.
    pub globals: Globals,
    /// Instructions on one path.
    pub steps: u64,
    /// Activations at once.
    pub depth: usize,
    /// Tests after which to stop.
    pub tests: u64,
    /// When to stop whatever was counted: a safety net, and reported as such.
    pub deadline: Option<Instant>,
    /// Seed of everything random.
    pub seed: u64,
    /// Functions without a body that must not become stubs.
    pub real: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            bound: None,
            errors: Errors::Report,
            globals: Globals::Input,
            steps: 1_000_000,
            depth: 1_000,
            tests: u64::MAX,
            deadline: None,
            seed: 0,
            real: Vec::new(),
        }
    }
}

/// What to do about inputs that make the program undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// Look for one such input for each check, and report it; paths go on with the others.
    Report,
    /// Paths go on with the others.
    AssumeAbsent,
}

/// Which globals are part of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Globals {
    /// All that are not `const`.
    Input,
    /// None: they have their initial values.
    Initial,
}
