//! Calls of stubs: functions without a body, whose results are inputs.
//!
//! A stub returns an input of its result type; a pointer among it is null or leads to an object of its own, as with any
//! input. Where its pointer arguments lead to memory that nothing was written to, the stub writes an input, as functions
//! with out-parameters do; where something is there already, it may. Behind `char *` and `void *` that is the rest of the
//! object, elsewhere the rest of the array. Where the program looks at `errno`, stubs set it.
//!
//! What a stub may have changed besides: variables with external linkage are the matter of `external`; what is behind variable
//! arguments that are not all pointers, and what pointers in all this lead to, is not tried. Where that is read afterwards,
//! it is a limit.

use clew_ir::{CALLBACK, CType, CTypeId, FunctionId, GlobalId, Span, TempId, Type};
use clew_library::{Returned, verifier};
use clew_scalar::BinaryOp;
use clew_solver::term::Sort;

use super::havoc::WriteTarget;
use crate::ending::{Limit, PathEnd};
use crate::input::{InputObject, Root, StubAnswer};
use crate::memory::{Background, Extent, ObjectId, Origin};
use crate::path::Path;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Base, Pointer, Scalar, Val};

impl Stepper<'_> {
    /// Calls a stub.
    pub(super) fn stub(
        &mut self,
        path: &mut Path,
        id: FunctionId,
        args: &[Val],
        dest: Option<TempId>,
        span: Span,
    ) -> Step {
        let program = self.program;
        let function = &program.functions[id];
        if verifier::assumes(&function.name) && !self.assume_argument(path, args)? {
            path.state.inputs.stubs.push_back(StubAnswer::new(id));
            return Err(PathEnd::Stopped);
        }
        if verifier::is_label(&function.name) && dest.is_none() {
            return Ok(());
        }
        if self.config.references {
            // A method may also throw, and change what it is given.
            self.effects.limits.insert(Limit::Stubs);
        }
        let CType::Function { returns, params, .. } = program.ctypes.get(function.ty) else {
            unreachable!("the type of a function is a function type")
        };
        let by_slot = matches!(program.ctypes.get(*returns), CType::Record(_));
        let (slot, given) = args.split_at_checked(usize::from(by_slot)).unwrap_or((&[], args));
        let pointers = given.iter().enumerate().filter_map(|(position, arg)| match arg {
            Val::Pointer(pointer) => Some((position, *pointer)),
            Val::Scalar(_) => None,
        });
        let pointers = pointers.take(params.len()).collect();
        let mut answer = StubAnswer { given: pointers, ..StubAnswer::new(id) };
        self.havoc_globals(path, id);
        let places = self.places_written(path, id, params, given)?;
        let row = clew_library::lookup(&function.name).filter(|_| program.is_library(id));
        let is_null = match row.is_some_and(clew_library::Function::may_return_null) {
            true => Some(self.stub_choice(path, &format!("{} gives null", function.name))?),
            false => None,
        };
        for (position, place) in places {
            answer.outputs.push((position, self.stub_output(path, &function.name, &place, span)?));
        }
        // Nothing of the call is left to be chosen.
        for global in std::mem::take(&mut path.state.external.changed) {
            answer.globals.push((global, self.stub_variable(path, &function.name, global)?));
        }
        if let Some(errno) = self.stubs.errno.filter(|_| may_set_errno(&function.name)) {
            answer.outputs.push((params.len(), self.stub_variable(path, &function.name, errno)?));
        }
        if !matches!(program.ctypes.get(*returns), CType::Void) {
            let Some(size) = program.ctypes.size_of(*returns, program.target.pointer_bytes()) else {
                return Err(PathEnd::Unsupported { what: format!("the result of `{}`", function.name), span });
            };
            let object = self.stub_object(path, format!("{}()", function.name), *returns, Extent::Bytes(size));
            answer.result = Some(object);
            path.state.inputs.stubs.push_back(answer);
            if let Some(slot) = slot.first() {
                return self.stub_aggregate(path, *slot, object, size, span);
            }
            if let Some(dest) = dest {
                let ty = self.temp_type(path, dest);
                let start = Scalar::int(program.target.pointer_width, 0);
                let val = self.read(path, object, start, ty, span)?;
                self.keep_promise(path, id, given, val)?;
                self.keep_null(path, val, is_null)?;
                self.define(path, dest, val)?;
            }
        } else {
            path.state.inputs.stubs.push_back(answer);
        }
        if self.stubs.endless.contains(&id) { Err(PathEnd::Stopped) } else { Ok(()) }
    }

    /// Where a stub writes, of what it is given, by the position of the argument.
    fn places_written(
        &mut self,
        path: &mut Path,
        id: FunctionId,
        params: &[CTypeId],
        given: &[Val],
    ) -> Step<Vec<(usize, WriteTarget)>> {
        let (program, function) = (self.program, &self.program.functions[id]);
        let mut places = Vec::new();
        let pointee = |param: &CTypeId| match *program.ctypes.get(*param) {
            // Variable arguments are read.
            CType::Pointer(pointee) if program.ctypes.is_va_list_record(pointee) => None,
            CType::Pointer(pointee) => Some(pointee),
            _ => None,
        };
        let declared = params.iter().map(pointee).enumerate().zip(given.iter().copied());
        let mut arguments: Vec<((usize, Option<CTypeId>), Val)> = declared.collect();
        arguments.extend(self.extra_arguments(path, id, params.len(), given));
        self.show(path, &arguments);
        for ((position, pointee), arg) in arguments {
            let place = pointee.and_then(|pointee| self.stub_place(path, pointee, arg));
            let is_open = place.as_ref().is_some_and(|place| self.is_written(path, place));
            if !is_open || self.stub_choice(path, &format!("{} writes {position}", function.name))? {
                places.extend(place.map(|place| (position, place)));
            }
        }
        Ok(places)
    }

    /// Goes on with a result that is null, or is not.
    fn keep_null(&mut self, path: &mut Path, result: Val, is_null: Option<bool>) -> Step {
        let (Val::Pointer(Pointer { base: Base::Input(number), .. }), Some(is_null)) = (result, is_null) else {
            return Ok(());
        };
        let null = path.state.inputs.pointers[number as usize].null;
        let wanted = if is_null { null } else { self.constraints.terms().not(null) };
        self.assume(path, wanted)
    }

    fn temp_type(&self, path: &Path, temp: TempId) -> Type {
        self.program.functions[path.state.frame().function].temps[temp].ty
    }

    /// Goes on with the inputs for which the first argument is not zero; says whether there are any. Where there are none the
    /// run ends here, but what it did before it did.
    fn assume_argument(&mut self, path: &mut Path, args: &[Val]) -> Step<bool> {
        let Some(first) = args.first() else { return Ok(true) };
        let scalar = self.as_scalar(path, *first)?;
        let terms = self.constraints.terms();
        let zero = Scalar::int(scalar.ty(terms).width(), 0);
        match value::binary(terms, BinaryOp::Ne, scalar, zero) {
            Scalar::Known(truth) => Ok(truth.bits == 1),
            Scalar::Term(term) => {
                let before = path.state.clone();
                match self.assume(path, term) {
                    Err(PathEnd::Contradiction) => {
                        path.state = before;
                        Ok(false)
                    }
                    other => other.map(|()| true),
                }
            }
        }
    }

    /// Whether an allocation fails on this path, if it may; the other way is left open. Models of the library never fail.
    pub(super) fn allocation_fails(&mut self, path: &mut Path, id: FunctionId) -> Step<Option<bool>> {
        if !self.stubs.allocating.contains(&id) || self.program.models.contains(&path.state.frame().function) {
            return Ok(None);
        }
        self.stub_choice(path, &format!("{} fails", self.program.functions[id].name)).map(Some)
    }

    /// Notes for the execution whether an allocation failed, once nothing of the call is left to be chosen.
    pub(super) fn note_allocation(&self, path: &mut Path, id: FunctionId, fails: bool) {
        path.state.inputs.stubs.push_back(StubAnswer { fails: Some(fails), ..StubAnswer::new(id) });
    }

    /// Whether something happens in this call of a stub; the other way is left open, and comes here again with nothing
    /// changed.
    fn stub_choice(&mut self, path: &mut Path, what: &str) -> Step<bool> {
        let call = path.state.inputs.stubs.len() as u32;
        let happens = self.constraints.terms().shared_var(what, Sort::int(1), call);
        Ok(self.make_known(path, Scalar::Term(happens))? == 1)
    }

    /// An input object that holds what a stub gives.
    fn stub_object(&mut self, path: &mut Path, name: String, element: CTypeId, extent: Extent) -> ObjectId {
        let origin = Origin::Input(path.state.inputs.objects.len() as u32);
        let object = path.state.memory.add(origin, extent, Background::Input);
        path.state.inputs.objects.push_back(InputObject { object, name, element, root: Root::Stub });
        object
    }

    fn stub_aggregate(&mut self, path: &mut Path, slot: Val, from: ObjectId, size: u64, span: Span) -> Step {
        match slot {
            Val::Pointer(Pointer { base: Base::Object(to), offset }) if offset.bits().is_some() => {
                let at = offset.bits().expect("it was just seen to be known") as u64;
                self.copy_bytes(path, (to, at), (from, 0), size)
            }
            _ => Err(PathEnd::Unsupported { what: "a structure as a result".to_owned(), span }),
        }
    }

    /// Sets a variable, as `errno`, to an input.
    fn stub_variable(&mut self, path: &mut Path, function: &str, global: GlobalId) -> Step<ObjectId> {
        let data = &self.program.globals[global];
        let (ty, size, name) = (data.ty, data.size, data.name.trim_start_matches('_').to_owned());
        let variable = self.global(path, global)?;
        let object = self.stub_object(path, format!("{function}_{name}"), ty, Extent::Bytes(size));
        self.copy_bytes(path, (variable, 0), (object, 0), size)?;
        Ok(object)
    }

    /// Pointers passed after the parameters, by position, with the types of what they lead to. Where the execution
    /// cannot have the stub write there, it may have written anything.
    fn extra_arguments(
        &mut self,
        path: &mut Path,
        id: FunctionId,
        params: usize,
        given: &[Val],
    ) -> Vec<((usize, Option<CTypeId>), Val)> {
        let most = clew_execute::native::extra_places(self.program, id);
        let mut arguments = Vec::new();
        for (index, arg) in given.iter().skip(params).enumerate() {
            let Some((target, at)) = self.led_to(path, *arg) else { continue };
            match self.type_at(path, target, at).filter(|_| index < most) {
                // `errno` has the first position after the parameters.
                Some(pointee) => arguments.push(((params + 1 + index, Some(pointee)), *arg)),
                None => drop(path.state.external.havocked.insert(target)),
            }
        }
        arguments
    }

    /// The object and the offset that a pointer leads to, if known.
    pub(super) fn led_to(&self, path: &Path, pointer: Val) -> Option<(ObjectId, u64)> {
        let Val::Pointer(Pointer { base, offset }) = pointer else { return None };
        let (target, start) = match base {
            Base::Object(target) => (target, 0),
            Base::Input(number) => {
                let pointer = &path.state.inputs.pointers[number as usize];
                (pointer.target?, pointer.at.bits()?)
            }
            _ => return None,
        };
        Some((target, (start + offset.bits()?) as u64))
    }

    /// Whether an external function was given a pointer by which it finds an object.
    pub(super) fn was_given(&self, path: &Path, object: ObjectId) -> bool {
        let mut given = path.state.inputs.stubs.iter().flat_map(|answer| &answer.given);
        let leads_there = |pointer: Pointer| self.led_to(path, pointer.into()).is_some_and(|(to, _)| to == object);
        path.state.external.escaped.contains(&object) || given.any(|(_, pointer)| leads_there(*pointer))
    }

    /// Notes a store through the result of an external function: it may change what the function was given.
    pub(super) fn store_through_result(&self, path: &mut Path, pointer: Pointer) {
        let Base::Input(number) = pointer.base else { return };
        let Some(answer) = self.giver(path, number).filter(|answer| self.may_lead_into_arguments(answer.function))
        else {
            return;
        };
        let given = answer.given.iter().filter_map(|(_, given)| self.led_to(path, (*given).into()));
        let given: Vec<ObjectId> = given.map(|(object, _)| object).collect();
        path.state.external.havocked.extend(given);
    }

    /// The call of an external function whose result is a pointer of the input.
    fn giver<'a>(&self, path: &'a Path, number: u32) -> Option<&'a StubAnswer> {
        let is_it = |val: Val| matches!(val, Val::Pointer(other) if other.base == Base::Input(number));
        path.state.inputs.stubs.iter().find(|answer| {
            let object = answer.result.map(|object| path.state.memory.get(object));
            object.is_some_and(|object| object.cells().any(|(_, _, val)| is_it(val)))
        })
    }

    /// Whether the result of an external function may lead into what it is given.
    fn may_lead_into_arguments(&self, id: FunctionId) -> bool {
        let row = clew_library::lookup(&self.program.functions[id].name).filter(|_| self.program.is_library(id));
        row.is_none_or(|row| !matches!(row.returned, Returned::Object | Returned::ObjectOrNull))
    }

    /// The type of what an object holds from its beginning on: that of a variable, or of the elements of an array.
    pub(super) fn type_at(&self, path: &Path, object: ObjectId, at: u64) -> Option<CTypeId> {
        let ty = match path.state.memory.get(object).origin {
            Origin::Local(function, local) => self.program.functions[function].locals[local].ty,
            Origin::Global(global) => self.program.globals[global].ty,
            Origin::Input(number) => path.state.inputs.objects[number as usize].element,
            Origin::Allocated(_) => return None,
        };
        match *self.program.ctypes.get(ty) {
            CType::Array { of, .. } => Some(of),
            _ => (at == 0).then_some(ty),
        }
    }

    /// Writes an input; where the object has as many elements as accesses need, it then has them.
    fn stub_output(&mut self, path: &mut Path, function: &str, place: &WriteTarget, span: Span) -> Step<ObjectId> {
        let at = Scalar::int(self.program.target.pointer_width, u128::from(place.at));
        self.within(path, place.target, at, place.size * place.count, None, span)?;
        let count = Scalar::int(self.program.target.pointer_width, u128::from(place.count));
        let extent = Extent::Elements { element: place.size, count, fixed: true };
        let object = self.stub_object(path, format!("{function}_writes"), place.element, extent);
        self.copy_bytes(path, (place.target, place.at), (object, 0), place.size * place.count)?;
        Ok(object)
    }

    /// Whether something is known of bytes of an object.
    pub(super) fn is_written(&self, path: &Path, place: &WriteTarget) -> bool {
        let (object, at, bytes) = (path.state.memory.get(place.target), place.at, place.size * place.count);
        let touched = object.cells().any(|(start, length, _)| start < at + bytes && at < start + length);
        touched || matches!(object.background, Background::Filled(_) | Background::Image(_))
    }
}

fn may_set_errno(name: &str) -> bool {
    !name.starts_with(CALLBACK) && !verifier::is_known(name)
}
