//! The value of a term under a model: the judge of every `Sat` answer.
//!
//! Evaluation is `clew_scalar`'s, node by node, with every NaN made the canonical one. The walk keeps its own stack, so
//! nesting is bounded by memory alone, and remembers what it has computed until it is told of another model. Array
//! terms have no stored value: a read walks down the writes, and only an equality of arrays collects their contents.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp, Value, eval};

use crate::clock;
use crate::model::{ArrayValue, Model};
use crate::term::{Mark, Node, Sort, TermId, Terms, mask};

/// The value with any NaN replaced by the canonical one.
pub fn canonical(value: Value) -> Value {
    match value.ty {
        Type::Float(format) if format.is_nan(value.bits) => Value { bits: format.canonical_nan(), ..value },
        _ => value,
    }
}

/// The value of an operator of one operand.
pub fn unary(op: UnaryOp, a: Value) -> Value {
    canonical(eval::unary(op, a))
}

/// The value of an operator of two operands.
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    canonical(eval::binary(op, a, b))
}

/// The value of an operator of three operands.
pub fn ternary(op: TernaryOp, a: Value, b: Value, c: Value) -> Value {
    canonical(eval::ternary(op, a, b, c))
}

/// The value of a change of type.
pub fn convert(op: Conversion, a: Value) -> Value {
    canonical(eval::convert(op, canonical(a)))
}

/// Bits `lo..=hi` of an integer.
pub fn extract(hi: u8, lo: u8, of: Value) -> Value {
    Value::int(hi - lo + 1, of.bits >> lo)
}

/// Bits of `high` above those of `low`.
pub fn concat(high: Value, low: Value) -> Value {
    let (high_width, low_width) = (high.ty.width(), low.ty.width());
    Value::int(high_width + low_width, (high.bits << low_width) | low.bits)
}

/// A memory of computed values, reusable from model to model.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    /// Bits by term; valid where `stamps` holds the current epoch.
    bits: Vec<u128>,
    stamps: Vec<u32>,
    epoch: u32,
    stack: Vec<TermId>,
}

impl Evaluator {
    /// An evaluator that has computed nothing.
    pub fn new() -> Evaluator {
        Evaluator { epoch: 1, ..Evaluator::default() }
    }

    /// Forgets everything computed: call it when the model changes.
    pub fn reset(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.stamps.fill(0);
            self.epoch = 1;
        }
    }

    /// Forgets what was computed about released terms; what remains was computed under the same model.
    pub fn release(&mut self, mark: Mark) {
        self.stamps.truncate(mark.terms());
        self.bits.truncate(mark.terms());
    }

    /// The value of a scalar term.
    pub fn value(&mut self, terms: &Terms, model: &Model, root: TermId) -> Value {
        let ty = terms.ty(root);
        self.compute(terms, model, root);
        Value { ty, bits: self.bits[root.index()] }
    }

    /// Whether a boolean term is true.
    pub fn is_true(&mut self, terms: &Terms, model: &Model, root: TermId) -> bool {
        self.value(terms, model, root).is_true()
    }

    /// The contents of an array term.
    pub fn array(&mut self, terms: &Terms, model: &Model, root: TermId) -> ArrayValue {
        self.compute(terms, model, root);
        self.contents(terms, model, root)
    }

    /// The bits of a scalar term under a model that differs from that of another evaluator in some variables; `changed` is the
    /// reach of these. What does not depend on them is taken from the other evaluator.
    pub(crate) fn value_beside(
        &mut self,
        terms: &Terms,
        model: &Model,
        root: TermId,
        (base, changed): (&Evaluator, u64),
    ) -> u128 {
        let known = |term: TermId| match terms.sort(term) {
            Sort::Scalar(_) if terms.reach(term) & changed == 0 => base.known(term),
            _ => None,
        };
        if let Some(bits) = known(root) {
            return bits;
        }
        self.compute_beside(terms, model, root, known);
        self.bits[root.index()]
    }

    /// The bits of a term that have been computed.
    fn known(&self, term: TermId) -> Option<u128> {
        (*self.stamps.get(term.index())? == self.epoch).then(|| self.bits[term.index()])
    }

    /// Takes over a model that differs in some variables, whose reach is `changed`, from the evaluator that has tried it.
    pub(crate) fn follow(&mut self, terms: &Terms, changed: u64, tried: &Evaluator) {
        for term in terms.all().take(self.stamps.len()) {
            let index = term.index();
            if terms.reach(term) & changed == 0 {
                continue;
            }
            // An array has to be walked down again: what is below it may not have been computed here.
            let is_scalar = matches!(terms.sort(term), Sort::Scalar(_));
            match tried.known(term).filter(|_| is_scalar) {
                Some(bits) => (self.bits[index], self.stamps[index]) = (bits, self.epoch),
                None => self.stamps[index] = 0,
            }
        }
    }

    fn compute(&mut self, terms: &Terms, model: &Model, root: TermId) {
        self.compute_beside(terms, model, root, |_| None);
    }

    /// Computes a term; `known` may tell the values of some that have not been computed.
    fn compute_beside(&mut self, terms: &Terms, model: &Model, root: TermId, known: impl Fn(TermId) -> Option<u128>) {
        if self.stamps.len() < terms.len() {
            self.stamps.resize(terms.len(), 0);
            self.bits.resize(terms.len(), 0);
        }
        self.stack.push(root);
        while let Some(&term) = self.stack.last() {
            let ready = self.stamps[term.index()] == self.epoch || !self.push_missing(terms, term, &known);
            if ready {
                self.stack.pop();
            }
            if ready && self.stamps[term.index()] != self.epoch {
                clock::spend(clock::EVALUATION);
                self.bits[term.index()] = self.node_bits(terms, model, term);
                self.stamps[term.index()] = self.epoch;
            }
        }
    }

    /// Puts the operands that have no value yet on the stack; says whether there were any.
    fn push_missing(&mut self, terms: &Terms, term: TermId, known: &impl Fn(TermId) -> Option<u128>) -> bool {
        let before = self.stack.len();
        for operand in terms.operands(term) {
            if self.stamps[operand.index()] == self.epoch {
                continue;
            }
            match known(operand) {
                Some(bits) => {
                    self.bits[operand.index()] = bits;
                    self.stamps[operand.index()] = self.epoch;
                }
                None => self.stack.push(operand),
            }
        }
        self.stack.len() > before
    }

    /// The bits of a node whose operands have values; zero for arrays.
    fn node_bits(&self, terms: &Terms, model: &Model, term: TermId) -> u128 {
        let value = |term: TermId| Value { ty: terms.ty(term), bits: self.bits[term.index()] };
        match terms.node(term) {
            Node::Const(value) => value.bits,
            Node::Var(var) => match terms.sort(term) {
                Sort::Scalar(ty) => canonical(Value::new(ty, model.bits(var))).bits,
                Sort::Array { .. } => 0,
            },
            Node::Unary(op, a) => unary(op, value(a)).bits,
            Node::Binary(op, a, b) => binary(op, value(a), value(b)).bits,
            Node::Ternary(TernaryOp::Select, _, _, _) if matches!(terms.sort(term), Sort::Array { .. }) => 0,
            Node::Ternary(op, a, b, c) => ternary(op, value(a), value(b), value(c)).bits,
            Node::Convert(op, a) => convert(op, value(a)).bits,
            Node::Extract { hi, lo, of } => extract(hi, lo, value(of)).bits,
            Node::Concat(a, b) => concat(value(a), value(b)).bits,
            Node::Read(array, index) => self.element(terms, model, array, value(index).bits),
            Node::Write(..) | Node::ConstArray { .. } => 0,
            Node::ArrayEq(a, b) => u128::from(self.arrays_equal(terms, model, a, b)),
            Node::Lookup(table, index) => terms.entries(table).at(value(index).bits),
        }
    }

    /// The element of an array term whose scalar parts have values.
    fn element(&self, terms: &Terms, model: &Model, array: TermId, index: u128) -> u128 {
        let mut array = array;
        loop {
            match terms.node(array) {
                Node::Write(_, at, value) if self.bits[at.index()] == index => return self.bits[value.index()],
                Node::Write(below, _, _) => array = below,
                Node::Ternary(_, condition, then, other) => {
                    array = if self.bits[condition.index()] != 0 { then } else { other };
                }
                Node::ConstArray { value, .. } => return self.bits[value.index()],
                Node::Var(var) => return model.element(var, index) & mask(element_width(terms, array)),
                _ => unreachable!("an array term is a variable, constant, write or choice"),
            }
        }
    }

    fn arrays_equal(&self, terms: &Terms, model: &Model, a: TermId, b: TermId) -> bool {
        self.contents(terms, model, a).equals(&self.contents(terms, model, b), terms.sort(a))
    }

    /// The contents of an array term whose scalar parts have values; the outermost write to an index counts.
    fn contents(&self, terms: &Terms, model: &Model, array: TermId) -> ArrayValue {
        let mut entries = std::collections::BTreeMap::new();
        let mut array = array;
        loop {
            match terms.node(array) {
                Node::Write(below, at, value) => {
                    entries.entry(self.bits[at.index()]).or_insert(self.bits[value.index()]);
                    array = below;
                }
                Node::Ternary(_, condition, then, other) => {
                    array = if self.bits[condition.index()] != 0 { then } else { other };
                }
                Node::ConstArray { value, .. } => return ArrayValue { default: self.bits[value.index()], entries },
                Node::Var(var) => {
                    let mut base = model.array(var);
                    base.entries.extend(entries);
                    return base;
                }
                _ => unreachable!("an array term is a variable, constant, write or choice"),
            }
        }
    }
}

fn element_width(terms: &Terms, array: TermId) -> u8 {
    match terms.sort(array) {
        Sort::Array { element, .. } => element.width(),
        Sort::Scalar(_) => unreachable!("only arrays have elements"),
    }
}
