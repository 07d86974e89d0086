//! `result = number of trailing zero bits of a`, the width for zero
//!
//! Bounds of the count from the known bits; the least count makes bits zero, a fixed one makes a bit one.

use clew_scalar::int;

use super::enumerate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Number of trailing zero bits.
pub fn trailing_zeros(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if a.is_listed() {
        return enumerate::unary(result, a, int::trailing_zeros);
    }
    let width = u32::from(a.width());
    let bits = a.bits();
    let least = bits.zeros.trailing_ones().min(width);
    let most = if a.contains(0) { width } else { bits.ones.trailing_zeros().min(width - 1) };
    result.narrow_unsigned(u128::from(least), u128::from(most))?;
    let (least, most) = (result.unsigned_min() as u32, result.unsigned_max() as u32);
    a.narrow_bits(KnownBits::suffix(0, least, a.mask()))?;
    if most < width {
        a.remove(0)?;
    }
    if least == most && most < width {
        a.narrow_bits(KnownBits { zeros: 0, ones: 1 << most })?;
    }
    Ok(())
}
