//! Variables that functions without a body may change.
//!
//! Such a function may change whatever variable it can name. As long as nothing reads the variable after the call, that does
//! not matter. When something does, the path goes on with what the variable held, and from before the call another one is left
//! open on which the call sets it to an input. Where all paths are asked for, only the latter goes on, of which the former
//! is a part.
//!
//! Of several calls the last one matters. What tests cannot set remains a limit: what is too large, and static variables are
//! taken to stay as they are.

use std::cell::RefCell;
use std::rc::Rc;

use clew_ir::{FunctionId, GlobalId, GlobalKind, Linkage};
use clew_library::verifier;

use super::access::STREAMS;
use crate::ending::{Limit, PathEnd};
use crate::memory::{ObjectId, Origin};
use crate::path::{Open, Path, Resume};
use crate::policy;
use crate::state::ExternalCall;
use crate::stepped::Step;
use crate::stepper::Stepper;

impl Stepper<'_> {
    /// A function of another file may change the variables that it can name, but for those that it is known to set.
    /// Functions of the C library do not.
    pub(super) fn havoc_globals(&mut self, path: &mut Path, id: FunctionId) {
        if self.program.is_library(id) || verifier::is_known(&self.program.functions[id].name) {
            return;
        }
        let touched = path.state.globals.iter().filter(|(global, _)| self.may_be_changed(**global));
        let is_set = |global: &GlobalId| path.state.external.changed.contains(global);
        let (set, havocked): (Vec<_>, Vec<_>) =
            touched.map(|(global, object)| (*global, *object)).partition(|it| is_set(&it.0));
        path.state.external.havocked.extend(havocked.into_iter().map(|(_, object)| object));
        for (_, object) in set {
            path.state.external.havocked.remove(&object);
        }
        let mut before = path.clone();
        before.state.step_back();
        before.state.external.last_call = None;
        path.state.external.last_call = Some(Rc::new(ExternalCall { path: before, opened: RefCell::default() }));
    }

    /// Whether a function of another file may change a variable.
    pub(super) fn may_be_changed(&self, global: GlobalId) -> bool {
        let data = &self.program.globals[global];
        let is_const = data.is_const || self.program.ctypes.is_const(data.ty);
        data.linkage == Linkage::External
            && data.kind == GlobalKind::Variable
            && !is_const
            && !data.is_errno()
            && !data.span.is_none()
            && !STREAMS.contains(&data.name.as_str())
    }

    /// Something is read that a function may have changed.
    pub(super) fn read_havocked(&mut self, path: &mut Path, object: ObjectId) -> Step {
        // What a function was told of may have been changed by other calls than the last that can name it.
        let global = match path.state.memory.get(object).origin {
            Origin::Global(global) if self.may_be_changed(global) && !path.state.external.escaped.contains(&object) => {
                global
            }
            _ => return self.limited(),
        };
        let is_small =
            self.program.globals[global].size <= policy::MAX_HAVOCKED_BYTES.get() && !self.is_open_ended(path, object);
        let Some(call) = path.state.external.last_call.clone().filter(|_| is_small) else { return self.limited() };
        path.state.external.havocked.remove(&object);
        if path.state.repeats {
            return Ok(());
        }
        if call.opened.borrow_mut().insert(global) {
            let mut state = call.path.state.clone();
            state.external.changed.insert(global);
            let (model, when) = (call.path.model.clone(), self.constraints.terms().bool(true));
            self.effects.forks.push(Open::new(state, model, when, Resume::Again));
        }
        if self.config.is_directed() { Ok(()) } else { Err(PathEnd::Contradiction) }
    }

    fn limited(&mut self) -> Step {
        self.effects.limits.insert(Limit::Stubs);
        Ok(())
    }
}
