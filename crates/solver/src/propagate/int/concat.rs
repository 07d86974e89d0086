//! `result = upper * 2^n + lower`, the bits of `upper` above the `n` bits of `lower`
//!
//! Bit consistent; bounds consistent when `upper` or `lower` is fixed.

use super::high::high;
use super::truncate::truncate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, KnownBits};

/// Bits above bits; the result is as wide as both together.
///
/// # Panics
/// If the widths do not add up.
pub fn concat(result: &mut IntDomain, upper: &mut IntDomain, lower: &mut IntDomain) -> Result<(), Conflict> {
    assert_eq!(result.width(), upper.width() + lower.width(), "widths add up");
    result.narrow(&joined(upper, lower, result.width()))?;
    high(upper, result)?;
    truncate(lower, result)
}

/// All concatenations; a rough domain.
fn joined(upper: &IntDomain, lower: &IntDomain, width: u8) -> IntDomain {
    let shift = u32::from(lower.width());
    let (above, below) = (upper.bits(), lower.bits());
    let bits =
        KnownBits { zeros: above.zeros << shift | below.zeros & lower.mask(), ones: above.ones << shift | below.ones };
    if let Some(base) = upper.value()
        && !lower.interval().wraps()
    {
        return lower.rough_moved(width, base << shift | lower.interval().lo, bits);
    }
    let Interval { lo, hi } = upper.interval();
    if let Some(value) = lower.value() {
        return upper.rough_scaled(width, lo << shift | value, 1 << shift, bits);
    }
    let interval = Interval { lo: lo << shift | lower.unsigned_min(), hi: hi << shift | lower.unsigned_max() };
    IntDomain::rough(width, interval, 1, bits)
}
