//! Accesses and pointer arithmetic that cannot go wrong.
//!
//! An access is safe when its address is an offset, of known range, from a global, or from a variable that the function
//! names: a name is only used while its variable lives. What is read was written when its cell is known: a cell is known from the first
//! store, or from a read that was defined. Nor does an access go wrong at or after the beginning of an array of the input
//! that has as many elements as are needed (`inputs`), or between elements that the precondition calls valid
//! (`bounded`).

use super::cell::Object;
use super::engine::{Engine, Flow};
use super::form::Form;
use super::operator;
use super::state::range;
use super::transfer::Walk;
use super::value::{Abs, Targets};
use crate::policy;
use clew_ir::{CType, GlobalKind, InstKind, LocalId, Operand};
use clew_scalar::BinaryOp;
use clew_solver::domain::int::IntDomain;

/// Bytes that an array may have at most.
const FARTHEST: i128 = 1 << 62;

/// A pointer that moves by at most so many bytes at a time does not come as far in any run that ends.
const FARTHEST_STEP: i128 = 1 << 16;

impl<'p> Engine<'p> {
    /// Whether reading so many bytes is defined.
    pub(crate) fn is_safe_read(&self, walk: &Walk<'p>, from: Operand, bytes: u64) -> bool {
        let is_known = self.is_in_array(walk, from) || self.is_allowed(walk, from, bytes, false);
        if is_known || self.was_read(walk, from, bytes) || self.was_moved_in_array(walk, from) {
            return true;
        }
        let targets = walk.pointer(from, self.program.target.pointer_width);
        let written = |object: Object, at: &IntDomain| {
            let key = at.value().and_then(|at| u64::try_from(at).ok()).map(|at| (object, at));
            key.and_then(|key| walk.state.cells.get(&key)).is_some_and(|cell| cell.0 == bytes)
        };
        let only = !targets.any && !targets.null && targets.functions.is_empty() && !targets.objects.is_empty();
        let is_single = targets.objects.len() == 1 && is_named(walk, from);
        only && targets.objects.iter().all(|(object, at)| {
            let is_global = matches!(object, Object::Global(_));
            self.fits(*object, at, bytes)
                && (is_global || is_single || self.lives_on(*object))
                && (is_global || written(*object, at))
        })
    }

    /// Whether a variable exists as long as the outermost function runs.
    fn lives_on(&self, object: Object) -> bool {
        let Object::Local(depth, id, local) = object else { return false };
        let mut blocks = self.program.functions[id].blocks.iter();
        depth == 0
            && blocks.all(|(block, contents)| {
                contents.insts.iter().all(|inst| match inst.kind {
                    InstKind::Begin { local: other } => other != local || block == clew_ir::ENTRY,
                    InstKind::End { local: other } => other != local,
                    _ => true,
                })
            })
    }

    /// Whether writing so many bytes is defined.
    pub(crate) fn is_safe_write(&self, walk: &Walk<'p>, to: Operand, bytes: u64) -> bool {
        let targets = walk.pointer(to, self.program.target.pointer_width);
        let writable = |object: Object| match object {
            Object::Global(global) => {
                let data = &self.program.globals[global];
                data.kind == GlobalKind::Variable && !data.is_const && !self.program.ctypes.is_const(data.ty)
            }
            _ => true,
        };
        self.is_in_array(walk, to)
            || self.was_moved_in_array(walk, to)
            || self.is_allowed(walk, to, bytes, true)
            || self.may_write_again(walk, to, bytes)
            || self.inside(walk, to, &targets, bytes).is_some_and(|(object, _)| writable(object))
    }

    /// Whether a pointer that was moved by so many bytes, and then leads there, stays within its object or one past its
    /// end.
    pub(crate) fn is_safe_move(&self, walk: &Walk<'p>, base: Operand, bytes: Operand, moved: &Abs) -> bool {
        self.stays_in_array(walk, base, bytes).unwrap_or(false)
            || self.form_of_move(walk, base, bytes).is_some_and(|moved| self.lies(walk, &moved, 0, false))
            || self.was_accessed(walk, base, bytes)
            || matches!(moved, Abs::Pointer(targets) if self.inside(walk, base, targets, 0).is_some())
    }

    /// Whether an address lies in an array of the input that has as many elements as are needed.
    pub(crate) fn is_in_array(&self, walk: &Walk<'p>, address: Operand) -> bool {
        let at = self.place_in_array(walk, address);
        at.is_some_and(|(least, most)| least >= 0 && most <= FARTHEST)
    }

    /// How far an address is from the beginning of such an array.
    fn place_in_array(&self, walk: &Walk<'p>, address: Operand) -> Option<(i128, i128)> {
        let (_, at) = walk.pointer(address, self.program.target.pointer_width).array()?;
        range(&at, true)
    }

    /// Whether an address in such an array is moved within it.
    fn stays_in_array(&self, walk: &Walk<'p>, base: Operand, bytes: Operand) -> Option<bool> {
        let (least, most) = self.place_in_array(walk, base)?;
        let by = range(walk.value(bytes, self.program.target.pointer_width).int()?, true)?;
        let is_near = most + by.1 <= FARTHEST || most <= FARTHEST && by.1 <= FARTHEST_STEP;
        Some(least >= 0 && least + by.0 >= 0 && is_near)
    }

    /// Whether two addresses lie in one such array.
    pub(crate) fn share_array(&self, walk: &Walk<'p>, a: Operand, b: Operand) -> bool {
        let array = |operand| walk.pointer(operand, self.program.target.pointer_width).array().map(|(array, _)| array);
        array(a).is_some() && array(a) == array(b)
    }

    /// Takes for granted that a pointer which is moved in such an array does not come to the end of all addresses. It may
    /// well come before the beginning.
    pub(crate) fn keep_in_array(&self, walk: &Walk<'p>, base: Operand, bytes: Operand, moved: &mut Abs) {
        let by = walk.value(bytes, self.program.target.pointer_width);
        let by = by.int().and_then(|by| range(by, true));
        let (Some((least, most)), Some((back, on))) = (self.place_in_array(walk, base), by) else { return };
        let Abs::Pointer(targets) = moved else { return };
        let Some(at) = targets.objects.values_mut().next() else { return };
        let mut inside = *at;
        if on <= FARTHEST_STEP && inside.narrow_signed(least + back, (most + on).min(FARTHEST)).is_ok() {
            *at = inside;
        }
    }

    /// Whether so many bytes lie between elements that the precondition calls valid.
    fn is_allowed(&self, walk: &Walk<'p>, address: Operand, bytes: u64, writes: bool) -> bool {
        self.form_in_stretch(walk, address).is_some_and(|at| self.lies(walk, &at, bytes, writes))
    }

    /// The same of bytes at a distance from what a variable points to.
    fn lies(&self, walk: &Walk<'p>, (local, at): &(LocalId, Form), bytes: u64, writes: bool) -> bool {
        let holds = |form: Option<Form>| {
            let Some(form) = form.map(|form| form.simplified()) else { return false };
            self.templates.note(&form);
            walk.state.bounds(self.program, &form).is_some_and(|(_, most)| most <= 0)
        };
        let last = Form { constant: at.constant + i128::from(bytes), ..at.clone() };
        let mut stretches = self.bounded.get(local).into_iter().flatten();
        stretches.any(|stretch| {
            (stretch.is_writable || !writes) && holds(stretch.begin.minus(at)) && holds(last.minus(&stretch.end))
        })
    }

    /// Takes for granted that bytes which were accessed lie between the elements that there are, where the precondition says
    /// how many.
    pub(crate) fn stay_in_stretch(&self, walk: &mut Walk<'p>, address: Operand, bytes: u64) -> Flow {
        let Some((local, at)) = self.form_in_stretch(walk, address) else { return Ok(()) };
        let mut stretches = self.bounded.get(&local).into_iter().flatten();
        let Some(stretch) = stretches.find(|stretch| stretch.is_whole) else { return Ok(()) };
        let last = Form { constant: at.constant + i128::from(bytes), ..at.clone() };
        for within in [Some(at.negated()), last.minus(&stretch.end)].into_iter().flatten() {
            walk.state.assume(self.program, &within.simplified())?;
        }
        Ok(())
    }

    /// The variable from whose pointer an address is computed, and how far it is from there.
    fn form_in_stretch(&self, walk: &Walk<'p>, address: Operand) -> Option<(LocalId, Form)> {
        let Operand::Temp(temp) = address else { return None };
        match walk.defined.get(&temp)? {
            InstKind::Load { from: Operand::Local(local), .. } => {
                (walk.depth == 0 && self.bounded.contains_key(local)).then(|| (*local, Form::constant(0)))
            }
            InstKind::Offset { base, bytes, .. } => self.form_of_move(walk, *base, *bytes),
            _ => None,
        }
    }

    fn form_of_move(&self, walk: &Walk<'p>, base: Operand, bytes: Operand) -> Option<(LocalId, Form)> {
        let (local, at) = self.form_in_stretch(walk, base)?;
        let by = walk.form(bytes, true, self.program.target.pointer_width)?;
        Some((local, at.plus(&by)?))
    }

    /// Takes for granted that a pointer from a variable that the function names stays within it or one past its end.
    pub(crate) fn stay_inside(&self, walk: &mut Walk<'p>, base: Operand, bytes: Operand) -> Flow {
        let width = self.program.target.pointer_width;
        let targets = walk.pointer(base, width);
        let (Some((object, offset)), true) = (targets.objects.first_key_value(), is_named(walk, base)) else {
            return Ok(());
        };
        let only = !targets.any && !targets.null && targets.functions.is_empty() && targets.objects.len() == 1;
        let Some(size) = self.size(*object).filter(|_| only) else { return Ok(()) };
        let mut moved = IntDomain::top(width);
        moved.narrow_signed(0, i128::from(size))?;
        let (mut moved, mut offset, mut by) = (Abs::Int(moved), Abs::Int(*offset), walk.value(bytes, width));
        operator::binary(BinaryOp::Add, &mut moved, &mut offset, &mut by)?;
        self.narrow(walk, bytes, &by, policy::MAX_CONDITION_DEPTH.small())?;
        Ok(())
    }

    /// The object into which all of some bytes lie, and how far they begin in it.
    fn inside(&self, walk: &Walk<'p>, named: Operand, targets: &Targets, bytes: u64) -> Option<(Object, IntDomain)> {
        let (&object, offset) = targets.objects.first_key_value()?;
        let only = !targets.any && !targets.null && targets.functions.is_empty() && targets.objects.len() == 1;
        let fits = self.fits(object, offset, bytes);
        let lives = matches!(object, Object::Global(_)) || is_named(walk, named);
        (only && fits && lives).then_some((object, *offset))
    }

    /// Whether so many bytes lie in an object of known size.
    fn fits(&self, object: Object, offset: &IntDomain, bytes: u64) -> bool {
        let Some((least, most)) = range(offset, true) else { return false };
        let size = if self.is_open_ended(object) { Some(FARTHEST) } else { self.size(object).map(i128::from) };
        least >= 0 && size.is_some_and(|size| most + i128::from(bytes) <= size)
    }

    /// Whether an object is an array that the program declares without saying how long it is.
    fn is_open_ended(&self, object: Object) -> bool {
        let Object::Global(global) = object else { return false };
        let data = &self.program.globals[global];
        let CType::Array { of, .. } = *self.program.ctypes.get(data.ty) else { return false };
        let element = self.program.ctypes.size_of(of, self.program.target.pointer_bytes()).unwrap_or(0);
        let is_declared = data.init.is_none() && data.address.is_none() && element > 0;
        is_declared && data.size == clew_ir::OPEN_BYTES / element * element
    }

    fn size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Local(_, function, local) => Some(self.program.functions[function].locals[local].size),
            Object::Global(global) => {
                self.program.globals[global].init.is_some().then(|| self.program.globals[global].size)
            }
            Object::Param(..) | Object::Result(..) | Object::Heap(..) | Object::Once(..) => None,
            Object::Input(_) | Object::Shared => None,
        }
    }
}

/// Whether an address is computed in this block from the name of a variable.
fn is_named(walk: &Walk<'_>, address: Operand) -> bool {
    match address {
        Operand::Local(_) | Operand::Global(..) => true,
        Operand::Temp(temp) => match walk.defined.get(&temp) {
            Some(InstKind::Offset { base, .. }) => is_named(walk, *base),
            _ => false,
        },
        _ => false,
    }
}
