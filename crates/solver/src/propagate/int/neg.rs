//! `result = -a (mod 2^w)`
//!
//! Domain consistent: negation maps every domain to one of the same shape.

use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Two's complement negation.
#[inline]
pub fn neg(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    result.narrow(&a.negated())?;
    a.narrow(&result.negated())
}
