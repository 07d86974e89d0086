//! `z = x / y`, rounded.
//! Hull consistent on each pair of classes (sign, zero, finite, infinite).

use clew_scalar::Rounding;

use super::arithmetic::Arithmetic;
use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = x / y`.
pub fn div(rounding: Rounding, x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Quotient(Arithmetic { format: z.format(), rounding }), [x, y], z)
}

struct Quotient(Arithmetic);

impl Monotone<2> for Quotient {
    const CUTS: [Cuts; 2] = [Cuts::ALL; 2];

    fn apply(&self, [x, y]: [Key; 2]) -> Option<Key> {
        self.0.div(x, y)
    }

    fn directions(&self, [x, y]: [Key; 2]) -> [Direction; 2] {
        [Direction::up_if(y >= 0), Direction::up_if(x < 0)]
    }

    fn guess(&self, [x, y]: [Key; 2], index: usize, target: Key) -> Key {
        let inverse = if index == 0 { self.0.mul(target, y) } else { self.0.div(x, target) };
        inverse.unwrap_or(target)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn div_keeps_all_solutions() {
        hunt(
            true,
            150,
            |rounding, [x, y], z| super::div(rounding, x, y, z),
            |format, rounding, [x, y]| float::div(format, rounding, x, y),
        );
    }
}
