//! `result = a >> k`, the highest `w - k` bits as a narrower integer
//!
//! Bounds consistent on clockwise intervals; a stride that is a multiple of `2^k` stays.

use clew_scalar::int;

use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, KnownBits, low};

/// The highest bits of `a`, as many as the result has.
pub(super) fn high(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    result.narrow(&highest(a, result.width()))?;
    let shift = u32::from(a.width() - result.width());
    let interval = result.interval();
    let wide = Interval::new(interval.lo << shift, interval.hi << shift | low(shift), int::mask(a.width()));
    let bits = result.bits();
    let bits = KnownBits { zeros: bits.zeros << shift, ones: bits.ones << shift };
    a.narrow(&IntDomain::rough(a.width(), wide, 1, bits))
}

/// All values of the highest bits; a rough domain.
pub(super) fn highest(a: &IntDomain, width: u8) -> IntDomain {
    let shift = u32::from(a.width() - width);
    let mask: u128 = int::mask(width);
    let bits = KnownBits { zeros: a.bits().zeros >> shift | !mask, ones: a.bits().ones >> shift };
    let Interval { lo, hi } = a.interval();
    if lo > hi && lo >> shift == hi >> shift {
        return IntDomain::rough_bits(width, bits);
    }
    let interval = Interval::new(lo >> shift, hi >> shift, mask);
    let stride = if a.stride() & low(shift) == 0 { a.stride() >> shift } else { 1 };
    IntDomain::rough(width, interval, stride, bits)
}
