//! Floats taken apart, and the one function that rounds.
//!
//! A finite number other than zero is `significand * 2^(exponent - 127)` with the highest of the 128 bits of the
//! significand set, so `exponent` is the floor of its binary logarithm. Formats have at most 113 significand bits: in
//! unpacked operands the low 15 bits are zero, and in results the lowest bit can be *sticky*: set when the exact
//! significand is anything between its neighbours.

use crate::format::Format;
use crate::op::Rounding;

/// A float by kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unpacked {
    /// Any NaN.
    Nan,
    /// An infinity; true when negative.
    Infinite(bool),
    /// A zero; true when negative.
    Zero(bool),
    /// Any other number.
    Finite(Finite),
}

/// A finite number other than zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finite {
    /// Is it negative?
    pub(super) negative: bool,
    /// Floor of the binary logarithm of the magnitude.
    pub(super) exponent: i32,
    /// The significand, its highest bit set.
    pub(super) significand: u128,
}

impl Unpacked {
    /// Takes a float apart.
    #[inline]
    pub(super) fn new(format: Format, bits: u128) -> Unpacked {
        let negative = format.sign(bits);
        let magnitude = format.magnitude(bits);
        if magnitude > format.infinity(false) {
            Unpacked::Nan
        } else if magnitude == format.infinity(false) {
            Unpacked::Infinite(negative)
        } else if magnitude == 0 {
            Unpacked::Zero(negative)
        } else {
            Unpacked::Finite(Finite::from_magnitude(format, negative, magnitude))
        }
    }
}

impl Finite {
    #[inline]
    fn from_magnitude(format: Format, negative: bool, magnitude: u128) -> Finite {
        let stored = u32::from(format.significand) - 1;
        let fraction = magnitude & format.fraction_mask();
        let biased = (magnitude >> stored) as i32;
        // Subnormal numbers have the exponent of the least normal ones and no hidden bit.
        let (exponent, significand) =
            if biased == 0 { (format.emin(), fraction) } else { (biased - format.bias(), fraction | 1 << stored) };
        Finite::normalized(negative, exponent + 127 - stored as i32, significand)
    }

    /// `significand * 2^(exponent - 127)`, with a significand other than zero shifted up as far as it goes.
    #[inline]
    pub(super) fn normalized(negative: bool, exponent: i32, significand: u128) -> Finite {
        let zeros = significand.leading_zeros();
        Finite { negative, exponent: exponent - zeros as i32, significand: significand << zeros }
    }

    /// The float nearest to the number in the direction of the rounding, with the sticky bit taken into account.
    #[inline]
    pub(super) fn round(self, format: Format, rounding: Rounding) -> u128 {
        let sign = format.zero(self.negative);
        if self.exponent > format.emax() {
            return sign | overflow(format, rounding, self.negative);
        }
        let below = (format.emin() - self.exponent).max(0);
        let dropped = 128 - u32::from(format.significand) + below as u32;
        let kept = round_shift(rounding, self.negative, self.significand, dropped);
        // The hidden bit, or a carry into it, adds one to the exponent field; a carry out of the greatest significand
        // gives the next exponent and, past the greatest exponent, infinity.
        let biased = (self.exponent - format.emin()).max(0) as u128;
        sign | ((biased << (format.significand - 1)) + kept)
    }
}

/// The magnitude that stands for a number beyond the greatest finite one.
fn overflow(format: Format, rounding: Rounding, negative: bool) -> u128 {
    let to_infinity = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::Up => !negative,
        Rounding::Down => negative,
        Rounding::Zero => false,
    };
    if to_infinity { format.infinity(false) } else { format.max_finite(false) }
}

/// `significand / 2^dropped` rounded to an integer, as the magnitude of a number of the given sign.
///
/// The highest bit of the significand is set, or nothing is dropped but zeros.
#[inline]
pub(super) fn round_shift(rounding: Rounding, negative: bool, significand: u128, dropped: u32) -> u128 {
    // The part dropped, scaled so that one half is the highest bit.
    let (kept, rest) = match dropped {
        0 => return significand,
        1..128 => (significand >> dropped, significand << (128 - dropped)),
        128 => (0, significand),
        _ => (0, 1),
    };
    const HALF: u128 = 1 << 127;
    let up = match rounding {
        Rounding::NearestEven => rest > HALF || rest == HALF && kept & 1 == 1,
        Rounding::NearestAway => rest >= HALF,
        Rounding::Up => rest != 0 && !negative,
        Rounding::Down => rest != 0 && negative,
        Rounding::Zero => false,
    };
    kept + u128::from(up)
}
