//! From terms to gates, operator by operator.
//!
//! Each term is encoded once, operands first, on an explicit stack. A float keeps whichever forms have been asked for:
//! variables and reinterpreted integers start packed, results of arithmetic unpacked. Reinterpreting a float as bits
//! changes nothing until the bits are used, so the identity of floats, an equality of their bits, compares them
//! unpacked. The circuits of each operator are chosen in [`operators`].

mod operators;

use clew_scalar::{Format, TernaryOp, Type};

use super::Limit;
use super::array::{Array, Equalities};
use super::binding::{Bindings, Meaning, conjuncts};
use super::bounds::AllBounds;
use super::float::Float;
use super::gates::{Gates, Lit};
use super::int::{Bits, concat, constant};
use crate::clock::Deadline;
use crate::term::{Mark, Node, Sort, Table, TermId, Terms};

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
    /// When to give up, however far it has come.
    pub(super) deadline: Deadline,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder {
            gates: Gates::new(),
            encoded: Vec::new(),
            equalities: Equalities::default(),
            bindings: Bindings::default(),
            bounds: AllBounds::default(),
            deadline: Deadline::default(),
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
            if self.deadline.has_passed() {
                return Err(Limit::Time);
            }
            if self.met(term).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.missing(terms, term));
            if stack.len() == before {
                let encoded = self.node(terms, term)?;
                self.bounds.derive(terms, term);
                self.encoded[term.index()] = Some(self.bounded(term, encoded));
            }
        }
        Ok(())
    }

    /// What has to be encoded before a term and is not.
    fn missing(&mut self, terms: &Terms, term: TermId) -> Vec<TermId> {
        let encoded = &self.encoded;
        let is_met = |term: TermId| encoded[term.index()].is_some();
        let meaning = self.bindings.first(term, is_met);
        terms.operands(term).into_iter().filter(|&operand| !is_met(operand)).chain(meaning).collect()
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

    fn variable_of_type(&mut self, terms: &Terms, ty: Type, variable: TermId) -> Encoded {
        let encoded = &self.encoded;
        match self.bindings.bind(variable, |term| encoded[term.index()].is_some()) {
            None => scalar(ty, self.gates.inputs(usize::from(ty.width()))),
            Some(Meaning::Term(term)) => {
                self.bounds.equate(terms, variable, term);
                self.encoded(term).clone()
            }
            Some(Meaning::Bits(term)) => scalar(ty, self.bits(term)),
            Some(Meaning::Truth(truth)) => scalar(ty, vec![Lit::constant(truth)]),
        }
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
                Sort::Scalar(ty) => self.variable_of_type(terms, ty, term),
                Sort::Array { element, .. } => Encoded::Array(Array::variable(element.width())),
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
            Node::Extract { hi, lo, of } => Encoded::Int(self.bits(of)[usize::from(lo)..=usize::from(hi)].to_vec()),
            Node::Concat(high, low) => {
                let (high, low) = (self.bits(high), self.bits(low));
                Encoded::Int(concat(&low, &high))
            }
            Node::Read(array, index) => Encoded::Int(self.read(terms, array, index)),
            Node::Lookup(table, index) => Encoded::Int(self.lookup(terms.entries(table), index)),
            Node::Write(array, index, _) => self.write(terms, array, index),
            Node::ConstArray { .. } => Encoded::Array(Array::default()),
            Node::ArrayEq(a, b) => Encoded::Int(vec![self.array_equality(terms, term, a, b)]),
        })
    }

    /// An entry of a table: a tree of choices by the bits of the index, zero beyond the end.
    fn lookup(&mut self, table: &Table, index: TermId) -> Vec<Lit> {
        let index = self.bits(index);
        let (width, entries) = (usize::from(table.width()), table.all());
        let depth = (entries.len().next_power_of_two().ilog2() as usize).min(index.len());
        let mut level: Vec<Vec<Lit>> = (0..1_u128 << depth).map(|at| constant(table.at(at), width)).collect();
        for &bit in &index[..depth] {
            level = level.chunks(2).map(|pair| self.gates.select(bit, &pair[1], &pair[0])).collect();
        }
        let inside = level.pop().expect("a tree has a root");
        let beyond = index[depth..].iter().fold(Lit::FALSE, |any, &bit| self.gates.or(any, bit));
        self.gates.mask(!beyond, &inside)
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
