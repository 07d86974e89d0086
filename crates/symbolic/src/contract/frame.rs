//! `assigns` as a property: at the return, nothing that existed at the call has changed but the places that it names.
//!
//! Every value that an object of the input or a global variable holds is compared with what it held at the call. Memory that
//! the function allocates, its own static variables and `errno` do not count.

use clew_ir::contract::{Assigned, Place, PlaceKind};
use clew_ir::{GlobalKind, Span, Type};
use clew_scalar::{BinaryOp, Conversion};

use super::{ContractReader, Stretch, unsupported};
use crate::memory::{ObjectId, Origin};
use crate::stepped::Step;
use crate::value::{self, Base, Scalar, Val};

/// A value in memory.
struct Held {
    object: ObjectId,
    at: u64,
    bytes: u64,
    val: Val,
}

impl ContractReader<'_, '_> {
    /// Whether something else than some places has changed since the call.
    pub fn changes_beyond(&mut self, places: &[Assigned]) -> Step<Scalar> {
        let external = &self.path.state.external;
        if external.last_call.is_some() || !external.havocked.is_empty() || !external.escaped.is_empty() {
            return unsupported("what a function without a body may change, under `assigns`");
        }
        let held = self.held()?;
        let (allowed, before) = self.at_entry(|this| {
            let stretches = places.iter().map(|assigned| this.place_stretch(&assigned.place));
            let stretches = stretches.collect::<Step<Vec<_>>>()?;
            let before = held.iter().map(|held| this.value_there(held)).collect::<Step<Vec<_>>>()?;
            Ok((stretches.into_iter().flatten().collect::<Vec<_>>(), before))
        })?;
        let mut any = Scalar::bool(false);
        for (held, before) in held.iter().zip(before) {
            let differs = self.differs(held.val, before)?;
            if differs.bits() == Some(0) {
                continue;
            }
            let outside = self.is_outside(held, &allowed);
            let terms = self.stepper.constraints.terms();
            let changed = value::and(terms, differs, outside);
            any = value::binary(terms, BinaryOp::Or, any, changed);
        }
        Ok(any)
    }

    /// What is in the memory that existed at the call.
    fn held(&self) -> Step<Vec<Held>> {
        let mut held = Vec::new();
        for (id, object) in self.path.state.memory.iter() {
            let counts = match object.origin {
                Origin::Input(_) => true,
                Origin::Global(global) => {
                    let data = &self.stepper.program.globals[global];
                    data.kind == GlobalKind::Variable && !data.is_errno()
                }
                Origin::Local(..) | Origin::Allocated(_) => false,
            };
            if counts && !object.alive {
                return unsupported("released memory under `assigns`");
            }
            let cells = object.cells().filter(|_| counts);
            held.extend(cells.map(|(at, bytes, val)| Held { object: id, at, bytes, val }));
        }
        Ok(held)
    }

    /// What the state holds where another one held a value, in the type of that.
    fn value_there(&mut self, held: &Held) -> Step<Val> {
        let ty = match held.val {
            Val::Scalar(scalar) => Type::from(scalar.ty(self.terms())),
            Val::Pointer(_) => Type::Pointer,
        };
        let at = Scalar::int(self.stepper.program.target.pointer_width, u128::from(held.at));
        self.stepper.read(self.path, held.object, at, ty, Span::NONE)
    }

    fn differs(&mut self, now: Val, before: Val) -> Step<Scalar> {
        if let (Val::Scalar(now), Val::Scalar(before)) = (now, before) {
            let terms = self.stepper.constraints.terms();
            let bits = |terms: &mut _, scalar: Scalar| match scalar.ty(terms) {
                clew_scalar::Type::Float(_) => value::convert(terms, Conversion::FloatToBits, scalar),
                clew_scalar::Type::Int(_) => scalar,
            };
            let (now, before) = (bits(terms, now), bits(terms, before));
            return Ok(value::binary(terms, BinaryOp::Ne, now, before));
        }
        match self.stepper.pointer_operation(self.path, BinaryOp::Ne, now, before)? {
            Some(Val::Scalar(differs)) => Ok(differs),
            _ => unsupported("a comparison of unrelated pointers"),
        }
    }

    /// The bytes of a place that may change; none behind a pointer that nothing has looked behind.
    fn place_stretch(&mut self, place: &Place) -> Step<Option<Stretch>> {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.stretch(pointer).map(Some),
            PlaceKind::Global(_) => self.plain_stretch(place).map(Some),
            PlaceKind::Param(_) => Ok(None),
            PlaceKind::Field(record, number) => match &record.kind {
                PlaceKind::Deref(pointer) => {
                    let stretch = self.stretch(pointer)?;
                    self.member_of(stretch, record, *number).map(Some)
                }
                PlaceKind::Global(_) => self.plain_stretch(place).map(Some),
                _ => unsupported("this place of `assigns`"),
            },
            PlaceKind::Index(array, index) => match (&array.kind, &index.kind) {
                (PlaceKind::Global(_), _) => self.elements_stretch(array, index, place.ty).map(Some),
                _ => unsupported("this place of `assigns`"),
            },
            PlaceKind::Local(_) | PlaceKind::Result | PlaceKind::Operand(_) => unsupported("this place of `assigns`"),
        }
    }

    /// Whether a value lies outside of all places that may change.
    fn is_outside(&mut self, held: &Held, allowed: &[Stretch]) -> Scalar {
        let width = self.stepper.program.target.pointer_width;
        let terms = self.stepper.constraints.terms();
        let mut outside = Scalar::bool(true);
        for stretch in allowed.iter().filter(|stretch| stretch.base == Base::Object(held.object)) {
            let (first, last) =
                (Scalar::int(width, u128::from(held.at)), Scalar::int(width, u128::from(held.at + held.bytes)));
            let element = Scalar::int(width, u128::from(stretch.element));
            let end = value::binary(terms, BinaryOp::Add, stretch.last, element);
            let begins = value::binary(terms, BinaryOp::Sle, stretch.first, first);
            let ends = value::binary(terms, BinaryOp::Sle, last, end);
            let inside = value::and(terms, begins, ends);
            let is_there = value::not(terms, stretch.empty);
            let inside = value::and(terms, inside, is_there);
            let not_inside = value::not(terms, inside);
            outside = value::and(terms, outside, not_inside);
        }
        outside
    }
}
