//! A number minus itself, a number by itself, comparisons with the choices these become, and with a multiple of itself.
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

/// `x == x * c` and `x == x / c`, rounded to nearest, for a finite `c` that is far enough from one: only zero and infinity are
/// their own double, or half.
pub(super) fn multiple(terms: &mut Terms, format: Format, x: TermId, multiple: TermId) -> Option<TermId> {
    let Node::Binary(BinaryOp::FloatMul(rounding) | BinaryOp::FloatDiv(rounding), first, c) = terms.node(multiple)
    else {
        return None;
    };
    let bits = terms.bits(c)?;
    let is_nearest = rounding == Rounding::NearestEven && format.is_finite(bits) && !format.is_zero(bits);
    if first != x || !is_nearest || !is_far_from_one(terms, format, c) {
        return None;
    }
    if format.sign(bits) {
        return Some(terms.unary(UnaryOp::FloatIsZero, x));
    }
    // What it is not, for propagation sees through that.
    let others = [UnaryOp::FloatIsNan, UnaryOp::FloatIsNormal, UnaryOp::FloatIsSubnormal];
    let others = others.map(|class| terms.unary(class, x));
    Some(others.into_iter().fold(terms.bool(true), |all, other| {
        let not = terms.not(other);
        terms.and(all, not)
    }))
}

/// Whether the magnitude of a constant is at most a half or at least two.
fn is_far_from_one(terms: &mut Terms, format: Format, c: TermId) -> bool {
    let (one, magnitude) = (terms.float(format, format.one(false)), terms.unary(UnaryOp::FloatAbs, c));
    let two = terms.binary(BinaryOp::FloatAdd(Rounding::NearestEven), one, one);
    let half = terms.binary(BinaryOp::FloatDiv(Rounding::NearestEven), one, two);
    let small = terms.binary(BinaryOp::FloatLe, magnitude, half);
    let large = terms.binary(BinaryOp::FloatLe, two, magnitude);
    terms.bits(small) == Some(1) || terms.bits(large) == Some(1)
}

/// A choice with NaN as the condition of the other branch, and that branch.
fn number_if(terms: &mut Terms, a: TermId) -> Option<(TermId, TermId)> {
    match terms.node(a) {
        Node::Ternary(TernaryOp::Select, c, x, y) if is_nan(terms, x) => Some((terms.not(c), y)),
        Node::Ternary(TernaryOp::Select, c, x, y) if is_nan(terms, y) => Some((c, x)),
        _ => None,
    }
}
