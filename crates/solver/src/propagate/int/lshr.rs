//! `result = a >> amount` with zeros above, zero for amounts of the width or more
//!
//! Bounds consistent for a fixed amount; several amounts are joined; many give bounds from the extreme amounts, and are
//! bounded by the highest ones of both sides.

use super::high::high;
use super::shift::{by_amount, furthest};
use super::zero_extend::zero_extend;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Logical right shift.
pub fn lshr(result: &mut IntDomain, a: &mut IntDomain, amount: &mut IntDomain) -> Result<(), Conflict> {
    if result.unsigned_min() > 0 {
        let room = furthest(a.unsigned_max(), result.unsigned_min())?;
        amount.narrow_unsigned(0, room)?;
    }
    if let Some(done) = by_amount(result, a, amount, fixed) {
        return done;
    }
    let least = amount.unsigned_min().min(127) as u32;
    let most = u32::try_from(amount.unsigned_max()).unwrap_or(u32::MAX);
    result.narrow_unsigned(a.unsigned_min().checked_shr(most).unwrap_or(0), a.unsigned_max() >> least)?;
    let smallest = result.unsigned_min();
    if smallest > a.mask() >> least {
        return Err(Conflict);
    }
    a.narrow_unsigned(smallest << least, u128::MAX)
}

/// `result = a >> k`: the highest bits below `k` zeros.
fn fixed(result: &mut IntDomain, a: &mut IntDomain, k: u8) -> Result<(), Conflict> {
    let width = result.width();
    if k == 0 {
        return super::unify(result, a);
    }
    if k == width {
        return result.fix(0);
    }
    let mut kept = IntDomain::top(width - k);
    high(&mut kept, a)?;
    zero_extend(result, &mut kept)?;
    high(&mut kept, a)
}
