//! Structures around what a pointer of the input leads to.
//!
//! Where the program looks before a member, as `container_of` does, the pointer leads into a structure that has such a
//! member there. Where it accesses something behind a structure that cannot be the next element of an array, the pointer
//! leads to the first member of a larger structure, as in C's way to derive one type from another. Which structure that is
//! shows in what the program accesses; those that fit are tried one after the other.

use std::rc::Rc;

use clew_ir::{CType, CTypeId, Operand, Type};

use crate::ending::{Limit, PathEnd};
use crate::input::leaf;
use crate::memory::Extent;
use crate::path::{Open, Path, Resume};
use crate::policy;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Base, Pointer, Scalar};

impl Stepper<'_> {
    /// A pointer before what a pointer of the input leads to: the latter then leads to a member of a structure.
    pub(super) fn look_before(&mut self, path: &mut Path, pointer: Pointer) -> Step {
        let Some(offset) = pointer.offset.known().map(|offset| offset.signed()).filter(|offset| *offset < 0) else {
            return Ok(());
        };
        let number = match pointer.base {
            Base::Input(number) => Some(number),
            Base::Object(object) => self.leads(path, object),
            _ => None,
        };
        let Some(number) = number.map(|number| number as usize) else { return Ok(()) };
        let input = &path.state.inputs.pointers[number];
        if input.container.is_some() || input.at.bits() != Some(0) {
            return Ok(());
        }
        let containers = self.containers(input.pointee, offset.unsigned_abs());
        let Some((first, others)) = containers.split_first() else { return Ok(()) };
        let at = Scalar::int(self.program.target.pointer_width, offset.unsigned_abs());
        if input.target.is_none() {
            let input = &mut path.state.inputs.pointers[number];
            (input.container, input.at) = (Some(*first), at);
            return Ok(());
        }
        self.effects.limits.insert(Limit::Alias);
        let Some(before) = input.before.clone() else { return Ok(()) };
        for container in others.iter().rev().chain([first]) {
            let mut state = before.path.state.clone();
            let input = &mut state.inputs.pointers[number];
            (input.container, input.at) = (Some(*container), at);
            let when = self.constraints.terms().bool(true);
            self.effects.forks.push(Open::new(state, before.path.model.clone(), when, Resume::Again));
        }
        Err(PathEnd::Contradiction)
    }

    /// The structures that have a structure of a type so many bytes from their beginning.
    fn containers(&self, member: CTypeId, at: u128) -> Vec<CTypeId> {
        let ctypes = &self.program.ctypes;
        let CType::Record(own) = ctypes.get(member) else { return Vec::new() };
        let holds = |id: CTypeId| {
            matches!(&ctypes.types[id], CType::Record(record) if record != own && ctypes.records[*record].is_complete)
                && leaf::has_member(ctypes, self.program.target, id, at as u64, member)
        };
        ctypes.types.ids().filter(|id| holds(*id)).take(policy::MAX_CONTAINERS.size()).collect()
    }

    /// An access behind the structure that a pointer of the input leads to: it may be the first member of a larger one.
    pub(super) fn look_beyond(&mut self, path: &mut Path, at: Operand, ty: Type) -> Step {
        let pointer = self.pointer(path, at)?;
        let Some(offset) = pointer.offset.bits().and_then(|offset| u64::try_from(offset).ok()) else { return Ok(()) };
        let Some(number) = self.leads_to_one(path, pointer, offset) else { return Ok(()) };
        let input = &path.state.inputs.pointers[number as usize];
        let (pointee, whole) = (input.pointee, input.container.unwrap_or(input.pointee));
        if input.fixed.is_some() || input.at.bits() != Some(0) || self.has_part(whole, offset, ty, true) {
            return Ok(());
        }
        let larger = self.larger(pointee);
        let fits = |id: &&CTypeId| **id != whole && self.has_part(**id, offset, ty, false);
        let fitting: Vec<CTypeId> = larger.iter().filter(fits).take(policy::MAX_CONTAINERS.size()).copied().collect();
        self.try_containers(path, number, &fitting)
    }

    /// The pointer of the input behind which an access at an offset lies, if that may not be in what it is declared to lead
    /// to.
    fn leads_to_one(&self, path: &Path, pointer: Pointer, offset: u64) -> Option<u32> {
        match pointer.base {
            Base::Input(number) => Some(number),
            Base::Object(object) => match path.state.memory.get(object).extent {
                Extent::Elements { element, fixed: false, .. }
                    if offset >= element || !self.caches.larger.is_empty() =>
                {
                    self.leads(path, object)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a structure, or an array of such, has a scalar of a type at an offset.
    fn has_part(&self, structure: CTypeId, offset: u64, ty: Type, repeated: bool) -> bool {
        let (ctypes, target) = (&self.program.ctypes, self.program.target);
        let Some(size) = ctypes.size_of(structure, target.pointer_bytes()).filter(|size| *size > 0) else {
            return true;
        };
        let at = if repeated { offset % size } else { offset };
        let wanted = leaf::Wanted { at, bytes: ty.bytes(target.pointer_width), pointer: ty == Type::Pointer };
        at < size && leaf::fits(ctypes, target, structure, wanted)
    }

    /// The structures that begin with a structure.
    fn larger(&mut self, first: CTypeId) -> Rc<[CTypeId]> {
        let ctypes = &self.program.ctypes;
        let CType::Record(own) = ctypes.get(first) else { return Rc::default() };
        let begins = |id: &CTypeId| {
            matches!(&ctypes.types[*id], CType::Record(record) if record != own && !ctypes.records[*record].is_union)
                && leaf::has_member(ctypes, self.program.target, *id, 0, first)
        };
        let found = || ctypes.types.ids().filter(begins).collect();
        Rc::clone(self.caches.larger.entry(first).or_insert_with(found))
    }

    /// Has a pointer of the input lead to the first member of each of some structures. Where the path has already looked
    /// behind the pointer, it does not go on: others do, from before it looked.
    fn try_containers(&mut self, path: &mut Path, number: u32, containers: &[CTypeId]) -> Step {
        let Some((first, others)) = containers.split_first() else { return Ok(()) };
        let input = &path.state.inputs.pointers[number as usize];
        self.effects.limits.insert(Limit::Alias);
        if input.target.is_none() {
            let mut here = path.clone();
            here.state.step_back();
            others.iter().rev().for_each(|container| self.leave_container_open(&here, number, *container));
            path.state.inputs.pointers[number as usize].container = Some(*first);
            return Ok(());
        }
        let Some(before) = input.before.clone() else { return Ok(()) };
        let new: Vec<CTypeId> =
            containers.iter().copied().filter(|container| before.containers.borrow_mut().insert(*container)).collect();
        new.iter().rev().for_each(|container| self.leave_container_open(&before.path, number, *container));
        Err(PathEnd::Contradiction)
    }

    fn leave_container_open(&mut self, path: &Path, number: u32, container: CTypeId) {
        let mut state = path.state.clone();
        state.inputs.pointers[number as usize].container = Some(container);
        let when = self.constraints.terms().bool(true);
        self.effects.forks.push(Open::new(state, path.model.clone(), when, Resume::Again));
    }
}
