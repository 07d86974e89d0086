//! Linear reasoning over mathematical integers: systems of inequalities, their bounds, relaxations and joins.
//!
//! A [`System`] has variables, numbered from zero, with optional bounds, and rows `sum of coefficient * variable <=
//! bound`. What it answers is always *certified*: the simplex method ([`simplex`]) only proposes non-negative multipliers
//! of the rows, and [`certificate`] checks in exact integer arithmetic which bound they prove. A proposal that is wrong, or
//! arithmetic that would overflow, costs strength and never soundness.
//!
//! Machine integers wrap, these do not. A constraint of machine integers may enter a system only where its domains show
//! that it does not wrap in one of the two readings; [`exact`] has the tests for it. [`relax`] has the linear relaxations
//! of products, disequalities and reified comparisons, [`polyhedron`] projection, weak join and widening, and
//! [`difference`] the special case of differences of two variables, closed incrementally.

pub mod approximate;
pub mod certificate;
pub mod difference;
pub mod exact;
mod narrow;
pub mod polyhedron;
pub mod relax;
pub mod simplex;

use crate::domain::Conflict;
use certificate::Multipliers;

/// Coefficients of variables, ascending by variable, none zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Terms(Vec<(usize, i128)>);

impl Terms {
    /// Coefficients of variables in any order; those of one variable are added up.
    ///
    /// # Panics
    /// If coefficients overflow.
    pub fn new(terms: &[(usize, i128)]) -> Terms {
        let mut sorted = terms.to_vec();
        sorted.sort_unstable_by_key(|term| term.0);
        let mut sum: Vec<(usize, i128)> = Vec::with_capacity(sorted.len());
        for (variable, coefficient) in sorted {
            match sum.last_mut() {
                Some(last) if last.0 == variable => {
                    last.1 = last.1.checked_add(coefficient).expect("coefficients fit 128 bits");
                }
                _ => sum.push((variable, coefficient)),
            }
        }
        sum.retain(|term| term.1 != 0);
        Terms(sum)
    }

    /// Variable and coefficient, ascending by variable.
    pub fn iter(&self) -> impl Iterator<Item = (usize, i128)> + '_ {
        self.0.iter().copied()
    }

    /// The coefficient of a variable, zero when it does not occur.
    pub fn coefficient(&self, variable: usize) -> i128 {
        self.0.binary_search_by_key(&variable, |term| term.0).map_or(0, |at| self.0[at].1)
    }

    /// All coefficients negated; `None` when one has no negation.
    pub fn negated(&self) -> Option<Terms> {
        let negate = |&(variable, coefficient): &(usize, i128)| Some((variable, coefficient.checked_neg()?));
        self.0.iter().map(negate).collect::<Option<Vec<_>>>().map(Terms)
    }
}

/// `terms <= bound`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row {
    /// Left side.
    pub terms: Terms,
    /// Right side.
    pub bound: i128,
}

impl Row {
    /// `sum of coefficient * variable <= bound`.
    pub fn new(terms: &[(usize, i128)], bound: i128) -> Row {
        Row { terms: Terms::new(terms), bound }
    }

    /// Do the values satisfy it? `None` on overflow.
    pub fn holds(&self, values: &[i128]) -> Option<bool> {
        let sum = self.terms.iter().try_fold(0i128, |sum, (variable, coefficient)| {
            sum.checked_add(coefficient.checked_mul(values[variable])?)
        })?;
        Some(sum <= self.bound)
    }
}

/// The bounds of a variable; a missing one is infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// Least value.
    pub min: Option<i128>,
    /// Greatest value.
    pub max: Option<i128>,
}

impl Range {
    /// `min..=max`.
    pub const fn new(min: i128, max: i128) -> Range {
        Range { min: Some(min), max: Some(max) }
    }

    /// All integers.
    pub const ALL: Range = Range { min: None, max: None };

    /// The greatest value of `coefficient * variable`; `None` when infinite or too large.
    fn greatest_multiple(self, coefficient: i128) -> Option<i128> {
        match coefficient {
            0 => Some(0),
            1.. => self.max?.checked_mul(coefficient),
            _ => self.min?.checked_mul(coefficient),
        }
    }
}

/// A conjunction of inequalities over integer variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// One range per variable.
    pub ranges: Vec<Range>,
    /// The inequalities.
    pub rows: Vec<Row>,
}

impl System {
    /// Variables with bounds and no rows yet.
    pub fn new(ranges: &[Range]) -> System {
        System { ranges: ranges.to_vec(), rows: Vec::new() }
    }

    /// Adds `sum of coefficient * variable <= bound`.
    ///
    /// # Panics
    /// If a variable does not exist.
    pub fn at_most(&mut self, terms: &[(usize, i128)], bound: i128) {
        self.push(Row::new(terms, bound));
    }

    /// Adds `sum of coefficient * variable = value`.
    ///
    /// # Panics
    /// If a variable does not exist, or a number has no negation.
    pub fn equal(&mut self, terms: &[(usize, i128)], value: i128) {
        let terms = Terms::new(terms);
        let negated = terms.negated().expect("coefficients have negations");
        self.push(Row { terms, bound: value });
        self.push(Row { terms: negated, bound: value.checked_neg().expect("the value has a negation") });
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If a variable does not exist.
    pub fn push(&mut self, row: Row) {
        assert!(row.terms.iter().all(|(variable, _)| variable < self.ranges.len()), "variables of the system");
        self.rows.push(row);
    }

    /// A certified upper bound of the terms over all integer solutions; `None` when there is none or none was found;
    /// a conflict when it is certain that there is no solution.
    pub fn upper(&self, terms: &Terms) -> Result<Option<i128>, Conflict> {
        let ranges_only = Multipliers { scale: 1, rows: vec![0; self.rows.len()] };
        let proposed = match simplex::maximise(self, terms) {
            simplex::Proposal::Bound(multipliers) => vec![multipliers.coarser(), multipliers],
            simplex::Proposal::Empty(multipliers) => {
                if certificate::refutes(self, &multipliers) || certificate::refutes(self, &multipliers.coarser()) {
                    return Err(Conflict);
                }
                Vec::new()
            }
            simplex::Proposal::Nothing => Vec::new(),
        };
        let certified = |multipliers: &Multipliers| certificate::bound(self, terms, multipliers);
        Ok(proposed.iter().chain([&ranges_only]).filter_map(certified).min())
    }

    /// A certified lower bound of the terms; see [`System::upper`].
    pub fn lower(&self, terms: &Terms) -> Result<Option<i128>, Conflict> {
        let Some(negated) = terms.negated() else { return Ok(None) };
        Ok(self.upper(&negated)?.and_then(i128::checked_neg))
    }

    /// Narrows the ranges: first row by row, then by the linear programs of every variable. Says whether any changed.
    pub fn tighten(&mut self) -> Result<bool, Conflict> {
        let before = self.ranges.clone();
        self.narrow_rows()?;
        for variable in 0..self.ranges.len() {
            let terms = Terms::new(&[(variable, 1)]);
            let (upper, lower) = (self.upper(&terms)?, self.lower(&terms)?);
            self.narrow_range(variable, lower, upper)?;
        }
        Ok(self.ranges != before)
    }
}
