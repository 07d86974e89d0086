//! Exceptional cases of float arithmetic: each operation made to overflow, to give NaN from numbers, to underflow, to
//! absorb an operand, to cancel, to divide by zero; each comparison made with a NaN.
//!
//! A result underflows here if it is subnormal, or zero although no operand is. A sum or difference absorbs an operand if
//! it equals one operand although the other is not zero; it cancels if its operands agree in half of their digits or
//! more and it is not zero, so that what errors they carry make up as much of it.
//! Conversions to narrower formats may overflow and underflow, too; those to integers are checks of the program.

use super::{Stating, points};
use crate::label::Label;
use crate::words;
use clew_ir::{Expr, Inst, InstKind, Operand, Type};
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, UnaryOp, Value};

/// A case in words, and when it holds.
type Case = (&'static str, Expr);

impl Stating<'_> {
    pub(super) fn float_exceptions(&mut self) {
        let exceptional = points(self.id, self.function).map(|(at, inst)| (at, inst, self.exceptional_cases(inst)));
        for (at, inst, cases) in exceptional.collect::<Vec<_>>() {
            let text = words::text(self.program, inst.span);
            for (happens, holds) in cases {
                self.state_label(Label { at, holds, span: inst.span, what: format!("`{text}` {happens}") });
            }
        }
    }

    fn exceptional_cases(&self, inst: &Inst) -> Vec<Case> {
        let result = |dest| Expr::from(Operand::Temp(dest));
        match inst.kind {
            InstKind::Binary { dest, op, a, b, .. } => match a.ty(self.function) {
                Type::Float(format) => binary(op, format, &a.into(), &b.into(), &result(dest)),
                _ => Vec::new(),
            },
            InstKind::Unary { dest, op: UnaryOp::FloatSqrt(_), a, .. } => {
                vec![("gives NaN", and(question(UnaryOp::FloatIsNan, &result(dest)), is_number(&a.into())))]
            }
            InstKind::Convert { dest, op: Conversion::FloatToFloat(to, _), a, .. } => match a.ty(self.function) {
                Type::Float(from) if from.significand > to.significand => narrowing(&a.into(), &result(dest)),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

fn binary(op: BinaryOp, format: Format, a: &Expr, b: &Expr, result: &Expr) -> Vec<Case> {
    let finite = || and(is_finite(a), is_finite(b));
    let overflow = || ("overflows to infinity", and(question(UnaryOp::FloatIsInfinite, result), finite()));
    let invalid = || {
        let nan = question(UnaryOp::FloatIsNan, result);
        ("gives NaN", and(nan, and(is_number(a), is_number(b))))
    };
    match op {
        BinaryOp::FloatAdd(_) | BinaryOp::FloatSub(_) => {
            let absorbs = ("absorbs an operand", and(finite(), absorption(op, a, b, result)));
            let cancels = ("cancels half of the digits or more", and(finite(), cancellation(format, a, result)));
            vec![overflow(), invalid(), absorbs, cancels]
        }
        BinaryOp::FloatMul(_) => {
            let operands = and(nonzero(a), nonzero(b));
            vec![overflow(), invalid(), ("underflows", and(tiny(result), and(operands, finite())))]
        }
        BinaryOp::FloatDiv(_) => {
            let zero = question(UnaryOp::FloatIsZero, b);
            let by_zero = and(zero, and(is_finite(a), nonzero(a)));
            let (_, overflows) = overflow();
            vec![
                ("overflows to infinity", and(overflows, nonzero(b))),
                invalid(),
                ("underflows", and(tiny(result), and(nonzero(a), finite()))),
                ("divides by zero", by_zero),
            ]
        }
        BinaryOp::FloatMod | BinaryOp::FloatRem => vec![invalid()],
        BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe => {
            let (left, right) = (question(UnaryOp::FloatIsNan, a), question(UnaryOp::FloatIsNan, b));
            vec![("compares with a NaN", Expr::binary(BinaryOp::Or, left, right))]
        }
        _ => Vec::new(),
    }
}

fn narrowing(a: &Expr, result: &Expr) -> Vec<Case> {
    vec![
        ("overflows to infinity", and(question(UnaryOp::FloatIsInfinite, result), is_finite(a))),
        ("underflows", and(tiny(result), nonzero(a))),
    ]
}

/// Whether a sum or difference is one of its operands although the other is not zero.
fn absorption(op: BinaryOp, a: &Expr, b: &Expr, result: &Expr) -> Expr {
    let equals = |operand: Expr| Expr::binary(BinaryOp::FloatEq, result.clone(), operand);
    let right = match op {
        BinaryOp::FloatSub(_) => Expr::unary(UnaryOp::FloatNeg, b.clone()),
        _ => b.clone(),
    };
    let swallows_b = and(equals(a.clone()), nonzero(b));
    let swallows_a = and(equals(right), nonzero(a));
    Expr::binary(BinaryOp::Or, swallows_b, swallows_a)
}

/// Whether a sum or difference is smaller than an operand by half of the digits, and not zero.
fn cancellation(format: Format, a: &Expr, result: &Expr) -> Expr {
    let digits = i32::from(format.significand) / 2;
    let bits = ((format.bias() + digits) as u128) << (format.significand - 1);
    let factor = Operand::Const(Value { ty: clew_scalar::Type::Float(format), bits });
    let size = |operand: &Expr| Expr::unary(UnaryOp::FloatAbs, operand.clone());
    let scaled = Expr::binary(BinaryOp::FloatMul(Rounding::NearestEven), size(result), factor.into());
    and(nonzero(result), Expr::binary(BinaryOp::FloatLe, scaled, size(a)))
}

fn tiny(result: &Expr) -> Expr {
    let (subnormal, zero) = (question(UnaryOp::FloatIsSubnormal, result), question(UnaryOp::FloatIsZero, result));
    Expr::binary(BinaryOp::Or, subnormal, zero)
}

fn is_finite(a: &Expr) -> Expr {
    and(is_number(a), not(question(UnaryOp::FloatIsInfinite, a)))
}

fn is_number(a: &Expr) -> Expr {
    not(question(UnaryOp::FloatIsNan, a))
}

fn nonzero(a: &Expr) -> Expr {
    not(question(UnaryOp::FloatIsZero, a))
}

fn question(op: UnaryOp, a: &Expr) -> Expr {
    Expr::unary(op, a.clone())
}

fn not(a: Expr) -> Expr {
    Expr::unary(UnaryOp::Not, a)
}

fn and(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::And, a, b)
}
