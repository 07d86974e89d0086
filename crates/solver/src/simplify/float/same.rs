//! A number minus itself, a number by itself, and comparisons with the choices these become.
//!
//! `x - x` is zero, or NaN where `x` is not finite: a choice between constants, through which other operators can see.

use clew_scalar::{BinaryOp, Format, Rounding, TernaryOp, UnaryOp};

use super::is_nan;
use crate::term::{Node, TermId, Terms};

/// `a - a`.
pub(super) fn difference(terms: &mut Terms, rounding: Rounding, format: Format, a: TermId) -> TermId {
    let undefined = is_not_finite(terms, a);
    nan_or(terms, format, undefined, format.zero(rounding == Rounding::Down))
}

/// `a / a`.
pub(super) fn quotient(terms: &mut Terms, format: Format, a: TermId) -> TermId {
    let (unbounded, zero) = (is_not_finite(terms, a), terms.unary(UnaryOp::FloatIsZero, a));
    let undefined = terms.or(unbounded, zero);
    nan_or(terms, format, undefined, format.one(false))
}

fn is_not_finite(terms: &mut Terms, a: TermId) -> TermId {
    let (nan, infinite) = (terms.unary(UnaryOp::FloatIsNan, a), terms.unary(UnaryOp::FloatIsInfinite, a));
    terms.or(nan, infinite)
}

fn nan_or(terms: &mut Terms, format: Format, undefined: TermId, bits: u128) -> TermId {
    let (nan, number) = (terms.float(format, format.canonical_nan()), terms.float(format, bits));
    terms.select(undefined, nan, number)
}

/// A comparison with `c ? NaN : x`: it holds only where the comparison with `x` does and `c` does not.
pub(super) fn compare(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if let Some((condition, x)) = number_if(terms, a) {
        let holds = terms.binary(op, x, b);
        return Some(terms.and(condition, holds));
    }
    let (condition, y) = number_if(terms, b)?;
    let holds = terms.binary(op, a, y);
    Some(terms.and(condition, holds))
}

/// A choice with NaN as the condition of the other branch, and that branch.
fn number_if(terms: &mut Terms, a: TermId) -> Option<(TermId, TermId)> {
    match terms.node(a) {
        Node::Ternary(TernaryOp::Select, c, x, y) if is_nan(terms, x) => Some((terms.not(c), y)),
        Node::Ternary(TernaryOp::Select, c, x, y) if is_nan(terms, y) => Some((c, x)),
        _ => None,
    }
}
