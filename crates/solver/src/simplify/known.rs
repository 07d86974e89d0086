//! What is plain from the shape of a term, one level deep.

use clew_scalar::{BinaryOp, Conversion};

use crate::term::{Node, TermId, Terms};

/// Whether the highest bit of an integer is surely zero.
pub(super) fn is_non_negative(terms: &Terms, a: TermId) -> bool {
    let width = terms.width(a);
    let is_small = |bits: u128| bits >> (width - 1) & 1 == 0;
    match terms.node(a) {
        Node::Const(value) => is_small(value.bits),
        Node::Convert(Conversion::ZeroExtend(_), inner) => terms.width(inner) < width,
        Node::Binary(BinaryOp::And, _, c) => terms.bits(c).is_some_and(is_small),
        Node::Binary(BinaryOp::LShr, _, c) => terms.bits(c).is_some_and(|bits| bits != 0),
        Node::Binary(BinaryOp::UDiv, _, c) => terms.bits(c).is_some_and(|bits| bits > 1),
        Node::Binary(BinaryOp::URem, _, c) => terms.bits(c).is_some_and(|bits| bits != 0 && is_small(bits - 1)),
        _ => false,
    }
}
