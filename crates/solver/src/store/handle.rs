//! Handles: cells that stand for a share of one input, such as its lowest bits or its remainder by a constant.
//!
//! A comparison of `(int) x`, for a wide `x`, leaves an interval for the lowest bits and nothing at all for `x` itself, so
//! halving the range of `x` leads nowhere for a long time. Deciding on the lowest bits does: once they are fixed, the
//! contractors take them over into the domain of `x`. The same holds for masks, shifts, multiples and remainders.

use clew_scalar::{BinaryOp, Conversion};

use super::{Domain, NO_USE, Slot, Store, Use};
use crate::term::{Node, TermId};

impl Store {
    /// The handles of some cells, and the handles of these in turn.
    pub(crate) fn handles(&self, inputs: impl Iterator<Item = Slot>) -> Vec<Slot> {
        let mut found: Vec<Slot> = Vec::new();
        let mut open: Vec<Slot> = inputs.filter(|slot| matches!(self.domain(*slot), Domain::Int(_))).collect();
        while let Some(slot) = open.pop() {
            let mut at = self.cells[slot.index()].first_use;
            while at != NO_USE {
                let Use { user, next } = self.uses[at as usize];
                if self.is_handle(user, slot) {
                    found.push(user);
                    open.push(user);
                }
                at = next;
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether a cell depends on one of its operands alone, in a way that bounds of the one do not bound the other.
    fn is_handle(&self, user: Slot, slot: Slot) -> bool {
        let cell = &self.cells[user.index()];
        let is_constant = |operand: Slot| matches!(self.cells[operand.index()].node, Node::Const(_));
        match cell.node {
            Node::Convert(Conversion::Truncate(_), _) | Node::Extract { .. } => true,
            Node::Binary(BinaryOp::Mul | BinaryOp::And | BinaryOp::Xor | BinaryOp::Shl, ..) => {
                cell.operands[..2].iter().any(|&operand| is_constant(operand))
            }
            Node::Binary(BinaryOp::URem | BinaryOp::SRem, ..) => {
                cell.operands[0] == slot && is_constant(cell.operands[1])
            }
            _ => false,
        }
    }

    /// The term of a cell.
    pub(crate) fn term(&self, slot: Slot) -> TermId {
        self.cells[slot.index()].term
    }
}
