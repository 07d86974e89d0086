//! `z = -x` and `z = |x|`.
//! Domain consistent up to the single interval of the domain.

use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = -x`.
pub fn neg(x: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Negation, [x], z)
}

/// Narrows the domains of `z = |x|`.
pub fn abs(x: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Magnitude, [x], z)
}

struct Negation;

impl Monotone<1> for Negation {
    const CUTS: [Cuts; 1] = [Cuts::NONE];

    fn apply(&self, [x]: [Key; 1]) -> Option<Key> {
        Some(key::negate(x))
    }

    fn directions(&self, _: [Key; 1]) -> [Direction; 1] {
        [Direction::Down]
    }

    fn guess(&self, _: [Key; 1], _: usize, target: Key) -> Key {
        key::negate(target)
    }
}

struct Magnitude;

impl Monotone<1> for Magnitude {
    const CUTS: [Cuts; 1] = [Cuts::SIGNS];

    fn apply(&self, [x]: [Key; 1]) -> Option<Key> {
        Some(key::magnitude(x))
    }

    fn directions(&self, [x]: [Key; 1]) -> [Direction; 1] {
        [Direction::up_if(x >= 0)]
    }

    fn guess(&self, [x]: [Key; 1], _: usize, target: Key) -> Key {
        if x >= 0 { target } else { key::negate(target) }
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn neg_keeps_all_solutions() {
        hunt(true, 150, |_, [x], z| super::neg(x, z), |format, _, [x]| float::neg(format, x));
    }

    #[test]
    fn abs_keeps_all_solutions() {
        hunt(true, 150, |_, [x], z| super::abs(x, z), |format, _, [x]| float::abs(format, x));
    }
}
