//! Conversions between floats and integers, between formats, and rounding to integral values.

use clew_scalar::{Format, Rounding};

use super::arithmetic::led_by_one;
use super::round::{Number, Rounded, Tiny};
use super::{Float, Special};
use crate::blast::exponent::Signed;
use crate::blast::gates::{Gates, Lit};
use crate::blast::int::{Bits, concat, constant, zero_extend};

/// How an integer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Signedness {
    Signed,
    Unsigned,
}

impl Gates {
    pub(in super::super) fn float_to_float(&mut self, format: Format, rounding: Rounding, a: &Float) -> Float {
        let number = number(a);
        let ordinary = self.round(format, rounding, &number, Tiny::Rounded);
        let special = Special { nan: a.nan, infinite: a.infinite, zero: a.zero, sign: a.sign };
        self.finish(&special, ordinary)
    }

    /// Nearest integral value of the same format; zeros keep the operand's sign.
    pub(in super::super) fn round_to_integral(&mut self, rounding: Rounding, a: &Float) -> Float {
        let rounded = self.round_to_integer(rounding, a);
        let ordinary = self.bound(a.format, rounding, a.sign, rounded);
        let special = Special { nan: a.nan, infinite: a.infinite, zero: a.zero, sign: a.sign };
        self.finish(&special, ordinary)
    }

    pub(in super::super) fn int_to_float(
        &mut self,
        format: Format,
        rounding: Rounding,
        signedness: Signedness,
        bits: &[Lit],
    ) -> Float {
        let sign = match (signedness, bits.last()) {
            (Signedness::Signed, Some(&sign)) => sign,
            _ => Lit::FALSE,
        };
        let magnitude = self.neg_if(sign, bits);
        let (normal, distance) = self.normalise(&magnitude);
        let zero = !normal[normal.len() - 1];
        let top = i32::try_from(bits.len()).expect("an integer is short") - 1;
        let distance = Signed::from_unsigned(&distance, top);
        let exponent = self.signed_sub(&Signed::constant(top), &distance);
        let number = Number { sign, exponent, significand: led_by_one(normal) };
        let ordinary = self.round(format, rounding, &number, Tiny::Rounded);
        let special = Special { nan: Lit::FALSE, infinite: Lit::FALSE, zero, sign: Lit::FALSE };
        self.finish(&special, ordinary)
    }

    /// Signed integer of `width` bits; only the sign bit where the rounded number does not fit, and for NaN.
    pub(in super::super) fn float_to_signed(&mut self, width: usize, rounding: Rounding, a: &Float) -> Bits {
        let Magnitude { bits, fits, .. } = self.integer_magnitude(width, rounding, a);
        let (low, fits_signed) = self.signed_range(&bits, a.sign);
        let fits = self.and(fits, fits_signed);
        let value = self.neg_if(a.sign, &low);
        self.select(fits, &value, &constant(1 << (width - 1), width))
    }

    /// Unsigned integer of `width` bits. A negative number that fits the signed type wraps; everything else that does
    /// not fit, and NaN, gives all ones.
    pub(in super::super) fn float_to_unsigned(&mut self, width: usize, rounding: Rounding, a: &Float) -> Bits {
        let Magnitude { bits, fits } = self.integer_magnitude(width, rounding, a);
        let (low, fits_signed) = self.signed_range(&bits, a.sign);
        let positive = self.and(!a.sign, !bits[width]);
        let in_range = self.or(positive, fits_signed);
        let fits = self.and(fits, in_range);
        let value = self.neg_if(a.sign, &low);
        self.select(fits, &value, &vec![Lit::TRUE; width])
    }

    /// The low bits of a magnitude of `width + 1` bits, and whether it is in the range of signed integers of `width`.
    fn signed_range(&mut self, bits: &[Lit], negative: Lit) -> (Bits, Lit) {
        let width = bits.len() - 1;
        let below = self.is_zero(&bits[width - 1..]);
        let rest = self.is_zero(&bits[..width - 1]);
        let least = self.all(&[negative, bits[width - 1], !bits[width], rest]);
        (bits[..width].to_vec(), self.or(below, least))
    }

    /// The rounded magnitude in one bit more than `width`, and whether it fits there.
    fn integer_magnitude(&mut self, width: usize, rounding: Rounding, a: &Float) -> Magnitude {
        let Rounded { exponent, significand, zero } = self.round_to_integer(rounding, a);
        let top = i32::try_from(width).expect("an integer is short");
        let huge = !self.signed_below(&exponent, top + 1);
        let missing = width + 1 - significand.len().min(width + 1);
        let aligned = concat(&constant(0, missing), &significand[significand.len() - (width + 1 - missing)..]);
        let distance = self.signed_sub(&Signed::constant(top), &exponent).within(0, top);
        let shifted = self.lshr(&aligned, distance.unsigned());
        let vanishes = self.or(zero, a.zero);
        let outside = self.any(&[a.nan, a.infinite]);
        let outside_or_huge = self.or(outside, huge);
        let fits = self.ite(vanishes, !outside, !outside_or_huge);
        Magnitude { bits: self.mask(!vanishes, &zero_extend(&shifted, width + 1)), fits }
    }

    /// Nothing after the point is kept.
    fn round_to_integer(&mut self, rounding: Rounding, a: &Float) -> Rounded {
        let kept = a.significand.len();
        let last = i32::try_from(kept).expect("a significand is short") - 1;
        self.round_above(last, kept, rounding, &number(a))
    }
}

/// An integer without its sign.
struct Magnitude {
    bits: Bits,
    fits: Lit,
}

fn number(float: &Float) -> Number {
    Number { sign: float.sign, exponent: float.exponent.clone(), significand: float.significand.clone() }
}
