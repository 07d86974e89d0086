//! Values as Java spells them.

use crate::heap::Value;
use std::fmt::Write as _;

/// A literal, or an expression of constants where there is none. References have none.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Null | Value::Object(_) => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => format!("(byte) {value}"),
        Value::Short(value) => format!("(short) {value}"),
        Value::Char(value) => format!("(char) {value}"),
        Value::Int(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
        Value::Int(i32::MAX) => "Integer.MAX_VALUE".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Long(i64::MIN) => "Long.MIN_VALUE".to_owned(),
        Value::Long(i64::MAX) => "Long.MAX_VALUE".to_owned(),
        Value::Long(value) => format!("{value}L"),
        Value::Float(bits) => float(*bits),
        Value::Double(bits) => double(*bits),
    }
}

fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    match value {
        _ if value.is_nan() => "Float.NaN".to_owned(),
        f32::INFINITY => "Float.POSITIVE_INFINITY".to_owned(),
        f32::NEG_INFINITY => "Float.NEGATIVE_INFINITY".to_owned(),
        // The shortest decimal number that reads back as the same.
        _ => format!("{value:e}f"),
    }
}

fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    match value {
        _ if value.is_nan() => "Double.NaN".to_owned(),
        f64::INFINITY => "Double.POSITIVE_INFINITY".to_owned(),
        f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".to_owned(),
        _ if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:?}"),
        _ => format!("{value:e}"),
    }
}

/// A string literal.
pub(crate) fn text(units: &[u16]) -> String {
    let mut spelled = "\"".to_owned();
    for unit in units {
        match unit {
            0x0a => spelled += "\\n",
            0x22 => spelled += "\\\"",
            0x5c => spelled += "\\\\",
            // An escape of the text itself would end the line or the literal.
            0x0d => spelled += "\\r",
            0x20..0x7f => spelled.push(char::from(*unit as u8)),
            0..0x20 => drop(write!(spelled, "\\{unit:03o}")),
            _ => drop(write!(spelled, "\\u{unit:04x}")),
        }
    }
    spelled + "\""
}

/// A value as part of a name.
pub(super) fn in_name(value: &Value) -> String {
    let number = |text: String| text.replace('-', "Minus");
    match value {
        Value::Null => "Null".to_owned(),
        Value::Object(number) => format!("Object{number}"),
        Value::Boolean(value) => if *value { "True" } else { "False" }.to_owned(),
        Value::Byte(value) => number(value.to_string()),
        Value::Char(value) => format!("Char{value}"),
        Value::Short(value) => number(value.to_string()),
        Value::Int(value) => number(value.to_string()),
        Value::Long(value) => number(value.to_string()),
        Value::Float(_) | Value::Double(_) => "Number".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{text, value};
    use crate::heap::Value;

    #[test]
    fn strings_are_escaped() {
        let units: Vec<u16> = "a\"\\\n\u{1}é".encode_utf16().collect();
        assert_eq!(text(&units), r#""a\"\\\n\001\u00e9""#);
    }

    #[test]
    fn numbers_are_exact() {
        assert_eq!(value(&Value::Double(0.1_f64.to_bits())), "1e-1");
        assert_eq!(value(&Value::Double((-0.0_f64).to_bits())), "-0.0");
        assert_eq!(value(&Value::Float(f32::NAN.to_bits())), "Float.NaN");
        assert_eq!(value(&Value::Int(i32::MIN)), "Integer.MIN_VALUE");
    }
}
