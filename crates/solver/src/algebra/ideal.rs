//! Equations in echelon form, and what they leave of other facts.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{Fact, Forms};
use super::polynomial::{Monomial, Polynomial, cancelling};
use crate::linear::{Range, System};
use crate::policy;

/// Equations, each by the monomial that it eliminates from the others.
#[derive(Default)]
struct Echelon(BTreeMap<Monomial, Polynomial>);

impl Echelon {
    /// A positive multiple of a polynomial with what the equations say put in, from the last monomial down.
    fn reduced(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        let mut rest = polynomial.clone();
        loop {
            let found = rest
                .0
                .iter()
                .rev()
                .find_map(|(monomial, coefficient)| self.0.get(monomial).map(|pivot| (*coefficient, pivot)));
            let Some((coefficient, pivot)) = found else { return Some(rest) };
            let (_, leading) = pivot.leading()?;
            let (factor, of_pivot) = cancelling(coefficient, leading)?;
            rest = rest.scaled(factor)?.sum(pivot, of_pivot)?.primitive();
        }
    }

    /// Adds an equation; says whether it contradicts the others.
    fn add(&mut self, equation: &Polynomial) -> bool {
        let Some(rest) = self.reduced(equation) else { return false };
        match rest.leading() {
            None => false,
            Some((monomial, _)) if monomial.0.is_empty() => true,
            Some((monomial, _)) => {
                self.0.insert(monomial.clone(), rest.clone());
                false
            }
        }
    }
}

/// Whether facts contradict each other.
pub(super) fn refutes(forms: &Forms<'_>, facts: &[Fact]) -> bool {
    let mut echelon = Echelon::default();
    let stated = facts.iter().filter_map(|fact| if let Fact::Zero(p) = fact { Some(p.clone()) } else { None });
    let equations: Vec<Polynomial> = stated.chain(squeezed(facts)).collect();
    let equations = || equations.iter();
    let most = facts.iter().map(|fact| fact.polynomial().degree()).max().unwrap_or(0);
    if equations().any(|equation| echelon.add(equation)) {
        return true;
    }
    let mut monomials: Vec<&Monomial> =
        facts.iter().flat_map(|fact| fact.polynomial().0.keys()).filter(|monomial| !monomial.0.is_empty()).collect();
    monomials.sort();
    monomials.dedup();
    let mut factors: Vec<Monomial> = monomials.iter().flat_map(|monomial| divisors(monomial)).collect();
    factors.sort();
    factors.dedup();
    let mut left = policy::ALGEBRA_PRODUCTS.size();
    for equation in equations() {
        for factor in factors.iter().take_while(|factor| factor.0.len() + equation.degree() <= most) {
            let Some(rest) = left.checked_sub(1) else { break };
            left = rest;
            if let Some(product) = Polynomial::default().plus(equation, 1, factor)
                && echelon.add(&product)
            {
                return true;
            }
        }
    }
    contradicts(forms, &echelon, facts)
}

/// Polynomials that are at most zero and at least zero.
fn squeezed(facts: &[Fact]) -> Vec<Polynomial> {
    let rows: BTreeSet<&Polynomial> =
        facts.iter().filter_map(|fact| if let Fact::AtMostZero(p) = fact { Some(p) } else { None }).collect();
    let is_squeezed =
        |row: &&&Polynomial| row.scaled(-1).is_some_and(|negated| **row < &negated && rows.contains(&negated));
    rows.iter().filter(is_squeezed).map(|row| (*row).clone()).collect()
}

/// The monomials that divide one, but for the number one.
fn divisors(monomial: &Monomial) -> Vec<Monomial> {
    let atoms = &monomial.0;
    if atoms.len() > 5 {
        return vec![monomial.clone()];
    }
    let chosen = |set: u32| (0..).zip(atoms).filter(move |(at, _)| set & (1 << at) != 0).map(|(_, atom)| *atom);
    (1..1u32 << atoms.len()).map(|set| Monomial(chosen(set).collect())).collect()
}

/// Whether disequalities and inequalities are left without a solution.
fn contradicts(forms: &Forms<'_>, echelon: &Echelon, facts: &[Fact]) -> bool {
    let mut rows: Vec<Polynomial> = Vec::new();
    let mut unequal: Vec<Polynomial> = Vec::new();
    for fact in facts {
        let Some(rest) = echelon.reduced(fact.polynomial()) else { continue };
        match fact {
            Fact::Zero(_) => {}
            Fact::NotZero(_) if rest.0.is_empty() => return true,
            Fact::NotZero(_) => unequal.push(rest),
            Fact::AtMostZero(_) if rest.as_constant().is_some_and(|number| number > 0) => return true,
            Fact::AtMostZero(_) if forms.range(&rest).0.is_some_and(|least| least > 0) => return true,
            Fact::AtMostZero(_) => rows.push(rest),
        }
    }
    rows.sort();
    rows.dedup();
    relaxed(forms, echelon, rows, &unequal)
}

/// Whether a linear program over the monomials shows a contradiction.
fn relaxed(forms: &Forms<'_>, echelon: &Echelon, rows: Vec<Polynomial>, unequal: &[Polynomial]) -> bool {
    let mut columns: BTreeMap<Monomial, usize> = BTreeMap::new();
    for monomial in rows.iter().chain(unequal).chain(echelon.0.values()).flat_map(|row| row.0.keys()) {
        let next = columns.len();
        if !monomial.0.is_empty() {
            columns.entry(monomial.clone()).or_insert(next);
        }
    }
    if columns.len() > policy::ALGEBRA_COLUMNS.size() || rows.len() > policy::ALGEBRA_ROWS.size() {
        return false;
    }
    let mut ranges = vec![Range::ALL; columns.len()];
    for (monomial, column) in &columns {
        let (min, max) = forms.range_of(monomial);
        ranges[*column] = Range { min, max };
    }
    let linear = |polynomial: &Polynomial| -> Vec<(usize, i128)> {
        let parts = polynomial.0.iter().filter(|(monomial, _)| !monomial.0.is_empty());
        parts.map(|(monomial, coefficient)| (columns[monomial], *coefficient)).collect()
    };
    let mut system = System::new(&ranges);
    for row in &rows {
        if let Some(bound) = row.offset().checked_neg() {
            system.at_most(&linear(row), bound);
        }
    }
    for equation in echelon.0.values() {
        let has_negation = equation.0.values().all(|coefficient| *coefficient != i128::MIN);
        if has_negation {
            system.equal(&linear(equation), -equation.offset());
        }
    }
    let Ok(bounds) = bounds(&system, &linear, unequal) else { return true };
    bounds
}

/// Whether some polynomial that is not zero is between zero and zero; a conflict if there is no solution at all.
fn bounds(
    system: &System,
    linear: &dyn Fn(&Polynomial) -> Vec<(usize, i128)>,
    unequal: &[Polynomial],
) -> Result<bool, crate::domain::Conflict> {
    let mut asked = unequal.to_vec();
    if asked.is_empty() {
        asked.push(Polynomial::default());
    }
    for polynomial in asked {
        let terms = crate::linear::Terms::new(&linear(&polynomial));
        let offset = polynomial.offset();
        let is = |bound: Option<i128>| bound.and_then(|bound| bound.checked_add(offset));
        let (upper, lower) = (is(system.upper(&terms)?), is(system.lower(&terms)?));
        if upper == Some(0) && lower == Some(0) && !polynomial.0.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
