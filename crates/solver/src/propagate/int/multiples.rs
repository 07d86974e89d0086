//! `result = factor * a (mod 2^w)` for a constant factor and intervals that the products wrap around, `w <= 64`
//!
//! Bounds consistent on the interval and stride of `a` and the interval of the result: each end moves to the first
//! position from there that has a partner in the other interval. That position is the least `n` for which a multiple of `n`
//! modulo some modulus lies in a range, which Euclid's algorithm finds in as many divisions as a common divisor takes.

use crate::domain::Conflict;
use crate::domain::int::{IntDomain, Interval, inverse, low};

/// Integers that may be wider than this are left alone: the arithmetic here has twice as many bits.
const WIDEST: u8 = 64;

/// Narrows the bounds of both.
pub(super) fn multiples(result: &mut IntDomain, a: &mut IntDomain, factor: u128) -> Result<(), Conflict> {
    let step = factor.wrapping_mul(a.stride()) & a.mask();
    if a.width() > WIDEST || step == 0 || result.is_top() {
        return Ok(());
    }
    narrow_operand(result, a, factor, step)?;
    narrow_result(result, a, factor, step)
}

/// Moves the ends of the operand to positions whose products are in the interval of the result.
fn narrow_operand(result: &IntDomain, a: &mut IntDomain, factor: u128, step: u128) -> Result<(), Conflict> {
    let (mask, stride) = (a.mask(), a.stride());
    let Interval { lo, hi } = a.interval();
    let positions = a.interval().span(mask) / stride;
    let modulus = mask + 1;
    let span = result.interval().span(mask);
    let offset = |end: u128| result.interval().offset(factor.wrapping_mul(end) & mask, mask);
    let first = first_within(offset(lo), step, modulus, span, positions).ok_or(Conflict)?;
    let last = first_within(offset(hi), modulus - step, modulus, span, positions - first).ok_or(Conflict)?;
    if first == 0 && last == 0 {
        return Ok(());
    }
    let (lo, hi) = (lo.wrapping_add(first * stride) & mask, hi.wrapping_sub(last * stride) & mask);
    a.narrow_interval(Interval { lo, hi })
}

/// Moves the ends of the result to products of positions of the operand.
fn narrow_result(result: &mut IntDomain, a: &IntDomain, factor: u128, step: u128) -> Result<(), Conflict> {
    let mask = a.mask();
    let positions = a.interval().span(mask) / a.stride();
    // The products are base + 2^twos * (odd * position), the position modulo 2^(w - twos).
    let twos = step.trailing_zeros();
    let ring = mask >> twos;
    let inverse = inverse(step >> twos) & ring;
    let base = factor.wrapping_mul(a.interval().lo);
    let Interval { lo, hi } = result.interval();
    let span = result.interval().span(mask);
    let (above, below) = (base.wrapping_sub(lo) & low(twos), hi.wrapping_sub(base) & low(twos));
    let (lo, hi) = (lo.wrapping_add(above) & mask, hi.wrapping_sub(below) & mask);
    let products = (span.checked_sub(above + below).ok_or(Conflict)?) >> twos;
    let position = |product: u128| ((product.wrapping_sub(base) & mask) >> twos).wrapping_mul(inverse) & ring;
    let modulus = ring + 1;
    let first = first_within(position(lo), inverse, modulus, positions, products).ok_or(Conflict)?;
    let last = first_within(position(hi), modulus - inverse, modulus, positions, products - first).ok_or(Conflict)?;
    result.narrow_interval(Interval {
        lo: lo.wrapping_add(first << twos) & mask,
        hi: hi.wrapping_sub(last << twos) & mask,
    })
}

/// The least `n <= most` with `(start + step * n) mod modulus <= span`.
fn first_within(start: u128, step: u128, modulus: u128, span: u128, most: u128) -> Option<u128> {
    if start <= span {
        return Some(0);
    }
    let lo = modulus - start;
    least_multiple(step % modulus, modulus, lo, lo + span).filter(|&n| n <= most)
}

/// The least `n` with `lo <= step * n mod modulus <= hi`, where `lo <= hi < modulus` and `step < modulus`.
fn least_multiple(step: u128, modulus: u128, lo: u128, hi: u128) -> Option<u128> {
    if lo == 0 || step == 0 {
        return (lo == 0).then_some(0);
    }
    if 2 * step > modulus {
        return least_multiple(modulus - step, modulus, modulus - hi, modulus - lo);
    }
    let n = lo.div_ceil(step);
    if n * step <= hi {
        return Some(n);
    }
    // No multiple of the step is in the range: the least number of turns round the modulus after which one is.
    let turns = least_multiple(modulus % step, step, step - hi % step, step - lo % step)?;
    Some((lo + modulus * turns).div_ceil(step))
}

#[cfg(test)]
mod tests {
    use super::first_within;

    #[test]
    fn first_positions_are_those_found_by_trying_all() {
        for modulus in 1..24 {
            for (start, step, span) in (0..modulus * modulus * modulus)
                .map(|all| (all % modulus, all / modulus % modulus, all / modulus / modulus))
            {
                let first = (0..modulus).find(|n| (start + step * n) % modulus <= span);
                for most in [0, modulus / 2, modulus] {
                    let found = first_within(start, step, modulus, span, most);
                    assert_eq!(found, first.filter(|&n| n <= most), "{start} + {step} n mod {modulus} <= {span}");
                }
            }
        }
    }

    #[test]
    fn the_widest_modulus_does_not_overflow() {
        let modulus = 1 << 64;
        for step in [3, modulus - 3, 0x9e37_79b9_7f4a_7c15, 1 << 63, modulus / 2 + 1] {
            for span in [0, 1, 1 << 20, 1 << 62] {
                let found = first_within(modulus - 1 - span, step, modulus, span, modulus);
                if let Some(n) = found {
                    let residue = ((modulus - 1 - span) as u64).wrapping_add((step as u64).wrapping_mul(n as u64));
                    assert!(u128::from(residue) <= span, "{step} {span}");
                }
            }
        }
    }
}
