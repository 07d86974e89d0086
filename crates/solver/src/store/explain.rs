//! Which assertions a conflict rests on.
//!
//! The trail is read backwards from the conflict. A cell is *involved* when it is part of the constraint that failed, or
//! of one that changed an involved cell; the assertions that made involved cells true are the explanation. It is an
//! over-approximation (every earlier change of an involved cell counts), and it is linear in the trail.

use super::{Cause, Slot, Store};

impl Store {
    /// The numbers of the assertions the last conflict rests on, given that the search had decided on some cells. Must
    /// be called before the level of the conflict is undone. Adds to `found`, which it keeps sorted and without doubles.
    pub(crate) fn explain(&self, decided: &[Slot], found: &mut Vec<u32>) {
        let mut involved = vec![false; self.cells.len()];
        for &slot in decided {
            involved[slot.index()] = true;
        }
        if let Some((slot, cause)) = self.failed {
            involved[slot.index()] = true;
            self.involve(cause, &mut involved, found);
        }
        for change in self.trail.iter().rev() {
            if involved[change.slot.index()] {
                self.involve(change.cause, &mut involved, found);
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    fn involve(&self, cause: Cause, involved: &mut [bool], found: &mut Vec<u32>) {
        match cause {
            Cause::Decision => {}
            Cause::Assertion(number) => found.push(number),
            Cause::Refuted(reason) => found.extend(&self.reasons[reason as usize]),
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
