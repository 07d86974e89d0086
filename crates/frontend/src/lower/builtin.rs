//! Expressions: variable arguments and compiler builtins.

use super::body::Body;
use super::types::Shape;
use clew_ir::{CType, CheckKind, InstKind, Operand, TerminatorKind, Type};
use clew_scalar::{BinaryOp, TernaryOp, UnaryOp};
use rucc_sema::{BitCount, ExprId, ExprKind};
use rucc_types::TypeId;

impl Body<'_, '_> {
    /// The value of an expression that is a builtin.
    pub(crate) fn builtin(&mut self, expr: ExprId) -> Operand {
        let node = self.checked.tast[expr];
        let ty = node.ty;
        match node.kind {
            ExprKind::VaArg { list } => self.va_arg(list, ty),
            ExprKind::VaStart { list } => {
                let list = self.value(list);
                self.emit(InstKind::VaStart { list });
                Operand::Null
            }
            ExprKind::VaEnd { list } => {
                let list = self.value(list);
                self.emit(InstKind::VaEnd { list });
                Operand::Null
            }
            ExprKind::VaCopy { dst, src } => {
                let to = self.value(dst);
                let from = self.value(src);
                self.emit(InstKind::VaCopy { to, from });
                Operand::Null
            }
            ExprKind::Expect { value, .. } => self.value(value),
            ExprKind::Abs { operand } => self.magnitude(operand, ty),
            ExprKind::ByteSwap { operand } => {
                let value = self.value(operand);
                self.unary(UnaryOp::ByteSwap, value, None)
            }
            ExprKind::BitCount { operand, count } => self.bit_count(operand, count, ty),
            ExprKind::Overflow { op, at, args, stores } => self.overflow(op, at, args, stores, ty),
            ExprKind::Atomic { op, args, .. } => self.atomic(op, args, ty),
            ExprKind::Prefetch { address, .. } => {
                self.discard(address);
                Operand::Null
            }
            ExprKind::Unreachable => {
                let check = Some(self.builder.check(CheckKind::Unreachable));
                self.builder.terminate(TerminatorKind::Unreachable { check });
                Operand::Null
            }
            ExprKind::Trap => self.trap(),
            // What gcc -O0 answers where it knows nothing.
            ExprKind::ConstantP { .. } => self.truth_as(Operand::int(1, 0), ty),
            ExprKind::ObjectSize { address, kind } => {
                self.discard(address);
                self.word(if kind & 3 < 2 { -1 } else { 0 })
            }
            ExprKind::Alloca { size } => self.alloca(size),
            ExprKind::Classify { op, lhs, rhs } => self.classify(op, lhs, rhs, ty),
            ExprKind::FpClassify { value, answers } => self.fp_classify(value, answers, ty),
            ExprKind::Sign { op, lhs, rhs } => self.sign(op, lhs, rhs),
            ExprKind::Complex { real, imag } => self.make_complex(real, imag, ty),
            ExprKind::ConvertVector { operand } => self.convert_vector(operand, ty),
            ExprKind::Shuffle { lhs, rhs, mask } => self.shuffle(lhs, rhs, mask, ty),
            ExprKind::ShuffleVector { operands } => self.shuffle_constant(operands, ty),
            ExprKind::Error => self.lost("this expression", ty),
            other => self.lost(&format!("this builtin ({})", kind_name(&other)), ty),
        }
    }

    fn va_arg(&mut self, list: ExprId, ty: TypeId) -> Operand {
        let list = self.value(list);
        let scalar = match self.unit.shape(ty) {
            Shape::Scalar(scalar) => scalar,
            Shape::Aggregate => Type::Pointer,
            Shape::None | Shape::Unsupported => return self.lost("a variable argument of this type", ty),
        };
        let check = Some(self.builder.check(CheckKind::VariableArgument));
        self.builder.define(scalar, |dest| InstKind::VaArg { dest, list, check })
    }

    fn alloca(&mut self, size: ExprId) -> Operand {
        let value = self.value(size);
        let size = self.resize(value, self.pointer_width(), false);
        self.builder.define(Type::Pointer, |dest| InstKind::Allocate { dest, size, align: 16, check: None })
    }

    /// A trap ends the program as `abort` does.
    fn trap(&mut self) -> Operand {
        let returns = self.unit.ctype(self.checked.types.void());
        let function = CType::Function { returns, params: Vec::new(), variadic: false };
        self.call_runtime("abort", function, Vec::new());
        self.builder.terminate(TerminatorKind::Unreachable { check: None });
        Operand::Null
    }

    fn magnitude(&mut self, operand: ExprId, ty: TypeId) -> Operand {
        let value = self.value(operand);
        let scalar = self.type_of(value);
        let zero = self.zero(scalar);
        let negative = self.binary(BinaryOp::Slt, value, zero, None);
        let check = self.overflow_check(ty);
        let negated = self.unary(UnaryOp::Neg, value, check);
        self.select(negative, negated, value)
    }

    fn bit_count(&mut self, operand: ExprId, count: BitCount, ty: TypeId) -> Operand {
        let value = self.value(operand);
        let Type::Int(width) = self.type_of(value) else { return self.lost("counting these bits", ty) };
        let zero = Operand::int(width, 0);
        let counted = match count {
            BitCount::Leading | BitCount::Trailing => {
                let nonzero = self.is_nonzero(value);
                self.demand(nonzero, CheckKind::Shift);
                let leading = count == BitCount::Leading;
                self.unary(if leading { UnaryOp::LeadingZeros } else { UnaryOp::TrailingZeros }, value, None)
            }
            BitCount::Ones => self.unary(UnaryOp::CountOnes, value, None),
            BitCount::Parity => {
                let ones = self.unary(UnaryOp::CountOnes, value, None);
                self.binary(BinaryOp::And, ones, Operand::int(width, 1), None)
            }
            BitCount::FirstSet => {
                let trailing = self.unary(UnaryOp::TrailingZeros, value, None);
                let next = self.binary(BinaryOp::Add, trailing, Operand::int(width, 1), None);
                let nonzero = self.is_nonzero(value);
                self.select(nonzero, next, zero)
            }
            BitCount::RedundantSign => {
                let sign = self.binary(BinaryOp::AShr, value, Operand::int(width, u128::from(width) - 1), None);
                let folded = self.binary(BinaryOp::Xor, value, sign, None);
                let leading = self.unary(UnaryOp::LeadingZeros, folded, None);
                self.binary(BinaryOp::Sub, leading, Operand::int(width, 1), None)
            }
        };
        match self.unit.scalar(ty) {
            Some(Type::Int(result)) => self.resize(counted, result, false),
            _ => counted,
        }
    }

    pub(crate) fn select(&mut self, a: Operand, b: Operand, c: Operand) -> Operand {
        let ty = self.type_of(b);
        self.builder.define(ty, |dest| InstKind::Ternary { dest, op: TernaryOp::Select, a, b, c })
    }
}

fn kind_name(kind: &ExprKind) -> String {
    let text = format!("{kind:?}");
    text.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}
