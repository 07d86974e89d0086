//! `i` is the float `x` as a signed or unsigned integer, rounded; out of range it is the indefinite value.
//! Hull consistent up to the one interval of the integer's domain.
//!
//! The floats that convert to an integer of the width are one run of keys for a signed result. For an unsigned result
//! they are two: from `+0` up the integers ascend unsigned, up to `-0` they ascend as two's complement (the meaning
//! `scalar` gives to negative numbers in the range of the signed type). All other floats, and NaN, give one value.

use clew_scalar::{Format, Rounding, float};

use super::monotone::{Direction, Monotone, contract_piece, greatest, least};
use crate::domain::Conflict;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{Cuts, FloatDomain, Interval, Special};
use crate::domain::int::{self, IntDomain};
use crate::linear::exact::Signedness;

/// Narrows the domains of `i = (int) x`, `i` signed.
pub fn float_to_signed(rounding: Rounding, x: &mut FloatDomain, i: &mut IntDomain) -> Result<(), Conflict> {
    let conversion = ToInt { format: x.format(), rounding, width: i.width(), signed: true };
    let run = Interval { lo: conversion.first(true), hi: conversion.last(true) };
    conversion.contract(&[(run, Signedness::Signed)], x, i)
}

/// Narrows the domains of `i = (unsigned) x`.
pub fn float_to_unsigned(rounding: Rounding, x: &mut FloatDomain, i: &mut IntDomain) -> Result<(), Conflict> {
    let conversion = ToInt { format: x.format(), rounding, width: i.width(), signed: false };
    let negative = Interval { lo: conversion.first(true), hi: key::NEGATIVE_ZERO };
    let positive = Interval { lo: key::POSITIVE_ZERO, hi: conversion.last(false).max(conversion.last(true)) };
    conversion.contract(&[(negative, Signedness::Signed), (positive, Signedness::Unsigned)], x, i)
}

#[derive(Clone, Copy)]
struct ToInt {
    format: Format,
    rounding: Rounding,
    width: u8,
    signed: bool,
}

impl ToInt {
    /// Narrows by the ascending runs of keys that convert, in ascending order, and by the rest.
    fn contract(self, runs: &[(Interval, Signedness)], x: &mut FloatDomain, i: &mut IntDomain) -> Result<(), Conflict> {
        let mut kept_x = FloatDomain::empty(self.format);
        let mut kept_i: Vec<int::Interval> = Vec::with_capacity(runs.len() + 1);
        for &(run, reading) in runs {
            let mut positions = Interval::EMPTY;
            for &piece in x.pieces(Cuts::SIGNS).as_slice() {
                let function = Run { conversion: self, reading };
                let targets = reading.positions(i, Interval { lo: i128::MIN, hi: i128::MAX }).ok_or(Conflict)?;
                if let Some((piece, image)) = contract_piece(&function, piece.meet(run), targets) {
                    kept_x.insert(piece);
                    positions = positions.hull(image);
                }
            }
            if !positions.is_empty() {
                let bits = |position| reading.bits(self.width, position);
                kept_i.push(int::Interval { lo: bits(positions.lo), hi: bits(positions.hi) });
            }
        }
        let outside = self.outside(runs, x);
        let indefinite = self.convert(self.format.canonical_nan());
        if !outside.is_empty() && i.contains(indefinite) {
            kept_x = kept_x.join(&outside);
            kept_i.push(int::Interval::singleton(indefinite));
        }
        *x = x.meet(&kept_x);
        x.non_empty()?;
        i.narrow_interval(int::Interval::hull(&kept_i, i.mask()))
    }

    /// The values of `x` that do not convert.
    fn outside(self, runs: &[(Interval, Signedness)], x: &FloatDomain) -> FloatDomain {
        let mut outside = FloatDomain::empty(self.format);
        if x.may_be_nan() {
            outside.insert_special(Special::Nan);
        }
        let (first, last) = (runs[0].0.lo, runs[runs.len() - 1].0.hi);
        for piece in x.pieces(Cuts::NONE).as_slice() {
            outside.insert(piece.meet(Interval { lo: Key::MIN, hi: first - 1 }));
            outside.insert(piece.meet(Interval { lo: last + 1, hi: Key::MAX }));
        }
        outside
    }

    fn convert(self, bits: u128) -> u128 {
        let convert = if self.signed { float::to_signed } else { float::to_unsigned };
        convert(self.format, self.width, self.rounding, bits)
    }

    /// Whether the number is in the range of the signed or unsigned type.
    fn fits(self, signed: bool, key: Key) -> bool {
        let bits = key::to_bits(self.format, key);
        float::float_to_int_in_range(self.format, self.width, signed, self.rounding, bits)
    }

    /// The least key from `-0` down that still fits.
    fn first(self, signed: bool) -> Key {
        let range = Interval { lo: key::negative_infinity(self.format), hi: key::NEGATIVE_ZERO };
        least(range, || self.power_of_two(true), |key| self.fits(signed, key)).expect("zero is in range")
    }

    /// The greatest key from `+0` up that still fits.
    fn last(self, signed: bool) -> Key {
        let range = Interval { lo: key::POSITIVE_ZERO, hi: key::positive_infinity(self.format) };
        greatest(range, || self.power_of_two(false), |key| self.fits(signed, key)).expect("zero is in range")
    }

    /// About two to the width, as a key.
    fn power_of_two(self, negative: bool) -> Key {
        let power = i128::from(self.format.bias() + i32::from(self.width)) << (self.format.significand - 1);
        if negative { key::negate(power) } else { power }
    }
}

/// A conversion on one run of keys, with the order of its results.
struct Run {
    conversion: ToInt,
    reading: Signedness,
}

impl Monotone<1> for Run {
    const CUTS: [Cuts; 1] = [Cuts::NONE];

    fn apply(&self, [key]: [Key; 1]) -> Option<Key> {
        let bits = self.conversion.convert(key::to_bits(self.conversion.format, key));
        Some(self.reading.position(self.conversion.width, bits))
    }

    fn directions(&self, _: [Key; 1]) -> [Direction; 1] {
        [Direction::Up]
    }

    fn guess(&self, _: [Key; 1], _: usize, target: Key) -> Key {
        let ToInt { format, width, .. } = self.conversion;
        let bits = match self.reading {
            Signedness::Signed => float::from_signed(format, Rounding::NearestEven, target),
            Signedness::Unsigned => {
                float::from_unsigned(format, Rounding::NearestEven, self.reading.bits(width, target))
            }
        };
        key::of_bits(format, bits).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{Format, float};

    use super::super::oracle::{Floats as _, ROUNDINGS};
    use super::super::oracle_int::MixedOracle;
    use super::{float_to_signed, float_to_unsigned};

    #[test]
    fn signed_keeps_all_solutions() {
        for rounding in ROUNDINGS {
            let oracle = MixedOracle {
                contract: |x: &mut _, i: &mut _| float_to_signed(rounding, x, i),
                holds: |format, width, x, i| i == float::to_signed(format, width, rounding, x),
            };
            oracle.exhaust(|_| vec![1, 2, 3, 4, 6], 60);
            for (format, width) in
                [(Format::SINGLE, 32), (Format::DOUBLE, 64), (Format::DOUBLE, 16), (Format::QUAD, 128)]
            {
                oracle.sample(format, width, 500, |random| {
                    let x = random.bits(format);
                    (x, float::to_signed(format, width, rounding, x))
                });
            }
        }
    }

    #[test]
    fn unsigned_keeps_all_solutions() {
        for rounding in ROUNDINGS {
            let oracle = MixedOracle {
                contract: |x: &mut _, i: &mut _| float_to_unsigned(rounding, x, i),
                holds: |format, width, x, i| i == float::to_unsigned(format, width, rounding, x),
            };
            oracle.exhaust(|_| vec![1, 2, 3, 4, 6], 60);
            for (format, width) in
                [(Format::SINGLE, 32), (Format::DOUBLE, 64), (Format::DOUBLE, 16), (Format::QUAD, 128)]
            {
                oracle.sample(format, width, 500, |random| {
                    let x = random.bits(format);
                    (x, float::to_unsigned(format, width, rounding, x))
                });
            }
        }
    }
}
