//! `\valid`, `\valid_read` and `\separated` as truth values.
//!
//! A pointer of the input that nothing has looked behind is valid where it is not null, and leads to an object of its
//! own: that is what is assumed of the input everywhere.

use clew_ir::contract::{Access, CompareOp, Place, Term, TermKind};
use clew_ir::{CType, CTypeId};
use clew_scalar::{BinaryOp, Conversion};

use super::integer;
use crate::config::Validity;
use crate::input;
use crate::memory::{Extent, Origin};
use crate::path::Path;
use crate::scope::{Scope, unsupported};
use crate::stepped::Step;
use crate::stepper::Stepper;
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

impl Stepper<'_> {
    /// Whether what pointers point to may be accessed.
    pub(crate) fn validity(&mut self, path: &mut Path, scope: &Scope, access: Access, pointer: &Term) -> Step<Scalar> {
        if !matches!(access, Access::Write | Access::Read) {
            return unsupported("`\\initialized`, `\\freeable` or `\\fresh`");
        }
        let stretch = self.stretch(path, scope, pointer)?;
        let valid = match stretch.base {
            Base::Absolute | Base::Function(_) => Scalar::bool(false),
            Base::Input(number) if self.config.validity == Validity::Demanded => {
                self.is_led_to(path, number, &stretch)?
            }
            Base::Input(number) => {
                let null = path.state.inputs.pointers[number as usize].null;
                let terms = self.constraints.terms();
                let not_null = terms.not(null);
                Scalar::of(terms, not_null)
            }
            Base::Object(id) => {
                let object = path.state.memory.get(id);
                let (extent, origin) = (object.extent, object.origin);
                let is_kept = self.is_constant(origin) || self.is_read_only(path, id);
                if !object.alive || access == Access::Write && is_kept {
                    Scalar::bool(false)
                } else {
                    let first = self.inside(extent, stretch.first, stretch.element);
                    let last = self.inside(extent, stretch.last, stretch.element);
                    value::and(self.constraints.terms(), first, last)
                }
            }
        };
        Ok(value::binary(self.constraints.terms(), BinaryOp::Or, stretch.empty, valid))
    }

    /// Whether a pointer of the input that nothing has looked behind leads to elements.
    fn is_led_to(&mut self, path: &mut Path, number: u32, stretch: &Stretch) -> Step<Scalar> {
        let (program, terms, state) = (self.program, self.constraints.terms(), &mut path.state);
        let looked = input::look_behind(program, terms, &mut state.memory, &mut state.inputs, number);
        let Some(looked) = looked else { return unsupported("what this pointer leads to") };
        for condition in looked.conditions {
            self.assume(path, condition)?;
        }
        let pointer = &path.state.inputs.pointers[number as usize];
        let (null, at) = (pointer.null, pointer.at);
        let terms = self.constraints.terms();
        let not_null = terms.not(null);
        let mut valid = Scalar::of(terms, not_null);
        let extent = path.state.memory.get(looked.object).extent;
        for place in [stretch.first, stretch.last] {
            let place = value::binary(self.constraints.terms(), BinaryOp::Add, at, place);
            let inside = self.inside(extent, place, stretch.element);
            valid = value::and(self.constraints.terms(), valid, inside);
        }
        Ok(valid)
    }

    fn is_constant(&self, origin: Origin) -> bool {
        let Origin::Global(global) = origin else { return false };
        let data = &self.program.globals[global];
        data.is_const || self.program.ctypes.is_const(data.ty)
    }

    /// Whether what pointers point to is pairwise disjoint.
    pub(super) fn separation(&mut self, path: &mut Path, scope: &Scope, pointers: &[Term]) -> Step<Scalar> {
        let stretches: Vec<Stretch> =
            pointers.iter().map(|pointer| self.stretch(path, scope, pointer)).collect::<Step<_>>()?;
        let mut all = Scalar::bool(true);
        for (index, a) in stretches.iter().enumerate() {
            for b in stretches[..index].iter().filter(|b| a.base == b.base && a.base != Base::Absolute) {
                let disjoint = self.disjoint(a, b);
                all = value::and(self.constraints.terms(), all, disjoint);
            }
        }
        Ok(all)
    }

    /// Whether two stretches of one object have no byte in common.
    fn disjoint(&mut self, a: &Stretch, b: &Stretch) -> Scalar {
        let terms = self.constraints.terms();
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

    /// A variable, or a member of one.
    pub(crate) fn plain_stretch(&mut self, path: &mut Path, scope: &Scope, place: &Place) -> Step<Stretch> {
        let (object, first) = self.spot(path, scope, place)?;
        let Some(element) = self.program.ctypes.size_of(place.ty, self.program.target.pointer_bytes()) else {
            return unsupported("a place of unknown size");
        };
        Ok(Stretch { base: Base::Object(object), element, first, last: first, empty: Scalar::bool(false) })
    }

    /// Elements of an array that is a variable.
    pub(crate) fn elements_stretch(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        array: &Place,
        index: &Term,
        ty: CTypeId,
    ) -> Step<Stretch> {
        let whole = self.plain_stretch(path, scope, array)?;
        let Some(element) = self.program.ctypes.size_of(ty, self.program.target.pointer_bytes()).filter(|it| *it > 0)
        else {
            return unsupported("elements of unknown size");
        };
        let end = integer::constant(i128::from(whole.element / element) - 1);
        let (low, high) = match &index.kind {
            TermKind::Range { low, high } => {
                let low = low.as_ref().map_or(Ok(integer::constant(0)), |low| self.integer(path, scope, low))?;
                (low, high.as_ref().map_or(Ok(end), |high| self.integer(path, scope, high))?)
            }
            _ => {
                let index = self.integer(path, scope, index)?;
                (index, index)
            }
        };
        let empty = self.compare_integers(CompareOp::Lt, high, low)?;
        let mut at = |elements: Scalar| {
            let bytes = self.scaled(elements, ty)?;
            Ok(value::binary(self.constraints.terms(), BinaryOp::Add, whole.first, bytes))
        };
        Ok(Stretch { base: whole.base, element, first: at(low)?, last: at(high)?, empty })
    }

    /// The member of a structure behind a pointer; of several structures it is not one stretch.
    pub(crate) fn member_of(&mut self, stretch: Stretch, record: &Place, number: u32) -> Step<Stretch> {
        let CType::Record(id) = *self.program.ctypes.get(record.ty) else { return unsupported("this member") };
        let field = &self.program.ctypes.records[id].fields[number as usize];
        let size = self.program.ctypes.size_of(field.ty, self.program.target.pointer_bytes());
        let (Some(element), None, true) = (size, field.bits, stretch.first == stretch.last) else {
            return unsupported("this member under `assigns`");
        };
        let bytes = Scalar::int(self.program.target.pointer_width, u128::from(field.offset));
        let first = value::binary(self.constraints.terms(), BinaryOp::Add, stretch.first, bytes);
        Ok(Stretch { element, first, last: first, ..stretch })
    }

    pub(crate) fn stretch(&mut self, path: &mut Path, scope: &Scope, pointer: &Term) -> Step<Stretch> {
        let (base, low, high) = match pointer.as_block() {
            Some((base, low, Some(high))) => (base, low, Some(high)),
            Some((_, _, None)) => return unsupported("a range without an end"),
            None => (pointer, None, None),
        };
        let ty = self.c_type(base)?;
        let CType::Pointer(pointee) = *self.program.ctypes.get(ty) else { return unsupported("this pointer") };
        let Some(element) = self.program.ctypes.size_of(pointee, self.program.target.pointer_bytes()) else {
            return unsupported("elements of unknown size");
        };
        let Val::Pointer(pointer) = self.c_value(path, scope, base)? else {
            return unsupported("a number as a pointer");
        };
        let pointer = self.settled(path, pointer)?;
        let low = low.map_or(Ok(integer::constant(0)), |low| self.integer(path, scope, low))?;
        let high = high.map_or(Ok(low), |high| self.integer(path, scope, high))?;
        let empty = self.compare_integers(CompareOp::Lt, high, low)?;
        let mut at = |elements: Scalar| {
            let bytes = self.scaled(elements, pointee)?;
            Ok(value::binary(self.constraints.terms(), BinaryOp::Add, pointer.offset, bytes))
        };
        Ok(Stretch { base: pointer.base, element, first: at(low)?, last: at(high)?, empty })
    }

    /// How many elements lie behind a pointer; none where nothing has looked behind it.
    pub(super) fn elements_behind(&mut self, path: &mut Path, scope: &Scope, pointer: &Term) -> Step<Scalar> {
        let ty = self.c_type(pointer)?;
        let CType::Pointer(pointee) = *self.program.ctypes.get(ty) else { return unsupported("this pointer") };
        let Some(size) = self.program.ctypes.size_of(pointee, self.program.target.pointer_bytes()) else {
            return unsupported("elements of unknown size");
        };
        let Val::Pointer(pointer) = self.c_value(path, scope, pointer)? else {
            return unsupported("a number as a pointer");
        };
        let Pointer { base: Base::Object(id), offset } = self.settled(path, pointer)? else {
            return Ok(integer::constant(0));
        };
        let Some(before) = offset.bits().filter(|offset| size > 0 && offset % u128::from(size) == 0) else {
            return unsupported("elements behind a pointer that moves with the input");
        };
        let before = before / u128::from(size);
        match path.state.memory.get(id).extent {
            Extent::Bytes(bytes) => Ok(integer::constant(i128::from(bytes / size) - before as i128)),
            Extent::Elements { element, count, .. } if element == size => {
                let width = self.program.target.pointer_width + 1;
                let terms = self.constraints.terms();
                let count = value::convert(terms, Conversion::ZeroExtend(width), count);
                Ok(value::binary(terms, BinaryOp::Sub, count, Scalar::int(width, before)))
            }
            Extent::Elements { .. } => unsupported("elements of another type"),
        }
    }

    /// A pointer of the input as what it leads to, where that is decided.
    fn settled(&mut self, path: &mut Path, pointer: Pointer) -> Step<Pointer> {
        let Base::Input(number) = pointer.base else { return Ok(pointer) };
        if let Some(offset) = self.as_number(path, pointer) {
            return Ok(Pointer { base: Base::Absolute, offset });
        }
        let known = &path.state.inputs.pointers[number as usize];
        let (null, target) = (known.null, known.target);
        let not_null = self.constraints.terms().not(null);
        let decided = path.state.condition.contains(null) || path.state.condition.contains(not_null);
        if target.is_some() && decided { self.resolved(path, pointer) } else { Ok(pointer) }
    }
}
