//! One instruction at a time, symbolically.
//!
//! Known operands are computed by `scalar`, symbolic ones become terms. An instruction either goes on, or ends the path.
//! Whatever may go both ways for the inputs of the path goes through [`Stepper::demand`] (checks) or `branch`
//! (conditions); both follow the current model and leave the other way open.

mod access;
mod alias;
mod arithmetic;
pub mod branch;
mod bulk;
mod call;
pub mod check;
mod container;
mod element;
pub(crate) mod entry;
pub mod external;
mod havoc;
mod label;
pub mod leak;
pub mod library;
mod local;
mod materialise;
mod math;
mod meeting;
mod number;
mod overlap;
mod pointer;
mod promise;
mod reference;
mod relation;
mod require;
mod retype;
mod stub;
mod volatile;

use clew_analyze::exposed_locals;
use clew_ir::{CheckKind, Function, Inst, InstKind, LocalId, Operand, TempId};
use clew_scalar::BinaryOp;
use clew_solver::clock;

pub use branch::go;

use crate::ending::{Limit, PathEnd};
use crate::memory::{Background, Extent, ObjectId, Origin};
use crate::path::Path;
use crate::stepped::{At, Step, Stepped};
use crate::stepper::Stepper;
use crate::value::{self, Base, Pointer, Scalar, Val};

/// What an instruction costs on the clock of work.
const INSTRUCTION: u64 = 200;

impl Stepper<'_> {
    /// Runs the instruction or the end of the block at which a path stands; it may execute so many instructions in all.
    ///
    /// # Errors
    /// The end of the path, if it ends there.
    pub fn step(&mut self, path: &mut Path, most: u64) -> Step<Stepped> {
        path.state.steps += 1;
        if path.state.steps > most {
            return Err(PathEnd::Limit(Limit::Steps));
        }
        clock::spend(INSTRUCTION);
        if path.state.steps.is_multiple_of(4096)
            && let Some(limit) = self.cut_by()
        {
            return Err(PathEnd::Limit(limit));
        }
        let frame = path.state.frame();
        let program = self.program;
        let function = &program.functions[frame.function];
        let block = &function.blocks[frame.block];
        match block.insts.get(frame.next) {
            Some(inst) => {
                let at = (frame.function, frame.block, frame.next as u32);
                path.state.frame_mut().next += 1;
                self.instruction(path, function, inst)?;
                Ok(Stepped::Executed(at))
            }
            None => {
                path.state.frame_mut().next += 1;
                self.terminator(path, function, &block.terminator)
            }
        }
    }

    /// Runs on as [`Stepper::step`] does, where the input of the path goes; gives the instruction executed, if it was one.
    ///
    /// # Errors
    /// The end of the path, if it ends there.
    pub fn follow(&mut self, path: &mut Path, most: u64) -> Step<Option<At>> {
        match self.step(path, most)? {
            Stepped::Executed(at) => return Ok(Some(at)),
            Stepped::Went => {}
            Stepped::Branches(ways) => {
                let taken = self.taken(path, &ways);
                self.take(path, &ways, taken);
            }
        }
        Ok(None)
    }

    /// Runs one instruction.
    ///
    /// # Errors
    /// The end of the path, if it ends there.
    pub fn instruction(&mut self, path: &mut Path, function: &Function, inst: &Inst) -> Step {
        match &inst.kind {
            InstKind::Unary { .. } | InstKind::Binary { .. } | InstKind::Ternary { .. } | InstKind::Convert { .. } => {
                self.arithmetic(path, inst)
            }
            InstKind::PointerToInt { .. }
            | InstKind::IntToPointer { .. }
            | InstKind::Offset { .. }
            | InstKind::Distance { .. } => self.pointer_arithmetic(path, inst),
            InstKind::Load { .. } | InstKind::Store { .. } | InstKind::Copy { .. } | InstKind::Fill { .. } => {
                self.access(path, function, inst)
            }
            InstKind::Call { .. }
            | InstKind::VaStart { .. }
            | InstKind::VaArg { .. }
            | InstKind::VaCopy { .. }
            | InstKind::VaEnd { .. } => self.call(path, function, inst),
            InstKind::Allocate { .. } | InstKind::Release { .. } | InstKind::Begin { .. } | InstKind::End { .. } => {
                self.lifetime(path, inst)
            }
            InstKind::Check { holds, check } => {
                let holds = self.scalar(path, *holds)?;
                let what = match function.checks[*check].kind {
                    CheckKind::Index => "the index is out of range",
                    CheckKind::Unsequenced => "a variable is changed twice, or changed and read, in no order",
                    CheckKind::Representation => "a `_Bool` is neither 0 nor 1",
                    _ => "the condition does not hold",
                };
                self.demand(path, holds, *check, inst.span, what)
            }
            InstKind::Unsupported { what } => Err(PathEnd::Unsupported { what: what.clone(), span: inst.span }),
        }
    }

    /// The value of an operand.
    pub fn operand(&mut self, path: &mut Path, operand: Operand) -> Step<Val> {
        let width = self.program.target.pointer_width;
        let at = |base, offset: i64| Val::Pointer(Pointer { base, offset: Scalar::int(width, offset as i128 as u128) });
        Ok(match operand {
            Operand::Temp(temp) => {
                path.state.frame().temps.get(temp).expect("a verified program defines before it uses")
            }
            Operand::Const(value) => Val::Scalar(Scalar::Known(value)),
            Operand::Null => Val::Pointer(Pointer::null(width)),
            Operand::Local(local) => at(Base::Object(path.state.local(local)), 0),
            Operand::Global(global, offset) => at(Base::Object(self.global(path, global)?), offset),
            Operand::Function(function) => at(Base::Function(function), 0),
        })
    }

    /// The value of an operand as a scalar; a pointer gives its address.
    pub fn scalar(&mut self, path: &mut Path, operand: Operand) -> Step<Scalar> {
        match self.operand(path, operand)? {
            Val::Scalar(scalar) => Ok(scalar),
            Val::Pointer(pointer) => self.address(path, pointer),
        }
    }

    /// The value of an operand as a pointer; an integer is an address.
    pub(crate) fn pointer(&mut self, path: &mut Path, operand: Operand) -> Step<Pointer> {
        Ok(match self.operand(path, operand)? {
            Val::Pointer(pointer) => pointer,
            Val::Scalar(offset) => Pointer { base: Base::Absolute, offset },
        })
    }

    /// Gives a temporary its value.
    pub(crate) fn define(&mut self, path: &mut Path, dest: TempId, val: impl Into<Val>) -> Step {
        let frame = path.state.frame_mut();
        // Predicates of criteria may read what code reads no more.
        if !self.recording.temps {
            frame.temps.tidy(&self.program.functions[frame.function], frame.next.saturating_sub(1));
        }
        frame.temps.set(dest, val.into());
        Ok(())
    }

    fn lifetime(&mut self, path: &mut Path, inst: &Inst) -> Step {
        match &inst.kind {
            InstKind::Begin { local } => {
                let id = self.renewed(path, *local);
                path.state.external.escaped.remove(&id);
                path.state.memory.get_mut(id).revive(Background::Unwritten);
            }
            InstKind::End { local } => {
                let id = path.state.local(*local);
                path.state.kill(id);
            }
            InstKind::Allocate { dest, size, check, .. } => {
                let size = self.scalar(path, *size)?;
                if let Some(check) = check {
                    let zero = Scalar::int(self.program.target.pointer_width, 0);
                    let positive = value::binary(self.constraints.terms(), BinaryOp::Slt, zero, size);
                    self.demand(path, positive, *check, inst.span, "the size of an array is not positive")?;
                }
                let object = self.allocate(path, size, inst.span)?;
                path.state.frame_mut().allocated.push(object);
                let pointer = self.start_of(object);
                self.define(path, *dest, pointer)?;
            }
            InstKind::Release { pointer } => {
                if let Pointer { base: Base::Object(object), .. } = self.pointer(path, *pointer)? {
                    path.state.kill(object);
                }
            }
            _ => unreachable!("only instructions about lifetimes come here"),
        }
        Ok(())
    }

    /// The object of a local whose life begins: another one than before if pointers to that are still there, which stay
    /// invalid.
    fn renewed(&mut self, path: &mut Path, local: LocalId) -> ObjectId {
        let before = path.state.local(local);
        if path.state.memory.get(before).alive || !self.is_exposed(path, local) {
            return before;
        }
        if !path.state.memory.holds_pointer_to(before) {
            return before;
        }
        let (origin, extent) = (path.state.memory.get(before).origin, path.state.memory.get(before).extent);
        let id = path.state.memory.add(origin, extent, Background::Unwritten);
        let frame = path.state.frame_mut();
        frame.locals = frame.locals.iter().map(|old| if *old == before { id } else { *old }).collect();
        id
    }

    /// Whether the address of a local of the running function is used for more than accesses.
    fn is_exposed(&mut self, path: &Path, local: LocalId) -> bool {
        let (program, function) = (self.program, path.state.frame().function);
        let exposed = self.caches.exposed.entry(function);
        exposed.or_insert_with(|| exposed_locals(&program.functions[function])).contains(&local)
    }

    /// A new object of a size that must be the same on all inputs of the path.
    pub(crate) fn allocate(&mut self, path: &mut Path, size: Scalar, span: clew_ir::Span) -> Step<ObjectId> {
        let bytes = self.make_known(path, size)?;
        let extent = Extent::Bytes(u64::try_from(bytes).unwrap_or(u64::MAX));
        Ok(path.state.memory.add(Origin::Allocated(span), extent, Background::Unwritten))
    }

    /// A pointer to the start of an object.
    pub(crate) fn start_of(&self, object: ObjectId) -> Pointer {
        Pointer { base: Base::Object(object), offset: Scalar::int(self.program.target.pointer_width, 0) }
    }
}
