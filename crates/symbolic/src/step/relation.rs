//! Alias relations: which of the writes before it a read sees (PathCrawler; Williams, Marre, Mouy, Roger 2005).
//!
//! A read at a symbolic offset, or after a write at one, may see the last write to the object, or else the one before,
//! and so on, or what the object held at first. Merged, all of that is one value, a choice. Split, the path goes on with
//! the relation that the current model has, and the others are left open: one path for each feasible relation. Offsets
//! decide; what an access of another width reads is exact either way.

use clew_scalar::BinaryOp;
use clew_solver::term::TermId;

use crate::config::Alias;
use crate::memory::{Extent, ObjectId};
use crate::path::{Open, Path, Resume};
use crate::stepper::Stepper;
use crate::value::{self, Scalar};

impl Stepper<'_> {
    /// Remembers a write, unless it fills the object.
    pub(super) fn note_write(&self, path: &mut Path, object: ObjectId, offset: Scalar, bytes: u64) {
        if self.config.alias == Alias::Split && path.state.memory.get(object).extent != Extent::Bytes(bytes) {
            path.state.writes.entry(object).or_default().push_back(offset);
        }
    }

    /// Decides which write a read sees.
    pub(super) fn relate(&mut self, path: &mut Path, object: ObjectId, offset: Scalar) {
        let Some(writes) = path.state.writes.get(&object).cloned() else { return };
        let mut seen: Vec<Scalar> = Vec::new();
        for &write in writes.iter().rev() {
            if seen.contains(&write) {
                continue;
            }
            seen.push(write);
            let is_same = match value::binary(self.constraints.terms(), BinaryOp::Eq, offset, write) {
                Scalar::Known(truth) => truth.bits == 1,
                Scalar::Term(term) => self.settle(path, term),
            };
            if is_same {
                return;
            }
        }
    }

    /// Goes on with the inputs that agree with the present one on a term, and leaves the others open.
    fn settle(&mut self, path: &mut Path, term: TermId) -> bool {
        let holds = self.constraints.holds(&path.model, term);
        let not = self.constraints.terms().not(term);
        let (now, other) = if holds { (term, not) } else { (not, term) };
        if path.state.condition.contains(now) {
            return holds;
        }
        if !path.state.repeats {
            let mut state = path.state.clone();
            state.step_back();
            self.effects.forks.push(Open::new(state, path.model.clone(), other, Resume::Again));
        }
        path.state.condition.push_back(now);
        holds
    }
}
