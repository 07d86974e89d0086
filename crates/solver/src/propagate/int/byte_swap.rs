//! `result = a with its bytes in reverse order`
//!
//! Bit consistent.

use clew_scalar::int;

use super::enumerate;
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Bytes in reverse order; the width is a multiple of 8.
pub fn byte_swap(result: &mut IntDomain, a: &mut IntDomain) -> Result<(), Conflict> {
    if a.is_listed() {
        return enumerate::unary(result, a, int::byte_swap);
    }
    if result.is_listed() {
        return enumerate::unary(a, result, int::byte_swap);
    }
    result.narrow_bits(swapped(a))?;
    a.narrow_bits(swapped(result))
}

/// The known bits in their new places.
fn swapped(domain: &IntDomain) -> KnownBits {
    let (width, mask) = (domain.width(), domain.mask());
    let KnownBits { zeros, ones } = domain.bits();
    KnownBits { zeros: int::byte_swap(width, zeros & mask) | !mask, ones: int::byte_swap(width, ones) }
}
