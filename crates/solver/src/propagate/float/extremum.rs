//! `z = fmin(x, y)` and `z = fmax(x, y)`, where `-0 < +0` and a NaN operand gives the other one.
//! Hull consistent on the numbers; the NaN cases are exact.

use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain, Special};

/// Narrows the domains of `z = fmin(x, y)`.
pub fn min(x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    extremum(&Extremum { greatest: false }, x, y, z)
}

/// Narrows the domains of `z = fmax(x, y)`.
pub fn max(x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    extremum(&Extremum { greatest: true }, x, y, z)
}

/// Joins the four cases of NaN or number.
fn extremum(
    function: &Extremum,
    x: &mut FloatDomain,
    y: &mut FloatDomain,
    z: &mut FloatDomain,
) -> Result<(), Conflict> {
    let empty = FloatDomain::empty(x.format());
    let (mut kept_x, mut kept_y, mut kept_z) = (empty, empty, empty);
    let (mut a, mut b, mut c) = (numbers(x), numbers(y), numbers(z));
    if contract(function, [&mut a, &mut b], &mut c).is_ok() {
        (kept_x, kept_y, kept_z) = (a, b, c);
    }
    if y.may_be_nan() {
        let same = numbers(x).meet(z);
        if !same.is_empty() {
            kept_x = kept_x.join(&same);
            kept_z = kept_z.join(&same);
            kept_y.insert_special(Special::Nan);
        }
    }
    if x.may_be_nan() {
        // Here `y` may be NaN too, which makes the result NaN.
        let same = y.meet(z);
        if !same.is_empty() {
            kept_y = kept_y.join(&same);
            kept_z = kept_z.join(&same);
            kept_x.insert_special(Special::Nan);
        }
    }
    (*x, *y, *z) = (kept_x, kept_y, kept_z);
    z.non_empty()
}

fn numbers(domain: &FloatDomain) -> FloatDomain {
    let mut numbers = *domain;
    numbers.remove(Special::Nan);
    numbers
}

struct Extremum {
    greatest: bool,
}

impl Monotone<2> for Extremum {
    const CUTS: [Cuts; 2] = [Cuts::NONE; 2];

    fn apply(&self, [x, y]: [Key; 2]) -> Option<Key> {
        Some(if self.greatest { x.max(y) } else { x.min(y) })
    }

    fn directions(&self, _: [Key; 2]) -> [Direction; 2] {
        [Direction::Up, Direction::Up]
    }

    fn guess(&self, _: [Key; 2], _: usize, target: Key) -> Key {
        target
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn min_keeps_all_solutions() {
        hunt(true, 150, |_, [x, y], z| super::min(x, y, z), |format, _, [x, y]| float::min(format, x, y));
    }

    #[test]
    fn max_keeps_all_solutions() {
        hunt(true, 150, |_, [x, y], z| super::max(x, y, z), |format, _, [x, y]| float::max(format, x, y));
    }
}
