//! `result <=> a = b` and `result <=> a != b`
//!
//! Domain consistent, as far as a domain can say that one inner value is missing.

use super::compare::negated;
use super::unify;
use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::int::IntDomain;

/// Equal bits.
#[inline]
pub fn equal(result: &mut BoolDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    match result.value() {
        Some(true) => unify(a, b),
        Some(false) => differ(a, b),
        None => match (a.value(), b.value()) {
            (Some(x), Some(y)) => result.fix(x == y),
            (Some(x), None) if !b.contains(x) => result.fix(false),
            (None, Some(y)) if !a.contains(y) => result.fix(false),
            (None, None) if a.meet(b).is_err() => result.fix(false),
            _ => Ok(()),
        },
    }
}

/// Different bits.
#[inline]
pub fn not_equal(result: &mut BoolDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    negated(result, |same| equal(same, a, b))
}

/// A fixed value is taken from the other domain.
#[inline]
fn differ(a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if let Some(value) = a.value() {
        return b.remove(value);
    }
    match b.value() {
        Some(value) => a.remove(value),
        None => Ok(()),
    }
}
