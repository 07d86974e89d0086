//! What becomes of states at the heads of loops that are cut (`induction`).

use clew_ir::{Function, Inst, InstKind, Span};
use clew_scalar::BinaryOp;

use super::{Pursuit, Waiting};
use crate::cut::{Changed, Cut, Part, is_blurred};
use crate::goal::Wanted;
use crate::{policy, property};
use clew_symbolic::Path;
use clew_symbolic::config::Errors;
use clew_symbolic::ending::PathEnd;
use clew_symbolic::memory::{Background, ObjectId};
use clew_symbolic::stepped::Step;
use clew_symbolic::value::{Scalar, Val};

impl Pursuit<'_, '_> {
    /// Tries a proof by induction instead of looking for inputs: these loops are cut, and only merged states are run.
    /// Where accesses through pointers are blurred, what is read may be anything, and nothing is written.
    pub(crate) fn cut(&mut self, cuts: Vec<Cut>, blurs: bool) {
        self.cuts = cuts;
        self.blurs = blurs;
        self.near.is_incomplete = true;
    }

    /// Whether a state goes on. One that enters a cut loop goes on as any state of which the invariants hold; one that has
    /// made a turn has been looked at and ends.
    pub(super) fn passes_cuts(&mut self, state: &mut Waiting) -> bool {
        let frame = state.path.state.frame();
        if state.path.state.frames.len() > 1 || frame.next > 0 {
            return true;
        }
        let Some(cut) = self.cuts.iter().find(|cut| cut.head == frame.block).cloned() else { return true };
        if state.rounds[0].turns(frame.block) > 0 {
            return false;
        }
        let result = self.any_turn(&mut state.path, &cut);
        if let Err(end) = &result {
            self.met.limits.extend(property::reason(end));
        }
        result.is_ok()
    }

    /// Runs an instruction that accesses memory through a pointer as if nothing were known of that memory; says whether it is one.
    pub(super) fn blurred(&mut self, path: &mut Path, function: &Function, inst: &Inst) -> bool {
        if !self.blurs || !is_blurred(function, inst) {
            return false;
        }
        if let InstKind::Load { dest, .. } = &inst.kind {
            let ty = match function.temps[*dest].ty {
                clew_ir::Type::Int(width) => clew_scalar::Type::Int(width),
                clew_ir::Type::Float(format) => clew_scalar::Type::Float(format),
                clew_ir::Type::Pointer => unreachable!("pointers are not blurred"),
            };
            let term = self.stepper.constraints.terms().scalar_var("unknown", ty);
            path.state.frame_mut().temps.set(*dest, Val::Scalar(Scalar::Term(term)));
        }
        true
    }

    /// Makes a state stand for all that come to the head of a loop, after any number of turns.
    fn any_turn(&mut self, path: &mut Path, cut: &Cut) -> Step {
        for (changed, parts) in &cut.changes {
            let object = match changed {
                Changed::Local(local) => path.state.local(*local),
                Changed::Global(global) => self.stepper.global(path, *global)?,
            };
            self.forget(path, object, parts)?;
        }
        for predicate in &cut.invariants {
            let held = property::wanted(self.stepper, path, &Wanted::Holds(predicate.clone()), None)?;
            match held {
                Scalar::Known(truth) if truth.bits == 0 => return Err(PathEnd::Contradiction),
                Scalar::Known(_) => {}
                Scalar::Term(term) => self.stepper.assume(path, term)?,
            }
        }
        Ok(())
    }

    /// Gives the parts of an object any values. Where reads of what was never written are looked for, all must be written
    /// before: otherwise the first turn would be taken for a later one.
    fn forget(&mut self, path: &mut Path, id: ObjectId, parts: &[Part]) -> Step {
        let object = path.state.memory.get_mut(id);
        let is_written = |part: &Part| object.cell(part.at, part.bytes).is_some();
        let is_whole = object.alive && (object.background != Background::Unwritten || parts.iter().all(is_written));
        if !is_whole && self.stepper.config.errors == Errors::Report {
            let what = "a variable that is not written before a loop with an invariant".to_owned();
            return Err(PathEnd::Unsupported { what, span: Span::NONE });
        }
        object.alive = true;
        for part in parts {
            let term = self.stepper.constraints.terms().scalar_var("unknown", part.ty);
            self.stepper.store_at(path, id, part.at, part.bytes, Val::Scalar(Scalar::Term(term)))?;
            if let Some(most) = part.most {
                let terms = self.stepper.constraints.terms();
                let most = terms.int(part.ty.width(), most);
                let is_valid = terms.binary(BinaryOp::Ule, term, most);
                self.stepper.assume(path, is_valid)?;
            }
        }
        Ok(())
    }

    /// Notes that the invariants do not exclude a goal.
    pub(super) fn not_inductive(&mut self, goal: usize) {
        self.progress[goal].refusals = policy::MAX_REFUSALS.small();
        self.progress[goal].doubts.insert("the invariants do not exclude it".to_owned());
    }
}
