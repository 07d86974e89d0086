//! What gcc evaluates before both operands of an operator.
//!
//! To gcc, `a + (b, c)` is `(b, a + c)`, and `b ? 0 : 0` is `(b, 0)`: what comes first in an operand comes before the other
//! operand, through conversions and all operators but `&&`, `||` and `?:`. C leaves the order open, and macros whose
//! parts are switched off are full of it. Measured with gcc 12.

use super::body::Body;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind};

impl Body<'_, '_> {
    /// Evaluates what comes before both operands. The values of the expressions it gives are known then, and are to be
    /// forgotten once the operands are evaluated.
    pub(crate) fn evaluate_first(&mut self, lhs: ExprId, rhs: ExprId) -> Vec<ExprId> {
        let mut known = Vec::new();
        if self.has_first(rhs) {
            self.first(lhs, &mut known);
            self.first(rhs, &mut known);
        }
        known
    }

    /// The left side of a comma expression, unless it came first.
    pub(crate) fn comma_left(&mut self, expr: ExprId, lhs: ExprId) {
        if !self.come_first.remove(&expr) {
            self.discard(lhs);
        }
    }

    /// The operands in which something may come first.
    fn inner(&self, expr: ExprId) -> Vec<ExprId> {
        match self.checked.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Bool, operand } => vec![operand],
            ExprKind::Cast(operand) => vec![operand],
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand } => vec![operand],
            ExprKind::Unary { op: UnaryOp::Not, operand } if !self.has_logic(operand) => vec![operand],
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => Vec::new(),
            ExprKind::Binary { lhs, rhs, .. } => vec![lhs, rhs],
            _ => Vec::new(),
        }
    }

    fn has_first(&self, expr: ExprId) -> bool {
        let is_first = matches!(self.checked.tast[expr].kind, ExprKind::Comma { .. }) || self.is_same_either_way(expr);
        is_first || self.inner(expr).into_iter().any(|operand| self.has_first(operand))
    }

    fn first(&mut self, expr: ExprId, known: &mut Vec<ExprId>) {
        if let ExprKind::Comma { lhs, rhs } = self.checked.tast[expr].kind {
            if self.come_first.insert(expr) {
                self.discard(lhs);
            }
            self.first(rhs, known);
        } else if self.is_same_either_way(expr) {
            let value = self.value(expr);
            let local = self.hidden(self.type_at(expr));
            self.store_hidden(local, value);
            self.known.insert(expr, local);
            known.push(expr);
        } else {
            self.inner(expr).into_iter().for_each(|operand| self.first(operand, known));
        }
    }

    /// Whether an expression is `c ? k : k`, for a number `k`, and not evaluated yet.
    fn is_same_either_way(&self, expr: ExprId) -> bool {
        let ExprKind::Cond { then, otherwise, .. } = self.checked.tast[expr].kind else { return false };
        let same = self.number(then).is_some_and(|number| self.number(otherwise) == Some(number));
        same && !self.known.contains_key(&expr)
    }

    /// The number that an expression is, but for its type.
    pub(crate) fn number(&self, expr: ExprId) -> Option<i128> {
        match self.checked.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                self.number(operand)
            }
            ExprKind::Const(value) => match self.checked.tast[value] {
                Const::Int(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }
}
