//! `result = a mod 2^n`, the lowest `n` bits as a narrower integer
//!
//! Bounds consistent on clockwise intervals: `2^n` divides the size of the wider ring, so both bounds of `a` move to
//! the nearest values whose residue is in the result's interval.

use clew_scalar::int;

use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, KnownBits};

/// The lowest bits of `a`, as many as the result has.
pub fn truncate(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if result.width() == a.width() {
        return super::unify(result, a);
    }
    result.narrow(&lowest(a, result.width()))?;
    a.narrow(&preimage(result, a)?)
}

/// All values of the lowest bits; a rough domain.
fn lowest(a: &IntDomain, width: u8) -> IntDomain {
    let mask: u128 = int::mask(width);
    let bits = KnownBits { zeros: a.bits().zeros & mask | !mask, ones: a.bits().ones & mask };
    if a.interval().span(a.mask()) > mask {
        return IntDomain::rough_bits(width, bits);
    }
    a.rough_moved(width, a.interval().lo, bits)
}

/// Values around those of `a` whose lowest bits are in the result; a rough domain.
fn preimage(result: &IntDomain, a: &IntDomain) -> Result<IntDomain, Conflict> {
    let (mask, wide) = (result.mask(), a.mask());
    let bits = result.bits();
    let bits = KnownBits { zeros: bits.zeros & mask | !wide, ones: bits.ones };
    let (interval, outer) = (result.interval(), a.interval());
    let span = outer.span(wide);
    let skip = |residue: u128, bound: u128| if interval.contains(residue, mask) { 0 } else { bound & mask };
    let first = skip(outer.lo & mask, interval.lo.wrapping_sub(outer.lo));
    let last = skip(outer.hi & mask, outer.hi.wrapping_sub(interval.hi));
    if first > span || last > span - first {
        return Err(Conflict);
    }
    let lo = outer.lo.wrapping_add(first) & wide;
    let offset = lo.wrapping_sub(interval.lo) & mask;
    // Inside one period of the residues the shape of the result carries over.
    if span <= mask && offset == 0 && interval.span(mask) <= span - first {
        return Ok(result.rough_moved(a.width(), lo, bits));
    }
    Ok(IntDomain::rough(a.width(), Interval::new(lo, outer.hi.wrapping_sub(last) & wide, wide), 1, bits))
}
