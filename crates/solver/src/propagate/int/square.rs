//! `result = a * a (mod 2^w)`
//!
//! The product with itself, under either sign of `a`, joined: knows that a square that does not overflow is not negative.

use super::{enumerate, mul};
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Wrapping square; for products whose operands are one term.
pub fn square(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if a.is_listed() {
        return enumerate::unary(result, a, |width, value| clew_scalar::int::mul(width, value, value));
    }
    let case = |min: i128, max: i128| -> Result<(IntDomain, IntDomain), Conflict> {
        let (mut result, mut x) = (*result, *a);
        x.narrow_signed(min, max)?;
        let mut y = x;
        mul(&mut result, &mut x, &mut y)?;
        x.narrow(&y)?;
        Ok((result, x))
    };
    let (r, x) = match (case(i128::MIN, -1), case(0, i128::MAX)) {
        (Ok(negative), Ok(positive)) => (negative.0.join(&positive.0), negative.1.join(&positive.1)),
        (Ok(only), Err(Conflict)) | (Err(Conflict), Ok(only)) => only,
        (Err(Conflict), Err(Conflict)) => return Err(Conflict),
    };
    result.narrow(&r)?;
    a.narrow(&x)
}
