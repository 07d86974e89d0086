//! `result = a * b (mod 2^w)`
//!
//! Bounds of the result by corner products, unsigned and signed; bounds of the factors by division where the product
//! cannot overflow in one of the two readings; lowest bits both ways, so that a fixed odd factor is inverted exactly. Bounds
//! consistent where one factor is fixed (`multiples`), up to 64 bits.

use clew_scalar::int;

use super::enumerate;
use super::multiples::multiples;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, KnownBits, inverse};

/// Wrapping product.
pub fn mul(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, int::mul);
    }
    forward(result, a, b)?;
    backward(result, a, b)?;
    backward(result, b, a)?;
    match (a.value(), b.value()) {
        (None, Some(factor)) => multiples(result, a, factor),
        (Some(factor), None) => multiples(result, b, factor),
        _ => Ok(()),
    }
}

/// Narrows the product.
fn forward(result: &mut IntDomain, a: &IntDomain, b: &IntDomain) -> Result<(), Conflict> {
    let mask = result.mask();
    let bits = a.bits().mul(b.bits(), mask);
    if let Some(factor) = b.value() {
        return result.narrow(&scaled(a, factor, bits));
    }
    if let Some(factor) = a.value() {
        return result.narrow(&scaled(b, factor, bits));
    }
    result.narrow(&IntDomain::rough(result.width(), unsigned_products(a, b), 1, bits))?;
    result.narrow_interval(signed_products(a, b))
}

/// All products with a constant; a rough domain.
fn scaled(a: &IntDomain, factor: u128, bits: KnownBits) -> IntDomain {
    let (width, mask) = (a.width(), a.mask());
    let span = a.interval().span(mask);
    if span.checked_mul(factor).is_some_and(|span| span <= mask) && factor != 0 {
        return a.rough_scaled(width, a.interval().lo.wrapping_mul(factor), factor, bits);
    }
    // A factor that is small when negated turns the progression round.
    let opposite = factor.wrapping_neg() & mask;
    if span.checked_mul(opposite).is_some_and(|span| span <= mask) && opposite != 0 {
        let lo = a.interval().lo.wrapping_mul(opposite);
        return a.rough_scaled(width, lo, opposite, KnownBits::top(mask)).negated();
    }
    IntDomain::rough_bits(width, bits)
}

/// An interval around all products of unsigned numbers.
fn unsigned_products(a: &IntDomain, b: &IntDomain) -> Interval {
    let mask = a.mask();
    let product = |x: Interval, y: Interval| {
        let (lo, hi) = (x.lo.checked_mul(y.lo)?, x.hi.checked_mul(y.hi)?);
        (hi - lo < mask).then_some(Interval { lo: lo & mask, hi: hi & mask })
    };
    let parts = (a.interval().unsigned_parts(mask), b.interval().unsigned_parts(mask));
    hull_of_products(parts.0, parts.1, product, mask)
}

/// An interval around all products of signed numbers.
fn signed_products(a: &IntDomain, b: &IntDomain) -> Interval {
    let (width, mask) = (a.width(), a.mask());
    let product = |x: Interval, y: Interval| {
        let number = |bits: u128| int::signed(width, bits);
        let (lo, hi) = corners((number(x.lo), number(x.hi)), (number(y.lo), number(y.hi)))?;
        ((hi.checked_sub(lo)? as u128) < mask).then_some(Interval { lo: lo as u128 & mask, hi: hi as u128 & mask })
    };
    let parts = (a.interval().signed_parts(mask), b.interval().signed_parts(mask));
    hull_of_products(parts.0, parts.1, product, mask)
}

/// The hull of the products of all pairs of parts; the whole ring when one of them has no useful bounds.
fn hull_of_products(
    a: impl Iterator<Item = Interval>,
    b: impl Iterator<Item = Interval> + Clone,
    product: impl Fn(Interval, Interval) -> Option<Interval>,
    mask: u128,
) -> Interval {
    let mut parts = [Interval::full(mask); 4];
    let mut count = 0;
    for x in a {
        for y in b.clone() {
            let Some(part) = product(x, y) else { return Interval::full(mask) };
            parts[count] = part;
            count += 1;
        }
    }
    Interval::hull(&parts[..count], mask)
}

/// The least and the greatest product of two ranges, unless one overflows.
fn corners(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let products = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((*products.iter().min()?, *products.iter().max()?))
}

/// Narrows the factor `a`.
fn backward(result: &IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if !result.contains(0) {
        a.remove(0)?;
        b.remove(0)?;
    }
    divide_low_bits(result, a, b)?;
    if let Some(odd) = b.value().filter(|value| value & 1 == 1) {
        let bits = KnownBits::top(a.mask());
        a.narrow(&scaled(result, inverse(odd) & a.mask(), bits))?;
    }
    divide_unsigned(result, a, b)?;
    divide_signed(result, a, b)
}

/// Where the lowest bits of `b` are known, those of `a` follow from the result's.
fn divide_low_bits(result: &IntDomain, a: &mut IntDomain, b: &IntDomain) -> Result<(), Conflict> {
    let known = b.bits().known_suffix().min(u32::from(b.width()));
    let twos = b.bits().ones.trailing_zeros();
    if twos >= known {
        return Ok(());
    }
    // b = 2^twos * odd; the odd part is known to known - twos bits.
    let count = result.bits().known_suffix().min(known).min(u32::from(a.width())).saturating_sub(twos);
    let quotient = (result.bits().ones >> twos).wrapping_mul(inverse(b.bits().ones >> twos));
    a.narrow_bits(KnownBits::suffix(quotient, count, a.mask()))
}

/// Bounds by division when no unsigned product overflows.
fn divide_unsigned(result: &IntDomain, a: &mut IntDomain, b: &IntDomain) -> Result<(), Conflict> {
    let (least, most) = (b.unsigned_min(), b.unsigned_max());
    let fits = a.unsigned_max().checked_mul(most).is_some_and(|product| product <= a.mask());
    if !fits || most == 0 {
        return Ok(());
    }
    let hi = result.unsigned_max().checked_div(least).unwrap_or(u128::MAX);
    a.narrow_unsigned(result.unsigned_min().div_ceil(most), hi)
}

/// Bounds by division when no signed product overflows.
fn divide_signed(result: &IntDomain, a: &mut IntDomain, b: &IntDomain) -> Result<(), Conflict> {
    let greatest = (a.mask() >> 1) as i128;
    let factors = (b.signed_min(), b.signed_max());
    let fits = corners((a.signed_min(), a.signed_max()), factors)
        .is_some_and(|(lo, hi)| lo >= -greatest - 1 && hi <= greatest);
    if !fits || factors.0 <= 0 && factors.1 >= 0 && result.contains(0) {
        return Ok(());
    }
    let products = (result.signed_min(), result.signed_max());
    let positive = (factors.1 > 0).then(|| quotients(products, (factors.0.max(1), factors.1)));
    let negative = (factors.0 < 0).then(|| {
        let mirrored = (products.1.saturating_neg(), products.0.saturating_neg());
        quotients(mirrored, (factors.1.min(-1).saturating_neg(), factors.0.saturating_neg()))
    });
    let ranges = positive.into_iter().chain(negative).filter(|range| range.0 <= range.1);
    let hull = ranges.reduce(|all, range| (all.0.min(range.0), all.1.max(range.1)));
    let (lo, hi) = hull.ok_or(Conflict)?;
    a.narrow_signed(lo, hi)
}

/// A range around the integers `q` with `q * divisor = product` for positive divisors; empty when there is none.
fn quotients(products: (i128, i128), divisors: (i128, i128)) -> (i128, i128) {
    let ceil = |n: i128, d: i128| n.div_euclid(d) + i128::from(n.rem_euclid(d) != 0);
    let lo = if products.0 >= 0 { ceil(products.0, divisors.1) } else { ceil(products.0, divisors.0) };
    let hi = if products.1 >= 0 { products.1.div_euclid(divisors.0) } else { products.1.div_euclid(divisors.1) };
    (lo, hi)
}
