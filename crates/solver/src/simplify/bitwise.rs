//! Rules of the bitwise operators, which at width 1 are the boolean ones.

use clew_scalar::{BinaryOp, Conversion, UnaryOp};

use super::{are_complements, division, is_bool, is_int, is_ones};
use crate::term::{Node, TermId, Terms, mask};

/// `~a`.
pub(super) fn not(terms: &Terms, a: TermId) -> Option<TermId> {
    match terms.node(a) {
        Node::Unary(UnaryOp::Not, inner) => Some(inner),
        _ => None,
    }
}

/// Bytes of `a` in reverse order.
pub(super) fn byte_swap(terms: &Terms, a: TermId) -> Option<TermId> {
    match terms.node(a) {
        Node::Unary(UnaryOp::ByteSwap, inner) => Some(inner),
        _ if terms.width(a) == 8 => Some(a),
        _ => None,
    }
}

/// `a & b`.
pub(super) fn and(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if is_int(terms, b, 0) || a == b {
        return Some(b);
    }
    if is_ones(terms, b) {
        return Some(a);
    }
    if are_complements(terms, a, b) {
        return Some(terms.int(width, 0));
    }
    if let Some(bits) = terms.bits(b) {
        return and_constant(terms, a, bits);
    }
    absorb(terms, BinaryOp::And, a, b).or_else(|| absorb(terms, BinaryOp::And, b, a))
}

fn and_constant(terms: &mut Terms, a: TermId, bits: u128) -> Option<TermId> {
    let width = terms.width(a);
    if let Node::Binary(BinaryOp::And, x, c) = terms.node(a)
        && let Some(other) = terms.bits(c)
    {
        let both = terms.int(width, other & bits);
        return Some(terms.and(x, both));
    }
    // A mask of low bits is a slice, which composes with the other slices.
    if (bits + 1).is_power_of_two() {
        let kept = bits.count_ones() as u8;
        let low = terms.extract(kept - 1, 0, a);
        return Some(terms.convert(Conversion::ZeroExtend(width), low));
    }
    None
}

/// `a | b`.
pub(super) fn or(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if is_int(terms, b, 0) {
        return Some(a);
    }
    if is_ones(terms, b) || a == b {
        return Some(b);
    }
    if are_complements(terms, a, b) {
        return Some(terms.int(width, mask(width)));
    }
    if let Some(bits) = terms.bits(b) {
        let Node::Binary(BinaryOp::Or, x, c) = terms.node(a) else { return None };
        let either = terms.bits(c)? | bits;
        let either = terms.int(width, either);
        return Some(terms.or(x, either));
    }
    let absorbed = absorb(terms, BinaryOp::Or, a, b).or_else(|| absorb(terms, BinaryOp::Or, b, a));
    absorbed.or_else(|| division::reassembled(terms, a, b))
}

/// Absorption in `a op b` by the operands of `b`, where `op` is `And` or `Or` and `dual` the other one.
fn absorb(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let dual = if op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And };
    let width = terms.width(a);
    match terms.node(b) {
        // a & (a & y) is the inner term, a & (~a & y) is zero.
        Node::Binary(inner, x, y) if inner == op => {
            if x == a || y == a {
                return Some(b);
            }
            let zero = if op == BinaryOp::And { 0 } else { mask(width) };
            (are_complements(terms, x, a) || are_complements(terms, y, a)).then(|| terms.int(width, zero))
        }
        // a & (a | y) is a, a & (~a | y) is a & y.
        Node::Binary(inner, x, y) if inner == dual => absorb_dual(terms, op, a, x, y),
        // a & ~(a | y) is zero, a & ~(a & y) is a & ~y.
        Node::Unary(UnaryOp::Not, negated) => match terms.node(negated) {
            Node::Binary(inner, x, y) if inner == dual && (x == a || y == a) => {
                let zero = if op == BinaryOp::And { 0 } else { mask(width) };
                Some(terms.int(width, zero))
            }
            Node::Binary(inner, x, y) if inner == op && (x == a || y == a) => {
                let rest = terms.not(if x == a { y } else { x });
                Some(terms.binary(op, a, rest))
            }
            _ => None,
        },
        _ => None,
    }
}

fn absorb_dual(terms: &mut Terms, op: BinaryOp, a: TermId, x: TermId, y: TermId) -> Option<TermId> {
    if x == a || y == a {
        return Some(a);
    }
    if are_complements(terms, x, a) {
        return Some(terms.binary(op, a, y));
    }
    are_complements(terms, y, a).then(|| terms.binary(op, a, x))
}

/// `a ^ b`.
pub(super) fn xor(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if is_bool(terms, a) {
        let equal = terms.eq(a, b);
        return Some(terms.not(equal));
    }
    if is_int(terms, b, 0) {
        return Some(a);
    }
    if is_ones(terms, b) {
        return Some(terms.not(a));
    }
    if a == b {
        return Some(terms.int(width, 0));
    }
    match (terms.node(a), terms.node(b)) {
        (Node::Unary(UnaryOp::Not, x), _) => {
            let inner = terms.binary(BinaryOp::Xor, x, b);
            Some(terms.not(inner))
        }
        (_, Node::Unary(UnaryOp::Not, y)) => {
            let inner = terms.binary(BinaryOp::Xor, a, y);
            Some(terms.not(inner))
        }
        (Node::Binary(BinaryOp::Xor, x, c), Node::Const(value)) => {
            let bits = terms.bits(c)? ^ value.bits;
            let constant = terms.int(width, bits);
            Some(terms.binary(BinaryOp::Xor, x, constant))
        }
        (Node::Binary(BinaryOp::Xor, x, y), _) if x == b => Some(y),
        (Node::Binary(BinaryOp::Xor, x, y), _) if y == b => Some(x),
        (_, Node::Binary(BinaryOp::Xor, x, y)) if x == a => Some(y),
        (_, Node::Binary(BinaryOp::Xor, x, y)) if y == a => Some(x),
        _ => None,
    }
}
