//! How a solver works and how far a query may go.

use crate::clock::Deadline;

/// Which layers may decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// All of them.
    #[default]
    Auto,
    /// Propagation and search only; gives up where they do.
    Propagation,
    /// Bit-blasting only.
    Sat,
}

/// How a solver works.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Which layers may decide.
    pub engine: Engine,
    /// Seed of every random choice.
    pub seed: u64,
    /// Terms are kept as they are stated: for tests of the simplifier, and to look at a problem.
    pub raw: bool,
}

/// How far one query may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Steps: a propagator applied is one, a conflict of the back end is [`STEPS_PER_CONFLICT`]. `None` is no limit.
    pub steps: Option<u64>,
    /// When to give up whatever has been counted: a safety net, and reported as such.
    pub deadline: Deadline,
}

/// What a conflict of the back end costs in steps.
pub const STEPS_PER_CONFLICT: u64 = 256;

impl Budget {
    /// The steps as conflicts of the back end.
    pub(super) fn conflicts(&self) -> Option<u32> {
        self.steps.map(|steps| u32::try_from(steps / STEPS_PER_CONFLICT).unwrap_or(u32::MAX))
    }

    /// Whether the deadline has passed.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.has_passed()
    }
}
