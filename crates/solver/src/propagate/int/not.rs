//! `result = ~a`
//!
//! Domain consistent: complement maps every domain to one of the same shape.

use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Bitwise complement.
#[inline]
pub fn not(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    result.narrow(&a.complemented())?;
    a.narrow(&result.complemented())
}
