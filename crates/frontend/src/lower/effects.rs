//! Whether evaluating an expression changes anything, or decides.

use super::body::Body;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{ExprId, ExprKind};

impl Body<'_, '_> {
    /// Whether evaluation may write memory, call, or jump. Unknown kinds count as effects.
    pub(crate) fn has_effects(&self, expr: ExprId) -> bool {
        let tast = &self.checked.tast;
        match tast[expr].kind {
            ExprKind::Const(_) | ExprKind::Str(_) | ExprKind::Decl(_) | ExprKind::LabelAddr(_) => false,
            ExprKind::Member { base, .. } => self.has_effects(base),
            ExprKind::Subscript { base: a, index: b } | ExprKind::Binary { lhs: a, rhs: b, .. } => {
                self.has_effects(a) || self.has_effects(b)
            }
            ExprKind::Comma { lhs: a, rhs: b } => self.has_effects(a) || self.has_effects(b),
            ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, .. } => true,
            ExprKind::Unary { operand, .. } | ExprKind::Cast(operand) | ExprKind::Convert { operand, .. } => {
                self.has_effects(operand)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.has_effects(cond) || self.has_effects(then) || self.has_effects(otherwise)
            }
            ExprKind::Expect { value, .. } => self.has_effects(value),
            _ => true,
        }
    }

    /// Whether the evaluation of an expression without effects branches.
    pub(crate) fn decides(&self, expr: ExprId) -> bool {
        match self.checked.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } | ExprKind::Cond { .. } => true,
            ExprKind::Subscript { base: a, index: b }
            | ExprKind::Binary { lhs: a, rhs: b, .. }
            | ExprKind::Comma { lhs: a, rhs: b } => self.decides(a) || self.decides(b),
            ExprKind::Member { base: operand, .. }
            | ExprKind::Unary { operand, .. }
            | ExprKind::Cast(operand)
            | ExprKind::Convert { operand, .. }
            | ExprKind::Expect { value: operand, .. } => self.decides(operand),
            _ => false,
        }
    }
}
