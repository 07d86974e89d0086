//! `result = a * a (mod 2^w)`
//!
//! The product with itself, under either sign of `a`, joined: knows that a square that does not overflow is not negative.
//! Where it does not overflow, the magnitude of `a` is between the roots of the bounds of `result`. A square is a
//! power of four times a number that is 1 modulo 8. Of a fixed square, the bounds of `a` are roots.

use super::{enumerate, mul};
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits, low};

/// Wrapping square; for products whose operands are one term.
pub fn square(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if a.is_listed() {
        return enumerate::unary(result, a, |width, value| clew_scalar::int::mul(width, value, value));
    }
    narrow_residues(result, a)?;
    if let Some(square) = result.value().filter(|&square| square != 0) {
        return narrow_to_classes(square, a);
    }
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

/// Lowest bits: zeros of a square come in pairs, one for each zero of its root, and above them stands a one and two more zeros.
fn narrow_residues(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    let mask = result.mask();
    let pairs = result.bits().zeros.trailing_ones().min(u32::from(result.width())).div_ceil(2);
    let above = if pairs > 62 { 0 } else { 0b10 << (2 * pairs) };
    let is_odd = result.bits().ones >> (2 * pairs).min(127) & 1 == 1;
    let zeros = low(2 * pairs) | above | if is_odd { above << 1 } else { 0 };
    result.narrow_bits(KnownBits { zeros: zeros & mask | !mask, ones: 0 })?;
    a.narrow_bits(KnownBits { zeros: low(pairs) & mask | !mask, ones: 0 })
}

/// The roots of a fixed square `4^k * m` with `m` odd, `s` a root of `m`: the lowest bits of all of them are those of
/// `2^k * s` or of `-2^k * s`, but for the highest `k + 1` bits, which are free.
fn narrow_to_classes(square: u128, a: &mut IntDomain) -> Result<(), Conflict> {
    let pairs = square.trailing_zeros() / 2;
    let width = u32::from(a.width());
    let root = odd_root(square >> (2 * pairs), width - 2 * pairs) << pairs;
    let fixed = (width - pairs - 1).max(pairs + 1);
    let class = |root: u128| {
        let mut class = *a;
        class.narrow_bits(KnownBits::suffix(root, fixed, a.mask())).map(|()| class)
    };
    *a = match (class(root), class(root.wrapping_neg())) {
        (Ok(first), Ok(second)) => first.join(&second),
        (Ok(only), Err(Conflict)) | (Err(Conflict), Ok(only)) => only,
        (Err(Conflict), Err(Conflict)) => return Err(Conflict),
    };
    Ok(())
}

/// A root of a number that is 1 modulo 8, modulo two to some power: one more bit at a time (Hensel's lemma).
fn odd_root(number: u128, bits: u32) -> u128 {
    (3..bits).fold(1, |root: u128, bit| {
        let wrong = (root.wrapping_mul(root) ^ number) >> bit & 1;
        root | wrong << (bit - 1)
    })
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
        for (number, may_be) in [
            (79, false),
            (17, true),
            (2, false),
            (21, false),
            (6, false),
            (4, true),
            (24, false),
            (48, false),
            (68, true),
            (0, true),
        ] {
            let mut result = IntDomain::singleton(32, number);
            assert_eq!(square(&mut result, &mut IntDomain::top(32)).is_ok(), may_be, "{number}");
        }
    }

    #[test]
    fn bounds_are_roots_of_a_fixed_square() {
        for (number, range, roots) in [
            (17, (0, 1 << 31), (869_476_073, 1_278_007_575)),
            (17, (869_476_074, 1 << 31), (1_278_007_575, 1_278_007_575)),
            (68, (0, 500_000_000), (408_531_502, 408_531_502)),
        ] {
            let (low, high) = range;
            let mut a = IntDomain::unsigned(32, low, high);
            assert_eq!(square(&mut IntDomain::singleton(32, number), &mut a), Ok(()));
            assert_eq!((a.unsigned_min(), a.unsigned_max()), roots, "{number}");
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
