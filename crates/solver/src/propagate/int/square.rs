//! `result = a * a (mod 2^w)`
//!
//! The product with itself, under either sign of `a`, joined: knows that a square that does not overflow is not negative.
//! Where it does not overflow, the magnitude of `a` is between the roots of the bounds of `result`. Squares are 0 or 1
//! modulo 4, odd ones 1 modulo 8.

use super::{enumerate, mul};
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Wrapping square; for products whose operands are one term.
pub fn square(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if a.is_listed() {
        return enumerate::unary(result, a, |width, value| clew_scalar::int::mul(width, value, value));
    }
    let mask = result.mask();
    let zeros = if result.bits().ones & 1 == 1 { 0b110 } else { 0b10 };
    result.narrow(&IntDomain::from_bits(result.width(), KnownBits { zeros: zeros & mask | !mask, ones: 0 }))?;
    let case = |min: i128, max: i128| -> Result<(IntDomain, IntDomain), Conflict> {
        let (mut result, mut x) = (*result, *a);
        x.narrow_signed(min, max)?;
        narrow_to_roots(&result, &mut x)?;
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

/// Bounds of an operand of one sign by the roots of its square, if that does not overflow.
fn narrow_to_roots(result: &IntDomain, x: &mut IntDomain) -> Result<(), Conflict> {
    let is_negative = x.signed_max() < 0;
    let farthest = if is_negative { x.signed_min() } else { x.signed_max() }.unsigned_abs();
    if farthest.checked_mul(farthest).is_none_or(|square| square > result.mask()) {
        return Ok(());
    }
    let (low, high) = (result.unsigned_min(), result.unsigned_max().isqrt() as i128);
    let root = low.isqrt();
    let least = (root + u128::from(root * root < low)) as i128;
    if is_negative { x.narrow_signed(-high, -least) } else { x.narrow_signed(least, high) }
}

#[cfg(test)]
mod tests {
    use super::square;
    use crate::domain::int::IntDomain;

    #[test]
    fn few_residues_are_squares() {
        for (number, may_be) in [(79, false), (17, true), (2, false), (21, false), (6, false), (4, true)] {
            let mut result = IntDomain::singleton(32, number);
            assert_eq!(square(&mut result, &mut IntDomain::top(32)).is_ok(), may_be, "{number}");
        }
    }

    #[test]
    fn roots_bound_the_operand() {
        let mut a = IntDomain::signed(32, -1_000, 900);
        assert_eq!(square(&mut IntDomain::unsigned(32, 250_000, 640_100), &mut a), Ok(()));
        assert_eq!((a.signed_min(), a.signed_max()), (-800, 800));
        let mut a = IntDomain::signed(32, 0, 32_767);
        assert_eq!(square(&mut IntDomain::unsigned(32, 250_001, 640_100), &mut a), Ok(()));
        assert_eq!((a.signed_min(), a.signed_max()), (501, 800));
        let mut a = IntDomain::signed(32, -32_768, 32_767);
        assert!(square(&mut IntDomain::unsigned(32, 23_170 * 23_170 + 1, 23_171 * 23_171 - 1), &mut a).is_err());
    }
}
