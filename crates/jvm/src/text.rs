//! Values in the protocol of the runner.

use crate::heap::Value;

/// Spells a value for the runner.
pub(crate) fn spell(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Object(number) => format!("@{number}"),
        Value::Boolean(value) => format!("Z{}", u8::from(*value)),
        Value::Byte(value) => format!("B{value}"),
        Value::Char(value) => format!("C{value}"),
        Value::Short(value) => format!("S{value}"),
        Value::Int(value) => format!("I{value}"),
        Value::Long(value) => format!("J{value}"),
        Value::Float(bits) => format!("F{}", *bits as i32),
        Value::Double(bits) => format!("D{}", *bits as i64),
    }
}

/// Reads a value of the runner; `None` for strings and objects that are new.
pub(crate) fn read(text: &str) -> Option<Value> {
    if text == "null" {
        return Some(Value::Null);
    }
    let rest = text.get(1..)?;
    Some(match text.as_bytes()[0] {
        b'@' => Value::Object(rest.parse().ok()?),
        b'Z' => Value::Boolean(rest == "1"),
        b'B' => Value::Byte(rest.parse().ok()?),
        b'C' => Value::Char(rest.parse().ok()?),
        b'S' => Value::Short(rest.parse().ok()?),
        b'I' => Value::Int(rest.parse().ok()?),
        b'J' => Value::Long(rest.parse().ok()?),
        b'F' => Value::Float(rest.parse::<i32>().ok()? as u32),
        b'D' => Value::Double(rest.parse::<i64>().ok()? as u64),
        _ => return None,
    })
}

/// Code units as four hexadecimal digits each.
pub(crate) fn hexadecimal(units: &[u16]) -> String {
    units.iter().map(|unit| format!("{unit:04x}")).collect()
}

/// The other way round.
pub(crate) fn units(text: &str) -> Option<Vec<u16>> {
    let digits = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
    (0..text.len() / 4).map(|index| digits(4 * index)).collect()
}
