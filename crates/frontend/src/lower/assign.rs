//! Expressions: assignment and stepping.
//!
//! As in gcc, the place on the left of `=` is found before the right side is evaluated, and the right side of `op=`
//! before the place.

use super::body::Body;
use super::place::{LValue, Reach};
use clew_ir::{Operand, Type};
use clew_scalar::{BinaryOp as Op, Conversion, Rounding, UnaryOp as Unary};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::ExprId;
use rucc_types::TypeId;

impl Body<'_, '_> {
    pub(crate) fn assign(&mut self, lhs: ExprId, rhs: ExprId) -> Operand {
        self.demand_order_of_assignment(lhs, rhs);
        let (place, value) = self.assigned(lhs, rhs);
        self.store(&place, value)
    }

    /// Stores a value of the place's own type; gives the value the place then has.
    pub(crate) fn store(&mut self, place: &LValue, value: Operand) -> Operand {
        if !self.unit.is_aggregate(place.ty) {
            return self.write(place, value);
        }
        if self.unit.is_variable(place.ty) {
            return self.lost("a record of variable size as a value", place.ty);
        }
        self.copy(place.address, value, self.unit.size(place.ty), true);
        place.address
    }

    pub(crate) fn assign_op(&mut self, op: BinaryOp, computation: TypeId, lhs: ExprId, rhs: ExprId) -> Operand {
        self.demand_order_of_assignment(lhs, rhs);
        let right = self.type_at(rhs);
        let operand = self.value(rhs);
        let place = self.place(lhs);
        if self.unit.is_aggregate(place.ty) || self.unit.is_aggregate(computation) {
            return self.aggregate_assign_op(op, computation, &place, operand, right);
        }
        let old = self.read(&place);
        let new = if self.unit.is_pointer(place.ty) {
            self.move_pointer(old, operand, right, place.ty, op == BinaryOp::Sub)
        } else {
            let wide = self.convert(old, place.ty, computation);
            let result = self.arithmetic(op, computation, wide, operand, right);
            self.convert(result, computation, place.ty)
        };
        self.write(&place, new)
    }

    /// `++` and `--`.
    pub(crate) fn step(&mut self, op: UnaryOp, operand: ExprId) -> Operand {
        let down = matches!(op, UnaryOp::PreDec | UnaryOp::PostDec);
        let place = self.place(operand);
        if self.unit.is_aggregate(place.ty) {
            return self.lost("stepping a value of this type", place.ty);
        }
        let old = self.read(&place);
        let new = self.stepped(old, &place, down);
        let new = self.write(&place, new);
        if matches!(op, UnaryOp::PreInc | UnaryOp::PreDec) { new } else { old }
    }

    fn stepped(&mut self, old: Operand, place: &LValue, down: bool) -> Operand {
        let op = if down { Op::Sub } else { Op::Add };
        match self.type_of(old) {
            Type::Pointer => {
                let one = self.word(1);
                self.move_pointer(old, one, self.signed_word(), place.ty, down)
            }
            Type::Int(width) if self.unit.is_bool(place.ty) => {
                let set = Operand::int(width, 1);
                if !down {
                    return set;
                }
                let truth = self.is_nonzero(old);
                let flipped = self.unary(Unary::Not, truth, None);
                self.truth_as(flipped, place.ty)
            }
            Type::Int(width) => {
                // Types narrower than `int` are stepped in `int`, which cannot overflow, and cut.
                let wide = width >= self.unit.program.target.int_width;
                let check = self.overflow_check(place.ty).filter(|_| wide);
                self.binary(op, old, Operand::int(width, 1), check)
            }
            Type::Float(format) => {
                let one = self.convert_op(
                    Conversion::SignedToFloat(format, Rounding::NearestEven),
                    Operand::int(32, 1),
                    None,
                );
                let nearest = Rounding::NearestEven;
                let op = if down { Op::FloatSub(nearest) } else { Op::FloatAdd(nearest) };
                self.binary(op, old, one, None)
            }
        }
    }

    /// A place made by the front end.
    pub(crate) fn hidden_place(&mut self, ty: TypeId) -> LValue {
        let local = self.hidden(ty);
        self.place_at(Operand::Local(local), ty, Reach::Safe)
    }
}
