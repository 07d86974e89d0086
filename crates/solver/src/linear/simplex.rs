//! The simplex method as a proposer of multipliers.
//!
//! Dense dictionaries in integers over one common denominator: each pivot divides exactly by the previous one (Edmonds
//! 1967; Avis, lrs), so no fraction is ever reduced. Variables are shifted to start at zero, upper bounds are rows, a
//! feasible dictionary comes from the usual auxiliary variable, Bland's rule keeps the method from cycling. When a
//! number leaves 128 bits or the pivots run out, nothing is proposed.

use super::certificate::Multipliers;
use super::{System, Terms};
use crate::policy;

/// What the simplex method suggests; to be certified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// These multipliers should prove the least upper bound.
    Bound(Multipliers),
    /// These multipliers should prove that there is no solution.
    Empty(Multipliers),
    /// Unbounded, or given up.
    Nothing,
}

/// Proposes multipliers for the maximum of the terms over the rational solutions of the system.
pub(crate) fn maximise(system: &System, terms: &Terms) -> Proposal {
    Dictionary::new(system).and_then(|dictionary| dictionary.solve(system, terms)).unwrap_or(Proposal::Nothing)
}

/// How a variable of the system is written with variables that are not negative.
#[derive(Clone, Copy, Debug)]
enum Shift {
    /// `base + column`.
    Up(i128, usize),
    /// `base - column`.
    Down(i128, usize),
    /// `column - column`.
    Free(usize, usize),
}

/// `denominator * basic = constant + sum of entry * cobasic`, one line per basic variable; line 0 is the objective.
struct Dictionary {
    /// Lines of a constant followed by one entry per column.
    lines: Vec<Vec<i128>>,
    /// Common denominator, positive.
    denominator: i128,
    /// Name of the basic variable of each line from 1 on; `basic[0]` is unused.
    basic: Vec<usize>,
    /// Name of the cobasic variable of each column from 1 on; `cobasic[0]` is unused.
    cobasic: Vec<usize>,
    /// How each variable of the system is written.
    shifts: Vec<Shift>,
    /// Names below this are shifted variables; then come the slacks of the rows, then those of upper bounds.
    structural: usize,
    pivots: usize,
}

/// The name of the auxiliary variable.
const AUXILIARY: usize = usize::MAX;

impl Dictionary {
    /// All rows and upper bounds, objective zero.
    fn new(system: &System) -> Option<Dictionary> {
        let mut columns = 0;
        let mut next = || {
            columns += 1;
            columns - 1
        };
        let shift = |range: &super::Range| match (range.min, range.max) {
            (Some(min), _) => Shift::Up(min, next()),
            (None, Some(max)) => Shift::Down(max, next()),
            (None, None) => Shift::Free(next(), next()),
        };
        let shifts: Vec<Shift> = system.ranges.iter().map(shift).collect();
        let mut dictionary = Dictionary {
            lines: vec![vec![0; columns + 1]],
            denominator: 1,
            basic: vec![AUXILIARY],
            cobasic: std::iter::once(AUXILIARY).chain(0..columns).collect(),
            shifts,
            structural: columns,
            pivots: 0,
        };
        for row in &system.rows {
            dictionary.add_slack(&row.terms, row.bound)?;
        }
        for (variable, range) in system.ranges.iter().enumerate() {
            if let (Some(_), Some(max)) = (range.min, range.max) {
                dictionary.add_slack(&Terms(vec![(variable, 1)]), max)?;
            }
        }
        Some(dictionary)
    }

    /// The line `slack = bound - terms`.
    fn add_slack(&mut self, terms: &Terms, bound: i128) -> Option<()> {
        let mut line = self.shifted(terms)?;
        for entry in &mut line {
            *entry = entry.checked_neg()?;
        }
        line[0] = line[0].checked_add(bound)?;
        self.basic.push(self.structural + self.basic.len() - 1);
        self.lines.push(line);
        Some(())
    }

    /// Terms written with the shifted variables: constant and entries, while these are cobasic.
    fn shifted(&self, terms: &Terms) -> Option<Vec<i128>> {
        let mut line = vec![0i128; self.structural + 1];
        for (variable, coefficient) in terms.iter() {
            let base = match self.shifts[variable] {
                Shift::Up(base, column) => {
                    line[column + 1] = coefficient;
                    base
                }
                Shift::Down(base, column) => {
                    line[column + 1] = coefficient.checked_neg()?;
                    base
                }
                Shift::Free(plus, minus) => {
                    (line[plus + 1], line[minus + 1]) = (coefficient, coefficient.checked_neg()?);
                    0
                }
            };
            line[0] = line[0].checked_add(coefficient.checked_mul(base)?)?;
        }
        Some(line)
    }

    /// Both phases.
    fn solve(mut self, system: &System, terms: &Terms) -> Option<Proposal> {
        let worst = (1..self.lines.len()).min_by_key(|&line| self.lines[line][0])?;
        if self.lines[worst][0] < 0 && !self.make_feasible(worst)? {
            return Some(Proposal::Empty(self.multipliers(system)));
        }
        self.set_objective(terms)?;
        Some(if self.optimise()? { Proposal::Bound(self.multipliers(system)) } else { Proposal::Nothing })
    }

    /// Makes all constants non-negative; `false` when that is impossible, with the reason in the objective line.
    fn make_feasible(&mut self, worst: usize) -> Option<bool> {
        self.cobasic.push(AUXILIARY);
        for (at, line) in self.lines.iter_mut().enumerate() {
            line.push(if at == 0 { -1 } else { 1 });
        }
        self.pivot(worst, self.cobasic.len() - 1)?;
        self.optimise()?;
        if self.lines[0][0] < 0 {
            return Some(false);
        }
        // The auxiliary variable is zero; make it cobasic and forget it.
        if let Some(line) = (1..self.lines.len()).find(|&line| self.basic[line] == AUXILIARY) {
            let column = (1..self.cobasic.len()).find(|&column| self.lines[line][column] != 0)?;
            self.pivot(line, column)?;
        }
        let column = (1..self.cobasic.len()).find(|&column| self.cobasic[column] == AUXILIARY)?;
        self.cobasic.remove(column);
        for line in &mut self.lines {
            line.remove(column);
        }
        Some(true)
    }

    /// Writes the terms with the cobasic variables.
    fn set_objective(&mut self, terms: &Terms) -> Option<()> {
        let wanted = self.shifted(terms)?;
        let mut line = vec![0i128; self.cobasic.len()];
        line[0] = wanted[0].checked_mul(self.denominator)?;
        for (name, &coefficient) in wanted[1..].iter().enumerate().filter(|(_, coefficient)| **coefficient != 0) {
            if let Some(column) = (1..self.cobasic.len()).find(|&column| self.cobasic[column] == name) {
                line[column] = line[column].checked_add(coefficient.checked_mul(self.denominator)?)?;
                continue;
            }
            let basic = (1..self.lines.len()).find(|&at| self.basic[at] == name)?;
            for (entry, &part) in line.iter_mut().zip(&self.lines[basic]) {
                *entry = entry.checked_add(coefficient.checked_mul(part)?)?;
            }
        }
        self.lines[0] = line;
        Some(())
    }

    /// Pivots to an optimum; `false` when the objective is unbounded.
    fn optimise(&mut self) -> Option<bool> {
        loop {
            let improving = (1..self.cobasic.len()).filter(|&column| self.lines[0][column] > 0);
            let Some(column) = improving.min_by_key(|&column| self.cobasic[column]) else { return Some(true) };
            let Some(line) = self.leaving(column)? else { return Some(false) };
            self.pivot(line, column)?;
        }
    }

    /// The line whose basic variable reaches zero first as the column's variable grows.
    fn leaving(&self, column: usize) -> Option<Option<usize>> {
        let mut best: Option<usize> = None;
        for line in (1..self.lines.len()).filter(|&line| self.lines[line][column] < 0) {
            let Some(other) = best else {
                best = Some(line);
                continue;
            };
            let (this, that) = (&self.lines[line], &self.lines[other]);
            let left = this[0].checked_mul(that[column].checked_neg()?)?;
            let right = that[0].checked_mul(this[column].checked_neg()?)?;
            if left < right || left == right && self.basic[line] < self.basic[other] {
                best = Some(line);
            }
        }
        Some(best)
    }

    /// Exchanges a basic and a cobasic variable.
    fn pivot(&mut self, line: usize, column: usize) -> Option<()> {
        self.pivots += 1;
        if self.pivots > policy::SIMPLEX_PIVOTS.size() {
            return None;
        }
        let pivot = self.lines[line][column];
        let sign = pivot.signum();
        let leaving = self.lines[line].clone();
        for at in (0..self.lines.len()).filter(|&at| at != line) {
            let factor = self.lines[at][column];
            for (other, entry) in self.lines[at].iter_mut().enumerate().filter(|(other, _)| *other != column) {
                let product = pivot.checked_mul(*entry)?.checked_sub(factor.checked_mul(leaving[other])?)?;
                debug_assert!(product % self.denominator == 0, "pivots divide exactly");
                *entry = product / self.denominator * sign;
            }
            self.lines[at][column] = factor * sign;
        }
        for entry in &mut self.lines[line] {
            *entry = entry.checked_neg()? * sign;
        }
        self.lines[line][column] = self.denominator * sign;
        self.denominator = pivot.checked_abs()?;
        std::mem::swap(&mut self.basic[line], &mut self.cobasic[column]);
        Some(())
    }

    /// The objective's dependence on the slacks of the rows.
    fn multipliers(&self, system: &System) -> Multipliers {
        let mut rows = vec![0; system.rows.len()];
        for (column, &name) in self.cobasic.iter().enumerate().skip(1) {
            if name >= self.structural && name - self.structural < rows.len() {
                rows[name - self.structural] = self.lines[0][column].saturating_neg().max(0);
            }
        }
        Multipliers { scale: self.denominator, rows }
    }
}
