//! `result = a & (a - 1)`, `a` without its lowest one
//!
//! Where the result is zero, `a` is zero or has a single one: domain consistent as far as a domain can tell values apart.

use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// The lowest one removed; does nothing unless nothing is left.
pub fn single(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if result.value() != Some(0) || a.value().is_some_and(|value| value & value.wrapping_sub(1) == 0) {
        return Ok(());
    }
    let powers = (0..a.width()).map(|bit| 1 << bit);
    let mut values: Vec<u128> = std::iter::once(0).chain(powers).filter(|&value| a.contains(value)).collect();
    if values.is_empty() {
        return Err(Conflict);
    }
    a.narrow(&IntDomain::from_values(a.width(), &mut values))
}

#[cfg(test)]
mod tests {
    use super::single;
    use crate::domain::Conflict;
    use crate::domain::int::{IntDomain, KnownBits};

    #[test]
    fn bounds_are_powers_of_two() {
        let mut zero = IntDomain::singleton(32, 0);
        let mut a = IntDomain::unsigned(32, 33, 1_000);
        assert_eq!(single(&mut zero, &mut a), Ok(()));
        assert_eq!((a.unsigned_min(), a.unsigned_max()), (64, 512));
        assert_eq!(single(&mut zero, &mut IntDomain::unsigned(32, 33, 63)), Err(Conflict));
        let mut a = IntDomain::from_bits(32, KnownBits { zeros: !u128::from(u32::MAX), ones: 64 });
        assert_eq!(single(&mut zero, &mut a), Ok(()));
        assert_eq!(a.value(), Some(64), "a bit that is one is the only one");
    }
}
