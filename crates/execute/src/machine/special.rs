//! Lives of objects, variable arguments, and what ends a run.

use super::{Machine, Stop};
use crate::code::{Access, FrameObject, Special};
use crate::libc::Arguments;
use crate::memory::{Contents, Fault, Origin};
use crate::observe::Observer;
use crate::outcome::Detail;
use clew_ir::{CheckKind, InstKind};
use std::rc::Rc;

impl<O: Observer> Machine<'_, O> {
    /// Executes a special op of the innermost activation and moves on.
    pub(super) fn special(&mut self, special: Special) -> Result<(), Stop> {
        let code = self.frames.last().expect("there is an activation").code;
        match special {
            Special::Begin(index) => self.begin(code.objects[index as usize])?,
            Special::End(index) => self.end(code.objects[index as usize]),
            Special::Allocate { d, size, checked } => self.allocate(d, size, checked)?,
            Special::Release { pointer } => {
                let address = self.slot(pointer);
                let _ = self.memory.release(address);
            }
            Special::VaStart { list } => self.va_start(self.slot(list))?,
            Special::VaArg(index) => self.va_arg(code.accesses[index as usize])?,
            Special::VaCopy { to, from } => self.va_copy(self.slot(to), self.slot(from))?,
            Special::VaEnd { list } => {
                let handle = self.va_handle(self.slot(list))?;
                self.library.arguments.end(handle);
            }
            Special::Unsupported => return Err(self.reached_unsupported()),
            Special::Unreachable => return Err(self.failure(CheckKind::Unreachable, Detail::Plain)),
        }
        self.frames.last_mut().expect("there is an activation").position += 1;
        Ok(())
    }

    fn begin(&mut self, object: FrameObject) -> Result<(), Stop> {
        let function = self.frames.last().expect("there is an activation").code.function;
        let old = self.slot(object.slot);
        if old != 0 {
            let _ = self.memory.release(old);
        }
        let origin = Origin::Local(function, object.local);
        let address = self.memory.allocate(object.size, object.align, origin, Contents::Unwritten)?;
        self.set_slot(object.slot, address);
        Ok(())
    }

    /// Ends a variable's life. One that a jump may bring back without beginning anew only loses its contents.
    fn end(&mut self, object: FrameObject) {
        let address = self.slot(object.slot);
        let ended = if object.on_entry { self.memory.forget(address) } else { self.memory.release(address) };
        // A jump may lead out of a scope that was never entered.
        let _ = ended;
    }

    fn allocate(&mut self, d: u32, size: u32, checked: bool) -> Result<(), Stop> {
        let function = self.frames.last().expect("there is an activation").code.function;
        let size = self.slot(size);
        let width = self.image.program.target.pointer_width;
        if checked && (size == 0 || clew_scalar::int::is_negative(width, size)) {
            return Err(self.failure(CheckKind::ArraySize, Detail::Size(size)));
        }
        let address = self.memory.allocate(size, 16, Origin::Stack(function), Contents::Unwritten)?;
        self.extra().stack_objects.push(address);
        self.set_slot(d, address);
        Ok(())
    }

    fn va_start(&mut self, list: u64) -> Result<(), Stop> {
        let arguments = self.extra().variable_arguments.clone().unwrap_or_else(|| Rc::from([]));
        let handle = self.library.arguments.start(arguments);
        self.va_store(list, handle)
    }

    fn va_copy(&mut self, to: u64, from: u64) -> Result<(), Stop> {
        let from = self.va_handle(from)?;
        let handle = self.library.arguments.copy(from);
        self.va_store(to, handle)
    }

    fn va_arg(&mut self, access: Access) -> Result<(), Stop> {
        let handle = self.va_handle(self.slot(access.address))?;
        match self.library.arguments.next(handle) {
            Some(value) if Arguments::fits(value.ty, access.value.ty) => {
                self.put(access.value, value.bits & access.value.ty.mask());
                Ok(())
            }
            Some(value) => {
                let detail = Detail::Operands { operator: "argument of another type: ", operands: vec![value] };
                Err(self.failure(CheckKind::VariableArgument, detail))
            }
            None => Err(self.failure(CheckKind::VariableArgument, Detail::Plain)),
        }
    }

    fn va_store(&mut self, list: u64, handle: u64) -> Result<(), Stop> {
        let bytes = self.image.program.target.pointer_bytes() as usize;
        self.memory.store_number(list, bytes, u128::from(handle)).map_err(|fault| self.access_failure(fault))
    }

    fn va_handle(&self, list: u64) -> Result<u64, Stop> {
        let bytes = self.image.program.target.pointer_bytes() as usize;
        let handle = self.memory.load_number(list, bytes, false).map_err(|fault: Fault| self.access_failure(fault))?;
        Ok(handle as u64)
    }

    fn reached_unsupported(&self) -> Stop {
        let frame = self.frames.last().expect("there is an activation");
        let what = match frame.code.inst_at(self.image.program, frame.position) {
            Some(InstKind::Unsupported { what }) => what.clone(),
            _ => "an unsupported construct".to_owned(),
        };
        self.unsupported(what)
    }
}
