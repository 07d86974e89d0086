//! Templates: upper bounds of the linear forms that comparisons of the program name.
//!
//! Octagons know sums and differences of two cells. A program that compares `x` with `2 * i`, or `a + b` with `c`, names
//! a form beyond these; it becomes a *shape*, and states carry the most it can be, as template polyhedra do
//! (Sankaranarayanan, Sipma and Manna 2005). Two cells that grow in steps of different size are compared as well: `x - 4 *
//! i` stays the same where `x` grows by 4 and `i` by 1. What an assignment or the meeting of two states does to a bound is a linear
//! program over all that is known: ranges of cells, the octagon, the other bounds. `solver::linear` certifies its answer.
//! Joining takes the greater bound of each shape, which is the weak join of the loop operator `w` (Denmat, Gotlieb and
//! Ducassé 2007) restricted to these shapes.

use super::cell::Key;
use super::form::Form;
use super::state::{State, narrow, range};
use super::value::Abs;
use crate::policy;
use clew_ir::Program;
use clew_solver::domain::Conflict;
use clew_solver::linear::{Range, System, Terms};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A linear form without its constant: cells, ascending, and their coefficients.
pub(crate) type Shape = Vec<(Key, i128)>;

/// Bounds beyond this are none.
const FAR: i128 = 1 << 70;

/// Upper bounds of shapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rows(BTreeMap<Shape, i128>);

impl Rows {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Key) -> bool) {
        self.0.retain(|shape, _| !shape.iter().any(|(key, _)| gone(key)));
    }

    /// The cells that are related.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        self.0.keys().flatten().map(|(key, _)| *key)
    }

    /// Adds bounds.
    pub(crate) fn extend(&mut self, more: &Rows) {
        more.0.iter().for_each(|(shape, bound)| self.tighten(shape, *bound));
    }

    fn tighten(&mut self, shape: &Shape, bound: i128) {
        if bound.abs() <= FAR {
            let known = self.0.entry(shape.clone()).or_insert(bound);
            *known = bound.min(*known);
        }
    }

    /// What holds in both.
    pub(crate) fn join(&self, other: &Rows) -> Rows {
        let greater = |(shape, bound): (&Shape, &i128)| Some((shape.clone(), *bound.max(other.0.get(shape)?)));
        Rows(self.0.iter().filter_map(greater).collect())
    }

    /// The same for what grows from turn to turn: a bound that grew is none.
    pub(crate) fn widen(&self, newer: &Rows) -> Rows {
        let stays = |(shape, bound): &(&Shape, &i128)| newer.0.get(*shape).is_some_and(|new| new <= *bound);
        Rows(self.0.iter().filter(stays).map(|(shape, bound)| (shape.clone(), *bound)).collect())
    }

    /// Whether cells may have these values together.
    pub(crate) fn admits(&self, values: &BTreeMap<Key, i128>) -> bool {
        let holds = |(shape, bound): (&Shape, &i128)| {
            let known = shape.iter().map(|(key, coefficient)| values.get(key)?.checked_mul(*coefficient));
            known.sum::<Option<i128>>().is_none_or(|sum| sum <= *bound)
        };
        self.0.iter().all(holds)
    }
}

/// The shapes of an analysis, and what is left of its linear programs.
#[derive(Debug)]
pub(crate) struct Templates {
    shapes: RefCell<BTreeSet<Shape>>,
    /// Cells that are given their own value and a constant, and that constant.
    steps: RefCell<BTreeMap<Key, i128>>,
    left: Cell<u32>,
    /// Whether cells that grow in equal steps are compared with the sums of two others.
    adds_up: Cell<bool>,
}

impl Default for Templates {
    fn default() -> Templates {
        Templates {
            shapes: RefCell::default(),
            steps: RefCell::default(),
            left: Cell::new(policy::MAX_LINEAR_PROGRAMS.small()),
            adds_up: Cell::new(false),
        }
    }
}

impl Templates {
    /// Notes that the program compares a form with zero.
    pub(crate) fn note(&self, form: &Form) {
        let mut shapes = self.shapes.borrow_mut();
        if form.octagonal().is_none() && shapes.len() < policy::MAX_SHAPES.size() {
            shapes.extend([form.terms.clone(), form.negated().terms]);
        }
    }

    /// Says whether cells that grow in equal steps are to be compared with the sums of two others: `k` with `i + j`.
    pub(crate) fn add_up(&self, adds_up: bool) {
        self.adds_up.set(adds_up);
    }

    /// Notes the comparisons of a cell with two of those that grow in the same steps.
    fn note_sums(&self, key: Key, by: i128) {
        let like: Vec<Key> = self.steps.borrow().iter().filter(|(_, step)| **step == by).map(|(key, _)| *key).collect();
        for (at, first) in like.iter().enumerate() {
            for second in &like[at + 1..] {
                for (whole, a, b) in [(key, *first, *second), (*first, key, *second), (*second, key, *first)] {
                    let parts = Form::cell(a).plus(&Form::cell(b));
                    let shape = parts.and_then(|parts| Form::cell(whole).minus(&parts));
                    shape.iter().for_each(|form| self.note(form));
                }
            }
        }
    }

    /// Notes the comparisons of the sum of two cells that grow in equal steps with others that do.
    pub(crate) fn note_parts(&self, sum: &Form) {
        let [(a, 1), (b, 1)] = sum.terms[..] else { return };
        let steps = self.steps.borrow().clone();
        let (Some(by), true) = (steps.get(&a), steps.get(&a) == steps.get(&b)) else { return };
        for whole in steps.iter().filter(|(key, step)| *step == by && **key != a && **key != b).map(|(key, _)| *key) {
            let parts = Form { constant: 0, ..sum.clone() };
            Form::cell(whole).minus(&parts).iter().for_each(|form| self.note(form));
        }
    }

    /// Notes that a cell is given a form.
    fn note_step(&self, key: Key, form: &Form) {
        let by = form.constant;
        if form.terms != [(key, 1)] || by == 0 || self.steps.borrow().contains_key(&key) {
            return;
        }
        for (other, step) in self.steps.borrow().iter() {
            let shape = Form::cell(key).times(*step).and_then(|it| it.minus(&Form::cell(*other).times(by)?));
            if self.count() < policy::MAX_SHAPES_BEFORE_STEPS.size() && by.abs() != step.abs() {
                shape.iter().for_each(|form| self.note(&form.reduced()));
            }
        }
        if self.adds_up.get() {
            self.note_sums(key, by);
        }
        self.steps.borrow_mut().insert(key, by);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.shapes.borrow().len()
    }

    /// Those that mention a cell, or all.
    fn of(&self, key: Option<Key>) -> Vec<Shape> {
        let shapes = self.shapes.borrow();
        let wanted = |shape: &&Shape| key.is_none_or(|key| shape.iter().any(|term| term.0 == key));
        shapes.iter().filter(wanted).cloned().collect()
    }

    /// Whether one more linear program may be solved.
    fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Bounds of the shapes that mention a cell after it is given the value of a form of the state before.
    pub(crate) fn assigned(&self, program: &Program, state: &State, key: Key, form: Option<&Form>) -> Rows {
        let mut rows = Rows::default();
        let Some(form) = form else { return rows };
        self.note_step(key, form);
        for shape in self.of(Some(key)) {
            let whole = Form { terms: shape.clone(), constant: 0 };
            let Some(then) = whole.with(key, form) else { continue };
            if let Some(bound) = self.spend().then(|| state.upper(program, &then)).and_then(|it| it.ok().flatten()) {
                rows.tighten(&shape, bound);
            }
        }
        rows
    }

    /// The range that all relations of a state give a form.
    pub(crate) fn range(&self, program: &Program, state: &State, form: &Form) -> Option<(i128, i128)> {
        let upper = |form: &Form| self.spend().then(|| state.upper(program, form)).and_then(|it| it.ok().flatten());
        Some((-upper(&form.negated())?, upper(form)?))
    }

    /// Takes what the rest of a state says of the shapes into its bounds.
    pub(crate) fn refresh(&self, program: &Program, state: &mut State) -> Result<(), Conflict> {
        for shape in self.of(None) {
            let form = Form { terms: shape, constant: 0 };
            if form.terms.iter().all(|(key, _)| state.int(*key).is_some())
                && self.spend()
                && let Some(bound) = state.upper(program, &form)?
            {
                state.rows.tighten(&form.terms, bound);
            }
        }
        Ok(())
    }
}

impl State {
    /// The most a form can be; a conflict if the state is impossible.
    pub(crate) fn upper(&self, program: &Program, form: &Form) -> Result<Option<i128>, Conflict> {
        let (system, keys) = self.system(program, &form.terms);
        let terms = Terms::new(&numbered(&form.terms, &keys));
        Ok(system.upper(&terms)?.and_then(|bound| bound.checked_add(form.constant)))
    }

    /// Takes `form <= 0` for granted, a form that no octagon understands.
    pub(crate) fn assume_row(&mut self, program: &Program, form: &Form) -> Result<(), Conflict> {
        if self.rows.0.len() < 2 * policy::MAX_SHAPES.size() {
            self.rows.tighten(&form.terms, -form.constant);
        }
        self.settle(program, &form.terms)
    }

    /// Takes what bounds of shapes say of cells into their ranges: those related to the given ones.
    pub(crate) fn settle(&mut self, program: &Program, about: &Shape) -> Result<(), Conflict> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let (mut system, keys) = self.system(program, about);
        if system.rows.is_empty() {
            return Ok(());
        }
        system.tighten()?;
        for (key, range) in keys.iter().zip(&system.ranges) {
            if let Some((_, Abs::Int(domain))) = self.cells.get_mut(key) {
                let (least, most) = (range.min.unwrap_or(i128::MIN), range.max.unwrap_or(i128::MAX));
                narrow(domain, key.0.is_signed(program), least, most)?;
            }
        }
        Ok(())
    }

    /// The range of a cell, by itself and by the octagon.
    fn range_of_cell(&self, program: &Program, key: Key) -> Range {
        let own = self.int(key).and_then(|domain| range(&domain, key.0.is_signed(program)));
        let mut whole = own.map_or(Range::ALL, |(least, most)| Range::new(least, most));
        if let Some(index) = self.octagon.keys().iter().position(|known| *known == key) {
            let (least, most) = self.octagon.range(index);
            whole.min = whole.min.max(least);
            whole.max = whole.max.into_iter().chain(most).min();
        }
        whole
    }

    /// All that is known of some cells and those related to them by bounds of shapes; and the cells, by number.
    fn system(&self, program: &Program, about: &Shape) -> (System, Vec<Key>) {
        let mut keys: Vec<Key> = about.iter().map(|(key, _)| *key).collect();
        let mut rows: Vec<(&Shape, i128)> = Vec::new();
        let mut rest: Vec<(&Shape, i128)> = self.rows.0.iter().map(|(shape, bound)| (shape, *bound)).collect();
        while let Some(at) = rest.iter().position(|(shape, _)| shape.iter().any(|(key, _)| keys.contains(key))) {
            let (shape, bound) = rest.swap_remove(at);
            keys.extend(shape.iter().map(|(key, _)| *key));
            rows.push((shape, bound));
        }
        keys.sort_unstable();
        keys.dedup();
        let ranges: Vec<Range> = keys.iter().map(|key| self.range_of_cell(program, *key)).collect();
        let mut system = System::new(&ranges);
        for (shape, bound) in rows {
            system.at_most(&numbered(shape, &keys), bound);
        }
        for (shape, bound) in self.octagon.differences(&keys) {
            system.at_most(&numbered(&shape, &keys), bound);
        }
        (system, keys)
    }
}

/// A shape over the numbers of cells.
fn numbered(shape: &Shape, keys: &[Key]) -> Vec<(usize, i128)> {
    let number = |key: &Key| keys.binary_search(key).expect("the system is about all cells of the shape");
    shape.iter().map(|(key, coefficient)| (number(key), *coefficient)).collect()
}
