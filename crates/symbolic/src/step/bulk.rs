//! Many bytes at once: copied and set.

use clew_ir::{Span, Type};
use clew_solver::clock;

use super::access::{CheckedPlace, cut_pointer};
use crate::ending::{Limit, PathEnd};
use crate::memory::{Background, Extent, Missing, ObjectId};
use crate::path::Path;
use crate::policy;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Scalar, Val};

/// Bytes copied between two looks at the clock.
const LOOK_EVERY: u64 = 1024;

/// What a byte costs on the clock of work.
const BYTE: u64 = 2_000;

impl Stepper<'_> {
    pub(super) fn copy(&mut self, path: &mut Path, target: &CheckedPlace, source: &CheckedPlace, size: u64) -> Step {
        let (to, from) = (self.known_offset(path, target)?, self.known_offset(path, source)?);
        self.copy_bytes(path, (target.object, to), (source.object, from), size)
    }

    /// Copies bytes, unwritten ones included, whole cells where they lie within the range.
    pub(crate) fn copy_bytes(
        &mut self,
        path: &mut Path,
        (to_object, to): (ObjectId, u64),
        (from_object, from): (ObjectId, u64),
        size: u64,
    ) -> Step {
        self.materialise_range(path, from_object, from, size)?;
        let source = path.state.memory.get(from_object);
        let whole: Vec<_> = source.cells().filter(|(at, bytes, _)| *at >= from && at + bytes <= from + size).collect();
        let background = source.background;
        // Cells come in order and do not overlap.
        let (mut loose, mut next) = (Vec::new(), from);
        for (at, bytes, val) in &whole {
            loose.extend(next..*at);
            next = at + bytes;
            self.store_at(path, to_object, to + (at - from), *bytes, *val)?;
        }
        for at in loose.into_iter().chain(next..from + size) {
            let loaded = path.state.memory.get(from_object).load(self.constraints.terms(), at, Type::Int(8), 64);
            let is_unwritten = background == Background::Unwritten || path.state.inputs.is_unwritten(from_object, at);
            match loaded {
                Ok(byte) => self.store_at(path, to_object, to + (at - from), 1, byte)?,
                Err(Missing::Unwritten(_) | Missing::Input(_) | Missing::Image(..)) if is_unwritten => {
                    self.forget(path, to_object, to + (at - from));
                    if path.state.may_be_written(from_object) {
                        path.state.external.escaped.insert(to_object);
                    }
                }
                Err(_) => {
                    return Err(PathEnd::Unsupported { what: "part of a pointer copied".to_owned(), span: Span::NONE });
                }
            }
        }
        Ok(())
    }

    /// Makes a byte hold nothing that C defines.
    fn forget(&mut self, path: &mut Path, object: ObjectId, at: u64) {
        let target = path.state.memory.get_mut(object);
        target.forget(self.constraints.terms(), at);
        if target.background != Background::Unwritten {
            path.state.inputs.note_unwritten(object, at);
        }
    }

    /// Sets bytes. Where they are most of an object, the others are brought into cells instead.
    pub(crate) fn fill(&mut self, path: &mut Path, object: ObjectId, at: u64, size: u64, byte: Scalar) -> Step {
        let target = path.state.memory.get(object);
        let whole = match target.extent {
            Extent::Elements { fixed: false, .. } => None,
            extent => extent.size(),
        };
        let rest = whole.and_then(|whole| whole.checked_sub(size)).filter(|rest| *rest < size);
        let can_be_kept = match target.background {
            Background::Unwritten => rest == Some(0),
            Background::Filled(old) => rest == Some(0) || byte.bits() == Some(u128::from(old)),
            Background::Image(_) | Background::Input => true,
        };
        if let (true, Some(rest), Some(bits)) = (can_be_kept, rest, byte.bits()) {
            self.materialise_range(path, object, 0, at)?;
            self.materialise_range(path, object, at + size, rest - at)?;
            let target = path.state.memory.get_mut(object);
            return target.fill(self.constraints.terms(), at, size, bits as u8).map_err(|_| cut_pointer());
        }
        if size > policy::MAX_FILLED_BYTES.get() {
            return Err(PathEnd::Limit(Limit::Elements));
        }
        (at..at + size).try_for_each(|at| self.store_at(path, object, at, 1, Val::Scalar(byte)))
    }

    /// Brings everything in a range that is still input or image into cells.
    fn materialise_range(&mut self, path: &mut Path, object: ObjectId, from: u64, size: u64) -> Step {
        let mut at = from;
        while at < from + size {
            clock::spend(BYTE);
            if at.is_multiple_of(LOOK_EVERY)
                && let Some(limit) = self.cut_by()
            {
                return Err(PathEnd::Limit(limit));
            }
            let loaded = path.state.memory.get(object).load(self.constraints.terms(), at, Type::Int(8), 64);
            match loaded {
                Err(Missing::Input(_) | Missing::Image(..)) if path.state.inputs.is_unwritten(object, at) => at += 1,
                Err(Missing::Input(at)) => self.materialise(path, object, at, None)?,
                Err(Missing::Image(global, at)) => self.materialise_image(path, object, global, at)?,
                _ => at += 1,
            }
        }
        Ok(())
    }
}
