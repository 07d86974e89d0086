//! Floats as text: hexadecimal.

use crate::float::unpacked::{Finite, Unpacked};
use crate::format::Format;

/// The shortest exact hexadecimal text, in the manner of C's `%a`: `0x1.8p+1`, `-0x0p+0`, `inf`, `-nan(0x400000)`.
///
/// The leading digit is 1 for every number other than zero, subnormal ones included. A NaN shows its stored
/// significand.
pub fn to_hexadecimal(format: Format, bits: u128) -> String {
    let sign = if format.sign(bits) { "-" } else { "" };
    match Unpacked::new(format, bits) {
        Unpacked::Nan => format!("{sign}nan({:#x})", bits & format.fraction_mask()),
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
