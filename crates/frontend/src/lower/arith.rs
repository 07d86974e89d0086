//! Expressions: arithmetic, comparison, pointer arithmetic.
//!
//! Where C leaves the order of evaluation open, gcc's is followed: left before right, except that a plain variable on
//! the left of a commutative operator or comparison is read after the right operand, and what [`super::order`] says comes
//! first.

use super::body::Body;
use clew_ir::{CheckKind, InstKind, Operand, Type};
use clew_scalar::{BinaryOp as Op, Rounding, UnaryOp as Unary};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{ExprId, ExprKind};
use rucc_types::TypeId;

const NEAREST: Rounding = Rounding::NearestEven;

impl Body<'_, '_> {
    pub(crate) fn unary_expr(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> Operand {
        match op {
            UnaryOp::Plus => self.value(operand),
            UnaryOp::AddrOf => self.address_of(operand),
            UnaryOp::Not if self.has_logic(operand) => self.decision_value(operand, true, ty),
            UnaryOp::Not => {
                let truth = self.truth(operand);
                let negated = self.unary(Unary::Not, truth, None);
                self.truth_as(negated, ty)
            }
            UnaryOp::Minus | UnaryOp::BitNot if self.unit.is_aggregate(ty) => self.aggregate_unary(op, operand, ty),
            UnaryOp::Minus => {
                let value = self.value(operand);
                self.negate(value, ty)
            }
            UnaryOp::BitNot => {
                let value = self.value(operand);
                self.unary(Unary::Not, value, None)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => self.step(op, operand),
            UnaryOp::Deref | UnaryOp::Real | UnaryOp::Imag => {
                unreachable!("places are read by `value`, not computed here")
            }
        }
    }

    fn negate(&mut self, value: Operand, ty: TypeId) -> Operand {
        if self.unit.is_float(ty) {
            return self.unary(Unary::FloatNeg, value, None);
        }
        let check = self.overflow_check(ty);
        self.unary(Unary::Neg, value, check)
    }

    /// What arithmetic of a type may break.
    pub(crate) fn overflow_check(&self, ty: TypeId) -> Option<CheckKind> {
        (self.unit.is_signed(ty) && !self.unit.source.semantics.wraps).then_some(CheckKind::Overflow)
    }

    pub(crate) fn binary_expr(&mut self, expr: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Operand {
        let ty = self.type_at(expr);
        let (left, right) = (self.type_at(lhs), self.type_at(rhs));
        match op {
            BinaryOp::LogAnd | BinaryOp::LogOr => self.decision_value(expr, false, ty),
            _ if self.unit.is_aggregate(left) || self.unit.is_aggregate(right) => {
                self.aggregate_binary(op, lhs, rhs, ty)
            }
            _ if is_comparison(op) => {
                let truth = self.comparison(op, lhs, rhs);
                self.truth_as(truth, ty)
            }
            BinaryOp::Mul if self.is_for_its_type(lhs, rhs) => match self.unit.scalar(ty) {
                Some(scalar) => self.zero(scalar),
                None => self.lost("this product", ty),
            },
            BinaryOp::Add | BinaryOp::Sub if self.unit.is_pointer(left) || self.unit.is_pointer(right) => {
                self.pointer_arithmetic(op, lhs, rhs, ty)
            }
            _ => {
                let (a, b) = self.operands(op, lhs, rhs);
                self.arithmetic(op, ty, a, b, right)
            }
        }
    }

    /// Whether a product is zero times a difference of pointers: macros that copy write that to have the compiler compare
    /// the types, of pointers into whatever objects.
    fn is_for_its_type(&self, lhs: ExprId, rhs: ExprId) -> bool {
        let (zero, other) = if self.number(lhs) == Some(0) { (lhs, rhs) } else { (rhs, lhs) };
        let mut difference = other;
        while let ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) = self.checked.tast[difference].kind {
            difference = operand;
        }
        let ExprKind::Binary { op: BinaryOp::Sub, lhs: a, rhs: b } = self.checked.tast[difference].kind else {
            return false;
        };
        let is_pointer = |side: ExprId| self.unit.is_pointer(self.type_at(side));
        self.number(zero) == Some(0)
            && is_pointer(a)
            && is_pointer(b)
            && !self.has_effects(other)
            && !self.decides(other)
    }

    /// Both operands, in gcc's order.
    fn operands(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> (Operand, Operand) {
        self.demand_order(&[lhs, rhs]);
        let swaps = is_comparison(op)
            || matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        if swaps && self.is_variable_read(lhs) && !self.is_variable_read(rhs) && self.has_effects(rhs) {
            let b = self.value(rhs);
            return (self.value(lhs), b);
        }
        let known = self.evaluate_first(lhs, rhs);
        let (a, b) = (self.value(lhs), self.value(rhs));
        self.forget(known);
        (a, b)
    }

    /// An operator on two values of type `ty`; the right one of a shift has type `right`.
    pub(crate) fn arithmetic(&mut self, op: BinaryOp, ty: TypeId, a: Operand, b: Operand, right: TypeId) -> Operand {
        if self.unit.is_float(ty) {
            return self.float_arithmetic(op, a, b);
        }
        let signed = self.unit.is_signed(ty);
        let overflow = self.overflow_check(ty);
        let division = Some(CheckKind::Division);
        let (op, check) = match op {
            BinaryOp::Add => (Op::Add, overflow),
            BinaryOp::Sub => (Op::Sub, overflow),
            BinaryOp::Mul => (Op::Mul, overflow),
            BinaryOp::Div => (if signed { Op::SDiv } else { Op::UDiv }, division),
            BinaryOp::Rem => (if signed { Op::SRem } else { Op::URem }, division),
            BinaryOp::BitAnd => (Op::And, None),
            BinaryOp::BitOr => (Op::Or, None),
            BinaryOp::BitXor => (Op::Xor, None),
            BinaryOp::Shl => return self.shift(Op::Shl, a, b, right),
            BinaryOp::Shr => return self.shift(if signed { Op::AShr } else { Op::LShr }, a, b, right),
            _ => unreachable!("comparisons and logic are lowered elsewhere"),
        };
        self.binary(op, a, b, check)
    }

    fn float_arithmetic(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let op = match op {
            BinaryOp::Add => Op::FloatAdd(NEAREST),
            BinaryOp::Sub => Op::FloatSub(NEAREST),
            BinaryOp::Mul => Op::FloatMul(NEAREST),
            BinaryOp::Div => Op::FloatDiv(NEAREST),
            _ => unreachable!("C has no other arithmetic on floats"),
        };
        self.binary(op, a, b, None)
    }

    /// A shift. The amount has its own type; one that is wider than the value is checked before it is cut.
    fn shift(&mut self, op: Op, a: Operand, b: Operand, right: TypeId) -> Operand {
        let (Type::Int(width), Type::Int(amount)) = (self.type_of(a), self.type_of(b)) else { return a };
        if amount <= width {
            let b = self.resize(b, width, self.unit.is_signed(right));
            return self.binary(op, a, b, Some(CheckKind::Shift));
        }
        let fits = self.binary(Op::Ult, b, Operand::int(amount, u128::from(width)), None);
        self.demand(fits, CheckKind::Shift);
        let b = self.resize(b, width, false);
        self.binary(op, a, b, None)
    }

    /// The truth of a comparison of two expressions.
    pub(crate) fn comparison(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Operand {
        let (a, b) = self.operands(op, lhs, rhs);
        self.compare(op, self.type_at(lhs), a, b)
    }

    /// The truth of a comparison of two values of type `ty`.
    pub(crate) fn compare(&mut self, op: BinaryOp, ty: TypeId, a: Operand, b: Operand) -> Operand {
        let (less, less_equal, equal) = if self.unit.is_float(ty) {
            (Op::FloatLt, Op::FloatLe, Op::FloatEq)
        } else if self.unit.is_signed(ty) {
            (Op::Slt, Op::Sle, Op::Eq)
        } else {
            (Op::Ult, Op::Ule, Op::Eq)
        };
        match op {
            BinaryOp::Lt => self.binary(less, a, b, None),
            BinaryOp::Le => self.binary(less_equal, a, b, None),
            BinaryOp::Gt => self.binary(less, b, a, None),
            BinaryOp::Ge => self.binary(less_equal, b, a, None),
            BinaryOp::Eq => self.binary(equal, a, b, None),
            _ if equal == Op::Eq => self.binary(Op::Ne, a, b, None),
            _ => {
                let same = self.binary(equal, a, b, None);
                self.unary(Unary::Not, same, None)
            }
        }
    }

    fn pointer_arithmetic(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Operand {
        let (left, right) = (self.type_at(lhs), self.type_at(rhs));
        let (a, b) = self.operands(op, lhs, rhs);
        if !self.unit.is_pointer(left) {
            return self.move_pointer(b, a, left, right, false);
        }
        if !self.unit.is_pointer(right) {
            return self.move_pointer(a, b, right, left, op == BinaryOp::Sub);
        }
        self.pointer_difference(a, b, left, ty)
    }

    /// A pointer of type `ty` moved by a number of elements of type `index_ty`.
    pub(crate) fn move_pointer(
        &mut self,
        pointer: Operand,
        index: Operand,
        index_ty: TypeId,
        ty: TypeId,
        back: bool,
    ) -> Operand {
        let Some(pointee) = self.unit.pointee(ty) else { return self.lost("arithmetic on this pointer", ty) };
        let width = self.pointer_width();
        let index = self.resize(index, width, self.unit.is_signed(index_ty));
        let index = if back { self.unary(Unary::Neg, index, None) } else { index };
        let signed = self.signed_word();
        self.element(pointer, index, signed, pointee, Some(CheckKind::PointerArithmetic))
    }

    fn pointer_difference(&mut self, a: Operand, b: Operand, pointer: TypeId, ty: TypeId) -> Operand {
        let Some(pointee) = self.unit.pointee(pointer) else { return self.lost("this difference", ty) };
        let check = Some(self.builder.check(CheckKind::PointerDifference));
        let width = self.pointer_width();
        let bytes = self.builder.define(Type::Int(width), |dest| InstKind::Distance { dest, a, b, check });
        let size = self.size_of(pointee);
        if size == Operand::int(width, 1) || size == Operand::int(width, 0) {
            return bytes;
        }
        self.binary(Op::SDiv, bytes, size, None)
    }

    /// The signed integer type of pointer width.
    pub(crate) fn signed_word(&self) -> TypeId {
        self.checked.types.int(rucc_types::IntKind::Long)
    }

    /// A truth value as a value of an integer type.
    pub(crate) fn truth_as(&mut self, truth: Operand, ty: TypeId) -> Operand {
        match self.unit.scalar(ty) {
            Some(Type::Int(width)) => self.resize(truth, width, false),
            _ => truth,
        }
    }
}

pub(crate) fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}
