//! Arithmetic and conversions, as the JVM defines them on all operands.
//!
//! Integers wrap, shifts use the low bits of their amount, conversions of floats to integers saturate. Only division by
//! zero throws.

use super::Lower;
use super::body::Body;
use crate::types::Kind;
use cafebabe::bytecode::Opcode;
use clew_ir::{InstKind, Operand, Type};
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, UnaryOp, Value};

const NEAREST: Rounding = Rounding::NearestEven;

impl Body<'_, '_> {
    /// Lowers an instruction of this family; says whether it was one.
    pub(super) fn arithmetic(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        if let Some((kind, op)) = binary_operator(opcode) {
            let (b, a) = (self.pop(kind)?, self.pop(kind)?);
            let result = self.binary(op, a, b);
            self.push(kind, result);
            return Ok(true);
        }
        match opcode {
            Opcode::Idiv => self.divide(Kind::Int, BinaryOp::SDiv)?,
            Opcode::Irem => self.divide(Kind::Int, BinaryOp::SRem)?,
            Opcode::Ldiv => self.divide(Kind::Long, BinaryOp::SDiv)?,
            Opcode::Lrem => self.divide(Kind::Long, BinaryOp::SRem)?,
            Opcode::Ineg => self.negate(Kind::Int, UnaryOp::Neg)?,
            Opcode::Lneg => self.negate(Kind::Long, UnaryOp::Neg)?,
            Opcode::Fneg => self.negate(Kind::Float, UnaryOp::FloatNeg)?,
            Opcode::Dneg => self.negate(Kind::Double, UnaryOp::FloatNeg)?,
            Opcode::Ishl => self.shift(Kind::Int, BinaryOp::Shl)?,
            Opcode::Ishr => self.shift(Kind::Int, BinaryOp::AShr)?,
            Opcode::Iushr => self.shift(Kind::Int, BinaryOp::LShr)?,
            Opcode::Lshl => self.shift(Kind::Long, BinaryOp::Shl)?,
            Opcode::Lshr => self.shift(Kind::Long, BinaryOp::AShr)?,
            Opcode::Lushr => self.shift(Kind::Long, BinaryOp::LShr)?,
            Opcode::Lcmp => self.compare(Kind::Long, BinaryOp::Slt, false)?,
            Opcode::Fcmpl => self.compare(Kind::Float, BinaryOp::FloatLt, false)?,
            Opcode::Fcmpg => self.compare(Kind::Float, BinaryOp::FloatLt, true)?,
            Opcode::Dcmpl => self.compare(Kind::Double, BinaryOp::FloatLt, false)?,
            Opcode::Dcmpg => self.compare(Kind::Double, BinaryOp::FloatLt, true)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn divide(&mut self, kind: Kind, op: BinaryOp) -> Lower {
        let (b, a) = (self.pop(kind)?, self.pop(kind)?);
        let zero = zero(kind);
        let is_sound = self.binary(BinaryOp::Ne, b, zero);
        self.throw_unless(is_sound, "java/lang/ArithmeticException")?;
        let result = self.binary(op, a, b);
        self.push(kind, result);
        Ok(())
    }

    fn negate(&mut self, kind: Kind, op: UnaryOp) -> Lower {
        let a = self.pop(kind)?;
        let result = self.unary(op, a, kind.ty());
        self.push(kind, result);
        Ok(())
    }

    pub(super) fn unary(&mut self, op: UnaryOp, a: Operand, ty: Type) -> Operand {
        self.builder.define(ty, |dest| InstKind::Unary { dest, op, a, check: None })
    }

    fn shift(&mut self, kind: Kind, op: BinaryOp) -> Lower {
        let (by, a) = (self.pop(Kind::Int)?, self.pop(kind)?);
        let by = if kind == Kind::Long { self.convert(Conversion::ZeroExtend(64), by, Type::Int(64)) } else { by };
        let mask = if kind == Kind::Long { Operand::int(64, 63) } else { Operand::int(32, 31) };
        let by = self.binary(BinaryOp::And, by, mask);
        let result = self.binary(op, a, by);
        self.push(kind, result);
        Ok(())
    }

    /// -1, 0 or 1; what a NaN gives depends on the instruction.
    fn compare(&mut self, kind: Kind, less: BinaryOp, nan_is_greater: bool) -> Lower {
        let (b, a) = (self.pop(kind)?, self.pop(kind)?);
        let is_less = self.binary(less, a, b);
        let equal = if kind == Kind::Long { BinaryOp::Eq } else { BinaryOp::FloatEq };
        let is_equal = self.binary(equal, a, b);
        let [minus, zero, plus] = [u128::from(u32::MAX), 0, 1].map(|bits| Operand::int(32, bits));
        let result = if nan_is_greater || kind == Kind::Long {
            let rest = self.select(is_equal, zero, plus);
            self.select(is_less, minus, rest)
        } else {
            let is_greater = self.binary(less, b, a);
            let rest = self.select(is_equal, zero, minus);
            self.select(is_greater, plus, rest)
        };
        self.push(Kind::Int, result);
        Ok(())
    }

    pub(super) fn select(&mut self, on: Operand, then: Operand, otherwise: Operand) -> Operand {
        let ty = then.ty(&self.builder.function);
        let op = TernaryOp::Select;
        self.builder.define(ty, |dest| InstKind::Ternary { dest, op, a: on, b: then, c: otherwise })
    }

    pub(super) fn convert(&mut self, op: Conversion, a: Operand, ty: Type) -> Operand {
        self.builder.define(ty, |dest| InstKind::Convert { dest, op, a, check: None })
    }

    /// Lowers a conversion; says whether it was one.
    pub(super) fn conversion(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        let (single, double) = (Format::SINGLE, Format::DOUBLE);
        let (from, to, op) = match opcode {
            Opcode::I2l => (Kind::Int, Kind::Long, Conversion::SignExtend(64)),
            Opcode::I2f => (Kind::Int, Kind::Float, Conversion::SignedToFloat(single, NEAREST)),
            Opcode::I2d => (Kind::Int, Kind::Double, Conversion::SignedToFloat(double, NEAREST)),
            Opcode::L2i => (Kind::Long, Kind::Int, Conversion::Truncate(32)),
            Opcode::L2f => (Kind::Long, Kind::Float, Conversion::SignedToFloat(single, NEAREST)),
            Opcode::L2d => (Kind::Long, Kind::Double, Conversion::SignedToFloat(double, NEAREST)),
            Opcode::F2d => (Kind::Float, Kind::Double, Conversion::FloatToFloat(double, NEAREST)),
            Opcode::D2f => (Kind::Double, Kind::Float, Conversion::FloatToFloat(single, NEAREST)),
            Opcode::F2i => return self.saturate(Kind::Float, Kind::Int),
            Opcode::F2l => return self.saturate(Kind::Float, Kind::Long),
            Opcode::D2i => return self.saturate(Kind::Double, Kind::Int),
            Opcode::D2l => return self.saturate(Kind::Double, Kind::Long),
            Opcode::I2b => return self.narrow(8, Conversion::SignExtend(32)),
            Opcode::I2s => return self.narrow(16, Conversion::SignExtend(32)),
            Opcode::I2c => return self.narrow(16, Conversion::ZeroExtend(32)),
            _ => return Ok(false),
        };
        let a = self.pop(from)?;
        let result = self.convert(op, a, to.ty());
        self.push(to, result);
        Ok(true)
    }

    fn narrow(&mut self, width: u8, back: Conversion) -> Lower<bool> {
        let a = self.pop(Kind::Int)?;
        let low = self.convert(Conversion::Truncate(width), a, Type::Int(width));
        let result = self.convert(back, low, Type::Int(32));
        self.push(Kind::Int, result);
        Ok(true)
    }

    /// A float as an integer: NaN is zero, what is out of range the nearest that is not.
    fn saturate(&mut self, from: Kind, to: Kind) -> Lower<bool> {
        let a = self.pop(from)?;
        let width = if to == Kind::Long { 64 } else { 32 };
        let limit = (1_u128 << (width - 1)) as f64;
        let limit = match from {
            Kind::Float => Value::from_f32(limit as f32),
            _ => Value::from_f64(limit),
        };
        let raw = self.convert(Conversion::FloatToSigned(width, Rounding::Zero), a, to.ty());
        // What is too low gives the lowest number already.
        let is_high = self.binary(BinaryOp::FloatLe, Operand::Const(limit), a);
        let most = Operand::int(width, (1 << (width - 1)) - 1);
        let clipped = self.select(is_high, most, raw);
        let is_number = self.binary(BinaryOp::FloatEq, a, a);
        let result = self.select(is_number, clipped, zero(to));
        self.push(to, result);
        Ok(true)
    }
}

/// Operators that need nothing else than their operands.
fn binary_operator(opcode: &Opcode<'_>) -> Option<(Kind, BinaryOp)> {
    Some(match opcode {
        Opcode::Iadd => (Kind::Int, BinaryOp::Add),
        Opcode::Isub => (Kind::Int, BinaryOp::Sub),
        Opcode::Imul => (Kind::Int, BinaryOp::Mul),
        Opcode::Iand => (Kind::Int, BinaryOp::And),
        Opcode::Ior => (Kind::Int, BinaryOp::Or),
        Opcode::Ixor => (Kind::Int, BinaryOp::Xor),
        Opcode::Ladd => (Kind::Long, BinaryOp::Add),
        Opcode::Lsub => (Kind::Long, BinaryOp::Sub),
        Opcode::Lmul => (Kind::Long, BinaryOp::Mul),
        Opcode::Land => (Kind::Long, BinaryOp::And),
        Opcode::Lor => (Kind::Long, BinaryOp::Or),
        Opcode::Lxor => (Kind::Long, BinaryOp::Xor),
        Opcode::Fadd => (Kind::Float, BinaryOp::FloatAdd(NEAREST)),
        Opcode::Fsub => (Kind::Float, BinaryOp::FloatSub(NEAREST)),
        Opcode::Fmul => (Kind::Float, BinaryOp::FloatMul(NEAREST)),
        Opcode::Fdiv => (Kind::Float, BinaryOp::FloatDiv(NEAREST)),
        Opcode::Frem => (Kind::Float, BinaryOp::FloatMod),
        Opcode::Dadd => (Kind::Double, BinaryOp::FloatAdd(NEAREST)),
        Opcode::Dsub => (Kind::Double, BinaryOp::FloatSub(NEAREST)),
        Opcode::Dmul => (Kind::Double, BinaryOp::FloatMul(NEAREST)),
        Opcode::Ddiv => (Kind::Double, BinaryOp::FloatDiv(NEAREST)),
        Opcode::Drem => (Kind::Double, BinaryOp::FloatMod),
        _ => return None,
    })
}

/// The zero of a kind.
pub(super) fn zero(kind: Kind) -> Operand {
    match kind {
        Kind::Int => Operand::int(32, 0),
        Kind::Long => Operand::int(64, 0),
        Kind::Float => Operand::Const(Value::from_f32(0.0)),
        Kind::Double => Operand::Const(Value::from_f64(0.0)),
        Kind::Reference => Operand::Null,
    }
}
