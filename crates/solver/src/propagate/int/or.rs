//! `result = a | b`
//!
//! Bit consistent: a bit of any domain is known when the other two determine it. Bounds by `result >= a, b`.

use clew_scalar::int;

use super::add::add;
use super::{enumerate, unify};
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Bitwise or.
pub fn or(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, |_, x, y| x | y);
    }
    let (x, y) = (a.bits(), b.bits());
    result.narrow_bits(KnownBits { zeros: x.zeros & y.zeros, ones: x.ones | y.ones })?;
    let r = result.bits();
    let outside = !int::mask::<u128>(result.width());
    a.narrow_bits(KnownBits { zeros: r.zeros | outside, ones: r.ones & y.zeros })?;
    b.narrow_bits(KnownBits { zeros: r.zeros | outside, ones: r.ones & x.zeros })?;
    // Where the ones of one operand are surely ones of the other, it changes nothing.
    if !y.zeros & !x.ones == 0 {
        return unify(result, a);
    }
    if !x.zeros & !y.ones == 0 {
        return unify(result, b);
    }
    if !x.zeros & !y.zeros == 0 {
        return add(result, a, b);
    }
    result.narrow_unsigned(a.unsigned_min().max(b.unsigned_min()), u128::MAX)?;
    let greatest = result.unsigned_max();
    a.narrow_unsigned(0, greatest)?;
    b.narrow_unsigned(0, greatest)
}
