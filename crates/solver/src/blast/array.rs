//! Arrays, by their elements.
//!
//! No array is ever encoded whole; only elements at the indices that are read. A read walks through writes and choices
//! (`read(write(a, i, v), j) = ite(i = j, v, read(a, j))`) down to variables. The element of a variable at its n-th
//! index is that at an earlier equal index, otherwise fresh, which makes it a function of the index by construction
//! (McCarthy 1962; Ackermann 1954).
//!
//! An equality of arrays is a fresh literal: where it is false, the arrays differ at a fresh witness index; where it
//! is true, they agree at every index that any array of the sort is read or written at, and in one more element, the
//! default, which stands for all other indices (after Stump, Barrett, Dill, Levitt 2001). Where the index is
//! narrow, so that there may be no others, they agree at each index there is instead. Indices may come later, so agreement is
//! completed before each query. Indices and elements that are floats are held as bits, and all NaNs are one value: only the
//! canonical one is an index, and elements are equal when both are NaN.

use crate::policy;
use std::collections::BTreeMap;

use clew_scalar::Type;
use rustc_hash::FxHashMap;

use super::Limit;
use super::encode::{Encoded, Encoder};
use super::gates::{Gates, Lit};
use super::int::{Bits, constant};
use crate::model::{ArrayValue, count, is_canonical};
use crate::term::{Mark, Node, Sort, TermId, Terms};

/// Where an array is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ArrayRead {
    At(Bits),
    /// Anywhere else.
    Default,
}

/// What is known of an array term.
#[derive(Clone, Debug, Default)]
pub(super) struct Array {
    /// Elements by place.
    elements: FxHashMap<ArrayRead, Bits>,
    /// For a variable, its indices and fresh elements in the order they were met.
    fresh: Vec<(Bits, Bits)>,
    element_width: usize,
}

impl Array {
    pub(super) fn variable(element_width: u8) -> Array {
        Array { element_width: usize::from(element_width), ..Array::default() }
    }
}

/// One equality between array terms.
#[derive(Clone, Debug)]
struct Equality {
    term: TermId,
    sides: (TermId, TermId),
    literal: Lit,
    /// How many of the indices of the sort have been compared.
    compared: usize,
    /// The other indices have been compared too.
    complete: bool,
}

/// The equalities met, and the indices they have to look at.
#[derive(Default)]
pub(super) struct Equalities {
    all: Vec<Equality>,
    /// By sort; each index once.
    indices: BTreeMap<Sort, Vec<Bits>>,
}

impl Equalities {
    pub(super) fn release(&mut self, mark: Mark) {
        self.all.retain(|equality| equality.term.index() < mark.terms());
    }

    fn note(&mut self, sort: Sort, index: &Bits) {
        let indices = self.indices.entry(sort).or_default();
        if !indices.contains(index) {
            indices.push(index.clone());
        }
    }
}

impl Encoder {
    /// The element of an array at an index.
    pub(super) fn read(&mut self, terms: &Terms, array: TermId, index: TermId) -> Bits {
        let index = self.bits(index);
        self.equalities.note(terms.sort(array), &index);
        self.element(terms, array, &ArrayRead::At(index))
    }

    /// An array with one element replaced.
    pub(super) fn write(&mut self, terms: &Terms, array: TermId, index: TermId) -> Encoded {
        let index = self.bits(index);
        self.equalities.note(terms.sort(array), &index);
        Encoded::Array(Array::default())
    }

    /// The literal of an equality of arrays.
    pub(super) fn array_equality(&mut self, terms: &Terms, term: TermId, a: TermId, b: TermId) -> Lit {
        let Sort::Array { index, .. } = terms.sort(a) else { unreachable!("arrays are compared") };
        let witness = self.gates.inputs(usize::from(index.width()));
        let witness = self.canonical(index, &witness);
        self.equalities.note(terms.sort(a), &witness);
        let same = self.same_at(terms, (a, b), &ArrayRead::At(witness));
        let (fresh, definition) = self.gates.fresh(1);
        let literal = fresh[0];
        let either = self.gates.or(literal, !same);
        self.gates.define(definition, vec![either]);
        self.equalities.all.push(Equality { term, sides: (a, b), literal, compared: 0, complete: false });
        literal
    }

    /// Completes the agreement of all arrays that are compared.
    ///
    /// # Errors
    /// When there are so many indices that the default element may stand for none.
    pub(super) fn compare_arrays(&mut self, terms: &Terms) -> Result<(), Limit> {
        for at in 0..self.equalities.all.len() {
            let sort = terms.sort(self.equalities.all[at].sides.0);
            let indices = self.equalities.indices.get(&sort).cloned().unwrap_or_default();
            let from = self.equalities.all[at].compared;
            for index in &indices[from..] {
                self.agree(terms, at, &ArrayRead::At(index.clone()));
            }
            self.equalities.all[at].compared = indices.len();
            let Sort::Array { index, .. } = sort else { unreachable!("arrays are compared") };
            if index.width() > policy::MAX_LISTED_INDEX_BITS.get() as u8 && indices.len() as u128 >= count(index) {
                return Err(Limit::Indices);
            }
            self.agree_elsewhere(terms, at, index);
        }
        Ok(())
    }

    fn agree_elsewhere(&mut self, terms: &Terms, at: usize, index: Type) {
        if self.equalities.all[at].complete {
            return;
        }
        self.equalities.all[at].complete = true;
        if index.width() <= policy::MAX_LISTED_INDEX_BITS.get() as u8 {
            for bits in (0..1 << index.width()).filter(|&bits| is_canonical(index, bits)) {
                self.agree(terms, at, &ArrayRead::At(constant(bits, usize::from(index.width()))));
            }
        } else {
            self.agree(terms, at, &ArrayRead::Default);
        }
    }

    fn agree(&mut self, terms: &Terms, at: usize, place: &ArrayRead) {
        let Equality { sides, literal, .. } = self.equalities.all[at];
        let same = self.same_at(terms, sides, place);
        let agreement = self.gates.implies(literal, same);
        self.gates.assert(agreement);
    }

    fn same_at(&mut self, terms: &Terms, (a, b): (TermId, TermId), place: &ArrayRead) -> Lit {
        let Sort::Array { element, .. } = terms.sort(a) else { unreachable!("arrays are compared") };
        let (a, b) = (self.element(terms, a, place), self.element(terms, b, place));
        let (a, b) = (self.canonical(element, &a), self.canonical(element, &b));
        self.gates.eq(&a, &b)
    }

    /// The bits of a value of a type, with those of any NaN replaced by the canonical ones.
    fn canonical(&mut self, ty: Type, bits: &Bits) -> Bits {
        let Type::Float(format) = ty else { return bits.clone() };
        let (fraction, above) = bits.split_at(usize::from(format.significand) - 1);
        let is_special = above[..above.len() - 1].iter().fold(Lit::TRUE, |all, &bit| self.gates.and(all, bit));
        let has_fraction = fraction.iter().fold(Lit::FALSE, |any, &bit| self.gates.or(any, bit));
        let is_nan = self.gates.and(is_special, has_fraction);
        let canonical = constant(format.canonical_nan(), bits.len());
        self.gates.select(is_nan, &canonical, bits)
    }

    /// The element of an array term at a place, those of the arrays below it first.
    fn element(&mut self, terms: &Terms, root: TermId, place: &ArrayRead) -> Bits {
        let mut stack = vec![root];
        while let Some(&array) = stack.last() {
            let before = stack.len();
            if self.known_element(array, place).is_none() {
                let below = parts(terms, array).into_iter().flatten();
                stack.extend(below.filter(|&part| self.known_element(part, place).is_none()));
            }
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if self.known_element(array, place).is_none() {
                let element = self.element_of_node(terms, array, place);
                self.array(array).elements.insert(place.clone(), element);
            }
        }
        self.known_element(root, place).expect("it has just been built")
    }

    fn array(&mut self, term: TermId) -> &mut Array {
        match self.encoded(term) {
            Encoded::Array(array) => array,
            _ => unreachable!("an array is encoded as one"),
        }
    }

    fn known_element(&mut self, array: TermId, place: &ArrayRead) -> Option<Bits> {
        self.array(array).elements.get(place).cloned()
    }

    fn element_of_node(&mut self, terms: &Terms, array: TermId, place: &ArrayRead) -> Bits {
        let ready = "parts of an array come first";
        match terms.node(array) {
            Node::Var(_) => self.element_of_variable(array, place),
            Node::ConstArray { value, .. } => self.bits(value),
            Node::Write(below, index, value) => {
                let other = self.known_element(below, place).expect(ready);
                let ArrayRead::At(at) = place else { return other };
                let (index, value) = (self.bits(index), self.bits(value));
                let here = self.gates.eq(at, &index);
                self.gates.select(here, &value, &other)
            }
            Node::Ternary(_, condition, yes, no) => {
                let condition = self.bits(condition)[0];
                let yes = self.known_element(yes, place).expect(ready);
                let no = self.known_element(no, place).expect(ready);
                self.gates.select(condition, &yes, &no)
            }
            _ => unreachable!("an array is a variable, constant, write or choice"),
        }
    }

    fn element_of_variable(&mut self, array: TermId, place: &ArrayRead) -> Bits {
        let Array { fresh: met, element_width, .. } = self.array(array).clone();
        let ArrayRead::At(at) = place else { return self.gates.inputs(element_width) };
        let (fresh, definition) = self.gates.fresh(element_width);
        // A model says at which index a fresh element lies.
        self.gates.accompany(definition, at);
        let mut element = fresh.clone();
        for (index, earlier) in met.iter().rev() {
            let same = self.gates.eq(at, index);
            element = self.gates.select(same, earlier, &element);
        }
        self.array(array).fresh.push((at.clone(), fresh));
        element
    }

    /// The value of an array variable in the last model, if it has been met.
    pub(super) fn array_value(&mut self, term: TermId) -> Option<ArrayValue> {
        let Array { elements, fresh, .. } = match self.met(term)? {
            Encoded::Array(array) => array.clone(),
            _ => return None,
        };
        let gates = &mut self.gates;
        let default = elements.get(&ArrayRead::Default).map_or(0, |bits| gates.bits_value(bits));
        let mut entries = BTreeMap::new();
        for (index, element) in fresh {
            if element.iter().any(|&bit| gates.is_emitted(bit)) {
                let value = gates.bits_value(&element);
                entries.entry(gates.bits_value(&index)).or_insert(value);
            }
        }
        Some(ArrayValue { default, entries })
    }
}

impl Gates {
    /// The value of an integer in the last model.
    pub(super) fn bits_value(&mut self, bits: &[Lit]) -> u128 {
        bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(self.value(bit)))
    }
}

/// The array operands of an array term.
fn parts(terms: &Terms, array: TermId) -> [Option<TermId>; 2] {
    match terms.node(array) {
        Node::Write(below, _, _) => [Some(below), None],
        Node::Ternary(_, _, yes, no) => [Some(yes), Some(no)],
        _ => [None, None],
    }
}
