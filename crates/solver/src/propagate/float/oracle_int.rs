//! Hunting for lost solutions of relations between a float and an integer, in the manner of [`super::oracle`].

use clew_scalar::{Format, int};

use super::oracle::{Floats as _, TINY};
use crate::domain::Conflict;
use crate::domain::float::FloatDomain;
use crate::domain::int::{IntDomain, Interval, KnownBits};
use clew_testing::Random;

/// A relation between a float and an integer with its propagator.
pub(super) struct MixedOracle<C, H> {
    pub(super) contract: C,
    /// Whether float bits and integer bits are related.
    pub(super) holds: H,
}

impl<C, H> MixedOracle<C, H>
where
    C: Fn(&mut FloatDomain, &mut IntDomain) -> Result<(), Conflict>,
    H: Fn(Format, u8, u128, u128) -> bool,
{
    /// Exhausts the solutions of random domains over tiny formats, and decides all constants.
    pub(super) fn exhaust(&self, widths: impl Fn(Format) -> Vec<u8>, trials: usize) {
        let mut random = Random(23);
        for format in TINY {
            for width in widths(format) {
                for _ in 0..trials {
                    let float = random.domain(format);
                    let integer = random_int(&mut random, width);
                    if !float.is_empty() {
                        self.check(float, integer);
                    }
                }
                self.decide_points(format, width);
            }
        }
    }

    fn check(&self, float: FloatDomain, integer: IntDomain) {
        let (format, width) = (float.format(), integer.width());
        let (mut kept_float, mut kept_integer) = (float, integer);
        let outcome = (self.contract)(&mut kept_float, &mut kept_integer);
        for x in values(format).filter(|&x| float.contains(x)) {
            for i in (0..=int::mask::<u128>(width)).filter(|&i| integer.contains(i)) {
                if (self.holds)(format, width, x, i) {
                    let survives = outcome.is_ok() && kept_float.contains(x) && kept_integer.contains(i);
                    assert!(survives, "lost {x:x} {i:x} of {float:?} {integer:?}: {kept_float:?} {kept_integer:?}");
                }
            }
        }
    }

    fn decide_points(&self, format: Format, width: u8) {
        for x in values(format) {
            for i in 0..=int::mask::<u128>(width) {
                let mut float = FloatDomain::constant(format, x);
                let mut integer = IntDomain::singleton(width, i);
                let outcome = (self.contract)(&mut float, &mut integer);
                assert_eq!(outcome.is_ok(), (self.holds)(format, width, x, i), "{x:x} {i:x} of {format:?} {width}");
            }
        }
    }

    /// Draws domains around given solutions.
    pub(super) fn sample(
        &self,
        format: Format,
        width: u8,
        trials: usize,
        solution: impl Fn(&mut Random) -> (u128, u128),
    ) {
        let mut random = Random(29);
        for _ in 0..trials {
            let (x, i) = solution(&mut random);
            let before = (random.domain_around(format, x), int_around(&mut random, width, i));
            let (mut float, mut integer) = before;
            let outcome = (self.contract)(&mut float, &mut integer);
            let survives = outcome.is_ok() && float.contains(x) && integer.contains(i);
            assert!(survives, "lost {x:x} {i:x} of {before:?}: {float:?} {integer:?}");
        }
    }
}

/// The values of a tiny format, NaN once.
fn values(format: Format) -> impl Iterator<Item = u128> {
    (0..=format.mask()).filter(move |&bits| !format.is_nan(bits) || bits == format.canonical_nan())
}

fn random_int(random: &mut Random, width: u8) -> IntDomain {
    let value = u128::from(random.next()) & int::mask::<u128>(width);
    int_around(random, width, value)
}

/// An interval, a progression or a cube of bits that contains the value.
fn int_around(random: &mut Random, width: u8, value: u128) -> IntDomain {
    let mask = int::mask::<u128>(width);
    let shift = random.below(u64::from(width));
    let reach = |random: &mut Random| (u128::from(random.next()) << 64 | u128::from(random.next())) & mask >> shift;
    let interval =
        Interval { lo: value.wrapping_sub(reach(random)) & mask, hi: value.wrapping_add(reach(random)) & mask };
    match random.below(4) {
        0 => IntDomain::top(width),
        1 => {
            let known = reach(random);
            IntDomain::from_bits(width, KnownBits { zeros: known & !value, ones: known & value })
        }
        2 => {
            let stride = u128::from(random.below(5_u64)) + 1;
            IntDomain::progression(width, Interval { lo: value, hi: interval.hi }, stride)
        }
        _ if interval.contains(value, mask) => IntDomain::from_interval(width, interval),
        _ => IntDomain::singleton(width, value),
    }
}
