//! Memory that is lost: allocated by the function under test, not released, and reachable from nothing when it returns.
//!
//! What the program still knows are its globals, the objects of the input, what it returns, and whatever pointers in
//! these lead to, at any offset; a number that is the address of an object counts as a pointer to it. A path on which
//! functions without a body were called says nothing, for they may have kept what they were given; nor does memory that
//! a model of the library allocates.

use std::collections::BTreeSet;

use clew_ir::{CheckId, CheckKind, FunctionId, Span};

use super::pointer::object_at;
use crate::config::Errors;
use crate::ending::Failure;
use crate::memory::{ObjectId, Origin};
use crate::path::Path;
use crate::state::State;
use crate::stepper::Stepper;
use crate::value::{Base, Scalar, Val};

impl Stepper<'_> {
    /// Reports what is lost when the function under test returns; every input of the path loses it.
    pub(crate) fn report_lost(&mut self, path: &Path, result: Option<Val>) {
        if self.config.errors != Errors::Report {
            return;
        }
        for (function, check, span) in self.lost(&path.state, result) {
            if !self.checks.failed.contains(&(function, check)) {
                let what = "what is allocated here is lost".to_owned();
                self.note(path, &path.model, Failure { function, check, what, span });
            }
        }
    }

    /// The allocations that are lost, each by its check.
    pub fn lost(&self, state: &State, result: Option<Val>) -> Vec<(FunctionId, CheckId, Span)> {
        let allocated = |(id, origin)| match origin {
            Origin::Allocated(span) => Some((id, span)),
            _ => None,
        };
        let alive = state.memory.iter().filter(|(_, object)| object.alive && !object.is_absent());
        let made: Vec<(ObjectId, Span)> = alive.filter_map(|(id, object)| allocated((id, object.origin))).collect();
        if made.is_empty() || state.inputs.stubs.iter().any(|answer| answer.fails.is_none()) {
            return Vec::new();
        }
        let known = reachable(state, result);
        let lost = made.iter().filter(|(id, _)| !known.contains(id));
        lost.filter_map(|(_, span)| self.allocation(*span)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The check of the call that allocates at a place.
    fn allocation(&self, span: Span) -> Option<(FunctionId, CheckId, Span)> {
        let own = self.program.functions.iter().filter(|(id, _)| !self.program.models.contains(id));
        for (id, function) in own {
            let insts = function.blocks.values().flat_map(|block| &block.insts).filter(|inst| inst.span == span);
            for inst in insts {
                if let Some(check) = inst.kind.check()
                    && function.checks[check].kind == CheckKind::Leak
                {
                    return Some((id, check, span));
                }
            }
        }
        None
    }
}

/// The objects that the program still knows.
fn reachable(state: &State, result: Option<Val>) -> BTreeSet<ObjectId> {
    let is_root = |origin| matches!(origin, Origin::Global(_) | Origin::Input(_));
    let roots = state.memory.iter().filter(|(_, object)| object.alive && is_root(object.origin)).map(|(id, _)| id);
    let mut waiting: Vec<ObjectId> = roots.chain(result.and_then(|val| target(state, val))).collect();
    let mut known = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if known.insert(id) {
            waiting.extend(state.memory.get(id).cells().filter_map(|(_, _, val)| target(state, val)));
        }
    }
    known
}

/// The object that a value leads to.
pub fn target(state: &State, val: Val) -> Option<ObjectId> {
    match val {
        Val::Pointer(pointer) => match pointer.base {
            Base::Object(id) => Some(id),
            _ => None,
        },
        Val::Scalar(Scalar::Known(number)) => object_at(number.bits).filter(|id| (id.0 as usize) < state.memory.len()),
        Val::Scalar(Scalar::Term(_)) => None,
    }
}
