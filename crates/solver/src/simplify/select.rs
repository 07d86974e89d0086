//! Rules of the choice `c ? a : b`.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp};

use super::{is_int, is_ones};
use crate::term::{Node, Sort, TermId, Terms};

/// `c ? a : b`.
pub(super) fn select(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(bits) = terms.bits(c) {
        return Some(if bits != 0 { a } else { b });
    }
    if a == b {
        return Some(a);
    }
    if let Node::Unary(UnaryOp::Not, positive) = terms.node(c) {
        return Some(terms.select(positive, b, a));
    }
    if terms.sort(a) == Sort::BOOL
        && let Some(result) = select_bool(terms, c, a, b)
    {
        return Some(result);
    }
    select_number(terms, c, a, b).or_else(|| select_nested(terms, c, a, b))
}

fn select_bool(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if is_ones(terms, a) || a == c {
        return Some(terms.or(c, b));
    }
    if is_int(terms, b, 0) || b == c {
        return Some(terms.and(c, a));
    }
    if is_int(terms, a, 0) {
        let not_c = terms.not(c);
        return Some(terms.and(not_c, b));
    }
    if is_ones(terms, b) {
        return Some(terms.implies(c, a));
    }
    None
}

/// `c ? 1 : 0` is the condition itself, widened; `x == k ? k : x` is `x`.
fn select_number(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if let Sort::Scalar(Type::Int(width)) = terms.sort(a) {
        if is_int(terms, a, 1) && is_int(terms, b, 0) {
            return Some(terms.convert(Conversion::ZeroExtend(width), c));
        }
        if is_int(terms, a, 0) && is_int(terms, b, 1) {
            let not_c = terms.not(c);
            return Some(terms.convert(Conversion::ZeroExtend(width), not_c));
        }
    }
    match terms.node(c) {
        Node::Binary(BinaryOp::Eq, x, y) if (x, y) == (a, b) || (x, y) == (b, a) => Some(b),
        _ => None,
    }
}

/// A choice inside a choice by the same condition, or with a branch in common.
fn select_nested(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    match (terms.node(a), terms.node(b)) {
        (Node::Ternary(TernaryOp::Select, d, x, _), _) if d == c => Some(terms.select(c, x, b)),
        (_, Node::Ternary(TernaryOp::Select, d, _, y)) if d == c => Some(terms.select(c, a, y)),
        (Node::Ternary(TernaryOp::Select, d, x, y), _) if y == b => {
            let both = terms.and(c, d);
            Some(terms.select(both, x, b))
        }
        (Node::Ternary(TernaryOp::Select, d, x, y), _) if x == b => {
            let not_d = terms.not(d);
            let both = terms.and(c, not_d);
            Some(terms.select(both, y, b))
        }
        (_, Node::Ternary(TernaryOp::Select, d, x, y)) if x == a => {
            let either = terms.or(c, d);
            Some(terms.select(either, a, y))
        }
        (_, Node::Ternary(TernaryOp::Select, d, x, y)) if y == a => {
            let not_d = terms.not(d);
            let either = terms.or(c, not_d);
            Some(terms.select(either, a, x))
        }
        _ => None,
    }
}
