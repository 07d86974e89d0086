//! Expressions: questions about floats.

use super::body::Body;
use clew_ir::{Operand, Type};
use clew_scalar::{BinaryOp, Conversion, UnaryOp};
use rucc_sema::{Classify, ExprId, ExprList, Sign};
use rucc_types::TypeId;

impl Body<'_, '_> {
    pub(crate) fn classify(&mut self, op: Classify, lhs: ExprId, rhs: Option<ExprId>, ty: TypeId) -> Operand {
        let a = self.value(lhs);
        let b = rhs.map(|rhs| self.value(rhs));
        let answer = match (op, b) {
            (Classify::Unordered, Some(b)) => self.is_unordered(a, b),
            (Classify::LessGreater, Some(b)) => {
                let less = self.binary(BinaryOp::FloatLt, a, b, None);
                let greater = self.binary(BinaryOp::FloatLt, b, a, None);
                self.binary(BinaryOp::Or, less, greater, None)
            }
            (Classify::Nan, _) => self.unary(UnaryOp::FloatIsNan, a, None),
            (Classify::Infinite, _) => self.unary(UnaryOp::FloatIsInfinite, a, None),
            (Classify::Finite, _) => {
                let nan = self.unary(UnaryOp::FloatIsNan, a, None);
                let infinite = self.unary(UnaryOp::FloatIsInfinite, a, None);
                let either = self.binary(BinaryOp::Or, nan, infinite, None);
                self.unary(UnaryOp::Not, either, None)
            }
            (Classify::Normal, _) => self.unary(UnaryOp::FloatIsNormal, a, None),
            (Classify::SignBit, _) => self.sign_bit(a),
            (Classify::InfiniteSign, _) => return self.infinite_sign(a),
            _ => return self.lost("this classification", ty),
        };
        self.truth_as(answer, ty)
    }

    fn is_unordered(&mut self, a: Operand, b: Operand) -> Operand {
        let left = self.unary(UnaryOp::FloatIsNan, a, None);
        let right = self.unary(UnaryOp::FloatIsNan, b, None);
        self.binary(BinaryOp::Or, left, right, None)
    }

    /// The sign bit, of a NaN too.
    fn sign_bit(&mut self, a: Operand) -> Operand {
        let bits = self.convert_op(Conversion::FloatToBits, a, None);
        let zero = self.zero(self.type_of(bits));
        self.binary(BinaryOp::Slt, bits, zero, None)
    }

    fn infinite_sign(&mut self, a: Operand) -> Operand {
        let infinite = self.unary(UnaryOp::FloatIsInfinite, a, None);
        let negative = self.sign_bit(a);
        let sign = self.select(negative, Operand::int(32, u128::MAX), Operand::int(32, 1));
        self.select(infinite, sign, Operand::int(32, 0))
    }

    pub(crate) fn fp_classify(&mut self, value: ExprId, answers: ExprList, ty: TypeId) -> Operand {
        let checked = self.checked;
        let &[nan, infinite, normal, subnormal, zero] = &checked.tast[answers] else {
            return self.lost("this classification", ty);
        };
        let a = self.value(value);
        let mut answer = self.value(normal);
        let questions = [
            (UnaryOp::FloatIsSubnormal, subnormal),
            (UnaryOp::FloatIsZero, zero),
            (UnaryOp::FloatIsInfinite, infinite),
            (UnaryOp::FloatIsNan, nan),
        ];
        for (question, then) in questions {
            let holds = self.unary(question, a, None);
            let then = self.value(then);
            answer = self.select(holds, then, answer);
        }
        answer
    }

    /// `fabs` and `copysign`.
    pub(crate) fn sign(&mut self, op: Sign, lhs: ExprId, rhs: Option<ExprId>) -> Operand {
        let value = self.value(lhs);
        let magnitude = self.unary(UnaryOp::FloatAbs, value, None);
        match (op, rhs, self.type_of(value)) {
            (Sign::Of, Some(rhs), Type::Float(_)) => {
                let from = self.value(rhs);
                self.with_sign_of(magnitude, from)
            }
            _ => magnitude,
        }
    }

    /// A magnitude with the sign of another value.
    pub(crate) fn with_sign_of(&mut self, magnitude: Operand, from: Operand) -> Operand {
        let negative = self.sign_bit(from);
        let negated = self.unary(UnaryOp::FloatNeg, magnitude, None);
        self.select(negative, negated, magnitude)
    }
}
