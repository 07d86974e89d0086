//! `z = x - y`, rounded.
//! Hull consistent on each pair of pieces (infinities apart), plus the bound of "filtering by ULP maximum".

use clew_scalar::Rounding;

use super::add::limit_by_ulp;
use super::arithmetic::Arithmetic;
use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = x - y`.
pub fn sub(rounding: Rounding, x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    limit_by_ulp(x, y, z);
    contract(&Difference(Arithmetic { format: z.format(), rounding }), [x, y], z)
}

struct Difference(Arithmetic);

impl Monotone<2> for Difference {
    const CUTS: [Cuts; 2] = [Cuts::INFINITIES; 2];

    fn apply(&self, [x, y]: [Key; 2]) -> Option<Key> {
        self.0.sub(x, y)
    }

    fn directions(&self, _: [Key; 2]) -> [Direction; 2] {
        [Direction::Up, Direction::Down]
    }

    fn guess(&self, [x, y]: [Key; 2], index: usize, target: Key) -> Key {
        let inverse = if index == 0 { self.0.add(target, y) } else { self.0.sub(x, target) };
        inverse.unwrap_or(target)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn sub_keeps_all_solutions() {
        hunt(
            true,
            150,
            |rounding, [x, y], z| super::sub(rounding, x, y, z),
            |format, rounding, [x, y]| float::sub(format, rounding, x, y),
        );
    }
}
