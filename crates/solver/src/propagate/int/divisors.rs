//! `number mod b = 0`: a divisor of a fixed number
//!
//! Domain consistent as far as a domain can tell values apart, for numbers of at most 32 bits; others are left alone. The number
//! is taken apart by trial division.

use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// Narrows to the divisors of a number; zero is no divisor.
pub(super) fn narrow_to_divisors(number: u128, b: &mut IntDomain) -> Result<(), Conflict> {
    let Ok(number) = u32::try_from(number) else { return Ok(()) };
    if number == 0 {
        return Ok(());
    }
    let mut values: Vec<u128> = divisors(number).into_iter().map(u128::from).collect();
    values.retain(|&value| value <= b.mask() && b.contains(value));
    if values.is_empty() {
        return Err(Conflict);
    }
    b.narrow(&IntDomain::from_values(b.width(), &mut values))
}

/// All divisors of a number that is not zero.
fn divisors(number: u32) -> Vec<u32> {
    let (mut found, mut rest) = (vec![1], number);
    let mut factor = 2;
    while factor * factor <= u64::from(rest) {
        let power = factor as u32;
        if rest.is_multiple_of(power) {
            rest = with_factor(&mut found, rest, power);
        }
        factor += if factor == 2 { 1 } else { 2 };
    }
    if rest > 1 {
        with_factor(&mut found, rest, rest);
    }
    found
}

/// Adds the products with the powers of a prime factor that a number has; what is left of the number.
fn with_factor(found: &mut Vec<u32>, mut number: u32, factor: u32) -> u32 {
    let (count, mut power) = (found.len(), 1);
    while number.is_multiple_of(factor) {
        (number, power) = (number / factor, power * factor);
        for at in 0..count {
            found.push(found[at] * power);
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::{divisors, narrow_to_divisors};
    use crate::domain::Conflict;
    use crate::domain::int::IntDomain;

    #[test]
    fn divisors_are_all_divisors() {
        for number in (1..2_000).chain([65_536, 65_521 * 65_519, 4_294_967_291, u32::MAX]) {
            let mut found = divisors(number);
            found.sort_unstable();
            let root = number.isqrt();
            let mut expected: Vec<u32> = (1..=root).filter(|&factor| number % factor == 0).collect();
            expected.extend(expected.clone().into_iter().map(|factor| number / factor));
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(found, expected, "{number}");
        }
    }

    #[test]
    fn bounds_are_divisors() {
        let mut b = IntDomain::unsigned(32, 86, 16_000_000);
        assert_eq!(narrow_to_divisors(2 * 3 * 101 * 9_973, &mut b), Ok(()));
        assert_eq!((b.unsigned_min(), b.unsigned_max()), (101, 2 * 3 * 101 * 9_973));
        assert_eq!(narrow_to_divisors(101 * 103, &mut IntDomain::unsigned(32, 104, 10_000)), Err(Conflict));
        assert_eq!(narrow_to_divisors(256, &mut IntDomain::unsigned(8, 200, 255)), Err(Conflict), "of 8 bits");
    }
}
