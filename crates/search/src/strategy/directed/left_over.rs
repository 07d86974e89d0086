//! What steered paths left open on their way, and when it is taken up.

use crate::policy;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Branches in new states of the program that cover something by themselves and that steered paths left open, and whether it
/// is time to take them: they are not in search of further states.
#[derive(Clone, Default)]
pub(super) struct LeftOver {
    /// By the lengths of their paths.
    pub(super) branches: BinaryHeap<Reverse<(usize, u64)>>,
    is_their_turn: bool,
    /// Branches in new states that led to nothing new since one did.
    in_vain: u32,
    /// Whether something new was covered since a branch in a new state was taken.
    pub(super) is_rewarded: bool,
}

impl LeftOver {
    /// Whether it is their turn now that a branch is to be taken: after some of the others were taken in vain, and until
    /// one of them is.
    pub(super) fn take_turn(&mut self) -> bool {
        let is_rewarded = std::mem::take(&mut self.is_rewarded);
        self.in_vain = if is_rewarded || self.is_their_turn { 0 } else { self.in_vain + 1 };
        self.is_their_turn =
            if self.is_their_turn { is_rewarded } else { self.in_vain > policy::MAX_FUTILE_STATES.small() };
        self.is_their_turn
    }
}

#[cfg(test)]
mod tests {
    use super::LeftOver;
    use crate::policy;

    /// Steered paths leave what comes next once the search for states is in vain, and as long as it leads to something.
    #[test]
    fn what_was_left_over_has_its_turn_as_long_as_it_pays() {
        let mut left_over = LeftOver::default();
        assert!((0..policy::MAX_FUTILE_STATES.small()).all(|_| !left_over.take_turn()));
        assert!(left_over.take_turn());
        left_over.is_rewarded = true;
        assert!(left_over.take_turn());
        assert!(!left_over.take_turn());
        left_over.is_rewarded = true;
        assert!((0..=policy::MAX_FUTILE_STATES.small()).all(|_| !left_over.take_turn()));
    }
}
