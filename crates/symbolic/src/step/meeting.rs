//! Pointers of the input that meet. When an input is followed from the beginning, it is known which ones; they meet where the
//! path first looks behind them.

use std::rc::Rc;

use clew_solver::model::Model;

use crate::input::{self, Holder, Meeting, Root};
use crate::memory::Origin;
use crate::path::Path;
use crate::state::State;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::Scalar;

impl Stepper<'_> {
    /// Which pointers of a state meet.
    pub fn meetings(&mut self, state: &State, model: &Rc<Model>) -> Rc<[Meeting]> {
        let pointers = (0..).zip(state.inputs.pointers.iter());
        let meetings = pointers.filter_map(|(number, pointer)| {
            let target = pointer.target?;
            let holder = match (state.inputs.object(target).map(|object| object.root), state.memory.get(target).origin)
            {
                (Some(Root::Behind(owner)), _) if owner == number => return None,
                (Some(Root::Behind(owner)), _) => Holder::Pointer(state.inputs.pointers[owner as usize].name.clone()),
                (_, Origin::Global(global)) => Holder::Global(global),
                _ => return None,
            };
            let at = match pointer.at {
                Scalar::Known(value) => value.bits,
                Scalar::Term(term) => self.constraints.value(model, term),
            };
            Some(Meeting { name: pointer.name.clone(), holder, at })
        });
        meetings.collect()
    }

    /// Has a pointer that nothing has looked behind lead where its input says.
    pub(crate) fn meet(&mut self, path: &mut Path, number: u32) -> Step {
        let inputs = &path.state.inputs;
        let pointer = &inputs.pointers[number as usize];
        if pointer.target.is_some() {
            return Ok(());
        }
        let Some(meeting) = inputs.meetings.iter().find(|meeting| meeting.name == pointer.name).cloned() else {
            return Ok(());
        };
        let object = match &meeting.holder {
            Holder::Global(global) => self.global(path, *global)?,
            Holder::Pointer(name) => {
                let Some(holder) = inputs.pointers.iter().position(|other| other.name == *name) else { return Ok(()) };
                let (program, state) = (self.program, &mut path.state);
                let terms = self.constraints.terms();
                let looked = input::look_behind(program, terms, &mut state.memory, &mut state.inputs, holder as u32);
                let Some(looked) = looked else { return Ok(()) };
                looked.conditions.into_iter().try_for_each(|condition| self.assume(path, condition))?;
                looked.object
            }
        };
        let pointer = &mut path.state.inputs.pointers[number as usize];
        (pointer.target, pointer.at) = (Some(object), Scalar::int(self.program.target.pointer_width, meeting.at));
        Ok(())
    }
}
