//! Operators of floating-point numbers.
//!
//! A rounding mode that is not a constant becomes a choice between the five results. Where SMT-LIB leaves a result
//! open, it is an unknown function: `fp.min` and `fp.max` of zeros of different sign ask one unknown bit per order
//! of the zeros, and a conversion to integers that does not fit reads an unknown array at the bits of its operand, so
//! that equal operands have equal results and nothing else is assumed.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp};

use super::core::Applied;
use super::expression::{Expr, Operator};
use super::script::Script;
use super::sort::{ROUNDING_WIDTH, ROUNDINGS, Sort};
use crate::term::{self, TermId, Terms};

impl<'a> Script<'a> {
    pub(super) fn floating(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        match (operator.name, operator.indices.is_empty()) {
            ("to_fp" | "to_fp_unsigned", false) => self.float_from(operator, operands),
            ("fp.to_ubv" | "fp.to_sbv", false) => self.integer_from(operator, operands),
            ("fp", true) => Ok(self.triple(operands)),
            (_, true) => Ok(self.plain(operator.name, operands)),
            _ => Ok(None),
        }
    }

    /// `(fp sign exponent significand)`.
    fn triple(&mut self, operands: &[Expr]) -> Option<(Sort, TermId)> {
        match *operands {
            [
                Expr::Term(Sort::BitVec(1), sign),
                Expr::Term(Sort::BitVec(exponent_width @ 2..=15), exponent),
                Expr::Term(Sort::BitVec(fraction_width @ 1..=112), fraction),
            ] => {
                let format = Format { exponent: exponent_width, significand: fraction_width + 1 };
                let terms = self.solver.terms_mut();
                let high = terms.concat(sign, exponent);
                let bits = terms.concat(high, fraction);
                Some((Sort::Float(format), terms.convert(Conversion::BitsToFloat(format), bits)))
            }
            _ => None,
        }
    }

    fn plain(&mut self, name: &str, operands: &[Expr]) -> Option<(Sort, TermId)> {
        let (rounding, rest) = match operands {
            [Expr::Term(Sort::RoundingMode, rounding), rest @ ..] => (Some(*rounding), rest),
            _ => (None, operands),
        };
        let Some(&Expr::Term(sort @ Sort::Float(format), _)) = rest.first() else { return None };
        let floats: Option<Vec<TermId>> = rest
            .iter()
            .map(|operand| match *operand {
                Expr::Term(other, term) if other == sort => Some(term),
                _ => None,
            })
            .collect();
        let floats = floats?;
        let terms = self.solver.terms_mut();
        if let Some(rounding) = rounding {
            return rounded(terms, name, rounding, &floats).map(|term| (sort, term));
        }
        match floats[..] {
            [a] => classify(terms, name, a).map(|term| (Sort::Bool, term)).or_else(|| match name {
                "fp.abs" => Some((sort, terms.unary(UnaryOp::FloatAbs, a))),
                "fp.neg" => Some((sort, terms.unary(UnaryOp::FloatNeg, a))),
                _ => None,
            }),
            [a, b] if name == "fp.rem" => Some((sort, terms.binary(BinaryOp::FloatRem, a, b))),
            [a, b] if matches!(name, "fp.min" | "fp.max") => Some((sort, self.extremum(name, format, a, b))),
            [_, _, ..] => compare_all(terms, name, &floats).map(|term| (Sort::Bool, term)),
            [] => None,
        }
    }

    /// `fp.min` or `fp.max`; of zeros of different sign either may come out.
    fn extremum(&mut self, name: &str, format: Format, a: TermId, b: TermId) -> TermId {
        let op = if name == "fp.min" { BinaryOp::FloatMin } else { BinaryOp::FloatMax };
        let unknown: [TermId; 2] =
            ["+-", "-+"].map(|order| self.unspecified(format!("{name} {format} {order}"), term::Sort::BOOL));
        let terms = self.solver.terms_mut();
        let defined = terms.binary(op, a, b);
        let zeros = [a, b].map(|x| terms.unary(UnaryOp::FloatIsZero, x));
        let signs = [a, b].map(|x| terms.unary(UnaryOp::FloatIsNegative, x));
        let both_zero = terms.and(zeros[0], zeros[1]);
        let differ = terms.binary(BinaryOp::Xor, signs[0], signs[1]);
        let open = terms.and(both_zero, differ);
        let negative = terms.select(signs[0], unknown[1], unknown[0]);
        let (minus, plus) = (terms.float(format, format.zero(true)), terms.float(format, format.zero(false)));
        let either = terms.select(negative, minus, plus);
        terms.select(open, either, defined)
    }

    /// `((_ to_fp e s) ...)` in its four forms, and `to_fp_unsigned`.
    fn float_from(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        let &[exponent, significand] = operator.indices else { return Ok(None) };
        let format = self.format(operator.id, exponent, significand)?;
        let terms = self.solver.terms_mut();
        let result = match (operator.name, operands) {
            ("to_fp", &[Expr::Term(Sort::BitVec(width), bits)]) if width == format.width() => {
                terms.convert(Conversion::BitsToFloat(format), bits)
            }
            ("to_fp", &[Expr::Term(Sort::RoundingMode, mode), Expr::Term(Sort::Float(_), a)]) => {
                each_rounding(terms, mode, |terms, mode| terms.convert(Conversion::FloatToFloat(format, mode), a))
            }
            ("to_fp", &[Expr::Term(Sort::RoundingMode, mode), Expr::Term(Sort::BitVec(_), a)]) => {
                each_rounding(terms, mode, |terms, mode| terms.convert(Conversion::SignedToFloat(format, mode), a))
            }
            ("to_fp_unsigned", &[Expr::Term(Sort::RoundingMode, mode), Expr::Term(Sort::BitVec(_), a)]) => {
                each_rounding(terms, mode, |terms, mode| terms.convert(Conversion::UnsignedToFloat(format, mode), a))
            }
            ("to_fp", [Expr::Term(Sort::RoundingMode, mode), Expr::Real(real)]) => {
                each_rounding(terms, *mode, |terms, mode| terms.float(format, real.round(format, mode)))
            }
            _ => return Ok(None),
        };
        Ok(Some((Sort::Float(format), result)))
    }

    /// `((_ fp.to_ubv w) rm x)` and `((_ fp.to_sbv w) rm x)`.
    fn integer_from(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        let &[width] = operator.indices else { return Ok(None) };
        let width = self.width(width)?;
        let &[Expr::Term(Sort::RoundingMode, mode), Expr::Term(Sort::Float(format), a)] = operands else {
            return Ok(None);
        };
        let signed = operator.name == "fp.to_sbv";
        let unknown: Vec<TermId> = ROUNDINGS
            .iter()
            .map(|(_, mode, _)| {
                let sort = term::Sort::Array { index: Type::Float(format), element: Type::Int(width) };
                self.unspecified(format!("{} {width} {mode} {format}", operator.name), sort)
            })
            .collect();
        let result = each_rounding(self.solver.terms_mut(), mode, |terms, mode| {
            let code = ROUNDINGS.iter().position(|&(other, ..)| other == mode).expect("all modes are listed");
            integer_or_unknown(terms, format, width, signed, mode, a, unknown[code])
        });
        Ok(Some((Sort::BitVec(width), result)))
    }
}

/// The integer a float rounds to where it fits, the element of the unknown array otherwise.
fn integer_or_unknown(
    terms: &mut Terms,
    format: Format,
    width: u8,
    signed: bool,
    mode: Rounding,
    a: TermId,
    unknown: TermId,
) -> TermId {
    let op = if signed { Conversion::FloatToSigned(width, mode) } else { Conversion::FloatToUnsigned(width, mode) };
    let fits = fits_integer(terms, format, width, signed, mode, a);
    let number = terms.convert(op, a);
    let other = terms.read(unknown, a);
    terms.select(fits, number, other)
}

/// Whether a float, rounded to an integer, is one of the given width and sign.
fn fits_integer(terms: &mut Terms, format: Format, width: u8, signed: bool, mode: Rounding, a: TermId) -> TermId {
    let rounded = terms.unary(UnaryOp::FloatRoundToIntegral(mode), a);
    let magnitude_bits = if signed { width - 1 } else { width };
    let below = match power_of_two(format, magnitude_bits) {
        Some(limit) => {
            let limit = terms.float(format, limit);
            terms.binary(BinaryOp::FloatLt, rounded, limit)
        }
        None => is_finite(terms, rounded),
    };
    let above = match power_of_two(format, magnitude_bits) {
        _ if !signed => {
            let zero = terms.float(format, format.zero(false));
            terms.binary(BinaryOp::FloatLe, zero, rounded)
        }
        Some(limit) => {
            let limit = terms.float(format, limit | format.sign_mask());
            terms.binary(BinaryOp::FloatLe, limit, rounded)
        }
        None => is_finite(terms, rounded),
    };
    terms.and(above, below)
}

/// The bits of `2^exponent`, if the format reaches it.
fn power_of_two(format: Format, exponent: u8) -> Option<u128> {
    let exponent = i32::from(exponent);
    let biased = u128::try_from(exponent + format.bias()).ok()?;
    (exponent <= format.emax()).then(|| biased << (format.significand - 1))
}

fn is_finite(terms: &mut Terms, a: TermId) -> TermId {
    let (nan, infinite) = (terms.unary(UnaryOp::FloatIsNan, a), terms.unary(UnaryOp::FloatIsInfinite, a));
    let neither = terms.or(nan, infinite);
    terms.not(neither)
}

/// A result that depends on the rounding mode: a choice between five, unless the mode is known.
fn each_rounding(terms: &mut Terms, mode: TermId, mut result: impl FnMut(&mut Terms, Rounding) -> TermId) -> TermId {
    if let Some(code) = terms.bits(mode) {
        let last = ROUNDINGS.len() - 1;
        return result(terms, ROUNDINGS[usize::try_from(code).unwrap_or(last).min(last)].0);
    }
    let mut chosen = result(terms, ROUNDINGS[ROUNDINGS.len() - 1].0);
    for (code, &(rounding, ..)) in ROUNDINGS.iter().enumerate().rev().skip(1) {
        let code = terms.int(ROUNDING_WIDTH, code as u128);
        let is_mode = terms.eq(mode, code);
        let value = result(terms, rounding);
        chosen = terms.select(is_mode, value, chosen);
    }
    chosen
}

/// Operators that take a rounding mode.
fn rounded(terms: &mut Terms, name: &str, mode: TermId, floats: &[TermId]) -> Option<TermId> {
    let binary: fn(Rounding) -> BinaryOp = match (name, floats) {
        ("fp.add", [_, _]) => BinaryOp::FloatAdd,
        ("fp.sub", [_, _]) => BinaryOp::FloatSub,
        ("fp.mul", [_, _]) => BinaryOp::FloatMul,
        ("fp.div", [_, _]) => BinaryOp::FloatDiv,
        ("fp.sqrt", &[a]) => {
            return Some(each_rounding(terms, mode, |terms, mode| terms.unary(UnaryOp::FloatSqrt(mode), a)));
        }
        ("fp.roundToIntegral", &[a]) => {
            return Some(each_rounding(terms, mode, |terms, mode| terms.unary(UnaryOp::FloatRoundToIntegral(mode), a)));
        }
        ("fp.fma", &[a, b, c]) => {
            return Some(each_rounding(terms, mode, |terms, mode| terms.ternary(TernaryOp::FloatFma(mode), a, b, c)));
        }
        _ => return None,
    };
    Some(each_rounding(terms, mode, |terms, mode| terms.binary(binary(mode), floats[0], floats[1])))
}

fn classify(terms: &mut Terms, name: &str, a: TermId) -> Option<TermId> {
    let op = match name {
        "fp.isNaN" => UnaryOp::FloatIsNan,
        "fp.isInfinite" => UnaryOp::FloatIsInfinite,
        "fp.isZero" => UnaryOp::FloatIsZero,
        "fp.isNormal" => UnaryOp::FloatIsNormal,
        "fp.isSubnormal" => UnaryOp::FloatIsSubnormal,
        "fp.isNegative" => UnaryOp::FloatIsNegative,
        "fp.isPositive" => {
            let (nan, negative) = (terms.unary(UnaryOp::FloatIsNan, a), terms.unary(UnaryOp::FloatIsNegative, a));
            let neither = terms.or(nan, negative);
            return Some(terms.not(neither));
        }
        _ => return None,
    };
    Some(terms.unary(op, a))
}

/// A chain of comparisons.
fn compare_all(terms: &mut Terms, name: &str, floats: &[TermId]) -> Option<TermId> {
    let (op, swap) = match name {
        "fp.eq" => (BinaryOp::FloatEq, false),
        "fp.lt" => (BinaryOp::FloatLt, false),
        "fp.leq" => (BinaryOp::FloatLe, false),
        "fp.gt" => (BinaryOp::FloatLt, true),
        "fp.geq" => (BinaryOp::FloatLe, true),
        _ => return None,
    };
    let mut result = terms.bool(true);
    for pair in floats.windows(2) {
        let (a, b) = if swap { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
        let holds = terms.binary(op, a, b);
        result = terms.and(result, holds);
    }
    Some(result)
}
