//! `z = sqrt(x)`, rounded.
//! Hull consistent; NaN exactly below `-0`.

use clew_scalar::Rounding;

use super::arithmetic::Arithmetic;
use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = sqrt(x)`.
pub fn sqrt(rounding: Rounding, x: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Root(Arithmetic { format: z.format(), rounding }), [x], z)
}

struct Root(Arithmetic);

impl Monotone<1> for Root {
    const CUTS: [Cuts; 1] = [Cuts::ALL];

    fn apply(&self, [x]: [Key; 1]) -> Option<Key> {
        self.0.sqrt(x)
    }

    fn directions(&self, _: [Key; 1]) -> [Direction; 1] {
        [Direction::Up]
    }

    fn guess(&self, _: [Key; 1], _: usize, target: Key) -> Key {
        self.0.mul(target, target).unwrap_or(target)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn sqrt_keeps_all_solutions() {
        hunt(
            true,
            150,
            |rounding, [x], z| super::sqrt(rounding, x, z),
            |format, rounding, [x]| float::sqrt(format, rounding, x),
        );
    }
}
