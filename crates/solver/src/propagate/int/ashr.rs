//! `result = a >> amount` with copies of the sign above, all of them for amounts of the width or more
//!
//! Bounds consistent for a fixed amount; several amounts are joined; many give bounds from the extreme amounts, and are
//! bounded by the highest bits of both sides that differ from the sign.

use super::high::high;
use super::shift::{by_amount, furthest};
use super::sign_extend::sign_extend;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Arithmetic right shift.
pub fn ashr(result: &mut IntDomain, a: &mut IntDomain, amount: &mut IntDomain) -> Result<(), Conflict> {
    let (low, high) = (result.signed_min(), result.signed_max());
    if low > 0 {
        a.narrow_signed(low, i128::MAX)?;
        amount.narrow_unsigned(0, furthest(a.signed_max() as u128, low as u128)?)?;
    } else if high < -1 {
        a.narrow_signed(i128::MIN, high)?;
        amount.narrow_unsigned(0, furthest(!a.signed_min() as u128, !high as u128)?)?;
    }
    if let Some(done) = by_amount(result, a, amount, fixed) {
        return done;
    }
    let (least, most) = (amount.unsigned_min().min(127) as u32, amount.unsigned_max().min(127) as u32);
    let (min, max) = (a.signed_min(), a.signed_max());
    let lo = if min < 0 { min >> least } else { min >> most };
    let hi = if max < 0 { max >> most } else { max >> least };
    result.narrow_signed(lo, hi)?;
    if result.signed_min() >= 0 {
        a.narrow_signed(result.signed_min(), i128::MAX)?;
    }
    if result.signed_max() < 0 {
        a.narrow_signed(i128::MIN, result.signed_max())?;
    }
    Ok(())
}

/// `result = a >> k`: the highest bits, sign extended.
fn fixed(result: &mut IntDomain, a: &mut IntDomain, k: u8) -> Result<(), Conflict> {
    let width = result.width();
    if k == 0 {
        return super::unify(result, a);
    }
    let mut kept = IntDomain::top(width - k.min(width - 1));
    high(&mut kept, a)?;
    sign_extend(result, &mut kept)?;
    high(&mut kept, a)
}
