//! Difference bounds: `x - y <= c` over mathematical integers, always closed.
//!
//! A matrix holds the least known bound of every difference; node 0 stands for the number zero, so that bounds of single
//! variables are differences too. Adding one constraint restores the closure in quadratic time (Dill 1989; the
//! incremental form of Cotton and Maler 2006), and a negative cycle is a conflict. `x - y <= c` says nothing about machine
//! integers that wrap: see [`super::exact`] for when a machine constraint may be added.

use super::{Conflict, Range};

/// Bounds of all differences between variables, and of the variables themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differences {
    /// Number of nodes: the variables and zero.
    nodes: usize,
    /// `bounds[x * nodes + y]`: the greatest value of `x - y`; `None` is infinite. Closed under addition; zero on the
    /// diagonal.
    bounds: Vec<Option<i128>>,
}

impl Differences {
    /// Variables, numbered from zero, with their ranges.
    pub fn new(ranges: &[Range]) -> Result<Differences, Conflict> {
        let nodes = ranges.len() + 1;
        let mut bounds = vec![None; nodes * nodes];
        for node in 0..nodes {
            bounds[node * nodes + node] = Some(0);
        }
        let mut differences = Differences { nodes, bounds };
        for (variable, range) in ranges.iter().enumerate() {
            if let Some(max) = range.max {
                differences.tighten(variable + 1, 0, max)?;
            }
            if let Some(bound) = range.min.and_then(i128::checked_neg) {
                differences.tighten(0, variable + 1, bound)?;
            }
        }
        Ok(differences)
    }

    /// Adds `x - y <= bound`; says whether anything new follows.
    pub fn at_most(&mut self, x: usize, y: usize, bound: i128) -> Result<bool, Conflict> {
        self.tighten(x + 1, y + 1, bound)
    }

    /// The greatest value of `x - y` known.
    pub fn upper(&self, x: usize, y: usize) -> Option<i128> {
        self.get(x + 1, y + 1)
    }

    /// The bounds of a variable.
    pub fn range(&self, variable: usize) -> Range {
        Range { min: self.get(0, variable + 1).and_then(i128::checked_neg), max: self.get(variable + 1, 0) }
    }

    fn get(&self, x: usize, y: usize) -> Option<i128> {
        self.bounds[x * self.nodes + y]
    }

    /// Adds a bound between nodes and closes: every path may now lead through it.
    fn tighten(&mut self, x: usize, y: usize, bound: i128) -> Result<bool, Conflict> {
        if self.get(x, y).is_some_and(|known| known <= bound) {
            return Ok(false);
        }
        // Together with the way back it must not be negative.
        if let Some(back) = self.get(y, x)
            && back.saturating_add(bound) < 0
        {
            return Err(Conflict);
        }
        for from in 0..self.nodes {
            let Some(start) = self.get(from, x).and_then(|first| first.checked_add(bound)) else { continue };
            for to in 0..self.nodes {
                // A sum out of range is no bound: leaving it out is sound.
                if let Some(sum) = self.get(y, to).and_then(|last| start.checked_add(last))
                    && self.get(from, to).is_none_or(|known| sum < known)
                {
                    self.bounds[from * self.nodes + to] = Some(sum);
                }
            }
        }
        Ok(true)
    }
}
