//! Expressions: conversions and casts.

use super::body::Body;
use super::types::Shape;
use clew_ir::{CheckKind, Operand, Type};
use clew_scalar::{BinaryOp, Conversion as Op, Rounding, UnaryOp};
use rucc_sema::{Conversion, ExprId};
use rucc_types::TypeId;

impl Body<'_, '_> {
    /// A conversion the language performs.
    pub(crate) fn conversion(&mut self, kind: Conversion, operand: ExprId, ty: TypeId) -> Operand {
        match kind {
            Conversion::Lvalue => {
                let place = self.place(operand);
                self.read(&place)
            }
            Conversion::ArrayDecay | Conversion::FunctionDecay => self.place(operand).address,
            Conversion::Arithmetic | Conversion::Bool | Conversion::Pointer | Conversion::NullPointer => {
                self.cast(operand, ty)
            }
            Conversion::Void => {
                self.discard(operand);
                Operand::Null
            }
            Conversion::Broadcast => self.broadcast(operand, ty),
            Conversion::Hardbool => self.lost("`hardbool`", ty),
        }
    }

    /// The value of `operand` as a value of type `ty`.
    pub(crate) fn cast(&mut self, operand: ExprId, ty: TypeId) -> Operand {
        let from = self.type_at(operand);
        match (self.unit.shape(from), self.unit.shape(ty)) {
            (_, Shape::None) => {
                self.discard(operand);
                Operand::Null
            }
            (_, Shape::Scalar(_)) if self.unit.is_bool(ty) => {
                let truth = self.truth_or_decision(operand);
                self.truth_as(truth, ty)
            }
            (Shape::Scalar(_), Shape::Scalar(_)) => {
                if self.unit.pointee(ty).is_some() {
                    // What a pointer is cast to, it may lead to: the program knows the type.
                    self.unit.ctype(ty);
                }
                let value = self.value(operand);
                self.convert(value, from, ty)
            }
            (Shape::Unsupported, _) | (_, Shape::Unsupported) => self.lost("a value of this type", ty),
            _ => self.aggregate_cast(operand, from, ty),
        }
    }

    /// A scalar value of type `from` as one of type `to`.
    pub(crate) fn convert(&mut self, value: Operand, from: TypeId, to: TypeId) -> Operand {
        if from == to {
            return value;
        }
        if self.unit.is_bool(to) {
            let truth = self.is_nonzero(value);
            return self.truth_as(truth, to);
        }
        let signed = self.unit.is_signed(from);
        match (self.type_of(value), self.unit.scalar(to)) {
            (Type::Int(_), Some(Type::Int(width))) => self.resize(value, width, signed),
            (Type::Int(_), Some(Type::Float(format))) => {
                let op = if signed { Op::SignedToFloat } else { Op::UnsignedToFloat };
                self.convert_op(op(format, Rounding::NearestEven), value, None)
            }
            (Type::Int(_), Some(Type::Pointer)) => {
                let wide = self.resize(value, self.pointer_width(), signed);
                self.pointer_at(wide, to)
            }
            (Type::Float(_), Some(Type::Int(width))) => self.float_to_int(value, width, self.unit.is_signed(to)),
            (Type::Float(from), Some(Type::Float(format))) if from != format => {
                self.convert_op(Op::FloatToFloat(format, Rounding::NearestEven), value, None)
            }
            (Type::Pointer, Some(Type::Int(width))) => {
                let address = self.pointer_to_int(value);
                self.resize(address, width, false)
            }
            _ => value,
        }
    }

    /// A float cut to an integer. Like gcc, integers narrower than `int` are cut from an `int`.
    fn float_to_int(&mut self, value: Operand, width: u8, signed: bool) -> Operand {
        let int = self.unit.program.target.int_width;
        let check = Some(CheckKind::FloatToInt);
        if width >= int {
            let op = if signed { Op::FloatToSigned } else { Op::FloatToUnsigned };
            return self.convert_op(op(width, Rounding::Zero), value, check);
        }
        let wide = self.convert_op(Op::FloatToSigned(int, Rounding::Zero), value, check);
        let narrow = self.resize(wide, width, signed);
        let back = self.resize(narrow, int, signed);
        let fits = self.binary(BinaryOp::Eq, back, wide, None);
        self.demand(fits, CheckKind::FloatToInt);
        narrow
    }

    /// Whether a scalar is not zero.
    pub(crate) fn is_nonzero(&mut self, value: Operand) -> Operand {
        match (self.type_of(value), value) {
            (Type::Int(1), _) => value,
            (_, Operand::Null) => Operand::int(1, 0),
            (_, Operand::Local(_) | Operand::Global(..)) => Operand::int(1, 1),
            (ty @ Type::Float(_), _) => {
                let zero = self.zero(ty);
                let is_zero = self.binary(BinaryOp::FloatEq, value, zero, None);
                self.unary(UnaryOp::Not, is_zero, None)
            }
            (ty, _) => {
                let zero = self.zero(ty);
                self.binary(BinaryOp::Ne, value, zero, None)
            }
        }
    }
}
