//! `result = a / b` unsigned, all ones for `b = 0`
//!
//! Bounds of all three from the unsigned bounds of the other two; bounds consistent for a fixed divisor.

use clew_scalar::int;

use super::{Triple, either, enumerate};
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Unsigned quotient.
pub fn udiv(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if result.is_top() && a.is_top() && b.is_top() {
        return Ok(());
    }
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, int::udiv);
    }
    if !b.contains(0) {
        return by_nonzero(result, a, b);
    }
    let (r, x, y) = (*result, *a, *b);
    let mut cases = [by_zero(r, x, y), without_zero(r, x, y)].into_iter();
    either((result, a, b), &mut cases)
}

/// The case of a zero divisor.
fn by_zero(mut result: IntDomain, a: IntDomain, b: IntDomain) -> Result<Triple, Conflict> {
    result.fix(result.mask())?;
    Ok((result, a, IntDomain::singleton(b.width(), 0)))
}

/// The case of any other divisor.
fn without_zero(mut result: IntDomain, mut a: IntDomain, mut b: IntDomain) -> Result<Triple, Conflict> {
    b.narrow_unsigned(1, u128::MAX)?;
    by_nonzero(&mut result, &mut a, &mut b)?;
    Ok((result, a, b))
}

/// `result * b <= a < (result + 1) * b` on bounds.
fn by_nonzero(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    // A wrapped domain may be unable to say that zero is out.
    let divisors = (b.unsigned_min().max(1), b.unsigned_max());
    result.narrow_unsigned(a.unsigned_min() / divisors.1, a.unsigned_max() / divisors.0)?;
    let quotients = (result.unsigned_min(), result.unsigned_max());
    let least = quotients.0.checked_mul(divisors.0).ok_or(Conflict)?;
    let most = quotients.1.saturating_mul(divisors.1).saturating_add(divisors.1 - 1);
    a.narrow_unsigned(least, most)?;
    let most = a.unsigned_max().checked_div(quotients.0).unwrap_or(u128::MAX);
    let least = quotients.1.checked_add(1).map_or(0, |next| a.unsigned_min() / next);
    b.narrow_unsigned(least.saturating_add(1), most)
}
