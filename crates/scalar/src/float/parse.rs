//! Text to float, correctly rounded for every format.
//!
//! The syntax is that of C's `strtod` in the C locale, without leading space: an optional sign, then decimal or
//! hexadecimal digits with a point and an exponent, or `inf`, `infinity`, `nan`, `nan(chars)` in any case. A decimal
//! number is made an exact ratio of two integers and divided to 127 bits and a sticky one; there is no fast path, and
//! no approximation. Literal suffixes (`f`, `L`) are for the caller.

use super::unpacked::Finite;
use crate::format::Format;
use crate::natural::Natural;
use crate::op::Rounding;

/// The float a whole text means. Beside the syntax of [`parse_prefix`] it reads the `snan(payload)` that printing a
/// signalling NaN gives.
pub fn parse(format: Format, rounding: Rounding, text: &str) -> Option<u128> {
    let mut scanner = Scanner { text: text.as_bytes(), at: 0 };
    let negative = scanner.sign();
    if scanner.word("snan(") {
        let payload = scanner.payload()? & (format.fraction_mask() >> 1);
        return (scanner.at == text.len() && payload != 0).then(|| format.infinity(negative) | payload);
    }
    let (bits, length) = parse_prefix(format, rounding, text.as_bytes())?;
    (length == text.len()).then_some(bits)
}

/// The float that the longest numeric beginning of a text means, and the length of that beginning.
///
/// `nan` is positive and quiet; `nan(n)` has the integer `n` (with C's prefixes) as its payload below the quiet bit.
pub fn parse_prefix(format: Format, rounding: Rounding, text: &[u8]) -> Option<(u128, usize)> {
    let mut scanner = Scanner { text, at: 0 };
    let negative = scanner.sign();
    let magnitude = if scanner.word("infinity") || scanner.word("inf") {
        format.infinity(false)
    } else if scanner.word("nan") {
        format.canonical_nan() | scanner.parenthesized_payload() & format.fraction_mask()
    } else {
        let number = scanner.hexadecimal(negative).or_else(|| scanner.decimal(negative))?;
        number.map_or(0, |number| format.magnitude(number.round(format, rounding)))
    };
    Some((magnitude | format.zero(negative), scanner.at))
}

/// More digits than an exact midpoint between two floats can have (binary128 has the most, about 11530).
const MAX_DIGITS: usize = 11_600;

/// Decimal exponents beyond this are beyond every format.
const MAX_DECIMAL_EXPONENT: i64 = 6_000;

/// Binary exponents beyond this are beyond every format.
const MAX_BINARY_EXPONENT: i64 = 1 << 20;

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Scanner<'t> {
    fn sign(&mut self) -> bool {
        let negative = self.word("-");
        if !negative {
            self.word("+");
        }
        negative
    }

    /// Steps over the word, given in lower case, if it comes next in any case.
    fn word(&mut self, word: &str) -> bool {
        let next = self.text.get(self.at..self.at + word.len());
        let found = next.is_some_and(|next| next.eq_ignore_ascii_case(word.as_bytes()));
        if found {
            self.at += word.len();
        }
        found
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'t [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| !accept(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Digits with a point somewhere, without leading zeros, and how many of all digits are behind the point.
    fn digits(&mut self, accept: impl Fn(u8) -> bool) -> Option<(Vec<u8>, i64)> {
        let whole = self.take_while(&accept);
        let before_point = self.at;
        let fraction = if self.word(".") { self.take_while(&accept) } else { &[] };
        if whole.is_empty() && fraction.is_empty() {
            self.at = before_point;
            return None;
        }
        let digits = whole.iter().chain(fraction).copied().skip_while(|&digit| digit == b'0').collect();
        Some((digits, fraction.len() as i64))
    }

    /// An exponent behind its letter, or zero where there is none; far too great ones are cut off.
    fn exponent(&mut self, letter: &str) -> i64 {
        let start = self.at;
        if !self.word(letter) {
            return 0;
        }
        let negative = self.sign();
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        if digits.is_empty() {
            self.at = start;
            return 0;
        }
        let value =
            digits.iter().fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
        let value = value.min(i64::MAX / 4);
        if negative { -value } else { value }
    }

    /// A decimal number; the inner `None` is zero.
    fn decimal(&mut self, negative: bool) -> Option<Option<Finite>> {
        let (digits, behind_point) = self.digits(|byte| byte.is_ascii_digit())?;
        let exponent = self.exponent("e") - behind_point;
        Some(decimal_value(negative, digits, exponent))
    }

    /// A hexadecimal number; the inner `None` is zero.
    fn hexadecimal(&mut self, negative: bool) -> Option<Option<Finite>> {
        let start = self.at;
        let digits = if self.word("0x") { self.digits(|byte| byte.is_ascii_hexdigit()) } else { None };
        let Some((digits, behind_point)) = digits else {
            self.at = start;
            return None;
        };
        let exponent = self.exponent("p") - 4 * behind_point;
        Some(hexadecimal_value(negative, &digits, exponent))
    }

    /// The payload of a NaN behind `nan(`, with the closing parenthesis.
    fn payload(&mut self) -> Option<u128> {
        let characters = self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        self.word(")").then(|| integer(characters).unwrap_or(0))
    }

    fn parenthesized_payload(&mut self) -> u128 {
        let start = self.at;
        let payload = if self.word("(") { self.payload() } else { None };
        if payload.is_none() {
            self.at = start;
        }
        payload.unwrap_or(0)
    }
}

/// `digits * 10^exponent`, or `None` for zero.
fn decimal_value(negative: bool, mut digits: Vec<u8>, mut exponent: i64) -> Option<Finite> {
    if digits.is_empty() {
        return None;
    }
    let point = digits.len() as i64 + exponent;
    if point.abs() > MAX_DECIMAL_EXPONENT {
        return Some(beyond_every_format(negative, point > 0));
    }
    if digits.len() > MAX_DIGITS {
        // A one stands for the digits cut off: no midpoint is that long, so nothing but "more" matters.
        exponent += (digits.len() - MAX_DIGITS) as i64 - 1;
        let more = digits[MAX_DIGITS..].iter().any(|&digit| digit != b'0');
        digits.truncate(MAX_DIGITS);
        digits.push(if more { b'1' } else { b'0' });
    }
    let mut numerator = Natural::from_digits(&digits);
    let power = exponent.unsigned_abs() as usize;
    if exponent >= 0 {
        numerator.multiply_power_of_five(power);
        let binary = numerator.bit_length() as i64 - 128 + exponent;
        return Some(Finite::normalized(negative, binary as i32 + 127, numerator.top()));
    }
    let mut denominator = Natural::new(1);
    denominator.multiply_power_of_five(power);
    let (significand, binary) = numerator.ratio(denominator);
    Some(Finite::normalized(negative, (binary + exponent) as i32 + 127, significand))
}

/// `digits * 2^exponent` with hexadecimal digits, or `None` for zero.
fn hexadecimal_value(negative: bool, digits: &[u8], exponent: i64) -> Option<Finite> {
    const KEPT: usize = 31;
    let value = |&digit: &u8| u128::from((digit as char).to_digit(16).unwrap_or(0));
    let (kept, rest) = digits.split_at(digits.len().min(KEPT));
    let significand = kept.iter().map(value).fold(0, |significand, digit| significand << 4 | digit);
    if significand == 0 {
        return None;
    }
    let sticky = rest.iter().any(|&digit| digit != b'0');
    let exponent = exponent + 4 * rest.len() as i64 - 1;
    let exponent = exponent.clamp(-MAX_BINARY_EXPONENT, MAX_BINARY_EXPONENT) as i32;
    Some(Finite::normalized(negative, exponent + 127, significand << 1 | u128::from(sticky)))
}

/// A number greater, or nearer to zero, than every number of every format.
fn beyond_every_format(negative: bool, huge: bool) -> Finite {
    let exponent = if huge { MAX_BINARY_EXPONENT } else { -MAX_BINARY_EXPONENT } as i32;
    Finite { negative, exponent, significand: 1 << 127 }
}

/// An integer with C's prefixes.
fn integer(characters: &[u8]) -> Option<u128> {
    let text = std::str::from_utf8(characters).ok()?;
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        u128::from_str_radix(digits, 16).ok()
    } else if text.starts_with('0') {
        u128::from_str_radix(text, 8).ok()
    } else {
        text.parse().ok()
    }
}
