//! Scalars of more than 64 bits and unusual accesses: the slow, general path beside the ops.

use super::ops::Window;
use crate::code::{Access, Eval, EvalKind, FrameSlot, RangeOp, Undefined};
use crate::memory::{Fault, Memory};
use clew_scalar::{BinaryOp, Conversion, Format, Type, UnaryOp, Value, eval as scalar, float, int};

/// The bits at a place.
#[inline]
pub(super) fn get(slots: &Window<'_>, place: FrameSlot) -> u128 {
    let low = u128::from(slots.get(place.slot));
    if place.is_wide() { low | u128::from(slots.get(place.slot + 1)) << 64 } else { low }
}

/// Sets the bits at a place.
#[inline]
pub(super) fn set(slots: &mut Window<'_>, place: FrameSlot, bits: u128) {
    slots.set(place.slot, bits as u64);
    if place.is_wide() {
        slots.set(place.slot + 1, (bits >> 64) as u64);
    }
}

/// The value at a place.
pub(super) fn value(slots: &Window<'_>, place: FrameSlot) -> Value {
    Value { ty: place.ty, bits: get(slots, place) }
}

/// Applies an operator; `false` if it is checked and C leaves the result undefined.
pub(super) fn eval(slots: &mut Window<'_>, eval: &Eval) -> bool {
    let [a, b, c] = eval.operands.map(|place| value(slots, place));
    if eval.undefined != Undefined::Total && !is_defined(eval.kind, a, b) {
        match eval.undefined {
            Undefined::AsCompiled => set(slots, eval.dest, as_compiled(eval.kind, a, b)),
            Undefined::AsFolded => set(slots, eval.dest, as_folded(eval.kind, a, b)),
            Undefined::Fails | Undefined::Total => return false,
        }
        return true;
    }
    let result = match eval.kind {
        EvalKind::Unary(op) => scalar::unary(op, a).bits,
        EvalKind::Binary(op) => scalar::binary(op, a, b).bits,
        EvalKind::Ternary(op) => scalar::ternary(op, a, b, c).bits,
        EvalKind::Convert(op) => scalar::convert(op, a).bits,
    };
    set(slots, eval.dest, result);
    true
}

/// Whether C defines the result.
fn is_defined(kind: EvalKind, a: Value, b: Value) -> bool {
    let width = a.ty.width();
    match kind {
        EvalKind::Unary(UnaryOp::Neg) => !int::signed_neg_overflows(width, a.bits),
        EvalKind::Binary(BinaryOp::Add) => !int::signed_add_overflows(width, a.bits, b.bits),
        EvalKind::Binary(BinaryOp::Sub) => !int::signed_sub_overflows(width, a.bits, b.bits),
        EvalKind::Binary(BinaryOp::Mul) => !int::signed_mul_overflows(width, a.bits, b.bits),
        EvalKind::Binary(BinaryOp::UDiv | BinaryOp::URem) => b.bits != 0,
        EvalKind::Binary(BinaryOp::SDiv | BinaryOp::SRem) => {
            b.bits != 0 && !int::signed_div_overflows(width, a.bits, b.bits)
        }
        EvalKind::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) => !int::shift_too_far(width, b.bits),
        EvalKind::Convert(Conversion::FloatToSigned(to, rounding)) => in_range(a, to, true, rounding),
        EvalKind::Convert(Conversion::FloatToUnsigned(to, rounding)) => in_range(a, to, false, rounding),
        _ => true,
    }
}

/// What the code of gcc for x86-64 gives where C says nothing: conversions go through the next width the machine
/// converts to and keep the low bits; everything else is the operator's total meaning.
fn as_compiled(kind: EvalKind, a: Value, b: Value) -> u128 {
    let convert = |through: u8, rounding, width: u8| {
        scalar::convert(Conversion::FloatToSigned(through, rounding), a).bits & int::mask::<u128>(width)
    };
    match kind {
        EvalKind::Convert(Conversion::FloatToSigned(width @ ..32, rounding)) => convert(32, rounding, width),
        EvalKind::Convert(Conversion::FloatToUnsigned(width @ ..32, rounding)) => convert(32, rounding, width),
        EvalKind::Convert(Conversion::FloatToUnsigned(width @ 32..64, rounding)) => convert(64, rounding, width),
        // Too large for the signed type: converted after 2^63 was subtracted, which gives the least number, and back.
        EvalKind::Convert(Conversion::FloatToUnsigned(64, rounding)) => {
            let large = !a.is_nan() && !a.is_negative();
            if large { 0 } else { convert(64, rounding, 64) }
        }
        EvalKind::Convert(op) => scalar::convert(op, a).bits,
        EvalKind::Unary(op) => scalar::unary(op, a).bits,
        EvalKind::Binary(op) => scalar::binary(op, a, b).bits,
        EvalKind::Ternary(_) => unreachable!("operators of three operands are total"),
    }
}

/// What gcc computes itself for a constant operand: conversions give the nearest number of the type, and zero for NaN.
fn as_folded(kind: EvalKind, a: Value, b: Value) -> u128 {
    match kind {
        EvalKind::Convert(Conversion::FloatToSigned(..) | Conversion::FloatToUnsigned(..)) if a.is_nan() => 0,
        EvalKind::Convert(Conversion::FloatToSigned(width, _)) => {
            let least: u128 = int::signed_min(width);
            if a.is_negative() { least } else { least - 1 }
        }
        EvalKind::Convert(Conversion::FloatToUnsigned(width, _)) => {
            if a.is_negative() {
                0
            } else {
                int::mask(width)
            }
        }
        _ => as_compiled(kind, a, b),
    }
}

fn in_range(a: Value, width: u8, signed: bool, rounding: clew_scalar::Rounding) -> bool {
    let format = a.ty.format().expect("the operand of a conversion from float is a float");
    float::float_to_int_in_range(format, width, signed, rounding, a.bits)
}

/// Loads a scalar of unusual width.
pub(super) fn load(slots: &mut Window<'_>, memory: &Memory, access: &Access) -> Result<(), Fault> {
    let bits = memory.load_number(slots.get(access.address), access.bytes.into(), access.raw)?;
    set(slots, access.value, from_memory(access.value.ty, bits));
    Ok(())
}

/// Stores a scalar of unusual width.
pub(super) fn store(slots: &Window<'_>, memory: &mut Memory, access: &Access) -> Result<(), Fault> {
    let bits = get(slots, access.value);
    memory.store_number(slots.get(access.address), access.bytes.into(), to_memory(access.value.ty, bits))
}

/// Copies a range between objects that are equal or disjoint.
pub(super) fn copy(slots: &Window<'_>, memory: &mut Memory, range: &RangeOp) -> Result<(), Fault> {
    let (to, from) = (slots.get(range.to), slots.get(range.from));
    if to != from && to.abs_diff(from) < range.size {
        return Err(Fault::Overlap { count: range.size });
    }
    memory.copy(to, from, range.size as usize)
}

/// The bits of a scalar from its bytes in memory.
pub(crate) fn from_memory(ty: Type, bits: u128) -> u128 {
    match ty {
        Type::Float(Format::EXTENDED) => extended_from_memory(bits),
        ty => bits & ty.mask(),
    }
}

/// The bytes in memory of a scalar.
pub(crate) fn to_memory(ty: Type, bits: u128) -> u128 {
    match ty {
        Type::Float(Format::EXTENDED) => extended_to_memory(bits),
        _ => bits,
    }
}

const EXTENDED_FRACTION: u128 = (1 << 63) - 1;

/// Drops the explicit leading bit of the x87 format. A subnormal with the bit set is the least normal exponent; a
/// normal without it is invalid on the machine and becomes a NaN.
fn extended_from_memory(bits: u128) -> u128 {
    let leading = bits >> 63 & 1;
    let exponent = bits >> 64 & 0x7fff;
    let sign = bits >> 79 & 1;
    let fraction = bits & EXTENDED_FRACTION;
    match (exponent, leading) {
        (0, 1) => sign << 78 | 1 << 63 | fraction,
        (1.., 0) => Format::EXTENDED.default_nan(),
        _ => sign << 78 | exponent << 63 | fraction,
    }
}

fn extended_to_memory(bits: u128) -> u128 {
    let exponent = bits >> 63 & 0x7fff;
    let sign = bits >> 78 & 1;
    let leading = u128::from(exponent != 0);
    sign << 79 | exponent << 64 | leading << 63 | bits & EXTENDED_FRACTION
}
