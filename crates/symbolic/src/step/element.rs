//! Accesses at symbolic offsets: the `element` constraint, both ways.
//!
//! A load becomes a choice between the values at the offsets there may be, a store changes each of them under the
//! condition that it is the one. Where all these values are constants, the load is a lookup in a table, which costs the
//! solver no more than any other operator: tables of character classes, checksums, codes.

use clew_ir::{CheckId, Span, Type};
use clew_scalar::{BinaryOp, Conversion, TernaryOp};
use clew_solver::domain::int::IntDomain;
use clew_solver::term::{Sort, TermId};

use super::access::CheckedPlace;
use crate::config::Errors;
use crate::constraints::Answer;
use crate::ending::{Limit, PathEnd};
use crate::memory::{Background, Extent, Missing, ObjectId};
use crate::path::Path;
use crate::policy;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Base, Pointer, Scalar, Val};

impl Stepper<'_> {
    pub(super) fn load(
        &mut self,
        path: &mut Path,
        place: &CheckedPlace,
        ty: Type,
        raw: bool,
        check: Option<CheckId>,
    ) -> Step<Val> {
        if path.state.external.havocked.contains(&place.object) {
            self.read_havocked(path, place.object)?;
        }
        self.relate_inputs(path, place, ty.bytes(self.program.target.pointer_width));
        let Scalar::Term(offset) = place.offset else {
            let at = place.offset.bits().expect("an offset is known or a term") as u64;
            let val = self.load_at(path, place.object, at, ty, raw, place.span)?;
            return match val {
                None if path.state.may_be_written(place.object) => Err(PathEnd::Limit(Limit::Stubs)),
                None => self.unwritten(path, ty, check, place.span),
                Some(val) => Ok(val),
            };
        };
        let range = self.constraints.range(&path.state, offset).ok_or(PathEnd::Contradiction)?;
        if let Some(val) = self.look_up(path, place, offset, ty, &range)? {
            return Ok(val);
        }
        let mut result: Option<Val> = None;
        for at in self.choices(path, place, offset, ty, &range)?.into_iter().rev() {
            let Some(val) = self.load_at(path, place.object, at, ty, raw, place.span)? else {
                self.demand_elsewhere(path, place, at, check)?;
                continue;
            };
            result = Some(match result {
                None => val,
                Some(other) => self.either(path, place.offset, at, val, other)?,
            });
        }
        result.ok_or(PathEnd::Contradiction)
    }

    /// What a load gives where nothing was written: a finding, and any value. The execution has one of its own, so that a test
    /// may differ there, and nothing is proved of what comes after.
    fn unwritten(&mut self, path: &mut Path, ty: Type, check: Option<CheckId>, span: Span) -> Step<Val> {
        let end = self.fail(path, check, span, UNWRITTEN);
        let is_reported = self.config.errors == Errors::Report && matches!(end, PathEnd::Failed(_));
        let Type::Int(width) = ty else { return Err(end) };
        if !is_reported || path.state.guard {
            return Err(end);
        }
        self.effects.limits.insert(Limit::Unwritten);
        path.state.inputs.addressed = true;
        let variable = path.state.inputs.variable(self.constraints.terms(), "unwritten", Sort::int(width));
        Ok(Val::Scalar(Scalar::Term(variable)))
    }

    /// A load must not be from an offset where nothing was written.
    fn demand_elsewhere(&mut self, path: &mut Path, place: &CheckedPlace, at: u64, check: Option<CheckId>) -> Step {
        let terms = self.constraints.terms();
        let at = Scalar::int(place.offset.ty(terms).width(), at.into());
        let elsewhere = value::binary(terms, BinaryOp::Ne, place.offset, at);
        let may_be_written = path.state.may_be_written(place.object);
        if may_be_written {
            self.effects.limits.insert(Limit::Stubs);
        }
        match (check, elsewhere) {
            (Some(check), _) if !may_be_written => {
                let end = self.demand(path, elsewhere, check, place.span, UNWRITTEN);
                if self.config.errors == Errors::Report && self.has_failed(path, check) {
                    // The inputs that read what was never written are left out here.
                    self.effects.limits.insert(Limit::Unwritten);
                }
                end
            }
            (_, Scalar::Term(elsewhere)) => self.assume(path, elsewhere),
            (_, Scalar::Known(_)) => Ok(()),
        }
    }

    /// A load as a lookup, if all values there may be are constants.
    fn look_up(
        &mut self,
        path: &mut Path,
        place: &CheckedPlace,
        offset: TermId,
        ty: Type,
        range: &IntDomain,
    ) -> Step<Option<Val>> {
        let last = range.interval().span(range.mask()) / range.stride();
        if last >= policy::MAX_TABLE_ENTRIES.wide() {
            return Ok(None);
        }
        // Where it is not known how many elements there are, nothing is written behind the last.
        let size = path.state.memory.get(place.object).extent.size().unwrap_or(u64::MAX);
        let bytes = ty.bytes(self.program.target.pointer_width);
        let mut entries = Vec::with_capacity(last as usize + 1);
        for number in 0..=last {
            let at = range.interval().lo.wrapping_add(number * range.stride()) & range.mask();
            let possible = range.contains(at) && at + u128::from(bytes) <= u128::from(size);
            let constant = if possible { self.constant_at(path, place, at as u64, ty)? } else { Some(0) };
            match constant {
                Some(entry) => entries.push(entry),
                None => return Ok(None),
            }
        }
        Ok(Some(self.entry(offset, ty, range, &entries)))
    }

    /// The bits of a constant in an object; `None` if something else is there.
    fn constant_at(&mut self, path: &mut Path, place: &CheckedPlace, at: u64, ty: Type) -> Step<Option<u128>> {
        let width = self.program.target.pointer_width;
        loop {
            match path.state.memory.get(place.object).load(self.constraints.terms(), at, ty, width) {
                // Of pointers, those that are numbers: null, and what stands for labels.
                Ok(Val::Scalar(scalar) | Val::Pointer(Pointer { base: Base::Absolute, offset: scalar })) => {
                    return Ok(scalar.bits());
                }
                Err(Missing::Image(global, at)) => self.materialise_image(path, place.object, global, at)?,
                Ok(Val::Pointer(_)) | Err(_) => return Ok(None),
            }
        }
    }

    /// The entry of a table that has one for each offset in range.
    fn entry(&mut self, offset: TermId, ty: Type, range: &IntDomain, entries: &[u128]) -> Val {
        let terms = self.constraints.terms();
        let width = range.width();
        let (lo, stride) = (terms.int(width, range.interval().lo), terms.int(width, range.stride()));
        let from_lo = terms.binary(BinaryOp::Sub, offset, lo);
        let index = terms.binary(BinaryOp::UDiv, from_lo, stride);
        let (bits, format) = match ty {
            Type::Float(format) => (format.width(), Some(format)),
            Type::Int(bits) => (bits, None),
            Type::Pointer => (self.program.target.pointer_width, None),
        };
        let table = terms.table(bits, entries);
        let entry = terms.lookup(table, index);
        let entry = Scalar::of(terms, entry);
        match format {
            Some(format) => Val::Scalar(value::convert(terms, Conversion::BitsToFloat(format), entry)),
            None if ty == Type::Pointer => Val::Pointer(Pointer { base: Base::Absolute, offset: entry }),
            None => Val::Scalar(entry),
        }
    }

    /// `val` if the offset is `at`, otherwise `other`.
    fn either(&mut self, path: &mut Path, offset: Scalar, at: u64, val: Val, other: Val) -> Step<Val> {
        let terms = self.constraints.terms();
        let width = offset.ty(terms).width();
        let here = value::binary(terms, BinaryOp::Eq, offset, Scalar::int(width, u128::from(at)));
        match (val, other) {
            (Val::Scalar(val), Val::Scalar(other)) => {
                Ok(Val::Scalar(value::ternary(terms, TernaryOp::Select, here, val, other)))
            }
            _ => Ok(if self.make_known(path, here)? == 1 { val } else { other }),
        }
    }

    pub(super) fn store(&mut self, path: &mut Path, place: &CheckedPlace, bytes: u64, val: Val) -> Step {
        self.refine(path, place, val);
        let Scalar::Term(offset) = place.offset else {
            let at = place.offset.bits().expect("an offset is known or a term") as u64;
            if path.state.memory.get(place.object).extent.size() == Some(bytes) {
                path.state.external.havocked.remove(&place.object);
            }
            return self.store_at(path, place.object, at, bytes, val);
        };
        let range = self.constraints.range(&path.state, offset).ok_or(PathEnd::Contradiction)?;
        let ty = match val {
            Val::Pointer(_) => Type::Pointer,
            Val::Scalar(scalar) => scalar.ty(self.constraints.terms()).into(),
        };
        let mut choices = self.choices(path, place, offset, ty, &range)?;
        if self.recording.unwritten && self.is_unwritten_somewhere(path, place.object, &choices, ty) {
            // Which of them is written then is a matter of its own.
            choices = vec![self.make_known(path, place.offset)? as u64];
        }
        for at in choices {
            let old = self.load_at(path, place.object, at, ty, true, place.span)?.unwrap_or_else(|| {
                self.effects.limits.insert(Limit::Stubs);
                val
            });
            let new = self.either(path, place.offset, at, val, old)?;
            self.store_at(path, place.object, at, bytes, new)?;
        }
        Ok(())
    }

    /// Whether nothing was written at one of some offsets.
    fn is_unwritten_somewhere(&mut self, path: &Path, object: ObjectId, choices: &[u64], ty: Type) -> bool {
        let (width, terms) = (self.program.target.pointer_width, self.constraints.terms());
        let object = path.state.memory.get(object);
        choices.len() > 1
            && choices.iter().any(|at| matches!(object.load(terms, *at, ty, width), Err(Missing::Unwritten(_))))
    }

    /// Whether asking for the elements of an object costs more than it is worth: it is large, or they are pointers of the
    /// input, of which one is as good as another.
    fn is_one_of_many(&self, path: &Path, object: ObjectId, ty: Type) -> bool {
        let object = path.state.memory.get(object);
        let bytes = match object.extent {
            Extent::Bytes(bytes) => bytes,
            Extent::Elements { element, .. } => element,
        };
        bytes > policy::LARGE_OBJECT.get() || ty == Type::Pointer && object.background == Background::Input
    }

    /// The offsets a symbolic offset may have where a value of a type lies inside of the object. The search for objectives
    /// takes the present one where there are many, where that is as good as any, and on a path that has chosen often; it
    /// leaves the others open.
    fn choices(
        &mut self,
        path: &mut Path,
        place: &CheckedPlace,
        offset: TermId,
        ty: Type,
        range: &IntDomain,
    ) -> Step<Vec<u64>> {
        let bytes = ty.bytes(self.program.target.pointer_width);
        let size = path.state.memory.get(place.object).extent.size();
        if let (Some(size), true) = (size, range.count() <= policy::MAX_UNASKED_OFFSETS.wide()) {
            let inside = |at: &u128| at + u128::from(bytes) <= u128::from(size);
            return Ok(range.values().filter(inside).map(|at| at as u64).collect());
        }
        let is_spread = path.state.choices.spread >= policy::MAX_SPREAD_ACCESSES.small() && range.count() > 1;
        path.state.choices.spread += 1;
        if self.config.is_directed() && (is_spread || self.is_one_of_many(path, place.object, ty)) {
            self.vary(path, offset, range);
            return self.make_hash_known(path, place.offset).map(|value| vec![value as u64]);
        }
        match self.values(path, offset, range) {
            // What contracts read is not checked before; nothing lies before the beginning of an object.
            Some(values) => Ok(values.into_iter().map(|value| value as u64).filter(|at| *at as i64 >= 0).collect()),
            None => {
                self.vary(path, offset, range);
                self.make_known(path, place.offset).map(|value| vec![value as u64])
            }
        }
    }

    /// Takes another input for a path that is about to leave an offset to others which has many values: by turns one with
    /// the last value, one with the first, and one with a value in between. Neighbours would be much alike.
    fn vary(&mut self, path: &mut Path, offset: TermId, range: &IntDomain) {
        let Some((_, left)) = path.state.choices.retaken.filter(|(retaken, _)| *retaken == offset) else { return };
        let span = range.interval().span(range.mask()) / range.stride();
        if span > policy::MAX_VARIED_OFFSETS.wide() {
            return;
        }
        let number = match left % 3 {
            1 => span,
            2 => 0,
            _ => in_between(span, left / 3),
        };
        let value = range.interval().lo.wrapping_add(number * range.stride()) & range.mask();
        let terms = self.constraints.terms();
        let constant = terms.int(terms.width(offset), value);
        let wanted = terms.eq(offset, constant);
        let answer =
            self.solve_within(policy::CHOICE_STEPS_DIRECTED.get(), &mut path.state.clone(), Some(wanted), &path.model);
        if let Answer::Sat(model) = answer {
            path.model = model;
        }
    }

    /// All values of an offset, unless there are many. The search for objectives does not count again what had too many on
    /// another path and still seems to.
    fn values(&mut self, path: &Path, offset: TermId, range: &IntDomain) -> Option<Vec<u128>> {
        if !self.config.is_directed() {
            return self.constraints.values(&path.state, offset, &path.model, policy::MAX_CHOICES.size());
        }
        if self.caches.crowded.contains(&offset) && range.count() > policy::MAX_CHOICES_DIRECTED.size() as u128 {
            return None;
        }
        let usual = self.constraints.limit_steps(policy::CHOICE_STEPS_DIRECTED.get());
        let values = self.constraints.values(&path.state, offset, &path.model, policy::MAX_CHOICES_DIRECTED.size());
        self.constraints.limit_steps(usual);
        if values.is_none() {
            self.caches.crowded.insert(offset);
        }
        values
    }
}

/// A number up to `most`: one half of it, then a quarter, three quarters, an eighth and so on (van der Corput 1935).
fn in_between(most: u128, turn: u32) -> u128 {
    (most * u128::from(turn.reverse_bits())) >> u32::BITS
}

/// What is wrong with a load from where nothing was written.
const UNWRITTEN: &str = "the value was never written";
