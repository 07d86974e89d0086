//! A linear program solved in floating point: a proposer of points and of refutations.
//!
//! Maximises the margin by which all rows hold, over variables between finite bounds, by the simplex method on a dense
//! dictionary (Chvátal 1983, chapter 2), largest coefficient first. A positive margin comes with the point that has it;
//! a negative one with the multipliers of the rows whose sum is a contradiction. Both are only proposals: a point is to be
//! evaluated, multipliers are to be certified in exact arithmetic ([`super::certificate`]).

use crate::policy;

/// `sum of coefficient * variable <= bound`; every variable at most once.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Variable and coefficient.
    pub terms: Vec<(usize, f64)>,
    /// Right side.
    pub bound: f64,
}

/// What the method suggests.
#[derive(Clone, Debug, PartialEq)]
pub enum Proposal {
    /// A point where the rows should hold, as far from their edges as possible.
    Point(Vec<f64>),
    /// Multipliers, not negative, with which the rows should add up to a contradiction.
    Empty(Vec<f64>),
    /// Neither: numerically doubtful, or given up.
    Nothing,
}

/// Numbers closer to zero than this are zero.
const TINY: f64 = 1e-11;
/// Margins closer to zero than this decide nothing.
const DOUBT: f64 = 1e-12;

/// Looks for a point of the rows within the ranges. No range may be infinite.
pub(crate) fn propose(ranges: &[(f64, f64)], rows: &[Row]) -> Proposal {
    let mut dictionary = Dictionary::new(ranges, rows);
    if !dictionary.start() || !dictionary.optimise() {
        return Proposal::Nothing;
    }
    let margin = 1.0 - dictionary.lines[0][0];
    match margin {
        _ if margin < -DOUBT => Proposal::Empty(dictionary.multipliers(rows.len())),
        _ if margin >= 0.0 => Proposal::Point(dictionary.point(ranges)),
        _ => Proposal::Nothing,
    }
}

/// `basic = constant + sum of entry * cobasic`, all variables at least zero. The variables of the program are shifted to
/// start at zero and scaled to end at one. Line 0 is the shortfall `1 - margin`, which is to be as small as possible.
struct Dictionary {
    /// Lines of a constant followed by one entry per column.
    lines: Vec<Vec<f64>>,
    /// Name of the basic variable of each line; line 0 is unused.
    basic: Vec<usize>,
    /// Name of the cobasic variable of each column from 1 on; column 0 is unused.
    cobasic: Vec<usize>,
    /// Names below this are the variables, then come the shortfall, the slacks of the rows, those of upper bounds.
    variables: usize,
    /// What each row was divided by.
    scales: Vec<f64>,
}

impl Dictionary {
    fn new(ranges: &[(f64, f64)], rows: &[Row]) -> Dictionary {
        let variables = ranges.len();
        let width = |variable: usize| ranges[variable].1 - ranges[variable].0;
        let mut dictionary = Dictionary {
            lines: vec![vec![0.0; variables + 2]],
            basic: vec![usize::MAX],
            cobasic: std::iter::once(usize::MAX).chain(0..=variables).collect(),
            variables,
            scales: Vec::with_capacity(rows.len()),
        };
        dictionary.lines[0][variables + 1] = 1.0;
        for row in rows {
            let mut line = vec![0.0; variables + 2];
            let mut scale = 0.0_f64;
            line[0] = row.bound;
            for &(variable, coefficient) in &row.terms {
                line[0] -= coefficient * ranges[variable].0;
                line[variable + 1] = -coefficient * width(variable);
                scale = scale.max(line[variable + 1].abs());
            }
            let scale = if scale > 0.0 { scale } else { line[0].abs().max(f64::MIN_POSITIVE) };
            line.iter_mut().for_each(|entry| *entry /= scale);
            line[0] -= 1.0;
            line[variables + 1] = 1.0;
            dictionary.push(line);
            dictionary.scales.push(scale);
        }
        for variable in 0..variables {
            let mut line = vec![0.0; variables + 2];
            (line[0], line[variable + 1]) = (1.0, -1.0);
            dictionary.push(line);
        }
        dictionary
    }

    fn push(&mut self, line: Vec<f64>) {
        self.basic.push(self.variables + self.lines.len());
        self.lines.push(line);
    }

    /// Makes all constants non-negative, by a shortfall as large as the worst row needs.
    fn start(&mut self) -> bool {
        let rows = self.scales.len();
        let worst = (1..=rows).min_by(|&a, &b| self.lines[a][0].total_cmp(&self.lines[b][0]));
        match worst {
            Some(worst) if self.lines[worst][0] < 0.0 => self.pivot(worst, self.variables + 1),
            Some(_) => true,
            None => false,
        }
    }

    /// Pivots until the shortfall is least; `false` when that takes too long.
    fn optimise(&mut self) -> bool {
        for _ in 0..policy::APPROXIMATE_PIVOTS.size() * (self.lines.len() + self.cobasic.len()) {
            let objective = &self.lines[0];
            let entering = (1..self.cobasic.len()).min_by(|&a, &b| objective[a].total_cmp(&objective[b]));
            let Some(column) = entering.filter(|&column| objective[column] < -TINY) else { return true };
            let Some(line) = self.leaving(column) else { return false };
            if !self.pivot(line, column) {
                return false;
            }
        }
        false
    }

    /// The line whose basic variable reaches zero first as the column's variable grows.
    fn leaving(&self, column: usize) -> Option<usize> {
        let falling = (1..self.lines.len()).filter(|&line| self.lines[line][column] < -TINY);
        let ratio = |line: usize| self.lines[line][0].max(0.0) / -self.lines[line][column];
        falling.min_by(|&a, &b| ratio(a).total_cmp(&ratio(b)).then(self.basic[a].cmp(&self.basic[b])))
    }

    /// Exchanges a basic and a cobasic variable.
    fn pivot(&mut self, line: usize, column: usize) -> bool {
        let pivot = self.lines[line][column];
        let mut leaving = std::mem::take(&mut self.lines[line]);
        leaving.iter_mut().for_each(|entry| *entry /= -pivot);
        leaving[column] = 1.0 / pivot;
        for other in self.lines.iter_mut().filter(|other| !other.is_empty()) {
            let factor = std::mem::replace(&mut other[column], 0.0);
            if factor != 0.0 {
                other.iter_mut().zip(&leaving).for_each(|(entry, part)| *entry += factor * part);
            }
        }
        self.lines[line] = leaving;
        std::mem::swap(&mut self.basic[line], &mut self.cobasic[column]);
        self.lines[0][0].is_finite()
    }

    /// The shortfall's dependence on the slacks of the rows.
    fn multipliers(&self, rows: usize) -> Vec<f64> {
        let mut multipliers = vec![0.0; rows];
        for (column, &name) in self.cobasic.iter().enumerate().skip(1) {
            if let Some(row) = name.checked_sub(self.variables + 1).filter(|&row| row < rows) {
                multipliers[row] = self.lines[0][column].max(0.0) / self.scales[row];
            }
        }
        multipliers
    }

    fn point(&self, ranges: &[(f64, f64)]) -> Vec<f64> {
        let mut point: Vec<f64> = ranges.iter().map(|range| range.0).collect();
        for (line, &name) in self.basic.iter().enumerate().skip(1).filter(|(_, name)| **name < self.variables) {
            let (lo, hi) = ranges[name];
            point[name] = (lo + self.lines[line][0] * (hi - lo)).clamp(lo, hi);
        }
        point
    }
}
