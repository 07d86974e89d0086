//! `result = (a >> low) mod 2^n`, the bits from `low` on
//!
//! Bounds consistent where only lowest or only highest bits are taken; otherwise the composition of the two.

use super::high::{high, highest};
use super::truncate::truncate;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// The bits of `a` from position `low` on, as many as the result has.
///
/// # Panics
/// If `a` has too few bits.
pub fn extract(result: &mut IntDomain, a: &mut IntDomain, low: u8) -> Result<(), Conflict> {
    assert!(result.width() + low <= a.width(), "bits outside the operand");
    if low == 0 {
        return truncate(result, a);
    }
    if result.width() + low == a.width() {
        return high(result, a);
    }
    let mut upper = IntDomain::top(a.width() - low);
    upper.narrow(&highest(a, upper.width()))?;
    truncate(result, &mut upper)?;
    high(&mut upper, a)
}
