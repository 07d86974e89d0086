//! `z` is the signed or unsigned integer `i` as a float, rounded.
//! Hull consistent up to the one interval of the integer's domain.

use clew_scalar::{Format, Rounding, float};

use super::monotone::{Direction, Monotone, contract_piece};
use crate::domain::Conflict;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{Cuts, FloatDomain, Interval};
use crate::domain::int::{self, IntDomain};
use crate::linear::exact::Signedness;

/// Narrows the domains of `z = (float) i`, `i` signed.
pub fn signed_to_float(rounding: Rounding, i: &mut IntDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    FromInt { format: z.format(), rounding, width: i.width(), reading: Signedness::Signed }.contract(i, z)
}

/// Narrows the domains of `z = (float) i`, `i` unsigned.
pub fn unsigned_to_float(rounding: Rounding, i: &mut IntDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    FromInt { format: z.format(), rounding, width: i.width(), reading: Signedness::Unsigned }.contract(i, z)
}

struct FromInt {
    format: Format,
    rounding: Rounding,
    width: u8,
    reading: Signedness,
}

impl FromInt {
    fn contract(&self, i: &mut IntDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
        let everything = Interval { lo: i128::MIN, hi: i128::MAX };
        let positions = self.reading.positions(i, everything).ok_or(Conflict)?;
        let mut kept_positions = Interval::EMPTY;
        let mut kept_z = FloatDomain::empty(self.format);
        for &target in z.pieces(Cuts::ALL).as_slice() {
            if let Some((positions, image)) = contract_piece(self, positions, target) {
                kept_positions = kept_positions.hull(positions);
                kept_z.insert(image);
            }
        }
        *z = z.meet(&kept_z);
        z.non_empty()?;
        let bits = |position| self.reading.bits(self.width, position);
        i.narrow_interval(int::Interval { lo: bits(kept_positions.lo), hi: bits(kept_positions.hi) })
    }
}

impl Monotone<1> for FromInt {
    const CUTS: [Cuts; 1] = [Cuts::NONE];

    fn apply(&self, [position]: [Key; 1]) -> Option<Key> {
        let bits = match self.reading {
            Signedness::Signed => float::from_signed(self.format, self.rounding, position),
            Signedness::Unsigned => {
                float::from_unsigned(self.format, self.rounding, self.reading.bits(self.width, position))
            }
        };
        key::of_bits(self.format, bits)
    }

    fn directions(&self, _: [Key; 1]) -> [Direction; 1] {
        [Direction::Up]
    }

    fn guess(&self, _: [Key; 1], _: usize, target: Key) -> Key {
        let target = key::to_bits(self.format, target);
        let bits = match self.reading {
            Signedness::Signed => float::to_signed(self.format, self.width, Rounding::Zero, target),
            Signedness::Unsigned => float::to_unsigned(self.format, self.width, Rounding::Zero, target),
        };
        self.reading.position(self.width, bits)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{Format, float, int};

    use super::super::oracle::{Floats as _, ROUNDINGS};
    use super::super::oracle_int::MixedOracle;
    use super::{signed_to_float, unsigned_to_float};

    #[test]
    fn signed_keeps_all_solutions() {
        for rounding in ROUNDINGS {
            let function = |format, width, i| float::from_signed(format, rounding, int::signed(width, i));
            let oracle = MixedOracle {
                contract: |z: &mut _, i: &mut _| signed_to_float(rounding, i, z),
                holds: |format, width, z, i| z == function(format, width, i),
            };
            oracle.exhaust(|_| vec![1, 2, 4, 6], 60);
            for (format, width) in
                [(Format::SINGLE, 32), (Format::DOUBLE, 64), (Format::SINGLE, 128), (Format::QUAD, 128)]
            {
                oracle.sample(format, width, 500, |random| {
                    let i = random.bits(Format::DOUBLE) & int::mask::<u128>(width);
                    (function(format, width, i), i)
                });
            }
        }
    }

    #[test]
    fn unsigned_keeps_all_solutions() {
        for rounding in ROUNDINGS {
            let oracle = MixedOracle {
                contract: |z: &mut _, i: &mut _| unsigned_to_float(rounding, i, z),
                holds: |format, _, z, i| z == float::from_unsigned(format, rounding, i),
            };
            oracle.exhaust(|_| vec![1, 2, 4, 6], 60);
            for (format, width) in
                [(Format::SINGLE, 32), (Format::DOUBLE, 64), (Format::SINGLE, 128), (Format::QUAD, 128)]
            {
                oracle.sample(format, width, 500, |random| {
                    let i = random.bits(Format::QUAD) & int::mask::<u128>(width);
                    (float::from_unsigned(format, rounding, i), i)
                });
            }
        }
    }
}
