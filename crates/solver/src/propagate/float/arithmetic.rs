//! The float operators of `scalar`, on keys instead of bits; `None` is NaN throughout.

use clew_scalar::{Format, Rounding, float};

use crate::domain::float::key::{self, Key};

/// A format and a rounding: what an operator of floats is computed in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arithmetic {
    pub(super) format: Format,
    pub(super) rounding: Rounding,
}

impl Arithmetic {
    /// `a + b`.
    pub(super) fn add(self, a: Key, b: Key) -> Option<Key> {
        self.key(float::add(self.format, self.rounding, self.bits(a), self.bits(b)))
    }

    /// `a - b`.
    pub(super) fn sub(self, a: Key, b: Key) -> Option<Key> {
        self.key(float::sub(self.format, self.rounding, self.bits(a), self.bits(b)))
    }

    /// `a * b`.
    pub(super) fn mul(self, a: Key, b: Key) -> Option<Key> {
        self.key(float::mul(self.format, self.rounding, self.bits(a), self.bits(b)))
    }

    /// `a / b`.
    pub(super) fn div(self, a: Key, b: Key) -> Option<Key> {
        self.key(float::div(self.format, self.rounding, self.bits(a), self.bits(b)))
    }

    /// `a * b + c` rounded once.
    pub(super) fn fma(self, a: Key, b: Key, c: Key) -> Option<Key> {
        self.key(float::fma(self.format, self.rounding, self.bits(a), self.bits(b), self.bits(c)))
    }

    /// Square root.
    pub(super) fn sqrt(self, a: Key) -> Option<Key> {
        self.key(float::sqrt(self.format, self.rounding, self.bits(a)))
    }

    /// Rounding to an integral value in the direction of the rounding.
    pub(super) fn round(self, a: Key) -> Option<Key> {
        self.key(float::round_to_integral(self.format, self.rounding, self.bits(a)))
    }

    fn bits(self, key: Key) -> u128 {
        key::to_bits(self.format, key)
    }

    fn key(self, bits: u128) -> Option<Key> {
        key::of_bits(self.format, bits)
    }
}
