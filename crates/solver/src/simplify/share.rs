//! Comparisons of a number with its own quotient or remainder: `x <= x >> 9`, `x / 3 < x`, `x == x % 10`.
//!
//! A quotient is nearer to zero than its dividend, unless that is zero; a remainder is its dividend, unless that is beyond
//! the divisor, and then nearer to zero. So each comparison is one of `x` with a constant, and whether anything was shifted.
//! Only the sign of `x` tells which, and no propagator knows it before it is split.
//!
//! Not seen: shares by sign in the unsigned order, where the cases do not make one interval.

use clew_scalar::{BinaryOp, Conversion, Value};

use crate::term::{Node, TermId, Terms, mask};

/// What a term is of another one.
#[derive(Clone, Copy)]
enum Share {
    /// Shifted right by an amount, or divided, unsigned, by two or more.
    Quotient(Amount),
    /// Shifted right by an amount, copying the sign.
    Halved(Amount),
    /// Divided, signed, by a constant other than 0, 1 and -1.
    SignedQuotient,
    /// The unsigned remainder by another term.
    Remainder(TermId),
    /// The signed remainder by a constant of this magnitude, not zero.
    SignedRemainder(u128),
}

/// By how much a number is shifted.
#[derive(Clone, Copy)]
enum Amount {
    /// By more than nothing.
    Some,
    /// By the value of a term.
    Of(TermId),
}

/// `a op b`, an equation or a strict order, where one side is a share of the other.
pub(super) fn compare(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(share) = share(terms, b, a) {
        return match op {
            BinaryOp::Eq => Some(is_whole(terms, a, share)),
            _ => is_below(terms, op, a, share),
        };
    }
    let share = share(terms, a, b)?;
    match op {
        BinaryOp::Eq => Some(is_whole(terms, b, share)),
        _ => is_above(terms, op, b, share),
    }
}

/// What a term is of `x`, if it is a share of it.
fn share(terms: &Terms, term: TermId, x: TermId) -> Option<Share> {
    match terms.node(term) {
        Node::Binary(op, dividend, y) if dividend == x => match op {
            BinaryOp::LShr => Some(Share::Quotient(amount(terms, y))),
            BinaryOp::AShr => Some(Share::Halved(amount(terms, y))),
            BinaryOp::UDiv => (terms.bits(y)? > 1).then_some(Share::Quotient(Amount::Some)),
            BinaryOp::SDiv => (magnitude(terms, y)? > 1).then_some(Share::SignedQuotient),
            BinaryOp::URem => Some(Share::Remainder(y)),
            BinaryOp::SRem => magnitude(terms, y).filter(|&size| size > 0).map(Share::SignedRemainder),
            _ => None,
        },
        Node::Convert(extension, inner) => match (extension, terms.node(inner)) {
            (Conversion::ZeroExtend(_), Node::Extract { hi, lo, of }) if is_upper(terms, (hi, lo, of), x) => {
                Some(Share::Quotient(Amount::Some))
            }
            (Conversion::SignExtend(_), Node::Extract { hi, lo, of }) if is_upper(terms, (hi, lo, of), x) => {
                Some(Share::Halved(Amount::Some))
            }
            _ => None,
        },
        _ => None,
    }
}

fn amount(terms: &Terms, y: TermId) -> Amount {
    if terms.bits(y).is_some_and(|bits| bits != 0) { Amount::Some } else { Amount::Of(y) }
}

/// The magnitude of a signed constant.
fn magnitude(terms: &Terms, y: TermId) -> Option<u128> {
    let bits = terms.bits(y)?;
    Some(Value::int(terms.width(y), bits).signed().unsigned_abs())
}

/// Whether a slice has the highest bits of `x`, but not all.
fn is_upper(terms: &Terms, (hi, lo, of): (u8, u8, TermId), x: TermId) -> bool {
    of == x && lo > 0 && hi + 1 == terms.width(x)
}

/// Whether a share of `x` is `x`.
fn is_whole(terms: &mut Terms, x: TermId, share: Share) -> TermId {
    match share {
        Share::Quotient(amount) => {
            let (is_zero, still) = (is(terms, x, 0), is_still(terms, amount));
            terms.or(is_zero, still)
        }
        Share::Halved(amount) => {
            let (is_end, still) = (is_within(terms, x, 1, 2), is_still(terms, amount));
            terms.or(is_end, still)
        }
        Share::SignedQuotient => is(terms, x, 0),
        Share::Remainder(divisor) => {
            let (is_small, by_zero) = (terms.binary(BinaryOp::Ult, x, divisor), is(terms, divisor, 0));
            terms.or(is_small, by_zero)
        }
        Share::SignedRemainder(size) => is_within(terms, x, size - 1, size.wrapping_mul(2).wrapping_sub(1)),
    }
}

/// Whether `x` is less than its share.
fn is_below(terms: &mut Terms, op: BinaryOp, x: TermId, share: Share) -> Option<TermId> {
    let bound = match (share, op) {
        (Share::Quotient(_) | Share::Remainder(_), BinaryOp::Ult) => return Some(terms.bool(false)),
        (Share::Quotient(_), _) | (Share::SignedQuotient, BinaryOp::Slt) => 0,
        (Share::Halved(_), _) => u128::MAX,
        (Share::Remainder(divisor), _) => {
            natural_divisor(terms, divisor)?;
            0
        }
        (Share::SignedRemainder(size), BinaryOp::Slt) => 1u128.wrapping_sub(size),
        (Share::SignedQuotient | Share::SignedRemainder(_), _) => return None,
    };
    let bound = terms.int(terms.width(x), bound);
    let below = terms.binary(BinaryOp::Slt, x, bound);
    Some(and_moved(terms, below, share))
}

/// Whether `x` is greater than its share.
fn is_above(terms: &mut Terms, op: BinaryOp, x: TermId, share: Share) -> Option<TermId> {
    let (op, bound) = match (share, op) {
        (Share::Remainder(divisor), BinaryOp::Ult) => {
            let (by_zero, is_small) = (is(terms, divisor, 0), terms.binary(BinaryOp::Ult, x, divisor));
            let (not_by_zero, not_small) = (terms.not(by_zero), terms.not(is_small));
            return Some(terms.and(not_by_zero, not_small));
        }
        (Share::Quotient(_), _) | (Share::SignedQuotient, BinaryOp::Slt) => (op, 0),
        (Share::Halved(_), _) => (BinaryOp::Slt, 0),
        (Share::Remainder(divisor), _) => (op, natural_divisor(terms, divisor)? - 1),
        (Share::SignedRemainder(size), BinaryOp::Slt) => (op, size - 1),
        (Share::SignedQuotient | Share::SignedRemainder(_), _) => return None,
    };
    let bound = terms.int(terms.width(x), bound);
    let above = terms.binary(op, bound, x);
    Some(and_moved(terms, above, share))
}

/// A constant divisor that leaves no negative remainder.
fn natural_divisor(terms: &Terms, divisor: TermId) -> Option<u128> {
    let greatest = (mask(terms.width(divisor)) >> 1) + 1;
    terms.bits(divisor).filter(|&bits| bits != 0 && bits <= greatest)
}

/// A condition, and that a share is shifted at all.
fn and_moved(terms: &mut Terms, condition: TermId, share: Share) -> TermId {
    let (Share::Quotient(amount) | Share::Halved(amount)) = share else { return condition };
    let still = is_still(terms, amount);
    let moved = terms.not(still);
    terms.and(condition, moved)
}

fn is_still(terms: &mut Terms, amount: Amount) -> TermId {
    match amount {
        Amount::Some => terms.bool(false),
        Amount::Of(y) => is(terms, y, 0),
    }
}

fn is(terms: &mut Terms, x: TermId, bits: u128) -> TermId {
    let constant = terms.int(terms.width(x), bits);
    terms.eq(x, constant)
}

/// Unsigned `x + offset < count`.
fn is_within(terms: &mut Terms, x: TermId, offset: u128, count: u128) -> TermId {
    let width = terms.width(x);
    let (offset, count) = (terms.int(width, offset), terms.int(width, count));
    let moved = terms.binary(BinaryOp::Add, x, offset);
    terms.binary(BinaryOp::Ult, moved, count)
}
