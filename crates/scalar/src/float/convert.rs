//! Conversions between floats and integers, between formats, and rounding to integral values.

use super::unpacked::{Finite, Unpacked, round_shift};
use super::{hardware, quiet};
use crate::format::Format;
use crate::int;
use crate::op::Rounding;

/// The float nearest to a signed integer.
#[inline]
pub fn from_signed(format: Format, rounding: Rounding, number: i128) -> u128 {
    i64::try_from(number)
        .ok()
        .and_then(|number| hardware::from_signed(format, rounding, number))
        .unwrap_or_else(|| from_integer(format, rounding, number < 0, number.unsigned_abs()))
}

/// The float nearest to an unsigned integer.
#[inline]
pub fn from_unsigned(format: Format, rounding: Rounding, number: u128) -> u128 {
    i64::try_from(number)
        .ok()
        .and_then(|number| hardware::from_signed(format, rounding, number))
        .unwrap_or_else(|| from_integer(format, rounding, false, number))
}

fn from_integer(format: Format, rounding: Rounding, negative: bool, magnitude: u128) -> u128 {
    if magnitude == 0 {
        return format.zero(negative);
    }
    Finite::normalized(negative, 127, magnitude).round(format, rounding)
}

/// Float to signed integer of the given width. Out of range and NaN give the x86 indefinite value: only the sign bit
/// set.
#[inline]
pub fn to_signed(format: Format, width: u8, rounding: Rounding, a: u128) -> u128 {
    match to_integer(format, rounding, a) {
        Some(integer) if integer.fits_signed(width) => integer.bits(width),
        _ => int::signed_min(width),
    }
}

/// Float to unsigned integer of the given width.
///
/// A negative integer in the range of the signed type of the same width wraps, as it does in gcc's x86-64 code for
/// every width (`(unsigned)-1.0` is all ones). Everything else out of range, and NaN, gives all ones (where gcc's
/// results differ from width to width).
#[inline]
pub fn to_unsigned(format: Format, width: u8, rounding: Rounding, a: u128) -> u128 {
    match to_integer(format, rounding, a) {
        Some(integer) if integer.fits_unsigned(width) || integer.fits_signed(width) => integer.bits(width),
        _ => int::mask(width),
    }
}

/// Is the number, once rounded to an integer, in the range of the integer type? False for NaN and infinities.
///
/// With [`Rounding::Zero`] this is when C defines the conversion: `-0.9` is in the range of unsigned types.
#[inline]
pub fn float_to_int_in_range(format: Format, width: u8, signed: bool, rounding: Rounding, a: u128) -> bool {
    to_integer(format, rounding, a)
        .is_some_and(|integer| if signed { integer.fits_signed(width) } else { integer.fits_unsigned(width) })
}

/// An integer as sign and magnitude.
struct Integer {
    negative: bool,
    magnitude: u128,
}

impl Integer {
    fn fits_signed(&self, width: u8) -> bool {
        let limit: u128 = int::signed_min(width);
        self.magnitude < limit || self.negative && self.magnitude == limit
    }

    fn fits_unsigned(&self, width: u8) -> bool {
        if self.negative { self.magnitude == 0 } else { self.magnitude <= int::mask(width) }
    }

    fn bits(&self, width: u8) -> u128 {
        if self.negative { int::neg(width, self.magnitude) } else { self.magnitude }
    }
}

/// The float rounded to an integer, if that is below `2^128` in magnitude.
#[inline]
fn to_integer(format: Format, rounding: Rounding, a: u128) -> Option<Integer> {
    match hardware::to_integer(format, rounding, a) {
        Some(number) => Some(Integer { negative: number < 0, magnitude: number.unsigned_abs().into() }),
        None => soft_to_integer(format, rounding, a),
    }
}

fn soft_to_integer(format: Format, rounding: Rounding, a: u128) -> Option<Integer> {
    match Unpacked::new(format, a) {
        Unpacked::Nan | Unpacked::Infinite(_) => None,
        Unpacked::Zero(negative) => Some(Integer { negative, magnitude: 0 }),
        Unpacked::Finite(Finite { exponent: 128.., .. }) => None,
        Unpacked::Finite(Finite { negative, exponent, significand }) => {
            let magnitude = round_shift(rounding, negative, significand, (127 - exponent) as u32);
            Some(Integer { negative, magnitude })
        }
    }
}

/// Nearest integral value of the same format in the given direction; zeros keep the operand's sign.
#[inline]
pub fn round_to_integral(format: Format, rounding: Rounding, a: u128) -> u128 {
    match Unpacked::new(format, a) {
        Unpacked::Nan => quiet(format, a),
        Unpacked::Finite(Finite { negative, exponent, significand })
            if exponent < i32::from(format.significand) - 1 =>
        {
            let magnitude = round_shift(rounding, negative, significand, (127 - exponent) as u32);
            from_integer(format, rounding, negative, magnitude)
        }
        _ => a,
    }
}

/// Float to another format. A NaN is made quiet and keeps its sign and the high bits of its payload.
#[inline]
pub fn convert(from: Format, to: Format, rounding: Rounding, a: u128) -> u128 {
    hardware::convert(from, to, rounding, a).unwrap_or_else(|| soft_convert(from, to, rounding, a))
}

fn soft_convert(from: Format, to: Format, rounding: Rounding, a: u128) -> u128 {
    match Unpacked::new(from, a) {
        Unpacked::Nan => convert_nan(from, to, a),
        Unpacked::Infinite(negative) => to.infinity(negative),
        Unpacked::Zero(negative) => to.zero(negative),
        Unpacked::Finite(finite) => finite.round(to, rounding),
    }
}

fn convert_nan(from: Format, to: Format, nan: u128) -> u128 {
    let payload = nan & from.fraction_mask();
    let (old, new) = (from.significand, to.significand);
    let payload = if new >= old { payload << (new - old) } else { payload >> (old - new) };
    to.infinity(from.sign(nan)) | to.quiet_bit() | payload
}
