//! Aliases among the pointers of the input.
//!
//! Behind an input pointer lies an object of its own, as in lazy initialisation (Khurshid, Pasareanu, Visser 2003), but
//! aliases are tried only by need: when the program compares, orders or subtracts pointers into two different objects of
//! the input, the path on which the later pointer leads into the earlier object is left open, from the instruction that
//! first looked behind it. Pointers that are ordered or subtracted must belong to one object, so the path on which they
//! do not is not gone on with.
//!
//! Not tried: aliases that only show in what is read after a write, objects of different types, and pointers with
//! elements before them. Where pointers are ordered the last matters, so nothing is said to be infeasible then.

use std::cell::RefCell;
use std::rc::Rc;

use clew_ir::{CType, CTypeId};
use clew_scalar::BinaryOp;
use clew_solver::term::Sort;

use super::Step;
use crate::ending::Limit;
use crate::input::{Before, Root};
use crate::memory::{Extent, ObjectId, Origin};
use crate::value::{self, Base, Pointer, Scalar};
use crate::{Explorer, Open, Path, Resume};

/// How pointers into two objects of the input were used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Compared for equality.
    Equality,
    /// Ordered or subtracted.
    Order,
}

impl Explorer<'_> {
    /// Remembers the path before it first looks behind a pointer.
    pub(super) fn keep_before(&mut self, path: &mut Path, number: u32) {
        let pointer = &path.state.inputs.pointers[number as usize];
        let is_late = pointer.target.is_some() || pointer.fixed.is_some() || pointer.before.is_some();
        if is_late || path.state.frames.is_empty() || path.state.frame().next == 0 {
            return;
        }
        let mut before = path.clone();
        before.state.frame_mut().next -= 1;
        let before = Before { path: before, opened: RefCell::default() };
        path.state.inputs.pointers[number as usize].before = Some(Rc::new(before));
    }

    /// A pointer of which it is known whether it is null; where it may be either, the other way is left open.
    pub(super) fn null_or_not(&mut self, path: &mut Path, pointer: Pointer) -> Step<Pointer> {
        let Base::Input(number) = pointer.base else { return Ok(pointer) };
        let input = &path.state.inputs.pointers[number as usize];
        if input.target.is_some() || input.fixed.is_some() {
            return Ok(pointer);
        }
        let null = Scalar::of(self.constraints.terms(), input.null);
        Ok(match self.make_known(path, null)? {
            0 => pointer,
            _ => Pointer { base: Base::Absolute, offset: pointer.offset },
        })
    }

    /// Leaves open that two pointers into different objects lead into one. Says whether they may.
    pub(super) fn may_alias(&mut self, path: &Path, a: Pointer, b: Pointer, how: Use) -> bool {
        let (Base::Object(one), Base::Object(other)) = (a.base, b.base) else { return false };
        let (late, early, late_pointer, early_pointer) = match (self.leads(path, one), self.leads(path, other)) {
            (Some(a_number), Some(b_number)) if a_number < b_number => (b_number, one, b, a),
            (Some(number), _) => (number, other, a, b),
            (None, Some(number)) => (number, one, b, a),
            (None, None) => return false,
        };
        if how == Use::Order {
            // The earlier pointer might lead into the middle of the later one's object, which is not tried.
            self.limits.insert(Limit::Alias);
        }
        let pointee = path.state.inputs.pointers[late as usize].pointee;
        match self.element_of(path, early) {
            None => return false,
            Some(element) if !self.compatible(element, pointee) => {
                self.limits.insert(Limit::Alias);
                return false;
            }
            Some(_) => {}
        }
        let Some(before) = path.state.inputs.pointers[late as usize].before.clone() else {
            self.limits.insert(Limit::Alias);
            return true;
        };
        if before.opened.borrow_mut().insert(early) {
            let distance =
                value::binary(self.constraints.terms(), BinaryOp::Sub, early_pointer.offset, late_pointer.offset);
            let at = distance.known().filter(|_| how == Use::Equality).map(Scalar::Known);
            self.leave_alias_open(&before, late, early, at);
        }
        true
    }

    /// The pointer that an object of the input lies behind.
    fn leads(&self, path: &Path, object: ObjectId) -> Option<u32> {
        match path.state.inputs.object(object)?.root {
            Root::Behind(number) => Some(number),
            _ => None,
        }
    }

    /// The type of the elements of an object that a pointer of the input may lead into.
    fn element_of(&self, path: &Path, object: ObjectId) -> Option<CTypeId> {
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

    fn compatible(&self, element: CTypeId, pointee: CTypeId) -> bool {
        let ctypes = &self.program.ctypes;
        let is_void = matches!(ctypes.get(pointee), CType::Void);
        is_void || ctypes.get(element) == ctypes.get(pointee)
    }

    /// Leaves open the path on which a pointer leads into an object: at a place, or at any element.
    fn leave_alias_open(&mut self, before: &Before, number: u32, object: ObjectId, at: Option<Scalar>) {
        let mut state = before.path.state.clone();
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
        self.open.push(Open { state, model: before.path.model.clone(), when, resume: Resume::Again, tries: 0 });
    }
}
