//! Polynomials with integer coefficients. Whatever would overflow is no polynomial.

use std::collections::BTreeMap;

/// A product of atoms, ascending; the empty one is the number one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Monomial(pub(super) Vec<u32>);

impl Monomial {
    pub(super) fn times(&self, other: &Monomial) -> Monomial {
        let mut atoms = [self.0.as_slice(), &other.0].concat();
        atoms.sort_unstable();
        Monomial(atoms)
    }
}

/// By degree first.
impl Ord for Monomial {
    fn cmp(&self, other: &Monomial) -> std::cmp::Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Monomials with their coefficients, none of them zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial(pub(super) BTreeMap<Monomial, i128>);

impl Polynomial {
    pub(super) fn constant(number: i128) -> Polynomial {
        let mut polynomial = Polynomial::default();
        if number != 0 {
            polynomial.0.insert(Monomial::default(), number);
        }
        polynomial
    }

    pub(super) fn atom(atom: u32) -> Polynomial {
        Polynomial(BTreeMap::from([(Monomial(vec![atom]), 1)]))
    }

    /// The number, if it is one.
    pub(super) fn as_constant(&self) -> Option<i128> {
        match self.0.first_key_value() {
            None => Some(0),
            Some((monomial, number)) if self.0.len() == 1 && monomial.0.is_empty() => Some(*number),
            Some(_) => None,
        }
    }

    /// The number added to the monomials.
    pub(super) fn offset(&self) -> i128 {
        self.0.get(&Monomial::default()).copied().unwrap_or(0)
    }

    /// `self + factor * monomial * other`
    pub(super) fn plus(&self, other: &Polynomial, factor: i128, monomial: &Monomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (of_other, coefficient) in &other.0 {
            let product = coefficient.checked_mul(factor)?;
            let entry = sum.0.entry(of_other.times(monomial)).or_insert(0);
            *entry = entry.checked_add(product)?;
        }
        sum.0.retain(|_, coefficient| *coefficient != 0);
        Some(sum)
    }

    pub(super) fn sum(&self, other: &Polynomial, factor: i128) -> Option<Polynomial> {
        self.plus(other, factor, &Monomial::default())
    }

    pub(super) fn scaled(&self, factor: i128) -> Option<Polynomial> {
        Polynomial::default().sum(self, factor)
    }

    pub(super) fn product(&self, other: &Polynomial) -> Option<Polynomial> {
        let parts = self.0.iter();
        parts.into_iter().try_fold(Polynomial::default(), |sum, (monomial, factor)| sum.plus(other, *factor, monomial))
    }

    pub(super) fn degree(&self) -> usize {
        self.0.last_key_value().map_or(0, |(monomial, _)| monomial.0.len())
    }

    /// The monomial that comes last, with its coefficient.
    pub(super) fn leading(&self) -> Option<(&Monomial, i128)> {
        self.0.last_key_value().map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// The polynomial divided by the greatest common divisor of its coefficients.
    pub(super) fn primitive(mut self) -> Polynomial {
        let divisor = self.0.values().fold(0, |divisor, coefficient| gcd(divisor, coefficient.unsigned_abs()));
        if divisor > 1
            && let Ok(divisor) = i128::try_from(divisor)
        {
            self.0.values_mut().for_each(|coefficient| *coefficient /= divisor);
        }
        self
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least positive factors that make two numbers equal in magnitude, with the sign that makes them cancel out.
pub(super) fn cancelling(a: i128, b: i128) -> Option<(i128, i128)> {
    let divisor = i128::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok()?;
    let (of_a, of_b) = ((b / divisor).checked_abs()?, (a / divisor).checked_abs()?);
    Some((of_a, if (a < 0) == (b < 0) { -of_b } else { of_b }))
}
