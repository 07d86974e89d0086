//! Natural numbers of any size: just enough for exact conversion between floats and text.
//!
//! Little-endian limbs of 32 bits without zeros on top. All algorithms are the schoolbook ones: the longest numbers
//! here have some tens of thousands of bits.

use std::cmp::Ordering;

use crate::wide::shift_right_sticky;

/// A natural number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Natural {
    limbs: Vec<u32>,
}

impl Natural {
    /// A number that fits a machine word.
    pub(crate) fn new(number: u128) -> Natural {
        let limbs = (0..4).map(|index| (number >> (32 * index)) as u32).collect();
        Natural { limbs }.trimmed()
    }

    /// The number with the given decimal digits (as characters).
    pub(crate) fn from_digits(digits: &[u8]) -> Natural {
        let mut number = Natural::new(0);
        for group in digits.chunks(9) {
            let value = group.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
            number.multiply_add(10_u32.pow(group.len() as u32), value);
        }
        number
    }

    /// The decimal digits, as characters; none for zero.
    pub(crate) fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while !self.is_zero() {
            let mut group = self.divide(1_000_000_000);
            for _ in 0..9 {
                digits.push(b'0' + (group % 10) as u8);
                group /= 10;
            }
        }
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        digits.reverse();
        digits
    }

    /// Is it zero?
    pub(crate) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Number of bits up to the highest one.
    pub(crate) fn bit_length(&self) -> usize {
        self.limbs.last().map_or(0, |top| self.limbs.len() * 32 - top.leading_zeros() as usize)
    }

    /// Multiplies by a power of five.
    pub(crate) fn multiply_power_of_five(&mut self, mut power: usize) {
        while power >= 13 {
            self.multiply_add(5_u32.pow(13), 0);
            power -= 13;
        }
        self.multiply_add(5_u32.pow(power as u32), 0);
    }

    /// Multiplies by a power of two.
    pub(crate) fn shift_left(&mut self, amount: usize) {
        let (limbs, bits) = (amount / 32, amount % 32);
        self.multiply_add(1 << bits, 0);
        if !self.is_zero() {
            self.limbs.splice(0..0, std::iter::repeat_n(0, limbs));
        }
    }

    /// The highest 128 bits, left-aligned, the lowest of them set if any one bit is lost.
    pub(crate) fn top(&self) -> u128 {
        let mut top = 0;
        let mut used = 0;
        for limb in self.limbs.iter().rev().take(4) {
            top = top << 32 | u128::from(*limb);
            used += 1;
        }
        let zeros = top.leading_zeros();
        let rest = &self.limbs[..self.limbs.len() - used];
        let next = rest.last().map_or(0, |&limb| u128::from(limb) << 96);
        let lost = rest.iter().rev().skip(1).any(|&limb| limb != 0);
        // Zeros on top of four full limbs are fewer than 32: the fifth limb fills them.
        (top << zeros) | shift_right_sticky(next, 128 - zeros) | u128::from(lost)
    }

    /// The quotient's highest 127 or 128 bits, left-aligned with a sticky lowest bit, and the exponent: the quotient is
    /// `significand * 2^exponent`. Neither number is zero.
    pub(crate) fn ratio(mut self, mut divisor: Natural) -> (u128, i64) {
        let excess = self.bit_length() as i64 - divisor.bit_length() as i64;
        if excess < 0 {
            self.shift_left(-excess as usize);
        } else {
            divisor.shift_left(excess as usize);
        }
        let mut quotient = 0;
        for _ in 0..128 {
            quotient <<= 1;
            if self.compare(&divisor) != Ordering::Less {
                self.subtract(&divisor);
                quotient |= 1;
            }
            self.multiply_add(2, 0);
        }
        (quotient | u128::from(!self.is_zero()), excess - 127)
    }

    fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = addend;
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(factor) + u64::from(carry);
            *limb = product as u32;
            carry = (product >> 32) as u32;
        }
        if carry != 0 {
            self.limbs.push(carry);
        }
    }

    /// Divides in place and gives the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut remainder = 0;
        for limb in self.limbs.iter_mut().rev() {
            let dividend = u64::from(remainder) << 32 | u64::from(*limb);
            *limb = (dividend / u64::from(divisor)) as u32;
            remainder = (dividend % u64::from(divisor)) as u32;
        }
        self.trim();
        remainder
    }

    fn compare(&self, other: &Natural) -> Ordering {
        let lengths = self.limbs.len().cmp(&other.limbs.len());
        lengths.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }

    /// Subtracts a number that is not greater.
    fn subtract(&mut self, other: &Natural) {
        let mut borrow = false;
        for (index, limb) in self.limbs.iter_mut().enumerate() {
            let subtrahend = other.limbs.get(index).copied().unwrap_or(0);
            let (difference, first) = limb.overflowing_sub(subtrahend);
            let (difference, second) = difference.overflowing_sub(u32::from(borrow));
            *limb = difference;
            borrow = first || second;
        }
        assert!(!borrow, "a greater number was subtracted");
        self.trim();
    }

    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    fn trimmed(mut self) -> Natural {
        self.trim();
        self
    }
}
