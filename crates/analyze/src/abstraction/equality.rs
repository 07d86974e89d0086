//! Linear equalities between integer cells, modulo the word: `j == 2 * i` whether or not either wraps around.
//!
//! A row says that a constant and multiples of cells add up to zero modulo 2^64; an equality modulo a smaller power of two
//! is kept multiplied, so that only the low bits of narrower cells matter and their sign does not. The rows are kept in
//! Howell's form, which is to rings what echelon form is to fields: each row begins with a power of two, and every
//! combination of rows that begins later is one of the later rows. So a relation follows from the rows just if they
//! reduce it to zero, and what holds in two states is the intersection of what their rows span (Zassenhaus' algorithm).
//!
//! Karr, "Affine relationships among variables of a program" (1976); Mueller-Olm and Seidl, "Analysis of modular
//! arithmetic" (2005). Not done: products of cells, bits that only a wider operation sees.

use super::cell::Key;
use crate::policy;
use clew_solver::domain::Conflict;
use std::collections::{BTreeMap, BTreeSet};

/// A value as a constant and multiples of cells, of which the low bits are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    terms: BTreeMap<Key, u64>,
    constant: u64,
    /// How many bits are right: at most as many as each cell has.
    pub(crate) width: u8,
}

impl Linear {
    pub(crate) fn constant(bits: u128, width: u8) -> Linear {
        Linear { terms: BTreeMap::new(), constant: bits as u64, width: width.min(64) }
    }

    pub(crate) fn cell(key: Key, width: u8) -> Linear {
        Linear { terms: BTreeMap::from([(key, 1)]), constant: 0, width: width.min(64) }
    }

    /// The sum with a multiple of another.
    pub(crate) fn plus(&self, other: &Linear, times: u64) -> Linear {
        let mut terms = self.terms.clone();
        for (key, factor) in &other.terms {
            let sum = terms.entry(*key).or_default();
            *sum = sum.wrapping_add(factor.wrapping_mul(times));
        }
        terms.retain(|_, factor| *factor != 0);
        let constant = self.constant.wrapping_add(other.constant.wrapping_mul(times));
        Linear { terms, constant, width: self.width.min(other.width) }
    }

    pub(crate) fn times(&self, factor: u64) -> Linear {
        Linear::constant(0, self.width).plus(self, factor)
    }

    /// The value, if no cell takes part.
    pub(crate) fn value(&self) -> Option<u64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Only so many bits.
    pub(crate) fn low(&self, width: u8) -> Linear {
        Linear { width: self.width.min(width), ..self.clone() }
    }

    pub(crate) fn mentions(&self, gone: &dyn Fn(&Key) -> bool) -> bool {
        self.terms.keys().any(gone)
    }
}

/// What is known: rows of multiples, one for each cell, and a constant at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Equalities {
    /// Ascending; each has a column that is not zero.
    keys: Vec<Key>,
    /// In Howell's form.
    rows: Vec<Vec<u64>>,
}

impl Equalities {
    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The column of a cell, which is added if there is room.
    fn column(&mut self, key: Key) -> Option<usize> {
        match self.keys.binary_search(&key) {
            Ok(at) => Some(at),
            Err(_) if self.keys.len() >= policy::MAX_EQUAL_CELLS.size() => None,
            Err(at) => {
                self.keys.insert(at, key);
                self.rows.iter_mut().for_each(|row| row.insert(at, 0));
                Some(at)
            }
        }
    }

    /// `value == 0` as a row, multiplied so that its low bits alone count; `None` if it has too many cells.
    fn row(&mut self, value: &Linear) -> Option<Vec<u64>> {
        let columns: Option<Vec<(usize, u64)>> = {
            let known: Option<Vec<usize>> = value.terms.keys().map(|key| self.column(*key)).collect();
            known?;
            value.terms.iter().map(|(key, factor)| Some((self.column(*key)?, *factor))).collect()
        };
        let mut row = vec![0; self.keys.len() + 1];
        let scale = 1_u64 << (64 - u32::from(value.width.max(1)));
        for (column, factor) in columns? {
            row[column] = factor.wrapping_mul(scale);
        }
        row[self.keys.len()] = value.constant.wrapping_mul(scale);
        Some(row)
    }

    /// Takes for granted that a value is zero.
    pub(crate) fn assume(&mut self, value: &Linear) -> Result<(), Conflict> {
        if let Some(row) = self.row(value) {
            self.rows.push(row);
        }
        self.settle();
        let impossible = self.rows.last().is_some_and(|row| row[..self.keys.len()].iter().all(|factor| *factor == 0));
        if impossible { Err(Conflict) } else { Ok(()) }
    }

    /// What is known to be the value, if that is a constant.
    pub(crate) fn known(&self, value: &Linear) -> Option<u64> {
        if value.terms.is_empty() {
            return Some(value.constant);
        }
        if self.rows.is_empty() || !value.terms.keys().all(|key| self.keys.binary_search(key).is_ok()) {
            return None;
        }
        let mut row = self.clone().row(value)?;
        for known in &self.rows {
            let lead = known.iter().position(|factor| *factor != 0).expect("rows are not zero");
            let times = row[lead] >> known[lead].trailing_zeros();
            subtract(&mut row, known, times);
        }
        let (constant, cells) = row.split_last().expect("there is a column for the constant");
        let shift = 64 - u32::from(value.width.max(1));
        cells.iter().all(|factor| *factor == 0).then(|| constant >> shift)
    }

    /// What a cell of so many bits equals modulo its word: multiples of other cells and a constant, as signed numbers, for
    /// each row that tells.
    pub(crate) fn told(&self, key: Key, width: u8) -> Vec<(Vec<(Key, i128)>, i128)> {
        let Ok(column) = self.keys.binary_search(&key) else { return Vec::new() };
        let scale = 64 - u32::from(width);
        let tells = |row: &&Vec<u64>| {
            row[column].trailing_zeros() == scale && row.iter().all(|factor| factor.trailing_zeros() >= scale)
        };
        let equal = |row: &Vec<u64>| {
            let unit = inverse(row[column] >> scale).wrapping_neg();
            let signed = |factor: u64| i128::from(((factor >> scale).wrapping_mul(unit) << scale) as i64 >> scale);
            let others = self.keys.iter().zip(row).filter(|(other, factor)| **other != key && **factor != 0);
            let terms = others.map(|(other, factor)| (*other, signed(*factor))).collect();
            (terms, signed(row[self.keys.len()]))
        };
        self.rows.iter().filter(tells).map(equal).collect()
    }

    /// Notes that a cell of so many bits, just written, holds a value of the cells before.
    pub(crate) fn assign(&mut self, key: Key, width: u8, value: Option<&Linear>) {
        let own = value.and_then(|value| value.terms.get(&key).copied());
        match (value, own) {
            (Some(value), Some(factor)) if factor % 2 == 1 && value.width == width => self.exchange(key, factor, value),
            (Some(value), None) => {
                self.forget(&|known| *known == key);
                let difference = Linear::cell(key, width).plus(value, u64::MAX);
                // A new equation cannot contradict what is known of the other cells.
                let _ = self.assume(&difference);
            }
            _ => self.forget(&|known| *known == key),
        }
    }

    /// The cell was given an odd multiple of itself and something else: what it was is a function of what it is.
    fn exchange(&mut self, key: Key, factor: u64, value: &Linear) {
        if self.keys.binary_search(&key).is_err() {
            return;
        }
        let rest = Linear {
            terms: value.terms.iter().filter(|(other, _)| **other != key).map(|(k, f)| (*k, *f)).collect(),
            ..value.clone()
        };
        let columns: Option<Vec<usize>> = rest.terms.keys().map(|other| self.column(*other)).collect();
        if columns.is_none() {
            return self.forget(&|known| *known == key);
        }
        let (last, inverse) = (self.keys.len(), inverse(factor));
        let at = self.keys.binary_search(&key).expect("the cell has a column");
        let others: Vec<(usize, u64)> = rest
            .terms
            .iter()
            .map(|(other, f)| (self.keys.binary_search(other).expect("it has a column"), *f))
            .collect();
        for row in &mut self.rows {
            let scaled = row[at].wrapping_mul(inverse);
            row[at] = scaled;
            for (column, f) in &others {
                row[*column] = row[*column].wrapping_sub(scaled.wrapping_mul(*f));
            }
            row[last] = row[last].wrapping_sub(scaled.wrapping_mul(rest.constant));
        }
        self.settle();
    }

    /// Forgets cells: what follows for the others is kept.
    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Key) -> bool) {
        let (out, kept): (Vec<usize>, Vec<usize>) = (0..self.keys.len()).partition(|at| gone(&self.keys[*at]));
        if out.is_empty() {
            return;
        }
        let order: Vec<usize> = out.iter().chain(&kept).copied().chain([self.keys.len()]).collect();
        let turned = self.rows.iter().map(|row| order.iter().map(|at| row[*at]).collect()).collect();
        let left = howell(turned, order.len()).into_iter().filter(|row| row[..out.len()].iter().all(|it| *it == 0));
        self.rows = left.map(|row| row[out.len()..].to_vec()).collect();
        self.keys = kept.iter().map(|at| self.keys[*at]).collect();
        self.settle();
    }

    /// Brings the rows into their form, and drops cells of which nothing is known.
    fn settle(&mut self) {
        self.rows = howell(std::mem::take(&mut self.rows), self.keys.len() + 1);
        let used: Vec<bool> = (0..=self.keys.len()).map(|at| self.rows.iter().any(|row| row[at] != 0)).collect();
        let last = self.keys.len();
        let keeps = |at: usize| at == last || used[at];
        for row in &mut self.rows {
            *row = row.iter().enumerate().filter(|(at, _)| keeps(*at)).map(|(_, factor)| *factor).collect();
        }
        self.keys = self.keys.iter().enumerate().filter(|(at, _)| keeps(*at)).map(|(_, key)| *key).collect();
    }

    /// What holds in both.
    pub(crate) fn join(&self, other: &Equalities) -> Equalities {
        if self == other || self.rows.is_empty() {
            return self.clone();
        }
        let keys: BTreeSet<Key> = self.keys.iter().filter(|key| other.keys.contains(key)).copied().collect();
        let narrowed = |of: &Equalities| {
            let mut narrowed = of.clone();
            narrowed.forget(&|key| !keys.contains(key));
            narrowed.spread(&keys)
        };
        let (width, zeros) = (keys.len() + 1, vec![0; keys.len() + 1]);
        let twice = narrowed(self).into_iter().map(|row| [row.clone(), row].concat());
        let once = narrowed(other).into_iter().map(|row| [row, zeros.clone()].concat());
        let all = howell(twice.chain(once).collect(), 2 * width);
        let both = all.into_iter().filter(|row| row[..width].iter().all(|it| *it == 0));
        let mut joined =
            Equalities { keys: keys.into_iter().collect(), rows: both.map(|row| row[width..].to_vec()).collect() };
        joined.settle();
        joined
    }

    /// The rows over more cells.
    fn spread(&self, keys: &BTreeSet<Key>) -> Vec<Vec<u64>> {
        let column = |key: &Key| self.keys.binary_search(key).ok();
        let columns: Vec<Option<usize>> = keys.iter().map(column).chain([Some(self.keys.len())]).collect();
        self.rows.iter().map(|row| columns.iter().map(|at| at.map_or(0, |at| row[at])).collect()).collect()
    }

    /// The same for what grows from turn to turn: where no fewer rows are left, one that no longer holds as it is, is dropped.
    pub(crate) fn widen(&self, newer: &Equalities) -> Equalities {
        let joined = self.join(newer);
        if joined.rows.len() < self.rows.len() {
            return joined;
        }
        let holds = |row: &&Vec<u64>| {
            let terms = self.keys.iter().copied().zip(row[..self.keys.len()].iter().copied()).filter(|it| it.1 != 0);
            let value = Linear { terms: terms.collect(), constant: row[self.keys.len()], width: 64 };
            joined.known(&value) == Some(0)
        };
        let mut kept = Equalities { keys: self.keys.clone(), rows: self.rows.iter().filter(holds).cloned().collect() };
        kept.settle();
        kept
    }

    /// Whether cells may have these values together.
    pub(crate) fn admits(&self, values: &BTreeMap<Key, i128>) -> bool {
        let last = self.keys.len();
        self.rows.iter().all(|row| {
            let terms = self.keys.iter().zip(row).filter(|(_, factor)| **factor != 0);
            let known = terms.map(|(key, factor)| values.get(key).map(|value| (*value as u64).wrapping_mul(*factor)));
            let sum: Option<Vec<u64>> = known.collect();
            sum.is_none_or(|terms| terms.iter().fold(row[last], |sum, term| sum.wrapping_add(*term)) == 0)
        })
    }
}

/// `row -= times * other`
fn subtract(row: &mut [u64], other: &[u64], times: u64) {
    if times != 0 {
        row.iter_mut().zip(other).for_each(|(it, by)| *it = it.wrapping_sub(by.wrapping_mul(times)));
    }
}

/// The inverse of an odd number, by Newton's method.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// Howell's form of rows with so many columns.
fn howell(mut rest: Vec<Vec<u64>>, columns: usize) -> Vec<Vec<u64>> {
    let mut done: Vec<(usize, Vec<u64>)> = Vec::new();
    for column in 0..columns {
        rest.retain(|row| row.iter().any(|factor| *factor != 0));
        let lead =
            (0..rest.len()).filter(|at| rest[*at][column] != 0).min_by_key(|at| rest[*at][column].trailing_zeros());
        let Some(lead) = lead else { continue };
        let mut pivot = rest.swap_remove(lead);
        let power = pivot[column].trailing_zeros();
        let unit = inverse(pivot[column] >> power);
        pivot.iter_mut().for_each(|factor| *factor = factor.wrapping_mul(unit));
        for row in rest.iter_mut().chain(done.iter_mut().map(|(_, row)| row)) {
            let times = row[column] >> power;
            subtract(row, &pivot, times);
        }
        if power > 0 {
            let shifted = pivot.iter().map(|factor| factor << (64 - power)).collect();
            rest.push(shifted);
        }
        done.push((column, pivot));
    }
    done.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::{Equalities, Linear};
    use crate::abstraction::cell::{Key, Object};
    use clew_ir::Id;

    fn key(number: u32) -> Key {
        (Object::Global(Id::new(number)), 0)
    }

    fn cell(number: u32) -> Linear {
        Linear::cell(key(number), 32)
    }

    fn number(value: u64) -> Linear {
        Linear::constant(value.into(), 32)
    }

    /// A state in which cells hold these numbers.
    fn at(values: &[u64]) -> Equalities {
        let mut state = Equalities::default();
        for (cell, value) in (0..).zip(values) {
            state.assign(key(cell), 32, Some(&number(*value)));
        }
        state
    }

    fn difference(a: &Linear, b: &Linear) -> Linear {
        a.plus(b, u64::MAX)
    }

    #[test]
    fn of_points_on_a_line() {
        let line = at(&[0, 0, 7]).join(&at(&[1, 2, 7]));
        assert_eq!(line.known(&difference(&cell(1), &cell(0).times(2))), Some(0));
        assert_eq!(line.known(&cell(2)), Some(7));
        assert_eq!(line.known(&cell(0)), None);
        let wrapped = at(&[0x8000_0001, 2, 7]);
        assert_eq!(line.join(&wrapped), line, "the point lies on the line, modulo the word");
        assert!(line.join(&at(&[1, 3, 7])).known(&difference(&cell(1), &cell(0).times(2))).is_none());
    }

    #[test]
    fn what_is_even_stays_even() {
        let even = at(&[0]).join(&at(&[6])).join(&at(&[4]));
        assert_eq!(even.known(&cell(0).times(1 << 31)), Some(0));
        assert_eq!(even.known(&cell(0).times(1 << 30)), None);
    }

    #[test]
    fn through_steps_and_losses() {
        let mut state = at(&[0, 0]).join(&at(&[1, 2]));
        state.assign(key(0), 32, Some(&cell(0).plus(&number(1), 1)));
        assert_eq!(state.known(&difference(&cell(1), &cell(0).times(2))), Some(u64::from(u32::MAX) - 1));
        state.assign(key(2), 32, Some(&cell(1)));
        state.forget(&|gone| *gone == key(1));
        assert_eq!(state.known(&difference(&cell(2), &cell(0).times(2))), Some(u64::from(u32::MAX) - 1));
        state.assign(key(0), 32, None);
        assert_eq!(state.known(&cell(2).times(1 << 31)), Some(0), "that it is even is left");
        state.forget(&|gone| *gone == key(2));
        assert_eq!(state, Equalities::default());
    }

    #[test]
    fn contradictions() {
        let mut state = at(&[3, 5]);
        assert!(state.assume(&difference(&cell(0), &cell(1))).is_err());
        assert!(at(&[3, 5]).assume(&difference(&cell(0).plus(&number(2), 1), &cell(1))).is_ok());
    }
}
