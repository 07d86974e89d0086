//! Integers and pointers in text.

use super::directive::Directive;
use clew_scalar::Value;

/// `%d`
pub(super) fn signed(directive: &Directive, value: Value, out: &mut Vec<u8>) {
    let number = value.signed();
    let digits = with_precision(directive, number.unsigned_abs().to_string());
    write(directive, directive.sign(number < 0), &digits, out);
}

/// `%u`, `%o`, `%x`, `%b`
pub(super) fn unsigned(directive: &Directive, number: u128, out: &mut Vec<u8>) {
    let plain = match directive.conversion {
        b'o' => format!("{number:o}"),
        b'x' => format!("{number:x}"),
        b'X' => format!("{number:X}"),
        b'b' | b'B' => format!("{number:b}"),
        _ => number.to_string(),
    };
    let mut digits = with_precision(directive, plain);
    let prefix: &[u8] = match directive.conversion {
        b'x' if directive.alternate && number != 0 => b"0x",
        b'X' if directive.alternate && number != 0 => b"0X",
        b'b' if directive.alternate && number != 0 => b"0b",
        b'B' if directive.alternate && number != 0 => b"0B",
        _ => b"",
    };
    if directive.conversion == b'o' && directive.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    write(directive, prefix, &digits, out);
}

/// `%p`
pub(super) fn pointer(directive: &Directive, address: u128, out: &mut Vec<u8>) {
    if address == 0 {
        return directive.pad(b"(nil)", out);
    }
    let mut prefix = directive.sign(false).to_vec();
    prefix.extend_from_slice(b"0x");
    let digits = with_precision(directive, format!("{address:x}"));
    write(directive, &prefix, &digits, out);
}

/// Zeros in front up to the precision; with precision zero the number zero is no digits.
fn with_precision(directive: &Directive, digits: String) -> String {
    match directive.precision {
        Some(0) if digits == "0" => String::new(),
        Some(precision) => format!("{digits:0>precision$}"),
        None => digits,
    }
}

fn write(directive: &Directive, prefix: &[u8], digits: &str, out: &mut Vec<u8>) {
    // A precision turns the flag `0` off.
    let zeros = directive.zero && directive.precision.is_none();
    directive.pad_number(prefix, digits.as_bytes(), zeros, out);
}
