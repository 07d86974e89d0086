//! Emitting instructions, with constants folded on the way.
//!
//! An operation on constants is computed at once unless its check could fail: then it stays, so that the program
//! shows the error where it is.

use super::body::Body;
use clew_ir::{CheckKind, InstKind, LocalId, Operand, TerminatorKind, Type};
use clew_scalar::{BinaryOp, Conversion, UnaryOp, Value, eval, float, int};
use rucc_types::TypeId;

impl Body<'_, '_> {
    /// The type of an operand.
    pub(crate) fn type_of(&self, operand: Operand) -> Type {
        operand.ty(&self.builder.function)
    }

    /// An integer of pointer width.
    pub(crate) fn word(&self, value: i128) -> Operand {
        Operand::int(self.pointer_width(), value as u128)
    }

    pub(crate) fn pointer_width(&self) -> u8 {
        self.unit.program.target.pointer_width
    }

    /// The value zero, or null, of a type.
    pub(crate) fn zero(&self, ty: Type) -> Operand {
        match ty {
            Type::Pointer => Operand::Null,
            other => Operand::Const(Value { ty: other.scalar(self.pointer_width()), bits: 0 }),
        }
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, a: Operand, check: Option<CheckKind>) -> Operand {
        if let Operand::Const(value) = a {
            let overflows = check.is_some() && value.bits == 1 << (value.ty.width() - 1);
            if !overflows {
                return Operand::Const(eval::unary(op, value));
            }
        }
        let ty = Type::from(eval::unary_type(op, self.type_of(a).scalar(self.pointer_width())));
        let check = check.map(|kind| self.builder.check(kind));
        self.builder.define(ty, |dest| InstKind::Unary { dest, op, a, check })
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand, check: Option<CheckKind>) -> Operand {
        if let (Operand::Const(left), Operand::Const(right)) = (a, b)
            && check.is_none_or(|kind| holds(kind, op, left, right))
        {
            return Operand::Const(eval::binary(op, left, right));
        }
        let ty = Type::from(eval::binary_type(op, self.type_of(a).scalar(self.pointer_width())));
        let check = check.map(|kind| self.builder.check(kind));
        self.builder.define(ty, |dest| InstKind::Binary { dest, op, a, b, check })
    }

    pub(crate) fn convert_op(&mut self, op: Conversion, a: Operand, check: Option<CheckKind>) -> Operand {
        if let Operand::Const(value) = a
            && (check.is_none() || is_exact(op, value))
        {
            return Operand::Const(eval::convert(op, value));
        }
        let ty = Type::from(eval::convert_type(op, self.type_of(a).scalar(self.pointer_width())));
        let check = check.map(|kind| self.builder.check(kind));
        self.builder.define(ty, |dest| InstKind::Convert { dest, op, a, check })
    }

    /// An integer as one of another width.
    pub(crate) fn resize(&mut self, a: Operand, width: u8, signed: bool) -> Operand {
        let Type::Int(from) = self.type_of(a) else { return a };
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.convert_op(Conversion::Truncate(width), a, None),
            std::cmp::Ordering::Less if signed => self.convert_op(Conversion::SignExtend(width), a, None),
            std::cmp::Ordering::Less => self.convert_op(Conversion::ZeroExtend(width), a, None),
        }
    }

    /// `base` plus a number of bytes known now; nothing can go wrong before the address is used.
    pub(crate) fn offset_const(&mut self, base: Operand, bytes: i64) -> Operand {
        match base {
            _ if bytes == 0 => base,
            Operand::Global(global, addend) => Operand::Global(global, addend.wrapping_add(bytes)),
            _ => {
                let bytes = self.word(i128::from(bytes));
                self.builder.define(Type::Pointer, |dest| InstKind::Offset { dest, base, bytes, check: None })
            }
        }
    }

    pub(crate) fn offset(&mut self, base: Operand, bytes: Operand, check: Option<CheckKind>) -> Operand {
        let check = check.map(|kind| self.builder.check(kind));
        self.builder.define(Type::Pointer, |dest| InstKind::Offset { dest, base, bytes, check })
    }

    pub(crate) fn pointer_to_int(&mut self, a: Operand) -> Operand {
        if a == Operand::Null {
            return self.word(0);
        }
        let ty = Type::Int(self.pointer_width());
        self.builder.define(ty, |dest| InstKind::PointerToInt { dest, a })
    }

    /// A number as a pointer of type `ty`.
    pub(crate) fn pointer_at(&mut self, address: Operand, ty: TypeId) -> Operand {
        if let Operand::Const(number) = address
            && let Some((global, at)) = self.unit.register(number.bits as u64, ty)
        {
            return Operand::Global(global, at);
        }
        self.int_to_pointer(address)
    }

    pub(crate) fn int_to_pointer(&mut self, a: Operand) -> Operand {
        if matches!(a, Operand::Const(value) if value.bits == 0) {
            return Operand::Null;
        }
        self.builder.define(Type::Pointer, |dest| InstKind::IntToPointer { dest, a })
    }

    /// Reads a hidden local.
    pub(crate) fn load_hidden(&mut self, local: LocalId, ty: Type) -> Operand {
        let from = Operand::Local(local);
        self.builder.define(ty, |dest| InstKind::Load { dest, from, volatile: false, raw: false, check: None })
    }

    /// Writes a hidden local.
    pub(crate) fn store_hidden(&mut self, local: LocalId, value: Operand) {
        let to = Operand::Local(local);
        self.builder.emit(InstKind::Store { to, value, volatile: false, check: None });
    }

    /// Copies an aggregate.
    pub(crate) fn copy(&mut self, to: Operand, from: Operand, size: u64, checked: bool) {
        if size > 0 && to != from {
            let check = checked.then(|| self.builder.check(CheckKind::Access));
            self.builder.emit(InstKind::Copy { to, from, size, check });
        }
    }

    /// Demands that `holds`.
    pub(crate) fn demand(&mut self, holds: Operand, kind: CheckKind) {
        if holds != Operand::int(1, 1) {
            let check = self.builder.check(kind);
            self.builder.emit(InstKind::Check { holds, check });
        }
    }

    /// Marks the place as not supported; control goes on with a value of no meaning.
    pub(crate) fn unsupported(&mut self, what: &str) {
        if self.builder.current().is_some() {
            let span = self.builder.span;
            self.unit.unsupported(what, span);
            self.builder.emit(InstKind::Unsupported { what: what.to_owned() });
        }
    }

    /// Ends the block by a truth value that is not a condition of the source.
    pub(crate) fn branch_hidden(&mut self, on: Operand, then: clew_ir::BlockId, otherwise: clew_ir::BlockId) {
        self.builder.terminate(TerminatorKind::Branch { on, condition: None, then, otherwise });
    }
}

/// Whether a constant float, cut to an integer, fits it.
fn is_exact(op: Conversion, value: Value) -> bool {
    match (op, value.ty) {
        (Conversion::FloatToSigned(width, rounding), clew_scalar::Type::Float(format)) => {
            float::float_to_int_in_range(format, width, true, rounding, value.bits)
        }
        (Conversion::FloatToUnsigned(width, rounding), clew_scalar::Type::Float(format)) => {
            float::float_to_int_in_range(format, width, false, rounding, value.bits)
        }
        _ => false,
    }
}

/// Whether the check of a constant operation holds.
fn holds(kind: CheckKind, op: BinaryOp, a: Value, b: Value) -> bool {
    let width = a.ty.width();
    let (left, right) = (int::signed(width, a.bits), int::signed(width, b.bits));
    match kind {
        CheckKind::Overflow => {
            let exact = match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Sub => left.checked_sub(right),
                BinaryOp::Mul => left.checked_mul(right),
                _ => None,
            };
            exact.is_some_and(|exact| int::signed(width, exact as u128) == exact)
        }
        CheckKind::Division => {
            let wraps = matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && right == -1 && a.bits == 1 << (width - 1);
            b.bits != 0 && !wraps
        }
        CheckKind::Shift => b.bits < u128::from(width),
        _ => false,
    }
}
