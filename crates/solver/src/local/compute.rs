//! The value of one step of a program, with short ways for what float problems are made of.
//!
//! Everything means what [`crate::evaluate`] says; single and double precision to nearest even and conditions are
//! computed without building values.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp, Value};

use super::program::{Program, Slot, Step};
use super::state::canonical;
use crate::evaluate;

const NEAREST: Rounding = Rounding::NearestEven;

/// The bits of a slot from those of the slots it reads.
#[inline]
pub(super) fn compute(program: &Program, bits: &[u128], slot: Slot) -> u128 {
    let read = |slot: Slot| bits[slot as usize];
    let value = |slot: Slot| Value { ty: program.types[slot as usize], bits: bits[slot as usize] };
    match program.steps[slot as usize] {
        Step::Const(bits) => bits,
        Step::Input => read(slot),
        Step::Copy(from) => read(from),
        Step::Unary(UnaryOp::Not, a) if program.is_condition(a) => read(a) ^ 1,
        Step::Unary(op, a) => match (op, program.types[a as usize]) {
            (UnaryOp::FloatNeg, Type::Float(format)) if !format.is_nan(read(a)) => read(a) ^ format.sign_mask(),
            (UnaryOp::FloatAbs, Type::Float(format)) => format.magnitude(read(a)),
            _ => evaluate::unary(op, value(a)).bits,
        },
        Step::Binary(op, a, b) => binary(op, program.types[a as usize], read(a), read(b)),
        Step::Ternary(TernaryOp::Select, condition, then, other) => {
            if read(condition) != 0 {
                read(then)
            } else {
                read(other)
            }
        }
        Step::Ternary(op, a, b, c) => evaluate::ternary(op, value(a), value(b), value(c)).bits,
        Step::Convert(Conversion::BitsToFloat(format), a) => canonical(Type::Float(format), read(a)),
        Step::Convert(op, a) => evaluate::convert(op, value(a)).bits,
        Step::Extract(hi, lo, a) => evaluate::extract(hi, lo, value(a)).bits,
        Step::Concat(a, b) => evaluate::concat(value(a), value(b)).bits,
        Step::Lookup(table, index) => program.tables[table].at(read(index)),
    }
}

#[inline]
fn binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> u128 {
    let fast = match (op, ty) {
        (BinaryOp::And, _) => Some(a & b),
        (BinaryOp::Or, _) => Some(a | b),
        (BinaryOp::Xor, _) => Some(a ^ b),
        (BinaryOp::Eq, _) => Some((a == b).into()),
        (_, Type::Float(Format::DOUBLE)) => double(op, f64::from_bits(a as u64), f64::from_bits(b as u64)),
        (_, Type::Float(Format::SINGLE)) => single(op, f32::from_bits(a as u32), f32::from_bits(b as u32)),
        _ => None,
    };
    fast.unwrap_or_else(|| evaluate::binary(op, Value { ty, bits: a }, Value { ty, bits: b }).bits)
}

#[inline]
fn double(op: BinaryOp, a: f64, b: f64) -> Option<u128> {
    let result = match op {
        BinaryOp::FloatAdd(NEAREST) => a + b,
        BinaryOp::FloatSub(NEAREST) => a - b,
        BinaryOp::FloatMul(NEAREST) => a * b,
        BinaryOp::FloatDiv(NEAREST) => a / b,
        BinaryOp::FloatLt => return Some((a < b).into()),
        BinaryOp::FloatLe => return Some((a <= b).into()),
        BinaryOp::FloatEq => return Some((a == b).into()),
        _ => return None,
    };
    Some(if result.is_nan() { Format::DOUBLE.canonical_nan() } else { result.to_bits().into() })
}

#[inline]
fn single(op: BinaryOp, a: f32, b: f32) -> Option<u128> {
    let result = match op {
        BinaryOp::FloatAdd(NEAREST) => a + b,
        BinaryOp::FloatSub(NEAREST) => a - b,
        BinaryOp::FloatMul(NEAREST) => a * b,
        BinaryOp::FloatDiv(NEAREST) => a / b,
        BinaryOp::FloatLt => return Some((a < b).into()),
        BinaryOp::FloatLe => return Some((a <= b).into()),
        BinaryOp::FloatEq => return Some((a == b).into()),
        _ => return None,
    };
    Some(if result.is_nan() { Format::SINGLE.canonical_nan() } else { result.to_bits().into() })
}
