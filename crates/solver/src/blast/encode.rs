//! From terms to gates, operator by operator.
//!
//! Each term is encoded once, operands first, on an explicit stack. A float keeps whichever forms have been asked for:
//! variables and reinterpreted integers start packed, results of arithmetic unpacked. Reinterpreting a float as bits
//! changes nothing until the bits are used, so the identity of floats, an equality of their bits, compares them
//! unpacked.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp};

use super::Limit;
use super::array::{Array, Equalities};
use super::bounds::AllBounds;
use super::binding::{Bindings, Meaning, Step, conjuncts};
use super::float::{Float, Remainder, Signedness};
use super::gates::{Gates, Lit};
use super::int::{Bits, byte_swap, complement, concat, constant, sign_extend, zero_extend};
use crate::term::{Mark, Node, Sort, TermId, Terms};

/// A term as gates.
#[derive(Clone, Debug)]
pub(super) enum Encoded {
    Int(Bits),
    /// A float, or the integer of its bits.
    Float(FloatForms),
    Array(Array),
}

/// A float in one or both forms.
#[derive(Clone, Debug)]
pub(super) struct FloatForms {
    format: Format,
    /// The encoding; a NaN may be any.
    packed: Option<Bits>,
    unpacked: Option<Float>,
}

impl FloatForms {
    fn packed(format: Format, bits: Bits) -> FloatForms {
        FloatForms { format, packed: Some(bits), unpacked: None }
    }

    fn unpacked(float: Float) -> FloatForms {
        FloatForms { format: float.format, packed: None, unpacked: Some(float) }
    }
}

/// All encoded terms.
pub(super) struct Encoder {
    pub(super) gates: Gates,
    /// By term.
    encoded: Vec<Option<Encoded>>,
    pub(super) equalities: Equalities,
    pub(super) bindings: Bindings,
    bounds: AllBounds,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder {
            gates: Gates::new(),
            encoded: Vec::new(),
            equalities: Equalities::default(),
            bindings: Bindings::default(),
            bounds: AllBounds::default(),
        }
    }

    /// Makes assertions hold for ever.
    pub(super) fn assert_all(&mut self, terms: &Terms, assertions: &[TermId]) -> Result<(), Limit> {
        self.make_room(terms);
        let parts: Vec<TermId> = assertions.iter().flat_map(|&term| conjuncts(terms, term)).collect();
        for &part in &parts {
            self.bindings.note(terms, part, |term| self.encoded[term.index()].is_some());
            self.bounds.note(terms, part);
        }
        let lits = parts.iter().map(|&part| self.condition(terms, part)).collect::<Result<Vec<Lit>, Limit>>()?;
        for lit in lits {
            self.gates.assert(lit);
        }
        Ok(())
    }

    /// Has no term been encoded?
    pub(super) fn is_empty(&self) -> bool {
        self.encoded.is_empty()
    }

    /// Forgets the terms created since the mark.
    pub(super) fn release(&mut self, mark: Mark) {
        self.encoded.truncate(mark.terms());
        self.equalities.release(mark);
        self.bounds.release(mark);
    }

    /// The literal of a boolean term.
    pub(super) fn condition(&mut self, terms: &Terms, term: TermId) -> Result<Lit, Limit> {
        self.encode(terms, term)?;
        Ok(self.bits(term)[0])
    }

    /// The literals of a variable, if it has been met.
    pub(super) fn variable(&self, term: TermId) -> Option<Bits> {
        match self.met(term)? {
            Encoded::Int(bits) => Some(bits.clone()),
            Encoded::Float(forms) => forms.packed.clone(),
            Encoded::Array(_) => None,
        }
    }

    fn make_room(&mut self, terms: &Terms) {
        if self.encoded.len() < terms.len() {
            self.encoded.resize(terms.len(), None);
        }
    }

    fn encode(&mut self, terms: &Terms, root: TermId) -> Result<(), Limit> {
        self.make_room(terms);
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            let before = stack.len();
            if self.encoded[term.index()].is_none() {
                stack.extend(terms.operands(term).into_iter().filter(|operand| self.encoded[operand.index()].is_none()));
            }
            if stack.len() > before {
                continue;
            }
            if self.encoded[term.index()].is_none() {
                let encoded = match (terms.node(term), terms.sort(term)) {
                    (Node::Var(_), Sort::Scalar(ty)) => match self.scalar_variable(terms, ty, term) {
                        Ok(encoded) => encoded,
                        Err(first) => {
                            stack.push(first);
                            continue;
                        }
                    },
                    _ => self.node(terms, term)?,
                };
                self.bounds.derive(terms, term);
                let encoded = self.bounded(term, encoded);
                self.encoded[term.index()] = Some(encoded);
            }
            stack.pop();
        }
        Ok(())
    }

    /// A term within its bounds, if it has any.
    fn bounded(&mut self, term: TermId, encoded: Encoded) -> Encoded {
        let (Some(bounds), Encoded::Float(forms)) = (self.bounds.get(term), &encoded) else { return encoded };
        let float = match (&forms.unpacked, &forms.packed) {
            (Some(float), _) => self.gates.restrict(float, bounds),
            (None, Some(bits)) => {
                let (least, _) = bounds.exponents();
                let float = self.gates.unpack(forms.format, bits, least);
                self.gates.restrict(&float, bounds)
            }
            (None, None) => unreachable!("a float has a form"),
        };
        Encoded::Float(FloatForms { unpacked: Some(float), ..forms.clone() })
    }

    /// A variable, or else the term it equals and that has to be encoded first.
    fn scalar_variable(&mut self, terms: &Terms, ty: Type, variable: TermId) -> Result<Encoded, TermId> {
        let encoded = &self.encoded;
        Ok(match self.bindings.step(variable, |term| encoded[term.index()].is_some()) {
            Step::Free => scalar(ty, self.gates.inputs(usize::from(ty.width()))),
            Step::First(term) => return Err(term),
            Step::Bind(Meaning::Term(term)) => {
                self.bounds.equate(terms, variable, term);
                self.encoded(term).clone()
            }
            Step::Bind(Meaning::Bits(term)) => scalar(ty, self.bits(term)),
            Step::Bind(Meaning::Truth(truth)) => scalar(ty, vec![Lit::constant(truth)]),
        })
    }

    /// A term as it was encoded, if it was.
    pub(super) fn met(&self, term: TermId) -> Option<&Encoded> {
        self.encoded.get(term.index())?.as_ref()
    }

    pub(super) fn encoded(&mut self, term: TermId) -> &mut Encoded {
        self.encoded[term.index()].as_mut().expect("operands are encoded first")
    }

    /// The bits of an integer, or of a float with the canonical NaN.
    pub(super) fn bits(&mut self, term: TermId) -> Bits {
        let forms = match self.encoded(term) {
            Encoded::Int(bits) => return bits.clone(),
            Encoded::Float(forms) => forms.clone(),
            Encoded::Array(_) => unreachable!("an array has no bits"),
        };
        let bits = match (&forms.packed, &forms.unpacked) {
            (Some(bits), _) => self.gates.canonical(forms.format, bits),
            (None, Some(float)) => self.gates.pack(float),
            (None, None) => unreachable!("a float has a form"),
        };
        if let Encoded::Float(forms) = self.encoded(term) {
            forms.packed = Some(bits.clone());
        }
        bits
    }

    /// A float, unpacked; the term may also be the integer of its bits.
    fn float(&mut self, term: TermId) -> Float {
        let Encoded::Float(forms) = self.encoded(term) else { unreachable!("a float is encoded as one") };
        if let Some(float) = &forms.unpacked {
            return float.clone();
        }
        let (format, bits) = (forms.format, forms.packed.clone().expect("a float has a form"));
        let float = self.gates.unpack(format, &bits, i32::MIN);
        if let Encoded::Float(forms) = self.encoded(term) {
            forms.unpacked = Some(float.clone());
        }
        float
    }

    fn forms(&mut self, term: TermId) -> FloatForms {
        match self.encoded(term) {
            Encoded::Float(forms) => forms.clone(),
            _ => unreachable!("a float is encoded as one"),
        }
    }

    fn node(&mut self, terms: &Terms, term: TermId) -> Result<Encoded, Limit> {
        Ok(match terms.node(term) {
            Node::Const(value) => scalar(value.ty, constant(value.bits, usize::from(value.ty.width()))),
            Node::Var(_) => match terms.sort(term) {
                Sort::Scalar(_) => unreachable!("scalar variables are encoded on the way"),
                Sort::Array { element_width, .. } => Encoded::Array(Array::variable(element_width)),
            },
            Node::Unary(op, a) => match terms.ty(a) {
                Type::Int(_) => Encoded::Int(self.int_unary(op, a)),
                Type::Float(_) => self.float_unary(op, a),
            },
            Node::Binary(op, a, b) => match terms.ty(a) {
                Type::Int(_) => Encoded::Int(self.int_binary(op, a, b)),
                Type::Float(_) => self.float_binary(op, a, b)?,
            },
            Node::Ternary(TernaryOp::Select, c, a, b) => self.choice(terms, c, a, b),
            Node::Ternary(TernaryOp::FloatFma(rounding), a, b, c) => {
                let (a, b, c) = (self.float(a), self.float(b), self.float(c));
                computed(self.gates.float_fma(rounding, &a, &b, &c))
            }
            Node::Convert(op, a) => self.conversion(op, a),
            Node::Extract { hi, lo, of } => {
                Encoded::Int(self.bits(of)[usize::from(lo)..=usize::from(hi)].to_vec())
            }
            Node::Concat(high, low) => {
                let (high, low) = (self.bits(high), self.bits(low));
                Encoded::Int(concat(&low, &high))
            }
            Node::Read(array, index) => Encoded::Int(self.read(terms, array, index)),
            Node::Write(array, index, _) => self.write(terms, array, index),
            Node::ConstArray { .. } => Encoded::Array(Array::default()),
            Node::ArrayEq(a, b) => Encoded::Int(vec![self.array_equality(terms, term, a, b)]),
        })
    }

    fn choice(&mut self, terms: &Terms, condition: TermId, yes: TermId, no: TermId) -> Encoded {
        match terms.sort(yes) {
            Sort::Array { .. } => Encoded::Array(Array::default()),
            Sort::Scalar(Type::Int(_)) => {
                let (condition, yes, no) = (self.bits(condition)[0], self.bits(yes), self.bits(no));
                Encoded::Int(self.gates.select(condition, &yes, &no))
            }
            Sort::Scalar(Type::Float(format)) => {
                let condition = self.bits(condition)[0];
                match (self.forms(yes), self.forms(no)) {
                    (
                        FloatForms { packed: Some(yes), unpacked: None, .. },
                        FloatForms { packed: Some(no), unpacked: None, .. },
                    ) => scalar(Type::Float(format), self.gates.select(condition, &yes, &no)),
                    _ => {
                        let (yes, no) = (self.float(yes), self.float(no));
                        computed(self.gates.float_select(condition, &yes, &no))
                    }
                }
            }
        }
    }

    fn int_unary(&mut self, op: UnaryOp, a: TermId) -> Bits {
        let a = self.bits(a);
        match op {
            UnaryOp::Not => complement(&a),
            UnaryOp::Neg => self.gates.neg(&a),
            UnaryOp::CountOnes => self.gates.count_ones(&a),
            UnaryOp::LeadingZeros => self.gates.leading_zeros(&a),
            UnaryOp::TrailingZeros => self.gates.trailing_zeros(&a),
            UnaryOp::ByteSwap => byte_swap(&a),
            _ => unreachable!("{op:?} is an operator of floats"),
        }
    }

    fn int_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Bits {
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

    fn float_unary(&mut self, op: UnaryOp, a: TermId) -> Encoded {
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

    fn float_binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Result<Encoded, Limit> {
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

    fn conversion(&mut self, op: Conversion, a: TermId) -> Encoded {
        match op {
            Conversion::ZeroExtend(width) => Encoded::Int(zero_extend(&self.bits(a), usize::from(width))),
            Conversion::SignExtend(width) => Encoded::Int(sign_extend(&self.bits(a), usize::from(width))),
            Conversion::Truncate(width) => Encoded::Int(self.bits(a)[..usize::from(width)].to_vec()),
            Conversion::SignedToFloat(format, rounding) => self.from_int(format, rounding, Signedness::Signed, a),
            Conversion::UnsignedToFloat(format, rounding) => self.from_int(format, rounding, Signedness::Unsigned, a),
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

    fn from_int(&mut self, format: Format, rounding: Rounding, signedness: Signedness, a: TermId) -> Encoded {
        let bits = self.bits(a);
        computed(self.gates.int_to_float(format, rounding, signedness, &bits))
    }
}

fn scalar(ty: Type, bits: Bits) -> Encoded {
    match ty {
        Type::Int(_) => Encoded::Int(bits),
        Type::Float(format) => Encoded::Float(FloatForms::packed(format, bits)),
    }
}

fn computed(float: Float) -> Encoded {
    Encoded::Float(FloatForms::unpacked(float))
}
