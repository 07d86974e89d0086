//! Arithmetic, comparisons and conversions.

use clew_ir::{CheckId, Inst, InstKind, Operand, Span, TempId};
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};

use super::check;
use crate::path::Path;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Val};

impl Stepper<'_> {
    pub(super) fn arithmetic(&mut self, path: &mut Path, inst: &Inst) -> Step {
        match &inst.kind {
            InstKind::Unary { dest, op, a, check } => {
                let a = self.scalar(path, *a)?;
                if let (UnaryOp::Neg, Some(check)) = (op, check) {
                    let ok = check::no_negation_overflow(self.constraints.terms(), a);
                    self.demand(path, ok, *check, inst.span, "the negated value is not representable")?;
                }
                let result = value::unary(self.constraints.terms(), *op, a);
                self.define(path, *dest, result)
            }
            InstKind::Binary { dest, op, a, b, check } => self.binary(path, *dest, *op, (*a, *b), *check, inst.span),
            InstKind::Ternary { dest, op: TernaryOp::Select, a, b, c } => self.select(path, *dest, *a, *b, *c),
            InstKind::Ternary { dest, op, a, b, c } => {
                let (a, b, c) = (self.scalar(path, *a)?, self.scalar(path, *b)?, self.scalar(path, *c)?);
                let result = value::ternary(self.constraints.terms(), *op, a, b, c);
                self.define(path, *dest, result)
            }
            InstKind::Convert { dest, op, a, check } => self.conversion(path, *dest, *op, *a, *check, inst.span),
            _ => unreachable!("only arithmetic comes here"),
        }
    }

    fn binary(
        &mut self,
        path: &mut Path,
        dest: TempId,
        op: BinaryOp,
        (a, b): (Operand, Operand),
        check: Option<CheckId>,
        span: Span,
    ) -> Step {
        let (left, right) = (self.operand(path, a)?, self.operand(path, b)?);
        if let Some(result) = self.pointer_operation(path, op, left, right)? {
            return self.define(path, dest, result);
        }
        let (a, b) = (self.as_scalar(path, left)?, self.as_scalar(path, right)?);
        if let Some(check) = check {
            self.check_binary(path, op, (a, b), check, span)?;
        }
        let result = value::binary(self.constraints.terms(), op, a, b);
        self.define(path, dest, result)
    }

    fn check_binary(
        &mut self,
        path: &mut Path,
        op: BinaryOp,
        (a, b): (value::Scalar, value::Scalar),
        check: CheckId,
        span: Span,
    ) -> Step {
        let terms = self.constraints.terms();
        let (ok, what) = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => (check::no_overflow(terms, op, a, b), "signed overflow"),
            BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::UDiv | BinaryOp::URem => {
                (check::divisible(terms, op, a, b), "division by zero, or the quotient is not representable")
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                (check::shiftable(terms, b), "the shift amount is not less than the width")
            }
            _ => return Ok(()),
        };
        self.demand(path, ok, check, span, what)
    }

    fn select(&mut self, path: &mut Path, dest: TempId, condition: Operand, then: Operand, other: Operand) -> Step {
        let condition = self.scalar(path, condition)?;
        let (then, other) = (self.operand(path, then)?, self.operand(path, other)?);
        let result = match (then, other) {
            (Val::Scalar(then), Val::Scalar(other)) => {
                let terms = self.constraints.terms();
                Val::Scalar(value::ternary(terms, TernaryOp::Select, condition, then, other))
            }
            _ => match self.make_known(path, condition)? {
                0 => other,
                _ => then,
            },
        };
        self.define(path, dest, result)
    }

    fn conversion(
        &mut self,
        path: &mut Path,
        dest: TempId,
        op: Conversion,
        a: Operand,
        check: Option<CheckId>,
        span: Span,
    ) -> Step {
        let a = self.scalar(path, a)?;
        if let (Conversion::FloatToSigned(..) | Conversion::FloatToUnsigned(..), Some(check)) = (op, check) {
            let ok = check::float_fits(self.constraints.terms(), op, a);
            self.demand(path, ok, check, span, "the float is outside the range of the integer type")?;
        }
        let result = value::convert(self.constraints.terms(), op, a);
        self.define(path, dest, result)
    }
}
