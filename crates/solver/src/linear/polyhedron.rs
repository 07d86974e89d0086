//! Systems as polyhedra: projection, weak join, widening and inclusion, as the loop operator `w` needs them.
//!
//! After Denmat, Gotlieb and Ducassé (CP 2007, sec. 4.2 and 5.2). The weak join (Sankaranarayanan, Colón, Sipma and Manna
//! 2006) moves every face of either polyhedron outwards until it encloses the other and keeps all of them: an
//! over-approximation of the convex hull that needs linear programs only. Projection is Fourier and Motzkin's
//! elimination over the integers' rational relaxation. Only faces with certified bounds are kept, so every result holds
//! at least the integer points it should.

use super::{Conflict, Range, Row, System, Terms};
use crate::policy;

impl System {
    /// A system around the integer solutions of either, or a conflict when both have none.
    ///
    /// # Panics
    /// If they have different variables.
    pub fn weak_join(&self, other: &System) -> Result<System, Conflict> {
        assert_eq!(self.ranges.len(), other.ranges.len(), "systems over the same variables");
        let mut joined = System::new(&vec![Range::ALL; self.ranges.len()]);
        let mut faces: Vec<Row> = self.faces().into_iter().chain(other.faces()).collect();
        faces.sort_unstable();
        faces.dedup_by(|a, b| a.terms == b.terms);
        for face in faces {
            match (self.upper(&face.terms), other.upper(&face.terms)) {
                (Err(Conflict), Err(Conflict)) => return Err(Conflict),
                (Err(Conflict), Ok(_)) => return Ok(other.clone()),
                (Ok(_), Err(Conflict)) => return Ok(self.clone()),
                (Ok(Some(a)), Ok(Some(b))) => joined.add_face(Row { terms: face.terms, bound: a.max(b) }),
                (Ok(_), Ok(_)) => {}
            }
        }
        Ok(joined.without_redundant())
    }

    /// The faces of this system that still hold in a later one: the standard widening.
    pub fn widen(&self, later: &System) -> System {
        let mut kept = System::new(&vec![Range::ALL; self.ranges.len()]);
        for face in self.faces() {
            if later.entails(&face) {
                kept.add_face(face);
            }
        }
        kept
    }

    /// Is every integer solution of the other one also a solution here? `false` when that could not be certified.
    pub fn includes(&self, other: &System) -> bool {
        self.faces().iter().all(|face| other.entails(face))
    }

    /// Does every integer solution satisfy the row? `false` when that could not be certified.
    pub(crate) fn entails(&self, row: &Row) -> bool {
        match self.upper(&row.terms) {
            Err(Conflict) => true,
            Ok(upper) => upper.is_some_and(|upper| upper <= row.bound),
        }
    }

    /// Eliminates a variable: the rest of every solution is a solution of the result, where the variable is free.
    pub fn project(&self, variable: usize) -> System {
        let (with, without): (Vec<Row>, Vec<Row>) =
            self.faces().into_iter().partition(|face| face.terms.coefficient(variable) != 0);
        let mut projected = System::new(&vec![Range::ALL; self.ranges.len()]);
        for row in without {
            projected.add_face(row);
        }
        let (above, below): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|face| face.terms.coefficient(variable) > 0);
        for upper in &above {
            for lower in &below {
                if let Some(row) = eliminate(upper, lower, variable)
                    && projected.rows.len() < policy::POLYHEDRON_ROWS.size()
                {
                    projected.add_face(row);
                }
            }
        }
        projected.without_redundant()
    }

    /// All rows, those of the ranges included.
    fn faces(&self) -> Vec<Row> {
        let mut faces = self.rows.clone();
        for (variable, range) in self.ranges.iter().enumerate() {
            if let Some(max) = range.max {
                faces.push(Row::new(&[(variable, 1)], max));
            }
            if let Some(bound) = range.min.and_then(i128::checked_neg) {
                faces.push(Row::new(&[(variable, -1)], bound));
            }
        }
        faces
    }

    /// Adds a row, as a bound when it is one.
    fn add_face(&mut self, row: Row) {
        let range = match *row.terms.0.as_slice() {
            [(variable, 1)] => Some((variable, None, Some(row.bound))),
            [(variable, -1)] => row.bound.checked_neg().map(|min| (variable, Some(min), None)),
            _ => None,
        };
        match range {
            // An empty range stays a row, for which the linear program finds the conflict.
            Some((variable, min, max)) if self.narrow_range(variable, min, max).is_ok() => {}
            _ => self.rows.push(row),
        }
    }

    /// Without rows that the others entail.
    fn without_redundant(mut self) -> System {
        self.rows.sort_unstable();
        self.rows.dedup();
        for at in (0..self.rows.len()).rev() {
            let row = self.rows.remove(at);
            if !self.entails(&row) {
                self.rows.insert(at, row);
            }
        }
        self
    }
}

/// The sum of multiples of two rows in which the variable cancels, divided by the common factor of its coefficients.
fn eliminate(upper: &Row, lower: &Row, variable: usize) -> Option<Row> {
    let (up, down) = (upper.terms.coefficient(variable), lower.terms.coefficient(variable).checked_neg()?);
    let divisor = gcd(up, down);
    let (by_upper, by_lower) = (down / divisor, up / divisor);
    let mut terms = Vec::new();
    for (row, factor) in [(upper, by_upper), (lower, by_lower)] {
        for (variable, coefficient) in row.terms.iter() {
            terms.push((variable, coefficient.checked_mul(factor)?));
        }
    }
    let bound = upper.bound.checked_mul(by_upper)?.checked_add(lower.bound.checked_mul(by_lower)?)?;
    Some(divided(Terms::new(&terms), bound))
}

/// The row over its coefficients' common factor; the bound of integers is rounded down.
fn divided(terms: Terms, bound: i128) -> Row {
    let factor = terms.iter().fold(0, |factor, (_, coefficient)| gcd(coefficient.saturating_abs(), factor));
    if factor <= 1 {
        return Row { terms, bound };
    }
    let terms = terms.iter().map(|(variable, coefficient)| (variable, coefficient / factor)).collect();
    Row { terms: Terms(terms), bound: bound.div_euclid(factor) }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
