//! Circuits over IEEE floats of any format and all five roundings.
//!
//! Floats are computed unpacked: four flags, a sign, an exponent with bounds and a significand whose leading bit is
//! always one, subnormal numbers included. Packing and unpacking happen only where bits are asked for, so chains of
//! operations pay no normalisation between them (the structure of symfpu: Brain, Schanda, Sun, "Building better
//! bit-blasting for floating-point problems", TACAS 2019; the circuits are our own). All operators end in the one
//! rounder of [`round`]; an operator computes an exact or sticky result for operands that are numbers, then
//! [`Gates::finish`] puts the special cases on top.
//!
//! All NaNs are one value; its encoding is the canonical one of the format. Signs are arbitrary where the float is NaN,
//! exponents and significands wherever it is not a number other than zero.

mod arithmetic;
mod compare;
mod convert;
mod remainder;
mod round;

use clew_scalar::Format;

use super::exponent::Signed;
use super::gates::{Gates, Lit};
use super::int::{Bits, concat, constant};

pub(super) use convert::Signedness;
pub(super) use remainder::Remainder;

/// A float of `significand.len()` bits of significand. At most one of the three flags holds.
#[derive(Clone, Debug)]
pub(super) struct Float {
    pub(super) format: Format,
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
    pub(super) sign: Lit,
    /// Power of two of the leading bit.
    pub(super) exponent: Signed,
    /// Least significant bit first; the last one is the constant true.
    pub(super) significand: Bits,
}

/// The cases in which an operator does not compute: at most one of the three holds, with the sign of the result.
struct Special {
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    sign: Lit,
}

/// Stored bits of the significand.
fn fraction_width(format: Format) -> usize {
    usize::from(format.significand) - 1
}

/// The exponent of the least number other than zero.
fn least_exponent(format: Format) -> i32 {
    format.emin() - i32::from(format.significand) + 1
}

impl Gates {
    /// Reads an encoding. Subnormal numbers may be read as normal ones just below `least`, where the caller refuses
    /// exponents below `least`.
    pub(super) fn unpack(&mut self, format: Format, bits: &[Lit], least: i32) -> Float {
        let (fraction, rest) = bits.split_at(fraction_width(format));
        let (field, sign) = rest.split_at(usize::from(format.exponent));
        let (top, bottom) = (self.all(field), self.is_zero(field));
        let round = self.is_zero(fraction);
        let biased = Signed::from_unsigned(field, format.emax() + format.bias() + 1);
        let of_normal = self.signed_add(&biased, &Signed::constant(-format.bias()), Lit::FALSE);
        let normal = (of_normal, concat(fraction, &[Lit::TRUE]));
        let (exponent, significand) =
            if least >= format.emin() { normal } else { self.unpack_subnormal(format, bottom, fraction, &normal) };
        Float {
            format,
            nan: self.and(top, !round),
            infinite: self.and(top, round),
            zero: self.and(bottom, round),
            sign: sign[0],
            exponent: exponent.within(least_exponent(format), format.emax()),
            significand,
        }
    }

    /// Exponent and significand, normalised where the number is `subnormal`.
    fn unpack_subnormal(
        &mut self,
        format: Format,
        subnormal: Lit,
        fraction: &[Lit],
        (exponent, significand): &(Signed, Bits),
    ) -> (Signed, Bits) {
        let (shifted, distance) = self.normalise(fraction);
        let distance = Signed::from_unsigned(&distance, i32::from(format.significand) - 2);
        let of_subnormal = self.signed_sub(&Signed::constant(format.emin() - 1), &distance);
        let exponent = self.signed_select(subnormal, &of_subnormal, exponent);
        let mut significand = self.select(subnormal, &concat(&[Lit::FALSE], &shifted), significand);
        significand[fraction.len()] = Lit::TRUE;
        (exponent, significand)
    }

    /// The encoding.
    pub(super) fn pack(&mut self, float: &Float) -> Bits {
        let format = float.format;
        let stored = fraction_width(format);
        let subnormal = self.signed_below(&float.exponent, format.emin());
        let distance = self.signed_sub(&Signed::constant(format.emin()), &float.exponent);
        let distance = distance.within(0, i32::from(format.significand) - 1);
        let shifted = if subnormal == Lit::FALSE {
            float.significand.clone()
        } else {
            self.lshr(&float.significand, distance.unsigned())
        };
        let fraction = self.select(subnormal, &shifted[..stored], &float.significand[..stored]);
        let biased = self.signed_add(&float.exponent, &Signed::constant(format.bias()), Lit::FALSE);
        let field = super::int::sign_extend(&biased.bits, usize::from(format.exponent));

        let (top, clear) = (self.or(float.nan, float.infinite), self.any(&[float.nan, float.infinite, float.zero]));
        let mut fraction = self.mask(!clear, &fraction);
        fraction[stored - 1] = self.or(fraction[stored - 1], float.nan);
        let bottom = self.or(float.zero, subnormal);
        let field = self.mask(!bottom, &field);
        let field: Bits = field.into_iter().map(|bit| self.or(top, bit)).collect();
        concat(&concat(&fraction, &field), &[self.and(float.sign, !float.nan)])
    }

    /// The encoding with every NaN replaced by the canonical one.
    pub(super) fn canonical(&mut self, format: Format, bits: &[Lit]) -> Bits {
        let (fraction, rest) = bits.split_at(fraction_width(format));
        let top = self.all(&rest[..usize::from(format.exponent)]);
        let payload = self.any(fraction);
        let nan = self.and(top, payload);
        self.select(nan, &constant(format.canonical_nan(), bits.len()), bits)
    }

    /// `yes` where `condition` holds, `no` elsewhere.
    pub(super) fn float_select(&mut self, condition: Lit, yes: &Float, no: &Float) -> Float {
        Float {
            format: yes.format,
            nan: self.ite(condition, yes.nan, no.nan),
            infinite: self.ite(condition, yes.infinite, no.infinite),
            zero: self.ite(condition, yes.zero, no.zero),
            sign: self.ite(condition, yes.sign, no.sign),
            exponent: self.signed_select(condition, &yes.exponent, &no.exponent),
            significand: self.select(condition, &yes.significand, &no.significand),
        }
    }

    /// Is it finite and at least the least normal number in magnitude?
    pub(super) fn float_is_normal(&mut self, float: &Float) -> Lit {
        let small = self.signed_below(&float.exponent, float.format.emin());
        let number = self.float_is_number(float);
        self.and(number, !small)
    }

    /// Is it subnormal and not zero?
    pub(super) fn float_is_subnormal(&mut self, float: &Float) -> Lit {
        let small = self.signed_below(&float.exponent, float.format.emin());
        let number = self.float_is_number(float);
        self.and(number, small)
    }

    /// Is it negative (zero included) and not NaN?
    pub(super) fn float_is_negative(&mut self, float: &Float) -> Lit {
        self.and(float.sign, !float.nan)
    }

    /// Is it finite and not zero?
    fn float_is_number(&mut self, float: &Float) -> Lit {
        !self.any(&[float.nan, float.infinite, float.zero])
    }

    /// The special cases laid over the result for ordinary operands.
    fn finish(&mut self, special: &Special, ordinary: Float) -> Float {
        let computed = !self.any(&[special.nan, special.infinite, special.zero]);
        let (infinite, zero) = (self.and(computed, ordinary.infinite), self.and(computed, ordinary.zero));
        Float {
            nan: special.nan,
            infinite: self.or(special.infinite, infinite),
            zero: self.or(special.zero, zero),
            sign: self.ite(computed, ordinary.sign, special.sign),
            ..ordinary
        }
    }
}
