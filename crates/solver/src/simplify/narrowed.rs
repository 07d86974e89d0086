//! Comparisons of a term with what is left of it: `x == (short) x`, `x < (unsigned char) x`, `(int) c == (unsigned char) c`.
//!
//! C tests by these whether a number fits a type. Each is a comparison with a constant: narrowing to `k` bits changes just
//! the numbers outside the range of the narrow type, and moves those above it down and those below it up.

use clew_scalar::{BinaryOp, Conversion};

use crate::term::{Node, TermId, Terms};

/// `a op b`, an equation or a strict order, where one side is the other one narrowed and extended again, or both are
/// extensions of one term.
pub(super) fn compare(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if let Some((bits, signed)) = narrowed(terms, b, a) {
        return with_narrowed(terms, op, a, bits, signed);
    }
    if let Some((bits, signed)) = narrowed(terms, a, b) {
        return narrowed_with(terms, op, b, bits, signed);
    }
    match (terms.node(a), terms.node(b)) {
        (Node::Convert(Conversion::ZeroExtend(_), x), Node::Convert(Conversion::SignExtend(_), y)) if x == y => {
            Some(extensions(terms, op, x, BinaryOp::Ult))
        }
        (Node::Convert(Conversion::SignExtend(_), x), Node::Convert(Conversion::ZeroExtend(_), y)) if x == y => {
            Some(extensions(terms, op, x, BinaryOp::Slt))
        }
        _ => None,
    }
}

/// The bits that are kept, and whether by sign, where a term is `of` narrowed and extended again.
fn narrowed(terms: &Terms, term: TermId, of: TermId) -> Option<(u8, bool)> {
    let (inner, signed) = match terms.node(term) {
        Node::Convert(Conversion::ZeroExtend(_), inner) => (inner, false),
        Node::Convert(Conversion::SignExtend(_), inner) => (inner, true),
        _ => return None,
    };
    let whole = match terms.node(inner) {
        Node::Extract { lo: 0, of, .. } | Node::Convert(Conversion::Truncate(_), of) => of,
        _ => return None,
    };
    (whole == of).then(|| (terms.width(inner), signed))
}

/// `x op narrowed(x)`.
fn with_narrowed(terms: &mut Terms, op: BinaryOp, x: TermId, bits: u8, signed: bool) -> Option<TermId> {
    match (op, signed) {
        (BinaryOp::Eq, _) => Some(fits(terms, x, bits, signed)),
        (BinaryOp::Ult, false) => Some(terms.bool(false)),
        (BinaryOp::Slt, false) => Some(below(terms, x, 0)),
        (BinaryOp::Slt, true) => Some(below(terms, x, 0u128.wrapping_sub(1 << (bits - 1)))),
        _ => None,
    }
}

/// `narrowed(x) op x`.
fn narrowed_with(terms: &mut Terms, op: BinaryOp, x: TermId, bits: u8, signed: bool) -> Option<TermId> {
    let greatest = (1 << (bits - u8::from(signed))) - 1;
    match (op, signed) {
        (BinaryOp::Eq, _) => Some(fits(terms, x, bits, signed)),
        (BinaryOp::Ult, false) | (BinaryOp::Slt, _) => {
            let greatest = terms.int(terms.width(x), greatest);
            Some(terms.binary(op, greatest, x))
        }
        _ => None,
    }
}

/// Whether `x` is a number of so many bits.
fn fits(terms: &mut Terms, x: TermId, bits: u8, signed: bool) -> TermId {
    let width = terms.width(x);
    let limit = terms.int(width, 1 << bits);
    let offset = terms.int(width, if signed { 1 << (bits - 1) } else { 0 });
    let moved = terms.binary(BinaryOp::Add, x, offset);
    terms.binary(BinaryOp::Ult, moved, limit)
}

/// Signed `x < bound`.
fn below(terms: &mut Terms, x: TermId, bound: u128) -> TermId {
    let bound = terms.int(terms.width(x), bound);
    terms.binary(BinaryOp::Slt, x, bound)
}

/// Both extensions of `x` compared: they are the same unless `x` is negative, and then `less` is the order in which the
/// first one is less.
fn extensions(terms: &mut Terms, op: BinaryOp, x: TermId, less: BinaryOp) -> TermId {
    let negative = below(terms, x, 0);
    match op {
        BinaryOp::Eq => terms.not(negative),
        _ if op == less => negative,
        _ => terms.bool(false),
    }
}
