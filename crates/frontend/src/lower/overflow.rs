//! Expressions: the overflow builtins.
//!
//! `__builtin_add_overflow` and the like compute exactly, in a type that holds every operand, and cut the result to the
//! type asked for; they answer whether anything was lost.

use super::body::Body;
use super::place::Reach;
use clew_ir::{Operand, Type};
use clew_scalar::{BinaryOp, UnaryOp};
use rucc_sema::{ExprId, ExprList, OverflowOp};
use rucc_types::TypeId;

impl Body<'_, '_> {
    pub(crate) fn overflow(&mut self, op: OverflowOp, at: TypeId, args: ExprList, stores: bool, ty: TypeId) -> Operand {
        let checked = self.checked;
        let &[lhs, rhs, third] = &checked.tast[args] else { return self.lost("this overflow check", ty) };
        let third_ty = self.type_at(third);
        let target = if stores { self.unit.pointee(third_ty).unwrap_or(third_ty) } else { third_ty };
        let (Some(Type::Int(width)), Some(Type::Int(cut_width))) = (self.unit.scalar(at), self.unit.scalar(target))
        else {
            return self.lost("this overflow check", ty);
        };
        let (a, b) = (self.exact(lhs, at), self.exact(rhs, at));
        let signed = self.unit.is_signed(at);
        let (exact, lost) = match width.checked_mul(2) {
            // Twice the width holds every sum, difference and product.
            Some(double) if double <= 128 => {
                let (a, b) = (self.resize(a, double, signed), self.resize(b, double, signed));
                (self.binary(operator(op), a, b, None), Operand::int(1, 0))
            }
            _ => self.widest(op, a, b, signed),
        };
        let Type::Int(exact_width) = self.type_of(exact) else { return self.lost("this overflow check", ty) };
        let cut = self.resize(exact, cut_width, false);
        let back = self.resize(cut, exact_width, self.unit.is_signed(target));
        let changed = self.binary(BinaryOp::Ne, exact, back, None);
        let lost = self.binary(BinaryOp::Or, lost, changed, None);
        if stores {
            let pointer = self.value(third);
            let place = self.place_at(pointer, target, Reach::Pointer);
            self.write(&place, cut);
        }
        self.truth_as(lost, ty)
    }

    /// The value of an operand in the type the arithmetic happens in.
    fn exact(&mut self, expr: ExprId, at: TypeId) -> Operand {
        let value = self.value(expr);
        self.convert(value, self.type_at(expr), at)
    }

    /// Arithmetic in the widest type there is: the wrapped result and whether it wrapped.
    fn widest(&mut self, op: OverflowOp, a: Operand, b: Operand, signed: bool) -> (Operand, Operand) {
        let result = self.binary(operator(op), a, b, None);
        let wrapped = match (op, signed) {
            (OverflowOp::Add, false) => self.binary(BinaryOp::Ult, result, a, None),
            (OverflowOp::Sub, false) => self.binary(BinaryOp::Ult, a, b, None),
            (OverflowOp::Add, true) => self.sign_differs(a, b, result, false),
            (OverflowOp::Sub, true) => self.sign_differs(a, b, result, true),
            (OverflowOp::Mul, _) => self.product_wrapped(a, b, result, signed),
        };
        (result, wrapped)
    }

    /// Whether a sum (or difference) has a sign its operands rule out.
    fn sign_differs(&mut self, a: Operand, b: Operand, result: Operand, is_difference: bool) -> Operand {
        let b = if is_difference { self.unary(UnaryOp::Not, b, None) } else { b };
        let from_a = self.binary(BinaryOp::Xor, a, result, None);
        let from_b = self.binary(BinaryOp::Xor, b, result, None);
        let both = self.binary(BinaryOp::And, from_a, from_b, None);
        let zero = self.zero(self.type_of(both));
        self.binary(BinaryOp::Slt, both, zero, None)
    }

    /// A product wrapped if dividing does not give the other factor back; `-1 * MIN` divides back and wraps.
    fn product_wrapped(&mut self, a: Operand, b: Operand, product: Operand, signed: bool) -> Operand {
        let quotient = self.binary(if signed { BinaryOp::SDiv } else { BinaryOp::UDiv }, product, a, None);
        let differs = self.binary(BinaryOp::Ne, quotient, b, None);
        let nonzero = self.is_nonzero(a);
        let wrapped = self.binary(BinaryOp::And, differs, nonzero, None);
        let (true, Type::Int(width)) = (signed, self.type_of(a)) else { return wrapped };
        let minus_one = self.binary(BinaryOp::Eq, a, Operand::int(width, u128::MAX), None);
        let smallest = self.binary(BinaryOp::Eq, b, Operand::int(width, 1 << (width - 1)), None);
        let special = self.binary(BinaryOp::And, minus_one, smallest, None);
        self.binary(BinaryOp::Or, wrapped, special, None)
    }
}

fn operator(op: OverflowOp) -> BinaryOp {
    match op {
        OverflowOp::Add => BinaryOp::Add,
        OverflowOp::Sub => BinaryOp::Sub,
        OverflowOp::Mul => BinaryOp::Mul,
    }
}
