//! Rules of `a == b` on integers: solved for the inner term wherever the outer operator is a bijection.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp};

use super::{are_complements, is_bool, narrowed, polynomial, share};
use crate::term::{Node, TermId, Terms, mask};

/// `a == b`.
pub(super) fn eq(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(terms.bool(true));
    }
    if are_complements(terms, a, b) {
        return Some(terms.bool(false));
    }
    if let Some(bits) = terms.bits(b) {
        return if is_bool(terms, a) {
            Some(if bits == 1 { a } else { terms.not(a) })
        } else {
            eq_constant(terms, a, bits)
        };
    }
    eq_terms(terms, a, b)
}

/// `a == b` where neither is constant.
fn eq_terms(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    match (terms.node(a), terms.node(b)) {
        (Node::Unary(f, x), Node::Unary(g, y)) if f == g && matches!(f, UnaryOp::Not | UnaryOp::Neg) => {
            Some(terms.eq(x, y))
        }
        (Node::Unary(UnaryOp::Not, x), _) if is_bool(terms, a) => {
            let equal = terms.eq(x, b);
            Some(terms.not(equal))
        }
        (_, Node::Unary(UnaryOp::Not, y)) if is_bool(terms, a) => {
            let equal = terms.eq(a, y);
            Some(terms.not(equal))
        }
        (Node::Convert(f, x), Node::Convert(g, y)) if f == g && is_extension(f) && terms.width(x) == terms.width(y) => {
            Some(terms.eq(x, y))
        }
        (Node::Concat(x, y), Node::Concat(u, v)) if terms.width(x) == terms.width(u) => {
            let (high, low) = (terms.eq(x, u), terms.eq(y, v));
            Some(terms.and(high, low))
        }
        _ => eq_sharing(terms, a, b)
            .or_else(|| polynomial::equal(terms, a, b))
            .or_else(|| narrowed::compare(terms, BinaryOp::Eq, a, b))
            .or_else(|| share::compare(terms, BinaryOp::Eq, a, b))
            .or_else(|| moved(terms, a, b).or_else(|| moved(terms, b, a)))
            .or_else(|| solved(terms, a, b).or_else(|| solved(terms, b, a))),
    }
}

/// `x + c == b` as `x == b - c`, which defines a variable; not where `b` is one, or moved like that, for either way is as good.
fn moved(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let var = |terms: &Terms, term: TermId| match terms.node(term) {
        Node::Binary(BinaryOp::Add, x, c) if terms.bits(c).is_some() => {
            matches!(terms.node(x), Node::Var(_)).then_some((x, c))
        }
        _ => None,
    };
    let (x, c) = var(terms, a)?;
    if matches!(terms.node(b), Node::Var(_)) || var(terms, b).is_some() {
        return None;
    }
    let body = terms.binary(BinaryOp::Sub, b, c);
    Some(terms.eq(x, body))
}

/// `x - y == b`, `y - x == b` and `x + y == b` as a definition of the variable `x`, where `b` is no sum, nor defined itself, and
/// `x` occurs nowhere else in it.
fn solved(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    use BinaryOp::{Add, Mul, Sub};
    if matches!(terms.node(b), Node::Var(_) | Node::Unary(UnaryOp::Neg, _) | Node::Binary(Add | Sub | Mul, ..)) {
        return None;
    }
    let Node::Binary(op @ (Add | Sub), x, y) = terms.node(a) else { return None };
    let is_definable = |terms: &Terms, var: TermId, other: TermId| {
        let elsewhere = terms.reach(other) | terms.reach(b);
        matches!(terms.node(var), Node::Var(_)) && terms.reach(var) & elsewhere == 0
    };
    let (var, body) = if is_definable(terms, x, y) {
        (x, terms.binary(if op == Add { Sub } else { Add }, b, y))
    } else if is_definable(terms, y, x) {
        (y, if op == Add { terms.binary(Sub, b, x) } else { terms.binary(Sub, x, b) })
    } else {
        return None;
    };
    Some(terms.eq(var, body))
}

/// `a == b` where they are sums, differences or exclusive ors with an operand in common, or one is an operand of the other.
fn eq_sharing(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(rest) = beside(terms, a, b).or_else(|| beside(terms, b, a)) {
        return Some(eq_int(terms, rest, 0));
    }
    if let Some(doubled) = doubled(terms, a, b).or_else(|| doubled(terms, b, a)) {
        return Some(doubled);
    }
    match (terms.node(a), terms.node(b)) {
        (Node::Binary(f @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor), x, y), Node::Binary(g, u, v)) if f == g => {
            match f != BinaryOp::Sub {
                _ if y == v => Some(terms.eq(x, u)),
                _ if x == u => Some(terms.eq(y, v)),
                true if x == v => Some(terms.eq(y, u)),
                true if y == u => Some(terms.eq(x, v)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `a == y - a` as `y == a + a`.
fn doubled(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let Node::Binary(BinaryOp::Sub, y, x) = terms.node(b) else { return None };
    (x == a).then(|| {
        let sum = terms.binary(BinaryOp::Add, a, a);
        terms.eq(y, sum)
    })
}

/// What is zero exactly when `a`, a sum, difference or exclusive or, equals its operand `b`.
fn beside(terms: &Terms, a: TermId, b: TermId) -> Option<TermId> {
    match terms.node(a) {
        Node::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor, x, y) if x == b => Some(y),
        Node::Binary(BinaryOp::Add | BinaryOp::Xor, x, y) if y == b => Some(x),
        _ => None,
    }
}

fn is_extension(op: Conversion) -> bool {
    matches!(op, Conversion::ZeroExtend(_) | Conversion::SignExtend(_))
}

/// `a == c` at more than one bit.
fn eq_constant(terms: &mut Terms, a: TermId, c: u128) -> Option<TermId> {
    let width = terms.width(a);
    match terms.node(a) {
        Node::Unary(UnaryOp::Not, x) => Some(eq_int(terms, x, !c)),
        Node::Unary(UnaryOp::Neg, x) => Some(eq_int(terms, x, c.wrapping_neg())),
        Node::Convert(op, x) => eq_converted(terms, op, x, c),
        Node::Concat(high, low) => {
            let boundary = terms.width(low);
            let (high, low) = (eq_int(terms, high, c >> boundary), eq_int(terms, low, c));
            Some(terms.and(high, low))
        }
        Node::Ternary(TernaryOp::Select, condition, then, other) => eq_chosen(terms, condition, then, other, c),
        Node::Binary(op, x, y) => eq_binary(terms, op, x, y, c & mask(width)),
        _ => None,
    }
}

fn eq_int(terms: &mut Terms, a: TermId, bits: u128) -> TermId {
    let constant = terms.int(terms.width(a), bits);
    terms.eq(a, constant)
}

fn eq_converted(terms: &mut Terms, op: Conversion, x: TermId, c: u128) -> Option<TermId> {
    match op {
        Conversion::ZeroExtend(_) | Conversion::SignExtend(_) => {
            let narrow = clew_scalar::Value::int(terms.width(x), c);
            let reached = crate::evaluate::convert(op, narrow).bits == c;
            Some(if reached { eq_int(terms, x, c) } else { terms.bool(false) })
        }
        Conversion::FloatToBits => {
            let Type::Float(format) = terms.ty(x) else { unreachable!("only floats have float bits") };
            if !format.is_nan(c) {
                return None;
            }
            let is_canonical = c == format.canonical_nan();
            Some(if is_canonical { terms.unary(UnaryOp::FloatIsNan, x) } else { terms.bool(false) })
        }
        _ => None,
    }
}

/// `(condition ? then : other) == c` where at least one branch is constant, or simple.
fn eq_chosen(terms: &mut Terms, condition: TermId, then: TermId, other: TermId, c: u128) -> Option<TermId> {
    match (terms.bits(then), terms.bits(other)) {
        (Some(bits), _) if bits == c => {
            let rest = eq_int(terms, other, c);
            Some(terms.or(condition, rest))
        }
        (Some(_), _) => {
            let (rest, not_condition) = (eq_int(terms, other, c), terms.not(condition));
            Some(terms.and(not_condition, rest))
        }
        (_, Some(bits)) if bits == c => {
            let rest = eq_int(terms, then, c);
            Some(terms.implies(condition, rest))
        }
        (_, Some(_)) => {
            let rest = eq_int(terms, then, c);
            Some(terms.and(condition, rest))
        }
        (None, None) => eq_each(terms, condition, then, other, c),
    }
}

/// `(condition ? then : other) == c` branch by branch, where that says something simpler of one of them: a difference that is
/// zero (`(x == y ? r : x - y) == 0` is `x == y && r == 0`), or an extended number plus a constant, whatever `c` is.
fn eq_each(terms: &mut Terms, condition: TermId, then: TermId, other: TermId, c: u128) -> Option<TermId> {
    let is_extended = |term: TermId| matches!(terms.node(term), Node::Convert(op, _) if is_extension(op));
    let is_simpler = |branch: TermId| match terms.node(branch) {
        Node::Binary(BinaryOp::Sub | BinaryOp::Xor, ..) => c == 0,
        Node::Binary(BinaryOp::Add, x, moved) => is_extended(x) && terms.bits(moved).is_some(),
        _ => false,
    };
    if !is_simpler(then) && !is_simpler(other) {
        return None;
    }
    let (then, other) = (eq_int(terms, then, c), eq_int(terms, other, c));
    Some(terms.select(condition, then, other))
}

/// `x op y == c`.
fn eq_binary(terms: &mut Terms, op: BinaryOp, x: TermId, y: TermId, c: u128) -> Option<TermId> {
    if op == BinaryOp::Sub {
        return match terms.bits(x) {
            Some(minuend) => Some(eq_int(terms, y, minuend.wrapping_sub(c))),
            None if c == 0 => Some(terms.eq(x, y)),
            None => eq_difference(terms, x, y, c),
        };
    }
    if op == BinaryOp::Xor && c == 0 {
        return Some(terms.eq(x, y));
    }
    if op == BinaryOp::Or && c == 0 {
        let (x, y) = (eq_int(terms, x, 0), eq_int(terms, y, 0));
        return Some(terms.and(x, y));
    }
    let width = terms.width(x);
    let Some(constant) = terms.bits(y) else {
        return if op == BinaryOp::Add { eq_sum(terms, x, y, c) } else { None };
    };
    match op {
        BinaryOp::Add => Some(eq_int(terms, x, c.wrapping_sub(constant))),
        BinaryOp::Xor => Some(eq_int(terms, x, c ^ constant)),
        BinaryOp::Mul if constant & 1 == 1 => Some(eq_int(terms, x, c.wrapping_mul(inverse(constant)))),
        BinaryOp::And if c & !constant != 0 => Some(terms.bool(false)),
        BinaryOp::Or if constant & !c != 0 => Some(terms.bool(false)),
        BinaryOp::Shl if constant < u128::from(width) => {
            let amount = constant as u8;
            if c & ((1 << amount) - 1) != 0 {
                return Some(terms.bool(false));
            }
            let kept = terms.extract(width - 1 - amount, 0, x);
            Some(eq_int(terms, kept, c >> amount))
        }
        BinaryOp::LShr if constant < u128::from(width) => {
            let amount = constant as u8;
            if c >> (width - amount) != 0 {
                return Some(terms.bool(false));
            }
            let kept = terms.extract(width - 1, amount, x);
            Some(eq_int(terms, kept, c))
        }
        _ => None,
    }
}

/// `x - y == c` as a definition of an operand that is a variable.
fn eq_difference(terms: &mut Terms, x: TermId, y: TermId, c: u128) -> Option<TermId> {
    let (defined, other) = variable_first(terms, x, y)?;
    let distance = terms.int(terms.width(x), if defined == x { c } else { c.wrapping_neg() });
    let sum = terms.binary(BinaryOp::Add, other, distance);
    Some(terms.eq(defined, sum))
}

/// `x + y == c` as a definition of an operand that is a variable.
fn eq_sum(terms: &mut Terms, x: TermId, y: TermId, c: u128) -> Option<TermId> {
    let (defined, other) = variable_first(terms, x, y)?;
    let sum = terms.int(terms.width(x), c);
    let difference = terms.binary(BinaryOp::Sub, sum, other);
    Some(terms.eq(defined, difference))
}

/// Two terms, the first of them a variable.
fn variable_first(terms: &Terms, x: TermId, y: TermId) -> Option<(TermId, TermId)> {
    let is_var = |term: TermId| matches!(terms.node(term), Node::Var(_));
    [(x, y), (y, x)].into_iter().find(|&(first, _)| is_var(first))
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration; each step doubles the number of right bits.
fn inverse(odd: u128) -> u128 {
    let mut result = odd;
    for _ in 0..6 {
        result = result.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(result)));
    }
    result
}
