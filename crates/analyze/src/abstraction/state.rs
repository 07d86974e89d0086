//! Abstract states: cells, the temporaries that live from block to block, relations.

use super::cell::{Key, Object};
use super::equality::Equalities;
use super::form::Form;
use super::octagon::Octagon;
use super::passed::Passed;
use super::reads::Reads;
use super::template::Rows;
use super::value::Abs;
use super::widen::Thresholds;
use clew_ir::{Program, TempId};
use clew_solver::domain::Conflict;
use clew_solver::domain::int::IntDomain;
use std::collections::BTreeMap;

/// What is known at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// Cells of which something is known, by where they begin: their bytes and their values. They do not overlap.
    pub(crate) cells: BTreeMap<Key, (u64, Abs)>,
    /// Temporaries of the running activation that other blocks use.
    pub(crate) temps: BTreeMap<TempId, Abs>,
    pub(crate) octagon: Octagon,
    /// Relations beyond the octagon.
    pub(crate) rows: Rows,
    /// Equalities modulo the word.
    pub(crate) equalities: Equalities,
    /// What was read without having a cell.
    pub(crate) reads: Reads,
    /// Accesses that went well.
    pub(crate) passed: Passed,
}

/// What becomes of two.
type Merge<T> = fn(&T, &T) -> T;

/// The number an integer stands for.
pub(crate) fn range(domain: &IntDomain, signed: bool) -> Option<(i128, i128)> {
    if domain.width() > 64 {
        return None;
    }
    Some(if signed {
        (domain.signed_min(), domain.signed_max())
    } else {
        (domain.unsigned_min() as i128, domain.unsigned_max() as i128)
    })
}

/// Keeps the values of a domain that stand for numbers in a range.
pub(crate) fn narrow(domain: &mut IntDomain, signed: bool, least: i128, most: i128) -> Result<(), Conflict> {
    let (low, high) = range(&IntDomain::top(domain.width()), signed).ok_or(Conflict)?;
    let (least, most) = (least.max(low), most.min(high));
    if least > most {
        return Err(Conflict);
    }
    if signed { domain.narrow_signed(least, most) } else { domain.narrow_unsigned(least as u128, most as u128) }
}

impl State {
    /// How many entries there are to be copied.
    pub(crate) fn size(&self) -> u64 {
        (self.cells.len() + self.temps.len()) as u64 + self.octagon.weight()
    }

    /// Forgets cells.
    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Key) -> bool) {
        self.cells.retain(|key, _| !gone(key));
        self.octagon.forget(gone);
        self.rows.forget(gone);
        self.equalities.forget(gone);
        self.reads.forget(gone);
        self.passed.forget(gone);
    }

    /// Forgets what overlaps a range of an object.
    pub(crate) fn clear(&mut self, object: Object, at: u64, bytes: u64) -> Vec<Key> {
        self.reads.clear(object);
        self.passed.forget(&|key| key.0 == object);
        let end = at.saturating_add(bytes);
        let overlaps = |(key, (size, _)): (&Key, &(u64, Abs))| {
            (key.0 == object && key.1 < end && key.1 + size > at).then_some(*key)
        };
        let mut gone: Vec<Key> = self.cells.iter().filter_map(overlaps).collect();
        // No scalar has more than 16 bytes.
        let size = |key: &Key| self.cells.get(key).map_or(16, |(size, _)| *size);
        gone.extend(self.related_keys().filter(|key| key.0 == object && key.1 < end && key.1 + size(key) > at));
        self.forget(&|key| gone.contains(key));
        gone
    }

    /// The domain of an integer cell.
    pub(crate) fn int(&self, key: Key) -> Option<IntDomain> {
        self.cells.get(&key).and_then(|(_, abs)| abs.int().copied())
    }

    /// Takes the ranges of cells into the octagon.
    pub(crate) fn relate(&mut self, program: &Program) -> Result<(), Conflict> {
        let mut octagon = std::mem::take(&mut self.octagon);
        let closed = self.bound(program, &mut octagon);
        self.octagon = octagon;
        closed
    }

    /// Takes the ranges of cells into an octagon of theirs, and closes it.
    fn bound(&self, program: &Program, octagon: &mut Octagon) -> Result<(), Conflict> {
        for index in 0..octagon.keys().len() {
            let key = octagon.keys()[index];
            if let Some((least, most)) = self.int(key).and_then(|domain| range(&domain, key.0.is_signed(program))) {
                octagon.within(index, least, most);
            }
        }
        octagon.close()
    }

    /// Takes the ranges of the octagon, which is closed, into the cells.
    fn conclude(&mut self, program: &Program) -> Result<(), Conflict> {
        for index in 0..self.octagon.keys().len() {
            let key = self.octagon.keys()[index];
            let (least, most) = self.octagon.range(index);
            if let Some((_, Abs::Int(domain))) = self.cells.get_mut(&key) {
                narrow(domain, key.0.is_signed(program), least.unwrap_or(i128::MIN), most.unwrap_or(i128::MAX))?;
            }
        }
        Ok(())
    }

    /// Takes `form <= 0` for granted.
    pub(crate) fn assume(&mut self, program: &Program, form: &Form) -> Result<(), Conflict> {
        match form.octagonal().as_deref() {
            Some([]) if form.constant > 0 => Err(Conflict),
            Some([]) => Ok(()),
            Some([x, rest @ ..]) => {
                self.assume_between(program, *x, rest.first().copied(), form.constant)?;
                self.settle(program, &form.terms)
            }
            None => self.assume_row(program, form),
        }
    }

    fn assume_between(
        &mut self,
        program: &Program,
        x: (Key, bool),
        y: Option<(Key, bool)>,
        constant: i128,
    ) -> Result<(), Conflict> {
        if y.is_none() {
            let (key, negative) = x;
            if let Some((_, Abs::Int(domain))) = self.cells.get_mut(&key) {
                let (least, most) = if negative { (constant, i128::MAX) } else { (i128::MIN, -constant) };
                narrow(domain, key.0.is_signed(program), least, most)?;
            }
        }
        let Some(x) = self.octagon.add(x.0).map(|index| (index, x.1)) else { return Ok(()) };
        let other = match y {
            None => None,
            Some((key, negative)) => match self.octagon.add(key) {
                Some(index) => Some((index, negative)),
                None => return Ok(()),
            },
        };
        self.octagon.at_most(x, other, -constant);
        self.relate(program)?;
        self.conclude(program)
    }

    /// The range that relations, taken with the ranges of cells, give a form: the octagon to one of two cells, templates
    /// to others.
    pub(crate) fn range_of_form(&self, program: &Program, form: &Form) -> Option<(i128, i128)> {
        let signed = form.octagonal();
        let Some([x, y]) = signed.as_deref() else { return self.range_by_rows(program, form) };
        if ![x, y].iter().all(|(key, _)| self.octagon.keys().contains(key)) {
            return None;
        }
        let mut octagon = self.octagon.clone();
        self.bound(program, &mut octagon).ok()?;
        let flipped = |(key, negative): (Key, bool)| (key, !negative);
        let most = octagon.most(*x, *y)?;
        let least = -octagon.most(flipped(*x), flipped(*y))?;
        Some((least + form.constant, most + form.constant))
    }

    /// The range that relations beyond the octagon give a form.
    fn range_by_rows(&self, program: &Program, form: &Form) -> Option<(i128, i128)> {
        if self.rows.is_empty() {
            return None;
        }
        let (most, least) = (self.upper(program, form).ok()??, self.upper(program, &form.negated()).ok()??);
        Some((-least, most))
    }

    /// The range of a form.
    pub(crate) fn bounds(&self, program: &Program, form: &Form) -> Option<(i128, i128)> {
        let mut whole = (form.constant, form.constant);
        for (key, coefficient) in &form.terms {
            let (least, most) = self.range_of(program, (*key, *coefficient < 0))?;
            whole = (whole.0 + least * coefficient.abs(), whole.1 + most * coefficient.abs());
        }
        let related = self.range_of_form(program, form);
        Some(related.map_or(whole, |(least, most)| (whole.0.max(least), whole.1.min(most))))
    }

    /// Notes that a cell, just given its new value, equals a form of the values before. Other cells of the form still
    /// have those values; the bounds are those of the shapes that mention the cell.
    pub(crate) fn assign(
        &mut self,
        program: &Program,
        key: Key,
        form: Option<&Form>,
        rows: &Rows,
    ) -> Result<(), Conflict> {
        self.rows.forget(&|known| *known == key);
        let own = form.and_then(|form| form.terms.iter().position(|(term, _)| *term == key).map(|at| (form, at)));
        if let Some((form, at)) = own {
            return self.assign_own(program, key, form, at, rows);
        }
        self.rows.extend(rows);
        if let Some(index) = self.octagon.keys().iter().position(|known| *known == key) {
            self.octagon.renew(index);
        }
        let Some(form) = form else { return Ok(()) };
        match form.octagonal().as_deref() {
            Some([(other, negative)]) => {
                let (Some(x), Some(y)) = (self.octagon.add(key), self.octagon.add(*other)) else { return Ok(()) };
                self.octagon.at_most((x, false), Some((y, !negative)), form.constant);
                self.octagon.at_most((x, true), Some((y, *negative)), -form.constant);
            }
            Some([a, b]) => {
                self.assign_sum(program, key, *a, *b, form.constant);
                self.assign_sum(program, key, *b, *a, form.constant);
            }
            _ => drop(self.octagon.add(key)),
        }
        self.relate(program)?;
        self.conclude(program)
    }

    /// `key = a + b + constant`, of which the octagon takes `key - a` in the range of `b + constant`.
    fn assign_sum(&mut self, program: &Program, key: Key, a: (Key, bool), b: (Key, bool), constant: i128) {
        let Some((least, most)) = self.range_of(program, b) else { return };
        let (Some(x), Some(y)) = (self.octagon.add(key), self.octagon.add(a.0)) else { return };
        self.octagon.at_most((x, false), Some((y, !a.1)), most + constant);
        self.octagon.at_most((x, true), Some((y, a.1)), -(least + constant));
    }

    fn range_of(&self, program: &Program, (key, negative): (Key, bool)) -> Option<(i128, i128)> {
        let (least, most) = range(&self.int(key)?, key.0.is_signed(program))?;
        Some(if negative { (-most, -least) } else { (least, most) })
    }

    /// `key = key + rest`: every relation moves by the range of the rest, as it is before the new rows, which speak of the
    /// new value, meet the octagon, which still speaks of the old one.
    fn assign_own(&mut self, program: &Program, key: Key, form: &Form, at: usize, rows: &Rows) -> Result<(), Conflict> {
        let index = self.octagon.keys().iter().position(|known| *known == key);
        let mut rest = form.clone();
        let (_, coefficient) = rest.terms.remove(at);
        let bounds = self.bounds(program, &rest);
        self.rows.extend(rows);
        match (index, bounds) {
            (Some(index), Some((least, most))) if coefficient == 1 => self.octagon.shift(index, least, most),
            (Some(index), _) => self.octagon.renew(index),
            (None, _) => return Ok(()),
        }
        self.relate(program)?;
        self.conclude(program)
    }

    /// Whether integer cells may have these values, each read as its type says.
    pub(crate) fn admits(&self, program: &Program, values: &BTreeMap<Key, i128>) -> bool {
        let possible = |(key, value): (&Key, &i128)| {
            let domain = self.int(*key).filter(|domain| range(domain, key.0.is_signed(program)).is_some());
            domain.is_none_or(|domain| domain.contains(*value as u128 & domain.mask()))
        };
        values.iter().all(possible)
            && self.octagon.admits(values)
            && self.rows.admits(values)
            && self.equalities.admits(values)
    }

    /// What holds in both.
    pub(crate) fn join(&self, other: &State) -> State {
        self.merge(other, &|a, b| a.join(b), (Octagon::join, Rows::join, Equalities::join))
    }

    /// The same for what grows from turn to turn of a loop.
    pub(crate) fn widen(&self, newer: &State, thresholds: &dyn Fn(u8) -> Thresholds) -> State {
        self.merge(newer, &|a, b| a.widen(b, thresholds), (Octagon::widen, Rows::widen, Equalities::widen))
    }

    fn merge(
        &self,
        other: &State,
        values: &dyn Fn(&Abs, &Abs) -> Option<Abs>,
        (octagons, rows, equalities): (Merge<Octagon>, Merge<Rows>, Merge<Equalities>),
    ) -> State {
        let cells = self.cells.iter().filter_map(|(key, (bytes, abs))| {
            let (size, there) = other.cells.get(key)?;
            if size != bytes {
                return None;
            }
            values(abs, there).map(|abs| (*key, (*bytes, abs)))
        });
        let temps = self.temps.iter().filter_map(|(temp, abs)| Some((*temp, values(abs, other.temps.get(temp)?)?)));
        let (octagon, rows) = (octagons(&self.octagon, &other.octagon), rows(&self.rows, &other.rows));
        let equalities = equalities(&self.equalities, &other.equalities);
        let reads = self.reads.merge(&other.reads, values);
        let passed = self.passed.merge(&other.passed);
        let (cells, temps) = (cells.collect(), temps.collect());
        let mut state = State { cells, temps, octagon, rows, equalities, reads, passed };
        let gone: Vec<Key> = state.known_keys().filter(|key| !state.cells.contains_key(key)).collect();
        state.forget(&|key| gone.contains(key));
        state
    }
}
