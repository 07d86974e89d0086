//! `result <=> a < b` and `result <=> a <= b`, unsigned and signed
//!
//! Bounds consistent: least and greatest values are exact, and once decided the order is enforced on both operands.

use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::int::IntDomain;

/// Unsigned less.
#[inline]
pub fn ult(result: &mut BoolDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    match result.value() {
        Some(true) => order_unsigned(a, b, 1),
        Some(false) => order_unsigned(b, a, 0),
        None if a.unsigned_max() < b.unsigned_min() => result.fix(true),
        None if a.unsigned_min() >= b.unsigned_max() => result.fix(false),
        None => Ok(()),
    }
}

/// Unsigned less or equal.
#[inline]
pub fn ule(result: &mut BoolDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    negated(result, |greater| ult(greater, b, a))
}

/// Signed less.
#[inline]
pub fn slt(result: &mut BoolDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    match result.value() {
        Some(true) => order_signed(a, b, 1),
        Some(false) => order_signed(b, a, 0),
        None if a.signed_max() < b.signed_min() => result.fix(true),
        None if a.signed_min() >= b.signed_max() => result.fix(false),
        None => Ok(()),
    }
}

/// Signed less or equal.
#[inline]
pub fn sle(result: &mut BoolDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    negated(result, |greater| slt(greater, b, a))
}

/// A propagator of the negated result.
#[inline]
pub(super) fn negated(
    result: &mut BoolDomain,
    contract: impl FnOnce(&mut BoolDomain) -> Result<(), Conflict>,
) -> Result<(), Conflict> {
    let mut opposite = result.not();
    contract(&mut opposite)?;
    *result = opposite.not();
    Ok(())
}

/// `a + distance <= b` for a distance of 0 or 1.
#[inline]
fn order_unsigned(a: &mut IntDomain, b: &mut IntDomain, distance: u128) -> Result<(), Conflict> {
    let greatest = b.unsigned_max().checked_sub(distance).ok_or(Conflict)?;
    a.narrow_unsigned(0, greatest)?;
    let least = a.unsigned_min().checked_add(distance).ok_or(Conflict)?;
    b.narrow_unsigned(least, u128::MAX)
}

/// `a + distance <= b` for a distance of 0 or 1.
#[inline]
fn order_signed(a: &mut IntDomain, b: &mut IntDomain, distance: i128) -> Result<(), Conflict> {
    let greatest = b.signed_max().checked_sub(distance).ok_or(Conflict)?;
    a.narrow_signed(i128::MIN, greatest)?;
    let least = a.signed_min().checked_add(distance).ok_or(Conflict)?;
    b.narrow_signed(least, i128::MAX)
}
