//! `result = a + b (mod 2^w)`, where both operands are squares
//!
//! As [`add`], and the lowest bits of a sum of two squares: a power of two times a number that is 1 modulo 4 (Fermat).

use super::add;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Wrapping sum of two squares.
pub fn squares(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    narrow_above_lowest_one(result)?;
    add(result, a, b)
}

/// Above the lowest bit that is one stands a zero.
fn narrow_above_lowest_one(result: &mut IntDomain) -> Result<(), Conflict> {
    let lowest = result.bits().zeros.trailing_ones();
    if lowest + 1 >= u32::from(result.width()) || result.bits().ones >> lowest & 1 == 0 {
        return Ok(());
    }
    let mask = result.mask();
    result.narrow_bits(KnownBits { zeros: 2 << lowest | !mask, ones: 0 })
}

#[cfg(test)]
mod tests {
    use super::squares;
    use crate::domain::int::IntDomain;

    #[test]
    fn few_residues_are_sums_of_squares() {
        for (number, may_be) in
            [(70, false), (86, false), (3, false), (33, true), (52, true), (1 << 31, true), (0, true)]
        {
            let [mut a, mut b] = [IntDomain::top(32); 2];
            assert_eq!(squares(&mut IntDomain::singleton(32, number), &mut a, &mut b).is_ok(), may_be, "{number}");
        }
    }
}
