//! The state of the call, seen from later: what `\old` and `\at(..., Pre)` read.
//!
//! The input is what it was: every part that was looked at has its variable, and what was not is still there to be looked
//! at. So the memory of the call is the present one with the input put back. Parts looked at for the first time in that
//! memory become known to the present state too.

use crate::memory::{Background, Memory, ObjectId, Origin};
use crate::path::Path;
use crate::scope::{Scope, When, unsupported};
use crate::stepped::Step;
use crate::stepper::Stepper;

impl Stepper<'_> {
    /// Does something in the memory of the call.
    pub fn at_entry<T>(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        work: impl FnOnce(&mut Self, &mut Path, &Scope) -> Step<T>,
    ) -> Step<T> {
        match scope.when {
            When::Entry => return work(self, path, scope),
            When::InCallee => return unsupported("the state in which a callee was called"),
            When::Later => {}
        }
        let (objects, leaves) = (path.state.memory.len(), path.state.inputs.leaves.len());
        let entry = self.entry_memory(path)?;
        let now = std::mem::replace(&mut path.state.memory, entry);
        let result = work(self, path, &Scope { when: When::Entry, ..scope.clone() });
        let entry = std::mem::replace(&mut path.state.memory, now);
        for index in objects..entry.iter().count() {
            path.state.memory.push(entry.get(ObjectId(index as u32)).clone());
        }
        for index in leaves..path.state.inputs.leaves.len() {
            let leaf = path.state.inputs.leaves[index];
            if (leaf.object.0 as usize) < objects {
                let written = self.overwritten(path, leaf.object, leaf.at, leaf.bytes);
                self.store_at(path, leaf.object, leaf.at, leaf.bytes, leaf.val)?;
                written.into_iter().try_for_each(|(at, byte)| self.store_at(path, leaf.object, at, 1, byte))?;
            }
        }
        result
    }

    /// The memory as it was at the call.
    fn entry_memory(&mut self, path: &Path) -> Step<Memory> {
        let mut memory = path.state.memory.clone();
        let inputs = &path.state.inputs;
        let ids: Vec<ObjectId> = memory.iter().map(|(id, _)| id).collect();
        for id in ids {
            let object = memory.get_mut(id);
            match object.origin {
                Origin::Input(_) => object.revive(Background::Input),
                Origin::Global(_) if inputs.object(id).is_some() => object.revive(Background::Input),
                Origin::Global(global) => object.revive(Background::Image(global)),
                Origin::Local(..) | Origin::Allocated(_) => {}
            }
        }
        for leaf in &inputs.leaves {
            let stored = memory.get_mut(leaf.object).store(self.constraints.terms(), leaf.at, leaf.bytes, leaf.val);
            stored.expect("parts of the input that overlap are integers");
        }
        Ok(memory)
    }
}
