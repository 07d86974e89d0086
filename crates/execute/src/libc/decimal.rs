//! Exact decimal expansions of binary floats, and back.
//!
//! A finite float is `significand * 2^exponent`; its decimal expansion is finite, and is computed in full with plain long
//! arithmetic, so that rounding to any number of digits is exact for every format up to binary128. Reading divides
//! exact big integers and rounds once.

use clew_scalar::Format;
use std::cmp::Ordering;

/// A finite number's digits: `0.d1 d2 d3 ... * 10^point`; without leading zeros, empty for zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// Digits as numbers.
    pub(super) digits: Vec<u8>,
    pub(super) point: i32,
}

/// The significand and exponent of a finite float: its magnitude is `significand * 2^exponent`.
pub(super) fn unpack(format: Format, bits: u128) -> (u128, i32) {
    let stored = u32::from(format.significand) - 1;
    let fraction = bits & format.fraction_mask();
    let exponent = (format.magnitude(bits) >> stored) as i32;
    let scale = format.emin() - stored as i32;
    if exponent == 0 { (fraction, scale) } else { (fraction | 1 << stored, scale + exponent - 1) }
}

impl Decimal {
    /// The exact expansion of `significand * 2^exponent`.
    pub(super) fn exact(significand: u128, exponent: i32) -> Decimal {
        let mut whole = Big::from(significand);
        let mut digits;
        let mut point;
        if exponent >= 0 {
            whole.shift_left(exponent as usize);
            digits = whole.digits();
            point = digits.len() as i32;
        } else {
            let bits = exponent.unsigned_abs() as usize;
            let mut fraction = whole.split_low(bits);
            digits = whole.digits();
            point = digits.len() as i32;
            while !fraction.is_zero() {
                fraction.multiply(1_000_000_000);
                let chunk = fraction.take_high(bits);
                digits.extend((0..9).rev().map(|place| (chunk / 10_u32.pow(place) % 10) as u8));
            }
        }
        let leading = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..leading);
        point -= leading as i32;
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() {
            point = 0;
        }
        Decimal { digits, point }
    }

    /// Rounds to nearest, ties to even, keeping `count` digits (which may be negative or more than there are).
    pub(super) fn round(&mut self, count: i64) {
        if count < 0 {
            self.digits.clear();
            self.point = 0;
            return;
        }
        let count = count as usize;
        if count >= self.digits.len() {
            return;
        }
        let rest = &self.digits[count..];
        let half = (rest[0] > 5) || rest[0] == 5 && rest[1..].iter().any(|&digit| digit != 0);
        let tie = rest[0] == 5 && !half;
        let odd = count > 0 && self.digits[count - 1] % 2 == 1;
        self.digits.truncate(count);
        if half || tie && odd {
            self.increment();
        }
    }

    fn increment(&mut self) {
        while let Some(last) = self.digits.pop() {
            if last < 9 {
                self.digits.push(last + 1);
                return;
            }
        }
        self.digits.push(1);
        self.point += 1;
    }

    /// The digit before which there are `place` others after the decimal point; negative places lie before it.
    pub(super) fn digit(&self, place: i64) -> u8 {
        let index = i64::from(self.point) + place;
        usize::try_from(index).ok().and_then(|index| self.digits.get(index)).copied().unwrap_or(0)
    }
}

/// The float nearest to `digits * 10^exponent` (ties to even), without sign; infinity if it is too large.
pub(super) fn nearest(format: Format, digits: &[u8], exponent: i64) -> u128 {
    let significant: Vec<u8> = digits.iter().copied().skip_while(|&digit| digit == 0).collect();
    if significant.is_empty() {
        return 0;
    }
    let magnitude = significant.len() as i64 + exponent;
    if magnitude > 5000 {
        return format.infinity(false);
    }
    if magnitude < -5100 {
        return 0;
    }
    let mut numerator = Big::from_digits(&significant);
    let mut denominator = Big::from(1);
    if exponent >= 0 {
        numerator.multiply_power_of_ten(exponent as usize);
    } else {
        denominator.multiply_power_of_ten(exponent.unsigned_abs() as usize);
    }
    nearest_ratio(format, numerator, denominator)
}

/// The float nearest to `significand * 2^exponent` where more may follow below (`sticky`).
pub(super) fn nearest_binary(format: Format, significand: u128, exponent: i64, sticky: bool) -> u128 {
    if significand == 0 {
        return 0;
    }
    if exponent > 40_000 {
        return format.infinity(false);
    }
    if exponent < -40_000 {
        return 0;
    }
    let mut numerator = Big::from(significand);
    numerator.shift_left(2);
    if sticky {
        numerator.add_small(1);
    }
    let mut denominator = Big::from(1);
    let exponent = exponent - 2;
    if exponent >= 0 {
        numerator.shift_left(exponent as usize);
    } else {
        denominator.shift_left(exponent.unsigned_abs() as usize);
    }
    nearest_ratio(format, numerator, denominator)
}

fn nearest_ratio(format: Format, numerator: Big, denominator: Big) -> u128 {
    let precision = i64::from(format.significand);
    // Scale so that the quotient has exactly `precision` bits, or fewer for subnormals.
    let mut scale = numerator.bits() as i64 - denominator.bits() as i64 - precision;
    let least = i64::from(format.emin()) - (precision - 1);
    scale = scale.max(least);
    loop {
        let (quotient, above_half) = numerator.clone().scaled_division(&mut denominator.clone(), scale);
        if quotient >> precision != 0 {
            scale += 1;
            continue;
        }
        let round_up = match above_half {
            Ordering::Greater => true,
            Ordering::Equal => quotient & 1 == 1,
            Ordering::Less => false,
        };
        let rounded = quotient + u128::from(round_up);
        return pack(format, rounded, scale, least);
    }
}

/// The encoding of `significand * 2^scale`, where the significand has at most one bit too many.
fn pack(format: Format, mut significand: u128, mut scale: i64, least: i64) -> u128 {
    let precision = u32::from(format.significand);
    if significand >> precision != 0 {
        significand >>= 1;
        scale += 1;
    }
    let stored = precision - 1;
    if significand >> stored == 0 {
        return significand;
    }
    let exponent = scale - least + 1;
    if exponent >= (1 << format.exponent) - 1 {
        return format.infinity(false);
    }
    (exponent as u128) << stored | significand & format.fraction_mask()
}

/// An unsigned integer of any size, least significant word first, without zero words at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Big(Vec<u32>);

impl From<u128> for Big {
    fn from(number: u128) -> Big {
        let mut big = Big((0..4).map(|word| (number >> (32 * word)) as u32).collect());
        big.trim();
        big
    }
}

impl Big {
    fn from_digits(digits: &[u8]) -> Big {
        let mut big = Big(Vec::new());
        for chunk in digits.chunks(9) {
            big.multiply(10_u32.pow(chunk.len() as u32));
            big.add_small(chunk.iter().fold(0, |number, &digit| number * 10 + u32::from(digit)));
        }
        big
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn bits(&self) -> usize {
        self.0.last().map_or(0, |high| self.0.len() * 32 - high.leading_zeros() as usize)
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for word in &mut self.0 {
            let product = u64::from(*word) * u64::from(factor) + carry;
            *word = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn multiply_power_of_ten(&mut self, mut power: usize) {
        while power > 0 {
            let step = power.min(9);
            self.multiply(10_u32.pow(step as u32));
            power -= step;
        }
    }

    fn add_small(&mut self, number: u32) {
        let mut carry = number;
        for word in &mut self.0 {
            let (sum, overflow) = word.overflowing_add(carry);
            *word = sum;
            carry = u32::from(overflow);
            if !overflow {
                return;
            }
        }
        if carry != 0 {
            self.0.push(carry);
        }
    }

    fn shift_left(&mut self, count: usize) {
        if self.is_zero() {
            return;
        }
        let (words, bits) = (count / 32, count % 32);
        if bits > 0 {
            let mut carry = 0;
            for word in &mut self.0 {
                let shifted = u64::from(*word) << bits | carry;
                *word = shifted as u32;
                carry = shifted >> 32;
            }
            if carry != 0 {
                self.0.push(carry as u32);
            }
        }
        self.0.splice(0..0, std::iter::repeat_n(0, words));
    }

    fn shift_right_one(&mut self) {
        let mut carry = 0;
        for word in self.0.iter_mut().rev() {
            let next = *word & 1;
            *word = *word >> 1 | carry << 31;
            carry = next;
        }
        self.trim();
    }

    /// Splits off the low `count` bits; keeps what lies above, shifted down.
    fn split_low(&mut self, count: usize) -> Big {
        let mut low = self.clone();
        low.0.truncate(count.div_ceil(32));
        if !count.is_multiple_of(32) && low.0.len() == count.div_ceil(32) {
            let last = low.0.len() - 1;
            low.0[last] &= (1 << (count % 32)) - 1;
        }
        low.trim();
        let words = (count / 32).min(self.0.len());
        self.0.drain(..words);
        for _ in 0..count % 32 {
            self.shift_right_one();
        }
        low
    }

    /// Removes and gives what lies above the low `count` bits, which fits a word.
    fn take_high(&mut self, count: usize) -> u32 {
        let mut high = self.clone();
        *self = high.split_low(count);
        high.0.first().copied().unwrap_or(0)
    }

    /// Divides in place and gives the remainder.
    fn divide_small(&mut self, divisor: u32) -> u32 {
        let mut remainder = 0_u64;
        for word in self.0.iter_mut().rev() {
            let dividend = remainder << 32 | u64::from(*word);
            *word = (dividend / u64::from(divisor)) as u32;
            remainder = dividend % u64::from(divisor);
        }
        self.trim();
        remainder as u32
    }

    /// Decimal digits, most significant first; none for zero.
    fn digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while !self.is_zero() {
            let mut chunk = self.divide_small(1_000_000_000);
            for _ in 0..9 {
                digits.push((chunk % 10) as u8);
                chunk /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        digits
    }

    fn compare(&self, other: &Big) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    fn subtract(&mut self, other: &Big) {
        let mut borrow = false;
        for (index, word) in self.0.iter_mut().enumerate() {
            let (first, under) = word.overflowing_sub(other.0.get(index).copied().unwrap_or(0));
            let (second, under_again) = first.overflowing_sub(u32::from(borrow));
            *word = second;
            borrow = under || under_again;
        }
        self.trim();
    }

    /// The quotient of `self / (divisor * 2^scale)`, which fits 128 bits, and how the remainder
    /// compares to half the divisor.
    fn scaled_division(mut self, divisor: &mut Big, scale: i64) -> (u128, Ordering) {
        if scale >= 0 {
            divisor.shift_left(scale as usize);
        } else {
            self.shift_left(scale.unsigned_abs() as usize);
        }
        let steps = (self.bits() + 1).saturating_sub(divisor.bits());
        let mut shifted = divisor.clone();
        shifted.shift_left(steps);
        let mut quotient = 0_u128;
        for _ in 0..=steps {
            quotient <<= 1;
            if self.compare(&shifted) != Ordering::Less {
                self.subtract(&shifted);
                quotient |= 1;
            }
            shifted.shift_right_one();
        }
        self.shift_left(1);
        (quotient, self.compare(divisor))
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, nearest, unpack};
    use clew_scalar::Format;

    fn digits(number: f64) -> (String, i32) {
        let (significand, exponent) = unpack(Format::DOUBLE, u128::from(number.to_bits()));
        let decimal = Decimal::exact(significand, exponent);
        (decimal.digits.iter().map(|digit| char::from(b'0' + digit)).collect(), decimal.point)
    }

    #[test]
    fn expansions_are_exact() {
        assert_eq!(digits(0.0), (String::new(), 0));
        assert_eq!(digits(1234.5), ("12345".to_owned(), 4));
        assert_eq!(digits(0.1).0, "1000000000000000055511151231257827021181583404541015625");
        assert_eq!(digits(1e22), ("1".to_owned(), 23));
        assert_eq!(digits(f64::from_bits(1)).0.len(), 751);
    }

    #[test]
    fn reading_agrees_with_the_host() {
        for text in ["1", "0.1", "123456789012345678", "2.2250738585072011e-308", "4.9e-324", "2.4e-324", "1.8e308"] {
            let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
            let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i64);
            let digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
            let bits = nearest(Format::DOUBLE, &digits, exponent.parse::<i64>().unwrap() - fraction);
            assert_eq!(bits as u64, text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
    }
}
