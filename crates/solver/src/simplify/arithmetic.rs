//! Rules of sums, differences, products, quotients and remainders.

use clew_scalar::{BinaryOp, Conversion, UnaryOp};

use super::{are_complements, division, is_bool, is_int, is_ones, known};
use crate::term::{Node, TermId, Terms, mask};

/// `-a`.
pub(super) fn neg(terms: &mut Terms, a: TermId) -> Option<TermId> {
    if is_bool(terms, a) {
        return Some(a);
    }
    match terms.node(a) {
        Node::Unary(UnaryOp::Neg, inner) => Some(inner),
        Node::Binary(BinaryOp::Sub, x, y) => Some(terms.binary(BinaryOp::Sub, y, x)),
        _ => None,
    }
}

/// `a + b`.
pub(super) fn add(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if is_bool(terms, a) {
        return Some(terms.binary(BinaryOp::Xor, a, b));
    }
    if is_int(terms, b, 0) {
        return Some(a);
    }
    if a == b {
        let one = terms.int(width, 1);
        return Some(terms.binary(BinaryOp::Shl, a, one));
    }
    if are_complements(terms, a, b) {
        return Some(terms.int(width, mask(width)));
    }
    if let Some(bits) = terms.bits(b) {
        return add_constant(terms, a, bits);
    }
    match (terms.node(a), terms.node(b)) {
        (_, Node::Unary(UnaryOp::Neg, y)) => Some(terms.binary(BinaryOp::Sub, a, y)),
        (Node::Unary(UnaryOp::Neg, x), _) => Some(terms.binary(BinaryOp::Sub, b, x)),
        (Node::Binary(BinaryOp::Sub, x, y), _) if y == b => Some(x),
        (_, Node::Binary(BinaryOp::Sub, x, y)) if y == a => Some(x),
        _ => division::sum(terms, a, b)
            .or_else(|| division::reassembled(terms, a, b))
            .or_else(|| add_displaced(terms, a, b)),
    }
}

/// `(x + c) + y` and `x + (y + c)` with the constant outermost.
fn add_displaced(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((x, c), (y, d)) = (displacement(terms, a), displacement(terms, b));
    if x == a && y == b {
        return None;
    }
    let sum = terms.binary(BinaryOp::Add, x, y);
    let offset = terms.int(terms.width(a), c.wrapping_add(d));
    Some(terms.binary(BinaryOp::Add, sum, offset))
}

fn add_constant(terms: &mut Terms, a: TermId, bits: u128) -> Option<TermId> {
    let width = terms.width(a);
    match terms.node(a) {
        Node::Binary(BinaryOp::Add, x, c) => {
            let offset = terms.bits(c)?.wrapping_add(bits);
            let offset = terms.int(width, offset);
            Some(terms.binary(BinaryOp::Add, x, offset))
        }
        Node::Binary(BinaryOp::Sub, c, x) => {
            let offset = terms.bits(c)?.wrapping_add(bits);
            let offset = terms.int(width, offset);
            Some(terms.binary(BinaryOp::Sub, offset, x))
        }
        _ => None,
    }
}

/// A term as base and constant offset; the offset is zero when there is none.
pub(super) fn displacement(terms: &Terms, a: TermId) -> (TermId, u128) {
    match terms.node(a) {
        Node::Binary(BinaryOp::Add, x, c) => match terms.bits(c) {
            Some(bits) => (x, bits),
            None => (a, 0),
        },
        _ => (a, 0),
    }
}

/// `a - b`.
pub(super) fn sub(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if is_bool(terms, a) {
        return Some(terms.binary(BinaryOp::Xor, a, b));
    }
    if a == b {
        return Some(terms.int(width, 0));
    }
    if is_int(terms, a, 0) {
        return Some(terms.unary(UnaryOp::Neg, b));
    }
    if let Some(bits) = terms.bits(b) {
        let negated = terms.int(width, bits.wrapping_neg());
        return Some(terms.binary(BinaryOp::Add, a, negated));
    }
    match (terms.node(a), terms.node(b)) {
        (_, Node::Unary(UnaryOp::Neg, y)) => Some(terms.binary(BinaryOp::Add, a, y)),
        (Node::Binary(BinaryOp::Add, x, y), _) if x == b => Some(y),
        (Node::Binary(BinaryOp::Add, x, y), _) if y == b => Some(x),
        (_, Node::Binary(BinaryOp::Add, x, y)) if x == a => Some(terms.unary(UnaryOp::Neg, y)),
        (_, Node::Binary(BinaryOp::Add, x, y)) if y == a => Some(terms.unary(UnaryOp::Neg, x)),
        (_, Node::Binary(BinaryOp::Sub, x, y)) if x == a => Some(y),
        (Node::Binary(BinaryOp::Sub, x, y), _) if x == b => Some(terms.unary(UnaryOp::Neg, y)),
        (_, Node::Binary(BinaryOp::And, x, y)) if x == a || y == a => {
            let rest = terms.not(if x == a { y } else { x });
            Some(terms.binary(BinaryOp::And, a, rest))
        }
        (Node::Binary(BinaryOp::Or, x, y), _) if x == b || y == b => {
            let rest = terms.not(b);
            Some(terms.binary(BinaryOp::And, if x == b { y } else { x }, rest))
        }
        _ => division::difference(terms, a, b).or_else(|| sub_displaced(terms, a, b)),
    }
}

/// `(x + c) - y` and `x - (y + c)` with the constant outermost.
fn sub_displaced(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((x, c), (y, d)) = (displacement(terms, a), displacement(terms, b));
    if x == a && y == b {
        return None;
    }
    let difference = terms.binary(BinaryOp::Sub, x, y);
    let offset = terms.int(terms.width(a), c.wrapping_sub(d));
    Some(terms.binary(BinaryOp::Add, difference, offset))
}

/// `a * b`.
pub(super) fn mul(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if is_bool(terms, a) {
        return Some(terms.and(a, b));
    }
    let Some(bits) = terms.bits(b) else { return division::product(terms, a, b) };
    if bits == 0 {
        return Some(b);
    }
    if bits == 1 {
        return Some(a);
    }
    if is_ones(terms, b) {
        return Some(terms.unary(UnaryOp::Neg, a));
    }
    if bits.is_power_of_two() {
        let amount = terms.int(width, u128::from(bits.trailing_zeros()));
        return Some(terms.binary(BinaryOp::Shl, a, amount));
    }
    match terms.node(a) {
        Node::Binary(BinaryOp::Mul, x, c) => {
            let factor = terms.bits(c)?.wrapping_mul(bits);
            let factor = terms.int(width, factor);
            Some(terms.binary(BinaryOp::Mul, x, factor))
        }
        Node::Unary(UnaryOp::Neg, x) => {
            let factor = terms.int(width, bits.wrapping_neg());
            Some(terms.binary(BinaryOp::Mul, x, factor))
        }
        _ => None,
    }
}

/// `a / b`, signed or unsigned.
pub(super) fn div(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if op == BinaryOp::SDiv && known::is_non_negative(terms, a) && known::is_non_negative(terms, b) {
        return Some(terms.binary(BinaryOp::UDiv, a, b));
    }
    if a == b {
        let (zero, one, ones) = (terms.int(width, 0), terms.int(width, 1), terms.int(width, mask(width)));
        let by_zero = terms.eq(a, zero);
        return Some(terms.select(by_zero, ones, one));
    }
    let bits = terms.bits(b)?;
    match op {
        BinaryOp::UDiv if bits == 0 => Some(terms.int(width, mask(width))),
        BinaryOp::UDiv if bits == 1 => Some(a),
        BinaryOp::UDiv if bits.is_power_of_two() => {
            let amount = terms.int(width, u128::from(bits.trailing_zeros()));
            Some(terms.binary(BinaryOp::LShr, a, amount))
        }
        BinaryOp::SDiv if is_ones(terms, b) => Some(terms.unary(UnaryOp::Neg, a)),
        BinaryOp::SDiv if bits == 1 => Some(a),
        _ => None,
    }
}

/// `a % b`, signed or unsigned.
pub(super) fn rem(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if a == b {
        return Some(terms.int(width, 0));
    }
    if op == BinaryOp::SRem && known::is_non_negative(terms, a) && known::is_non_negative(terms, b) {
        return Some(terms.binary(BinaryOp::URem, a, b));
    }
    let bits = terms.bits(b)?;
    match op {
        _ if bits == 0 => Some(a),
        _ if bits == 1 => Some(terms.int(width, 0)),
        BinaryOp::URem if bits.is_power_of_two() => {
            let low = terms.int(width, bits - 1);
            Some(terms.and(a, low))
        }
        BinaryOp::SRem if is_ones(terms, b) => Some(terms.int(width, 0)),
        _ if is_below(terms, op, a, bits) => Some(a),
        _ => None,
    }
}

/// Is the magnitude of an extended number below that of a divisor?
fn is_below(terms: &Terms, op: BinaryOp, a: TermId, divisor: u128) -> bool {
    let width = terms.width(a);
    let is_negative = op == BinaryOp::SRem && divisor >> (width - 1) & 1 == 1;
    let magnitude = if is_negative { divisor.wrapping_neg() & mask(width) } else { divisor };
    match terms.node(a) {
        Node::Convert(Conversion::ZeroExtend(_), x) => magnitude >> terms.width(x) != 0,
        Node::Convert(Conversion::SignExtend(_), x) => op == BinaryOp::SRem && magnitude > 1 << (terms.width(x) - 1),
        _ => false,
    }
}
