//! `result = a ^ b`
//!
//! Bit consistent: a bit of any domain is known when the other two are. A constant sign bit or all ones acts as the sum
//! or the complement it is, on the bounds too.

use clew_scalar::int;

use super::add::add;
use super::not::not;
use super::{enumerate, unify};
use crate::domain::Conflict;
use crate::domain::int::{IntDomain, KnownBits};

/// Bitwise exclusive or.
pub fn xor(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, |_, x, y| x ^ y);
    }
    if let Some(constant) = b.value() {
        return xor_constant(result, a, constant, b);
    }
    if let Some(constant) = a.value() {
        return xor_constant(result, b, constant, a);
    }
    let (x, y) = (a.bits(), b.bits());
    result.narrow_bits(difference(x, y))?;
    let r = result.bits();
    a.narrow_bits(difference(r, y))?;
    b.narrow_bits(difference(r, x))?;
    if !x.zeros & !y.zeros == 0 {
        return add(result, a, b);
    }
    Ok(())
}

/// Bits of the exclusive or of two cubes.
fn difference(x: KnownBits, y: KnownBits) -> KnownBits {
    KnownBits { zeros: x.zeros & y.zeros | x.ones & y.ones, ones: x.zeros & y.ones | x.ones & y.zeros }
}

/// `result = a ^ constant`, where `b` is the domain of the constant.
fn xor_constant(result: &mut IntDomain, a: &mut IntDomain, constant: u128, b: &mut IntDomain) -> Result<(), Conflict> {
    let width = result.width();
    if constant == 0 {
        return unify(result, a);
    }
    if constant == int::mask(width) {
        return not(result, a);
    }
    if constant == int::signed_min(width) {
        return add(result, a, b);
    }
    result.narrow_bits(difference(a.bits(), b.bits()))?;
    a.narrow_bits(difference(result.bits(), b.bits()))
}
