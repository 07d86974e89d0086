//! Octagons: bounds on `x`, `x - y` and `x + y` for integers of a few cells.
//!
//! Mine, "The Octagon Abstract Domain" (2006). Each variable has two nodes, `x` and `-x`; `bounds[i][j]` is the most that
//! node `j` may exceed node `i` by. The matrix is kept closed: shortest paths, integer tightening, strengthening through
//! the unary bounds; closing again after a few changes costs only the lines of the variables that changed. Numbers are mathematical integers; bounds beyond what machine integers can differ by are none.

use super::cell::Key;
use clew_solver::domain::Conflict;
use std::collections::BTreeMap;

/// The most variables.
pub(crate) const MOST: usize = 12;

/// No bound.
const NONE: i128 = i128::MAX;

/// Bounds beyond this are none.
const FAR: i128 = 1 << 70;

/// Relations between cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Octagon {
    keys: Vec<Key>,
    /// Square, two rows per variable.
    bounds: Vec<i128>,
    /// Variables with bounds of which conclusions are still to be drawn, a bit each.
    open: u32,
}

/// Bounds that cost as much as an entry of a map.
const BOUNDS_OF_AN_ENTRY: u64 = 32;

/// All variables.
const ALL: u32 = u32::MAX;

impl PartialEq for Octagon {
    fn eq(&self, other: &Octagon) -> bool {
        (&self.keys, &self.bounds) == (&other.keys, &other.bounds)
    }
}

fn plus(a: i128, b: i128) -> i128 {
    if a == NONE || b == NONE { NONE } else { a + b }
}

impl Octagon {
    /// How much there is to be copied, in entries of a map.
    pub(crate) fn weight(&self) -> u64 {
        self.bounds.len() as u64 / BOUNDS_OF_AN_ENTRY
    }

    fn size(&self) -> usize {
        self.keys.len() * 2
    }

    fn at(&self, i: usize, j: usize) -> i128 {
        self.bounds[i * self.size() + j]
    }

    fn set(&mut self, i: usize, j: usize, bound: i128) {
        let size = self.size();
        let bound = if bound > FAR { NONE } else { bound };
        self.bounds[i * size + j] = bound;
        self.bounds[(j ^ 1) * size + (i ^ 1)] = bound;
    }

    fn tighten(&mut self, i: usize, j: usize, bound: i128) {
        if bound < self.at(i, j) {
            self.set(i, j, bound);
            self.open |= 1 << (i / 2) | 1 << (j / 2);
        }
    }

    /// The variables.
    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys
    }

    fn index(&self, key: Key) -> Option<usize> {
        self.keys.iter().position(|known| *known == key)
    }

    /// The number of a variable, which is added if there is room.
    pub(crate) fn add(&mut self, key: Key) -> Option<usize> {
        if let Some(index) = self.index(key) {
            return Some(index);
        }
        if self.keys.len() == MOST {
            return None;
        }
        let (old, size) = (self.clone(), self.size());
        self.keys.push(key);
        self.bounds = vec![NONE; (size + 2) * (size + 2)];
        for i in 0..size + 2 {
            for j in 0..size + 2 {
                let bound = if i < size && j < size { old.at(i, j) } else { NONE };
                self.bounds[i * (size + 2) + j] = if i == j { 0 } else { bound };
            }
        }
        Some(self.keys.len() - 1)
    }

    /// Drops everything known of a variable, and the variable.
    pub(crate) fn forget(&mut self, gone: impl Fn(&Key) -> bool) {
        let kept: Vec<usize> = (0..self.keys.len()).filter(|&index| !gone(&self.keys[index])).collect();
        if kept.len() == self.keys.len() {
            return;
        }
        let nodes: Vec<usize> = kept.iter().flat_map(|index| [index * 2, index * 2 + 1]).collect();
        let bounds = nodes.iter().flat_map(|&i| nodes.iter().map(move |&j| (i, j))).map(|(i, j)| self.at(i, j));
        let bounds = bounds.collect();
        let open = if self.open == 0 { 0 } else { ALL };
        *self = Octagon { keys: kept.iter().map(|&index| self.keys[index]).collect(), bounds, open };
    }

    /// Drops what is known of a variable, and keeps it.
    fn release(&mut self, index: usize) {
        for node in [index * 2, index * 2 + 1] {
            for other in 0..self.size() {
                let bound = if node == other { 0 } else { NONE };
                self.set(node, other, bound);
                self.set(other, node, bound);
            }
        }
    }

    /// `x` lies in a range.
    pub(crate) fn within(&mut self, index: usize, least: i128, most: i128) {
        self.tighten(index * 2 + 1, index * 2, most.saturating_mul(2));
        self.tighten(index * 2, index * 2 + 1, least.saturating_neg().saturating_mul(2));
    }

    /// `s * x + t * y <= bound` where the signs are given as whether they are negative; or `s * x <= bound`.
    pub(crate) fn at_most(&mut self, (x, x_negative): (usize, bool), y: Option<(usize, bool)>, bound: i128) {
        let node = |(index, negative): (usize, bool)| index * 2 + usize::from(negative);
        let to = node((x, x_negative));
        match y {
            None => self.tighten(to ^ 1, to, bound.saturating_mul(2)),
            Some(y) => self.tighten(node(y) ^ 1, to, bound),
        }
    }

    /// The range of a variable.
    pub(crate) fn range(&self, index: usize) -> (Option<i128>, Option<i128>) {
        let (most, least) = (self.at(index * 2 + 1, index * 2), self.at(index * 2, index * 2 + 1));
        ((least != NONE).then(|| -least.div_euclid(2)), (most != NONE).then(|| most.div_euclid(2)))
    }

    /// The most that `s * x + t * y` can be, signs given as whether they are negative.
    pub(crate) fn most(&self, x: (Key, bool), y: (Key, bool)) -> Option<i128> {
        let node = |(key, negative)| self.index(key).map(|index| index * 2 + usize::from(negative));
        let bound = self.at(node(y)? ^ 1, node(x)?);
        (bound != NONE).then_some(bound)
    }

    /// Bounds on sums and differences of two of some cells.
    pub(crate) fn differences(&self, of: &[Key]) -> Vec<(Vec<(Key, i128)>, i128)> {
        let sign = |node: usize| if node.is_multiple_of(2) { 1 } else { -1 };
        let mut found = Vec::new();
        for i in (0..self.size()).filter(|i| of.contains(&self.keys[i / 2])) {
            // Each bound stands in the matrix twice.
            for j in (0..self.size()).filter(|j| j / 2 < i / 2 && of.contains(&self.keys[j / 2])) {
                let bound = self.at(i, j);
                if bound != NONE {
                    found.push((vec![(self.keys[j / 2], sign(j)), (self.keys[i / 2], -sign(i))], bound));
                }
            }
        }
        found
    }

    /// Whether variables may have these values together.
    pub(crate) fn admits(&self, values: &BTreeMap<Key, i128>) -> bool {
        let node = |number: usize| {
            let value = *values.get(&self.keys[number / 2])?;
            Some(if number.is_multiple_of(2) { value } else { -value })
        };
        let pairs = (0..self.size()).flat_map(|i| (0..self.size()).map(move |j| (i, j)));
        pairs.into_iter().all(|(i, j)| match (node(i), node(j)) {
            (Some(a), Some(b)) => b - a <= self.at(i, j),
            _ => true,
        })
    }

    /// `x` becomes `x + d` for some `d` in a range.
    pub(crate) fn shift(&mut self, index: usize, least: i128, most: i128) {
        let (up, down) = (index * 2, index * 2 + 1);
        for other in (0..self.size()).filter(|other| *other != up && *other != down) {
            let (to, from) = (plus(self.at(other, up), most), plus(self.at(up, other), -least));
            self.set(other, up, to);
            self.set(up, other, from);
        }
        let (to, from) = (plus(self.at(down, up), 2 * most), plus(self.at(up, down), -2 * least));
        self.set(down, up, to);
        self.set(up, down, from);
    }

    /// `x` becomes something of which nothing is known yet.
    pub(crate) fn renew(&mut self, index: usize) {
        self.release(index);
    }

    /// Draws all conclusions.
    pub(crate) fn close(&mut self) -> Result<(), Conflict> {
        if self.open == 0 {
            return Ok(());
        }
        let size = self.size();
        self.shorten();
        self.strengthen();
        if (0..size).any(|i| self.at(i, i) < 0 || plus(self.at(i, i ^ 1), self.at(i ^ 1, i)) < 0) {
            return Err(Conflict);
        }
        (0..size).for_each(|i| self.bounds[i * size + i] = 0);
        self.open = 0;
        Ok(())
    }

    /// Shortest paths (Floyd and Warshall), where those that lead through unchanged variables only are known: such
    /// variables come first as stations, and between two of them nothing changes until then (Mine 2006, sec. 3.4).
    fn shorten(&mut self) {
        let size = self.size();
        let changed = self.open;
        let is_open = |node: usize| changed >> (node / 2) & 1 == 1;
        let (open, known): (Vec<usize>, Vec<usize>) = (0..size).partition(|node| is_open(*node));
        let all: Vec<usize> = (0..size).collect();
        for &k in known.iter().chain(&open) {
            for i in 0..size {
                let first = self.bounds[i * size + k];
                if first == NONE {
                    continue;
                }
                let ends = if is_open(k) || is_open(i) { &all } else { &open };
                for &j in ends {
                    let path = plus(first, self.bounds[k * size + j]);
                    if path < self.bounds[i * size + j] {
                        self.bounds[i * size + j] = path;
                    }
                }
            }
        }
    }

    /// Unary bounds are even, and bound sums and differences.
    fn strengthen(&mut self) {
        let size = self.size();
        for i in 0..size {
            let bound = self.at(i, i ^ 1);
            if bound != NONE {
                self.bounds[i * size + (i ^ 1)] = bound.div_euclid(2) * 2;
            }
        }
        for i in 0..size {
            for j in 0..size {
                let sum = plus(self.at(i, i ^ 1), self.at(j ^ 1, j));
                if sum != NONE && sum.div_euclid(2) < self.at(i, j) {
                    self.bounds[i * size + j] = sum.div_euclid(2);
                }
            }
        }
    }

    /// What holds in both; variables of only one are dropped. Both are closed.
    pub(crate) fn join(&self, other: &Octagon) -> Octagon {
        self.pointwise(other, i128::max)
    }

    /// The same for what grows from turn to turn: a bound that grew is none.
    pub(crate) fn widen(&self, newer: &Octagon) -> Octagon {
        Octagon { open: ALL, ..self.pointwise(newer, |old, new| if new > old { NONE } else { old }) }
    }

    fn pointwise(&self, other: &Octagon, bound: impl Fn(i128, i128) -> i128) -> Octagon {
        let mut result = self.clone();
        result.forget(|key| other.index(*key).is_none());
        result.open = if self.open | other.open == 0 { 0 } else { ALL };
        let place: Vec<usize> = result.keys.iter().filter_map(|key| other.index(*key)).collect();
        let size = result.size();
        for i in 0..size {
            for j in 0..size {
                let there = other.at(place[i / 2] * 2 + i % 2, place[j / 2] * 2 + j % 2);
                result.bounds[i * size + j] = bound(result.at(i, j), there);
            }
        }
        result
    }
}
