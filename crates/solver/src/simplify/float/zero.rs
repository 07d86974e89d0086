//! Sums with zero.
//!
//! Rounded in any direction but down, `x + 0` is `x` except that it has no negative zero. So it can be moved outwards
//! through sums (`(x + 0) + y` is `(x + y) + 0`, for both are without a negative zero) until it reaches something that
//! has none anyhow, or that does not tell the zeros apart, and vanishes there.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, UnaryOp};

use crate::term::{Node, TermId, Terms};

/// `a + b`, a constant being second.
pub(super) fn add(terms: &mut Terms, rounding: Rounding, format: Format, a: TermId, b: TermId) -> Option<TermId> {
    let op = BinaryOp::FloatAdd(rounding);
    // The zero that changes nothing is the negative one, except when exact zero sums are negative.
    if terms.bits(b) == Some(format.zero(rounding != Rounding::Down)) {
        return Some(a);
    }
    if terms.bits(b).is_some_and(|bits| !format.is_zero(bits)) {
        // What is added to something else than zero may be either zero.
        let x = without(terms, a)?;
        return Some(terms.binary(op, x, b));
    }
    if rounding == Rounding::Down {
        return None;
    }
    if terms.bits(b).is_some() {
        return has_no_negative_zero(terms, a).then_some(a);
    }
    let (x, y) = (without(terms, a), without(terms, b));
    if x.is_none() && y.is_none() {
        return None;
    }
    let sum = terms.binary(op, x.unwrap_or(a), y.unwrap_or(b));
    Some(plus_zero(terms, rounding, sum))
}

/// `a - b` where `b` is not constant.
pub(super) fn sub(terms: &mut Terms, rounding: Rounding, a: TermId, b: TermId) -> Option<TermId> {
    if rounding == Rounding::Down {
        return None;
    }
    let x = without(terms, a)?;
    let difference = terms.binary(BinaryOp::FloatSub(rounding), x, b);
    Some(plus_zero(terms, rounding, difference))
}

fn plus_zero(terms: &mut Terms, rounding: Rounding, a: TermId) -> TermId {
    let format = terms.ty(a).format().expect("sums of floats are floats");
    let zero = terms.float(format, format.zero(false));
    terms.binary(BinaryOp::FloatAdd(rounding), a, zero)
}

/// `x` of a term `x + 0` that differs from it in the sign of zero at most.
pub(super) fn without(terms: &Terms, a: TermId) -> Option<TermId> {
    let Node::Binary(BinaryOp::FloatAdd(rounding), x, zero) = terms.node(a) else { return None };
    let format = terms.ty(a).format()?;
    (rounding != Rounding::Down && terms.bits(zero) == Some(format.zero(false))).then_some(x)
}

/// Whether an operator gives the same for both zeros.
pub(super) fn is_blind_to_signs(op: UnaryOp) -> bool {
    matches!(
        op,
        UnaryOp::FloatAbs
            | UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInfinite
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsSubnormal
    )
}

/// Whether a float is plainly never the negative zero.
fn has_no_negative_zero(terms: &Terms, a: TermId) -> bool {
    match terms.node(a) {
        Node::Unary(UnaryOp::FloatAbs, _) => true,
        Node::Binary(BinaryOp::FloatAdd(rounding), _, b) => {
            let (format, addend) = (terms.ty(a).format(), terms.bits(b));
            rounding != Rounding::Down && addend.is_some_and(|bits| format.is_some_and(|f| bits != f.zero(true)))
        }
        Node::Binary(BinaryOp::FloatMul(_), x, y) => x == y,
        Node::Convert(Conversion::SignedToFloat(..) | Conversion::UnsignedToFloat(..), _) => true,
        _ => false,
    }
}
