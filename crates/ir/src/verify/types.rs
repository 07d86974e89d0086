//! Operand types fit their operators.

use super::Report;
use crate::function::Function;
use crate::inst::{Callee, InstKind, Operand, TerminatorKind, Type};
use crate::program::Program;
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};

/// Reports every instruction whose operands or result have the wrong type.
pub(super) fn check(program: &Program, function: &Function, report: Report<'_>) {
    let context = Context { program, function };
    for (id, block) in function.blocks.iter() {
        for inst in &block.insts {
            if let Some(problem) = context.instruction(&inst.kind) {
                report(format!("b{}: {problem} in {:?}", id.raw(), inst.kind));
            }
        }
        if let Some(problem) = context.terminator(&block.terminator.kind) {
            report(format!("b{}: {problem} in {:?}", id.raw(), block.terminator.kind));
        }
    }
}

struct Context<'a> {
    program: &'a Program,
    function: &'a Function,
}

/// What is wrong, if anything.
type Problem = Option<&'static str>;

fn unless(holds: bool, problem: &'static str) -> Problem {
    (!holds).then_some(problem)
}

impl Context<'_> {
    fn ty(&self, operand: Operand) -> Type {
        operand.ty(self.function)
    }

    fn all_pointers(&self, operands: &[Operand]) -> Problem {
        let pointers = operands.iter().all(|operand| self.ty(*operand) == Type::Pointer);
        unless(pointers, "an operand must be a pointer")
    }

    fn word(&self) -> Type {
        Type::Int(self.program.target.pointer_width)
    }

    fn instruction(&self, kind: &InstKind) -> Problem {
        let dest = kind.dest().map(|dest| self.function.temps[dest].ty);
        match kind {
            InstKind::Unary { op, a, .. } => unary(*op, self.ty(*a), dest?),
            InstKind::Binary { op, a, b, .. } => binary(*op, self.ty(*a), self.ty(*b), dest?),
            InstKind::Ternary { op, a, b, c, .. } => ternary(*op, [self.ty(*a), self.ty(*b), self.ty(*c)], dest?),
            InstKind::Convert { op, a, .. } => convert(*op, self.ty(*a), dest?),
            InstKind::PointerToInt { a, .. } => {
                self.all_pointers(&[*a]).or(unless(dest? == self.word(), "the result has pointer width"))
            }
            InstKind::IntToPointer { a, .. } => {
                unless(self.ty(*a) == self.word() && dest? == Type::Pointer, "an integer of pointer width is expected")
            }
            InstKind::Offset { base, bytes, .. } => self
                .all_pointers(&[*base])
                .or(unless(self.ty(*bytes) == self.word() && dest? == Type::Pointer, "bytes have pointer width")),
            InstKind::Distance { a, b, .. } => {
                self.all_pointers(&[*a, *b]).or(unless(dest? == self.word(), "the result has pointer width"))
            }
            InstKind::Load { from: pointer, .. }
            | InstKind::Store { to: pointer, .. }
            | InstKind::Fill { to: pointer, .. }
            | InstKind::Release { pointer }
            | InstKind::VaStart { list: pointer }
            | InstKind::VaArg { list: pointer, .. }
            | InstKind::VaEnd { list: pointer } => self.all_pointers(&[*pointer]),
            InstKind::Copy { to, from, .. } | InstKind::VaCopy { to, from } => self.all_pointers(&[*to, *from]),
            InstKind::Allocate { size, .. } => {
                unless(self.ty(*size) == self.word() && dest? == Type::Pointer, "the size has pointer width")
            }
            InstKind::Check { holds, .. } => unless(self.ty(*holds) == Type::Int(1), "a check takes a truth value"),
            InstKind::Call { callee, .. } => self.call(callee, dest),
            InstKind::Begin { .. } | InstKind::End { .. } | InstKind::Unsupported { .. } => None,
        }
    }

    /// The result of a direct call has the callee's type. Arguments may disagree, since C allows calls through
    /// unprototyped declarations; the engines check those when they happen.
    fn call(&self, callee: &Callee, dest: Option<Type>) -> Problem {
        let Callee::Direct(callee) = callee else { return None };
        let callee = &self.program.functions[*callee];
        let fits = dest.is_none() || !callee.is_defined() || dest == callee.returns;
        unless(fits, "the result's type is not the callee's")
    }

    fn terminator(&self, kind: &TerminatorKind) -> Problem {
        match kind {
            TerminatorKind::Branch { on, .. } => unless(self.ty(*on) == Type::Int(1), "a branch takes a truth value"),
            TerminatorKind::Switch { on, .. } => {
                unless(matches!(self.ty(*on), Type::Int(_)), "a switch takes an integer")
            }
            TerminatorKind::Return(Some(value)) => {
                unless(Some(self.ty(*value)) == self.function.returns, "the returned type is not the function's")
            }
            TerminatorKind::Return(None) | TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. } => None,
        }
    }
}

fn is_int(ty: Type) -> bool {
    matches!(ty, Type::Int(_))
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::Float(_))
}

fn unary(op: UnaryOp, a: Type, dest: Type) -> Problem {
    let fits = match op {
        UnaryOp::Not
        | UnaryOp::Neg
        | UnaryOp::CountOnes
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::ByteSwap => is_int(a) && dest == a,
        UnaryOp::FloatNeg | UnaryOp::FloatAbs | UnaryOp::FloatSqrt(_) | UnaryOp::FloatRoundToIntegral(_) => {
            is_float(a) && dest == a
        }
        UnaryOp::FloatIsNan
        | UnaryOp::FloatIsInfinite
        | UnaryOp::FloatIsZero
        | UnaryOp::FloatIsNormal
        | UnaryOp::FloatIsSubnormal
        | UnaryOp::FloatIsNegative => is_float(a) && dest == Type::Int(1),
    };
    unless(fits, "the operand's type does not fit")
}

fn binary(op: BinaryOp, a: Type, b: Type, dest: Type) -> Problem {
    let truth = dest == Type::Int(1);
    let fits = match op {
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule => !is_float(a) && truth,
        BinaryOp::Slt | BinaryOp::Sle => is_int(a) && truth,
        BinaryOp::FloatEq | BinaryOp::FloatLt | BinaryOp::FloatLe => is_float(a) && truth,
        BinaryOp::FloatAdd(_)
        | BinaryOp::FloatSub(_)
        | BinaryOp::FloatMul(_)
        | BinaryOp::FloatDiv(_)
        | BinaryOp::FloatMod
        | BinaryOp::FloatRem
        | BinaryOp::FloatMin
        | BinaryOp::FloatMax => is_float(a) && dest == a,
        _ => is_int(a) && dest == a,
    };
    unless(fits && a == b, "the operands' types do not fit")
}

fn ternary(op: TernaryOp, [a, b, c]: [Type; 3], dest: Type) -> Problem {
    let fits = match op {
        TernaryOp::Select => a == Type::Int(1) && b == c && dest == b,
        TernaryOp::FloatFma(_) => is_float(a) && a == b && b == c && dest == a,
    };
    unless(fits, "the operands' types do not fit")
}

fn convert(op: Conversion, a: Type, dest: Type) -> Problem {
    let fits = match (op, a) {
        (Conversion::ZeroExtend(to) | Conversion::SignExtend(to), Type::Int(from)) => {
            to >= from && dest == Type::Int(to)
        }
        (Conversion::Truncate(to), Type::Int(from)) => to <= from && dest == Type::Int(to),
        (Conversion::SignedToFloat(format, _) | Conversion::UnsignedToFloat(format, _), Type::Int(_)) => {
            dest == Type::Float(format)
        }
        (Conversion::FloatToSigned(to, _) | Conversion::FloatToUnsigned(to, _), Type::Float(_)) => {
            dest == Type::Int(to)
        }
        (Conversion::FloatToFloat(format, _), Type::Float(_)) => dest == Type::Float(format),
        (Conversion::BitsToFloat(format), Type::Int(from)) => from == format.width() && dest == Type::Float(format),
        (Conversion::FloatToBits, Type::Float(format)) => dest == Type::Int(format.width()),
        _ => false,
    };
    unless(fits, "the operand's type does not fit the conversion")
}
