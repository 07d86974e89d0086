//! Instructions and terminators.
//!
//! An instruction that C may leave undefined carries the [`CheckId`] of that check; what the check demands follows from
//! the instruction and [`crate::CheckKind`]. Without an id the instruction is total (unsigned arithmetic, accesses that
//! cannot fail).

use crate::arena::Id;
use crate::ctype::CTypeId;
use crate::function::{BlockId, CheckId, ConditionId, DecisionId, Function, FunctionId, LocalId, TempId};
use crate::program::GlobalId;
use crate::source::Span;
use clew_scalar::{BinaryOp, Conversion, Format, TernaryOp, UnaryOp, Value};

/// The type of a temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// An integer of 1 to 128 bits; `Int(1)` is a truth value.
    Int(u8),
    /// A floating-point number.
    Float(Format),
    /// A pointer to an object or a function.
    Pointer,
}

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The value of a temporary.
    Temp(TempId),
    /// A constant integer or float.
    Const(Value),
    /// The null pointer.
    Null,
    /// The address of a local variable.
    Local(LocalId),
    /// The address of a global variable plus a number of bytes.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FunctionId),
}

/// Whom a call calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A function by name.
    Direct(FunctionId),
    /// A function by pointer.
    Indirect(Operand),
}

/// An instruction with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// Where it stands.
    pub span: Span,
}

/// What an instruction does.
#[expect(missing_docs, reason = "each variant's doc is a formula over its fields")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstKind {
    /// `dest = op a`
    Unary { dest: TempId, op: UnaryOp, a: Operand, check: Option<CheckId> },
    /// `dest = op a, b`; `Eq`, `Ne`, `Ult` and `Ule` also compare pointers (by address).
    Binary { dest: TempId, op: BinaryOp, a: Operand, b: Operand, check: Option<CheckId> },
    /// `dest = op a, b, c`; `Select` also chooses between pointers.
    Ternary { dest: TempId, op: TernaryOp, a: Operand, b: Operand, c: Operand },
    /// `dest = conversion a`
    Convert { dest: TempId, op: Conversion, a: Operand, check: Option<CheckId> },
    /// The address of a pointer as an integer of pointer width.
    PointerToInt { dest: TempId, a: Operand },
    /// An integer of pointer width as a pointer.
    IntToPointer { dest: TempId, a: Operand },
    /// `dest = base + bytes`, a signed number of bytes of pointer width.
    Offset { dest: TempId, base: Operand, bytes: Operand, check: Option<CheckId> },
    /// `dest = a - b` in bytes, of pointer width; both point into one object.
    Distance { dest: TempId, a: Operand, b: Operand, check: Option<CheckId> },
    /// Reads a scalar of `dest`'s type. With `raw`, bytes never written may be read (bit-field neighbours, copies by
    /// character).
    Load { dest: TempId, from: Operand, volatile: bool, raw: bool, check: Option<CheckId> },
    /// Writes a scalar of `value`'s type.
    Store { to: Operand, value: Operand, volatile: bool, check: Option<CheckId> },
    /// Copies `size` bytes between objects that are equal or disjoint, unwritten bytes included.
    Copy { to: Operand, from: Operand, size: u64, check: Option<CheckId> },
    /// Sets `size` bytes to `byte`.
    Fill { to: Operand, byte: u8, size: u64, check: Option<CheckId> },
    /// Calls a function of C type `ty`; an aggregate argument is passed as the address of the object to copy, an
    /// aggregate result through a pointer passed first.
    Call { dest: Option<TempId>, callee: Callee, args: Vec<Operand>, ty: CTypeId, check: Option<CheckId> },
    /// A new object of `size` bytes (pointer width) that lives until the function returns or [`InstKind::Release`].
    Allocate { dest: TempId, size: Operand, align: u64, check: Option<CheckId> },
    /// Ends the life of an object made by [`InstKind::Allocate`].
    Release { pointer: Operand },
    /// The local begins a new life with unwritten contents.
    Begin { local: LocalId },
    /// The local's life ends.
    End { local: LocalId },
    /// Makes `list` denote the variable arguments of this activation, from the first.
    VaStart { list: Operand },
    /// Reads the next variable argument; an aggregate comes as the address of its copy.
    VaArg { dest: TempId, list: Operand, check: Option<CheckId> },
    /// Makes `to` denote what `from` denotes.
    VaCopy { to: Operand, from: Operand },
    /// Ends the use of `list`.
    VaEnd { list: Operand },
    /// The check demands that `holds` is true; one of kind [`CheckKind::Leak`](crate::CheckKind::Leak) stands for what the
    /// call before it allocates.
    Check { holds: Operand, check: CheckId },
    /// C that is not supported; only paths that reach it are lost.
    Unsupported { what: String },
}

/// The last instruction of a block, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminator {
    /// Where it goes.
    pub kind: TerminatorKind,
    /// Where it stands.
    pub span: Span,
}

/// Where control goes.
#[expect(missing_docs, reason = "each variant's doc is a sentence over its fields")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminatorKind {
    /// To one block.
    Jump(BlockId),
    /// By a truth value; with a condition, `then` is the outcome "true" of it.
    Branch { on: Operand, condition: Option<ConditionId>, then: BlockId, otherwise: BlockId },
    /// By an integer; cases are disjoint.
    Switch { on: Operand, decision: Option<DecisionId>, cases: Vec<Case>, default: BlockId },
    /// Out of the function.
    Return(Option<Operand>),
    /// Nowhere: reaching it is undefined.
    Unreachable { check: Option<CheckId> },
}

/// A case of a switch: all values from `low` to `high` in the signedness of the switched type (`low <= high` as bits of
/// a contiguous wrapped range).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// First value, as bits of the switched width.
    pub low: u128,
    /// Last value, as bits of the switched width.
    pub high: u128,
    /// Where it goes.
    pub target: BlockId,
}

impl Case {
    /// Whether a value of the switched width falls into this case.
    pub fn matches(&self, width: u8, bits: u128) -> bool {
        let mask = u128::MAX >> (128 - u32::from(width));
        bits.wrapping_sub(self.low) & mask <= self.high.wrapping_sub(self.low) & mask
    }
}

impl TerminatorKind {
    /// The blocks control may go to, in order of outcome: true before false, cases in order before the default.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            TerminatorKind::Jump(target) => vec![*target],
            TerminatorKind::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter().map(|case| case.target).chain([*default]).collect()
            }
            TerminatorKind::Return(_) | TerminatorKind::Unreachable { .. } => Vec::new(),
        }
    }
}

impl Operand {
    /// A constant integer.
    pub fn int(width: u8, bits: u128) -> Operand {
        let mask = u128::MAX >> (128 - u32::from(width));
        Operand::Const(Value { ty: clew_scalar::Type::Int(width), bits: bits & mask })
    }

    /// The operand's type inside a function.
    pub fn ty(self, function: &Function) -> Type {
        match self {
            Operand::Temp(temp) => function.temps[temp].ty,
            Operand::Const(value) => value.ty.into(),
            Operand::Null | Operand::Local(_) | Operand::Global(..) | Operand::Function(_) => Type::Pointer,
        }
    }
}

impl From<clew_scalar::Type> for Type {
    fn from(ty: clew_scalar::Type) -> Type {
        match ty {
            clew_scalar::Type::Int(width) => Type::Int(width),
            clew_scalar::Type::Float(format) => Type::Float(format),
        }
    }
}

impl Type {
    /// The machine scalar that represents the type when pointers have `pointer_width` bits.
    pub fn scalar(self, pointer_width: u8) -> clew_scalar::Type {
        match self {
            Type::Int(width) => clew_scalar::Type::Int(width),
            Type::Float(format) => clew_scalar::Type::Float(format),
            Type::Pointer => clew_scalar::Type::Int(pointer_width),
        }
    }

    /// Bytes the type takes in memory when pointers have `pointer_width` bits. x87 extended is stored in 16 bytes on
    /// 64-bit targets and 12 on 32-bit ones, of which the low 10 are written.
    pub fn bytes(self, pointer_width: u8) -> u64 {
        match self {
            Type::Float(Format::EXTENDED) => 10,
            other => u64::from(other.scalar(pointer_width).width()).div_ceil(8),
        }
    }
}

impl InstKind {
    /// The temporary the instruction defines.
    pub fn dest(&self) -> Option<TempId> {
        match self {
            InstKind::Unary { dest, .. }
            | InstKind::Binary { dest, .. }
            | InstKind::Ternary { dest, .. }
            | InstKind::Convert { dest, .. }
            | InstKind::PointerToInt { dest, .. }
            | InstKind::IntToPointer { dest, .. }
            | InstKind::Offset { dest, .. }
            | InstKind::Distance { dest, .. }
            | InstKind::Load { dest, .. }
            | InstKind::Allocate { dest, .. }
            | InstKind::VaArg { dest, .. } => Some(*dest),
            InstKind::Call { dest, .. } => *dest,
            _ => None,
        }
    }

    /// The operands the instruction reads, in order.
    pub fn operands(&self) -> Vec<Operand> {
        match self {
            InstKind::Unary { a, .. }
            | InstKind::Convert { a, .. }
            | InstKind::PointerToInt { a, .. }
            | InstKind::IntToPointer { a, .. } => vec![*a],
            InstKind::Binary { a, b, .. } | InstKind::Distance { a, b, .. } => vec![*a, *b],
            InstKind::Ternary { a, b, c, .. } => vec![*a, *b, *c],
            InstKind::Offset { base, bytes, .. } => vec![*base, *bytes],
            InstKind::Load { from, .. } => vec![*from],
            InstKind::Store { to, value, .. } => vec![*to, *value],
            InstKind::Copy { to, from, .. } | InstKind::VaCopy { to, from } => vec![*to, *from],
            InstKind::Fill { to, .. } => vec![*to],
            InstKind::Call { callee, args, .. } => {
                let pointer = match callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect(operand) => Some(*operand),
                };
                pointer.into_iter().chain(args.iter().copied()).collect()
            }
            InstKind::Allocate { size, .. } => vec![*size],
            InstKind::Release { pointer } => vec![*pointer],
            InstKind::VaStart { list } | InstKind::VaArg { list, .. } | InstKind::VaEnd { list } => vec![*list],
            InstKind::Check { holds, .. } => vec![*holds],
            InstKind::Begin { .. } | InstKind::End { .. } | InstKind::Unsupported { .. } => Vec::new(),
        }
    }

    /// The check the instruction carries.
    pub fn check(&self) -> Option<CheckId> {
        match self {
            InstKind::Unary { check, .. }
            | InstKind::Binary { check, .. }
            | InstKind::Convert { check, .. }
            | InstKind::Offset { check, .. }
            | InstKind::Distance { check, .. }
            | InstKind::Load { check, .. }
            | InstKind::Store { check, .. }
            | InstKind::Copy { check, .. }
            | InstKind::Fill { check, .. }
            | InstKind::Call { check, .. }
            | InstKind::Allocate { check, .. }
            | InstKind::VaArg { check, .. } => *check,
            InstKind::Check { check, .. } => Some(*check),
            _ => None,
        }
    }
}

/// The first block of every function.
pub const ENTRY: BlockId = Id::new(0);
