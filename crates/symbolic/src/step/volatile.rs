//! Volatile memory of the input, which may have changed whenever it is read: registers of hardware, what interrupts write.
//!
//! The first reading sees what the input says, if nothing was written there before. Each later one sees an input of its
//! own. At first that is what was there; from the third on it is the opposite, so that programs that wait for a change do
//! not wait for long. Only integers change, and only in places that are known.

use clew_ir::{CType, Type};

use super::access::CheckedPlace;
use super::materialise::Element;
use crate::ending::Limit;
use crate::input::leaf::{self, Part, Wanted};
use crate::input::{Root, VolatileReading};
use crate::memory::ObjectId;
use crate::path::Path;
use crate::policy;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Scalar, Val};

impl Stepper<'_> {
    /// Changes what is about to be read, as hardware or another thread may.
    pub(super) fn change(&mut self, path: &mut Path, place: &CheckedPlace, ty: Type) -> Step {
        let at = place.offset.bits().map(|at| at as u64);
        let is_possible = matches!(ty, Type::Int(_)) && self.config.readings;
        let part = at.filter(|_| is_possible).and_then(|at| self.outside(path, place.object, at, ty));
        let (Some(at), Some((name, part))) = (at, part) else {
            self.effects.limits.insert(Limit::Volatile);
            return Ok(());
        };
        let Val::Scalar(was) = self.load(path, place, ty, false, None)? else { return Ok(()) };
        let before = path.state.inputs.readings.iter();
        let before = before.filter(|reading| reading.object == place.object && reading.at == at).count();
        let mut value = was;
        if before > 0 || !is_untouched(path, place.object, at, was) {
            let Val::Scalar(read) = self.input_value(path, format!("{name} again"), at, part.ty)? else {
                return Ok(());
            };
            let most = if *self.program.ctypes.get(part.ty) == CType::Bool { 1 } else { u128::MAX };
            self.constraints.suggest(
                &mut path.model,
                read,
                was,
                if before < policy::STEADY_READINGS.size() { 0 } else { most },
            );
            self.store_at(path, place.object, at, part.bytes, Val::Scalar(read))?;
            value = read;
        }
        path.state.inputs.readings.push_back(VolatileReading { object: place.object, at, value, was });
        Ok(())
    }

    /// What hardware or another thread may change there, if it is what is read: a part of a variable of the program, or of what a
    /// pointer of the input leads to. Compilers do as they like with bit-fields.
    fn outside(&self, path: &Path, object: ObjectId, at: u64, ty: Type) -> Option<(String, Part)> {
        let input = path.state.inputs.object(object)?;
        if !matches!(input.root, Root::Global(_) | Root::Behind(_)) {
            return None;
        }
        let target = self.program.target;
        let Element { from, ty: element, name } = self.element(input, object, at);
        let wanted = Wanted { at: at - from, bytes: ty.bytes(target.pointer_width), pointer: false };
        let part = leaf::covering(&self.program.ctypes, target, element, wanted.at, Some(wanted))?;
        let is_member = leaf::has_member(&self.program.ctypes, target, element, part.at, part.ty);
        let is_wanted = is_member && (part.at, part.bytes) == (wanted.at, wanted.bytes);
        is_wanted.then(|| (format!("{name}{}", part.path), part))
    }
}

/// Whether a place holds what it held on entry.
fn is_untouched(path: &Path, object: ObjectId, at: u64, held: Scalar) -> bool {
    let mut leaves = path.state.inputs.leaves.iter().filter(|leaf| leaf.object == object && leaf.at == at);
    leaves.any(|leaf| leaf.val == Val::Scalar(held))
}
