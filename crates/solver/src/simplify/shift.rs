//! Rules of the shifts.

use clew_scalar::{BinaryOp, Conversion};

use super::{is_bool, is_int, known};
use crate::term::{Node, TermId, Terms};

/// `a << b`, `a >> b` (logical or arithmetic).
pub(super) fn shift(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if is_int(terms, a, 0) {
        return Some(a);
    }
    if is_bool(terms, a) {
        return Some(shift_bool(terms, op, a, b));
    }
    if op == BinaryOp::AShr && known::is_non_negative(terms, a) {
        return Some(terms.binary(BinaryOp::LShr, a, b));
    }
    let amount = terms.bits(b)?;
    if amount == 0 {
        return Some(a);
    }
    if amount >= u128::from(width) {
        return Some(shift_out(terms, op, a));
    }
    match terms.node(a) {
        Node::Binary(inner, x, c) if inner == op => {
            let total = terms.bits(c)?.min(u128::from(width)) + amount;
            Some(shift_by(terms, op, x, total.min(u128::from(width) - u128::from(op == BinaryOp::AShr))))
        }
        _ => None,
    }
}

fn shift_by(terms: &mut Terms, op: BinaryOp, x: TermId, amount: u128) -> TermId {
    let width = terms.width(x);
    if amount >= u128::from(width) {
        return shift_out(terms, op, x);
    }
    let amount = terms.int(width, amount);
    terms.binary(op, x, amount)
}

/// A shift by the width or more.
fn shift_out(terms: &mut Terms, op: BinaryOp, a: TermId) -> TermId {
    let width = terms.width(a);
    if op == BinaryOp::AShr {
        let sign = terms.extract(width - 1, width - 1, a);
        return terms.convert(Conversion::SignExtend(width), sign);
    }
    terms.int(width, 0)
}

/// At width 1, any shift by one gives zero, except the arithmetic one, which changes nothing.
fn shift_bool(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> TermId {
    if op == BinaryOp::AShr {
        return a;
    }
    let stays = terms.not(b);
    terms.and(a, stays)
}
