//! The memory image of x87 extended floats, whose leading significand bit is explicit.

use crate::format::Format;

const EXPLICIT_BIT: u128 = 1 << 63;

/// The ten significant bytes, little-endian: 64 significand bits, 15 exponent bits, the sign.
pub fn to_x87_bytes(bits: u128) -> [u8; 10] {
    let fraction = bits & Format::EXTENDED.fraction_mask();
    let above = bits >> 63;
    let explicit = if above & 0x7fff == 0 { 0 } else { EXPLICIT_BIT };
    let image = above << 64 | explicit | fraction;
    let mut bytes = [0; 10];
    bytes.copy_from_slice(&image.to_le_bytes()[..10]);
    bytes
}

/// The float in ten bytes of memory.
///
/// Images no operation produces are read as the processor reads them: a pseudo-denormal (leading bit set under a zero
/// exponent) is the normal number of the same value; other images with the wrong leading bit are invalid operands and
/// give [`Format::default_nan`].
pub fn from_x87_bytes(bytes: [u8; 10]) -> u128 {
    let mut image = [0; 16];
    image[..10].copy_from_slice(&bytes);
    let image = u128::from_le_bytes(image);
    let above = image >> 64;
    let fraction = image & (EXPLICIT_BIT - 1);
    match (above & 0x7fff == 0, image & EXPLICIT_BIT != 0) {
        (true, false) | (false, true) => above << 63 | fraction,
        (true, true) => (above | 1) << 63 | fraction,
        (false, false) => Format::EXTENDED.default_nan(),
    }
}
