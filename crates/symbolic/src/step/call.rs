//! Calls: entered where the callee has a body, modelled where it belongs to the library.

use std::rc::Rc;

use clew_execute::variadic;
use clew_ir::{CType, CTypeId, Callee, CheckId, Function, FunctionId, Inst, InstKind, Operand, Span, TempId, Type};

use crate::ending::{Limit, PathEnd};
use crate::input::{InputObject, Root, name_in_call, scalar_type};
use crate::memory::{Background, Extent, ObjectId, Origin};
use crate::path::{Open, Path, Resume};
use crate::policy;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Base, Pointer, Scalar, Val};

impl Stepper<'_> {
    pub(super) fn call(&mut self, path: &mut Path, function: &Function, inst: &Inst) -> Step {
        match &inst.kind {
            InstKind::Call { dest, callee, args, ty, check } => {
                let is_indirect = matches!(callee, Callee::Indirect(_));
                let id = self.callee(path, *callee, *ty, *check, inst.span)?;
                let args = args.iter().map(|arg| self.operand(path, *arg)).collect::<Step<Vec<_>>>()?;
                let callee = &self.program.functions[id];
                if let (true, Some(check)) = (is_indirect, *check) {
                    let result = dest.map(|dest| function.temps[dest].ty);
                    let fits = Scalar::bool(self.is_called_as_declared(id, &args, result));
                    self.demand(path, fits, check, inst.span, "the function has another type")?;
                }
                if let Some(what) = self.program.beyond_calls(id) {
                    let what = format!("`{}`, {what},", callee.name);
                    return Err(PathEnd::Unsupported { what, span: inst.span });
                }
                if self.stubs.answering.contains(&id) || self.stubs.silent.contains(&id) {
                    self.require_of_library(path, id, &args, *check, inst.span)?;
                }
                if self.stubs.answering.contains(&id) {
                    return self.stub(path, id, &args, *dest, inst.span);
                }
                self.given_away(path, id, &args)?;
                if self.stubs.silent.contains(&id) {
                    return dest.map_or(Ok(()), |dest| self.define(path, dest, Scalar::int(32, 0)));
                }
                let fails = self.allocation_fails(path, id)?;
                if fails == Some(true) {
                    self.note_allocation(path, id, true);
                    let null = Pointer::null(self.program.target.pointer_width);
                    return dest.map_or(Ok(()), |dest| self.define(path, dest, null));
                }
                if !callee.is_defined() {
                    let result = self.library(path, &callee.name, &args, *check, inst.span)?;
                    if fails.is_some() {
                        let fails = self.has_no_room(path, &callee.name, &args, result);
                        self.note_allocation(path, id, fails);
                    }
                    return match (dest, result) {
                        (Some(dest), Some(result)) => self.define(path, *dest, result),
                        _ => Ok(()),
                    };
                }
                if path.state.frames.len() >= self.config.limits.depth {
                    return Err(PathEnd::Limit(Limit::Depth));
                }
                if args.len() < callee.params.len() {
                    return Err(PathEnd::Unsupported {
                        what: "a call with too few arguments".to_owned(),
                        span: inst.span,
                    });
                }
                if !self.accepts(callee, &args, dest.map(|dest| function.temps[dest].ty)) {
                    let what = "a call with arguments or a result of other types than the function has".to_owned();
                    return Err(PathEnd::Unsupported { what, span: inst.span });
                }
                if fails == Some(false) {
                    self.note_allocation(path, id, false);
                }
                let (params, extra) = args.split_at(callee.params.len());
                let extra: Rc<[Val]> = extra.into();
                path.state.enter(self.program, id, params, extra, *dest);
                Ok(())
            }
            InstKind::VaStart { list } => self.set_list(path, *list, 0),
            InstKind::VaCopy { to, from } => {
                let (_, position) = self.list(path, *from)?;
                self.set_list(path, *to, position)
            }
            InstKind::VaEnd { .. } => Ok(()),
            InstKind::VaArg { dest, list, check } => {
                self.variable_argument(path, function, (*dest, *list, *check), inst.span)
            }
            _ => unreachable!("only calls come here"),
        }
    }

    /// Reads the next variable argument.
    fn variable_argument(
        &mut self,
        path: &mut Path,
        function: &Function,
        (dest, list, check): (TempId, Operand, Option<CheckId>),
        span: Span,
    ) -> Step {
        let (frame, position) = self.list(path, list)?;
        if frame == 0 && position == path.state.frames[0].extra.len() {
            self.pass_another(path, function.temps[dest].ty, span)?;
        }
        let Some(val) = path.state.frames[frame].extra.get(position).copied() else {
            return match check {
                Some(check) => self.demand(path, Scalar::bool(false), check, span, "no such variable argument"),
                None => Err(PathEnd::Contradiction),
            };
        };
        let wanted = function.temps[dest].ty.scalar(self.program.target.pointer_width);
        if self.machine_type_of(val) != wanted
            && let Some(check) = check
        {
            let what = "the variable argument has another type";
            return self.demand(path, Scalar::bool(false), check, span, what);
        }
        self.set_list(path, list, position + 1)?;
        self.define(path, dest, val)
    }

    /// Whether arguments and result have the types that the callee gives them, which those of calls through pointers may
    /// not.
    fn accepts(&mut self, callee: &Function, args: &[Val], result: Option<Type>) -> bool {
        let width = self.program.target.pointer_width;
        let mut params = callee.params.iter().zip(args);
        params.all(|(param, arg)| callee.temps[param.temp].ty.scalar(width) == self.machine_type_of(*arg))
            && result.zip(callee.returns).is_none_or(|(one, other)| one.scalar(width) == other.scalar(width))
    }

    /// Whether a call through a pointer has arguments and a result that the function takes and gives, as far as the machine can
    /// tell: as many, each of the same machine type.
    fn is_called_as_declared(&mut self, id: FunctionId, args: &[Val], result: Option<Type>) -> bool {
        let (program, width) = (self.program, self.program.target.pointer_width);
        let CType::Function { returns, params, variadic, .. } = program.ctypes.get(program.functions[id].ty) else {
            return true;
        };
        let machine_type = |ty: CTypeId| match program.ctypes.get(ty) {
            CType::Pointer(_) => Some(Type::Pointer.scalar(width)),
            _ => scalar_type(&program.ctypes, ty),
        };
        let types: Vec<_> = args.iter().map(|arg| self.machine_type_of(*arg)).collect();
        let is_plain = matches!(program.ctypes.get(*returns), CType::Void) || machine_type(*returns).is_some();
        // Structures are passed in ways of their own.
        if !is_plain || params.iter().any(|param| machine_type(*param).is_none()) {
            return true;
        }
        let enough = types.len() == params.len() || *variadic && types.len() > params.len();
        enough
            && params.iter().zip(&types).all(|(param, ty)| machine_type(*param).as_ref() == Some(ty))
            && result.is_none_or(|result| machine_type(*returns) == Some(result.scalar(width)))
    }

    /// The machine type of a value.
    fn machine_type_of(&mut self, val: Val) -> clew_scalar::Type {
        match val {
            Val::Scalar(scalar) => scalar.ty(self.constraints.terms()),
            Val::Pointer(_) => Type::Pointer.scalar(self.program.target.pointer_width),
        }
    }

    /// Passes one more argument after the last parameter to the function under test, which is about to read it.
    fn pass_another(&mut self, path: &mut Path, ty: Type, span: Span) -> Step {
        let position = path.state.frames[0].extra.len();
        let Some(element) = variadic::passed_as(self.program, ty) else {
            return Err(PathEnd::Unsupported { what: "a variable argument of this type".to_owned(), span });
        };
        if self.caches.most_extra.is_none_or(|most| position >= most) {
            let most = variadic::sequences(self.program).last().map_or(0, Vec::len);
            self.caches.most_extra = Some(most);
            if position >= most {
                return Err(PathEnd::Limit(Limit::Elements));
            }
        }
        let size = self.program.ctypes.size_of(element, self.program.target.pointer_bytes()).unwrap_or(0);
        let origin = Origin::Input(path.state.inputs.objects.len() as u32);
        let object = path.state.memory.add(origin, Extent::Bytes(size), Background::Input);
        let name = format!("variable_{}", position + 1);
        let calls = path.state.inputs.calls;
        let name = if self.recording.call_names { name_in_call(&name, calls) } else { name };
        path.state.inputs.objects.push_back(InputObject { object, name, element, root: Root::Extra });
        let start = Scalar::int(self.program.target.pointer_width, 0);
        let val = self.read(path, object, start, ty, span)?;
        let first = Rc::make_mut(&mut path.state.frames[0]);
        first.extra = first.extra.iter().copied().chain([val]).collect();
        Ok(())
    }

    fn callee(
        &mut self,
        path: &mut Path,
        callee: Callee,
        ty: CTypeId,
        check: Option<CheckId>,
        span: Span,
    ) -> Step<FunctionId> {
        let pointer = match callee {
            Callee::Direct(id) => return Ok(id),
            Callee::Indirect(pointer) => self.pointer(path, pointer)?,
        };
        self.leads_somewhere(path, pointer)?;
        self.not_null(path, pointer, check, span)?;
        let pointer = match pointer.base {
            Base::Input(number) if path.state.inputs.pointers[number as usize].number.is_some() => {
                self.resolved(path, pointer)?
            }
            Base::Input(number) if path.state.inputs.pointers[number as usize].target.is_none() => {
                self.called_input(path, number, ty)?
            }
            _ => pointer,
        };
        match (pointer.base, pointer.offset.bits(), check) {
            (Base::Function(id), Some(0), _) => Ok(id),
            (_, _, Some(check)) => self
                .demand(path, Scalar::bool(false), check, span, "the pointer leads to no function")
                .map(|()| unreachable!("a false demand ends the path")),
            (_, _, None) => Err(PathEnd::Contradiction),
        }
    }

    /// The function that a pointer of the input, not null, is taken to lead to.
    fn called_input(&mut self, path: &mut Path, number: u32, ty: CTypeId) -> Step<Pointer> {
        let not_null = self.constraints.terms().not(path.state.inputs.pointers[number as usize].null);
        self.assume(path, not_null)?;
        self.function_behind(path, number, ty)
    }

    /// The function that a pointer of the input leads to; the other candidates are left open.
    pub(super) fn function_behind(&mut self, path: &mut Path, number: u32, ty: CTypeId) -> Step<Pointer> {
        let offset = Scalar::int(self.program.target.pointer_width, 0);
        let at = number as usize;
        if let Some(function) = path.state.inputs.pointers[at].function {
            return Ok(Pointer { base: Base::Function(function), offset });
        }
        let mut candidates = self.stubs.candidates(self.program, ty).into_iter();
        let Some(first) = candidates.next() else {
            let what = "a function pointer of the input, for which there is no function".to_owned();
            return Err(PathEnd::Unsupported { what, span: Span::NONE });
        };
        let runs = path.state.frames.last().is_some_and(|frame| frame.next > 0);
        for other in candidates.filter(|_| runs).take(policy::MAX_CALLEES.size()) {
            let mut state = path.state.clone();
            state.inputs.pointers[at].function = Some(other);
            state.step_back();
            let when = self.constraints.terms().bool(true);
            self.effects.forks.push(Open::new(state, path.model.clone(), when, Resume::Again));
        }
        path.state.inputs.pointers[at].function = Some(first);
        Ok(Pointer { base: Base::Function(first), offset })
    }

    /// The object of a `va_list` and the cell that holds where it stands.
    fn list_cell(&mut self, path: &mut Path, list: Operand) -> Step<(ObjectId, u64)> {
        let pointer = self.pointer(path, list)?;
        match (pointer.base, pointer.offset.bits()) {
            (Base::Object(object), Some(at)) => Ok((object, at as u64)),
            _ => Err(PathEnd::Unsupported { what: "a va_list of the input".to_owned(), span: Span::NONE }),
        }
    }

    /// Makes a `va_list` stand at an argument of the running activation.
    fn set_list(&mut self, path: &mut Path, list: Operand, position: usize) -> Step {
        let (object, at) = self.list_cell(path, list)?;
        let frame = match self.list(path, list) {
            Ok((frame, _)) if position > 0 => frame,
            _ => path.state.frames.len() - 1,
        };
        let handle = Scalar::int(64, (frame as u128) << 32 | position as u128);
        let stored = path.state.memory.get_mut(object).store(self.constraints.terms(), at, 8, Val::Scalar(handle));
        stored.map_err(|_| PathEnd::Unsupported { what: "a va_list over a pointer".to_owned(), span: Span::NONE })
    }

    /// The activation and the argument a `va_list` stands at.
    fn list(&mut self, path: &mut Path, list: Operand) -> Step<(usize, usize)> {
        let (object, at) = self.list_cell(path, list)?;
        let loaded = path.state.memory.get(object).load(self.constraints.terms(), at, Type::Int(64), 64);
        match loaded {
            Ok(Val::Scalar(Scalar::Known(handle))) => Ok(((handle.bits >> 32) as usize, handle.bits as u32 as usize)),
            _ => Err(PathEnd::Unsupported { what: "a va_list that was not started".to_owned(), span: Span::NONE }),
        }
    }
}
