//! Numbers read from text, as `strtol` and `strtod` read them.

use super::decimal;
use clew_scalar::Format;

/// An integer read from the start of a text.
pub(super) struct ReadInteger {
    pub(super) negative: bool,
    /// The magnitude; saturated.
    pub(super) magnitude: u128,
    /// Bytes read; zero if there is no number.
    pub(super) length: usize,
}

/// Reads an integer in a base of 2 to 36, or 0 to tell by the prefix; `None` for any other base.
pub(super) fn integer(text: &[u8], base: i64) -> Option<ReadInteger> {
    if base != 0 && !(2..=36).contains(&base) {
        return None;
    }
    let spaces = skip_spaces(text);
    let (negative, mut at) = sign(text, spaces);
    let digit_at = |at: usize, base: u32| text.get(at).and_then(|&byte| char::from(byte).to_digit(base));
    let prefixed = |letter: u8, base: u32| {
        text.get(at) == Some(&b'0')
            && text.get(at + 1).is_some_and(|byte| byte.to_ascii_lowercase() == letter)
            && digit_at(at + 2, base).is_some()
    };
    let base = match base {
        0 | 16 if prefixed(b'x', 16) => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base as u32,
    };
    let start = at;
    let mut magnitude = 0_u128;
    while let Some(digit) = digit_at(at, base) {
        magnitude = magnitude.saturating_mul(base.into()).saturating_add(digit.into());
        at += 1;
    }
    Some(ReadInteger { negative, magnitude, length: if at == start { 0 } else { at } })
}

/// A float read from the start of a text.
pub(super) struct ReadFloat {
    pub(super) bits: u128,
    /// Bytes read; zero if there is no number.
    pub(super) length: usize,
    /// Whether the number is too large or too small for the format.
    pub(super) out_of_range: bool,
}

/// Reads a decimal or hexadecimal float, `inf` or `nan`.
pub(super) fn float(format: Format, text: &[u8]) -> ReadFloat {
    let spaces = skip_spaces(text);
    let (negative, at) = sign(text, spaces);
    let rest = &text[at..];
    let (magnitude, length, nonzero) = special(format, rest)
        .or_else(|| hexadecimal(format, rest))
        .or_else(|| decimal_float(format, rest))
        .unwrap_or((0, 0, false));
    if length == 0 {
        return ReadFloat { bits: 0, length: 0, out_of_range: false };
    }
    let tiny = nonzero && (magnitude == 0 || format.is_subnormal(magnitude));
    let huge = nonzero && format.is_infinite(magnitude);
    let bits = if negative { magnitude | format.sign_mask() } else { magnitude };
    ReadFloat { bits, length: at + length, out_of_range: tiny || huge }
}

fn skip_spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | 9..=13)).count()
}

fn sign(text: &[u8], at: usize) -> (bool, usize) {
    match text.get(at) {
        Some(b'-') => (true, at + 1),
        Some(b'+') => (false, at + 1),
        _ => (false, at),
    }
}

/// Magnitude, length, and whether the digits say something other than zero.
type Magnitude = Option<(u128, usize, bool)>;

fn special(format: Format, text: &[u8]) -> Magnitude {
    let begins = |word: &[u8]| text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word);
    if begins(b"infinity") {
        return Some((format.infinity(false), 8, false));
    }
    if begins(b"inf") {
        return Some((format.infinity(false), 3, false));
    }
    if !begins(b"nan") {
        return None;
    }
    let inside = text[3..].iter().skip(1).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let closed = text.get(3) == Some(&b'(') && text.get(4 + inside) == Some(&b')');
    Some((format.canonical_nan(), if closed { 5 + inside } else { 3 }, false))
}

/// Digits around a point: the digits, how many of them stand behind the point, and the length.
fn digits(text: &[u8], base: u32) -> (Vec<u8>, i64, usize) {
    let mut digits = Vec::new();
    let mut behind = 0;
    let mut point = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match char::from(byte).to_digit(base) {
            Some(digit) => {
                digits.push(digit as u8);
                behind += i64::from(point);
            }
            None if byte == b'.' && !point => point = true,
            None => break,
        }
        at += 1;
    }
    (digits, behind, at)
}

/// An exponent behind a letter, and its length.
fn exponent(text: &[u8], letter: u8) -> (i64, usize) {
    if text.first().is_none_or(|byte| byte.to_ascii_lowercase() != letter) {
        return (0, 0);
    }
    let (negative, start) = sign(text, 1);
    let digits = text[start..].iter().take_while(|byte| byte.is_ascii_digit());
    let (mut number, mut count) = (0_i64, 0);
    for digit in digits {
        number = (number * 10 + i64::from(digit - b'0')).min(1_000_000);
        count += 1;
    }
    if count == 0 { (0, 0) } else { (if negative { -number } else { number }, start + count) }
}

fn decimal_float(format: Format, text: &[u8]) -> Magnitude {
    let (digits, behind, length) = digits(text, 10);
    if digits.is_empty() {
        return None;
    }
    let (exponent, more) = exponent(&text[length..], b'e');
    let nonzero = digits.iter().any(|&digit| digit != 0);
    Some((decimal::nearest(format, &digits, exponent - behind), length + more, nonzero))
}

fn hexadecimal(format: Format, text: &[u8]) -> Magnitude {
    if text.len() < 2 || text[0] != b'0' || !text[1].eq_ignore_ascii_case(&b'x') {
        return None;
    }
    let (digits, behind, length) = digits(&text[2..], 16);
    if digits.is_empty() {
        return None;
    }
    let (exponent, more) = exponent(&text[2 + length..], b'p');
    let (mut significand, mut scale, mut sticky) = (0_u128, exponent - 4 * behind, false);
    for &digit in &digits {
        if significand >> 120 == 0 {
            significand = significand << 4 | u128::from(digit);
        } else {
            sticky |= digit != 0;
            scale += 4;
        }
    }
    let bits = decimal::nearest_binary(format, significand, scale, sticky);
    Some((bits, 2 + length + more, significand != 0))
}
