//! `result = a << amount`, zero for amounts of the width or more
//!
//! Bounds consistent for a fixed amount; several amounts are joined; many give the trailing zeros, and bounds where
//! nothing is shifted out.

use super::concat::concat;
use super::shift::by_amount;
use super::truncate::truncate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Left shift.
pub fn shl(result: &mut IntDomain, a: &mut IntDomain, amount: &mut IntDomain) -> Result<(), Conflict> {
    if let Some(done) = by_amount(result, a, amount, fixed) {
        return done;
    }
    let width = u128::from(result.width());
    let zeros = amount.unsigned_min().min(width) as u32 + a.bits().zeros.trailing_ones().min(u32::from(a.width()));
    result.narrow_bits(KnownBits::suffix(0, zeros.min(u32::from(result.width())), result.mask()))?;
    let ones = result.bits().ones;
    if ones != 0 {
        amount.narrow_unsigned(0, u128::from(ones.trailing_zeros()))?;
    }
    let (least, most) = (amount.unsigned_min(), amount.unsigned_max());
    let room = a.unsigned_max().leading_zeros() - (128 - u32::from(a.width()));
    if most > u128::from(room) {
        return Ok(());
    }
    result.narrow_unsigned(a.unsigned_min() << least, a.unsigned_max().checked_shl(most as u32).unwrap_or(0))?;
    let smallest = result.unsigned_min();
    a.narrow_unsigned(smallest.checked_shr(most as u32).unwrap_or(0), result.unsigned_max() >> least)
}

/// `result = a << k`: the lowest bits of `a` above `k` zeros.
fn fixed(result: &mut IntDomain, a: &mut IntDomain, k: u8) -> Result<(), Conflict> {
    let width = result.width();
    if k == 0 {
        return super::unify(result, a);
    }
    if k == width {
        return result.fix(0);
    }
    let mut kept = IntDomain::top(width - k);
    truncate(&mut kept, a)?;
    concat(result, &mut kept, &mut IntDomain::singleton(k, 0))?;
    truncate(&mut kept, a)
}
