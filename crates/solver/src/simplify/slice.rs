//! Rules of `Extract` and `Concat`.

use crate::policy;
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};

use super::is_int;
use crate::term::{Node, TermId, Terms, mask};

/// Bits `lo..=hi` of a term.
pub(super) fn extract(terms: &mut Terms, hi: u8, lo: u8, of: TermId) -> Option<TermId> {
    if lo == 0 && hi + 1 == terms.width(of) {
        return Some(of);
    }
    match terms.node(of) {
        Node::Extract { lo: base, of: inner, .. } => Some(terms.extract(base + hi, base + lo, inner)),
        Node::Concat(high, low) => Some(extract_concat(terms, hi, lo, high, low)),
        Node::Convert(Conversion::ZeroExtend(_), x) => Some(extract_zero_extended(terms, hi, lo, x)),
        Node::Convert(Conversion::SignExtend(_), x) => Some(extract_sign_extended(terms, hi, lo, x)),
        Node::Unary(UnaryOp::Not, x) => {
            let slice = terms.extract(hi, lo, x);
            Some(terms.not(slice))
        }
        Node::Unary(UnaryOp::Neg, x) if lo == 0 && is_slice(terms, x) => {
            let slice = terms.extract(hi, 0, x);
            Some(terms.unary(UnaryOp::Neg, slice))
        }
        Node::Binary(op, x, y) => extract_binary(terms, hi, lo, op, x, y),
        Node::Ternary(TernaryOp::Select, condition, then, other) => {
            if !(is_field(terms, hi, lo, then) && is_field(terms, hi, lo, other)) {
                return None;
            }
            let (then, other) = (terms.extract(hi, lo, then), terms.extract(hi, lo, other));
            Some(terms.select(condition, then, other))
        }
        _ => None,
    }
}

fn extract_concat(terms: &mut Terms, hi: u8, lo: u8, high: TermId, low: TermId) -> TermId {
    let boundary = terms.width(low);
    if hi < boundary {
        return terms.extract(hi, lo, low);
    }
    if lo >= boundary {
        return terms.extract(hi - boundary, lo - boundary, high);
    }
    let (high, low) = (terms.extract(hi - boundary, 0, high), terms.extract(boundary - 1, lo, low));
    terms.concat(high, low)
}

fn extract_zero_extended(terms: &mut Terms, hi: u8, lo: u8, x: TermId) -> TermId {
    let width = terms.width(x);
    if lo >= width {
        return terms.int(hi - lo + 1, 0);
    }
    let slice = terms.extract(hi.min(width - 1), lo, x);
    terms.convert(Conversion::ZeroExtend(hi - lo + 1), slice)
}

fn extract_sign_extended(terms: &mut Terms, hi: u8, lo: u8, x: TermId) -> TermId {
    let width = terms.width(x);
    let slice = terms.extract(hi.min(width - 1), lo.min(width - 1), x);
    terms.convert(Conversion::SignExtend(hi - lo + 1), slice)
}

/// Slices of an operator's result that are the operator on slices: any slice of the bitwise ones, low bits of sums and
/// products; only where the operands are slices themselves, so that the term gets smaller.
fn extract_binary(terms: &mut Terms, hi: u8, lo: u8, op: BinaryOp, x: TermId, y: TermId) -> Option<TermId> {
    let low_only = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
    let bitwise = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
    if (bitwise || (low_only && lo == 0)) && is_slice(terms, x) && is_slice(terms, y) {
        let (x, y) = (terms.extract(hi, lo, x), terms.extract(hi, lo, y));
        return Some(terms.binary(op, x, y));
    }
    if let Some(side) = field(terms, hi, lo, op, x, y) {
        return Some(terms.extract(hi, lo, side));
    }
    if op == BinaryOp::Mul && lo == 0 && terms.bits(y).is_none() {
        let (x, y) = (
            low_bits(terms, hi, x, policy::SLICE_DEPTH.get() as u8),
            low_bits(terms, hi, y, policy::SLICE_DEPTH.get() as u8),
        );
        return Some(terms.binary(op, x, y));
    }
    extract_shifted(terms, hi, lo, op, x, y)
}

/// Bits `0..=hi` of a factor, the operators that it is made of narrowed as well: products are so much dearer than slices that
/// it does not matter how many there are.
fn low_bits(terms: &mut Terms, hi: u8, of: TermId, depth: u8) -> TermId {
    let node = terms.node(of);
    match node {
        Node::Unary(op @ (UnaryOp::Not | UnaryOp::Neg), x) if depth > 0 => {
            let x = low_bits(terms, hi, x, depth - 1);
            terms.unary(op, x)
        }
        Node::Binary(op, x, y) if depth > 0 && keeps_low_bits(op) => {
            let (x, y) = (low_bits(terms, hi, x, depth - 1), low_bits(terms, hi, y, depth - 1));
            terms.binary(op, x, y)
        }
        _ => terms.extract(hi, 0, of),
    }
}

/// Whether the lowest bits of the result depend on as many lowest bits of the operands.
fn keeps_low_bits(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

/// The operand of a bitwise operator that alone makes a slice of the result, the other one having only zeros there, or only
/// ones: a field read from a word into which fields were put by masks.
fn field(terms: &Terms, hi: u8, lo: u8, op: BinaryOp, x: TermId, y: TermId) -> Option<TermId> {
    let ones = mask(hi - lo + 1);
    let has_ones = |term: TermId| terms.bits(term).is_some_and(|bits| bits >> lo & ones == ones);
    let is_zero = |term: TermId| is_zero_at(terms, hi, lo, term);
    match op {
        BinaryOp::And if has_ones(y) || is_zero(x) => Some(x),
        BinaryOp::And if is_zero(y) => Some(y),
        BinaryOp::Or if has_ones(y) => Some(y),
        BinaryOp::Or | BinaryOp::Xor if is_zero(y) => Some(x),
        BinaryOp::Or | BinaryOp::Xor if is_zero(x) => Some(y),
        _ => None,
    }
}

/// Whether a slice of a term is plainly zero.
fn is_zero_at(terms: &Terms, hi: u8, lo: u8, term: TermId) -> bool {
    let is_zero = |bits: u128| bits >> lo & mask(hi - lo + 1) == 0;
    match terms.node(term) {
        Node::Const(value) => is_zero(value.bits),
        Node::Convert(Conversion::ZeroExtend(_), x) => lo >= terms.width(x),
        Node::Binary(BinaryOp::And, _, c) => terms.bits(c).is_some_and(is_zero),
        Node::Binary(BinaryOp::Shl, x, c) => terms.bits(c).is_some_and(|amount| {
            let Node::Convert(Conversion::ZeroExtend(_), narrow) = terms.node(x) else {
                return amount > u128::from(hi);
            };
            amount > u128::from(hi) || amount.saturating_add(terms.width(narrow).into()) <= u128::from(lo)
        }),
        Node::Binary(BinaryOp::LShr, x, c) => {
            terms.bits(c).is_some_and(|amount| amount.saturating_add(lo.into()) >= terms.width(x).into())
        }
        _ => false,
    }
}

/// Whether a slice of a branch of a choice is a slice of something smaller that is no choice itself; so no slice goes down
/// through one choice after the other.
fn is_field(terms: &Terms, hi: u8, lo: u8, branch: TermId) -> bool {
    let Node::Binary(op, x, y) = terms.node(branch) else { return is_slice(terms, branch) };
    let is_choice = |term: TermId| matches!(terms.node(term), Node::Ternary(TernaryOp::Select, ..));
    field(terms, hi, lo, op, x, y).is_some_and(|side| match terms.node(side) {
        Node::Binary(_, inner, _) => !is_choice(inner),
        _ => !is_choice(side),
    })
}

/// Whether a slice of the term is smaller than the term.
fn is_slice(terms: &Terms, a: TermId) -> bool {
    matches!(
        terms.node(a),
        Node::Const(_)
            | Node::Extract { .. }
            | Node::Concat(..)
            | Node::Convert(Conversion::ZeroExtend(_) | Conversion::SignExtend(_), _)
    )
}

/// A slice of a shift by a constant that sees only bits of the operand, or only zeros.
fn extract_shifted(terms: &mut Terms, hi: u8, lo: u8, op: BinaryOp, x: TermId, y: TermId) -> Option<TermId> {
    let width = terms.width(x);
    if !matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
        return None;
    }
    let amount = u8::try_from(terms.bits(y)?).ok().filter(|&amount| amount < width)?;
    match op {
        BinaryOp::Shl if lo >= amount => Some(terms.extract(hi - amount, lo - amount, x)),
        BinaryOp::Shl if hi < amount => Some(terms.int(hi - lo + 1, 0)),
        BinaryOp::LShr | BinaryOp::AShr if hi < width - amount => Some(terms.extract(hi + amount, lo + amount, x)),
        BinaryOp::LShr if lo >= width - amount => Some(terms.int(hi - lo + 1, 0)),
        _ => None,
    }
}

/// Bits of `high` above those of `low`.
pub(super) fn concat(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let width = terms.width(high) + terms.width(low);
    if is_int(terms, high, 0) {
        return Some(terms.convert(Conversion::ZeroExtend(width), low));
    }
    if let Some(joined) = join(terms, high, low) {
        return Some(joined);
    }
    match (terms.node(high), terms.node(low)) {
        (Node::Convert(Conversion::ZeroExtend(_), x), _) => {
            let inner = terms.concat(x, low);
            Some(terms.convert(Conversion::ZeroExtend(width), inner))
        }
        (_, Node::Concat(middle, rest)) => {
            let joined = join(terms, high, middle)?;
            Some(terms.concat(joined, rest))
        }
        (Node::Concat(rest, middle), _) => {
            let joined = join(terms, middle, low)?;
            Some(terms.concat(rest, joined))
        }
        _ => None,
    }
}

/// Two neighbours as one term: constants, or adjacent slices of one term.
fn join(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    match (terms.node(high), terms.node(low)) {
        (Node::Const(x), Node::Const(y)) => Some(terms.constant(crate::evaluate::concat(x, y))),
        (Node::Extract { hi, lo, of }, Node::Extract { hi: hi_below, lo: lo_below, of: of_below }) => {
            (of == of_below && lo == hi_below + 1).then(|| terms.extract(hi, lo_below, of))
        }
        _ => None,
    }
}
