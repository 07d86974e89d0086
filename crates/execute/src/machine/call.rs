//! Calls and returns.

use super::{Extra, Frame, Jump, Machine, Stop};
use crate::code::{Call, CalleeSlot, Code, FrameSlot};
use crate::libc;
use crate::memory::{Contents, Origin};
use crate::observe::Observer;
use crate::outcome::{Detail, Outcome};
use clew_ir::{CheckKind, FunctionId};
use clew_scalar::Value;
use std::rc::Rc;

/// Runs of the loop that may be nested in each other.
const MAX_NESTING: usize = 64;

impl<'p, O: Observer> Machine<'p, O> {
    /// Executes a call op of the innermost activation.
    pub(super) fn call_op(&mut self, call: &'p Call) -> Result<(), Stop> {
        let named = match call.callee {
            CalleeSlot::Direct(function) => function,
            CalleeSlot::Indirect(slot) => self.callee_at(call, self.slot(slot))?,
        };
        let function = self.image.definition(named);
        if self.image.program.functions[function].is_defined() {
            return self.enter(self.image.code(function), call);
        }
        let args: Vec<Value> = call.args.iter().map(|&place| self.value(place)).collect();
        let reply = self.call_library(function, &args)?;
        self.resume(reply.unwrap_or(0));
        Ok(())
    }

    /// The function a pointer denotes, if it can be called so.
    fn callee_at(&self, call: &Call, address: u64) -> Result<FunctionId, Stop> {
        let Some(function) = self.image.function_at(address) else {
            let reason = if address == 0 { "null pointer" } else { "no function is there" };
            return Err(self.failure(CheckKind::FunctionPointer, Detail::Callee { address, reason }));
        };
        let function = self.image.definition(function);
        let callee = &self.image.program.functions[function];
        if callee.is_defined()
            && !self.accepts(function, call)
            && self.image.checks.contains(CheckKind::FunctionPointer)
        {
            let reason = "the function takes other arguments or returns another type";
            return Err(self.failure(CheckKind::FunctionPointer, Detail::Callee { address, reason }));
        }
        Ok(function)
    }

    /// Whether a function can be called with these arguments for that result, as far as the machine can tell: the same
    /// number of arguments, each in the same kind of register with the same width.
    fn accepts(&self, function: FunctionId, call: &Call) -> bool {
        let callee = &self.image.program.functions[function];
        let params = &self.image.code(function).params;
        let enough = call.args.len() == params.len() || callee.variadic && call.args.len() > params.len();
        let returns = callee.returns.map(|ty| crate::code::scalar_type(self.image.program, ty));
        enough
            && params.iter().zip(&call.args).all(|(param, arg)| param.ty == arg.ty)
            && call.dest.is_none_or(|dest| returns == Some(dest.ty))
    }

    /// Starts an activation with the arguments of a call op.
    fn enter(&mut self, code: &'p Code, call: &'p Call) -> Result<(), Stop> {
        let caller = self.frames.last().expect("a call op belongs to an activation");
        let (from, base) = (caller.base, caller.base + caller.code.frame_size);
        self.push_frame(code, base)?;
        for (param, arg) in code.params.iter().zip(&call.args) {
            let source = from + arg.slot as usize;
            let target = base + param.slot as usize;
            self.registers[target] = self.registers[source];
            if param.is_wide() {
                self.registers[target + 1] = if arg.is_wide() { self.registers[source + 1] } else { 0 };
            } else if param.ty.width() < arg.ty.width() {
                self.registers[target] &= param.ty.mask() as u64;
            }
        }
        if code.variadic {
            let rest = call.args.get(code.params.len()..).unwrap_or_default();
            let values: Rc<[Value]> = rest.iter().map(|&place| self.value_at(from, place)).collect();
            self.extra().variable_arguments = Some(values);
        }
        self.check_count(code, call.args.len())
    }

    /// Starts an activation with given arguments.
    pub(super) fn enter_with(&mut self, function: FunctionId, args: &[Value]) -> Result<(), Stop> {
        if self.nesting >= MAX_NESTING {
            return Err(Stop::over(Outcome::DepthLimit));
        }
        let code = self.image.code(function);
        let base = self.frames.last().map_or(0, |frame| frame.base + frame.code.frame_size);
        self.push_frame(code, base)?;
        for (param, arg) in code.params.iter().zip(args) {
            self.put_at(base, *param, arg.bits & param.ty.mask());
        }
        if code.variadic {
            self.extra().variable_arguments = Some(args.get(code.params.len()..).unwrap_or_default().into());
        }
        self.check_count(code, args.len())
    }

    fn check_count(&mut self, code: &'p Code, count: usize) -> Result<(), Stop> {
        if count >= code.params.len() {
            return Ok(());
        }
        self.leave();
        let address = crate::memory::Memory::function_address(self.image.program.target, code.function.raw());
        let reason = "too few arguments";
        Err(self.failure(CheckKind::FunctionPointer, Detail::Callee { address, reason }))
    }

    fn push_frame(&mut self, code: &'p Code, base: usize) -> Result<(), Stop> {
        if self.frames.len() >= self.limits.depth {
            return Err(Stop::over(Outcome::DepthLimit));
        }
        let end = base + code.frame_size;
        if self.registers.len() < end {
            self.registers.resize(end.next_power_of_two().max(1024), 0);
        }
        self.registers[base..base + code.constants.len()].copy_from_slice(&code.constants);
        self.registers[base + code.zeroed.start..base + code.zeroed.end].fill(0);
        self.entered += 1;
        self.frames.push(Frame { code, base, position: 0, serial: self.entered, extra: None });
        for object in code.objects.iter().filter(|object| object.on_entry) {
            let origin = Origin::Local(code.function, object.local);
            let address = self.memory.allocate(object.size, object.align, origin, Contents::Unwritten)?;
            self.registers[base + object.slot as usize] = address;
        }
        if O::WATCHES {
            self.observer.enter(code.function);
        }
        Ok(())
    }

    /// Ends the innermost activation and the objects that belong to it.
    pub(super) fn leave(&mut self) {
        let frame = self.frames.pop().expect("there is an activation to leave");
        for object in &frame.code.objects {
            let address = self.registers[frame.base + object.slot as usize];
            if address != 0 {
                // An object whose life was ended before is gone already.
                let _ = self.memory.release(address);
            }
        }
        if let Some(extra) = frame.extra {
            for address in extra.stack_objects {
                let _ = self.memory.release(address);
            }
        }
        if O::WATCHES {
            self.observer.leave(frame.code.function);
        }
    }

    /// Continues behind the call op of the innermost activation with its result.
    pub(super) fn resume(&mut self, result: u128) {
        let frame = self.frames.last_mut().expect("the caller is still there");
        let code = frame.code;
        let crate::code::Op::Call(index) = code.ops[frame.position as usize] else {
            unreachable!("a caller is at its call");
        };
        frame.position += 1;
        let base = frame.base;
        if let Some(dest) = code.calls[index as usize].dest {
            self.put_at(base, dest, result & dest.ty.mask());
        }
    }

    /// Ends activations until only `count` are left.
    pub(super) fn unwind(&mut self, count: usize) {
        while self.frames.len() > count {
            self.leave();
        }
    }

    /// Continues behind a `setjmp`, which now gives the jump's value.
    pub(super) fn land(&mut self, jump: Jump) {
        self.unwind(jump.frame + 1);
        self.frames.last_mut().expect("the frame of setjmp is still there").position = jump.position;
        self.resume(u128::from(jump.value));
    }

    /// Calls a function without a body: one of the library's.
    pub(super) fn call_library(&mut self, function: FunctionId, args: &[Value]) -> Result<Option<u128>, Stop> {
        let name = &self.image.program.functions[function].name;
        if clew_library::verifier::is_label(name) {
            return Ok(None);
        }
        if self.stubs.contains(&function) {
            return self.answer(function, args);
        }
        match self.image.routine(function) {
            None => Err(self.unsupported(format!("call of `{name}`, which has no body"))),
            Some(libc::Routine::Control(control)) => self.control(control, name, args),
            Some(libc::Routine::Plain(routine)) => {
                let mut call =
                    libc::Call { name, args, memory: &mut self.memory, library: &mut self.library, io: &mut *self.io };
                routine(&mut call).map_err(|trouble| self.trouble(name, trouble))
            }
        }
    }

    /// The next answer of a stub: a scalar, or the bytes of an aggregate for the place passed first.
    fn answer(&mut self, function: FunctionId, args: &[Value]) -> Result<Option<u128>, Stop> {
        let program = self.image.program;
        let callee = &program.functions[function];
        let ty = callee.returns.map(|ty| crate::code::scalar_type(program, ty));
        let aggregate = matches!(program.ctypes.get(callee.ty), clew_ir::CType::Function { returns, .. }
            if matches!(program.ctypes.get(*returns), clew_ir::CType::Record(_)));
        if ty.is_none() && !aggregate {
            return Ok(None);
        }
        let found = self.answers.iter().position(|answer| answer.function == function);
        let Some(answer) = found.and_then(|index| self.answers.remove(index)) else {
            return Err(self.unsupported(format!("call of `{}`, for which the input has no answer", callee.name)));
        };
        match (ty, args.first()) {
            (Some(ty), _) => {
                let mut bytes = [0; 16];
                let count = answer.bytes.len().min(16);
                bytes[..count].copy_from_slice(&answer.bytes[..count]);
                if program.target.big_endian {
                    bytes[..count].reverse();
                }
                Ok(Some(super::from_memory(ty, u128::from_le_bytes(bytes))))
            }
            (None, Some(place)) => {
                let written = self.memory.write(place.bits as u64, &answer.bytes);
                written.map(|()| None).map_err(|fault| self.access_failure(fault))
            }
            (None, None) => Ok(None),
        }
    }

    pub(super) fn extra(&mut self) -> &mut Extra {
        let frame = self.frames.last_mut().expect("there is an activation");
        frame.extra.get_or_insert_default()
    }

    /// A narrow slot of the innermost activation.
    pub(super) fn slot(&self, slot: u32) -> u64 {
        let base = self.frames.last().expect("there is an activation").base;
        self.registers[base + slot as usize]
    }

    pub(super) fn set_slot(&mut self, slot: u32, word: u64) {
        let base = self.frames.last().expect("there is an activation").base;
        self.registers[base + slot as usize] = word;
    }

    pub(super) fn value(&self, place: FrameSlot) -> Value {
        self.value_at(self.frames.last().expect("there is an activation").base, place)
    }

    fn value_at(&self, base: usize, place: FrameSlot) -> Value {
        let low = u128::from(self.registers[base + place.slot as usize]);
        let high = if place.is_wide() { u128::from(self.registers[base + place.slot as usize + 1]) } else { 0 };
        Value { ty: place.ty, bits: low | high << 64 }
    }

    pub(super) fn put(&mut self, place: FrameSlot, bits: u128) {
        let base = self.frames.last().expect("there is an activation").base;
        self.put_at(base, place, bits);
    }

    fn put_at(&mut self, base: usize, place: FrameSlot, bits: u128) {
        let index = base + place.slot as usize;
        self.registers[index] = bits as u64;
        if place.is_wide() {
            self.registers[index + 1] = (bits >> 64) as u64;
        }
    }

    /// The arguments of `main`: as many as it takes of argument count, argument vector and environment.
    pub(super) fn main_arguments(
        &mut self,
        main: FunctionId,
        args: &[&str],
    ) -> Result<Vec<Value>, crate::memory::OutOfMemory> {
        let target = self.image.program.target;
        let pointer = target.pointer_bytes();
        let origin = Origin::Library("argv");
        let vector = self.memory.allocate(pointer * (args.len() as u64 + 2), pointer, origin, Contents::Zero)?;
        for (index, arg) in args.iter().enumerate() {
            let string = self.memory.allocate(arg.len() as u64 + 1, 1, origin, Contents::Zero)?;
            let stored = self.memory.write(string, arg.as_bytes()).and_then(|()| {
                self.memory.store_number(vector + index as u64 * pointer, pointer as usize, u128::from(string))
            });
            stored.expect("the objects were just made large enough");
        }
        let address = |address: u64| Value::int(target.pointer_width, u128::from(address));
        let environment = vector + pointer * (args.len() as u64 + 1);
        let all = [Value::int(target.int_width, args.len() as u128), address(vector), address(environment)];
        let count = self.image.program.functions[main].params.len().min(all.len());
        Ok(all[..count].to_vec())
    }
}
