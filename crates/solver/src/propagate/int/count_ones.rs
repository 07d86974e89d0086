//! `result = number of one bits of a`
//!
//! Bounds of the count from the known bits; when a bound is met, all unknown bits are known.

use clew_scalar::int;

use super::enumerate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Number of one bits.
pub fn count_ones(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if a.is_listed() {
        return enumerate::unary(result, a, int::count_ones);
    }
    let bits = a.bits();
    let least = u128::from(bits.ones.count_ones());
    let most = u128::from((!bits.zeros).count_ones());
    result.narrow_unsigned(least, most)?;
    if result.unsigned_max() == least {
        a.narrow_bits(KnownBits { zeros: !bits.ones, ones: bits.ones })?;
    }
    if result.unsigned_min() == most {
        a.narrow_bits(KnownBits { zeros: bits.zeros, ones: !bits.zeros })?;
    }
    Ok(())
}
