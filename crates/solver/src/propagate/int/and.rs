//! `result = a & b`
//!
//! Bit consistent: a bit of any domain is known when the other two determine it. Bounds by `result <= a, b`.

use clew_scalar::int;

use super::{enumerate, unify};
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Bitwise and.
pub fn and(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, |_, x, y| x & y);
    }
    let (x, y) = (a.bits(), b.bits());
    result.narrow_bits(KnownBits { zeros: x.zeros | y.zeros, ones: x.ones & y.ones })?;
    let r = result.bits();
    let outside = !int::mask::<u128>(result.width());
    a.narrow_bits(KnownBits { zeros: r.zeros & y.ones | outside, ones: r.ones })?;
    b.narrow_bits(KnownBits { zeros: r.zeros & x.ones | outside, ones: r.ones })?;
    // Where one operand has ones wherever the other may have some, it changes nothing.
    if !x.zeros & !y.ones == 0 {
        return unify(result, a);
    }
    if !y.zeros & !x.ones == 0 {
        return unify(result, b);
    }
    result.narrow_unsigned(0, a.unsigned_max().min(b.unsigned_max()))?;
    let least = result.unsigned_min();
    a.narrow_unsigned(least, u128::MAX)?;
    b.narrow_unsigned(least, u128::MAX)
}
