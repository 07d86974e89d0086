//! Loads and stores of whole variables of the running function, which most accesses are.
//!
//! A variable that is alive and holds a value of just the size that is asked for needs none of what other accesses do: no
//! check, no search for what a pointer leads to, no putting together of bytes. Whatever is not as simple as that is left
//! to `access`.

use clew_ir::{LocalId, TempId, Type};

use super::access::CheckedPlace;
use crate::config::Alias;
use crate::path::Path;
use crate::stepper::Stepper;
use crate::value::{Base, Pointer, Scalar, Val};

impl Stepper<'_> {
    /// The value of a variable, if it is there as it was written.
    pub(super) fn local_value(&mut self, path: &mut Path, local: LocalId, dest: TempId, ty: Type) -> Option<Val> {
        if !path.state.external.havocked.is_empty() || !path.state.writes.is_empty() {
            return None;
        }
        let object = path.state.local(local);
        let bytes = ty.bytes(self.program.target.pointer_width);
        let held = path.state.memory.get(object);
        let val = held.cell(0, bytes).filter(|val| held.alive && self.has_type(*val, ty))?;
        let offset = Scalar::int(self.program.target.pointer_width, 0);
        self.note_state_variable(path, dest, &CheckedPlace { object, offset, span: clew_ir::Span::NONE }, bytes);
        Some(val)
    }

    /// Writes a number into a variable that holds one of the same size; says whether it did.
    pub(super) fn set_local(&self, path: &mut Path, local: LocalId, bytes: u64, val: Val) -> bool {
        let object = path.state.local(local);
        let is_plain = matches!(val, Val::Scalar(_))
            && path.state.external.havocked.is_empty()
            && self.config.alias == Alias::Merge;
        let held = path.state.memory.get(object);
        let fits = is_plain && held.alive && held.cell(0, bytes).is_some();
        if fits {
            path.state.memory.get_mut(object).replace(0, val);
        }
        fits
    }

    /// Whether a value is of a type, not just of its size.
    fn has_type(&mut self, val: Val, ty: Type) -> bool {
        match (val, ty) {
            (Val::Scalar(Scalar::Known(value)), _) => Type::from(value.ty) == ty,
            (Val::Scalar(Scalar::Term(term)), _) => Type::from(self.constraints.terms().ty(term)) == ty,
            (Val::Pointer(Pointer { base, .. }), Type::Pointer) => base != Base::Absolute,
            (Val::Pointer(_), _) => false,
        }
    }
}
