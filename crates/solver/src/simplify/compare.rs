//! Rules of the orders on integers, unsigned and signed.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp, Value};

use super::{difference, is_bool, known, narrowed, polynomial, share};
use crate::term::{Node, TermId, Terms, mask};

/// Unsigned `a < b`.
pub(super) fn ult(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(terms.bool(false));
    }
    if is_bool(terms, a) {
        let not_a = terms.not(a);
        return Some(terms.and(not_a, b));
    }
    let last = mask(terms.width(a));
    if let Some(bound) = terms.bits(b) {
        let found = below_constant(terms, a, bound, (0, last)).or_else(|| extended_below(terms, a, bound));
        return found.or_else(|| saturated_below(terms, a, bound));
    }
    if let Some(bound) = terms.bits(a) {
        let found = above_constant(terms, bound, b, (0, last)).or_else(|| extended_above(terms, bound, b));
        return found.or_else(|| saturated_below(terms, b, bound + 1).map(|below| terms.not(below)));
    }
    if is_at_most(terms, b, a) || is_at_least(terms, a, b) {
        return Some(terms.bool(false));
    }
    match (terms.node(a), terms.node(b)) {
        (Node::Unary(UnaryOp::Not, x), Node::Unary(UnaryOp::Not, y)) => Some(terms.binary(BinaryOp::Ult, y, x)),
        (Node::Binary(BinaryOp::URem, _, divisor), _) if divisor == b => Some(is_not_zero(terms, b)),
        (Node::Convert(f, x), Node::Convert(g, y))
            if f == g
                && matches!(f, Conversion::ZeroExtend(_) | Conversion::SignExtend(_))
                && terms.width(x) == terms.width(y) =>
        {
            Some(terms.binary(BinaryOp::Ult, x, y))
        }
        _ => wraps(terms, BinaryOp::Ult, a, b, 0)
            .or_else(|| carries(terms, BinaryOp::Ult, a, b, last))
            .or_else(|| narrowed::compare(terms, BinaryOp::Ult, a, b))
            .or_else(|| share::compare(terms, BinaryOp::Ult, a, b))
            .or_else(|| polynomial::are_same(terms, a, b).then(|| terms.bool(false))),
    }
}

/// A number compared with itself plus or minus another one, by which C tests for overflow: `x + y < x` says that the sum
/// is beyond the greatest number of the order, which is `greatest - y < x`; `x < x + y` that it is not, and `y` not zero.
/// Each of the two numbers is left to occur once, and there is no sum of both any more.
fn carries(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, greatest: u128) -> Option<TermId> {
    if let Some(distance) = distance(terms, a, b) {
        return Some(is_beyond(terms, op, b, distance, greatest));
    }
    match distance(terms, b, a)? {
        Distance::Down(y) if op == BinaryOp::Ult => Some(terms.binary(op, a, y)),
        distance @ (Distance::Up(y) | Distance::Down(y)) => {
            let beyond = is_beyond(terms, op, a, distance, greatest);
            Some(is_not_zero_and_not(terms, y, beyond))
        }
    }
}

/// A sum or difference as seen from its first operand.
#[derive(Clone, Copy)]
enum Distance {
    Up(TermId),
    Down(TermId),
}

/// How far a term is from another one, where it is that one plus or minus a third.
fn distance(terms: &Terms, term: TermId, from: TermId) -> Option<Distance> {
    match terms.node(term) {
        Node::Binary(BinaryOp::Add, x, y) if x == from => Some(Distance::Up(y)),
        Node::Binary(BinaryOp::Add, y, x) if x == from => Some(Distance::Up(y)),
        Node::Binary(BinaryOp::Sub, x, y) if x == from => Some(Distance::Down(y)),
        _ => None,
    }
}

/// `x + distance < x`.
fn is_beyond(terms: &mut Terms, op: BinaryOp, x: TermId, distance: Distance, greatest: u128) -> TermId {
    let greatest = terms.int(terms.width(x), greatest);
    let limit = match (distance, op) {
        (Distance::Up(y), BinaryOp::Ult) => terms.not(y),
        (Distance::Up(y), _) => terms.binary(BinaryOp::Sub, greatest, y),
        (Distance::Down(y), BinaryOp::Ult) => {
            let borrows = terms.binary(op, x, y);
            return is_not_zero_and_not(terms, y, borrows);
        }
        (Distance::Down(y), _) => terms.binary(BinaryOp::Add, y, greatest),
    };
    terms.binary(op, limit, x)
}

fn is_not_zero_and_not(terms: &mut Terms, number: TermId, condition: TermId) -> TermId {
    let (is_not_zero, not) = (is_not_zero(terms, number), terms.not(condition));
    terms.and(is_not_zero, not)
}

/// `x + m < x + n` for constants: the usual tests for wrap-around, by which one side is bounded. `least` is the least
/// number of the order. With `d = n - m`, not zero, `a < a + d` says that `a` is less than `least - d` (modulo the width),
/// and so `b` more than `least + d - 1`.
fn wraps(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId, least: u128) -> Option<TermId> {
    let ((x, m), (y, n)) = (offset(terms, a), offset(terms, b));
    let distance = n.wrapping_sub(m);
    let width = terms.width(a);
    if x != y || distance & mask(width) == 0 {
        return None;
    }
    if b == y {
        let bound = terms.int(width, least.wrapping_add(distance).wrapping_sub(1));
        return Some(terms.binary(op, bound, b));
    }
    let bound = terms.int(width, least.wrapping_sub(distance));
    Some(terms.binary(op, a, bound))
}

/// A term as another one plus a constant.
fn offset(terms: &Terms, term: TermId) -> (TermId, u128) {
    match terms.node(term) {
        Node::Binary(BinaryOp::Add, x, c) => terms.bits(c).map_or((term, 0), |bits| (x, bits)),
        _ => (term, 0),
    }
}

/// Whether a term is plainly never greater, unsigned, than one of its operands.
fn is_at_most(terms: &Terms, term: TermId, limit: TermId) -> bool {
    match terms.node(term) {
        Node::Binary(BinaryOp::And, x, y) => x == limit || y == limit,
        Node::Binary(BinaryOp::LShr | BinaryOp::URem, x, _) => x == limit,
        Node::Binary(BinaryOp::UDiv, x, divisor) => x == limit && terms.bits(divisor).is_some_and(|bits| bits != 0),
        _ => false,
    }
}

/// Whether a term is plainly never less, unsigned, than one of its operands.
fn is_at_least(terms: &Terms, term: TermId, limit: TermId) -> bool {
    matches!(terms.node(term), Node::Binary(BinaryOp::Or, x, y) if x == limit || y == limit)
}

/// Signed `a < b`.
pub(super) fn slt(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(terms.bool(false));
    }
    if is_bool(terms, a) {
        let not_b = terms.not(b);
        return Some(terms.and(a, not_b));
    }
    let width = terms.width(a);
    let (least, greatest) = (1u128 << (width - 1), mask(width) >> 1);
    if let Some(bound) = terms.bits(b)
        && let Some(result) = below_constant(terms, a, bound, (least, greatest))
    {
        return Some(result);
    }
    if let Some(bound) = terms.bits(a)
        && let Some(result) = above_constant(terms, bound, b, (least, greatest))
    {
        return Some(result);
    }
    if terms.bits(b) == Some(0)
        && let Some(result) = difference::is_negative(terms, a)
    {
        return Some(result);
    }
    if terms.bits(a) == Some(0)
        && let Some(result) = difference::is_positive(terms, b)
    {
        return Some(result);
    }
    if known::is_non_negative(terms, a) && known::is_non_negative(terms, b) {
        return Some(terms.binary(BinaryOp::Ult, a, b));
    }
    let keeps_sign = |mask: TermId, sign: u128| terms.bits(mask).is_some_and(|bits| bits & least == sign);
    match (terms.node(a), terms.node(b)) {
        // Clearing bits below the sign makes no number greater, setting them none less.
        (_, Node::Binary(BinaryOp::And, x, c)) if x == a && keeps_sign(c, least) => Some(terms.bool(false)),
        (Node::Binary(BinaryOp::Or, x, c), _) if x == b && keeps_sign(c, 0) => Some(terms.bool(false)),
        (Node::Unary(UnaryOp::Not, x), Node::Unary(UnaryOp::Not, y)) => Some(terms.binary(BinaryOp::Slt, y, x)),
        (Node::Convert(Conversion::SignExtend(_), x), Node::Convert(Conversion::SignExtend(_), y))
            if terms.width(x) == terms.width(y) =>
        {
            Some(terms.binary(BinaryOp::Slt, x, y))
        }
        (Node::Convert(op, x), Node::Const(bound)) => signed_converted_below(terms, op, x, bound),
        (Node::Const(bound), Node::Convert(op, x)) => signed_converted_above(terms, op, x, bound),
        _ => wraps(terms, BinaryOp::Slt, a, b, least)
            .or_else(|| carries(terms, BinaryOp::Slt, a, b, greatest))
            .or_else(|| narrowed::compare(terms, BinaryOp::Slt, a, b))
            .or_else(|| share::compare(terms, BinaryOp::Slt, a, b))
            .or_else(|| polynomial::are_same(terms, a, b).then(|| terms.bool(false))),
    }
}

fn is_not_zero(terms: &mut Terms, a: TermId) -> TermId {
    let zero = terms.int(terms.width(a), 0);
    terms.binary(BinaryOp::Ne, a, zero)
}

/// `a < bound` at the ends of the order `least..=greatest` (neighbours differ by one, modulo the width).
fn below_constant(terms: &mut Terms, a: TermId, bound: u128, (least, greatest): (u128, u128)) -> Option<TermId> {
    let width = terms.width(a);
    if bound == least {
        return Some(terms.bool(false));
    }
    if bound == least.wrapping_add(1) & mask(width) {
        let least = terms.int(width, least);
        return Some(terms.eq(a, least));
    }
    if bound == greatest {
        let greatest = terms.int(width, greatest);
        return Some(terms.binary(BinaryOp::Ne, a, greatest));
    }
    None
}

/// `bound < b` at the ends of the order.
fn above_constant(terms: &mut Terms, bound: u128, b: TermId, (least, greatest): (u128, u128)) -> Option<TermId> {
    let width = terms.width(b);
    if bound == greatest {
        return Some(terms.bool(false));
    }
    if bound == greatest.wrapping_sub(1) & mask(width) {
        let greatest = terms.int(width, greatest);
        return Some(terms.eq(b, greatest));
    }
    if bound == least {
        let least = terms.int(width, least);
        return Some(terms.binary(BinaryOp::Ne, b, least));
    }
    None
}

/// Unsigned `zero_extend(x) < bound`.
fn extended_below(terms: &mut Terms, a: TermId, bound: u128) -> Option<TermId> {
    let Node::Convert(Conversion::ZeroExtend(_), x) = terms.node(a) else { return None };
    let width = terms.width(x);
    if bound > mask(width) {
        return Some(terms.bool(true));
    }
    let bound = terms.int(width, bound);
    Some(terms.binary(BinaryOp::Ult, x, bound))
}

/// Unsigned `(~y < x ? greatest : x + y) < bound`, a sum that stops at the greatest number: so are the sum and both summands,
/// which cannot overflow where the bound is at most half of the ring.
fn saturated_below(terms: &mut Terms, a: TermId, bound: u128) -> Option<TermId> {
    let Node::Ternary(TernaryOp::Select, carries, greatest, sum) = terms.node(a) else { return None };
    let Node::Binary(BinaryOp::Ult, limit, x) = terms.node(carries) else { return None };
    let Node::Unary(UnaryOp::Not, y) = terms.node(limit) else { return None };
    let is_sum = matches!(terms.node(sum), Node::Binary(BinaryOp::Add, u, v) if (u, v) == (x, y) || (v, u) == (x, y));
    let width = terms.width(a);
    if !is_sum || terms.bits(greatest) != Some(mask(width)) || bound > 1 << (width - 1) {
        return None;
    }
    let bound = terms.int(width, bound);
    let [x, y, sum] = [x, y, sum].map(|number| terms.binary(BinaryOp::Ult, number, bound));
    let both = terms.and(x, y);
    Some(terms.and(both, sum))
}

/// Unsigned `bound < zero_extend(x)`.
fn extended_above(terms: &mut Terms, bound: u128, b: TermId) -> Option<TermId> {
    let Node::Convert(Conversion::ZeroExtend(_), x) = terms.node(b) else { return None };
    let width = terms.width(x);
    if bound >= mask(width) {
        return Some(terms.bool(false));
    }
    let bound = terms.int(width, bound);
    Some(terms.binary(BinaryOp::Ult, bound, x))
}

/// Signed `extension(x) < bound`.
fn signed_converted_below(terms: &mut Terms, op: Conversion, x: TermId, bound: Value) -> Option<TermId> {
    let (width, limit) = (terms.width(x), bound.signed());
    match op {
        // The extension is not negative, so a bound that is has nothing below it; otherwise the order is unsigned.
        Conversion::ZeroExtend(_) => (limit <= 0).then(|| terms.bool(false)),
        Conversion::SignExtend(_) => {
            let (least, greatest) = signed_range(width);
            if limit > greatest || limit <= least {
                return Some(terms.bool(limit > greatest));
            }
            let bound = terms.int(width, bound.bits);
            Some(terms.binary(BinaryOp::Slt, x, bound))
        }
        _ => None,
    }
}

/// Signed `bound < extension(x)`.
fn signed_converted_above(terms: &mut Terms, op: Conversion, x: TermId, bound: Value) -> Option<TermId> {
    let (width, limit) = (terms.width(x), bound.signed());
    match op {
        Conversion::ZeroExtend(_) => (limit < 0).then(|| terms.bool(true)),
        Conversion::SignExtend(_) => {
            let (least, greatest) = signed_range(width);
            if limit < least || limit >= greatest {
                return Some(terms.bool(limit < least));
            }
            let bound = terms.int(width, bound.bits);
            Some(terms.binary(BinaryOp::Slt, bound, x))
        }
        _ => None,
    }
}

fn signed_range(width: u8) -> (i128, i128) {
    let greatest = (mask(width) >> 1) as i128;
    (-greatest - 1, greatest)
}
