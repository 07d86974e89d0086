//! Reals in contracts: C floats compared with constants.
//!
//! A constant that the format cannot represent lies between two floats; comparing with the nearer one on the proper side
//! is exact.

use clew_ir::contract::{CompareOp, FloatClass, Sort, Term, TermKind, UnaryOp as LogicUnary};
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, Type, UnaryOp, Value, float};
use clew_solver::term::Terms;

use super::ContractReader;
use crate::scope::unsupported;
use crate::stepped::Step;
use crate::value::{self, Scalar};

/// A real as far as contracts need it.
enum Real {
    Float(Scalar, Format),
    /// A constant by its digits, and whether it is negated.
    Constant(String, bool),
}

impl ContractReader<'_, '_> {
    pub(super) fn compare_reals(&mut self, op: CompareOp, a: &Term, b: &Term) -> Step<Scalar> {
        match (self.real(a)?, self.real(b)?) {
            (Real::Float(a, format), Real::Float(b, other)) => {
                let (a, b) = widened_floats(self.terms(), (a, format), (b, other));
                Ok(compare_floats(self.terms(), op, a, b))
            }
            (Real::Float(a, format), Real::Constant(digits, negative)) => {
                compare_constant(self.terms(), op, a, format, &digits, negative)
            }
            (Real::Constant(digits, negative), Real::Float(b, format)) => {
                compare_constant(self.terms(), op.flipped(), b, format, &digits, negative)
            }
            _ => unsupported("arithmetic on reals"),
        }
    }

    fn real(&mut self, term: &Term) -> Step<Real> {
        match &term.kind {
            TermKind::Real(digits) => Ok(Real::Constant(digits.clone(), false)),
            TermKind::Integer(number) => Ok(Real::Constant(number.unsigned_abs().to_string(), *number < 0)),
            TermKind::Unary(LogicUnary::Neg, inner) => match self.real(inner)? {
                Real::Constant(digits, negative) => Ok(Real::Constant(digits, !negative)),
                Real::Float(..) => unsupported("arithmetic on reals"),
            },
            TermKind::Convert(inner) if matches!(inner.sort, Sort::C(_)) => {
                let scalar = self.c_scalar(inner)?;
                match scalar.ty(self.terms()) {
                    Type::Float(format) => Ok(Real::Float(scalar, format)),
                    Type::Int(_) => unsupported("an integer variable as a real"),
                }
            }
            TermKind::Convert(inner) => self.real(inner),
            _ => unsupported("arithmetic on reals"),
        }
    }

    /// `(float) a`, `(double) a`: rounded to nearest, as C converts.
    pub(super) fn cast_to_float(&mut self, inner: &Term, format: Format) -> Step<Scalar> {
        let nearest = Rounding::NearestEven;
        if inner.sort == Sort::Integer {
            let integer = self.integer(inner)?;
            let op = Conversion::SignedToFloat(format, nearest);
            return Ok(value::convert(self.terms(), op, integer));
        }
        if inner.sort == Sort::Real {
            return match self.real(inner)? {
                Real::Float(scalar, from) if from == format => Ok(scalar),
                Real::Float(scalar, _) => {
                    Ok(value::convert(self.terms(), Conversion::FloatToFloat(format, nearest), scalar))
                }
                Real::Constant(digits, negative) => {
                    let text = if negative { format!("-{digits}") } else { digits };
                    let bits = float::parse(format, nearest, &text);
                    bits.map_or_else(
                        || unsupported("this constant"),
                        |bits| Ok(Scalar::Known(Value::float(format, bits))),
                    )
                }
            };
        }
        let scalar = self.c_scalar(inner)?;
        let op = match scalar.ty(self.terms()) {
            Type::Float(from) if from == format => return Ok(scalar),
            Type::Float(_) => Conversion::FloatToFloat(format, nearest),
            Type::Int(_) if self.stepper.program.ctypes.is_signed(self.c_type(inner)?) => {
                Conversion::SignedToFloat(format, nearest)
            }
            Type::Int(_) => Conversion::UnsignedToFloat(format, nearest),
        };
        Ok(value::convert(self.terms(), op, scalar))
    }
}

/// Two floats in the wider of their formats, which holds every number of the other one.
fn widened_floats(terms: &mut Terms, (a, format): (Scalar, Format), (b, other): (Scalar, Format)) -> (Scalar, Scalar) {
    let to = |format| Conversion::FloatToFloat(format, Rounding::NearestEven);
    match format.width().cmp(&other.width()) {
        std::cmp::Ordering::Equal => (a, b),
        std::cmp::Ordering::Less => (value::convert(terms, to(other), a), b),
        std::cmp::Ordering::Greater => (a, value::convert(terms, to(format), b)),
    }
}

fn compare_constant(
    terms: &mut Terms,
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
        return Ok(compare_floats(terms, op, a, Scalar::Known(down)));
    }
    Ok(match op {
        CompareOp::Eq => Scalar::bool(false),
        CompareOp::Ne => Scalar::bool(true),
        CompareOp::Lt | CompareOp::Le => compare_floats(terms, CompareOp::Le, a, Scalar::Known(down)),
        CompareOp::Gt | CompareOp::Ge => compare_floats(terms, CompareOp::Ge, a, Scalar::Known(up)),
    })
}

/// IEEE comparison.
pub(super) fn compare_floats(terms: &mut Terms, op: CompareOp, a: Scalar, b: Scalar) -> Scalar {
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

pub(super) fn float_class(terms: &mut Terms, class: FloatClass, a: Scalar) -> Scalar {
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
