//! Aliases among the pointers of the input.
//!
//! Behind an input pointer lies an object of its own, as in lazy initialisation (Khurshid, Pasareanu, Visser 2003), but
//! aliases are tried only by need: when the program compares, orders or subtracts pointers into two different objects of
//! the input, the path on which the later pointer leads into the earlier object is left open, from the instruction that
//! first looked behind it. Pointers that are ordered or subtracted must belong to one object, so the path on which they
//! do not is not gone on with. Real programs do order pointers into different buffers, of characters of different kinds
//! above all: there both ways are.
//!
//! A pointer may lead to a member of another object ([`super::container`] has those of which the program shows nothing else).
//! Where the program accesses elements before the one a pointer leads to, the pointer leads to a later element.
//!
//! Where pointers are ordered or subtracted, the earlier one is also tried some elements into its object, so that the later
//! one may lead before it.
//!
//! Aliases that only show in what is read after a write are the matter of [`super::overlap`]. Not tried: objects of other
//! types. How far before another pointer one may lead is bounded, so where pointers are ordered nothing is said to be
//! infeasible.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use clew_ir::{CType, CTypeId, CheckId, Span};
use clew_scalar::{BinaryOp, Value};
use clew_solver::term::Sort;

use crate::config::{Overlap, Validity};
use crate::ending::Limit;
use crate::input::{self, Before, InputPointer, Root, leaf};
use crate::memory::{Extent, ObjectId, Origin};
use crate::path::{Open, Path, Resume};
use crate::policy;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Base, Pointer, Scalar, Val};

/// How pointers into two objects of the input were used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Compared for equality.
    Equality,
    /// Ordered or subtracted.
    Order,
}

/// Whether pointers into two objects of the input may lead into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinship {
    /// Their types do not allow it, or one of them is no pointer of the input.
    None,
    /// Their types differ in nothing but being signed.
    Similar,
    /// They have the same type, or one of them is `void *`.
    Same,
}

impl Stepper<'_> {
    /// Remembers the path before it first looks behind a pointer.
    pub(super) fn keep_before(&mut self, path: &mut Path, number: u32) {
        let pointer = &path.state.inputs.pointers[number as usize];
        let is_late = pointer.target.is_some() || pointer.fixed.is_some() || pointer.before.is_some();
        if is_late || path.state.frames.is_empty() || path.state.frame().next == 0 {
            return;
        }
        let mut before = path.clone();
        before.state.step_back();
        let (opened, overlapped, containers) = (RefCell::default(), RefCell::default(), RefCell::default());
        let [untyped, numbered, placed] = [const { Cell::new(false) }; 3];
        let before = Before { path: before, opened, overlapped, containers, untyped, numbered, placed };
        path.state.inputs.pointers[number as usize].before = Some(Rc::new(before));
    }

    /// A pointer of which it is known whether it is null; where it may be either, the other way is left open.
    pub(super) fn null_or_not(&mut self, path: &mut Path, pointer: Pointer) -> Step<Pointer> {
        let Base::Input(number) = pointer.base else { return Ok(pointer) };
        if let Some(offset) = self.as_number(path, pointer) {
            return Ok(Pointer { base: Base::Absolute, offset });
        }
        let input = &path.state.inputs.pointers[number as usize];
        if input.target.is_some() || input.fixed.is_some() {
            return Ok(pointer);
        }
        let null = Scalar::of(self.constraints.terms(), input.null);
        path.state.inputs.note_compared(number);
        Ok(match self.make_known(path, null)? {
            0 => pointer,
            _ => Pointer { base: Base::Absolute, offset: pointer.offset },
        })
    }

    /// Makes a pointer of the input that nothing has looked behind lead where another one does, and neither null; says whether it
    /// could.
    pub(crate) fn lead(&mut self, path: &mut Path, from: Pointer, to: Pointer) -> Step<bool> {
        let Base::Input(number) = from.base else { return Ok(false) };
        let pointer = &path.state.inputs.pointers[number as usize];
        let is_free = pointer.target.is_none() && pointer.fixed.is_none();
        if !is_free || from.base == to.base || !matches!(to.base, Base::Input(_) | Base::Object(_)) {
            return Ok(false);
        }
        let to = self.resolved(path, to)?;
        let Base::Object(object) = to.base else { return Ok(false) };
        let at = value::binary(self.constraints.terms(), BinaryOp::Sub, to.offset, from.offset);
        let pointer = &path.state.inputs.pointers[number as usize];
        let is_kin = self.element_of(path, object).is_some_and(|element| {
            at.known().is_some_and(|at| at.signed() >= 0)
                && self.kinship_of(element, pointer, at.known()) == Kinship::Same
        });
        if !is_kin {
            return Ok(false);
        }
        let not_null = self.constraints.terms().not(pointer.null);
        self.assume(path, not_null)?;
        // That both are null is left out.
        self.effects.limits.insert(Limit::Alias);
        let pointer = &mut path.state.inputs.pointers[number as usize];
        (pointer.target, pointer.at) = (Some(object), at);
        Ok(true)
    }

    /// Leaves open that two pointers into different objects lead into one. Says whether they may.
    pub(super) fn may_alias(&mut self, path: &Path, a: Pointer, b: Pointer, how: Use) -> Kinship {
        let (Base::Object(one), Base::Object(other)) = (a.base, b.base) else { return Kinship::None };
        let (late, early, late_pointer, early_pointer) = match (self.leads(path, one), self.leads(path, other)) {
            (Some(_), Some(b_number)) if one < other => (b_number, one, b, a),
            (Some(number), _) => (number, other, a, b),
            (None, Some(number)) => (number, one, b, a),
            (None, None) => return Kinship::None,
        };
        if how == Use::Order {
            // How far the later pointer may lead before the earlier one is bounded.
            self.effects.limits.insert(Limit::Alias);
        }
        let Some(element) = self.element_of(path, early) else {
            // The result of an external function may lead into what the function was given, which tests cannot have yet.
            if self.was_given(path, early) {
                self.effects.limits.insert(Limit::Alias);
            }
            return Kinship::None;
        };
        let distance = self.place_for(path, late, late_pointer, early_pointer);
        let at = distance.known().filter(|_| how == Use::Equality);
        let kinship = self.kinship_of(element, &path.state.inputs.pointers[late as usize], at);
        if kinship == Kinship::None {
            if how == Use::Order && self.leave_array_open(path, late, (early, early_pointer)) {
                return Kinship::Same;
            }
            if how == Use::Order || !self.leave_member_open(path, (early, early_pointer), (late, late_pointer)) {
                self.effects.limits.insert(Limit::Alias);
            }
            return kinship;
        }
        let Some(before) = path.state.inputs.pointers[late as usize].before.clone() else {
            if !self.leave_entry_open(path, late, early, at.map(Scalar::Known)) {
                self.effects.limits.insert(Limit::Alias);
            }
            return kinship;
        };
        if before.opened.borrow_mut().insert(early) {
            self.leave_alias_open(path, &before, late, early, at.map(Scalar::Known));
            if how == Use::Order {
                self.leave_further_open(path, early);
            }
        }
        kinship
    }

    /// Leaves open that the pointer before an object of the input leads some elements into it.
    fn leave_further_open(&mut self, path: &Path, object: ObjectId) -> Option<()> {
        let number = self.leads(path, object)?;
        let pointer = &path.state.inputs.pointers[number as usize];
        let before = pointer.before.clone().filter(|_| pointer.at.bits() == Some(0) && pointer.container.is_none())?;
        if !before.opened.borrow_mut().insert(object) {
            return None;
        }
        let mut state = before.path.state.clone();
        let (terms, width) = (self.constraints.terms(), self.program.target.pointer_width);
        let looked = input::look_behind(self.program, terms, &mut state.memory, &mut state.inputs, number)?;
        let Extent::Elements { element, count, fixed: false } = state.memory.get(looked.object).extent else {
            return None;
        };
        let enough = value::binary(terms, BinaryOp::Ule, Scalar::int(width, policy::MAX_ELEMENTS_BEFORE.wide()), count)
            .term(terms);
        let not_null = terms.not(state.inputs.pointers[number as usize].null);
        let conditions = looked.conditions.into_iter().chain([enough]);
        let when = conditions.fold(not_null, |all, one| terms.binary(BinaryOp::And, all, one));
        let pointer = &mut state.inputs.pointers[number as usize];
        pointer.at = Scalar::int(width, policy::MAX_ELEMENTS_BEFORE.wide() * u128::from(element));
        pointer.before = None;
        self.effects.forks.push(Open::new(state, before.path.model.clone(), when, Resume::Again));
        Some(())
    }

    /// Where in the object of `to` the pointer `number` of the input must lead for `from`, which comes from it, to equal
    /// `to`.
    pub(super) fn place_for(&mut self, path: &Path, number: u32, from: Pointer, to: Pointer) -> Scalar {
        let at = path.state.inputs.pointers[number as usize].at;
        let terms = self.constraints.terms();
        let moved = value::binary(terms, BinaryOp::Sub, from.offset, at);
        value::binary(terms, BinaryOp::Sub, to.offset, moved)
    }

    /// Leaves open that the earlier of two pointers leads to a member of what the later one leads to; says whether it
    /// could.
    pub(super) fn leave_member_open(&mut self, path: &Path, early: (ObjectId, Pointer), late: (u32, Pointer)) -> bool {
        let (Some(number), Base::Object(whole)) = (self.leads(path, early.0), late.1.base) else { return false };
        let Some(at) = self.place_for(path, number, early.1, late.1).known() else { return false };
        let Some(element) = self.element_of(path, whole) else { return false };
        let Some(before) = path.state.inputs.pointers[number as usize].before.clone() else {
            return self.leave_entry_open(path, number, whole, Some(Scalar::Known(at)));
        };
        let exists = (late.0 as usize) < before.path.state.inputs.pointers.len();
        let pointer = &path.state.inputs.pointers[number as usize];
        if !exists || self.kinship_of(element, pointer, Some(at)) == Kinship::None {
            return false;
        }
        if !before.opened.borrow_mut().insert(whole) {
            return true;
        }
        let mut state = before.path.state.clone();
        let terms = self.constraints.terms();
        let looked = input::look_behind(self.program, terms, &mut state.memory, &mut state.inputs, late.0);
        let Some(looked) = looked else { return false };
        let not_null = terms.not(state.inputs.pointers[late.0 as usize].null);
        let when = looked.conditions.into_iter().fold(not_null, |all, one| terms.binary(BinaryOp::And, all, one));
        let pointer = &mut state.inputs.pointers[number as usize];
        (pointer.target, pointer.at, pointer.before) = (Some(looked.object), Scalar::Known(at), None);
        self.effects.forks.push(Open::new(state, before.path.model.clone(), when, Resume::Again));
        true
    }

    /// Leaves open that a pointer leads into the array, a member of an earlier object, that another pointer leads into;
    /// says whether it could. So do the cursors of structures that hold their buffers.
    fn leave_array_open(&mut self, path: &Path, late: u32, (early, within): (ObjectId, Pointer)) -> bool {
        let (ctypes, target) = (&self.program.ctypes, self.program.target);
        let pointer = &path.state.inputs.pointers[late as usize];
        let (Some(offset), Some(before)) = (within.offset.bits(), pointer.before.clone()) else { return false };
        let size_of = |ty| ctypes.size_of(ty, target.pointer_bytes()).filter(|size| *size > 0).map(u128::from);
        let whole = self.element_of(path, early).and_then(|element| Some((element, size_of(element)?)));
        let (Some((element, size)), Some(step)) = (whole, size_of(pointer.pointee)) else { return false };
        let at = (offset % size) as u64;
        let Some((start, len)) = leaf::array_at(ctypes, target, element, at, pointer.pointee) else { return false };
        if !before.opened.borrow_mut().insert(early) {
            return true;
        }
        let mut earlier = before.path.clone();
        let Some(object) = self.earlier_object(path, early, &mut earlier) else { return false };
        let mut state = earlier.state;
        let (terms, width) = (self.constraints.terms(), target.pointer_width);
        let name = format!("index({})", state.inputs.pointers[late as usize].name);
        let index = Scalar::Term(state.inputs.variable(terms, &name, Sort::int(width)));
        let when = value::binary(terms, BinaryOp::Ule, index, Scalar::int(width, u128::from(len))).term(terms);
        let moved = value::binary(terms, BinaryOp::Mul, index, Scalar::int(width, step));
        let first = Scalar::int(width, offset - u128::from(at) + u128::from(start));
        let at = value::binary(terms, BinaryOp::Add, first, moved);
        let pointer = &mut state.inputs.pointers[late as usize];
        (pointer.target, pointer.at, pointer.before) = (Some(object), at, None);
        self.effects.forks.push(Open::new(state, before.path.model.clone(), when, Resume::Again));
        true
    }

    /// Leaves open that a pointer of the input leads to a later element of its object, so that an access before the
    /// element it leads to lies within. Says whether it may.
    pub(super) fn may_lead_further(&mut self, path: &Path, object: ObjectId, offset: i128) -> bool {
        let Extent::Elements { element, fixed: false, .. } = path.state.memory.get(object).extent else { return false };
        let Some(number) = self.leads(path, object) else { return false };
        let pointer = &path.state.inputs.pointers[number as usize];
        let elements = offset.unsigned_abs().div_ceil(u128::from(element));
        let (Some(before), Some(at)) = (pointer.before.clone(), pointer.at.bits()) else { return false };
        if offset >= 0 || elements > policy::MAX_ELEMENTS_BEFORE.wide() {
            return false;
        }
        self.effects.limits.insert(Limit::Alias);
        let at = at + elements * u128::from(element);
        let mut state = before.path.state.clone();
        let pointer = &mut state.inputs.pointers[number as usize];
        (pointer.at, pointer.before) = (Scalar::int(self.program.target.pointer_width, at), None);
        let when = self.constraints.terms().bool(true);
        self.effects.forks.push(Open::new(state, before.path.model.clone(), when, Resume::Again));
        true
    }

    /// An offset into an object of the input that grows is not before its beginning. That it is may be an error; and the
    /// pointer is tried some elements further on.
    pub(super) fn not_before(
        &mut self,
        path: &mut Path,
        object: ObjectId,
        offset: Scalar,
        check: CheckId,
        span: Span,
        what: &str,
    ) -> Step {
        if !self.may_be_negative(path, offset) {
            return Ok(());
        }
        match offset.known() {
            Some(known) => drop(self.may_lead_further(path, object, known.signed())),
            None => drop(self.leave_further_open(path, object)),
        }
        if !self.config.seeks_errors() {
            return Ok(());
        }
        let zero = Scalar::int(self.program.target.pointer_width, 0);
        let inside = value::binary(self.constraints.terms(), BinaryOp::Sle, zero, offset);
        self.demand(path, inside, check, span, what)
    }

    /// Whether an offset may be negative, as far as its range tells.
    pub(super) fn may_be_negative(&mut self, path: &Path, offset: Scalar) -> bool {
        match offset {
            Scalar::Known(value) => value.signed() < 0,
            Scalar::Term(term) => self.constraints.range(&path.state, term).is_some_and(|range| range.signed_min() < 0),
        }
    }

    /// Whether a pointer of the input must be shown to be valid: nothing is taken for granted of it. What functions without a
    /// body give is as they are declared.
    pub(crate) fn is_validity_demanded(&self, path: &Path, number: u32) -> bool {
        self.config.validity == Validity::Demanded && !is_given_by_stub(path, number)
    }

    /// Whether an object lies behind a pointer that the function is given as an argument.
    pub(super) fn is_behind_argument(&self, path: &Path, object: ObjectId) -> bool {
        let inputs = &path.state.inputs;
        let leads_there = |number: u32| move |val: Val| matches!(val, Val::Pointer(Pointer { base: Base::Input(n), .. }) if n == number);
        let Some(number) = self.leads(path, object) else { return false };
        let holds = leads_there(number);
        let leaf = inputs.leaves.iter().find(|leaf| holds(leaf.val));
        let root = leaf.and_then(|leaf| inputs.object(leaf.object)).map(|holder| holder.root);
        matches!(root, Some(Root::Parameter(_) | Root::Earlier(..)))
    }

    /// The pointer that an object of the input lies behind.
    pub(crate) fn leads(&self, path: &Path, object: ObjectId) -> Option<u32> {
        match path.state.inputs.object(object)?.root {
            Root::Behind(number) => Some(number),
            _ => None,
        }
    }

    /// The type of the elements of an object that a pointer of the input may lead into.
    pub(super) fn element_of(&self, path: &Path, object: ObjectId) -> Option<CTypeId> {
        let ctypes = &self.program.ctypes;
        if let Origin::Global(global) = path.state.memory.get(object).origin {
            let data = &self.program.globals[global];
            let element = match ctypes.get(data.ty) {
                CType::Array { of, .. } => *of,
                _ => data.ty,
            };
            return (data.kind == clew_ir::GlobalKind::Variable && !data.span.is_none()).then_some(element);
        }
        let input = path.state.inputs.object(object)?;
        matches!(input.root, Root::Behind(_)).then_some(input.element)
    }

    /// Whether a pointer may lead into an object of such elements, by what it is used for or declared to be.
    pub(super) fn kinship_of(&self, element: CTypeId, pointer: &InputPointer, at: Option<Value>) -> Kinship {
        match self.kinship(element, pointer.pointee, at) {
            Kinship::None => self.kinship(element, pointer.declared, at),
            kinship => kinship,
        }
    }

    /// Whether a pointer to `pointee` may lead into an object of such elements: at a place if that is known.
    fn kinship(&self, element: CTypeId, pointee: CTypeId, at: Option<Value>) -> Kinship {
        let ctypes = &self.program.ctypes;
        let is_void = matches!(ctypes.get(pointee), CType::Void);
        let leads_anywhere = match self.config.overlap {
            Overlap::Compared => false,
            Overlap::Read => matches!(ctypes.get(pointee), CType::Int { width: 8, .. }),
            Overlap::ReadAsAnyType => true,
        };
        let size = ctypes.size_of(element, self.program.target.pointer_bytes()).filter(|size| *size > 0);
        let is_member = at.zip(size).is_some_and(|(at, size)| {
            let at = at.signed().rem_euclid(i128::from(size)) as u64;
            leaf::has_member(ctypes, self.program.target, element, at, pointee)
        });
        match (ctypes.get(element), ctypes.get(pointee)) {
            (one, other) if is_void || one == other || is_member || leads_anywhere => Kinship::Same,
            (CType::Int { width: one, .. }, CType::Int { width: other, .. }) if one == other => Kinship::Similar,
            _ => Kinship::None,
        }
    }

    /// An object of a path on an earlier part of it, if it is there already or is a variable of the program.
    fn earlier_object(&mut self, path: &Path, object: ObjectId, earlier: &mut Path) -> Option<ObjectId> {
        match path.state.memory.get(object).origin {
            Origin::Global(global) => self.global(earlier, global).ok(),
            _ => ((object.0 as usize) < earlier.state.memory.len()).then_some(object),
        }
    }

    /// Leaves open the path on which a pointer leads into an object: at a place, or at any element.
    pub(super) fn leave_alias_open(
        &mut self,
        path: &Path,
        before: &Before,
        number: u32,
        object: ObjectId,
        at: Option<Scalar>,
    ) {
        let mut earlier = before.path.clone();
        let Some(object) = self.earlier_object(path, object, &mut earlier) else {
            self.effects.limits.insert(Limit::Alias);
            return;
        };
        let mut state = earlier.state;
        let extent = state.memory.get(object).extent;
        let terms = self.constraints.terms();
        let width = self.program.target.pointer_width;
        let (at, when) = match at {
            Some(at) => (at, terms.bool(true)),
            None => {
                let name = format!("index({})", state.inputs.pointers[number as usize].name);
                let index = state.inputs.variable(terms, &name, Sort::int(width));
                let (element, count) = match extent {
                    Extent::Elements { element, count, .. } => (element, count),
                    Extent::Bytes(bytes) => (1, Scalar::int(width, u128::from(bytes))),
                };
                let index = Scalar::Term(index);
                let within = value::binary(terms, BinaryOp::Ule, index, count).term(terms);
                let size = Scalar::int(width, u128::from(element));
                (value::binary(terms, BinaryOp::Mul, index, size), within)
            }
        };
        let pointer = &mut state.inputs.pointers[number as usize];
        (pointer.target, pointer.at, pointer.before) = (Some(object), at, None);
        self.effects.forks.push(Open::new(state, before.path.model.clone(), when, Resume::Again));
    }
}

/// Whether a pointer of the input is, or lies behind, what a function without a body gave.
fn is_given_by_stub(path: &Path, mut number: u32) -> bool {
    let inputs = &path.state.inputs;
    loop {
        let holds = |val: Val| matches!(val, Val::Pointer(Pointer { base: Base::Input(n), .. }) if n == number);
        let holder = inputs.leaves.iter().find(|leaf| holds(leaf.val)).and_then(|leaf| inputs.object(leaf.object));
        match holder.map(|holder| holder.root) {
            Some(Root::Stub) => return true,
            Some(Root::Behind(outer)) if outer < number => number = outer,
            _ => return false,
        }
    }
}
