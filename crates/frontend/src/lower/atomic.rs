//! Expressions: atomic accesses, which a single thread sees as plain ones.

use super::body::Body;
use super::place::{LValue, Reach};
use clew_ir::{CheckKind, Operand, Type};
use clew_scalar::{BinaryOp, UnaryOp};
use rucc_sema::{AtomicOp, ExprId, ExprList, Rmw};
use rucc_types::TypeId;

impl Body<'_, '_> {
    pub(crate) fn atomic(&mut self, op: AtomicOp, args: ExprList, ty: TypeId) -> Operand {
        let checked = self.checked;
        let args = &checked.tast[args];
        match (op, args) {
            (AtomicOp::Fence | AtomicOp::SignalFence, _) => Operand::Null,
            (AtomicOp::Load, &[object, ..]) => {
                let place = self.pointed(object);
                self.read(&place)
            }
            (AtomicOp::LoadInto, &[object, into, ..]) => self.move_between(object, into),
            (AtomicOp::Store, &[object, value, ..]) => {
                let place = self.pointed(object);
                let value = self.value_for(value, &place);
                self.store(&place, value);
                Operand::Null
            }
            (AtomicOp::Exchange, &[object, value, ..]) => {
                let place = self.pointed(object);
                let value = self.value_for(value, &place);
                let old = self.read(&place);
                self.write(&place, value);
                old
            }
            (AtomicOp::ExchangeInto, &[object, value, into, ..]) => {
                let place = self.pointed(object);
                let value = self.value_for(value, &place);
                let into = self.pointed(into);
                let old = self.read(&place);
                self.store(&into, old);
                self.store(&place, value);
                Operand::Null
            }
            (AtomicOp::TestAndSet, &[object, ..]) => self.test_and_set(object, ty),
            (AtomicOp::Fetch(rmw), &[object, value, ..]) => self.modify(rmw, object, value, false),
            (AtomicOp::Update(rmw), &[object, value, ..]) => self.modify(rmw, object, value, true),
            (AtomicOp::CompareExchange, &[object, expected, desired, ..]) => {
                let place = self.pointed(object);
                let expected = self.pointed(expected);
                let wanted = self.read(&expected);
                let (same, old) = self.compare_exchange(&place, wanted, desired);
                let found = self.select(same, wanted, old);
                self.write(&expected, found);
                self.truth_as(same, ty)
            }
            (AtomicOp::SwapBool | AtomicOp::SwapValue, &[object, expected, desired, ..]) => {
                let place = self.pointed(object);
                let wanted = self.value_for(expected, &place);
                let (same, old) = self.compare_exchange(&place, wanted, desired);
                if op == AtomicOp::SwapBool { self.truth_as(same, ty) } else { old }
            }
            _ => self.lost("this atomic access", ty),
        }
    }

    /// The place a pointer expression points at.
    fn pointed(&mut self, pointer: ExprId) -> LValue {
        let address = self.value(pointer);
        let ty = self.type_at(pointer);
        let pointee = self.unit.pointee(ty).unwrap_or(ty);
        self.place_at(address, pointee, Reach::Pointer)
    }

    /// A value in the type of a place.
    fn value_for(&mut self, expr: ExprId, place: &LValue) -> Operand {
        let value = self.value(expr);
        if self.unit.is_aggregate(place.ty) { value } else { self.convert(value, self.type_at(expr), place.ty) }
    }

    /// `*to = *from`.
    fn move_between(&mut self, from: ExprId, to: ExprId) -> Operand {
        let from = self.pointed(from);
        let to = self.pointed(to);
        let value = self.read(&from);
        self.store(&to, value);
        Operand::Null
    }

    fn test_and_set(&mut self, object: ExprId, ty: TypeId) -> Operand {
        let address = self.value(object);
        let place = self.place_at(address, self.checked.types.boolean(), Reach::Pointer);
        let old = self.read(&place);
        self.write(&place, Operand::int(8, 1));
        let truth = self.is_nonzero(old);
        self.truth_as(truth, ty)
    }

    fn modify(&mut self, rmw: Rmw, object: ExprId, value: ExprId, give_new: bool) -> Operand {
        let place = self.pointed(object);
        if self.unit.is_pointer(place.ty) {
            return self.modify_pointer(rmw, &place, value, give_new);
        }
        let operand = self.value_for(value, &place);
        let old = self.read(&place);
        let new = match rmw {
            Rmw::Add => self.binary(BinaryOp::Add, old, operand, None),
            Rmw::Sub => self.binary(BinaryOp::Sub, old, operand, None),
            Rmw::And => self.binary(BinaryOp::And, old, operand, None),
            Rmw::Or => self.binary(BinaryOp::Or, old, operand, None),
            Rmw::Xor => self.binary(BinaryOp::Xor, old, operand, None),
            Rmw::Nand => {
                let both = self.binary(BinaryOp::And, old, operand, None);
                self.unary(UnaryOp::Not, both, None)
            }
        };
        self.write(&place, new);
        if give_new { new } else { old }
    }

    /// Atomic arithmetic on a pointer counts bytes.
    fn modify_pointer(&mut self, rmw: Rmw, place: &LValue, value: ExprId, give_new: bool) -> Operand {
        let count = self.value(value);
        let count = if self.type_of(count) == Type::Pointer { self.pointer_to_int(count) } else { count };
        let bytes = self.resize(count, self.pointer_width(), self.unit.is_signed(self.type_at(value)));
        let bytes = match rmw {
            Rmw::Add => bytes,
            Rmw::Sub => self.unary(UnaryOp::Neg, bytes, None),
            _ => return self.lost("atomic logic on pointers", place.ty),
        };
        let old = self.read(place);
        let new = self.offset(old, bytes, Some(CheckKind::PointerArithmetic));
        self.write(place, new);
        if give_new { new } else { old }
    }

    /// Writes `desired` if the object holds `wanted`; gives whether it did, and what it held.
    fn compare_exchange(&mut self, place: &LValue, wanted: Operand, desired: ExprId) -> (Operand, Operand) {
        let desired = self.value_for(desired, place);
        let old = self.read(place);
        let same = self.compare(rucc_ast::BinaryOp::Eq, place.ty, old, wanted);
        let new = self.select(same, desired, old);
        self.write(place, new);
        (same, old)
    }
}
