//! Floats in text, from their exact decimal expansion.

use super::super::decimal::{Decimal, unpack};
use super::directive::Directive;
use clew_scalar::{Format, Type, Value};

/// `%e`, `%f`, `%g`, `%a`
pub(super) fn write(directive: &Directive, value: Value, out: &mut Vec<u8>) {
    let Type::Float(format) = value.ty else {
        unreachable!("the caller looked at the type");
    };
    let upper = directive.conversion.is_ascii_uppercase();
    let sign = directive.sign(format.sign(value.bits));
    if !format.is_finite(value.bits) {
        let name: &[u8] = match (format.is_nan(value.bits), upper) {
            (true, false) => b"nan",
            (true, true) => b"NAN",
            (false, false) => b"inf",
            (false, true) => b"INF",
        };
        return directive.pad_number(sign, name, false, out);
    }
    let mut prefix = sign.to_vec();
    let mut text = match directive.conversion.to_ascii_lowercase() {
        b'a' => {
            prefix.extend_from_slice(b"0x");
            hexadecimal(directive, format, value.bits)
        }
        kind => decimal(directive, kind, format, value.bits),
    };
    if upper {
        prefix.make_ascii_uppercase();
        text.make_ascii_uppercase();
    }
    directive.pad_number(&prefix, text.as_bytes(), directive.zero, out);
}

fn decimal(directive: &Directive, kind: u8, format: Format, bits: u128) -> String {
    let (significand, exponent) = unpack(format, bits);
    let number = Decimal::exact(significand, exponent);
    let precision = directive.precision.unwrap_or(6);
    match kind {
        b'f' => fixed(number, precision, directive.alternate),
        b'e' => scientific(number, precision, directive.alternate),
        _ => general(number, precision, directive.alternate),
    }
}

fn fixed(mut number: Decimal, precision: usize, point: bool) -> String {
    number.round(i64::from(number.point) + precision as i64);
    let whole = i64::from(number.point.max(1));
    let mut text: String = (-whole..0).map(|place| digit(&number, place)).collect();
    if precision > 0 || point {
        text.push('.');
    }
    text.extend((0..precision as i64).map(|place| digit(&number, place)));
    text
}

fn scientific(mut number: Decimal, precision: usize, point: bool) -> String {
    number.round(precision as i64 + 1);
    let first = -i64::from(number.point);
    let exponent = if number.digits.is_empty() { 0 } else { -first - 1 };
    let mut text = String::from(digit(&number, first));
    if precision > 0 || point {
        text.push('.');
    }
    text.extend((1..=precision as i64).map(|place| digit(&number, first + place)));
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{text}e{sign}{:02}", exponent.abs())
}

fn general(number: Decimal, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1) as i64;
    let mut rounded = number.clone();
    rounded.round(precision);
    let exponent = if rounded.digits.is_empty() { 0 } else { i64::from(rounded.point) - 1 };
    let text = if exponent < -4 || exponent >= precision {
        scientific(number, precision as usize - 1, alternate)
    } else {
        fixed(number, (precision - 1 - exponent) as usize, alternate)
    };
    if alternate { text } else { without_trailing_zeros(&text) }
}

fn without_trailing_zeros(text: &str) -> String {
    let (mantissa, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    if !mantissa.contains('.') {
        return text.to_owned();
    }
    format!("{}{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
}

fn digit(number: &Decimal, place: i64) -> char {
    char::from(b'0' + number.digit(place))
}

/// glibc writes the leading bit before the point; for x87 extended it writes the first four bits there.
fn hexadecimal(directive: &Directive, format: Format, bits: u128) -> String {
    let (significand, exponent) = unpack(format, bits);
    let stored = u32::from(format.significand) - 1;
    let leading = if format == Format::EXTENDED { 4 } else { 1 };
    // Bits behind the point, aligned to whole hexadecimal digits.
    let behind = stored + 1 - leading;
    let digits = behind.div_ceil(4);
    let mut fraction = significand << (digits * 4 - behind);
    // The point stands `stored + 1 - leading` bits above the lowest bit.
    let mut power = if significand == 0 { 0 } else { exponent + behind as i32 };
    let mut count = digits as usize;
    if let Some(precision) = directive.precision
        && precision < count
    {
        let dropped = 4 * (count - precision) as u32;
        fraction = round_shift(fraction, dropped);
        count = precision;
    }
    let mut first = fraction >> (4 * count as u32);
    let mut rest = fraction & ((1 << (4 * count as u32)) - 1);
    if format == Format::EXTENDED && first == 16 {
        first = 1;
        rest = 0;
        power += 4;
    }
    let mut text = if count == 0 { String::new() } else { format!("{rest:0count$x}") };
    match directive.precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(precision) => text.extend(std::iter::repeat_n('0', precision - count)),
    }
    let point = if text.is_empty() && !directive.alternate { "" } else { "." };
    format!("{first:x}{point}{text}p{power:+}")
}

fn round_shift(number: u128, count: u32) -> u128 {
    let kept = number >> count;
    let rest = number & ((1 << count) - 1);
    let half = 1_u128 << (count - 1);
    kept + u128::from(rest > half || rest == half && kept & 1 == 1)
}
