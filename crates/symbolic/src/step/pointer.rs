//! Pointers: arithmetic, comparisons, addresses.
//!
//! A pointer keeps its base through additions, casts and memory. Pointers into one object compare by offset; a pointer
//! into an object never equals null or a pointer into another live object. The low bits of an address are those of the
//! offset and of where the object lies modulo 16, which is a part of the input that native execution takes over. So is the
//! order of objects of the input, which lie in memory as they were met. A pointer of the input that the program computes with
//! otherwise is a number ([`super::number`]). Only when a program does something else with an
//! address (hashes that of something it looks behind, orders it with that of a variable) does an object get an address:
//! fixed, and not the native one.
//! Paths of either kind prove nothing, and are left out where their execution goes another way.

use clew_execute::RESIDUES;
use clew_ir::{CheckId, Inst, InstKind, Span};
use clew_scalar::{BinaryOp, Value};
use clew_solver::term::{Sort, TermId};

use super::alias::{Kinship, Use};
use crate::config::{Allocations, Errors, Validity};
use crate::ending::{Limit, PathEnd};
use crate::input::{InputObject, Root};
use crate::memory::{Extent, ObjectId, Origin};
use crate::path::Path;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Base, Pointer, Scalar, Val};

/// Where the address of object 0 lies; the next objects follow at this distance.
const ADDRESS_STEP: u128 = 1 << 32;

/// Bytes that a pointer may lead beyond its object at most, and be ordered still.
const FARTHEST: u128 = 1 << 40;

/// Numbers below are the addresses of nothing.
pub(super) const FIRST_PAGE: u128 = 4096;

impl Stepper<'_> {
    pub(super) fn pointer_arithmetic(&mut self, path: &mut Path, inst: &Inst) -> Step {
        match &inst.kind {
            InstKind::PointerToInt { dest, a } => {
                let pointer = self.pointer(path, *a)?;
                let val = match pointer.base {
                    Base::Absolute => Val::Scalar(pointer.offset),
                    _ => Val::Pointer(pointer),
                };
                self.define(path, *dest, val)
            }
            InstKind::IntToPointer { dest, a } => {
                let pointer = self.pointer(path, *a)?;
                self.define(path, *dest, pointer)
            }
            InstKind::Offset { dest, base, bytes, check } => {
                let (pointer, bytes) = (self.pointer(path, *base)?, self.scalar(path, *bytes)?);
                let offset = value::binary(self.constraints.terms(), BinaryOp::Add, pointer.offset, bytes);
                let pointer = Pointer { base: pointer.base, offset };
                self.look_before(path, pointer)?;
                if let Some(check) = check.filter(|_| self.config.seeks_errors()) {
                    self.check_move(path, pointer, check, inst.span)?;
                }
                self.define(path, *dest, pointer)
            }
            InstKind::Distance { dest, a, b, check } => {
                let (a, b) = (self.pointer(path, *a)?, self.pointer(path, *b)?);
                let (a, b) = (self.resolved(path, a)?, self.resolved(path, b)?);
                if a.base != b.base {
                    let asks = self.config.seeks_errors();
                    if self.may_alias(path, a, b, Use::Order) != Kinship::None && !asks {
                        return Err(PathEnd::Contradiction);
                    }
                    if let Some(check) = check {
                        let what = "the pointers belong to different objects";
                        self.demand(path, Scalar::bool(false), *check, inst.span, what)?;
                    }
                    let (a, b) = (self.address(path, a)?, self.address(path, b)?);
                    let result = value::binary(self.constraints.terms(), BinaryOp::Sub, a, b);
                    return self.define(path, *dest, result);
                }
                let result = value::binary(self.constraints.terms(), BinaryOp::Sub, a.offset, b.offset);
                self.define(path, *dest, result)
            }
            _ => unreachable!("only pointer arithmetic comes here"),
        }
    }

    /// Checks that a pointer which was moved stays in its object. Where every check is a property of its own, the path goes on
    /// with all inputs: an access through the pointer is asked about, too.
    fn check_move(&mut self, path: &mut Path, pointer: Pointer, check: CheckId, span: Span) -> Step {
        match (self.config.validity, self.config.errors) {
            (Validity::Assumed, _) => self.stays_inside(path, pointer, check, span),
            (Validity::Demanded, Errors::Report) => {
                let is_inside = self.stays_inside(&mut path.clone(), pointer, check, span);
                is_inside.or_else(|end| if matches!(end, PathEnd::Failed(_)) { Ok(()) } else { Err(end) })
            }
            (Validity::Demanded, _) if self.checks.sought == Some((path.state.frame().function, check)) => {
                self.stays_inside(path, pointer, check, span)
            }
            (Validity::Demanded, _) => Ok(()),
        }
    }

    /// A pointer that was moved leads into its object or one past its end. Objects of the input without a size in the
    /// contract have as many elements as the program needs, but nothing before the first; where nothing is taken for granted,
    /// they have no more elements than the contract says.
    fn stays_inside(&mut self, path: &mut Path, pointer: Pointer, check: CheckId, span: Span) -> Step {
        let is_demanded = match pointer.base {
            Base::Input(number) => self.is_validity_demanded(path, number),
            Base::Object(object) => {
                self.leads(path, object).is_some_and(|number| self.is_validity_demanded(path, number))
            }
            _ => false,
        };
        if is_demanded && pointer.offset.bits() != Some(0) {
            self.not_null(path, pointer, Some(check), span)?;
        }
        if let Base::Input(number) = pointer.base
            && !is_demanded
            && path.state.inputs.pointers[number as usize].fixed.is_none()
            && !self.may_be_negative(path, pointer.offset)
        {
            return Ok(());
        }
        let pointer = self.resolved(path, pointer)?;
        let Base::Object(object) = pointer.base else { return Ok(()) };
        let extent = path.state.memory.get(object).extent;
        if self.is_open_ended(path, object) {
            return Ok(());
        }
        if matches!(extent, Extent::Elements { fixed: false, .. }) && !is_demanded {
            return self.not_before(path, object, pointer.offset, check, span, "the pointer leaves its object");
        }
        let inside = self.inside(extent, pointer.offset, 0);
        self.demand(path, inside, check, span, "the pointer leaves its object")
    }

    /// A scalar, or the address of a pointer.
    pub(super) fn as_scalar(&mut self, path: &mut Path, val: Val) -> Step<Scalar> {
        match val {
            Val::Scalar(scalar) => Ok(scalar),
            Val::Pointer(pointer) => self.address(path, pointer),
        }
    }

    /// The address of a pointer as an integer.
    pub(crate) fn address(&mut self, path: &mut Path, pointer: Pointer) -> Step<Scalar> {
        let width = self.program.target.pointer_width;
        if let Some(number) = self.compute_with(path, pointer)? {
            return Ok(number);
        }
        let pointer = self.resolved(path, pointer)?;
        if let Base::Object(object) = pointer.base {
            self.number_instead(path, object)?;
        }
        let (base, residue) = match pointer.base {
            Base::Absolute => return Ok(pointer.offset),
            Base::Object(object) if let Some(address) = self.fixed_address(path, object) => {
                let base = Scalar::int(width, u128::from(address));
                return Ok(value::binary(self.constraints.terms(), BinaryOp::Add, base, pointer.offset));
            }
            Base::Object(object) => (base_address(object), self.residue(path, object)?),
            Base::Function(function) => {
                (ADDRESS_STEP / 2 + 16 * u128::from(function.raw()), (Scalar::int(width, 0), 1))
            }
            Base::Input(_) => unreachable!("a resolved pointer leads into an object or is null"),
        };
        if width < 64 {
            return Err(PathEnd::Unsupported { what: "an address as a number".to_owned(), span: clew_ir::Span::NONE });
        }
        path.state.inputs.addressed = true;
        self.effects.limits.insert(Limit::Address);
        let terms = self.constraints.terms();
        let base = value::binary(terms, BinaryOp::Add, Scalar::int(width, base), residue.0);
        Ok(value::binary(terms, BinaryOp::Add, base, pointer.offset))
    }

    /// The address of an object that the program places by a number.
    fn fixed_address(&self, path: &Path, object: ObjectId) -> Option<u64> {
        let Origin::Global(global) = path.state.memory.get(object).origin else { return None };
        self.program.globals[global].address
    }

    /// A number that was computed from the address of an object, as a pointer into that object.
    pub(super) fn at_address(&mut self, path: &mut Path, pointer: Pointer) -> Step<Pointer> {
        if pointer.base != Base::Absolute || !path.state.inputs.addressed {
            return Ok(pointer);
        }
        if let Scalar::Term(term) = pointer.offset
            && self.constraints.range(&path.state, term).is_none_or(|range| range.unsigned_max() < ADDRESS_STEP)
        {
            return Ok(pointer);
        }
        let value = match pointer.offset {
            Scalar::Known(value) => value.bits,
            Scalar::Term(term) => self.constraints.value(&path.model, term),
        };
        let Some(object) = object_at(value).filter(|id| (id.0 as usize) < path.state.memory.len()) else {
            return Ok(pointer);
        };
        let bits = self.make_known(path, pointer.offset)?;
        let residue = self.residue(path, object)?.0;
        let residue = self.make_known(path, residue)?;
        let at = bits.wrapping_sub(base_address(object)).wrapping_sub(residue);
        Ok(Pointer { base: Base::Object(object), offset: Scalar::int(self.program.target.pointer_width, at) })
    }

    /// A pointer that leads to a number, as one into the variable at that address, if there is one.
    pub(super) fn at_fixed_address(&mut self, path: &mut Path, pointer: Pointer) -> Step<Pointer> {
        let (Base::Absolute, Some(number)) = (pointer.base, pointer.offset.bits()) else { return Ok(pointer) };
        let width = self.program.target.pointer_width;
        for (id, global) in self.program.globals.iter() {
            if let Some(at) = global.address.and_then(|address| number.checked_sub(u128::from(address)))
                && at < u128::from(global.size)
            {
                let object = self.global(path, id)?;
                return Ok(Pointer { base: Base::Object(object), offset: Scalar::int(width, at) });
            }
        }
        Ok(pointer)
    }

    /// The address of an object modulo the number that comes with it, a power of two. Objects of the input may lie
    /// anywhere that suits their type.
    fn residue(&mut self, path: &mut Path, object: ObjectId) -> Step<(Scalar, u128)> {
        let (program, width) = (self.program, self.program.target.pointer_width);
        let align = |ty| u128::from(program.ctypes.align_of(ty, program.target.pointer_bytes()));
        let zero = Scalar::int(width, 0);
        if let Some(address) = self.fixed_address(path, object) {
            return Ok((Scalar::int(width, u128::from(address)), 1 << width));
        }
        let input = path.state.inputs.object(object).filter(|input| matches!(input.root, Root::Behind(_)));
        let Some(input) = input else {
            return Ok((
                zero,
                match path.state.memory.get(object).origin {
                    Origin::Local(function, local) => align(program.functions[function].locals[local].ty),
                    Origin::Global(global) => u128::from(program.globals[global].align.max(1)),
                    Origin::Allocated(_) => u128::from(RESIDUES),
                    Origin::Input(_) => 1,
                },
            ));
        };
        let (name, align) = (input.name.clone(), align(input.element));
        if align >= u128::from(RESIDUES) {
            return Ok((zero, u128::from(RESIDUES)));
        }
        if let Some(known) = path.state.inputs.residues.get(&object) {
            return Ok((*known, u128::from(RESIDUES)));
        }
        let terms = self.constraints.terms();
        let variable = path.state.inputs.variable(terms, &format!("address({name}) modulo 16"), Sort::int(width));
        path.state.inputs.residues.insert(object, Scalar::Term(variable));
        let (most, odd) = (terms.int(width, u128::from(RESIDUES)), terms.int(width, align - 1));
        let (below, low, zero) = (
            terms.binary(BinaryOp::Ult, variable, most),
            terms.binary(BinaryOp::And, variable, odd),
            terms.int(width, 0),
        );
        let aligned = terms.eq(low, zero);
        self.assume(path, below)?;
        self.assume(path, aligned)?;
        Ok((Scalar::Term(variable), u128::from(RESIDUES)))
    }

    /// The low bits of an address, where the alignment of its object tells them.
    fn low_bits(&mut self, path: &mut Path, pointer: Pointer, mask: Scalar) -> Step<Option<Val>> {
        let tells = |bits: u128| bits < u128::from(RESIDUES) || self.beside(bits) < u128::from(RESIDUES);
        if matches!(pointer.base, Base::Input(_)) && !mask.bits().is_some_and(tells) {
            return Ok(None);
        }
        let pointer = self.null_or_not(path, pointer)?;
        let pointer = self.resolved(path, pointer)?;
        let (Base::Object(object), Some(bits)) = (pointer.base, mask.bits()) else { return Ok(None) };
        let (residue, modulus) = self.residue(path, object)?;
        let terms = self.constraints.terms();
        let sum = value::binary(terms, BinaryOp::Add, residue, pointer.offset);
        if bits < modulus {
            return Ok(Some(Val::Scalar(value::binary(terms, BinaryOp::And, sum, mask))));
        }
        // Rounding down stays in the object.
        let width = mask.ty(terms).width();
        let cut = self.beside(bits);
        if cut >= modulus {
            return Ok(None);
        }
        let terms = self.constraints.terms();
        let low = value::binary(terms, BinaryOp::And, sum, Scalar::int(width, cut));
        let offset = value::binary(terms, BinaryOp::Sub, pointer.offset, low);
        Ok(Some(Val::Pointer(Pointer { base: pointer.base, offset })))
    }

    /// The bits of an address that are not in a mask.
    fn beside(&self, mask: u128) -> u128 {
        !mask & (u128::MAX >> (128 - u32::from(self.program.target.pointer_width)))
    }

    /// An operator on values of which one is a pointer, where provenance gives the answer.
    pub(crate) fn pointer_operation(&mut self, path: &mut Path, op: BinaryOp, a: Val, b: Val) -> Step<Option<Val>> {
        let pair = match (a, b) {
            (Val::Scalar(_), Val::Scalar(_)) => return Ok(None),
            (Val::Pointer(a), Val::Pointer(b)) => (a, b),
            (Val::Pointer(pointer), Val::Scalar(number)) if matches!(op, BinaryOp::Add | BinaryOp::Sub) => {
                let offset = value::binary(self.constraints.terms(), op, pointer.offset, number);
                return Ok(Some(Val::Pointer(Pointer { base: pointer.base, offset })));
            }
            (Val::Scalar(number), Val::Pointer(pointer)) if op == BinaryOp::Add => {
                let offset = value::binary(self.constraints.terms(), op, pointer.offset, number);
                return Ok(Some(Val::Pointer(Pointer { base: pointer.base, offset })));
            }
            (Val::Pointer(pointer), Val::Scalar(mask)) | (Val::Scalar(mask), Val::Pointer(pointer))
                if op == BinaryOp::And =>
            {
                return self.low_bits(path, pointer, mask);
            }
            (Val::Pointer(a), Val::Scalar(offset)) => (a, Pointer { base: Base::Absolute, offset }),
            (Val::Scalar(offset), Val::Pointer(b)) => (Pointer { base: Base::Absolute, offset }, b),
        };
        match op {
            BinaryOp::Ult | BinaryOp::Ule if self.is_order_of_numbers(path, pair) => Ok(None),
            BinaryOp::Eq => self.equal(path, pair.0, pair.1).map(|equal| equal.map(Val::Scalar)),
            BinaryOp::Ne => {
                let equal = self.equal(path, pair.0, pair.1)?;
                Ok(equal.map(|equal| Val::Scalar(value::not(self.constraints.terms(), equal))))
            }
            BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Sub => self.by_offset(path, op, pair.0, pair.1),
            _ => Ok(None),
        }
    }

    /// Whether two pointers are equal, where provenance tells.
    fn equal(&mut self, path: &mut Path, a: Pointer, b: Pointer) -> Step<Option<Scalar>> {
        let null = |pointer: Pointer| pointer.base == Base::Absolute && pointer.offset.bits() == Some(0);
        for (one, other) in [(a, b), (b, a)] {
            if let (Base::Input(number), true, Some(0)) = (one.base, null(other), one.offset.bits()) {
                path.state.inputs.note_compared(number);
                let nullness = path.state.inputs.pointers[number as usize].null;
                return Ok(Some(Scalar::of(self.constraints.terms(), nullness)));
            }
            if null(other) && !self.config.references && self.is_allocated(path, one) {
                self.effects.limits.insert(Limit::Allocations);
            }
        }
        if a.base == b.base {
            return Ok(Some(value::binary(self.constraints.terms(), BinaryOp::Eq, a.offset, b.offset)));
        }
        if let Some(equal) = self.equal_numbers(path, a, b)? {
            return Ok(Some(equal));
        }
        let (a, b) = (self.null_or_not(path, a)?, self.null_or_not(path, b)?);
        let (a, b) = (self.resolved(path, a)?, self.resolved(path, b)?);
        if a.base == b.base {
            return Ok(Some(value::binary(self.constraints.terms(), BinaryOp::Eq, a.offset, b.offset)));
        }
        if self.is_no_address(path, a, b)? || self.is_no_address(path, b, a)? {
            return Ok(Some(Scalar::bool(false)));
        }
        self.may_alias(path, a, b, Use::Equality);
        let distinct = !matches!((a.base, b.base), (Base::Absolute, _) | (_, Base::Absolute)) || null(a) || null(b);
        Ok(distinct.then(|| Scalar::bool(false)))
    }

    /// Whether a number that is compared with a pointer is one at which nothing lies: on the first page, or beyond all
    /// programs, as `(void *)-1`. A number of the input is taken to be small, where it may; that it is the address of
    /// something, or that a pointer of the input that the program has looked behind is such a number, is not tried.
    fn is_no_address(&mut self, path: &mut Path, pointer: Pointer, number: Pointer) -> Step<bool> {
        let leads = matches!(pointer.base, Base::Object(_) | Base::Function(_)) && pointer.offset.bits().is_some();
        if !leads || number.base != Base::Absolute || number.offset.bits() == Some(0) {
            return Ok(false);
        }
        let is_own = matches!(pointer.base, Base::Object(object) if path.state.inputs.object(object).is_none());
        let term = match number.offset {
            Scalar::Known(value) => {
                let is_none = is_sentinel(value);
                if is_none && !is_own {
                    self.effects.limits.insert(Limit::Address);
                }
                return Ok(is_none);
            }
            Scalar::Term(term) => term,
        };
        self.effects.limits.insert(Limit::Address);
        let terms = self.constraints.terms();
        let page = terms.int(terms.width(term), FIRST_PAGE);
        let small = terms.binary(BinaryOp::Ult, term, page);
        let mut trial = path.clone();
        match self.assume(&mut trial, small) {
            Ok(()) => *path = trial,
            Err(_) => return Ok(false),
        }
        Ok(true)
    }

    /// The order of pointers into two objects of the input, or of one and a number, such as null.
    fn by_place(&mut self, path: &mut Path, op: BinaryOp, a: Pointer, b: Pointer) -> Option<Val> {
        let inputs = &path.state.inputs;
        let is_behind =
            |object| inputs.object(object).is_some_and(|input: &InputObject| matches!(input.root, Root::Behind(_)));
        let objects = match (a.base, b.base) {
            (Base::Object(a), Base::Object(b)) => vec![a, b],
            (Base::Object(object), Base::Absolute) | (Base::Absolute, Base::Object(object)) => vec![object],
            _ => return None,
        };
        let width = self.program.target.pointer_width;
        let is_order = matches!(op, BinaryOp::Ult | BinaryOp::Ule) && width == 64;
        if !is_order || !objects.iter().copied().all(is_behind) {
            return None;
        }
        let is_null = |pointer: Pointer| pointer.base == Base::Absolute && pointer.offset.bits() == Some(0);
        if !is_null(a) && !is_null(b) {
            path.state.inputs.ordered.extend(objects);
        }
        self.effects.limits.insert(Limit::Address);
        let terms = self.constraints.terms();
        let [a, b] = [a, b].map(|pointer| match pointer.base {
            Base::Object(object) => {
                let base = Scalar::int(width, base_address(object));
                value::binary(terms, BinaryOp::Add, base, pointer.offset)
            }
            _ => pointer.offset,
        });
        Some(Val::Scalar(value::binary(terms, op, a, b)))
    }

    /// Whether a pointer leads to what an allocation gave that might have failed, and does not here.
    fn is_allocated(&self, path: &Path, pointer: Pointer) -> bool {
        let Base::Object(object) = pointer.base else { return false };
        let is_heap = matches!(path.state.memory.get(object).origin, Origin::Allocated(span) if !span.is_none());
        is_heap && self.config.stubbing.allocations == Allocations::Succeed
    }

    /// Order and distance of pointers into one object.
    fn by_offset(&mut self, path: &mut Path, op: BinaryOp, a: Pointer, b: Pointer) -> Step<Option<Val>> {
        let (a, b) = (self.resolved(path, a)?, self.resolved(path, b)?);
        if a.base != b.base {
            return match self.may_alias(path, a, b, Use::Order) {
                Kinship::Same => Err(PathEnd::Contradiction),
                Kinship::Similar | Kinship::None => Ok(self.by_place(path, op, a, b)),
            };
        }
        if a.base == Base::Absolute {
            return Ok(Some(Val::Scalar(value::binary(self.constraints.terms(), op, a.offset, b.offset))));
        }
        self.keep_near(path, a.offset);
        self.keep_near(path, b.offset);
        let op = match op {
            BinaryOp::Ult => BinaryOp::Slt,
            BinaryOp::Ule => BinaryOp::Sle,
            other => other,
        };
        Ok(Some(Val::Scalar(value::binary(self.constraints.terms(), op, a.offset, b.offset))))
    }

    /// Keeps a pointer that is ordered within reach of its object: farther away it may wrap around, which C leaves
    /// undefined and addresses decide.
    fn keep_near(&mut self, path: &mut Path, offset: Scalar) {
        match offset {
            Scalar::Known(value) => path.state.inputs.addressed |= is_far(value),
            Scalar::Term(term) => {
                path.state.inputs.near.insert(term);
                self.bring_near(path, term);
            }
        }
    }

    /// Changes the present input, if it must be, so that all pointers that were ordered are within reach.
    pub fn bring_all_near(&mut self, path: &mut Path) {
        for term in path.state.inputs.near.clone() {
            self.bring_near(path, term);
        }
    }

    /// Whether a pointer that was ordered is beyond reach.
    pub fn has_far(&mut self, path: &Path) -> bool {
        let width = self.program.target.pointer_width;
        path.state.inputs.near.iter().any(|term| is_far(Value::int(width, self.constraints.value(&path.model, *term))))
    }

    fn bring_near(&mut self, path: &mut Path, term: TermId) {
        let width = self.program.target.pointer_width;
        if !is_far(Value::int(width, self.constraints.value(&path.model, term))) {
            return;
        }
        let terms = self.constraints.terms();
        let [least, range] = [FARTHEST, 2 * FARTHEST].map(|bits| terms.int(width, bits));
        let moved = terms.binary(BinaryOp::Add, term, least);
        let near = terms.binary(BinaryOp::Ult, moved, range);
        let mut trial = path.clone();
        match self.assume(&mut trial, near) {
            Ok(()) => *path = trial,
            Err(_) => path.state.inputs.addressed = true,
        }
        self.effects.limits.insert(Limit::Address);
    }
}

/// Whether a number is one at which nothing lies.
pub(super) fn is_sentinel(number: Value) -> bool {
    number.bits < FIRST_PAGE || number.signed() < 0
}

/// Whether an offset leads far away from its object.
fn is_far(offset: Value) -> bool {
    offset.signed().unsigned_abs() >= FARTHEST
}

/// Where an object lies.
fn base_address(object: ObjectId) -> u128 {
    (u128::from(object.0) + 1) * ADDRESS_STEP
}

/// The object whose addresses include a number.
pub(super) fn object_at(address: u128) -> Option<ObjectId> {
    (address / ADDRESS_STEP).checked_sub(1).and_then(|number| u32::try_from(number).ok()).map(ObjectId)
}
