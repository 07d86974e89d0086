//! `z = x + y`, rounded.
//! Hull consistent on each pair of pieces (infinities apart), plus the bound of "filtering by ULP maximum".
//!
//! Projections on bounds alone learn nothing about `x` and `y` when both are free. But a sum of two floats is a
//! multiple of the smaller of their units in the last place, so a *nonzero* result of small magnitude excludes operands
//! of great magnitude (Marre, Michel 2010; Carlier, Gotlieb 2011).

use clew_scalar::{Format, Rounding};

use super::arithmetic::Arithmetic;
use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{Cuts, FloatDomain, Interval, Special};

/// Narrows the domains of `z = x + y`.
pub fn add(rounding: Rounding, x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    limit_by_ulp(x, y, z);
    contract(&Sum(Arithmetic { format: z.format(), rounding }), [x, y], z)
}

/// Bounds the operands of a sum or difference whose result is known to be finite and not zero.
///
/// Let `m` be the greatest magnitude of the result, `2^e <= m` its power of two and `p` the precision. The exact sum is
/// a nonzero multiple of the smaller ulp `u`, and `u` is a float, so `u <= m` even after rounding: the smaller operand
/// is below `2^(e+p)`. A greater operand of `2^(e+p)` or more has an ulp above `m`, and lies within `2^(e+1)` of the
/// smaller one, hence is `2^(e+p)` itself.
pub(super) fn limit_by_ulp(x: &mut FloatDomain, y: &mut FloatDomain, z: &FloatDomain) {
    let other_cases = [
        Special::Nan,
        Special::NegativeInfinity,
        Special::NegativeZero,
        Special::PositiveZero,
        Special::PositiveInfinity,
    ];
    if z.is_empty() || other_cases.into_iter().any(|special| z.may_be(special)) {
        return;
    }
    let greatest = key::magnitude(z.finite().lo).max(key::magnitude(z.finite().hi));
    let bound = scale_by_precision(z.format(), greatest);
    let interval = Interval { lo: key::negate(bound), hi: bound };
    x.restrict(interval);
    y.restrict(interval);
}

/// The key of `2^(e+p)` where `2^e` is the power of two at or below the positive number `key`; at most infinity.
fn scale_by_precision(format: Format, key: Key) -> Key {
    let stored = u32::from(format.significand) - 1;
    let exponent = match key::exponent(format, key) {
        // A subnormal with highest bit `b` is at least the least normal number times `2^(b - stored)`.
        0 => i64::from(key.ilog2()) - i64::from(stored) + 1,
        biased => i64::from(biased),
    };
    let scaled = exponent + i64::from(format.significand);
    let infinite = (1 << format.exponent) - 1;
    if scaled < infinite { Key::from(scaled) << stored } else { key::positive_infinity(format) }
}

struct Sum(Arithmetic);

impl Monotone<2> for Sum {
    const CUTS: [Cuts; 2] = [Cuts::INFINITIES; 2];

    fn apply(&self, [x, y]: [Key; 2]) -> Option<Key> {
        self.0.add(x, y)
    }

    fn directions(&self, _: [Key; 2]) -> [Direction; 2] {
        [Direction::Up, Direction::Up]
    }

    fn guess(&self, operands: [Key; 2], index: usize, target: Key) -> Key {
        self.0.sub(target, operands[1 - index]).unwrap_or(target)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{Format, Rounding, float};

    use super::super::oracle::hunt;
    use super::FloatDomain;

    #[test]
    fn add_keeps_all_solutions() {
        hunt(
            true,
            150,
            |rounding, [x, y], z| super::add(rounding, x, y, z),
            |format, rounding, [x, y]| float::add(format, rounding, x, y),
        );
    }

    /// `x + y` in [1, 2] with both free: sums of two doubles beyond `2^53` are zero or at least two.
    #[test]
    fn a_small_nonzero_sum_bounds_free_operands() {
        let bits = |number: f64| u128::from(number.to_bits());
        let (mut x, mut y) = (FloatDomain::full(Format::DOUBLE), FloatDomain::full(Format::DOUBLE));
        let mut z = FloatDomain::between(Format::DOUBLE, bits(1.0), bits(1.5));
        super::add(Rounding::NearestEven, &mut x, &mut y, &mut z).unwrap();
        let limit = (1_u64 << 53) as f64;
        assert!(x.contains(bits(limit)) && y.contains(bits(1.0 - limit)));
        assert!(!x.contains(bits(limit.next_up())) && !y.contains(bits((-limit).next_down())));
    }
}
