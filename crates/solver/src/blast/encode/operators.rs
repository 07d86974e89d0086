//! Which circuit an operator is.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, Type, UnaryOp};

use super::super::Limit;
use super::super::float::{Float, Remainder, Signedness};
use super::super::gates::{Gates, Lit};
use super::super::int::{Bits, byte_swap, complement, sign_extend, zero_extend};
use super::{Encoded, Encoder, FloatForms, computed, scalar};
use crate::term::TermId;

impl Encoder {
    pub(super) fn int_unary(&mut self, op: UnaryOp, a: TermId) -> Bits {
        let a = self.bits(a);
        match op {
            UnaryOp::Not => complement(&a),
            UnaryOp::Neg => self.gates.neg(&a),
            UnaryOp::CountOnes => self.gates.count_ones(&a),
            UnaryOp::LeadingZeros => self.gates.leading_zeros(&a),
            UnaryOp::TrailingZeros => self.gates.trailing_zeros(&a),
            UnaryOp::ByteSwap => byte_swap(&a),
            UnaryOp::FloatNeg
            | UnaryOp::FloatAbs
            | UnaryOp::FloatSqrt(_)
            | UnaryOp::FloatRoundToIntegral(_)
            | UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInfinite
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsSubnormal
            | UnaryOp::FloatIsNegative => unreachable!("{op:?} is an operator of floats"),
        }
    }

    pub(super) fn int_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Bits {
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && let (Encoded::Float(_), Encoded::Float(_)) = (self.encoded(a).clone(), self.encoded(b).clone())
        {
            let same = self.same_floats(a, b);
            return vec![if op == BinaryOp::Eq { same } else { !same }];
        }
        let (a, b) = (self.bits(a), self.bits(b));
        let gates = &mut self.gates;
        match op {
            BinaryOp::Add => gates.add(&a, &b),
            BinaryOp::Sub => gates.sub(&a, &b),
            BinaryOp::Mul => gates.mul(&a, &b),
            BinaryOp::UDiv => gates.divide(&a, &b).quotient,
            BinaryOp::SDiv => gates.divide_signed(&a, &b).quotient,
            BinaryOp::URem => gates.divide(&a, &b).remainder,
            BinaryOp::SRem => gates.divide_signed(&a, &b).remainder,
            BinaryOp::And => gates.zip(&a, &b, Gates::and),
            BinaryOp::Or => gates.zip(&a, &b, Gates::or),
            BinaryOp::Xor => gates.zip(&a, &b, Gates::xor),
            BinaryOp::Shl => gates.shl(&a, &b),
            BinaryOp::LShr => gates.lshr(&a, &b),
            BinaryOp::AShr => gates.ashr(&a, &b),
            BinaryOp::Eq => vec![gates.eq(&a, &b)],
            BinaryOp::Ne => vec![!gates.eq(&a, &b)],
            BinaryOp::Ult => vec![gates.ult(&a, &b)],
            BinaryOp::Ule => vec![gates.ule(&a, &b)],
            BinaryOp::Slt => vec![gates.slt(&a, &b)],
            BinaryOp::Sle => vec![gates.sle(&a, &b)],
            _ => unreachable!("{op:?} is an operator of floats"),
        }
    }

    /// Are two floats the same, compared in the form both have?
    fn same_floats(&mut self, a: TermId, b: TermId) -> Lit {
        if self.forms(a).unpacked.is_none() && self.forms(b).unpacked.is_none() {
            let (a, b) = (self.bits(a), self.bits(b));
            return self.gates.eq(&a, &b);
        }
        let (a, b) = (self.float(a), self.float(b));
        self.gates.float_same(&a, &b)
    }

    pub(super) fn float_unary(&mut self, op: UnaryOp, a: TermId) -> Encoded {
        if let UnaryOp::FloatNeg | UnaryOp::FloatAbs = op {
            return Encoded::Float(self.with_sign(op, a));
        }
        let a = self.float(a);
        let gates = &mut self.gates;
        let truth = match op {
            UnaryOp::FloatSqrt(rounding) => return computed(gates.float_sqrt(rounding, &a)),
            UnaryOp::FloatRoundToIntegral(rounding) => return computed(gates.round_to_integral(rounding, &a)),
            UnaryOp::FloatIsNan => a.nan,
            UnaryOp::FloatIsInfinite => a.infinite,
            UnaryOp::FloatIsZero => a.zero,
            UnaryOp::FloatIsNormal => gates.float_is_normal(&a),
            UnaryOp::FloatIsSubnormal => gates.float_is_subnormal(&a),
            UnaryOp::FloatIsNegative => gates.float_is_negative(&a),
            _ => unreachable!("{op:?} is an operator of integers"),
        };
        Encoded::Int(vec![truth])
    }

    /// The sign flipped or cleared, in whatever form there is.
    fn with_sign(&mut self, op: UnaryOp, a: TermId) -> FloatForms {
        let mut forms = self.forms(a);
        let negate = op == UnaryOp::FloatNeg;
        if let Some(sign) = forms.packed.as_mut().and_then(|bits| bits.last_mut()) {
            *sign = if negate { !*sign } else { Lit::FALSE };
        }
        forms.unpacked = forms.unpacked.map(|float| if negate { float.neg() } else { float.abs() });
        forms
    }

    pub(super) fn float_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Result<Encoded, Limit> {
        let (a, b) = (self.float(a), self.float(b));
        let gates = &mut self.gates;
        let truth = match op {
            BinaryOp::FloatAdd(rounding) => return Ok(computed(gates.float_add(rounding, &a, &b))),
            BinaryOp::FloatSub(rounding) => return Ok(computed(gates.float_add(rounding, &a, &b.neg()))),
            BinaryOp::FloatMul(rounding) => return Ok(computed(gates.float_mul(rounding, &a, &b))),
            BinaryOp::FloatDiv(rounding) => return Ok(computed(gates.float_div(rounding, &a, &b))),
            BinaryOp::FloatMod => return self.remainder(Remainder::Truncated, &a, &b),
            BinaryOp::FloatRem => return self.remainder(Remainder::Nearest, &a, &b),
            BinaryOp::FloatMin => return Ok(computed(gates.float_min(&a, &b))),
            BinaryOp::FloatMax => return Ok(computed(gates.float_max(&a, &b))),
            BinaryOp::FloatEq => gates.float_eq(&a, &b),
            BinaryOp::FloatLt => gates.float_lt(&a, &b),
            BinaryOp::FloatLe => gates.float_le(&a, &b),
            _ => unreachable!("{op:?} is an operator of integers"),
        };
        Ok(Encoded::Int(vec![truth]))
    }

    fn remainder(&mut self, kind: Remainder, a: &Float, b: &Float) -> Result<Encoded, Limit> {
        self.gates.float_remainder(kind, a, b).map(computed).ok_or(Limit::Remainder)
    }

    pub(super) fn conversion(&mut self, op: Conversion, a: TermId) -> Encoded {
        match op {
            Conversion::ZeroExtend(width) => Encoded::Int(zero_extend(&self.bits(a), usize::from(width))),
            Conversion::SignExtend(width) => Encoded::Int(sign_extend(&self.bits(a), usize::from(width))),
            Conversion::Truncate(width) => Encoded::Int(self.bits(a)[..usize::from(width)].to_vec()),
            Conversion::SignedToFloat(format, rounding) => self.int_to_float(format, rounding, Signedness::Signed, a),
            Conversion::UnsignedToFloat(format, rounding) => {
                self.int_to_float(format, rounding, Signedness::Unsigned, a)
            }
            Conversion::FloatToSigned(width, rounding) => {
                let a = self.float(a);
                Encoded::Int(self.gates.float_to_signed(usize::from(width), rounding, &a))
            }
            Conversion::FloatToUnsigned(width, rounding) => {
                let a = self.float(a);
                Encoded::Int(self.gates.float_to_unsigned(usize::from(width), rounding, &a))
            }
            Conversion::FloatToFloat(format, rounding) => {
                let a = self.float(a);
                computed(self.gates.float_to_float(format, rounding, &a))
            }
            Conversion::BitsToFloat(format) => match self.encoded(a) {
                Encoded::Float(forms) if forms.format == format => Encoded::Float(forms.clone()),
                _ => scalar(Type::Float(format), self.bits(a)),
            },
            Conversion::FloatToBits => Encoded::Float(self.forms(a)),
        }
    }

    fn int_to_float(&mut self, format: Format, rounding: Rounding, signedness: Signedness, a: TermId) -> Encoded {
        let bits = self.bits(a);
        computed(self.gates.int_to_float(format, rounding, signedness, &bits))
    }
}
