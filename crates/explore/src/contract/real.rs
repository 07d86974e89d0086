//! Reals in contracts: C floats compared with constants.
//!
//! A constant that the format cannot represent lies between two floats; comparing with the nearer one on the proper side
//! is exact.

use clew_ir::contract::{CompareOp, FloatClass, Sort, Term, TermKind, UnaryOp as LogicUnary};
use clew_scalar::{BinaryOp, Format, Rounding, Type, UnaryOp, Value, float};

use super::{Scope, unsupported};
use crate::step::Step;
use crate::value::{self, Scalar};
use crate::{Explorer, Path};

/// A real as far as contracts need it.
enum Real {
    Float(Scalar, Format),
    /// A constant by its digits, and whether it is negated.
    Constant(String, bool),
}

impl Explorer<'_> {
    pub(super) fn compare_reals(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        op: CompareOp,
        a: &Term,
        b: &Term,
    ) -> Step<Scalar> {
        match (self.real(path, scope, a)?, self.real(path, scope, b)?) {
            (Real::Float(a, format), Real::Float(b, other)) if format == other => Ok(self.compare_floats(op, a, b)),
            (Real::Float(a, format), Real::Constant(digits, negative)) => {
                self.compare_constant(op, a, format, &digits, negative)
            }
            (Real::Constant(digits, negative), Real::Float(b, format)) => {
                self.compare_constant(op.flipped(), b, format, &digits, negative)
            }
            _ => unsupported("arithmetic on reals"),
        }
    }

    fn real(&mut self, path: &mut Path, scope: &Scope, term: &Term) -> Step<Real> {
        match &term.kind {
            TermKind::Real(digits) => Ok(Real::Constant(digits.clone(), false)),
            TermKind::Integer(number) => Ok(Real::Constant(number.unsigned_abs().to_string(), *number < 0)),
            TermKind::Unary(LogicUnary::Neg, inner) => match self.real(path, scope, inner)? {
                Real::Constant(digits, negative) => Ok(Real::Constant(digits, !negative)),
                Real::Float(..) => unsupported("arithmetic on reals"),
            },
            TermKind::Convert(inner) if matches!(inner.sort, Sort::C(_)) => {
                let scalar = self.c_scalar(path, scope, inner)?;
                match scalar.ty(self.constraints.terms()) {
                    Type::Float(format) => Ok(Real::Float(scalar, format)),
                    Type::Int(_) => unsupported("an integer variable as a real"),
                }
            }
            TermKind::Convert(inner) => self.real(path, scope, inner),
            _ => unsupported("arithmetic on reals"),
        }
    }

    fn compare_constant(
        &mut self,
        op: CompareOp,
        a: Scalar,
        format: Format,
        digits: &str,
        negative: bool,
    ) -> Step<Scalar> {
        let text = if negative { format!("-{digits}") } else { digits.to_owned() };
        let rounded = |rounding| float::parse(format, rounding, &text).map(|bits| Value::float(format, bits));
        let (Some(down), Some(up)) = (rounded(Rounding::Down), rounded(Rounding::Up)) else {
            return unsupported("this constant");
        };
        if down.bits == up.bits {
            return Ok(self.compare_floats(op, a, Scalar::Known(down)));
        }
        Ok(match op {
            CompareOp::Eq => Scalar::bool(false),
            CompareOp::Ne => Scalar::bool(true),
            CompareOp::Lt | CompareOp::Le => self.compare_floats(CompareOp::Le, a, Scalar::Known(down)),
            CompareOp::Gt | CompareOp::Ge => self.compare_floats(CompareOp::Ge, a, Scalar::Known(up)),
        })
    }

    /// IEEE comparison.
    pub(super) fn compare_floats(&mut self, op: CompareOp, a: Scalar, b: Scalar) -> Scalar {
        let terms = self.constraints.terms();
        match op {
            CompareOp::Eq => value::binary(terms, BinaryOp::FloatEq, a, b),
            CompareOp::Ne => {
                let equal = value::binary(terms, BinaryOp::FloatEq, a, b);
                value::not(terms, equal)
            }
            CompareOp::Lt => value::binary(terms, BinaryOp::FloatLt, a, b),
            CompareOp::Le => value::binary(terms, BinaryOp::FloatLe, a, b),
            CompareOp::Gt => value::binary(terms, BinaryOp::FloatLt, b, a),
            CompareOp::Ge => value::binary(terms, BinaryOp::FloatLe, b, a),
        }
    }

    pub(super) fn float_class(&mut self, class: FloatClass, a: Scalar) -> Scalar {
        let terms = self.constraints.terms();
        let nan = value::unary(terms, UnaryOp::FloatIsNan, a);
        let infinite = value::unary(terms, UnaryOp::FloatIsInfinite, a);
        match class {
            FloatClass::Nan => nan,
            FloatClass::Infinite => infinite,
            FloatClass::Finite => {
                let either = value::binary(terms, BinaryOp::Or, nan, infinite);
                value::not(terms, either)
            }
        }
    }
}
