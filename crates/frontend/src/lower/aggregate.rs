//! Operators on values in memory: complex numbers and vectors.

use super::body::Body;
use super::place::LValue;
use clew_ir::Operand;
use clew_scalar::BinaryOp as Op;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::ExprId;
use rucc_types::TypeId;

impl Body<'_, '_> {
    pub(crate) fn aggregate_unary(&mut self, op: UnaryOp, operand: ExprId, ty: TypeId) -> Operand {
        let value = self.value(operand);
        if self.unit.is_complex(ty) {
            return self.complex_unary(op, value, ty);
        }
        if self.unit.is_vector(ty) {
            return self.vector_unary(op, value, ty);
        }
        self.lost("this operator", ty)
    }

    pub(crate) fn aggregate_binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, ty: TypeId) -> Operand {
        if let Some(value) = self.mixed_binary(op, lhs, rhs, ty) {
            return value;
        }
        let (left, right) = (self.type_at(lhs), self.type_at(rhs));
        let a = self.value(lhs);
        let b = self.value(rhs);
        self.aggregate_arithmetic(op, (a, left), (b, right), ty)
    }

    fn aggregate_arithmetic(
        &mut self,
        op: BinaryOp,
        (a, left): (Operand, TypeId),
        (b, right): (Operand, TypeId),
        ty: TypeId,
    ) -> Operand {
        if self.unit.is_complex(left) && self.unit.is_complex(right) {
            return self.complex_binary(op, a, b, left, ty);
        }
        if self.unit.is_vector(left) {
            return self.vector_binary(op, a, (b, right), left, ty);
        }
        self.lost("this operator", ty)
    }

    pub(crate) fn aggregate_assign_op(
        &mut self,
        op: BinaryOp,
        computation: TypeId,
        place: &LValue,
        operand: Operand,
        right: TypeId,
    ) -> Operand {
        let old = self.read(place);
        let wide = self.convert_any(old, place.ty, computation);
        let result = self.aggregate_arithmetic(op, (wide, computation), (operand, right), computation);
        let value = self.convert_any(result, computation, place.ty);
        self.store(place, value)
    }

    /// A cast where one side is in memory.
    pub(crate) fn aggregate_cast(&mut self, operand: ExprId, from: TypeId, to: TypeId) -> Operand {
        let value = self.value(operand);
        self.convert_any(value, from, to)
    }

    /// A value of any type as one of another type.
    fn convert_any(&mut self, value: Operand, from: TypeId, to: TypeId) -> Operand {
        if !self.unit.is_aggregate(from) && !self.unit.is_aggregate(to) {
            return self.convert(value, from, to);
        }
        if self.unit.is_complex(from) || self.unit.is_complex(to) {
            return self.convert_complex(value, from, to);
        }
        if self.unit.is_vector(from) || self.unit.is_vector(to) {
            return self.reinterpret(value, from, to);
        }
        value
    }

    /// Whether a complex number is not zero.
    pub(crate) fn aggregate_truth(&mut self, expr: ExprId) -> Operand {
        let ty = self.type_at(expr);
        let value = self.value(expr);
        if !self.unit.is_complex(ty) {
            self.unsupported("the truth of this value");
            return Operand::int(1, 0);
        }
        let (real, imag) = self.halves(value, ty);
        let real = self.is_nonzero(real);
        let imag = self.is_nonzero(imag);
        self.binary(Op::Or, real, imag, None)
    }
}
