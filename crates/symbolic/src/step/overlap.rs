//! Inputs that overlap where that shows in what is read after a write.
//!
//! Behind each pointer of the input lies an object of its own, and that two lead into one is tried where the program compares
//! them ([`super::alias`]). Where the configuration says so ([`Overlap::Read`]), it is also tried where a read of one object
//! could see what was written through another: the later pointer then leads to where the read and the write meet, or the
//! earlier one does if only that fits the types. The path on which they meet is left open from the instruction that first
//! looked behind the pointer.
//!
//! Tried are places at which a written scalar is exactly what is read, or a byte of it. Of one object, a few written places
//! are tried and then any element. So a path that is not found here may exist all the same: nothing is proved by it.

use std::collections::BTreeMap;

use clew_solver::clock;

use super::access::CheckedPlace;
use super::alias::Kinship;
use crate::config::Overlap;
use crate::input::Root;
use crate::memory::ObjectId;
use crate::policy;
use crate::value::{Base, Pointer, Scalar, Val};
use crate::{Path, Stepper};

/// What looking at a part of the input costs on the clock of work.
const PART: u64 = 20;

/// A place in an object.
type Spot = (ObjectId, Scalar);

/// Two places in objects of the input, the later one behind the pointer of that number.
struct Aged {
    number: u32,
    late: Spot,
    early: Spot,
}

impl Stepper<'_> {
    /// Leaves open that a read of so many bytes sees what was written through another input.
    pub(super) fn relate_inputs(&mut self, path: &Path, place: &CheckedPlace, bytes: u64) {
        if self.config.overlap == Overlap::Compared || path.state.repeats || path.state.guard {
            return;
        }
        if self.element_of(path, place.object).is_none() {
            return;
        }
        let is_behind = self.leads(path, place.object).is_some();
        let roots = path.state.inputs.objects.iter().filter(|other| match other.root {
            Root::Behind(_) => other.object != place.object,
            Root::Global(_) => is_behind && other.object != place.object,
            _ => false,
        });
        for other in roots.map(|other| other.object).collect::<Vec<_>>() {
            self.relate_to(path, (place.object, place.offset), bytes, other);
        }
    }

    /// The same for what is copied, by the parts of it that are known.
    pub(super) fn relate_copied(&mut self, path: &Path, place: &CheckedPlace, bytes: u64) {
        let Some(from) = place.offset.bits().filter(|_| self.config.overlap != Overlap::Compared) else { return };
        let within = |at: u64| u128::from(at) >= from && u128::from(at) < from + u128::from(bytes);
        let cells = path.state.memory.get(place.object).cells().filter(|(at, ..)| within(*at));
        let width = self.program.target.pointer_width;
        for (at, size, _) in cells.take(policy::MAX_OVERLAP_PARTS.size()).collect::<Vec<_>>() {
            let part = CheckedPlace { offset: Scalar::int(width, u128::from(at)), ..*place };
            self.relate_inputs(path, &part, size);
        }
    }

    fn relate_to(&mut self, path: &Path, read: Spot, bytes: u64, other: ObjectId) {
        let mut written = written(path, other);
        written.retain(|(_, size)| *size == bytes || *size == 1 || bytes == 1);
        if written.is_empty() {
            return;
        }
        let near = read.1.bits();
        written.sort_by_key(|(at, _)| near.map_or(0, |near| near.abs_diff(u128::from(*at))));
        let width = self.program.target.pointer_width;
        for (at, _) in written.iter().take(if near.is_some() { policy::MAX_OVERLAP_PLACES.size() } else { 1 }) {
            self.leave_overlap_open(path, read, (other, Scalar::int(width, u128::from(*at))));
        }
        if written.len() > policy::MAX_OVERLAP_PLACES.size() {
            self.leave_any_open(path, read.0, other);
        }
    }

    /// Leaves open that two places are one.
    fn leave_overlap_open(&mut self, path: &Path, one: Spot, other: Spot) {
        let Some(Aged { number, late, early }) = self.by_age(path, one, other) else { return };
        let distance = self.place_for(path, number, pointer(late), pointer(early));
        let known = distance.known();
        let element = self.element_of(path, early.0);
        let is_kin = element.is_some_and(|element| {
            self.kinship_of(element, &path.state.inputs.pointers[number as usize], known) != Kinship::None
        });
        if !is_kin || known.is_some_and(|at| at.signed() < 0) {
            self.leave_member_open(path, (early.0, pointer(early)), (number, pointer(late)));
            return;
        }
        let Some(before) = path.state.inputs.pointers[number as usize].before.clone() else {
            self.leave_entry_open(path, number, early.0, Some(distance));
            return;
        };
        if before.overlapped.borrow_mut().insert((early.0, distance.bits())) {
            self.leave_alias_open(path, &before, number, early.0, known.map(Scalar::Known));
        }
    }

    /// Leaves open that one object begins at any element of the other.
    fn leave_any_open(&mut self, path: &Path, one: ObjectId, other: ObjectId) {
        let zero = Scalar::int(self.program.target.pointer_width, 0);
        let Some(Aged { number, early, .. }) = self.by_age(path, (one, zero), (other, zero)) else { return };
        let Some(before) = path.state.inputs.pointers[number as usize].before.clone() else { return };
        let is_kin = self.element_of(path, early.0).is_some_and(|element| {
            self.kinship_of(element, &path.state.inputs.pointers[number as usize], None) != Kinship::None
        });
        if is_kin && before.overlapped.borrow_mut().insert((early.0, None)) {
            self.leave_alias_open(path, &before, number, early.0, None);
        }
    }

    /// Which of two objects came into being later, with the pointer that leads there.
    fn by_age(&self, path: &Path, one: Spot, other: Spot) -> Option<Aged> {
        let (number, late, early) = match (self.leads(path, one.0), self.leads(path, other.0)) {
            (Some(_), Some(number)) if one.0 < other.0 => (number, other, one),
            (Some(number), _) => (number, one, other),
            (None, Some(number)) => (number, other, one),
            (None, None) => return None,
        };
        Some(Aged { number, late, early })
    }
}

fn pointer((object, offset): Spot) -> Pointer {
    Pointer { base: Base::Object(object), offset }
}

/// The parts of an object of the input that do not hold what they held on entry, with their sizes.
fn written(path: &Path, object: ObjectId) -> Vec<(u64, u64)> {
    let memory = path.state.memory.get(object);
    if memory.cells().next().is_none() {
        return Vec::new();
    }
    clock::spend(PART * path.state.inputs.leaves.len() as u64);
    let leaves = path.state.inputs.leaves.iter().filter(|leaf| leaf.object == object);
    let on_entry: BTreeMap<u64, (u64, Val)> = leaves.map(|leaf| (leaf.at, (leaf.bytes, leaf.val))).collect();
    let is_written = |(at, size, val): &(u64, u64, Val)| on_entry.get(at) != Some(&(*size, *val));
    memory.cells().filter(is_written).map(|(at, size, _)| (at, size)).collect()
}
