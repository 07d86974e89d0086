//! `z = x * y`, rounded; and `z = x * x`.
//! Hull consistent on each pair of classes (sign, zero, finite, infinite).
//!
//! Because the classes keep zero apart, the least subnormal bounds the other operand from above: that is the ULP
//! refinement of products, which here needs no rule of its own.

use clew_scalar::Rounding;

use super::arithmetic::Arithmetic;
use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = x * y`.
pub fn mul(rounding: Rounding, x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Product(Arithmetic { format: z.format(), rounding }), [x, y], z)
}

/// Narrows the domains of `z = x * x`: unlike [`mul`], it knows that the factors are one value.
pub fn square(rounding: Rounding, x: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Square(Arithmetic { format: z.format(), rounding }), [x], z)
}

struct Product(Arithmetic);

impl Monotone<2> for Product {
    const CUTS: [Cuts; 2] = [Cuts::ALL; 2];

    fn apply(&self, [x, y]: [Key; 2]) -> Option<Key> {
        self.0.mul(x, y)
    }

    fn directions(&self, [x, y]: [Key; 2]) -> [Direction; 2] {
        [Direction::up_if(y >= 0), Direction::up_if(x >= 0)]
    }

    fn guess(&self, operands: [Key; 2], index: usize, target: Key) -> Key {
        self.0.div(target, operands[1 - index]).unwrap_or(target)
    }
}

struct Square(Arithmetic);

impl Monotone<1> for Square {
    const CUTS: [Cuts; 1] = [Cuts::SIGNS];

    fn apply(&self, [x]: [Key; 1]) -> Option<Key> {
        self.0.mul(x, x)
    }

    fn directions(&self, [x]: [Key; 1]) -> [Direction; 1] {
        [Direction::up_if(x >= 0)]
    }

    fn guess(&self, [x]: [Key; 1], _: usize, target: Key) -> Key {
        let root = self.0.sqrt(target).unwrap_or(target);
        if x >= 0 { root } else { !root }
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn mul_keeps_all_solutions() {
        hunt(
            true,
            150,
            |rounding, [x, y], z| super::mul(rounding, x, y, z),
            |format, rounding, [x, y]| float::mul(format, rounding, x, y),
        );
    }

    #[test]
    fn square_keeps_all_solutions() {
        hunt(
            true,
            150,
            |rounding, [x], z| super::square(rounding, x, z),
            |format, rounding, [x]| float::mul(format, rounding, x, x),
        );
    }
}
