//! `\valid`, `\valid_read` and `\separated` as truth values.
//!
//! A pointer of the input that nothing has looked behind is valid where it is not null, and leads to an object of its
//! own: that is what is assumed of the input everywhere.

use clew_ir::CType;
use clew_ir::contract::{Access, CompareOp, Term};
use clew_scalar::BinaryOp;

use super::{Scope, integer, unsupported};
use crate::memory::Origin;
use crate::step::Step;
use crate::value::{self, Base, Pointer, Scalar, Val};
use crate::{Explorer, Path};

/// Bytes that a pointer and a range of elements stand for.
struct Stretch {
    base: Base,
    /// Bytes of one element.
    element: u64,
    /// Where the first element begins.
    first: Scalar,
    /// Where the last element begins.
    last: Scalar,
    /// Whether there are no elements.
    empty: Scalar,
}

impl Explorer<'_> {
    /// Whether what pointers point to may be accessed.
    pub(crate) fn validity(&mut self, path: &mut Path, scope: &Scope, access: Access, pointer: &Term) -> Step<Scalar> {
        if !matches!(access, Access::Write | Access::Read) {
            return unsupported("`\\initialized`, `\\freeable` or `\\fresh`");
        }
        let stretch = self.stretch(path, scope, pointer)?;
        let valid = match stretch.base {
            Base::Absolute | Base::Function(_) => Scalar::bool(false),
            Base::Input(number) => {
                let null = path.state.inputs.pointers[number as usize].null;
                let terms = self.constraints.terms();
                let not_null = terms.not(null);
                Scalar::of(terms, not_null)
            }
            Base::Object(id) => {
                let object = path.state.memory.get(id);
                let (extent, origin) = (object.extent, object.origin);
                if !object.alive || access == Access::Write && self.is_constant(origin) {
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

    fn stretch(&mut self, path: &mut Path, scope: &Scope, pointer: &Term) -> Step<Stretch> {
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
