//! Float to decimal digits: exact, rounded to a precision, or the shortest that read back.
//!
//! A finite float is `m * 2^e` and has a finite decimal expansion: with `e` negative its digits are those of
//! `m * 5^-e`. All digits are computed, then cut; a cut rounds to nearest, ties to even, as C's `printf` does. The
//! shortest text is found by trying lengths and reading back: slow, obviously right, and used for display only.

use super::parse::parse;
use super::unpacked::Unpacked;
use crate::format::Format;
use crate::natural::Natural;
use crate::op::Rounding;

/// How many digits are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// All digits up to the last that is not zero.
    Exact,
    /// The fewest digits that read back as the same float under rounding to nearest even.
    Shortest,
    /// As many digits, counted from the first that is not zero.
    Significant(usize),
    /// Digits up to as many behind the decimal point.
    AfterPoint(usize),
}

/// The magnitude of a finite float in decimal: `0.DDD * 10^point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The digits as characters: the first and the last are not `0`. Zero has none.
    pub digits: Vec<u8>,
    /// Where the decimal point stands, counted from before the first digit.
    pub point: i32,
}

/// The decimal digits of a finite float, without its sign.
///
/// # Panics
/// If the float is infinite or NaN.
pub fn to_decimal(format: Format, bits: u128, precision: Precision) -> Decimal {
    let exact = exact(format, bits);
    match precision {
        Precision::Exact => exact,
        Precision::Shortest => exact.shortest(format, format.magnitude(bits)),
        Precision::Significant(count) => exact.cut(count as i64),
        Precision::AfterPoint(count) => {
            let count = i64::from(exact.point) + count as i64;
            exact.cut(count)
        }
    }
}

fn exact(format: Format, bits: u128) -> Decimal {
    let finite = match Unpacked::new(format, bits) {
        Unpacked::Zero(_) => return Decimal { digits: Vec::new(), point: 0 },
        Unpacked::Finite(finite) => finite,
        Unpacked::Infinite(_) | Unpacked::Nan => panic!("only finite floats have decimal digits"),
    };
    let zeros = finite.significand.trailing_zeros();
    let exponent = finite.exponent - 127 + zeros as i32;
    let mut number = Natural::new(finite.significand >> zeros);
    let behind_point = (-exponent).max(0);
    if exponent < 0 {
        number.multiply_power_of_five(behind_point as usize);
    } else {
        number.shift_left(exponent as usize);
    }
    let digits = number.into_digits();
    let point = digits.len() as i32 - behind_point;
    Decimal { digits, point }.trimmed()
}

impl Decimal {
    /// The number rounded to its first `count` digits; to zero or to a one before them if `count` is zero.
    fn cut(mut self, count: i64) -> Decimal {
        let Some(kept) = usize::try_from(count).ok().filter(|&kept| kept < self.digits.len()) else {
            return if count < 0 { Decimal { digits: Vec::new(), point: 0 } } else { self };
        };
        let odd = kept > 0 && self.digits[kept - 1] % 2 == 1;
        let up = match self.digits[kept] {
            b'5' => odd || kept + 1 < self.digits.len(),
            digit => digit > b'5',
        };
        self.digits.truncate(kept);
        if up { self.next() } else { self.trimmed() }
    }

    /// The number with one more in its last digit.
    fn next(mut self) -> Decimal {
        while self.digits.last() == Some(&b'9') {
            self.digits.pop();
        }
        match self.digits.last_mut() {
            Some(digit) => *digit += 1,
            None => {
                self.digits.push(b'1');
                self.point += 1;
            }
        }
        self
    }

    fn trimmed(mut self) -> Decimal {
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
        self
    }

    /// The fewest digits that read back as the same float and, of these, the nearest to it.
    fn shortest(self, format: Format, magnitude: u128) -> Decimal {
        for count in 1..self.digits.len() {
            let mut below = self.clone();
            below.digits.truncate(count);
            let above = below.clone().next();
            let nearest = self.clone().cut(count as i64);
            // Where the spacing of floats changes, the nearest may miss while the other one reads back.
            for candidate in [nearest, below.trimmed(), above] {
                if candidate.value(format) == Some(magnitude) {
                    return candidate;
                }
            }
        }
        self
    }

    fn value(&self, format: Format) -> Option<u128> {
        let digits = String::from_utf8_lossy(&self.digits);
        parse(format, Rounding::NearestEven, &format!(".{digits}e{}", self.point))
    }
}
