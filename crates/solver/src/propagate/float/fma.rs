//! `z = x * y + c`, rounded once.
//! Hull consistent on each triple of pieces (classes of the factors, infinities of the summand apart).

use clew_scalar::Rounding;

use super::arithmetic::Arithmetic;
use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = x * y + c`.
pub(crate) fn fma(
    rounding: Rounding,
    x: &mut FloatDomain,
    y: &mut FloatDomain,
    c: &mut FloatDomain,
    z: &mut FloatDomain,
) -> Result<(), Conflict> {
    contract(&FusedSum(Arithmetic { format: z.format(), rounding }), [x, y, c], z)
}

struct FusedSum(Arithmetic);

impl Monotone<3> for FusedSum {
    const CUTS: [Cuts; 3] = [Cuts::ALL, Cuts::ALL, Cuts::INFINITIES];

    fn apply(&self, [x, y, c]: [Key; 3]) -> Option<Key> {
        self.0.fma(x, y, c)
    }

    fn directions(&self, [x, y, _]: [Key; 3]) -> [Direction; 3] {
        [Direction::up_if(y >= 0), Direction::up_if(x >= 0), Direction::Up]
    }

    fn guess(&self, [x, y, c]: [Key; 3], index: usize, target: Key) -> Key {
        let quotient = |factor| self.0.sub(target, c).and_then(|difference| self.0.div(difference, factor));
        let inverse = match index {
            0 => quotient(y),
            1 => quotient(x),
            _ => self.0.mul(x, y).and_then(|product| self.0.sub(target, product)),
        };
        inverse.unwrap_or(target)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn fma_keeps_all_solutions() {
        hunt(
            true,
            20,
            |rounding, [x, y, c], z| super::fma(rounding, x, y, c, z),
            |format, rounding, [x, y, c]| float::fma(format, rounding, x, y, c),
        );
    }
}
