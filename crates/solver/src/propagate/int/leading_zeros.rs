//! `result = number of leading zero bits of a`, the width for zero
//!
//! Bounds consistent on unsigned ranges: the count falls as `a` grows.

use clew_scalar::int;

use super::enumerate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, low};

/// Number of leading zero bits.
pub fn leading_zeros(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if a.is_listed() {
        return enumerate::unary(result, a, int::leading_zeros);
    }
    let width = a.width();
    result.narrow_unsigned(int::leading_zeros(width, a.unsigned_max()), int::leading_zeros(width, a.unsigned_min()))?;
    let ones = |zeros: u128| u32::from(width) - zeros as u32;
    let (fewest, most) = (ones(result.unsigned_max()), ones(result.unsigned_min()));
    let least = if fewest == 0 { 0 } else { 1 << (fewest - 1) };
    a.narrow_unsigned(least, low(most))
}
