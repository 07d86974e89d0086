//! Real literals, exact, for conversion to floats.
//!
//! A literal is a decimal number, possibly negated, possibly divided by another one; no other arithmetic on reals is
//! understood.

use clew_scalar::{Format, Rounding, float};

/// `(-1)^negative * digits * 10^-scale / divisor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Real {
    negative: bool,
    /// Decimal digits, at least one.
    digits: String,
    scale: i64,
    /// At least one, and small enough for long division.
    divisor: u128,
}

/// Digits that decide every rounding: no midpoint between neighbours of the widest format has more.
const DECISIVE: usize = 17_000;
/// Divisors beyond this would overflow long division.
const DIVISOR_LIMIT: u128 = 1 << 120;

impl Real {
    /// A numeral or decimal of SMT-LIB.
    pub(super) fn parse(text: &str) -> Real {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        Real { negative: false, digits: format!("{whole}{fraction}"), scale: fraction.len() as i64, divisor: 1 }
    }

    pub(super) fn negate(self) -> Real {
        Real { negative: !self.negative, ..self }
    }

    /// The quotient; `None` when the divisor is zero, too long, or a quotient itself.
    pub(super) fn divide(self, divisor: &Real) -> Option<Real> {
        let digits: u128 = divisor.digits.parse().ok()?;
        let fits = (1..DIVISOR_LIMIT).contains(&digits) && divisor.divisor == 1 && self.divisor == 1;
        fits.then(|| Real {
            negative: self.negative != divisor.negative,
            scale: self.scale - divisor.scale,
            divisor: digits,
            ..self
        })
    }

    /// The float nearest in the given direction.
    pub(super) fn round(&self, format: Format, rounding: Rounding) -> u128 {
        let (quotient, scale) = self.quotient();
        // The real zero has no sign.
        let is_zero = self.digits.bytes().all(|digit| digit == b'0');
        let sign = if self.negative && !is_zero { "-" } else { "" };
        let text = format!("{sign}{quotient}e{}", -scale);
        float::parse(format, rounding, &text).expect("digits with an exponent are a number")
    }

    /// The digits of the quotient and their scale; a last digit stands for a remainder too small to matter otherwise.
    fn quotient(&self) -> (String, i64) {
        if self.divisor == 1 {
            return (self.digits.clone(), self.scale);
        }
        let mut quotient = String::new();
        let mut remainder = 0u128;
        let mut divide = |digit: u128, quotient: &mut String| {
            remainder = remainder * 10 + digit;
            quotient.push(char::from(b'0' + (remainder / self.divisor) as u8));
            remainder %= self.divisor;
            remainder
        };
        let mut rest = 0;
        for digit in self.digits.bytes() {
            rest = divide(u128::from(digit - b'0'), &mut quotient);
        }
        let mut scale = self.scale;
        let limit = self.digits.len() + DECISIVE;
        while rest != 0 && quotient.len() < limit {
            rest = divide(0, &mut quotient);
            scale += 1;
        }
        if rest != 0 {
            quotient.push('1');
            scale += 1;
        }
        (quotient, scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(real: &Real) -> f64 {
        f64::from_bits(real.round(Format::DOUBLE, Rounding::NearestEven) as u64)
    }

    #[test]
    fn literals_round_as_rust_rounds() {
        for text in ["0.1", "3", "123456789.125", "0.000000000000000000000000000001", "9007199254740993"] {
            assert_eq!(double(&Real::parse(text)), text.parse::<f64>().unwrap(), "{text}");
        }
    }

    #[test]
    fn quotients_round_once() {
        let third = Real::parse("1").divide(&Real::parse("3.0")).unwrap();
        assert_eq!(double(&third), 1.0 / 3.0);
        let up = third.round(Format::DOUBLE, Rounding::Up) as u64;
        assert_eq!(f64::from_bits(up), (1.0_f64 / 3.0).next_up());
        let half = Real::parse("1").negate().divide(&Real::parse("2")).unwrap();
        assert_eq!(double(&half), -0.5);
        assert_eq!(Real::parse("1").divide(&Real::parse("0.0")), None);
    }
}
