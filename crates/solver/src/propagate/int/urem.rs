//! `result = a mod b` unsigned, `a` for `b = 0`
//!
//! Bounds from `result < b`, `result <= a`, and `b + result <= a` unless `result = a`; for a fixed divisor also the bounds
//! of `a` and the stride, both ways. Where `a` and `result` are fixed, `b` is a divisor of their difference.

use clew_scalar::int;

use super::add::add;
use super::divisors::narrow_to_divisors;
use super::{Triple, either, enumerate, unify};
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, gcd};

/// Unsigned remainder.
pub fn urem(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if result.is_top() && a.is_top() && b.is_top() {
        return Ok(());
    }
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, int::urem);
    }
    if !b.contains(0) {
        return by_nonzero(result, a, b);
    }
    let (r, x, y) = (*result, *a, *b);
    let mut cases = [by_zero(r, x, y), without_zero(r, x, y)].into_iter();
    either((result, a, b), &mut cases)
}

/// The case of a zero divisor.
fn by_zero(mut result: IntDomain, mut a: IntDomain, b: IntDomain) -> Result<Triple, Conflict> {
    unify(&mut result, &mut a)?;
    Ok((result, a, IntDomain::singleton(b.width(), 0)))
}

/// The case of any other divisor.
fn without_zero(mut result: IntDomain, mut a: IntDomain, mut b: IntDomain) -> Result<Triple, Conflict> {
    b.narrow_unsigned(1, u128::MAX)?;
    by_nonzero(&mut result, &mut a, &mut b)?;
    Ok((result, a, b))
}

/// The divisor is not zero.
fn by_nonzero(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    result.narrow_unsigned(0, a.unsigned_max().min(b.unsigned_max() - 1))?;
    b.narrow_unsigned(result.unsigned_min().saturating_add(1), u128::MAX)?;
    a.narrow_unsigned(result.unsigned_min(), u128::MAX)?;
    let least = b.unsigned_min().saturating_add(result.unsigned_min());
    if a.unsigned_max() < least {
        return unify(result, a);
    }
    if a.unsigned_min() > result.unsigned_max() {
        a.narrow_unsigned(least, u128::MAX)?;
        b.narrow_unsigned(0, a.unsigned_max() - result.unsigned_min())?;
    }
    match (result.value(), a.value(), b.value()) {
        (_, _, Some(divisor)) => by_constant(result, a, divisor),
        (Some(rest), Some(dividend), None) => narrow_to_divisors(dividend - rest, b),
        _ => Ok(()),
    }
}

/// The divisor is fixed and not zero.
fn by_constant(result: &mut IntDomain, a: &mut IntDomain, divisor: u128) -> Result<(), Conflict> {
    let quotient = a.unsigned_min() / divisor;
    if a.unsigned_max() / divisor == quotient {
        return add(a, result, &mut IntDomain::singleton(result.width(), quotient * divisor));
    }
    narrow_dividend(result, a, divisor)?;
    let ring = Interval::full(result.mask());
    if !a.interval().wraps() {
        let stride = gcd(divisor, if a.value().is_some() { 0 } else { a.stride() });
        result.narrow(&residues(a.interval().lo, stride, ring, result))?;
    }
    if !result.interval().wraps() {
        let stride = gcd(divisor, if result.value().is_some() { 0 } else { result.stride() });
        a.narrow(&residues(result.interval().lo, stride, ring, a))?;
    }
    Ok(())
}

/// The unsigned numbers that are `value` modulo the stride.
fn residues(value: u128, stride: u128, ring: Interval, like: &IntDomain) -> IntDomain {
    IntDomain::progression(like.width(), Interval { lo: value % stride, ..ring }, stride)
}

/// Moves the bounds of the dividend to numbers whose remainder is in the result's bounds.
fn narrow_dividend(result: &IntDomain, a: &mut IntDomain, divisor: u128) -> Result<(), Conflict> {
    let (least, most) = (result.unsigned_min(), result.unsigned_max().min(divisor - 1));
    if least > most {
        return Err(Conflict);
    }
    let (lo, hi) = (a.unsigned_min(), a.unsigned_max());
    let up = match lo % divisor {
        rest if rest < least => least - rest,
        rest if rest > most => divisor - rest + least,
        _ => 0,
    };
    let down = match hi % divisor {
        rest if rest > most => rest - most,
        rest if rest < least => rest + (divisor - most),
        _ => 0,
    };
    let lo = lo.checked_add(up).ok_or(Conflict)?;
    let hi = hi.checked_sub(down).ok_or(Conflict)?;
    a.narrow_unsigned(lo, hi)
}
