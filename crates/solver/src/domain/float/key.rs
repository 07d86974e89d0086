//! Floats as integers in order: the key of a number.
//!
//! The keys are those of [`Format::ordered`]: a number with a clear sign bit has its magnitude bits as key, one with a
//! set sign bit the complement of its magnitude bits. So `-inf < ... < -0 < +0 < ... < +inf` are the integers from
//! `-M - 1` to `M` without gaps, `-0` is -1, `+0` is 0, negation is the complement, and the distance of keys counts
//! units in the last place. NaN has no key.

use clew_scalar::Format;

/// The position of a number in the order of its format.
pub type Key = i128;

/// The key of `-0`.
pub const NEGATIVE_ZERO: Key = -1;
/// The key of `+0`.
pub const POSITIVE_ZERO: Key = 0;

/// The key of the number encoded by `bits`; `None` for NaN.
#[inline]
pub(crate) fn of_bits(format: Format, bits: u128) -> Option<Key> {
    (!format.is_nan(bits)).then(|| format.ordered(bits))
}

/// The encoding of the number with this key.
#[inline]
pub fn to_bits(format: Format, key: Key) -> u128 {
    format.from_ordered(key)
}

/// The encoding used for NaN.
pub fn nan(format: Format) -> u128 {
    format.canonical_nan()
}

/// The key of plus infinity.
#[inline]
pub(crate) fn positive_infinity(format: Format) -> Key {
    format.ordered(format.infinity(false))
}

/// The key of minus infinity.
pub(crate) fn negative_infinity(format: Format) -> Key {
    negate(positive_infinity(format))
}

/// The key of the greatest finite number.
pub fn max_finite(format: Format) -> Key {
    positive_infinity(format) - 1
}

/// The key of the number with the other sign.
#[inline]
pub(crate) fn negate(key: Key) -> Key {
    !key
}

/// The key of the number without its sign.
#[inline]
pub fn magnitude(key: Key) -> Key {
    if key < 0 { !key } else { key }
}

/// A key between `lo` and `hi`, below `hi` when they differ.
pub(crate) fn middle(lo: Key, hi: Key) -> Key {
    lo + (hi.abs_diff(lo) / 2) as Key
}

/// The key of the power of two at or below a finite positive number, as the biased exponent; subnormals count as zero.
pub(crate) fn exponent(format: Format, key: Key) -> i32 {
    (magnitude(key) >> (format.significand - 1)) as i32
}

/// A key at or above `key` on a coarse grid of powers of two, with at most 32 steps for either sign.
pub(crate) fn coarsen_up(format: Format, key: Key) -> Key {
    let step = (format.significand - 1) + format.exponent.saturating_sub(5);
    let grid = 1i128 << step;
    let infinity = positive_infinity(format);
    let index = key.div_euclid(grid) + i128::from(key.rem_euclid(grid) != 0);
    index.checked_mul(grid).map_or(infinity, |coarse| coarse.min(infinity))
}
