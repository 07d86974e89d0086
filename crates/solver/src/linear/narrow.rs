//! Bounds of variables from one row at a time.
//!
//! In `sum <= bound` each term is at most the bound less the least values of the others. Bounds consistent for one row;
//! repeated over all rows up to a fixed number of rounds, since convergence may be slow (`x < y`, `y < x`).

use super::{Conflict, Range, Row, System};
use crate::policy;

impl System {
    /// Narrows all ranges by all rows, a bounded number of times.
    pub fn narrow_rows(&mut self) -> Result<(), Conflict> {
        for _ in 0..policy::NARROW_ROUNDS.size() {
            let before = self.ranges.clone();
            for at in 0..self.rows.len() {
                let row = self.rows[at].clone();
                self.narrow_by(&row)?;
            }
            if before == self.ranges {
                break;
            }
        }
        Ok(())
    }

    /// Narrows the ranges of a row's variables.
    fn narrow_by(&mut self, row: &Row) -> Result<(), Conflict> {
        if row.terms.0.is_empty() {
            return if row.bound < 0 { Err(Conflict) } else { Ok(()) };
        }
        for (variable, coefficient) in row.terms.iter() {
            let Some(most) = self.most_left(row, variable) else { continue };
            // coefficient * variable <= most
            if coefficient > 0 {
                self.narrow_range(variable, None, Some(most.div_euclid(coefficient)))?;
            } else if let (Some(most), Some(divisor)) = (most.checked_neg(), coefficient.checked_neg()) {
                let quotient = most.div_euclid(divisor) + i128::from(most.rem_euclid(divisor) != 0);
                self.narrow_range(variable, Some(quotient), None)?;
            }
        }
        Ok(())
    }

    /// What the other terms leave for one variable's term at most; `None` when they are unbounded or too large.
    fn most_left(&self, row: &Row, variable: usize) -> Option<i128> {
        let others = row.terms.iter().filter(|&(other, _)| other != variable);
        others.into_iter().try_fold(row.bound, |left, (other, coefficient)| {
            left.checked_add(self.ranges[other].greatest_multiple(coefficient.checked_neg()?)?)
        })
    }

    /// Intersects a variable's range.
    pub(super) fn narrow_range(
        &mut self,
        variable: usize,
        min: Option<i128>,
        max: Option<i128>,
    ) -> Result<(), Conflict> {
        let range = &mut self.ranges[variable];
        let min = range.min.into_iter().chain(min).max();
        let max = range.max.into_iter().chain(max).min();
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            return Err(Conflict);
        }
        *range = Range { min, max };
        Ok(())
    }
}
