//! The sign of a difference of extended numbers, and of a choice between such: what `memcmp` and `strcmp` give.
//!
//! There is room for the difference above the bits of the operands, so it is negative just where the first one is less. Of
//! choices, those are looked into that go on to the next numbers where two are equal.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Value};

use crate::term::{Node, TermId, Terms, mask};

/// Signed `a < 0`.
pub(super) fn is_negative(terms: &mut Terms, a: TermId) -> Option<TermId> {
    sign(terms, a, |terms, x, y, less| terms.binary(less, x, y), |terms, a, zero| terms.binary(BinaryOp::Slt, a, zero))
}

/// Signed `0 < a`.
pub(super) fn is_positive(terms: &mut Terms, a: TermId) -> Option<TermId> {
    sign(terms, a, |terms, x, y, less| terms.binary(less, y, x), |terms, a, zero| terms.binary(BinaryOp::Slt, zero, a))
}

/// A condition on the sign of `a`: what it says of two operands whose difference that is, in their order, and how it is
/// stated of a number and zero.
fn sign(
    terms: &mut Terms,
    a: TermId,
    of_operands: impl Fn(&mut Terms, TermId, TermId, BinaryOp) -> TermId,
    of_number: impl Fn(&mut Terms, TermId, TermId) -> TermId,
) -> Option<TermId> {
    if let Some((x, y, less)) = difference(terms, a) {
        return Some(of_operands(terms, x, y, less));
    }
    if let Some((x, c)) = distance(terms, a) {
        let bound = terms.int(terms.width(a), c.wrapping_neg());
        return Some(of_number(terms, x, bound));
    }
    let Node::Ternary(TernaryOp::Select, condition, then, other) = terms.node(a) else { return None };
    let is_plain = |branch: TermId| difference(terms, branch).is_some() || distance(terms, branch).is_some();
    if !is_equation(terms, condition) || (!is_plain(then) && !is_plain(other)) {
        return None;
    }
    let zero = terms.int(terms.width(a), 0);
    let (then, other) = (of_number(terms, then, zero), of_number(terms, other, zero));
    Some(terms.select(condition, then, other))
}

/// Whether a condition says that two numbers are equal, and maybe something else.
fn is_equation(terms: &Terms, condition: TermId) -> bool {
    let is_eq = |term: TermId| matches!(terms.node(term), Node::Binary(BinaryOp::Eq, ..));
    match terms.node(condition) {
        Node::Binary(BinaryOp::And, a, b) => is_eq(a) || is_eq(b),
        _ => is_eq(condition),
    }
}

/// The operands, and their order, where a term is the difference of two extended ones.
fn difference(terms: &Terms, a: TermId) -> Option<(TermId, TermId, BinaryOp)> {
    let Node::Binary(BinaryOp::Sub, x, y) = terms.node(a) else { return None };
    let (Node::Convert(f, x), Node::Convert(g, y)) = (terms.node(x), terms.node(y)) else { return None };
    let less = match f {
        Conversion::ZeroExtend(_) => BinaryOp::Ult,
        Conversion::SignExtend(_) => BinaryOp::Slt,
        _ => return None,
    };
    (f == g && terms.width(x) == terms.width(y) && terms.width(x) < terms.width(a)).then_some((x, y, less))
}

/// The operands where a term is an extended number plus a constant, without overflow.
fn distance(terms: &Terms, a: TermId) -> Option<(TermId, u128)> {
    let Node::Binary(BinaryOp::Add, x, c) = terms.node(a) else { return None };
    let (bits, width) = (terms.bits(c)?, terms.width(a));
    let offset = Value::int(width, bits).signed();
    let Node::Convert(extension, narrow) = terms.node(x) else { return None };
    let (least, greatest) = match extension {
        Conversion::ZeroExtend(_) => (0, mask(terms.width(narrow)) as i128),
        Conversion::SignExtend(_) => {
            let greatest = (mask(terms.width(narrow)) >> 1) as i128;
            (-greatest - 1, greatest)
        }
        _ => return None,
    };
    let limit = (mask(width) >> 1) as i128;
    let is_exact = greatest.checked_add(offset)? <= limit && least.checked_add(offset)? >= -limit && offset >= -limit;
    (terms.width(narrow) < width && is_exact).then_some((x, bits))
}
