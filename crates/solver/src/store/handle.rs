//! Handles: cells that stand for a share of one input, such as its lowest bits, its remainder or its quotient by a constant.
//!
//! A comparison of `(int) x`, for a wide `x`, leaves an interval for the lowest bits and nothing at all for `x` itself, so
//! halving the range of `x` leads nowhere for a long time. Deciding on the lowest bits does: once they are fixed, the
//! propagators take them over into the domain of `x`. The same holds for masks, shifts, multiples and remainders. Of
//! quotients, bounds are bounds of `x`; they are worth a decision when they have very few values, each of which may decide
//! other conditions.

use crate::policy;
use clew_scalar::{BinaryOp, Conversion, UnaryOp};

use super::{Domain, NO_USE, Slot, Store, Use};
use crate::term::{Node, TermId};

impl Store {
    /// The handles of some cells, and the handles of these in turn, moved or extended. Of an extended number, a handle can
    /// have few of the values that it seems to have, so it has to have few anyway.
    pub(crate) fn handles(&self, inputs: impl Iterator<Item = Slot>) -> Vec<Slot> {
        let mut found: Vec<Slot> = Vec::new();
        let inputs = inputs.filter(|slot| matches!(self.domain(*slot), Domain::Int(_)));
        let mut open: Vec<(Slot, bool)> = inputs.map(|slot| (slot, false)).collect();
        while let Some((slot, extended)) = open.pop() {
            let mut at = self.cells[slot.index()].first_use;
            while at != NO_USE {
                let Use { user, next } = self.uses[at as usize];
                at = next;
                if self.is_handle(user, slot) {
                    if !extended || self.domain(user).count() <= policy::MAX_SHARE_VALUES.get().into() {
                        found.push(user);
                        open.push((user, extended));
                    }
                } else if self.is_moved(user) {
                    open.push((user, extended || self.is_extension(user)));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether a cell depends on one of its operands alone, in a way that bounds of the one do not bound the other, or has
    /// few values.
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
            Node::Binary(BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::LShr | BinaryOp::AShr, ..) => {
                cell.operands[0] == slot
                    && is_constant(cell.operands[1])
                    && self.domain(user).count() <= policy::MAX_SHARE_VALUES.get().into()
            }
            _ => false,
        }
    }

    /// Whether a cell is one of its operands moved or extended: no better to decide on, but handles may be made of it.
    fn is_moved(&self, user: Slot) -> bool {
        let cell = &self.cells[user.index()];
        let is_constant = |operand: Slot| matches!(self.cells[operand.index()].node, Node::Const(_));
        match cell.node {
            Node::Unary(UnaryOp::Not | UnaryOp::Neg, _) => true,
            Node::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => {
                cell.operands[..2].iter().any(|&operand| is_constant(operand))
            }
            _ => self.is_extension(user),
        }
    }

    fn is_extension(&self, user: Slot) -> bool {
        let node = self.cells[user.index()].node;
        matches!(node, Node::Convert(Conversion::ZeroExtend(_) | Conversion::SignExtend(_), _))
    }

    /// The term of a cell.
    pub(crate) fn term(&self, slot: Slot) -> TermId {
        self.cells[slot.index()].term
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::BinaryOp;

    use crate::solver::{Answer, Budget, Config, Engine, Solver};

    #[test]
    fn quotients_with_few_values_are_decided_on() {
        let mut solver = Solver::new(Config { engine: Engine::Propagation, ..Config::default() });
        let terms = solver.terms_mut();
        let x = terms.int_var("x", 32);
        let [divisor, product] = [1_963_505_648, 826_639_649].map(|number| terms.int(32, number));
        let quotient = terms.binary(BinaryOp::UDiv, x, divisor);
        let multiple = terms.binary(BinaryOp::Mul, quotient, x);
        let goal = terms.eq(multiple, product);
        solver.assert(goal);
        let budget = Budget { steps: Some(100), ..Budget::default() };
        assert!(
            matches!(solver.check(&budget), Answer::Unsat(_)),
            "1 * x is too low for a quotient of 1, 2 * x is even"
        );
    }
}
