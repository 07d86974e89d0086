//! `result = a rem b` signed, with the sign of `a`; `a` for `b = 0`
//!
//! The unsigned remainder of the magnitudes in each of the four combinations of signs, joined.

use clew_scalar::int;

use super::enumerate;
use super::sdiv::by_signs;
use super::urem::urem;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Signed remainder.
pub fn srem(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if result.is_top() && a.is_top() && b.is_top() {
        return Ok(());
    }
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, int::srem);
    }
    if a.signed_min() >= 0 && b.signed_min() >= 0 {
        return urem(result, a, b);
    }
    by_signs(result, a, b, urem, |a_negative, _| a_negative)
}
