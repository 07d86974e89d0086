//! Operators of fixed-size bit-vectors.

use clew_scalar::{BinaryOp, Conversion, UnaryOp};

use super::core::Applied;
use super::expression::{Expr, Operator};
use super::script::Script;
use super::sort::Sort;
use crate::term::{TermId, Terms};

impl<'a> Script<'a> {
    /// Operators whose name begins with `bv`.
    pub(super) fn bitvector(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        let Some((width, vectors)) = vectors(operands) else { return Ok(None) };
        if !operator.indices.is_empty() {
            return Ok(None);
        }
        let terms = self.solver.terms_mut();
        let name = operator.name;
        if let Some(op) = associative(name) {
            let result = vectors.into_iter().reduce(|a, b| terms.binary(op, a, b));
            return Ok(result.filter(|_| operands.len() >= 2).map(|result| (Sort::BitVec(width), result)));
        }
        Ok(match vectors[..] {
            [a] => unary(terms, name, a, width),
            [a, b] if name == "bvcomp" => Some((Sort::BitVec(1), terms.eq(a, b))),
            [a, b] => binary(terms, name, a, b)
                .map(|result| (Sort::BitVec(width), result))
                .or_else(|| predicate(terms, name, a, b).map(|result| (Sort::Bool, result))),
            _ => None,
        })
    }

    /// Slices: concatenation, extraction, extension, rotation, repetition.
    pub(super) fn slice(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        let (name, indices) = (operator.name, operator.indices);
        if name == "concat" {
            return self.concatenation(operator, operands);
        }
        let &[Expr::Term(Sort::BitVec(width), a)] = operands else { return Ok(None) };
        match (name, indices) {
            ("extract", &[hi, lo]) => {
                let (high, low) = (self.numeral(hi)?, self.numeral(lo)?);
                if high >= u128::from(width) || low > high {
                    return Err(self
                        .sexprs
                        .error(operator.id, format!("bits {high} to {low} are not all among {width}")));
                }
                let result = self.solver.terms_mut().extract(high as u8, low as u8, a);
                Ok(Some((Sort::BitVec((high - low) as u8 + 1), result)))
            }
            ("zero_extend" | "sign_extend", &[by]) => {
                let wide = self.checked_width(operator.id, u128::from(width).saturating_add(self.numeral(by)?))?;
                let zero = name == "zero_extend";
                let op = if zero { Conversion::ZeroExtend(wide) } else { Conversion::SignExtend(wide) };
                Ok(Some((Sort::BitVec(wide), self.solver.terms_mut().convert(op, a))))
            }
            ("rotate_left" | "rotate_right", &[by]) => {
                let by = (self.numeral(by)? % u128::from(width)) as u8;
                let left = if name == "rotate_left" || by == 0 { by } else { width - by };
                Ok(Some((Sort::BitVec(width), rotate_left(self.solver.terms_mut(), a, left))))
            }
            ("repeat", &[times]) => {
                let times = self.numeral(times)?;
                let wide = self.checked_width(operator.id, u128::from(width).saturating_mul(times))?;
                let terms = self.solver.terms_mut();
                let result = (1..times).fold(a, |result, _| terms.concat(result, a));
                Ok(Some((Sort::BitVec(wide), result)))
            }
            _ => Ok(None),
        }
    }

    fn concatenation(&mut self, operator: &Operator<'a, '_>, operands: &[Expr]) -> Applied {
        let mut result: Option<(u8, TermId)> = None;
        for operand in operands {
            let &Expr::Term(Sort::BitVec(width), term) = operand else { return Ok(None) };
            result = Some(match result {
                None => (width, term),
                Some((above, high)) => {
                    let wide = self.checked_width(operator.id, u128::from(above) + u128::from(width))?;
                    (wide, self.solver.terms_mut().concat(high, term))
                }
            });
        }
        let valid = operands.len() >= 2 && operator.indices.is_empty();
        Ok(result.filter(|_| valid).map(|(width, term)| (Sort::BitVec(width), term)))
    }
}

/// The operands as bit-vectors of one width.
fn vectors(operands: &[Expr]) -> Option<(u8, Vec<TermId>)> {
    let Some(&Expr::Term(Sort::BitVec(width), _)) = operands.first() else { return None };
    let terms = operands.iter().map(|operand| match *operand {
        Expr::Term(Sort::BitVec(other), term) if other == width => Some(term),
        _ => None,
    });
    Some((width, terms.collect::<Option<_>>()?))
}

fn associative(name: &str) -> Option<BinaryOp> {
    match name {
        "bvadd" => Some(BinaryOp::Add),
        "bvmul" => Some(BinaryOp::Mul),
        "bvand" => Some(BinaryOp::And),
        "bvor" => Some(BinaryOp::Or),
        "bvxor" => Some(BinaryOp::Xor),
        _ => None,
    }
}

fn unary(terms: &mut Terms, name: &str, a: TermId, width: u8) -> Option<(Sort, TermId)> {
    match name {
        "bvnot" => Some((Sort::BitVec(width), terms.not(a))),
        "bvneg" => Some((Sort::BitVec(width), terms.unary(UnaryOp::Neg, a))),
        "bvnego" => {
            let least = terms.int(width, 1 << (width - 1));
            Some((Sort::Bool, terms.eq(a, least)))
        }
        "bvredor" => {
            let zero = terms.int(width, 0);
            Some((Sort::BitVec(1), terms.binary(BinaryOp::Ne, a, zero)))
        }
        "bvredand" => {
            let ones = terms.int(width, u128::MAX);
            Some((Sort::BitVec(1), terms.eq(a, ones)))
        }
        _ => None,
    }
}

/// Operators whose result has the operands' width.
fn binary(terms: &mut Terms, name: &str, a: TermId, b: TermId) -> Option<TermId> {
    let op = match name {
        "bvsub" => BinaryOp::Sub,
        "bvudiv" => BinaryOp::UDiv,
        "bvsdiv" => BinaryOp::SDiv,
        "bvurem" => BinaryOp::URem,
        "bvsrem" => BinaryOp::SRem,
        "bvshl" => BinaryOp::Shl,
        "bvlshr" => BinaryOp::LShr,
        "bvashr" => BinaryOp::AShr,
        "bvsmod" => return Some(signed_modulo(terms, a, b)),
        "bvnand" => return Some(negated(terms, BinaryOp::And, a, b)),
        "bvnor" => return Some(negated(terms, BinaryOp::Or, a, b)),
        "bvxnor" => return Some(negated(terms, BinaryOp::Xor, a, b)),
        _ => return None,
    };
    Some(terms.binary(op, a, b))
}

fn negated(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    let positive = terms.binary(op, a, b);
    terms.not(positive)
}

/// Remainder with the sign of the divisor; the dividend when dividing by zero.
fn signed_modulo(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let zero = terms.int(terms.width(a), 0);
    let remainder = terms.binary(BinaryOp::SRem, a, b);
    let is_zero = terms.eq(remainder, zero);
    let (minus, divisor_minus) = (terms.binary(BinaryOp::Slt, remainder, zero), terms.binary(BinaryOp::Slt, b, zero));
    let same_sign = terms.eq(minus, divisor_minus);
    let by_zero = terms.eq(b, zero);
    let keep = terms.or(is_zero, same_sign);
    let keep = terms.or(keep, by_zero);
    let moved = terms.binary(BinaryOp::Add, remainder, b);
    terms.select(keep, remainder, moved)
}

fn predicate(terms: &mut Terms, name: &str, a: TermId, b: TermId) -> Option<TermId> {
    let (op, swap) = match name {
        "bvult" => (BinaryOp::Ult, false),
        "bvule" => (BinaryOp::Ule, false),
        "bvugt" => (BinaryOp::Ult, true),
        "bvuge" => (BinaryOp::Ule, true),
        "bvslt" => (BinaryOp::Slt, false),
        "bvsle" => (BinaryOp::Sle, false),
        "bvsgt" => (BinaryOp::Slt, true),
        "bvsge" => (BinaryOp::Sle, true),
        _ => return overflow(terms, name, a, b),
    };
    Some(if swap { terms.binary(op, b, a) } else { terms.binary(op, a, b) })
}

/// Whether an operation leaves the range of its width (SMT-LIB 2.7).
fn overflow(terms: &mut Terms, name: &str, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    let (zero, ones) = (terms.int(width, 0), terms.int(width, u128::MAX));
    let least = terms.int(width, 1 << (width - 1));
    match name {
        "bvuaddo" => {
            let sum = terms.binary(BinaryOp::Add, a, b);
            Some(terms.binary(BinaryOp::Ult, sum, a))
        }
        "bvusubo" => Some(terms.binary(BinaryOp::Ult, a, b)),
        "bvsaddo" => {
            let sum = terms.binary(BinaryOp::Add, a, b);
            Some(leaves_signs(terms, sum, a, sum, b))
        }
        "bvssubo" => {
            let difference = terms.binary(BinaryOp::Sub, a, b);
            Some(leaves_signs(terms, difference, a, a, b))
        }
        "bvsdivo" => {
            let (is_least, is_minus_one) = (terms.eq(a, least), terms.eq(b, ones));
            Some(terms.and(is_least, is_minus_one))
        }
        "bvumulo" | "bvsmulo" => {
            // The product divided by a factor gives back the other one, unless it overflowed.
            let signed = name == "bvsmulo";
            let product = terms.binary(BinaryOp::Mul, a, b);
            let quotient = terms.binary(if signed { BinaryOp::SDiv } else { BinaryOp::UDiv }, product, b);
            let changed = terms.binary(BinaryOp::Ne, quotient, a);
            let by_zero = terms.eq(b, zero);
            let nonzero = terms.not(by_zero);
            let result = terms.and(nonzero, changed);
            if !signed {
                return Some(result);
            }
            let (is_least, is_minus_one) = (terms.eq(a, least), terms.eq(b, ones));
            let special = terms.and(is_least, is_minus_one);
            Some(terms.or(result, special))
        }
        _ => None,
    }
}

/// Whether `a` and `b` differ in sign, and `c` and `d` too.
fn leaves_signs(terms: &mut Terms, a: TermId, b: TermId, c: TermId, d: TermId) -> TermId {
    let zero = terms.int(terms.width(a), 0);
    let (first, second) = (terms.binary(BinaryOp::Xor, a, b), terms.binary(BinaryOp::Xor, c, d));
    let both = terms.and(first, second);
    terms.binary(BinaryOp::Slt, both, zero)
}

fn rotate_left(terms: &mut Terms, a: TermId, by: u8) -> TermId {
    let width = terms.width(a);
    if by == 0 {
        return a;
    }
    let (low, high) = (terms.extract(width - by - 1, 0, a), terms.extract(width - 1, width - by, a));
    terms.concat(low, high)
}
