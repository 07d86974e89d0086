//! An assignment to variables.
//!
//! A model may leave variables out; they have the default value (all bits zero), so every model is total. Array values
//! are finite maps with a default.

use std::collections::{BTreeMap, BTreeSet};

use clew_scalar::{Type, Value};

use crate::evaluate::canonical;
use crate::term::{Sort, TermId, Terms, VarId};

/// The value of an array variable: a finite map with a default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    /// The element at every index without an entry.
    pub default: u128,
    /// Elements by index.
    pub entries: BTreeMap<u128, u128>,
}

impl ArrayValue {
    /// The element at an index.
    pub fn get(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }

    /// Whether two arrays of a sort have equal elements everywhere.
    ///
    /// # Panics
    /// When the sort is not that of arrays.
    pub fn equals(&self, other: &ArrayValue, sort: Sort) -> bool {
        let Sort::Array { index, element } = sort else { panic!("arrays are compared") };
        let same = |a: u128, b: u128| canonical(Value::new(element, a)) == canonical(Value::new(element, b));
        let entries = self.entries.keys().chain(other.entries.keys());
        // Nothing can be read at the bits of another NaN than the canonical one.
        let indices: BTreeSet<u128> = entries.copied().filter(|&bits| is_canonical(index, bits)).collect();
        let agree = indices.iter().all(|&index| same(self.get(index), other.get(index)));
        agree && (same(self.default, other.default) || indices.len() as u128 == count(index))
    }
}

/// Whether bits of a type are the only ones of their value: all NaNs are one value.
pub(crate) fn is_canonical(ty: Type, bits: u128) -> bool {
    canonical(Value::new(ty, bits)).bits == bits
}

/// How many values a type has; as many as fit, where these are more.
pub(crate) fn count(ty: Type) -> u128 {
    let patterns = 1u128.checked_shl(ty.width().into()).unwrap_or(u128::MAX);
    match ty {
        Type::Int(_) => patterns,
        Type::Float(format) => patterns - 2 * format.fraction_mask() + 1,
    }
}

/// The value of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assigned {
    /// Of a scalar variable.
    Scalar(Value),
    /// Of an array variable.
    Array(Box<ArrayValue>),
}

/// Values of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// By variable; `None` and beyond the end stand for the default.
    values: Vec<Option<Assigned>>,
}

impl Model {
    /// The model in which every variable has its default.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a scalar variable a value.
    pub fn set(&mut self, var: VarId, value: Value) {
        *self.slot(var) = Some(Assigned::Scalar(value));
    }

    /// Gives an array variable a value.
    pub fn set_array(&mut self, var: VarId, value: ArrayValue) {
        *self.slot(var) = Some(Assigned::Array(Box::new(value)));
    }

    /// Whether the variable has been given a value.
    pub fn assigns(&self, var: VarId) -> bool {
        self.values.get(var.index()).is_some_and(Option::is_some)
    }

    /// What was given to a variable.
    pub fn get(&self, var: VarId) -> Option<&Assigned> {
        self.values.get(var.index())?.as_ref()
    }

    /// The bits of a scalar variable; zero when it has not been given a value.
    pub fn bits(&self, var: VarId) -> u128 {
        match self.get(var) {
            Some(Assigned::Scalar(value)) => value.bits,
            _ => 0,
        }
    }

    /// The value of a scalar variable.
    pub fn value(&self, terms: &Terms, var: VarId) -> Value {
        Value::new(terms.ty(terms.var(var).term), self.bits(var))
    }

    /// The element of an array variable at an index.
    pub fn element(&self, var: VarId, index: u128) -> u128 {
        match self.get(var) {
            Some(Assigned::Array(array)) => array.get(index),
            _ => 0,
        }
    }

    /// The value of an array variable.
    pub fn array(&self, var: VarId) -> ArrayValue {
        match self.get(var) {
            Some(Assigned::Array(array)) => (**array).clone(),
            _ => ArrayValue::default(),
        }
    }

    /// The variables that may have another value in another model.
    pub(crate) fn changes<'a>(&'a self, other: &'a Model) -> impl Iterator<Item = VarId> + 'a {
        let vars = (0..self.values.len().max(other.values.len())).map(VarId::from_index);
        vars.filter(|&var| self.get(var) != other.get(var))
    }

    /// Forgets the variables from an index on.
    pub fn truncate(&mut self, vars: usize) {
        self.values.truncate(vars);
    }

    /// The variables that have been given a value, in order.
    pub fn assigned(&self) -> impl Iterator<Item = (VarId, &Assigned)> {
        self.values.iter().enumerate().filter_map(|(index, value)| Some((VarId::from_index(index), value.as_ref()?)))
    }

    /// One line per variable, for people and for test failures.
    pub fn describe(&self, terms: &Terms) -> String {
        let line = |var: &crate::term::Var, term: TermId| match (terms.node(term), var.sort) {
            (crate::term::Node::Var(id), Sort::Scalar(_)) => format!("{} = {}\n", var.name, self.value(terms, id)),
            (crate::term::Node::Var(id), Sort::Array { .. }) => format!("{} = {:?}\n", var.name, self.array(id)),
            _ => unreachable!("a variable's term is a variable"),
        };
        terms.vars().iter().map(|var| line(var, var.term)).collect()
    }

    fn slot(&mut self, var: VarId) -> &mut Option<Assigned> {
        if self.values.len() <= var.index() {
            self.values.resize(var.index() + 1, None);
        }
        &mut self.values[var.index()]
    }
}
