//! The rounder.
//!
//! A number comes in with a leading one, an exponent and a significand of any width whose last bit may be sticky. Where
//! the result is subnormal, fewer bits are kept, but the significand is not moved: a mask of the dropped places is
//! filled with ones before the increment, so that the carry runs up to the last kept place, and with zeros after it.
//! The result is normalised as it stands. Rounding to integral values is the same operation with another least place.

use clew_scalar::{Format, Rounding};

use super::{Float, least_exponent};
use crate::blast::exponent::Signed;
use crate::blast::gates::{Gates, Lit};
use crate::blast::int::{Bits, concat, constant};

/// A number other than zero: `sign`, then `1.xxx * 2^exponent`.
pub(super) struct Number {
    pub(super) sign: Lit,
    pub(super) exponent: Signed,
    /// The last bit is the leading one; the first may be sticky if there are at least two bits more than are kept.
    pub(super) significand: Bits,
}

/// What is known about results below the least normal number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tiny {
    /// They may have to be rounded.
    Rounded,
    /// They are representable, as sums and remainders always are.
    Exact,
}

/// A significand cut to size.
pub(super) struct Rounded {
    pub(super) exponent: Signed,
    pub(super) significand: Bits,
    /// Nothing is left of the number.
    pub(super) zero: Lit,
}

impl Gates {
    /// The float nearest to a number in the given direction.
    pub(super) fn round(&mut self, format: Format, rounding: Rounding, number: &Number, tiny: Tiny) -> Float {
        let floor = match tiny {
            Tiny::Rounded => format.emin(),
            Tiny::Exact => i32::MIN / 2,
        };
        let rounded = self.round_above(floor, usize::from(format.significand), rounding, number);
        self.bound(format, rounding, number.sign, rounded)
    }

    /// A rounded number as a float: infinite or the greatest finite number where it is too great.
    pub(super) fn bound(&mut self, format: Format, rounding: Rounding, sign: Lit, rounded: Rounded) -> Float {
        let Rounded { exponent, significand, zero } = rounded;
        let over = !self.signed_below(&exponent, format.emax() + 1);
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => Lit::TRUE,
            Rounding::Up => !sign,
            Rounding::Down => sign,
            Rounding::Zero => Lit::FALSE,
        };
        let saturated = self.and(over, !to_infinity);
        let exponent = self.signed_select(saturated, &Signed::constant(format.emax()), &exponent);
        Float {
            format,
            nan: Lit::FALSE,
            infinite: self.and(over, to_infinity),
            zero,
            sign,
            exponent: exponent.within(least_exponent(format), format.emax()),
            significand: significand.into_iter().map(|bit| self.or(bit, saturated)).collect(),
        }
    }

    /// Rounds to `kept` bits, and to fewer where the exponent is below `floor`: nothing smaller than the last place
    /// of numbers with the exponent `floor` is kept.
    pub(super) fn round_above(&mut self, floor: i32, kept: usize, rounding: Rounding, number: &Number) -> Rounded {
        let Cut { high, guard, sticky } = self.cut(&number.significand, kept);
        let size = i32::try_from(kept).expect("a significand is short");
        let far = self.signed_below(&number.exponent, floor - size);
        let exponent = if far == Lit::FALSE {
            number.exponent.clone()
        } else {
            self.signed_select(far, &Signed::constant(floor - size), &number.exponent)
                .within(floor - size, i32::MAX / 2)
        };
        let dropped = self.dropped(floor, kept, &exponent);
        let (last, guard, sticky) = self.at_the_cut(&high, &dropped, guard, sticky, far);
        let up = self.rounds_up(rounding, number.sign, last, guard, sticky);
        let filled = self.zip(&high, &dropped, Gates::or);
        let (sum, carry) = self.increment(&filled, up);
        let mut significand = self.zip(&sum, &dropped, |gates, bit, dropped| gates.and(bit, !dropped));
        significand[kept - 1] = Lit::TRUE;
        Rounded {
            exponent: self.signed_add(&exponent, &Signed::constant(0), carry),
            significand,
            zero: self.and(dropped[kept - 1], !carry),
        }
    }

    /// The first `kept` places, the one after them, and whether there is anything beyond.
    fn cut(&mut self, significand: &[Lit], kept: usize) -> Cut {
        match significand.len().checked_sub(kept) {
            None | Some(0) => {
                let padding = constant(0, kept - significand.len());
                Cut { high: concat(&padding, significand), guard: Lit::FALSE, sticky: Lit::FALSE }
            }
            Some(extra) => Cut {
                high: significand[extra..].to_vec(),
                guard: significand[extra - 1],
                sticky: self.any(&significand[..extra - 1]),
            },
        }
    }

    /// For each place whether it is below the least place kept.
    fn dropped(&mut self, floor: i32, kept: usize, exponent: &Signed) -> Bits {
        if exponent.lo >= floor {
            return constant(0, kept);
        }
        let size = i32::try_from(kept).expect("a significand is short");
        let missing = self.signed_sub(&Signed::constant(floor), exponent);
        let none = self.signed_below(&missing, 1);
        let count = missing.within(0, size);
        let count = self.mask(!none, count.unsigned());
        self.thermometer(&count, kept)
    }

    /// The last kept place, the first lost one, and whether anything else is lost, where `dropped` places are cut off.
    fn at_the_cut(&mut self, high: &[Lit], dropped: &[Lit], guard: Lit, sticky: Lit, far: Lit) -> (Lit, Lit, Lit) {
        let (mut last, mut first, mut lost) = (Vec::new(), Vec::new(), vec![sticky, far]);
        let mut below = Lit::TRUE;
        for (&bit, &gone) in high.iter().zip(dropped) {
            // `below` tells that the place under this one is dropped (for the lowest, that it could be).
            let is_last = self.and(below, !gone);
            last.push(self.and(is_last, bit));
            below = gone;
        }
        let next = dropped.iter().skip(1).chain([&Lit::FALSE]);
        for ((&bit, &gone), &next_gone) in high.iter().zip(dropped).zip(next) {
            let is_first = self.and(gone, !next_gone);
            first.push(self.and(is_first, bit));
            lost.push(self.and(next_gone, bit));
        }
        let some = dropped[0];
        first.push(self.and(guard, !some));
        lost.push(self.and(guard, some));
        let first = self.any(&first);
        (self.any(&last), self.and(first, !far), self.any(&lost))
    }

    /// Is the magnitude rounded up?
    fn rounds_up(&mut self, rounding: Rounding, sign: Lit, last: Lit, guard: Lit, sticky: Lit) -> Lit {
        let inexact = self.or(guard, sticky);
        match rounding {
            Rounding::NearestEven => {
                let odd_or_more = self.or(last, sticky);
                self.and(guard, odd_or_more)
            }
            Rounding::NearestAway => guard,
            Rounding::Up => self.and(!sign, inexact),
            Rounding::Down => self.and(sign, inexact),
            Rounding::Zero => Lit::FALSE,
        }
    }
}

/// A significand in two parts.
struct Cut {
    high: Bits,
    guard: Lit,
    sticky: Lit,
}
