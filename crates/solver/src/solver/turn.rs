//! Turns of the heavier layers: how far each may go before the next one has its go.
//!
//! Patience grows fourfold from turn to turn, so that a layer that is wrong for a problem costs no more than a share of the
//! one that is right for it.

use super::config::STEPS_PER_CONFLICT;
use crate::clock::Deadline;

/// Terms that local search may compute in the first turn.
const LOCAL_STEPS: u64 = 20_000;
/// The same before the back end, where that comes first.
pub(super) const SHORT_WALK: u64 = 2_000;
/// Terms that local search may compute in any turn.
pub(super) const LOCAL_LIMIT: u64 = 10_000_000;
/// Steps of the back end in the first turn.
const CONFLICT_STEPS: u64 = 500 * STEPS_PER_CONFLICT;

/// How far each of the heavier layers may go in a turn: four times as far as in the one before.
pub(super) struct Turn {
    pub(super) number: u32,
    pub(super) patience: u64,
    /// Contractors that labelling may run.
    pub(super) labelling: u64,
    /// Terms that local search may compute.
    pub(super) walking: u64,
    /// Conflicts of the back end.
    pub(super) conflicts: u64,
    pub(super) deadline: Deadline,
}

impl Turn {
    pub(super) fn new(number: u32, labelling: u64, left: u64, deadline: Deadline) -> Turn {
        let patience = 1u64.checked_shl(2 * number).unwrap_or(u64::MAX);
        let share = |steps: u64| steps.saturating_mul(patience).min(left);
        Turn {
            number,
            patience,
            labelling: share(labelling),
            walking: share(LOCAL_STEPS).min(LOCAL_LIMIT),
            conflicts: share(CONFLICT_STEPS) / STEPS_PER_CONFLICT,
            deadline,
        }
    }

    pub(super) fn steps(&self) -> u64 {
        self.labelling + self.walking + self.conflicts * STEPS_PER_CONFLICT
    }
}
