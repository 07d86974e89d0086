//! `result = a` as unsigned numbers, in a wider ring
//!
//! Bounds consistent on unsigned ranges.

use super::truncate::truncate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, KnownBits};

/// Zeros above.
pub fn zero_extend(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if result.width() == a.width() {
        return super::unify(result, a);
    }
    result.narrow(&extended(a, result.width()))?;
    truncate(a, result)
}

/// The same unsigned numbers in a wider ring; a rough domain.
fn extended(a: &IntDomain, width: u8) -> IntDomain {
    let bits: KnownBits = a.bits();
    if !a.interval().wraps() {
        return a.rough_moved(width, a.interval().lo, bits);
    }
    IntDomain::rough(width, Interval { lo: a.unsigned_min(), hi: a.unsigned_max() }, 1, bits)
}
