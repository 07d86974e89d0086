//! GNU vectors: arrays of lanes in memory; every operator works lane by lane.

use super::body::Body;
use super::place::{LValue, Reach};
use clew_ir::{Operand, Type};
use clew_scalar::{BinaryOp as Op, Conversion, UnaryOp as Unary};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, ExprId, ExprKind, ExprList};
use rucc_types::{TypeId, TypeKind};

impl Body<'_, '_> {
    /// Lane type and number of lanes.
    fn lanes(&self, ty: TypeId) -> (TypeId, u32) {
        match self.unit.kind(ty) {
            TypeKind::Vector { elem, len } => (elem, len),
            _ => (ty, 1),
        }
    }

    fn lane(&mut self, vector: Operand, ty: TypeId, index: u32) -> LValue {
        let (lane, _) = self.lanes(ty);
        let offset = self.unit.size(lane) * u64::from(index);
        let address = self.offset_const(vector, offset as i64);
        self.place_at(address, lane, Reach::Safe)
    }

    /// Makes a vector lane by lane; gives its address.
    fn build(&mut self, ty: TypeId, mut lane: impl FnMut(&mut Self, u32) -> Operand) -> Operand {
        let result = Operand::Local(self.hidden(ty));
        let (_, count) = self.lanes(ty);
        for index in 0..count {
            let value = lane(self, index);
            let place = self.lane(result, ty, index);
            self.write(&place, value);
        }
        result
    }

    fn read_lane(&mut self, vector: Operand, ty: TypeId, index: u32) -> Operand {
        let place = self.lane(vector, ty, index);
        self.read(&place)
    }

    /// `vector[index]`.
    pub(crate) fn lane_place(&mut self, base: ExprId, index: ExprId, ty: TypeId) -> LValue {
        let vector = self.place(base);
        let subscript = self.value(index);
        let address = self.element(vector.address, subscript, self.type_at(index), ty, None);
        self.place_at(address, ty, Reach::Pointer)
    }

    pub(crate) fn vector_unary(&mut self, op: UnaryOp, value: Operand, ty: TypeId) -> Operand {
        let (lane, _) = self.lanes(ty);
        let op = match op {
            UnaryOp::BitNot => Unary::Not,
            _ if self.unit.is_float(lane) => Unary::FloatNeg,
            _ => Unary::Neg,
        };
        self.build(ty, |body, index| {
            let old = body.read_lane(value, ty, index);
            body.unary(op, old, None)
        })
    }

    pub(crate) fn vector_binary(
        &mut self,
        op: BinaryOp,
        a: Operand,
        (b, right): (Operand, TypeId),
        of: TypeId,
        ty: TypeId,
    ) -> Operand {
        let (lane, _) = self.lanes(of);
        let (right_lane, _) = self.lanes(right);
        if matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) {
            return self.lost("logic on vectors", ty);
        }
        self.build(ty, |body, index| {
            let left = body.read_lane(a, of, index);
            let right = if body.unit.is_vector(right) { body.read_lane(b, right, index) } else { b };
            if super::arith::is_comparison(op) {
                let truth = body.compare(op, lane, left, right);
                let (mask, _) = body.lanes(ty);
                let width = if let Some(Type::Int(width)) = body.unit.scalar(mask) { width } else { 32 };
                return body.convert_op(Conversion::SignExtend(width), truth, None);
            }
            body.lane_arithmetic(op, lane, left, right, right_lane)
        })
    }

    /// Arithmetic of lanes wraps.
    fn lane_arithmetic(&mut self, op: BinaryOp, lane: TypeId, a: Operand, b: Operand, right: TypeId) -> Operand {
        let wrapping = match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            _ => return self.arithmetic(op, lane, a, b, right),
        };
        if self.unit.is_float(lane) {
            return self.arithmetic(op, lane, a, b, right);
        }
        self.binary(wrapping, a, b, None)
    }

    /// A scalar in every lane.
    pub(crate) fn broadcast(&mut self, operand: ExprId, ty: TypeId) -> Operand {
        let value = self.value(operand);
        self.build(ty, |_, _| value)
    }

    /// Casts keep the bytes.
    pub(crate) fn reinterpret(&mut self, value: Operand, from: TypeId, to: TypeId) -> Operand {
        let address = if self.unit.is_aggregate(from) {
            value
        } else {
            let place = self.hidden_place(from);
            self.write(&place, value);
            place.address
        };
        let place = self.place_at(address, to, Reach::Safe);
        self.read(&place)
    }

    pub(crate) fn convert_vector(&mut self, operand: ExprId, ty: TypeId) -> Operand {
        let from = self.type_at(operand);
        let (from_lane, _) = self.lanes(from);
        let (to_lane, _) = self.lanes(ty);
        let value = self.value(operand);
        self.build(ty, |body, index| {
            let old = body.read_lane(value, from, index);
            body.convert(old, from_lane, to_lane)
        })
    }

    /// `__builtin_shuffle`: lanes picked by the lanes of a mask, counted through both vectors and around.
    pub(crate) fn shuffle(&mut self, lhs: ExprId, rhs: Option<ExprId>, mask: ExprId, ty: TypeId) -> Operand {
        let from = self.type_at(lhs);
        let (lane, count) = self.lanes(from);
        let picks = self.type_at(mask);
        let (pick_ty, _) = self.lanes(picks);
        let a = self.value(lhs);
        let b = rhs.map(|rhs| self.value(rhs));
        let mask = self.value(mask);
        self.build(ty, |body, index| {
            let pick = body.read_lane(mask, picks, index);
            let Type::Int(width) = body.type_of(pick) else { return pick };
            let inside = body.binary(Op::And, pick, Operand::int(width, u128::from(count - 1)), None);
            let first = body.element(a, inside, pick_ty, lane, None);
            let Some(b) = b else { return body.read_pointed(first, lane) };
            let second = body.element(b, inside, pick_ty, lane, None);
            let which = body.binary(Op::And, pick, Operand::int(width, u128::from(count)), None);
            let is_second = body.is_nonzero(which);
            let address = body.select(is_second, second, first);
            body.read_pointed(address, lane)
        })
    }

    fn read_pointed(&mut self, address: Operand, lane: TypeId) -> Operand {
        let place = self.place_at(address, lane, Reach::Safe);
        self.read(&place)
    }

    /// `__builtin_shufflevector`: lanes picked by constants.
    pub(crate) fn shuffle_constant(&mut self, operands: ExprList, ty: TypeId) -> Operand {
        let checked = self.checked;
        let [lhs, rhs, picks @ ..] = &checked.tast[operands] else { return self.lost("this shuffle", ty) };
        let (left, right) = (self.type_at(*lhs), self.type_at(*rhs));
        let (a, b) = (self.value(*lhs), self.value(*rhs));
        let (_, first) = self.lanes(left);
        let picks: Vec<u32> = picks.iter().map(|&pick| self.pick(pick)).collect();
        self.build(ty, |body, index| {
            let pick = picks.get(index as usize).copied().unwrap_or(0);
            if pick < first { body.read_lane(a, left, pick) } else { body.read_lane(b, right, pick - first) }
        })
    }

    fn pick(&self, expr: ExprId) -> u32 {
        match self.checked.tast[expr].kind {
            ExprKind::Const(value) => match self.checked.tast[value] {
                Const::Int(value) => u32::try_from(value).unwrap_or(0),
                _ => 0,
            },
            _ => 0,
        }
    }
}
