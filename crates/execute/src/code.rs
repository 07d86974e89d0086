//! Functions decoded for execution.
//!
//! A [`Code`] is one function as a flat list of [`Op`]s over the slots of a frame. A slot is a 64-bit word of the
//! activation: constants come first (copied in on entry), then temporaries and those variables whose address is never
//! taken; wider scalars take two slots. Every operand of every op is a slot, so executing an op is an index, a
//! computation and a store. Branch targets are positions in the list.
//!
//! An op carries no check id and no span: [`Code::origins`] leads from its position back to the IR instruction, and
//! whoever reports a failure looks there.
//!
//! An [`Image`] is a program with the code of its functions, decoded when first called; it can be shared by several
//! machines.

mod assigned;
mod block;
mod decode;
mod emit;
mod frame;
mod load;
mod op;
mod shape;

pub(crate) use op::{Op, Special};

use crate::libc::{self, Routine, StandardStreams};
use crate::memory::Memory;
use crate::outcome::Checks;
use clew_ir::{BlockId, CheckId, FunctionId, InstKind, Program, Type};
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};
use std::ops::Range;
use std::sync::OnceLock;

/// A word of a frame.
pub(crate) type Slot = u32;
/// A position in a function's code.
pub(crate) type Position = u32;

/// A program with its decoded functions.
#[derive(Debug)]
pub struct Image<'p> {
    /// The program.
    pub program: &'p Program,
    pub(crate) checks: Checks,
    memory: Memory,
    streams: StandardStreams,
    globals: Vec<u64>,
    codes: Vec<OnceLock<Code>>,
    routines: Vec<Option<Routine>>,
    /// What a declared name denotes: itself, or the definition another unit gives.
    definitions: Vec<FunctionId>,
}

impl<'p> Image<'p> {
    /// Prepares a program for execution under the given checks; the others are not looked at.
    pub fn new(program: &'p Program, checks: Checks) -> Image<'p> {
        let codes = program.functions.ids().map(|_| OnceLock::new()).collect();
        let routines = program
            .functions
            .values()
            .map(|function| if function.is_defined() { None } else { libc::routine(&function.name) })
            .collect();
        let definitions = program.functions.ids().map(|id| definition(program, id)).collect();
        let load::Loaded { memory, streams, globals } = load::load(program);
        Image { program, checks, memory, streams, globals, codes, routines, definitions }
    }

    /// The address of a global.
    pub fn global_address(&self, global: clew_ir::GlobalId) -> u64 {
        self.globals[global.index()]
    }

    /// The address of a function.
    pub fn function_address(&self, function: FunctionId) -> u64 {
        Memory::function_address(self.program.target, function.raw())
    }

    /// Memory with the globals at their initial values.
    pub(crate) fn initial_memory(&self) -> &Memory {
        &self.memory
    }

    pub(crate) fn streams(&self) -> StandardStreams {
        self.streams
    }

    /// The function that runs when `id` is called.
    pub(crate) fn definition(&self, id: FunctionId) -> FunctionId {
        self.definitions[id.index()]
    }

    /// The code of a defined function.
    #[inline]
    pub(crate) fn code(&self, id: FunctionId) -> &Code {
        self.codes[id.index()].get_or_init(|| decode::decode(self.program, &self.globals, id, self.checks))
    }

    /// The library's function of a declared one's name.
    pub(crate) fn routine(&self, id: FunctionId) -> Option<Routine> {
        self.routines[id.index()]
    }

    /// The function at an address.
    pub(crate) fn function_at(&self, address: u64) -> Option<FunctionId> {
        let id = FunctionId::new(Memory::function_at(self.program.target, address)?);
        self.program.functions.get(id).map(|_| id)
    }
}

fn definition(program: &Program, id: FunctionId) -> FunctionId {
    let function = &program.functions[id];
    if function.is_defined() || function.linkage != clew_ir::Linkage::External {
        return id;
    }
    program.function(&function.name).filter(|&other| program.functions[other].is_defined()).unwrap_or(id)
}

/// A decoded function.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) function: FunctionId,
    pub(crate) ops: Vec<Op>,
    /// For each op, the block and the instruction it comes from; the terminator counts as the last.
    pub(crate) origins: Vec<(BlockId, u32)>,
    pub(crate) constants: Vec<u64>,
    /// Slots that are zero on entry: addresses of variables in memory, and flags "was written".
    pub(crate) zeroed: Range<usize>,
    pub(crate) frame_size: usize,
    pub(crate) params: Vec<FrameSlot>,
    /// Variables in memory and the slots of their addresses.
    pub(crate) objects: Vec<FrameObject>,
    pub(crate) evals: Vec<Eval>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) calls: Vec<Call>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) ranges: Vec<RangeOp>,
    pub(crate) variadic: bool,
}

/// Where a scalar lies in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameSlot {
    pub(crate) slot: Slot,
    pub(crate) ty: clew_scalar::Type,
}

impl FrameSlot {
    /// Whether it takes two slots.
    pub(crate) fn is_wide(self) -> bool {
        self.ty.width() > 64
    }
}

/// A variable in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameObject {
    pub(crate) local: clew_ir::LocalId,
    pub(crate) slot: Slot,
    pub(crate) size: u64,
    pub(crate) align: u64,
    /// Whether it lives from the start of the activation.
    pub(crate) on_entry: bool,
}

/// An operator the ops do not have on their own: wide operands, rare operators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eval {
    pub(crate) kind: EvalKind,
    pub(crate) dest: FrameSlot,
    pub(crate) operands: [FrameSlot; 3],
    pub(crate) undefined: Undefined,
}

/// What happens where C leaves a result undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undefined {
    /// The operator's own total meaning: the IR has no check here.
    Total,
    /// The run fails.
    Fails,
    /// What compiled code gives, as far as it is known: the check is not looked at.
    AsCompiled,
    /// What the compiler gives for constant operands, where that differs.
    AsFolded,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum EvalKind {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Ternary(TernaryOp),
    Convert(Conversion),
}

/// A load or store of an unusual width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) address: Slot,
    pub(crate) value: FrameSlot,
    pub(crate) bytes: u8,
    pub(crate) raw: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: CalleeSlot,
    pub(crate) args: Vec<FrameSlot>,
    pub(crate) dest: Option<FrameSlot>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CalleeSlot {
    Direct(FunctionId),
    Indirect(Slot),
}

/// The cases of a switch on a value of at most 64 bits.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) on: FrameSlot,
    pub(crate) table: SwitchTable,
    pub(crate) default: Position,
}

#[derive(Clone, Debug)]
pub(crate) enum SwitchTable {
    /// Targets of consecutive values from `low`.
    Dense { low: u64, targets: Vec<Position> },
    /// First value, last value and target, in ascending order of the first value.
    Sorted(Vec<(u128, u128, Position)>),
}

/// A copy or fill of a range of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RangeOp {
    pub(crate) to: Slot,
    pub(crate) from: Slot,
    pub(crate) byte: u8,
    pub(crate) size: u64,
}

impl Code {
    /// The check of the IR instruction an op comes from.
    pub(crate) fn check_at(&self, program: &Program, position: Position) -> Option<CheckId> {
        let (block, inst) = self.origins[position as usize];
        let block = &program.functions[self.function].blocks[block];
        match block.insts.get(inst as usize) {
            Some(inst) => inst.kind.check(),
            None => match block.terminator.kind {
                clew_ir::TerminatorKind::Unreachable { check } => check,
                _ => None,
            },
        }
    }

    /// The IR instruction an op comes from; `None` for terminators.
    pub(crate) fn inst_at<'p>(&self, program: &'p Program, position: Position) -> Option<&'p InstKind> {
        let (block, inst) = self.origins[position as usize];
        program.functions[self.function].blocks[block].insts.get(inst as usize).map(|inst| &inst.kind)
    }

    /// The place in the source of an op.
    pub(crate) fn span_at(&self, program: &Program, position: Position) -> clew_ir::Span {
        let (block, inst) = self.origins[position as usize];
        let block = &program.functions[self.function].blocks[block];
        block.insts.get(inst as usize).map_or(block.terminator.span, |inst| inst.span)
    }
}

/// The machine scalar of an IR type.
pub(crate) fn scalar_type(program: &Program, ty: Type) -> clew_scalar::Type {
    ty.scalar(program.target.pointer_width)
}
