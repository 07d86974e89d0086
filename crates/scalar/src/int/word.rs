//! What the integer operators need of the machine word that holds their bits.
//!
//! Only wrapping, total primitives: the meaning of operators is in the parent module.

use std::ops::{BitAnd, BitOr, BitXor};

/// A machine word: `u64` or `u128`.
pub trait Word: Copy + Ord + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> {
    /// Width of the word.
    const BITS: u8;
    /// No bit set.
    const ZERO: Self;
    /// The number one.
    const ONE: Self;
    /// Every bit set.
    const ONES: Self;

    /// A small number.
    fn from_u32(number: u32) -> Self;
    /// The low 32 bits.
    fn to_u32(self) -> u32;
    /// Sum, modulo the word.
    fn wrapping_add(self, other: Self) -> Self;
    /// Difference, modulo the word.
    fn wrapping_sub(self, other: Self) -> Self;
    /// Product, modulo the word.
    fn wrapping_mul(self, other: Self) -> Self;
    /// Unsigned quotient by a number other than zero.
    fn unsigned_div(self, other: Self) -> Self;
    /// Unsigned remainder by a number other than zero.
    fn unsigned_rem(self, other: Self) -> Self;
    /// Signed wrapping quotient by a number other than zero.
    fn signed_div(self, other: Self) -> Self;
    /// Signed wrapping remainder by a number other than zero.
    fn signed_rem(self, other: Self) -> Self;
    /// Signed product, if it fits the word.
    fn checked_signed_mul(self, other: Self) -> Option<Self>;
    /// Unsigned product, if it fits the word.
    fn checked_unsigned_mul(self, other: Self) -> Option<Self>;
    /// Left shift by less than the word.
    fn shl(self, amount: u32) -> Self;
    /// Logical right shift by less than the word.
    fn shr(self, amount: u32) -> Self;
    /// Arithmetic right shift by less than the word.
    fn sar(self, amount: u32) -> Self;
    /// Number of one bits.
    fn count_ones(self) -> u32;
    /// Number of leading zeros in the word.
    fn leading_zeros(self) -> u32;
    /// Number of trailing zeros in the word.
    fn trailing_zeros(self) -> u32;
    /// Bytes of the word in reverse order.
    fn swap_bytes(self) -> Self;
}

impl Word for u64 {
    const BITS: u8 = 64;
    const ZERO: u64 = 0;
    const ONE: u64 = 1;
    const ONES: u64 = u64::MAX;

    #[inline]
    fn from_u32(number: u32) -> u64 {
        u64::from(number)
    }

    #[inline]
    fn to_u32(self) -> u32 {
        self as u32
    }

    #[inline]
    fn wrapping_add(self, other: u64) -> u64 {
        u64::wrapping_add(self, other)
    }

    #[inline]
    fn wrapping_sub(self, other: u64) -> u64 {
        u64::wrapping_sub(self, other)
    }

    #[inline]
    fn wrapping_mul(self, other: u64) -> u64 {
        u64::wrapping_mul(self, other)
    }

    #[inline]
    fn unsigned_div(self, other: u64) -> u64 {
        self / other
    }

    #[inline]
    fn unsigned_rem(self, other: u64) -> u64 {
        self % other
    }

    #[inline]
    fn signed_div(self, other: u64) -> u64 {
        (self as i64).wrapping_div(other as i64) as u64
    }

    #[inline]
    fn signed_rem(self, other: u64) -> u64 {
        (self as i64).wrapping_rem(other as i64) as u64
    }

    #[inline]
    fn checked_signed_mul(self, other: u64) -> Option<u64> {
        (self as i64).checked_mul(other as i64).map(|product| product as u64)
    }

    #[inline]
    fn checked_unsigned_mul(self, other: u64) -> Option<u64> {
        self.checked_mul(other)
    }

    #[inline]
    fn shl(self, amount: u32) -> u64 {
        self << amount
    }

    #[inline]
    fn shr(self, amount: u32) -> u64 {
        self >> amount
    }

    #[inline]
    fn sar(self, amount: u32) -> u64 {
        (self as i64 >> amount) as u64
    }

    #[inline]
    fn count_ones(self) -> u32 {
        u64::count_ones(self)
    }

    #[inline]
    fn leading_zeros(self) -> u32 {
        u64::leading_zeros(self)
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        u64::trailing_zeros(self)
    }

    #[inline]
    fn swap_bytes(self) -> u64 {
        u64::swap_bytes(self)
    }
}

impl Word for u128 {
    const BITS: u8 = 128;
    const ZERO: u128 = 0;
    const ONE: u128 = 1;
    const ONES: u128 = u128::MAX;

    #[inline]
    fn from_u32(number: u32) -> u128 {
        u128::from(number)
    }

    #[inline]
    fn to_u32(self) -> u32 {
        self as u32
    }

    #[inline]
    fn wrapping_add(self, other: u128) -> u128 {
        u128::wrapping_add(self, other)
    }

    #[inline]
    fn wrapping_sub(self, other: u128) -> u128 {
        u128::wrapping_sub(self, other)
    }

    #[inline]
    fn wrapping_mul(self, other: u128) -> u128 {
        u128::wrapping_mul(self, other)
    }

    #[inline]
    fn unsigned_div(self, other: u128) -> u128 {
        self / other
    }

    #[inline]
    fn unsigned_rem(self, other: u128) -> u128 {
        self % other
    }

    #[inline]
    fn signed_div(self, other: u128) -> u128 {
        (self as i128).wrapping_div(other as i128) as u128
    }

    #[inline]
    fn signed_rem(self, other: u128) -> u128 {
        (self as i128).wrapping_rem(other as i128) as u128
    }

    #[inline]
    fn checked_signed_mul(self, other: u128) -> Option<u128> {
        (self as i128).checked_mul(other as i128).map(|product| product as u128)
    }

    #[inline]
    fn checked_unsigned_mul(self, other: u128) -> Option<u128> {
        self.checked_mul(other)
    }

    #[inline]
    fn shl(self, amount: u32) -> u128 {
        self << amount
    }

    #[inline]
    fn shr(self, amount: u32) -> u128 {
        self >> amount
    }

    #[inline]
    fn sar(self, amount: u32) -> u128 {
        (self as i128 >> amount) as u128
    }

    #[inline]
    fn count_ones(self) -> u32 {
        u128::count_ones(self)
    }

    #[inline]
    fn leading_zeros(self) -> u32 {
        u128::leading_zeros(self)
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        u128::trailing_zeros(self)
    }

    #[inline]
    fn swap_bytes(self) -> u128 {
        u128::swap_bytes(self)
    }
}
