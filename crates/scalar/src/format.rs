//! Binary floating-point formats: the landmarks of an encoding and questions about its bits.
//!
//! Everything here reads or builds encodings; arithmetic is in [`crate::float`]. The functions take bits without
//! anything above the width set, and say nothing useful about others.

use std::fmt;

/// A binary floating-point format: IEEE 754 interchange formats, x87 extended, and tiny ones for exhaustive tests.
///
/// The encoding is always sign, `exponent` bits, `significand - 1` stored bits (the leading bit is hidden, also for
/// x87 extended, whose explicit leading bit exists only in memory).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    /// Number of exponent bits, 2 to 15.
    pub exponent: u8,
    /// Number of significand bits including the hidden one, 2 to 113.
    pub significand: u8,
}

impl Format {
    /// IEEE binary16.
    pub const HALF: Format = Format { exponent: 5, significand: 11 };
    /// IEEE binary32, C `float`.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// IEEE binary64, C `double`.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };
    /// x87 extended, `long double` of x86.
    pub const EXTENDED: Format = Format { exponent: 15, significand: 64 };
    /// IEEE binary128.
    pub const QUAD: Format = Format { exponent: 15, significand: 113 };

    /// The format with these sizes, if it is one the operators are written for.
    pub const fn new(exponent: u8, significand: u8) -> Option<Format> {
        let supported = 2 <= exponent && exponent <= 15 && 2 <= significand && significand <= 113;
        if supported { Some(Format { exponent, significand }) } else { None }
    }

    /// Width of the encoding in bits.
    pub const fn width(self) -> u8 {
        self.exponent + self.significand
    }

    /// All bits of the encoding.
    pub const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.width() as u32)
    }

    /// The sign bit.
    pub const fn sign_mask(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// The stored bits of the significand.
    pub const fn fraction_mask(self) -> u128 {
        (1 << (self.significand - 1)) - 1
    }

    /// The bit that tells a quiet NaN from a signalling one: the highest stored bit of the significand.
    pub const fn quiet_bit(self) -> u128 {
        1 << (self.significand - 2)
    }

    /// What is added to an exponent before it is stored.
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the greatest finite numbers, in the form `1.xxx * 2^emax`.
    pub const fn emax(self) -> i32 {
        self.bias()
    }

    /// The exponent of the least normal numbers, in the form `1.xxx * 2^emin`.
    pub const fn emin(self) -> i32 {
        1 - self.bias()
    }

    /// The one NaN of callers who do not tell NaNs apart: positive, quiet, no other payload.
    pub const fn canonical_nan(self) -> u128 {
        self.infinity(false) | self.quiet_bit()
    }

    /// The NaN an invalid operation gives, as on x86: negative, quiet, no other payload.
    pub const fn default_nan(self) -> u128 {
        self.infinity(true) | self.quiet_bit()
    }

    /// Zero of the given sign.
    pub const fn zero(self, negative: bool) -> u128 {
        if negative { self.sign_mask() } else { 0 }
    }

    /// One, of the given sign.
    pub const fn one(self, negative: bool) -> u128 {
        self.zero(negative) | (self.bias() as u128) << (self.significand - 1)
    }

    /// Infinity of the given sign.
    pub const fn infinity(self, negative: bool) -> u128 {
        self.zero(negative) | (self.sign_mask() - 1) ^ self.fraction_mask()
    }

    /// The finite number of greatest magnitude of the given sign.
    pub const fn max_finite(self, negative: bool) -> u128 {
        self.infinity(negative) - 1
    }

    /// The normal number of least magnitude of the given sign.
    pub const fn min_normal(self, negative: bool) -> u128 {
        self.zero(negative) | 1 << (self.significand - 1)
    }

    /// The number of least magnitude, other than zero, of the given sign.
    pub const fn min_subnormal(self, negative: bool) -> u128 {
        self.zero(negative) | 1
    }

    /// The bits without the sign.
    pub const fn magnitude(self, bits: u128) -> u128 {
        bits & (self.sign_mask() - 1)
    }

    /// Is the sign bit set? True of negative zero and of NaNs with the bit set.
    pub const fn sign(self, bits: u128) -> bool {
        bits & self.sign_mask() != 0
    }

    /// Is it a NaN?
    pub const fn is_nan(self, bits: u128) -> bool {
        self.magnitude(bits) > self.infinity(false)
    }

    /// Is it an infinity?
    pub const fn is_infinite(self, bits: u128) -> bool {
        self.magnitude(bits) == self.infinity(false)
    }

    /// Is it neither infinite nor NaN?
    pub const fn is_finite(self, bits: u128) -> bool {
        self.magnitude(bits) < self.infinity(false)
    }

    /// Is it a zero?
    pub const fn is_zero(self, bits: u128) -> bool {
        self.magnitude(bits) == 0
    }

    /// Is it subnormal (and not zero)?
    pub const fn is_subnormal(self, bits: u128) -> bool {
        let magnitude = self.magnitude(bits);
        magnitude != 0 && magnitude <= self.fraction_mask()
    }

    /// Is it finite, and neither zero nor subnormal?
    pub const fn is_normal(self, bits: u128) -> bool {
        self.is_finite(bits) && self.magnitude(bits) > self.fraction_mask()
    }

    /// The place of a number in the order of all numbers: `-0` is -1, `+0` is 0, neighbours differ by one.
    ///
    /// Infinities take part; NaNs get places beyond them (positive ones above, negative ones below).
    pub const fn ordered(self, bits: u128) -> i128 {
        let magnitude = self.magnitude(bits) as i128;
        if self.sign(bits) { -1 - magnitude } else { magnitude }
    }

    /// The inverse of [`Format::ordered`].
    pub const fn from_ordered(self, place: i128) -> u128 {
        if place < 0 { (-1 - place) as u128 | self.sign_mask() } else { place as u128 }
    }

    /// IEEE `nextUp`: the least number greater than this one. Both zeros go to the least positive number, the greatest
    /// negative number goes to `-0`; plus infinity and NaNs stay.
    pub const fn next_up(self, bits: u128) -> u128 {
        if self.is_nan(bits) || bits == self.infinity(false) {
            bits
        } else if self.is_zero(bits) {
            self.min_subnormal(false)
        } else {
            self.from_ordered(self.ordered(bits) + 1)
        }
    }

    /// IEEE `nextDown`: the greatest number less than this one; the mirror image of [`Format::next_up`].
    pub const fn next_down(self, bits: u128) -> u128 {
        if self.is_nan(bits) { bits } else { self.next_up(bits ^ self.sign_mask()) ^ self.sign_mask() }
    }
}

/// `f16`, `f32`, `f64`, `f80`, `f128`, and `f<exponent,significand>` for the others.
impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Format::HALF => out.write_str("f16"),
            Format::SINGLE => out.write_str("f32"),
            Format::DOUBLE => out.write_str("f64"),
            Format::EXTENDED => out.write_str("f80"),
            Format::QUAD => out.write_str("f128"),
            Format { exponent, significand } => write!(out, "f<{exponent},{significand}>"),
        }
    }
}
