//! `result = a` as signed numbers, in a wider ring
//!
//! Bounds consistent on signed ranges.

use clew_scalar::int;

use super::truncate::truncate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, KnownBits};

/// Copies of the sign above.
pub fn sign_extend(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if result.width() == a.width() {
        return super::unify(result, a);
    }
    result.narrow(&extended(a, result.width()))?;
    truncate(a, result)
}

/// The same signed numbers in a wider ring; a rough domain.
fn extended(a: &IntDomain, width: u8) -> IntDomain {
    let wide: u128 = int::mask(width);
    let above = wide & !a.mask();
    let sign = int::signed_min::<u128>(a.width());
    let inner = KnownBits { zeros: a.bits().zeros & a.mask(), ones: a.bits().ones };
    let copies = |known: u128| if known & sign != 0 { above } else { 0 };
    let bits = KnownBits { zeros: inner.zeros | copies(inner.zeros) | !wide, ones: inner.ones | copies(inner.ones) };
    if !a.crosses_signed_border() {
        return a.rough_moved(width, int::signed(a.width(), a.interval().lo) as u128, bits);
    }
    let interval = Interval { lo: a.signed_min() as u128 & wide, hi: a.signed_max() as u128 & wide };
    IntDomain::rough(width, interval, 1, bits)
}
