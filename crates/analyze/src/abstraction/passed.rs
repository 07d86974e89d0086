//! Accesses that went well: what they reached is still there, as long as nothing may have ended its life.
//!
//! An access that fails ends the run. So the next one at the same address, a pointer in a cell and a form in bytes, does not
//! fail if neither of them changed and nothing was freed or left its scope since. What was written at once may be written
//! again, and read. Of what an allocation gave, whose size is known, all bytes may be written while it is known to be there.
//!
//! A pointer that was moved and checked leads into its object or one past its end. In an array of the input that has as many
//! elements as are needed, no access fails there.

use super::cell::{Key, Object};
use super::engine::Engine;
use super::form::Form;
use super::memory::Exposed;
use super::reads::{Anchor, anchored};
use super::transfer::Walk;
use super::value::{Abs, Targets};
use crate::policy;
use clew_ir::{Callee, FunctionId, InstKind, Operand};
use clew_library::Operation;
use std::collections::BTreeMap;

/// Numbers below are no addresses.
const FIRST_PAGE: i128 = 4096;

/// Where something was accessed.
type Address = (Anchor, Form);

/// How: so many bytes, or none where a pointer was only moved there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Access {
    bytes: u64,
    is_written: bool,
}

/// The accesses that are remembered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Passed {
    accesses: BTreeMap<Address, Access>,
}

impl Passed {
    /// Forgets what depends on cells.
    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Key) -> bool) {
        self.accesses
            .retain(|(anchor, form), _| !form.mentions(gone) && !matches!(anchor, Anchor::Held(key) if gone(key)));
    }

    /// Forgets what depends on cells that a write may change.
    pub(crate) fn written(&mut self, to: &Targets, exposed: &Exposed<'_>) {
        self.forget(&|key| to.objects.contains_key(&key.0) || to.any && exposed(key.0));
    }

    /// Forgets what was accessed in an object that begins or ends.
    pub(crate) fn renew(&mut self, object: Object) {
        self.accesses.retain(|(anchor, _), _| *anchor != Anchor::Object(object));
    }

    /// Forgets everything: something may have ceased to exist.
    pub(crate) fn end(&mut self) {
        self.accesses.clear();
    }

    /// What holds in both.
    pub(crate) fn merge(&self, other: &Passed) -> Passed {
        let both = |(address, access): (&Address, &Access)| {
            let there = other.accesses.get(address)?;
            let bytes = access.bytes.min(there.bytes);
            Some((address.clone(), Access { bytes, is_written: access.is_written && there.is_written }))
        };
        Passed { accesses: self.accesses.iter().filter_map(both).collect() }
    }

    fn note(&mut self, address: Address, access: Access) {
        if let Some(known) = self.accesses.get_mut(&address) {
            known.bytes = known.bytes.max(access.bytes);
            known.is_written |= access.is_written;
        } else if self.accesses.len() < policy::MAX_PROVEN_ACCESSES.size() {
            self.accesses.insert(address, access);
        }
    }

    /// Whether so many bytes were accessed at an address.
    fn includes(&self, address: &Address, bytes: u64) -> bool {
        self.accesses.get(address).is_some_and(|access| access.bytes >= bytes)
    }

    /// Whether something was accessed, or written, relative to an anchor.
    fn reaches(&self, anchor: Anchor, writes: bool) -> bool {
        let reaches = |access: &Access| access.bytes > 0 && (access.is_written || !writes);
        self.accesses.iter().any(|((known, _), access)| *known == anchor && reaches(access))
    }
}

impl<'p> Engine<'p> {
    /// Notes that an access went well.
    pub(crate) fn pass_access(&self, walk: &mut Walk<'p>, at: Operand, bytes: u64, is_written: bool) {
        let Some(address) = anchored(walk, at, self.program.target.pointer_width, policy::MAX_ADDRESS_DEPTH.small())
        else {
            return;
        };
        let is_near = address.1.terms.is_empty() && address.1.constant.abs() < FIRST_PAGE;
        if let (Anchor::Held(key), true) = (address.0, is_near)
            && let Some((_, Abs::Pointer(targets))) = walk.state.cells.get_mut(&key)
        {
            targets.null &= targets.any;
        }
        walk.state.passed.note(address, Access { bytes, is_written });
    }

    /// Whether so many bytes were accessed before.
    pub(crate) fn was_read(&self, walk: &Walk<'p>, at: Operand, bytes: u64) -> bool {
        let address = anchored(walk, at, self.program.target.pointer_width, policy::MAX_ADDRESS_DEPTH.small());
        address.is_some_and(|address| walk.state.passed.includes(&address, bytes))
    }

    /// Notes that a pointer was moved within its object, if that is checked.
    pub(crate) fn pass_move(&self, walk: &mut Walk<'p>, base: Operand, bytes: Operand) {
        let width = self.program.target.pointer_width;
        let Some((anchor, at)) =
            anchored(walk, base, width, policy::MAX_ADDRESS_DEPTH.small()).filter(|_| self.checks_moves)
        else {
            return;
        };
        if let Some(moved) = walk.form(bytes, true, width).and_then(|by| at.plus(&by)) {
            walk.state.passed.note((anchor, moved), Access { bytes: 0, is_written: false });
        }
    }

    /// Whether a pointer leads into its object or one past its end, for it was moved and checked, or lies in an array of
    /// the input.
    pub(crate) fn is_within(&self, walk: &Walk<'p>, pointer: Operand) -> bool {
        let Operand::Temp(temp) = pointer else { return false };
        let was_checked = matches!(walk.defined.get(&temp), Some(InstKind::Offset { check: Some(_), .. }));
        self.checks_moves && (was_checked || self.is_in_array(walk, pointer))
    }

    /// Notes that a cell was given such a pointer.
    pub(crate) fn pass_held(&self, walk: &mut Walk<'p>, key: Key) {
        walk.state.passed.note((Anchor::Held(key), Form::constant(0)), Access { bytes: 0, is_written: false });
    }

    /// Whether an address lies in an array of the input that has as many elements as are needed, and was moved there.
    pub(crate) fn was_moved_in_array(&self, walk: &Walk<'p>, address: Operand) -> bool {
        let width = self.program.target.pointer_width;
        let is_array = walk.pointer(address, width).array().is_some();
        is_array
            && anchored(walk, address, width, policy::MAX_ADDRESS_DEPTH.small())
                .is_some_and(|address| walk.state.passed.includes(&address, 0))
    }

    /// Whether something was accessed where a pointer that is moved leads.
    pub(crate) fn was_accessed(&self, walk: &Walk<'p>, base: Operand, bytes: Operand) -> bool {
        let width = self.program.target.pointer_width;
        let Some((anchor, at)) = anchored(walk, base, width, policy::MAX_ADDRESS_DEPTH.small()) else { return false };
        let moved = walk.form(bytes, true, width).and_then(|by| at.plus(&by));
        moved.is_some_and(|moved| walk.state.passed.includes(&(anchor, moved), 0))
    }

    /// Whether so many bytes may be written, for they, or others of the same object, were accessed before.
    pub(crate) fn may_write_again(&self, walk: &Walk<'p>, at: Operand, bytes: u64) -> bool {
        let width = self.program.target.pointer_width;
        let Some(address) = anchored(walk, at, width, policy::MAX_ADDRESS_DEPTH.small()) else { return false };
        let passed = &walk.state.passed;
        passed.includes(&address, bytes) && (is_variable(walk, address.0) || passed.reaches(address.0, true))
            || passed.reaches(address.0, false) && self.is_in_allocations(&walk.pointer(at, width), bytes)
    }

    /// Whether so many bytes lie in what allocations of known sizes gave, wherever a pointer leads.
    fn is_in_allocations(&self, targets: &Targets, bytes: u64) -> bool {
        let fits = |(object, offset): (&Object, &clew_solver::domain::int::IntDomain)| {
            let size = self.allocated_size(*object);
            size.is_some_and(|size| offset.unsigned_max() + u128::from(bytes) <= u128::from(size))
        };
        let only = !targets.any && !targets.null && targets.functions.is_empty() && !targets.objects.is_empty();
        only && targets.objects.iter().all(fits)
    }

    /// Whether a function allocates as many bytes as it is told.
    fn is_malloc(&self, id: FunctionId) -> bool {
        let function = &self.program.functions[id];
        let row = clew_library::lookup(&function.name).filter(|_| !function.is_defined());
        row.is_some_and(|row| row.operation() == Some(Operation::Malloc))
    }

    /// The bytes that an allocation asks for, if their number is a constant.
    fn allocated_size(&self, object: Object) -> Option<u64> {
        let (Object::Heap(id, dest) | Object::Once(id, dest)) = object else { return None };
        let insts = self.program.functions[id].blocks.values().flat_map(|block| &block.insts);
        let kinds = insts.map(|inst| &inst.kind).filter(|kind| kind.dest() == Some(dest));
        let mut sizes = kinds.map(|kind| match kind {
            InstKind::Call { callee: Callee::Direct(callee), args, .. } => match args.as_slice() {
                [Operand::Const(size)] if self.is_malloc(*callee) => u64::try_from(size.bits).ok(),
                _ => None,
            },
            _ => None,
        });
        sizes.next().flatten()
    }
}

/// Whether nothing lies there that the program calls constant: only globals are.
fn is_variable(walk: &Walk<'_>, anchor: Anchor) -> bool {
    let is_global = |object: &Object| matches!(object, Object::Global(_));
    match anchor {
        Anchor::Object(object) => !is_global(&object),
        Anchor::Held(key) => match walk.state.cells.get(&key) {
            Some((_, Abs::Pointer(targets))) => !targets.any && !targets.objects.keys().any(is_global),
            _ => false,
        },
    }
}
