//! Float to text, in the forms of C's `printf`.
//!
//! The functions for `%e`, `%f`, `%g` and `%a` give the magnitude only: the sign, padding and upper case belong to the
//! formatter. Infinities and NaNs give `inf` and `nan`. `alternate` is the `#` flag.

use super::decimal::{Decimal, Precision, to_decimal};
use super::unpacked::{Finite, Unpacked, round_shift};
use crate::format::Format;
use crate::op::Rounding;

/// The shortest exact hexadecimal text with its sign: `0x1.8p+1`, `-0x0p+0`, `inf`, `-nan(0x400000)`.
///
/// The leading digit is 1 for every number other than zero, subnormal ones included. A NaN shows its payload, quiet bit
/// included; a signalling one is `snan(...)`. [`super::parse`] gives the same bits back.
pub fn to_hexadecimal(format: Format, bits: u128) -> String {
    let sign = if format.sign(bits) { "-" } else { "" };
    match Unpacked::new(format, bits) {
        Unpacked::Nan => {
            let signalling = if bits & format.quiet_bit() == 0 { "s" } else { "" };
            format!("{sign}{signalling}nan({:#x})", bits & format.fraction_mask())
        }
        Unpacked::Infinite(_) => format!("{sign}inf"),
        Unpacked::Zero(_) => format!("{sign}0x0p+0"),
        Unpacked::Finite(Finite { exponent, significand, .. }) => {
            let digits = format!("{:032x}", significand << 1);
            let digits = digits.trim_end_matches('0');
            let point = if digits.is_empty() { "" } else { "." };
            format!("{sign}0x1{point}{digits}p{exponent:+}")
        }
    }
}

/// `%e`: `d.ddde+xx` with `precision` digits behind the point.
pub fn to_exponential(format: Format, bits: u128, precision: usize, alternate: bool) -> String {
    not_finite(format, bits).unwrap_or_else(|| {
        exponential(&to_decimal(format, bits, Precision::Significant(precision + 1)), precision, alternate)
    })
}

/// `%f`: `ddd.ddd` with `precision` digits behind the point.
pub fn to_fixed(format: Format, bits: u128, precision: usize, alternate: bool) -> String {
    not_finite(format, bits)
        .unwrap_or_else(|| fixed(&to_decimal(format, bits, Precision::AfterPoint(precision)), precision, alternate))
}

/// `%g`: `precision` significant digits (zero counts as one) in the form of `%f`, or of `%e` where the exponent is less
/// than -4 or not less than the precision; trailing zeros are left out unless `alternate`.
pub fn to_general(format: Format, bits: u128, precision: usize, alternate: bool) -> String {
    if let Some(text) = not_finite(format, bits) {
        return text;
    }
    let precision = precision.max(1);
    let decimal = to_decimal(format, bits, Precision::Significant(precision));
    let exponent = decimal_exponent(&decimal);
    let scientific = exponent < -4 || exponent >= precision as i64;
    let significant = if alternate { precision } else { decimal.digits.len().max(1) };
    if scientific {
        exponential(&decimal, significant - 1, alternate)
    } else {
        fixed(&decimal, (significant as i64 - 1 - exponent).max(0) as usize, alternate)
    }
}

/// `%a`, as glibc prints it: `0x1.8p+1`, `0x0.8p-1022` for subnormal numbers, and for x87 extended four bits before the
/// point. Without a precision, all digits up to the last that is not zero.
pub fn to_hexadecimal_float(format: Format, bits: u128, precision: Option<usize>, alternate: bool) -> String {
    if let Some(text) = not_finite(format, bits) {
        return text;
    }
    let before_point = if format == Format::EXTENDED { 4 } else { 1 };
    let (mut exponent, mut aligned) = aligned_significand(format, bits, before_point);
    if let Some(digits) = precision.filter(|&digits| digits < 31) {
        (exponent, aligned) = round_nibbles(exponent, aligned, 4 * digits as u32);
    }
    let digits = format!("{:031x}", aligned & (u128::MAX >> 4));
    let digits = match precision {
        Some(precision) => padded(&digits, precision)[..precision].to_owned(),
        None => digits.trim_end_matches('0').to_owned(),
    };
    let point = if digits.is_empty() && !alternate { "" } else { "." };
    format!("0x{:x}{point}{digits}p{exponent:+}", aligned >> 124)
}

/// The exponent, and the significand with its leading digit in the topmost nibble.
fn aligned_significand(format: Format, bits: u128, before_point: u32) -> (i32, u128) {
    match Unpacked::new(format, bits) {
        Unpacked::Finite(finite) => {
            let below = (format.emin() - finite.exponent).max(0);
            let exponent = finite.exponent + below - (before_point as i32 - 1);
            (exponent, finite.significand >> below >> (4 - before_point))
        }
        _ => (0, 0),
    }
}

/// Rounds to the topmost nibble and as many bits below it. A carry out of a full nibble moves the point.
fn round_nibbles(exponent: i32, aligned: u128, bits: u32) -> (i32, u128) {
    let dropped = 124 - bits;
    let kept = round_shift(Rounding::NearestEven, false, aligned, dropped);
    if kept >> bits > 0xf { (exponent + 4, 1 << 124) } else { (exponent, kept << dropped) }
}

fn not_finite(format: Format, bits: u128) -> Option<String> {
    let text = if format.is_nan(bits) { "nan" } else { "inf" };
    (!format.is_finite(bits)).then(|| text.to_owned())
}

/// The exponent of the first digit; zero for zero.
fn decimal_exponent(decimal: &Decimal) -> i64 {
    if decimal.digits.is_empty() { 0 } else { i64::from(decimal.point) - 1 }
}

fn exponential(decimal: &Decimal, precision: usize, alternate: bool) -> String {
    let exponent = decimal_exponent(decimal);
    let digits = padded(&String::from_utf8_lossy(&decimal.digits), precision + 1);
    let point = if precision == 0 && !alternate { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}{point}{}e{sign}{:02}", &digits[..1], &digits[1..], exponent.abs())
}

fn fixed(decimal: &Decimal, precision: usize, alternate: bool) -> String {
    let whole_length = decimal.point.max(0) as usize;
    let leading = (-decimal.point).max(0) as usize;
    let digits = padded("", leading) + &String::from_utf8_lossy(&decimal.digits);
    let digits = padded(&digits, whole_length + precision);
    let (whole, fraction) = digits.split_at(whole_length);
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if precision == 0 && !alternate { "" } else { "." };
    format!("{whole}{point}{}", &fraction[..precision])
}

/// The text with zeros behind it up to a length, which may be more than a formatter's width can say.
fn padded(text: &str, length: usize) -> String {
    let zeros = length.saturating_sub(text.len());
    text.chars().chain(std::iter::repeat_n('0', zeros)).collect()
}
