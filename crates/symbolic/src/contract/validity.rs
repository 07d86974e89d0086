//! `\valid`, `\valid_read` and `\separated` as truth values.
//!
//! A pointer of the input that nothing has looked behind is valid where it is not null, and leads to an object of its
//! own: that is what is assumed of the input everywhere.

use clew_ir::contract::{Access, CompareOp, Place, Term, TermKind};
use clew_ir::{CType, CTypeId};
use clew_scalar::{BinaryOp, Conversion};
use clew_solver::term::Terms;

use super::ContractReader;
use super::integer::{self, compare_integers};
use crate::config::Validity;
use crate::input;
use crate::memory::{Extent, Origin};
use crate::scope::unsupported;
use crate::stepped::Step;
use crate::value::{self, Base, Pointer, Scalar, Val};

/// Bytes that a pointer and a range of elements stand for.
pub(crate) struct Stretch {
    pub(crate) base: Base,
    /// Bytes of one element.
    pub(crate) element: u64,
    /// Where the first element begins.
    pub(crate) first: Scalar,
    /// Where the last element begins.
    pub(crate) last: Scalar,
    /// Whether there are no elements.
    pub(crate) empty: Scalar,
}

impl ContractReader<'_, '_> {
    /// Whether what pointers point to may be accessed.
    pub(crate) fn validity(&mut self, access: Access, pointer: &Term) -> Step<Scalar> {
        if !matches!(access, Access::Write | Access::Read) {
            return unsupported("`\\initialized`, `\\freeable` or `\\fresh`");
        }
        let stretch = self.stretch(pointer)?;
        let valid = match stretch.base {
            Base::Absolute | Base::Function(_) => Scalar::bool(false),
            Base::Input(number) if self.stepper.config.validity == Validity::Demanded => {
                self.is_led_to(number, &stretch)?
            }
            Base::Input(number) => {
                let null = self.path.state.inputs.pointers[number as usize].null;
                let terms = self.stepper.constraints.terms();
                let not_null = terms.not(null);
                Scalar::of(terms, not_null)
            }
            Base::Object(id) => {
                let object = self.path.state.memory.get(id);
                let (extent, origin) = (object.extent, object.origin);
                let is_kept = self.is_constant(origin) || self.stepper.is_read_only(self.path, id);
                if !object.alive || access == Access::Write && is_kept {
                    Scalar::bool(false)
                } else {
                    let first = self.stepper.inside(extent, stretch.first, stretch.element);
                    let last = self.stepper.inside(extent, stretch.last, stretch.element);
                    value::and(self.terms(), first, last)
                }
            }
        };
        Ok(value::binary(self.terms(), BinaryOp::Or, stretch.empty, valid))
    }

    /// Whether a pointer of the input that nothing has looked behind leads to elements.
    fn is_led_to(&mut self, number: u32, stretch: &Stretch) -> Step<Scalar> {
        let (program, terms, state) = (self.stepper.program, self.stepper.constraints.terms(), &mut self.path.state);
        let looked = input::look_behind(program, terms, &mut state.memory, &mut state.inputs, number);
        let Some(looked) = looked else { return unsupported("what this pointer leads to") };
        for condition in looked.conditions {
            self.stepper.assume(self.path, condition)?;
        }
        let pointer = &self.path.state.inputs.pointers[number as usize];
        let (null, at) = (pointer.null, pointer.at);
        let terms = self.stepper.constraints.terms();
        let not_null = terms.not(null);
        let mut valid = Scalar::of(terms, not_null);
        let extent = self.path.state.memory.get(looked.object).extent;
        for place in [stretch.first, stretch.last] {
            let place = value::binary(self.terms(), BinaryOp::Add, at, place);
            let inside = self.stepper.inside(extent, place, stretch.element);
            valid = value::and(self.terms(), valid, inside);
        }
        Ok(valid)
    }

    fn is_constant(&self, origin: Origin) -> bool {
        let Origin::Global(global) = origin else { return false };
        let data = &self.stepper.program.globals[global];
        data.is_const || self.stepper.program.ctypes.is_const(data.ty)
    }

    /// Whether what pointers point to is pairwise disjoint.
    pub(super) fn separation(&mut self, pointers: &[Term]) -> Step<Scalar> {
        let stretches: Vec<Stretch> = pointers.iter().map(|pointer| self.stretch(pointer)).collect::<Step<_>>()?;
        let mut all = Scalar::bool(true);
        for (index, a) in stretches.iter().enumerate() {
            for b in stretches[..index].iter().filter(|b| a.base == b.base && a.base != Base::Absolute) {
                let disjoint = disjoint(self.terms(), a, b);
                all = value::and(self.terms(), all, disjoint);
            }
        }
        Ok(all)
    }

    /// A variable, or a member of one.
    pub(crate) fn plain_stretch(&mut self, place: &Place) -> Step<Stretch> {
        let (object, first) = self.spot(place)?;
        let Some(element) = self.stepper.program.ctypes.size_of(place.ty, self.stepper.program.target.pointer_bytes())
        else {
            return unsupported("a place of unknown size");
        };
        Ok(Stretch { base: Base::Object(object), element, first, last: first, empty: Scalar::bool(false) })
    }

    /// Elements of an array that is a variable.
    pub(crate) fn elements_stretch(&mut self, array: &Place, index: &Term, ty: CTypeId) -> Step<Stretch> {
        let whole = self.plain_stretch(array)?;
        let Some(element) =
            self.stepper.program.ctypes.size_of(ty, self.stepper.program.target.pointer_bytes()).filter(|it| *it > 0)
        else {
            return unsupported("elements of unknown size");
        };
        let end = integer::constant(i128::from(whole.element / element) - 1);
        let (low, high) = match &index.kind {
            TermKind::Range { low, high } => {
                let low = low.as_ref().map_or(Ok(integer::constant(0)), |low| self.integer(low))?;
                (low, high.as_ref().map_or(Ok(end), |high| self.integer(high))?)
            }
            _ => {
                let index = self.integer(index)?;
                (index, index)
            }
        };
        let empty = compare_integers(self.terms(), CompareOp::Lt, high, low)?;
        let mut at = |elements: Scalar| {
            let bytes = self.scaled(elements, ty)?;
            Ok(value::binary(self.terms(), BinaryOp::Add, whole.first, bytes))
        };
        Ok(Stretch { base: whole.base, element, first: at(low)?, last: at(high)?, empty })
    }

    /// The member of a structure behind a pointer; of several structures it is not one stretch.
    pub(crate) fn member_of(&mut self, stretch: Stretch, record: &Place, number: u32) -> Step<Stretch> {
        let CType::Record(id) = *self.stepper.program.ctypes.get(record.ty) else { return unsupported("this member") };
        let field = &self.stepper.program.ctypes.records[id].fields[number as usize];
        let size = self.stepper.program.ctypes.size_of(field.ty, self.stepper.program.target.pointer_bytes());
        let (Some(element), None, true) = (size, field.bits, stretch.first == stretch.last) else {
            return unsupported("this member under `assigns`");
        };
        let bytes = Scalar::int(self.stepper.program.target.pointer_width, u128::from(field.offset));
        let first = value::binary(self.terms(), BinaryOp::Add, stretch.first, bytes);
        Ok(Stretch { element, first, last: first, ..stretch })
    }

    pub(crate) fn stretch(&mut self, pointer: &Term) -> Step<Stretch> {
        let (base, low, high) = match pointer.as_block() {
            Some((base, low, Some(high))) => (base, low, Some(high)),
            Some((_, _, None)) => return unsupported("a range without an end"),
            None => (pointer, None, None),
        };
        let ty = self.c_type(base)?;
        let CType::Pointer(pointee) = *self.stepper.program.ctypes.get(ty) else { return unsupported("this pointer") };
        let Some(element) = self.stepper.program.ctypes.size_of(pointee, self.stepper.program.target.pointer_bytes())
        else {
            return unsupported("elements of unknown size");
        };
        let Val::Pointer(pointer) = self.c_value(base)? else {
            return unsupported("a number as a pointer");
        };
        let pointer = self.settled(pointer)?;
        let low = low.map_or(Ok(integer::constant(0)), |low| self.integer(low))?;
        let high = high.map_or(Ok(low), |high| self.integer(high))?;
        let empty = compare_integers(self.terms(), CompareOp::Lt, high, low)?;
        let mut at = |elements: Scalar| {
            let bytes = self.scaled(elements, pointee)?;
            Ok(value::binary(self.terms(), BinaryOp::Add, pointer.offset, bytes))
        };
        Ok(Stretch { base: pointer.base, element, first: at(low)?, last: at(high)?, empty })
    }

    /// How many elements lie behind a pointer; none where nothing has looked behind it.
    pub(super) fn elements_behind(&mut self, pointer: &Term) -> Step<Scalar> {
        let ty = self.c_type(pointer)?;
        let CType::Pointer(pointee) = *self.stepper.program.ctypes.get(ty) else { return unsupported("this pointer") };
        let Some(size) = self.stepper.program.ctypes.size_of(pointee, self.stepper.program.target.pointer_bytes())
        else {
            return unsupported("elements of unknown size");
        };
        let Val::Pointer(pointer) = self.c_value(pointer)? else {
            return unsupported("a number as a pointer");
        };
        let Pointer { base: Base::Object(id), offset } = self.settled(pointer)? else {
            return Ok(integer::constant(0));
        };
        let Some(before) = offset.bits().filter(|offset| size > 0 && offset % u128::from(size) == 0) else {
            return unsupported("elements behind a pointer that moves with the input");
        };
        let before = before / u128::from(size);
        match self.path.state.memory.get(id).extent {
            Extent::Bytes(bytes) => Ok(integer::constant(i128::from(bytes / size) - before as i128)),
            Extent::Elements { element, count, .. } if element == size => {
                let width = self.stepper.program.target.pointer_width + 1;
                let terms = self.stepper.constraints.terms();
                let count = value::convert(terms, Conversion::ZeroExtend(width), count);
                Ok(value::binary(terms, BinaryOp::Sub, count, Scalar::int(width, before)))
            }
            Extent::Elements { .. } => unsupported("elements of another type"),
        }
    }

    /// A pointer of the input as what it leads to, where that is decided.
    fn settled(&mut self, pointer: Pointer) -> Step<Pointer> {
        let Base::Input(number) = pointer.base else { return Ok(pointer) };
        if let Some(offset) = self.stepper.as_number(self.path, pointer) {
            return Ok(Pointer { base: Base::Absolute, offset });
        }
        let known = &self.path.state.inputs.pointers[number as usize];
        let (null, target) = (known.null, known.target);
        let not_null = self.stepper.constraints.terms().not(null);
        let decided = self.path.state.condition.contains(null) || self.path.state.condition.contains(not_null);
        if target.is_some() && decided { self.stepper.resolved(self.path, pointer) } else { Ok(pointer) }
    }
}

/// Whether two stretches of one object have no byte in common.
fn disjoint(terms: &mut Terms, a: &Stretch, b: &Stretch) -> Scalar {
    let width = a.first.ty(terms).width();
    let mut either = value::binary(terms, BinaryOp::Or, a.empty, b.empty);
    for (a, b) in [(a, b), (b, a)] {
        let bytes = Scalar::int(width, u128::from(a.element));
        let end = value::binary(terms, BinaryOp::Add, a.last, bytes);
        let before = value::binary(terms, BinaryOp::Sle, end, b.first);
        either = value::binary(terms, BinaryOp::Or, either, before);
    }
    either
}
