//! `result = a - b (mod 2^w)`
//!
//! Bounds consistent on clockwise intervals: the same relation as `a = result + b`.

use super::add::add;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Wrapping difference.
#[inline]
pub fn sub(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if let (Some(_), Some(_)) = (a.value(), b.value()) {
        return result.narrow(&a.difference(b));
    }
    add(a, result, b)
}
