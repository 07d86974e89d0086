//! `result = a + b (mod 2^w)`
//!
//! Bounds consistent on clockwise intervals; known bits through all carries; strides by their common divisor.

use clew_scalar::int;

use super::enumerate;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Wrapping sum.
#[inline]
pub fn add(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if a.value().is_none() && b.value().is_none() && enumerate::few(a, b) {
        return enumerate::binary(result, a, b, int::add);
    }
    result.narrow(&a.sum(b))?;
    a.narrow(&result.difference(b))?;
    b.narrow(&result.difference(a))
}
