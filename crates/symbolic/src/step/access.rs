//! Loads and stores: what a pointer leads to, and whether the access lies inside.
//!
//! A known offset goes straight to the object; symbolic ones are the matter of `element`.

use std::rc::Rc;

use clew_ir::contract::Access;
use clew_ir::{CType, CheckId, Function, GlobalId, Inst, InstKind, Operand, Span, TempId, Type};
use clew_scalar::BinaryOp;
use clew_solver::term::TermId;

use super::pointer::FIRST_PAGE;
use crate::config::Globals;
use crate::ending::{Limit, PathEnd};
use crate::input::{self, InputObject, Root};
use crate::memory::{Background, Extent, Missing, ObjectId, Origin};
use crate::path::Path;
use crate::policy;
use crate::state_variable;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::stub;
use crate::value::{self, Base, Pointer, Scalar, Val};

/// Variables of the library that programs pass on and never look behind.
pub(super) const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// A place in memory that was checked.
pub(super) struct CheckedPlace {
    pub(super) object: ObjectId,
    pub(super) offset: Scalar,
    /// Where it is accessed.
    pub(super) span: Span,
}

impl Stepper<'_> {
    pub(super) fn access(&mut self, path: &mut Path, function: &Function, inst: &Inst) -> Step {
        match &inst.kind {
            InstKind::Load { dest, from, raw, check, volatile } => {
                let ty = function.temps[*dest].ty;
                if let (Operand::Local(local), false) = (*from, *volatile)
                    && let Some(val) = self.local_value(path, local, *dest, ty)
                {
                    return self.define(path, *dest, val);
                }
                let bytes = ty.bytes(self.program.target.pointer_width);
                self.look_beyond(path, *from, ty)?;
                let pointer = self.pointer(path, *from)?;
                self.expect(path, pointer, ty);
                let place = self.place_of(path, pointer, bytes, *check, inst.span)?;
                self.relate(path, place.object, place.offset);
                self.relate_objects(path, &place, bytes);
                self.note_state_variable(path, *dest, &place, bytes);
                if *volatile && !is_private(function, *from) {
                    self.change(path, &place, ty)?;
                }
                let val = self.load(path, &place, ty, *raw, *check)?;
                self.define(path, *dest, val)
            }
            InstKind::Store { to, value, check, .. } => {
                let val = self.operand(path, *value)?;
                let bytes = value.ty(function).bytes(self.program.target.pointer_width);
                if let Operand::Local(local) = *to
                    && self.set_local(path, local, bytes, val)
                {
                    return Ok(());
                }
                self.look_beyond(path, *to, value.ty(function))?;
                let pointer = self.pointer(path, *to)?;
                self.store_through_result(path, pointer);
                self.expect(path, pointer, value.ty(function));
                let place = self.place_of(path, pointer, bytes, *check, inst.span)?;
                self.writable(path, &place, *check)?;
                self.store(path, &place, bytes, val)?;
                self.note_write(path, place.object, place.offset, bytes);
                Ok(())
            }
            InstKind::Copy { to, from, size, check } => {
                let source = self.place(path, *from, *size, *check, inst.span)?;
                let target = self.place(path, *to, *size, *check, inst.span)?;
                self.writable(path, &target, *check)?;
                self.relate_copied(path, &source, *size);
                self.copy(path, &target, &source, *size)
            }
            InstKind::Fill { to, byte, size, check } => {
                let place = self.place(path, *to, *size, *check, inst.span)?;
                self.writable(path, &place, *check)?;
                let at = self.known_offset(path, &place)?;
                self.fill(path, place.object, at, *size, Scalar::int(8, u128::from(*byte)))
            }
            _ => unreachable!("only accesses come here"),
        }
    }

    /// Notes that a load reads a state variable, if it does.
    pub(super) fn note_state_variable(&mut self, path: &mut Path, dest: TempId, place: &CheckedPlace, bytes: u64) {
        // A finite-state machine goes from state to state in a loop.
        let is_turning = self.config.is_directed() && path.state.frames.iter().any(|frame| !frame.loops.is_empty());
        let Some(at) = place.offset.bits().filter(|_| is_turning) else { return };
        if let Some(states) = self.caches.state_variables.read(self.program, path.state.frame().function, dest) {
            state_variable::note(&mut path.state, (place.object, at as u64, bytes), states);
        }
    }

    /// The object of a global, which comes into being when the path first touches it.
    pub fn global(&mut self, path: &mut Path, global: GlobalId) -> Step<ObjectId> {
        if let Some(object) = path.state.globals.get(&global) {
            return Ok(*object);
        }
        let data = &self.program.globals[global];
        if STREAMS.contains(&data.name.as_str()) && data.init.is_none() {
            return self.stream(path, global);
        }
        let is_input = self.is_input(global);
        if self.is_kept(global) {
            // Tests cannot name it: what else it holds than its initial value, earlier calls leave there.
            self.effects.limits.insert(Limit::Static);
        }
        let background = if is_input { Background::Input } else { Background::Image(global) };
        let object = path.state.memory.add(Origin::Global(global), Extent::Bytes(data.size), background);
        path.state.globals.insert(global, object);
        if !is_input && path.state.external.last_call.is_some() && self.may_be_changed(global) {
            path.state.external.havocked.insert(object);
        }
        if is_input {
            let (name, element) = (self.global_name(path, global), data.ty);
            path.state.inputs.objects.push_back(InputObject { object, name, element, root: Root::Global(global) });
        }
        Ok(object)
    }

    /// Whether a variable is static in a function and holds what earlier calls left there. Where calls are compared, all of
    /// them are among those that are followed.
    fn is_kept(&mut self, global: GlobalId) -> bool {
        let data = &self.program.globals[global];
        let is_const = data.is_const || self.program.ctypes.is_const(data.ty);
        if self.config.compares || is_const || !matches!(data.kind, clew_ir::GlobalKind::StaticLocal(_)) {
            return false;
        }
        let program = self.program;
        !*self.caches.only_read.entry(global).or_insert_with(|| clew_analyze::only_read::is_only_read(program, global))
    }

    /// A name that no other global and no parameter of the function under test has: inputs are told apart by name.
    fn global_name(&self, path: &Path, global: GlobalId) -> String {
        let name = &self.program.globals[global].name;
        let others = self.program.globals.iter().any(|(id, other)| id != global && other.name == *name);
        let parameters =
            path.state.frames.first().is_some_and(|frame| {
                self.program.functions[frame.function].params.iter().any(|param| param.name == *name)
            });
        if others || parameters { format!("{name}_{}", global.raw()) } else { name.clone() }
    }

    /// The variable of a standard stream: it leads to something that only the library looks into.
    fn stream(&mut self, path: &mut Path, global: GlobalId) -> Step<ObjectId> {
        let bytes = self.program.target.pointer_bytes();
        let memory = &mut path.state.memory;
        let file = memory.add(Origin::Allocated(Span::NONE), Extent::Bytes(0), Background::Unwritten);
        let object = memory.add(Origin::Global(global), Extent::Bytes(bytes), Background::Unwritten);
        path.state.globals.insert(global, object);
        let pointer = self.start_of(file);
        self.store_at(path, object, 0, bytes, Val::Pointer(pointer))?;
        Ok(object)
    }

    /// Whether the value a global has on entry is part of the input.
    pub fn is_input(&self, global: GlobalId) -> bool {
        let data = &self.program.globals[global];
        let is_model = data.span.is_none() && !data.is_errno();
        let is_variable = data.kind == clew_ir::GlobalKind::Variable && !is_model;
        // What is defined elsewhere may hold anything.
        let is_known = data.init.is_some()
            && (self.config.globals == Globals::Initial || data.is_const || self.program.ctypes.is_const(data.ty));
        is_variable && !is_known
    }

    /// A pointer that leads into an object, a function, or nowhere.
    pub(crate) fn resolved(&mut self, path: &mut Path, pointer: Pointer) -> Step<Pointer> {
        let Base::Input(number) = pointer.base else { return Ok(pointer) };
        if let Some(offset) = self.as_number(path, pointer) {
            return Ok(Pointer { base: Base::Absolute, offset });
        }
        let null = path.state.inputs.pointers[number as usize].null;
        if self.constraints.holds(&path.model, null) && self.is_decided(path, null) {
            return Ok(Pointer { base: Base::Absolute, offset: pointer.offset });
        }
        let not_null = self.constraints.terms().not(null);
        self.assume(path, not_null)?;
        if stub::is_function(self.program, path.state.inputs.pointers[number as usize].pointee) {
            let ty = path.state.inputs.pointers[number as usize].pointee;
            return self.function_behind(path, number, ty);
        }
        self.keep_before(path, number);
        self.meet(path, number)?;
        let is_new = path.state.inputs.pointers[number as usize].target.is_none();
        let (program, state) = (self.program, &mut path.state);
        let looked =
            input::look_behind(program, self.constraints.terms(), &mut state.memory, &mut state.inputs, number);
        let Some(looked) = looked else {
            let inputs = &path.state.inputs;
            let name = input::plain_name(&inputs.pointers[number as usize].name, inputs.calls);
            return Err(PathEnd::Unsupported { what: format!("what `{name}` points to"), span: Span::NONE });
        };
        for condition in looked.conditions {
            self.assume(path, condition)?;
        }
        if is_new && self.has_quantified_clauses() {
            self.instantiate_behind(path)?;
        }
        let at = path.state.inputs.pointers[number as usize].at;
        let offset = value::binary(self.constraints.terms(), BinaryOp::Add, at, pointer.offset);
        Ok(Pointer { base: Base::Object(looked.object), offset })
    }

    /// Whether the path condition already says what a truth value is.
    pub(super) fn is_decided(&self, path: &Path, term: clew_solver::term::TermId) -> bool {
        path.state.condition.contains(term)
    }

    /// Reads a place that needs no check.
    pub fn read(&mut self, path: &mut Path, object: ObjectId, offset: Scalar, ty: Type, span: Span) -> Step<Val> {
        self.load(path, &CheckedPlace { object, offset, span }, ty, true, None)
    }

    /// Reads what a pointer of the input leads to, so many bytes from where it points.
    pub fn read_through(&mut self, path: &mut Path, pointer: Pointer, at: i64, ty: Type) -> Step<Val> {
        let width = self.program.target.pointer_width;
        let by = Scalar::int(width, at as i128 as u128);
        let offset = value::binary(self.constraints.terms(), BinaryOp::Add, pointer.offset, by);
        let place = self.place_of(path, Pointer { offset, ..pointer }, ty.bytes(width), None, Span::NONE)?;
        self.load(path, &place, ty, true, None)
    }

    /// Checks an access of so many bytes.
    fn place(
        &mut self,
        path: &mut Path,
        at: Operand,
        bytes: u64,
        check: Option<CheckId>,
        span: Span,
    ) -> Step<CheckedPlace> {
        let pointer = self.pointer(path, at)?;
        self.place_of(path, pointer, bytes, check, span)
    }

    fn place_of(
        &mut self,
        path: &mut Path,
        pointer: Pointer,
        bytes: u64,
        check: Option<CheckId>,
        span: Span,
    ) -> Step<CheckedPlace> {
        self.leads_somewhere(path, pointer)?;
        self.not_null(path, pointer, check, span)?;
        let pointer = self.resolved(path, pointer)?;
        let pointer = self.at_fixed_address(path, pointer)?;
        let pointer = self.at_address(path, pointer)?;
        let Base::Object(object) = pointer.base else {
            let what = match pointer.base {
                Base::Function(_) => "the pointer leads to a function",
                _ if pointer.offset.bits() == Some(0) => "null pointer",
                _ => "the pointer leads nowhere",
            };
            if let Scalar::Term(number) = pointer.offset
                && self.constraints.range(&path.state, number).is_some_and(|range| range.unsigned_max() >= FIRST_PAGE)
            {
                // A number of the input may well be the address of something.
                self.effects.limits.insert(Limit::Address);
            }
            return Err(self.fail(path, check, span, what));
        };
        if !path.state.memory.get(object).alive {
            return Err(self.fail(path, check, span, "the object no longer exists"));
        }
        self.within(path, object, pointer.offset, bytes, check, span)?;
        Ok(CheckedPlace { object, offset: pointer.offset, span })
    }

    /// A pointer of the input is not null, where nothing is taken for granted of it.
    pub(super) fn not_null(&mut self, path: &mut Path, pointer: Pointer, check: Option<CheckId>, span: Span) -> Step {
        let (Base::Input(number), Some(check)) = (pointer.base, check) else { return Ok(()) };
        if !self.is_validity_demanded(path, number) || self.as_number(path, pointer).is_some() {
            return Ok(());
        }
        let null = path.state.inputs.pointers[number as usize].null;
        let terms = self.constraints.terms();
        let not_null = terms.not(null);
        let not_null = Scalar::of(terms, not_null);
        self.demand(path, not_null, check, span, "null pointer")
    }

    /// What C defines as constant must not be written, nor what the contract calls valid for reading alone.
    fn writable(&mut self, path: &mut Path, place: &CheckedPlace, check: Option<CheckId>) -> Step {
        if check.is_some() && self.is_read_only(path, place.object) {
            return Err(self.fail(path, check, place.span, "the contract lets this be read, not written"));
        }
        let Origin::Global(global) = path.state.memory.get(place.object).origin else { return Ok(()) };
        let data = &self.program.globals[global];
        let is_literal = data.kind == clew_ir::GlobalKind::Literal;
        if is_literal || data.is_const || self.program.ctypes.is_const(data.ty) {
            return Err(self.fail(path, check, place.span, "a constant is written"));
        }
        Ok(())
    }

    /// Whether all that is said of an object of the input is that it may be read.
    pub(crate) fn is_read_only(&self, path: &Path, object: ObjectId) -> bool {
        self.leads(path, object).is_some_and(|number| {
            let access = path.state.inputs.pointers[number as usize].access;
            access == Some(Access::Read) && self.is_validity_demanded(path, number)
        })
    }

    /// The end of a path on which an access fails on every input.
    pub(super) fn fail(&mut self, path: &mut Path, check: Option<CheckId>, span: Span, what: &str) -> PathEnd {
        match check {
            Some(check) => match self.demand(path, Scalar::bool(false), check, span, what) {
                Err(end) => end,
                Ok(()) => unreachable!("a false demand ends the path"),
            },
            None => PathEnd::Unsupported { what: what.to_owned(), span },
        }
    }

    /// The accessed bytes lie in the object.
    pub(super) fn within(
        &mut self,
        path: &mut Path,
        object: ObjectId,
        offset: Scalar,
        bytes: u64,
        check: Option<CheckId>,
        span: Span,
    ) -> Step {
        let extent = path.state.memory.get(object).extent;
        let needed = needed(extent, offset, bytes);
        if needed.is_some_and(|needed| path.state.least.get(&object).is_some_and(|least| needed <= *least)) {
            return Ok(());
        }
        let ok = self.inside(extent, offset, bytes);
        let grows = matches!(extent, Extent::Elements { fixed: false, .. });
        let asks = self.config.seeks_errors();
        if let (false, Some(offset)) = (ok.bits() == Some(1), offset.known().map(|offset| offset.signed()))
            && self.may_lead_further(path, object, offset)
            && !self.is_behind_argument(path, object)
            && !asks
        {
            return Err(PathEnd::Contradiction);
        }
        match (ok, check) {
            (Scalar::Known(value), _) if value.bits == 1 => Ok(()),
            (ok, _) if self.is_open_ended(path, object) => {
                self.effects.limits.insert(Limit::Elements);
                let ok = ok.term(self.constraints.terms());
                self.assume(path, ok)
            }
            (Scalar::Term(term), _) if grows => {
                if is_too_large(extent, needed) {
                    return Err(PathEnd::Limit(Limit::Elements));
                }
                if let (None, Some(check), true) = (offset.known(), check, asks) {
                    self.not_before(path, object, offset, check, span, OUTSIDE)?;
                }
                let is_demanded =
                    self.leads(path, object).is_some_and(|number| self.is_validity_demanded(path, number));
                if let (Some(check), true) = (check, is_demanded) {
                    self.demand(path, ok, check, span, OUTSIDE)?;
                }
                self.raise(path, extent, needed, term);
                self.assume(path, term)?;
                if let Some(needed) = needed {
                    path.state.least.insert(object, needed);
                }
                self.near_the_start(path, extent, offset)
            }
            (ok, Some(check)) => self.demand(path, ok, check, span, OUTSIDE),
            (Scalar::Term(term), None) => self.assume(path, term),
            (Scalar::Known(_), None) => {
                Err(PathEnd::Unsupported { what: "an access outside of its object".to_owned(), span })
            }
        }
    }

    /// Raises the number of elements of an object to what an access needs, if nothing else depends on the number: that
    /// needs no solver.
    fn raise(&mut self, path: &mut Path, extent: Extent, needed: Option<u128>, enough: TermId) {
        let (Extent::Elements { element, count: Scalar::Term(count), .. }, Some(needed)) = (extent, needed) else {
            return;
        };
        if self.constraints.holds(&path.model, enough) || self.has_quantified_clauses() {
            return;
        }
        let ahead = if needed < policy::LONG_OBJECT.wide() { needed } else { needed + needed / 4 }
            .min(input::most_elements(element));
        let raised = self.constraints.changed(&path.state, &path.model, count, ahead);
        let raised = raised.or_else(|| self.constraints.changed(&path.state, &path.model, count, needed));
        path.model = raised.unwrap_or_else(|| Rc::clone(&path.model));
    }

    /// Takes back the elements that `raise` gave ahead of need.
    pub fn trim(&mut self, path: &mut Path) {
        if self.has_quantified_clauses() {
            return;
        }
        let long: Vec<_> = path
            .state
            .least
            .iter()
            .filter(|(_, least)| **least >= policy::LONG_OBJECT.wide())
            .map(|(&o, &l)| (o, l))
            .collect();
        for (object, least) in long {
            let Extent::Elements { count: Scalar::Term(count), .. } = path.state.memory.get(object).extent else {
                continue;
            };
            if self.constraints.value(&path.model, count) > least
                && let Some(model) = self.constraints.changed(&path.state, &path.model, count, least)
            {
                path.model = model;
            }
        }
    }

    /// Whether an object is an array that the program declares without saying how long it is, or lies at a fixed address
    /// where there may be more than the program has named.
    pub(super) fn is_open_ended(&self, path: &Path, object: ObjectId) -> bool {
        let Origin::Global(global) = path.state.memory.get(object).origin else { return false };
        let data = &self.program.globals[global];
        if data.address.is_some() {
            return true;
        }
        let CType::Array { of, .. } = *self.program.ctypes.get(data.ty) else { return false };
        let element = self.program.ctypes.size_of(of, self.program.target.pointer_bytes()).unwrap_or(0);
        data.init.is_none() && element > 0 && data.size == clew_ir::OPEN_BYTES / element * element
    }

    /// Keeps a symbolic offset into an object of any size among the first elements that it may choose.
    fn near_the_start(&mut self, path: &mut Path, extent: Extent, offset: Scalar) -> Step {
        let (Extent::Elements { element, .. }, Scalar::Term(offset)) = (extent, offset) else { return Ok(()) };
        let range = self.constraints.range(&path.state, offset).ok_or(PathEnd::Contradiction)?;
        let first = range.unsigned_min().min(u128::from(element) * input::most_elements(element));
        if range.unsigned_max() < first + u128::from(element * policy::MAX_GROWN_ELEMENTS.get()) {
            return Ok(());
        }
        self.effects.limits.insert(Limit::Elements);
        let terms = self.constraints.terms();
        let width = terms.width(offset);
        let [near, far] =
            [policy::MAX_GROWN_ELEMENTS.get(), policy::MAX_GROWN_ELEMENTS.get() * policy::GROWN_FACTOR.get()].map(
                |elements| {
                    let bound = terms.int(width, first + u128::from(element * elements));
                    terms.binary(BinaryOp::Ult, offset, bound)
                },
            );
        self.prefer(path, near, far)
    }

    /// Whether `bytes` bytes at `offset` lie within an extent.
    pub(crate) fn inside(&mut self, extent: Extent, offset: Scalar, bytes: u64) -> Scalar {
        let width = self.program.target.pointer_width;
        let terms = self.constraints.terms();
        match extent {
            Extent::Bytes(size) if bytes > size => Scalar::bool(false),
            Extent::Bytes(size) => {
                let last = Scalar::int(width, u128::from(size - bytes));
                value::binary(terms, BinaryOp::Ule, offset, last)
            }
            Extent::Elements { element, count, .. } => match offset.known() {
                Some(_) => match needed(extent, offset, bytes) {
                    Some(needed) => value::binary(terms, BinaryOp::Ule, Scalar::int(width, needed), count),
                    None => Scalar::bool(false),
                },
                None => self.inside_elements(element, count, offset, bytes),
            },
        }
    }

    /// The same for a symbolic offset: not negative, and its end not beyond `count` elements.
    fn inside_elements(&mut self, element: u64, count: Scalar, offset: Scalar, bytes: u64) -> Scalar {
        let width = self.program.target.pointer_width;
        let terms = self.constraints.terms();
        let size = value::binary(terms, BinaryOp::Mul, count, Scalar::int(width, u128::from(element)));
        let end = value::binary(terms, BinaryOp::Add, offset, Scalar::int(width, u128::from(bytes)));
        let starts = value::binary(terms, BinaryOp::Sle, Scalar::int(width, 0), offset);
        let ends = value::binary(terms, BinaryOp::Sle, end, size);
        value::and(terms, starts, ends)
    }

    /// Reads at a known offset; `None` if nothing was ever written there and that matters.
    pub(super) fn load_at(
        &mut self,
        path: &mut Path,
        object: ObjectId,
        at: u64,
        ty: Type,
        raw: bool,
        span: Span,
    ) -> Step<Option<Val>> {
        let width = self.program.target.pointer_width;
        loop {
            match path.state.memory.get(object).load(self.constraints.terms(), at, ty, width) {
                Ok(val) => {
                    self.untype_number(path, object, ty, val)?;
                    return Ok(Some(val));
                }
                Err(Missing::Input(at) | Missing::Image(_, at) | Missing::Unwritten(at))
                    if self.is_unwritten(path, object, at) =>
                {
                    if !raw || path.state.may_be_written(object) {
                        return Ok(None);
                    }
                    let zero = Val::Scalar(Scalar::int(8, 0));
                    self.store_at(path, object, at, 1, zero)?;
                }
                Err(Missing::Input(missing)) => self.materialise(path, object, missing, Some((at, ty)))?,
                Err(Missing::Image(global, at)) => self.materialise_image(path, object, global, at)?,
                Err(Missing::Unwritten(_)) => return Ok(None),
                Err(Missing::Fragment) => {
                    self.untype(path, object)?;
                    return Err(PathEnd::Unsupported { what: "part of a pointer as a number".to_owned(), span });
                }
            }
        }
    }

    /// Whether a byte that no cell covers holds nothing that C defines.
    fn is_unwritten(&self, path: &Path, object: ObjectId, at: u64) -> bool {
        let is_never_written = path.state.memory.get(object).background == Background::Unwritten;
        is_never_written || path.state.inputs.is_unwritten(object, at)
    }

    /// Stores a value at a known offset.
    ///
    /// # Errors
    /// The end of the path, if that cannot be represented.
    pub fn store_at(&mut self, path: &mut Path, object: ObjectId, at: u64, bytes: u64, val: Val) -> Step {
        let target = path.state.memory.get_mut(object);
        // What was there on entry must be known before it is overwritten in part.
        target.store(self.constraints.terms(), at, bytes, val).map_err(|_| cut_pointer())
    }

    /// Checks a range of bytes and gives its object and known offset.
    pub(super) fn range(
        &mut self,
        path: &mut Path,
        pointer: Pointer,
        bytes: u64,
        check: Option<CheckId>,
        span: Span,
    ) -> Step<(ObjectId, u64)> {
        let place = self.place_of(path, pointer, bytes, check, span)?;
        let at = self.known_offset(path, &place)?;
        Ok((place.object, at))
    }

    pub(super) fn known_offset(&mut self, path: &mut Path, place: &CheckedPlace) -> Step<u64> {
        self.make_known(path, place.offset).map(|bits| bits as u64)
    }
}

/// What is wrong with an access that does not lie in its object.
const OUTSIDE: &str = "the access lies outside of its object";

/// The end of a path that overwrites a part of a pointer.
pub(super) fn cut_pointer() -> PathEnd {
    PathEnd::Unsupported { what: "part of a pointer overwritten".to_owned(), span: Span::NONE }
}

/// How many elements an object of the input must have for an access at a known offset, which is not before it.
fn needed(extent: Extent, offset: Scalar, bytes: u64) -> Option<u128> {
    let Extent::Elements { element, .. } = extent else { return None };
    let at = offset.known().filter(|at| at.signed() >= 0)?;
    Some((at.bits + u128::from(bytes)).div_ceil(u128::from(element)))
}

/// Whether that is more than an object of the input may have.
fn is_too_large(extent: Extent, needed: Option<u128>) -> bool {
    let Extent::Elements { element, .. } = extent else { return false };
    needed.is_some_and(|needed| needed > input::most_elements(element))
}

/// Whether a place is a variable of the function whose address nothing gets: only the function itself changes it, even if
/// it is volatile.
fn is_private(function: &Function, place: Operand) -> bool {
    let is_local = matches!(place, Operand::Local(_));
    let mut insts = function.blocks.values().flat_map(|block| &block.insts);
    is_local
        && insts.all(|inst| match &inst.kind {
            InstKind::Load { .. } => true,
            InstKind::Store { value, .. } => *value != place,
            other => !other.operands().contains(&place),
        })
}
