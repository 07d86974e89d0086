//! What a conflict or a domain rests on: assertions, and decisions of the search.
//!
//! The trail is read backwards. A cell is *involved* when it is part of the constraint that failed, or of one that changed
//! an involved cell; the assertions and decisions that changed involved cells are the explanation. It is an
//! over-approximation (every earlier change of an involved cell counts), and it is linear in the trail.

use super::{Cause, Slot, Store};

/// What something rests on.
#[derive(Debug, Default)]
pub(crate) struct Explanation {
    /// Numbers of assertions, ascending.
    pub(crate) assertions: Vec<u32>,
    /// Levels that decisions have opened, each once, the last first.
    pub(crate) decisions: Vec<usize>,
}

impl Store {
    /// What the last conflict rests on. Must be called before the level of the conflict is undone.
    pub(crate) fn explain_conflict(&self) -> Explanation {
        let mut involved = vec![false; self.cells.len()];
        let mut explanation = Explanation::default();
        if let Some((slot, cause)) = self.failed {
            involved[slot.index()] = true;
            self.involve(cause, self.levels.len().saturating_sub(1), &mut involved, &mut explanation);
        }
        self.read_back(involved, explanation)
    }

    /// What the present domain of a cell rests on.
    pub(crate) fn explain_domain(&self, slot: Slot) -> Explanation {
        let mut involved = vec![false; self.cells.len()];
        involved[slot.index()] = true;
        self.read_back(involved, Explanation::default())
    }

    fn read_back(&self, mut involved: Vec<bool>, mut explanation: Explanation) -> Explanation {
        let mut level = self.levels.len().saturating_sub(1);
        for (at, change) in self.trail.iter().enumerate().rev() {
            while level > 0 && self.levels[level].trail > at {
                level -= 1;
            }
            if involved[change.slot.index()] {
                self.involve(change.cause, level, &mut involved, &mut explanation);
            }
        }
        explanation.assertions.sort_unstable();
        explanation.assertions.dedup();
        explanation.decisions.dedup();
        explanation
    }

    /// Takes the cause of a change at a level into the explanation.
    fn involve(&self, cause: Cause, level: usize, involved: &mut [bool], explanation: &mut Explanation) {
        match cause {
            Cause::Decision => explanation.decisions.push(level),
            Cause::Assertion(number) => explanation.assertions.push(number),
            Cause::Refuted(reason) => explanation.assertions.extend(&self.reasons[reason as usize]),
            Cause::Cell(slot) => {
                involved[slot.index()] = true;
                for operand in self.cells[slot.index()].operands {
                    if operand != Slot::NONE {
                        involved[operand.index()] = true;
                    }
                }
            }
        }
    }
}
