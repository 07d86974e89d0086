//! Unsigned numbers of 256 bits: just enough for exact products of two significands and their sums.

/// A number of 256 bits in two halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct U256 {
    /// The high half; first, so that the derived order is the numeric one.
    pub(crate) high: u128,
    /// The low half.
    pub(crate) low: u128,
}

impl U256 {
    /// The exact product of two numbers of 128 bits.
    pub(crate) fn product(a: u128, b: u128) -> U256 {
        let half = |number: u128| (number >> 64, number & u128::from(u64::MAX));
        let ((a1, a0), (b1, b0)) = (half(a), half(b));
        let (middle, carry) = (a1 * b0).overflowing_add(a0 * b1);
        let (low, low_carry) = (a0 * b0).overflowing_add(middle << 64);
        let high = a1 * b1 + (middle >> 64) + (u128::from(carry) << 64) + u128::from(low_carry);
        U256 { high, low }
    }

    /// Sum; the caller knows that it fits.
    pub(crate) fn plus(self, other: U256) -> U256 {
        let (low, carry) = self.low.overflowing_add(other.low);
        U256 { high: self.high + other.high + u128::from(carry), low }
    }

    /// Difference; the caller knows that it is not negative.
    pub(crate) fn minus(self, other: U256) -> U256 {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        U256 { high: self.high - other.high - u128::from(borrow), low }
    }

    /// Number of leading zeros.
    pub(crate) fn leading_zeros(self) -> u32 {
        if self.high == 0 { 128 + self.low.leading_zeros() } else { self.high.leading_zeros() }
    }

    /// Left shift by less than 256.
    pub(crate) fn shift_left(self, amount: u32) -> U256 {
        match amount {
            0 => self,
            1..128 => U256 { high: self.high << amount | self.low >> (128 - amount), low: self.low << amount },
            _ => U256 { high: self.low << (amount - 128), low: 0 },
        }
    }

    /// Right shift by any amount; the lowest bit is set if any one bit is lost.
    pub(crate) fn shift_right_sticky(self, amount: u32) -> U256 {
        let (shifted, lost) = match amount {
            0 => (self, 0),
            1..128 => {
                let low = self.low >> amount | self.high << (128 - amount);
                (U256 { high: self.high >> amount, low }, self.low << (128 - amount))
            }
            128 => (U256 { high: 0, low: self.high }, self.low),
            129..256 => (U256 { high: 0, low: self.high >> (amount - 128) }, self.low | self.high << (256 - amount)),
            _ => (U256 { high: 0, low: 0 }, self.low | self.high),
        };
        U256 { low: shifted.low | u128::from(lost != 0), ..shifted }
    }

    /// The high half; its lowest bit is set if the low half is not zero.
    pub(crate) fn high_sticky(self) -> u128 {
        self.high | u128::from(self.low != 0)
    }
}

/// Right shift by any amount; the lowest bit is set if any one bit is lost.
pub(crate) fn shift_right_sticky(number: u128, amount: u32) -> u128 {
    match amount {
        0 => number,
        1..128 => number >> amount | u128::from(number << (128 - amount) != 0),
        _ => u128::from(number != 0),
    }
}
