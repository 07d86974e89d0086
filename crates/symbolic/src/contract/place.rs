//! C values and places in contracts.

use clew_ir::contract::{CompareOp, Label, Place, PlaceKind, Sort, Term, TermKind};
use clew_ir::{CType, CTypeId, LocalId, LocalKind, Span, Type};
use clew_scalar::BinaryOp;

use super::ContractReader;
use crate::ending::PathEnd;
use crate::memory::ObjectId;
use crate::scope::{When, unsupported};
use crate::stepped::Step;
use crate::value::{self, Base, Pointer, Scalar, Val};

impl ContractReader<'_, '_> {
    /// The value of a C term.
    pub(crate) fn c_value(&mut self, term: &Term) -> Step<Val> {
        match &term.kind {
            TermKind::Value(Place { kind: PlaceKind::Result, .. }) => {
                self.scope.result.map_or_else(|| unsupported("`\\result` before the return"), Ok)
            }
            TermKind::Value(Place { kind: PlaceKind::Operand(operand), .. }) => {
                self.stepper.operand(self.path, *operand)
            }
            TermKind::Value(place) => {
                let ty = self.machine_type(place.ty)?;
                let (object, offset) = self.spot(place)?;
                self.read_spot(object, offset, ty)
            }
            TermKind::Address(place) => {
                let (object, offset) = self.spot(place)?;
                Ok(Val::Pointer(Pointer { base: Base::Object(object), offset }))
            }
            TermKind::Null => Ok(Val::Pointer(Pointer::null(self.stepper.program.target.pointer_width))),
            TermKind::Offset(base, elements) => self.moved(base, elements),
            TermKind::Cast(inner) if matches!(inner.sort, Sort::C(_)) && self.is_pointer(term) => self.c_value(inner),
            TermKind::Cast(_) => self.c_scalar(term).map(Val::Scalar),
            TermKind::At(inner, Label::Here | Label::Post) => self.c_value(inner),
            TermKind::At(inner, Label::Pre) => self.at_entry(|this| this.c_value(inner)),
            _ => unsupported("this kind of C term"),
        }
    }

    fn is_pointer(&self, term: &Term) -> bool {
        matches!(term.sort, Sort::C(ty) if matches!(self.stepper.program.ctypes.get(ty), CType::Pointer(_)))
    }

    /// The machine type of a C scalar.
    fn machine_type(&self, ty: CTypeId) -> Step<Type> {
        if matches!(self.stepper.program.ctypes.get(ty), CType::Pointer(_)) {
            return Ok(Type::Pointer);
        }
        crate::input::scalar_type(&self.stepper.program.ctypes, ty)
            .map(Type::from)
            .map_or_else(|| unsupported("a structure as a value"), Ok)
    }

    /// A pointer moved by a number of elements.
    fn moved(&mut self, base: &Term, elements: &Term) -> Step<Val> {
        let ty = self.c_type(base)?;
        let Val::Pointer(pointer) = self.c_value(base)? else {
            return unsupported("a number as a pointer");
        };
        let CType::Pointer(pointee) = *self.stepper.program.ctypes.get(ty) else { return unsupported("this pointer") };
        let elements = self.integer(elements)?;
        let bytes = self.scaled(elements, pointee)?;
        let offset = value::binary(self.terms(), BinaryOp::Add, pointer.offset, bytes);
        Ok(Val::Pointer(Pointer { base: pointer.base, offset }))
    }

    /// A number of elements in bytes.
    pub(super) fn scaled(&mut self, elements: Scalar, ty: CTypeId) -> Step<Scalar> {
        let Some(size) = self.stepper.program.ctypes.size_of(ty, self.stepper.program.target.pointer_bytes()) else {
            return unsupported("elements of unknown size");
        };
        let (count, width) = (self.word_of(elements), self.stepper.program.target.pointer_width);
        let size = Scalar::int(width, u128::from(size));
        Ok(value::binary(self.terms(), BinaryOp::Mul, count, size))
    }

    /// The object and offset of a place.
    pub(super) fn spot(&mut self, place: &Place) -> Step<(ObjectId, Scalar)> {
        let start = Scalar::int(self.stepper.program.target.pointer_width, 0);
        match &place.kind {
            PlaceKind::Param(index) => match self.scope.params.get(*index as usize) {
                Some(Some(object)) => Ok((*object, start)),
                _ => unsupported("this parameter"),
            },
            PlaceKind::Local(local) => Ok((self.variable_object(*local)?, start)),
            PlaceKind::Global(global) => Ok((self.stepper.global(self.path, *global)?, start)),
            PlaceKind::Result => unsupported("part of `\\result`"),
            PlaceKind::Operand(_) => unsupported("part of an argument"),
            PlaceKind::Deref(pointer) => {
                let Val::Pointer(pointer) = self.c_value(pointer)? else {
                    return unsupported("a number as a pointer");
                };
                match self.stepper.resolved(self.path, pointer)? {
                    Pointer { base: Base::Object(object), offset } => Ok((object, offset)),
                    _ => unsupported("what a null pointer points to"),
                }
            }
            PlaceKind::Field(record, number) => {
                let CType::Record(id) = *self.stepper.program.ctypes.get(record.ty) else {
                    return unsupported("this member");
                };
                let field = &self.stepper.program.ctypes.records[id].fields[*number as usize];
                if field.bits.is_some() {
                    return unsupported("a bit-field");
                }
                let bytes = Scalar::int(self.stepper.program.target.pointer_width, u128::from(field.offset));
                let (object, offset) = self.spot(record)?;
                Ok((object, value::binary(self.terms(), BinaryOp::Add, offset, bytes)))
            }
            PlaceKind::Index(array, index) => {
                let (object, offset) = self.spot(array)?;
                let index = self.integer(index)?;
                let bytes = self.scaled(index, place.ty)?;
                Ok((object, value::binary(self.terms(), BinaryOp::Add, offset, bytes)))
            }
        }
    }

    /// The object of a variable of the running function. In the state of the call only parameters exist, and hold the
    /// arguments.
    fn variable_object(&self, local: LocalId) -> Step<ObjectId> {
        if self.scope.when != When::Entry {
            return Ok(self.path.state.local(local));
        }
        let function = &self.stepper.program.functions[self.path.state.frame().function];
        let argument = match function.locals[local].kind {
            LocalKind::Param(position) => self.scope.params.iter().flatten().nth(position as usize).copied(),
            LocalKind::Variable | LocalKind::Hidden => None,
        };
        argument.map_or_else(|| unsupported("a variable that does not exist at the call"), Ok)
    }

    /// Reads a place whatever the number of elements: a guard that fails makes the value irrelevant.
    fn read_spot(&mut self, object: ObjectId, offset: Scalar, ty: Type) -> Step<Val> {
        match offset.bits() {
            Some(at) if (at as i64) < 0 => unsupported("an element before the first"),
            _ => match self.stepper.read(self.path, object, offset, ty, Span::NONE) {
                Err(PathEnd::Contradiction) => unsupported("an element outside of its object"),
                read => read,
            },
        }
    }

    /// A comparison of pointers.
    pub(super) fn compare_pointers(&mut self, op: CompareOp, a: &Term, b: &Term) -> Step<Scalar> {
        let (a, b) = (self.c_value(a)?, self.c_value(b)?);
        let (op, a, b) = match op {
            CompareOp::Eq => (BinaryOp::Eq, a, b),
            CompareOp::Ne => (BinaryOp::Ne, a, b),
            CompareOp::Lt => (BinaryOp::Ult, a, b),
            CompareOp::Le => (BinaryOp::Ule, a, b),
            CompareOp::Gt => (BinaryOp::Ult, b, a),
            CompareOp::Ge => (BinaryOp::Ule, b, a),
        };
        match self.stepper.pointer_operation(self.path, op, a, b)? {
            Some(Val::Scalar(truth)) => Ok(truth),
            _ => unsupported("a comparison of unrelated pointers"),
        }
    }
}
