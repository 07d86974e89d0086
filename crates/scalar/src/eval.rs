//! Operators applied to values: the meaning of every operator of [`crate::op`].
//!
//! `unary`, `binary`, `ternary` and `convert` take typed [`Value`]s; the `_bits` forms take the operands' type and raw
//! bits, for callers that keep types elsewhere. An operator applied to a type it does not have is a mistake of the
//! caller and panics.

use crate::op::{BinaryOp, Conversion, TernaryOp, UnaryOp};
use crate::value::{Type, Value};
use crate::{Format, float, int};

/// Applies an operator of one operand.
#[inline]
pub fn unary(op: UnaryOp, a: Value) -> Value {
    Value { ty: unary_type(op, a.ty), bits: unary_bits(op, a.ty, a.bits) }
}

/// Applies an operator of two operands of equal type.
#[inline]
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    debug_assert_eq!(a.ty, b.ty, "{op:?} takes operands of one type");
    Value { ty: binary_type(op, a.ty), bits: binary_bits(op, a.ty, a.bits, b.bits) }
}

/// Applies an operator of three operands.
#[inline]
pub fn ternary(op: TernaryOp, a: Value, b: Value, c: Value) -> Value {
    debug_assert_eq!(b.ty, c.ty, "{op:?} takes operands of one type");
    match op {
        TernaryOp::Select => {
            if a.is_true() {
                b
            } else {
                c
            }
        }
        TernaryOp::FloatFma(rounding) => {
            debug_assert_eq!(a.ty, b.ty, "{op:?} takes operands of one type");
            Value { ty: a.ty, bits: float::fma(format_of(a.ty), rounding, a.bits, b.bits, c.bits) }
        }
    }
}

/// Applies a conversion.
#[inline]
pub fn convert(conversion: Conversion, a: Value) -> Value {
    Value { ty: convert_type(conversion, a.ty), bits: convert_bits(conversion, a.ty, a.bits) }
}

/// The type of the result of an operator on an operand of the given type.
#[inline]
pub fn unary_type(op: UnaryOp, ty: Type) -> Type {
    match op {
        UnaryOp::FloatIsNan
        | UnaryOp::FloatIsInfinite
        | UnaryOp::FloatIsZero
        | UnaryOp::FloatIsNormal
        | UnaryOp::FloatIsSubnormal
        | UnaryOp::FloatIsNegative => Type::BOOL,
        _ => ty,
    }
}

/// The type of the result of an operator on operands of the given type.
#[inline]
pub fn binary_type(op: BinaryOp, ty: Type) -> Type {
    match op {
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Ult
        | BinaryOp::Ule
        | BinaryOp::Slt
        | BinaryOp::Sle
        | BinaryOp::FloatEq
        | BinaryOp::FloatLt
        | BinaryOp::FloatLe => Type::BOOL,
        _ => ty,
    }
}

/// The type of the result of a conversion of a value of the given type.
#[inline]
pub fn convert_type(conversion: Conversion, ty: Type) -> Type {
    match conversion {
        Conversion::ZeroExtend(width)
        | Conversion::SignExtend(width)
        | Conversion::Truncate(width)
        | Conversion::FloatToSigned(width, _)
        | Conversion::FloatToUnsigned(width, _) => Type::Int(width),
        Conversion::SignedToFloat(format, _)
        | Conversion::UnsignedToFloat(format, _)
        | Conversion::FloatToFloat(format, _)
        | Conversion::BitsToFloat(format) => Type::Float(format),
        Conversion::FloatToBits => Type::Int(ty.width()),
    }
}

/// [`unary`] on the bits of an operand of the given type.
#[inline]
pub fn unary_bits(op: UnaryOp, ty: Type, a: u128) -> u128 {
    let width = ty.width();
    match op {
        UnaryOp::Not => int::not(width, a),
        UnaryOp::Neg => int::neg(width, a),
        UnaryOp::CountOnes => int::count_ones(width, a),
        UnaryOp::LeadingZeros => int::leading_zeros(width, a),
        UnaryOp::TrailingZeros => int::trailing_zeros(width, a),
        UnaryOp::ByteSwap => int::byte_swap(width, a),
        UnaryOp::FloatNeg => float::neg(format_of(ty), a),
        UnaryOp::FloatAbs => float::abs(format_of(ty), a),
        UnaryOp::FloatSqrt(rounding) => float::sqrt(format_of(ty), rounding, a),
        UnaryOp::FloatRoundToIntegral(rounding) => float::round_to_integral(format_of(ty), rounding, a),
        UnaryOp::FloatIsNan => u128::from(format_of(ty).is_nan(a)),
        UnaryOp::FloatIsInfinite => u128::from(format_of(ty).is_infinite(a)),
        UnaryOp::FloatIsZero => u128::from(format_of(ty).is_zero(a)),
        UnaryOp::FloatIsNormal => u128::from(format_of(ty).is_normal(a)),
        UnaryOp::FloatIsSubnormal => u128::from(format_of(ty).is_subnormal(a)),
        UnaryOp::FloatIsNegative => u128::from(format_of(ty).sign(a) && !format_of(ty).is_nan(a)),
    }
}

/// [`binary`] on the bits of operands of the given type.
#[inline]
pub fn binary_bits(op: BinaryOp, ty: Type, a: u128, b: u128) -> u128 {
    let width = ty.width();
    match op {
        BinaryOp::Add => int::add(width, a, b),
        BinaryOp::Sub => int::sub(width, a, b),
        BinaryOp::Mul => int::mul(width, a, b),
        BinaryOp::UDiv => int::udiv(width, a, b),
        BinaryOp::SDiv => int::sdiv(width, a, b),
        BinaryOp::URem => int::urem(width, a, b),
        BinaryOp::SRem => int::srem(width, a, b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => int::shl(width, a, b),
        BinaryOp::LShr => int::lshr(width, a, b),
        BinaryOp::AShr => int::ashr(width, a, b),
        BinaryOp::Eq => u128::from(a == b),
        BinaryOp::Ne => u128::from(a != b),
        BinaryOp::Ult => u128::from(int::ult(width, a, b)),
        BinaryOp::Ule => u128::from(int::ule(width, a, b)),
        BinaryOp::Slt => u128::from(int::slt(width, a, b)),
        BinaryOp::Sle => u128::from(int::sle(width, a, b)),
        _ => float_binary_bits(op, format_of(ty), a, b),
    }
}

#[inline]
fn float_binary_bits(op: BinaryOp, format: Format, a: u128, b: u128) -> u128 {
    match op {
        BinaryOp::FloatAdd(rounding) => float::add(format, rounding, a, b),
        BinaryOp::FloatSub(rounding) => float::sub(format, rounding, a, b),
        BinaryOp::FloatMul(rounding) => float::mul(format, rounding, a, b),
        BinaryOp::FloatDiv(rounding) => float::div(format, rounding, a, b),
        BinaryOp::FloatMod => float::modulo(format, a, b),
        BinaryOp::FloatRem => float::remainder(format, a, b),
        BinaryOp::FloatMin => float::min(format, a, b),
        BinaryOp::FloatMax => float::max(format, a, b),
        BinaryOp::FloatEq => u128::from(float::eq(format, a, b)),
        BinaryOp::FloatLt => u128::from(float::lt(format, a, b)),
        BinaryOp::FloatLe => u128::from(float::le(format, a, b)),
        _ => unreachable!("{op:?} is an integer operator"),
    }
}

/// [`convert`] on the bits of an operand of the given type.
#[inline]
pub fn convert_bits(conversion: Conversion, ty: Type, a: u128) -> u128 {
    match conversion {
        Conversion::ZeroExtend(_) | Conversion::BitsToFloat(_) | Conversion::FloatToBits => a,
        Conversion::SignExtend(width) => int::extend_sign(ty.width(), a) & int::mask::<u128>(width),
        Conversion::Truncate(width) => a & int::mask::<u128>(width),
        Conversion::SignedToFloat(format, rounding) => float::from_signed(format, rounding, int::signed(ty.width(), a)),
        Conversion::UnsignedToFloat(format, rounding) => float::from_unsigned(format, rounding, a),
        Conversion::FloatToSigned(width, rounding) => float::to_signed(format_of(ty), width, rounding, a),
        Conversion::FloatToUnsigned(width, rounding) => float::to_unsigned(format_of(ty), width, rounding, a),
        Conversion::FloatToFloat(format, rounding) => float::convert(format_of(ty), format, rounding, a),
    }
}

#[inline]
fn format_of(ty: Type) -> Format {
    match ty {
        Type::Float(format) => format,
        Type::Int(width) => panic!("a float operator was applied to an integer of {width} bits"),
    }
}
