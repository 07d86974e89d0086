//! Values of scalar types as C constants.

use super::spell;
use clew_ir::{BitField, CType, CTypeId, CTypes, Field, FloatKind, Program};
use clew_scalar::Format;

/// The little-endian integer of `size` bytes.
pub fn integer(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u128::from(byte))
}

/// The bits of a value of a scalar type in memory.
pub fn bits(ctypes: &CTypes, ty: CTypeId, bytes: &[u8]) -> u128 {
    match (ctypes.get(ty), bytes.first_chunk::<10>()) {
        (CType::Float { format: Format::EXTENDED, .. }, Some(image)) => clew_scalar::float::from_x87_bytes(*image),
        (CType::Float { format, .. }, _) => integer(bytes) & format.mask(),
        _ => integer(bytes),
    }
}

/// A constant of an arithmetic type with these bits; `None` for other types.
pub fn constant(ctypes: &CTypes, ty: CTypeId, bits: u128) -> Option<String> {
    match ctypes.get(ty) {
        CType::Bool => Some(u8::from(bits != 0).to_string()),
        CType::Int { width, signed, name } => {
            let letter = letter(bits).filter(|_| *name == "char");
            Some(letter.unwrap_or_else(|| int(*width, *signed, name, bits)))
        }
        CType::Enum { underlying, enumerators, .. } => {
            let CType::Int { width, signed, name } = ctypes.get(*underlying) else { return None };
            let value = if *signed { sign_extend(*width, bits) } else { bits as i128 };
            let named = enumerators.iter().find(|(_, known)| *known == value);
            let number = || match spell::declare(ctypes, ty, "") {
                Some(spelling) => format!("({spelling}){}", sign_extend(*width, bits)),
                None => int(*width, *signed, name, bits),
            };
            Some(named.map_or_else(number, |(name, _)| name.clone()))
        }
        CType::Float { kind, format, .. } => float(*kind, *format, bits),
        _ => None,
    }
}

/// A character that is easier to read than its number.
fn letter(bits: u128) -> Option<String> {
    let byte = u8::try_from(bits).ok().filter(|byte| is_text(*byte))?;
    Some(match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ => format!("'{}'", escaped(byte)),
    })
}

/// Whether text may contain a character.
fn is_text(byte: u8) -> bool {
    byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t')
}

/// A character of text as it is written between double quotes.
fn escaped(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'"' | b'\\' => format!("\\{}", byte as char),
        _ => (byte as char).to_string(),
    }
}

/// The value of the low `width` bits as a signed number.
pub fn sign_extend(width: u8, bits: u128) -> i128 {
    let shift = 128 - u32::from(width);
    (bits as i128) << shift >> shift
}

fn int(width: u8, signed: bool, name: &str, bits: u128) -> String {
    if width > 64 {
        return wide(name, bits);
    }
    let suffix = match (name.matches("long").count(), signed) {
        (0, true) => "",
        (0, false) if width < 32 => "",
        (0, false) => "u",
        (1, true) => "L",
        (1, false) => "uL",
        (_, true) => "LL",
        (_, false) => "uLL",
    };
    if !signed {
        return format!("{bits}{suffix}");
    }
    let value = sign_extend(width, bits);
    // The most negative number has no literal: a literal is positive, and its negative is one too many.
    if width >= 32 && value == -(1i128 << (width - 1)) {
        return format!("(-{}{suffix} - 1)", -(value + 1));
    }
    format!("{value}{suffix}")
}

fn wide(name: &str, bits: u128) -> String {
    format!("(({name})((unsigned __int128){:#x}uLL << 64 | {:#x}uLL))", bits >> 64, bits as u64)
}

fn float(kind: FloatKind, format: Format, bits: u128) -> Option<String> {
    let (suffix, builtin) = match kind {
        FloatKind::Float => ("f", "f"),
        FloatKind::Double => ("", ""),
        FloatKind::LongDouble => ("L", "l"),
        FloatKind::Other(_) => return None,
    };
    let text = clew_scalar::float::to_hexadecimal(format, bits);
    let (sign, magnitude) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    if magnitude == "inf" {
        return Some(format!("{sign}__builtin_inf{builtin}()"));
    }
    if let Some((kind, payload)) = magnitude.split_once('(') {
        let kind = if kind == "snan" { "nans" } else { "nan" };
        let payload = payload.trim_end_matches(')');
        return Some(format!("{sign}__builtin_{kind}{builtin}(\"{payload}\")"));
    }
    Some(short_decimal(format, bits).unwrap_or(text) + suffix)
}

/// A decimal that is exactly the value and easy to read: few digits, at most three behind the point.
fn short_decimal(format: Format, bits: u128) -> Option<String> {
    let value = match format {
        Format::SINGLE => f64::from(f32::from_bits(bits as u32)),
        Format::DOUBLE => f64::from_bits(bits as u64),
        _ => return None,
    };
    let eighths = value * 8.0;
    (eighths == eighths.trunc() && value.abs() < 1e6).then(|| format!("{value:?}"))
}

/// The bits of a bit-field, extended to its type.
pub fn bit_field(program: &Program, field: &Field, bits: BitField, bytes: &[u8], at: u64) -> Option<u128> {
    let start = (at + field.offset) as usize;
    let size = (usize::from(bits.offset) + usize::from(bits.width)).div_ceil(8);
    let raw = integer(bytes.get(start..start + size)?) >> bits.offset;
    let raw = raw & (u128::MAX >> (128 - u32::from(bits.width)));
    let signed = program.ctypes.is_signed(field.ty);
    Some(if signed { sign_extend(bits.width, raw) as u128 } else { raw })
}

/// Whether the bits are a NaN of the type.
pub fn is_nan(format: Format, bits: u128) -> bool {
    clew_scalar::float::to_hexadecimal(format, bits).contains("nan")
}

/// The bytes as a string literal, if they are text that ends in its only zero.
pub fn string(bytes: &[u8]) -> Option<String> {
    let (last, text) = bytes.split_last()?;
    if *last != 0 || !text.iter().all(|byte| is_text(*byte)) {
        return None;
    }
    // Two question marks may begin a trigraph.
    let written = |byte: &u8| if *byte == b'?' { "\\?".to_owned() } else { escaped(*byte) };
    Some(format!("\"{}\"", text.iter().map(written).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::{float, int, string};
    use clew_ir::FloatKind;
    use clew_scalar::Format;

    #[test]
    fn integers() {
        assert_eq!(int(32, true, "int", 0x8000_0000), "(-2147483647 - 1)");
        assert_eq!(int(64, true, "long", u128::from(u64::MAX)), "-1L");
        assert_eq!(int(64, true, "long long", 1 << 63), "(-9223372036854775807LL - 1)");
        assert_eq!(int(16, false, "unsigned short", 0xffff), "65535");
        assert_eq!(int(32, false, "unsigned int", 7), "7u");
        assert_eq!(int(8, true, "signed char", 0x80), "-128");
    }

    #[test]
    fn floats() {
        let double = |value: f64| float(FloatKind::Double, Format::DOUBLE, u128::from(value.to_bits())).unwrap();
        assert_eq!(double(2.5), "2.5");
        assert_eq!(double(-0.0), "-0.0");
        assert_eq!(double(0.1), "0x1.999999999999ap-4");
        assert_eq!(double(f64::NEG_INFINITY), "-__builtin_inf()");
        assert_eq!(double(f64::NAN), "__builtin_nan(\"0x8000000000000\")");
        let single = float(FloatKind::Float, Format::SINGLE, u128::from(3.0f32.to_bits())).unwrap();
        assert_eq!(single, "3.0f");
    }

    #[test]
    fn strings() {
        assert_eq!(string(b"a\"b\n\0").unwrap(), "\"a\\\"b\\n\"");
        assert_eq!(string(b"ab"), None);
        assert_eq!(string(b"a\0b\0"), None);
    }
}
