//! `z` is `x` rounded to an integral value in a given direction.
//! Hull consistent.

use clew_scalar::Rounding;

use super::arithmetic::Arithmetic;
use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = round_to_integral(x)`.
pub fn round_to_integral(rounding: Rounding, x: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Integral(Arithmetic { format: z.format(), rounding }), [x], z)
}

struct Integral(Arithmetic);

impl Monotone<1> for Integral {
    const CUTS: [Cuts; 1] = [Cuts::NONE];

    fn apply(&self, [x]: [Key; 1]) -> Option<Key> {
        self.0.round(x)
    }

    fn directions(&self, _: [Key; 1]) -> [Direction; 1] {
        [Direction::Up]
    }

    fn guess(&self, _: [Key; 1], _: usize, target: Key) -> Key {
        target
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn round_to_integral_keeps_all_solutions() {
        hunt(
            true,
            150,
            |rounding, [x], z| super::round_to_integral(rounding, x, z),
            |format, rounding, [x]| float::round_to_integral(format, rounding, x),
        );
    }
}
