//! What pointers of the input lead to, where their declarations do not say.
//!
//! A pointer to `void`, to a type whose members are not known, or to the common beginning of several structures is given
//! the type of the variable it is stored in, as long as nothing has looked behind it. A member of a union that holds several
//! pointers leads to what the first access expects there. Where an access nevertheless finds a number instead of a pointer,
//! or the other way round, the path is left, and taken up again at the instruction that first looked there, with bytes of
//! which nothing is known: those become what accesses make of them.

use std::rc::Rc;

use clew_ir::{CType, CTypeId, Type};

use super::access::CheckedPlace;
use crate::ending::{Limit, PathEnd};
use crate::input::{InputPointer, leaf};
use crate::memory::{ObjectId, Origin};
use crate::path::{Open, Path, Resume};
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Base, Pointer, Scalar, Val};

impl Stepper<'_> {
    /// Notes what else a pointer of the input may lead to that is a member of a union.
    pub(super) fn note_others(&self, path: &mut Path, val: Val, element: CTypeId, at: u64) {
        let Val::Pointer(Pointer { base: Base::Input(number), .. }) = val else { return };
        let pointer = &mut path.state.inputs.pointers[number as usize];
        let all = leaf::pointees(&self.program.ctypes, self.program.target, element, at);
        pointer.others = all.into_iter().filter(|other| *other != pointer.pointee).collect();
    }

    /// Gives a pointer of the input the type of the variable it is stored in, if its own says less.
    pub(super) fn refine(&self, path: &mut Path, place: &CheckedPlace, val: Val) {
        let Val::Pointer(Pointer { base: Base::Input(number), offset }) = val else { return };
        let Origin::Local(function, local) = path.state.memory.get(place.object).origin else { return };
        let variable = self.program.functions[function].locals[local].ty;
        let CType::Pointer(pointee) = *self.program.ctypes.get(variable) else { return };
        let pointer = &path.state.inputs.pointers[number as usize];
        if is_open(pointer) && offset.bits() == Some(0) && self.says_more(pointee, pointer) {
            path.state.inputs.pointers[number as usize].pointee = pointee;
        }
    }

    /// Whether a type says more of what a pointer leads to than its own type does.
    fn says_more(&self, pointee: CTypeId, pointer: &InputPointer) -> bool {
        let ctypes = &self.program.ctypes;
        let size = |ty| ctypes.size_of(ty, self.program.target.pointer_bytes());
        let Some(bytes) = size(pointee) else { return false };
        match (ctypes.get(pointer.pointee), ctypes.get(pointee)) {
            (CType::Void, _) => true,
            (CType::Record(own), _) if !ctypes.records[*own].is_complete => true,
            (CType::Record(own), CType::Record(other)) if own != other => {
                pointer.others.contains(&pointee) || size(pointer.pointee).is_some_and(|own| own < bytes)
            }
            _ => pointer.others.contains(&pointee),
        }
    }

    /// Gives a pointer of the input that is a member of a union the type of the member that has what an access expects.
    pub(super) fn expect(&self, path: &mut Path, pointer: Pointer, ty: Type) {
        let (Base::Input(number), Some(at)) = (pointer.base, pointer.offset.bits()) else { return };
        let input = &path.state.inputs.pointers[number as usize];
        if !is_open(input) || input.others.is_empty() {
            return;
        }
        let (ctypes, target) = (&self.program.ctypes, self.program.target);
        let fits = |pointee: &CTypeId| {
            let size = ctypes.size_of(*pointee, target.pointer_bytes()).filter(|size| *size > 0);
            let at = size.and_then(|size| Some(u64::try_from(at).ok()? % size));
            let bytes = ty.bytes(target.pointer_width);
            at.is_some_and(|at| {
                leaf::fits(ctypes, target, *pointee, leaf::Wanted { at, bytes, pointer: ty == Type::Pointer })
            })
        };
        if !fits(&input.pointee)
            && let Some(other) = input.others.iter().copied().find(|other| fits(other))
        {
            path.state.inputs.pointers[number as usize].pointee = other;
        }
    }

    /// Leaves a path on which something of the input is not what an access expects, if it can be taken up with bytes of
    /// which nothing is known.
    pub(super) fn untype(&mut self, path: &Path, object: ObjectId) -> Step {
        let Some(number) = self.leads(path, object) else { return Ok(()) };
        let pointer = &path.state.inputs.pointers[number as usize];
        let (void, Some(before)) = (self.void(pointer.pointee), pointer.before.clone()) else { return Ok(()) };
        if pointer.pointee == void || pointer.container.is_some() || pointer.at.bits() != Some(0) {
            return Ok(());
        }
        self.effects.limits.insert(Limit::Alias);
        if !before.untyped.replace(true) {
            let mut state = before.path.state.clone();
            let pointer = &mut state.inputs.pointers[number as usize];
            (pointer.pointee, pointer.others) = (void, Rc::default());
            let when = self.constraints.terms().bool(true);
            self.effects.forks.push(Open::new(state, before.path.model.clone(), when, Resume::Again));
        }
        Err(PathEnd::Contradiction)
    }

    /// The same where a number was read as a pointer.
    pub(super) fn untype_number(&mut self, path: &Path, object: ObjectId, ty: Type, val: Val) -> Step {
        match (ty, val) {
            (Type::Pointer, Val::Scalar(Scalar::Term(_)))
            | (Type::Pointer, Val::Pointer(Pointer { base: Base::Absolute, offset: Scalar::Term(_) })) => {
                self.untype(path, object)
            }
            _ => Ok(()),
        }
    }
}

/// Whether nothing has looked behind a pointer, and nothing says what is there.
pub(super) fn is_open(pointer: &InputPointer) -> bool {
    pointer.target.is_none() && pointer.function.is_none() && pointer.fixed.is_none() && pointer.number.is_none()
}
