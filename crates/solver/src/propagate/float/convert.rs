//! `z` is `x` in another format, rounded.
//! Hull consistent.

use clew_scalar::{Format, Rounding, float};

use super::monotone::{Direction, Monotone, contract};
use crate::domain::Conflict;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{Cuts, FloatDomain};

/// Narrows the domains of `z = x` converted to the format of `z`.
pub fn float_to_float(rounding: Rounding, x: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    contract(&Change { from: x.format(), to: z.format(), rounding }, [x], z)
}

struct Change {
    from: Format,
    to: Format,
    rounding: Rounding,
}

impl Monotone<1> for Change {
    const CUTS: [Cuts; 1] = [Cuts::NONE];

    fn apply(&self, [x]: [Key; 1]) -> Option<Key> {
        key::of_bits(self.to, float::convert(self.from, self.to, self.rounding, key::to_bits(self.from, x)))
    }

    fn directions(&self, _: [Key; 1]) -> [Direction; 1] {
        [Direction::Up]
    }

    fn guess(&self, _: [Key; 1], _: usize, target: Key) -> Key {
        let back = float::convert(self.to, self.from, Rounding::NearestEven, key::to_bits(self.to, target));
        key::of_bits(self.from, back).unwrap_or(target)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{Format, float};

    use super::super::oracle::{Oracle, ROUNDINGS, TINY};
    use super::FloatDomain;

    fn check(from: Format, to: Format, hunt: impl Fn(&dyn Fn(usize), &dyn Fn(usize), &dyn Fn(usize))) {
        for rounding in ROUNDINGS {
            let oracle = Oracle {
                operands: [from],
                result: to,
                contract: |[x]: &mut [FloatDomain; 1], z: &mut FloatDomain| super::float_to_float(rounding, x, z),
                function: |[x]: [u128; 1]| float::convert(from, to, rounding, x),
                exact: true,
            };
            hunt(&|trials| oracle.exhaust(trials), &|trials| oracle.decide_points(trials), &|trials| {
                oracle.sample(trials)
            });
        }
    }

    #[test]
    fn conversion_keeps_all_solutions() {
        for from in TINY {
            for to in TINY {
                check(from, to, |exhaust, decide, _| {
                    exhaust(300);
                    decide(500);
                });
            }
        }
        for (from, to) in [(Format::SINGLE, Format::DOUBLE), (Format::DOUBLE, Format::SINGLE)] {
            check(from, to, |_, decide, sample| {
                decide(1000);
                sample(2000);
            });
        }
    }
}
