//! Polynomials with integer coefficients over the values that variables have before a turn of a loop.
//!
//! A polynomial stands for a machine integer modulo two to its width, whatever is put in for its symbols. Whether it is
//! the exact value of a signed or an unsigned integer is a question of its range, which `throughout` asks.

use std::collections::BTreeMap;

use clew_solver::term::TermId;

use crate::policy;

/// Coefficients are smaller than this.
const LARGEST: i128 = 1 << 70;

/// How the bits of a symbol are read as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signedness {
    /// As the operator wants that it comes to.
    Either,
    /// As a signed integer.
    Signed,
    /// As an unsigned integer.
    Unsigned,
}

/// What stands for an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// The value of the variable with this number when the turn begins.
    Entry(usize),
    /// A value that is the same in all turns.
    Fixed(TermId),
}

/// An atom, and how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Symbol {
    pub(super) atom: Atom,
    pub(super) signedness: Signedness,
}

/// A sum of products of symbols, each with its coefficient, none of which is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Polynomial {
    products: BTreeMap<Vec<Symbol>, i128>,
}

impl Polynomial {
    /// A number.
    pub(super) fn constant(value: i128) -> Polynomial {
        let mut polynomial = Polynomial::default();
        if value != 0 {
            polynomial.products.insert(Vec::new(), value);
        }
        polynomial
    }

    /// An atom alone.
    pub(super) fn atom(atom: Atom) -> Polynomial {
        Polynomial { products: BTreeMap::from([(vec![Symbol { atom, signedness: Signedness::Either }], 1)]) }
    }

    /// The number it is, if it is one.
    pub(super) fn number(&self) -> Option<i128> {
        match self.products.first_key_value() {
            None => Some(0),
            Some((product, value)) => (product.is_empty() && self.products.len() == 1).then_some(*value),
        }
    }

    /// The symbol it is, if it is one.
    pub(super) fn symbol(&self) -> Option<Symbol> {
        let (product, coefficient) = self.products.first_key_value()?;
        let is_alone = self.products.len() == 1 && *coefficient == 1;
        product.first().copied().filter(|_| is_alone && product.len() == 1)
    }

    /// Its products with their coefficients.
    pub(super) fn products(&self) -> impl Iterator<Item = (&[Symbol], i128)> {
        self.products.iter().map(|(product, coefficient)| (product.as_slice(), *coefficient))
    }

    /// Its sum with another one.
    pub(super) fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (product, coefficient) in &other.products {
            sum.add(product.clone(), *coefficient)?;
        }
        Some(sum)
    }

    /// What is left when another one is taken from it.
    pub(super) fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.times(-1)?)
    }

    /// So many times as much.
    pub(super) fn times(&self, factor: i128) -> Option<Polynomial> {
        self.product(&Polynomial::constant(factor))
    }

    /// Its product with another one.
    pub(super) fn product(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        for (a, first) in &self.products {
            for (b, second) in &other.products {
                let mut factors = [a.as_slice(), b].concat();
                factors.sort_unstable();
                result.add(factors, first.checked_mul(*second)?)?;
            }
        }
        Some(result)
    }

    /// The same where every symbol that may be read either way is read like this.
    pub(super) fn read(&self, signedness: Signedness) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        for (product, coefficient) in &self.products {
            let read = |symbol: &Symbol| match symbol.signedness {
                Signedness::Either => Symbol { signedness, ..*symbol },
                _ => *symbol,
            };
            let mut factors: Vec<Symbol> = product.iter().map(read).collect();
            factors.sort_unstable();
            result.add(factors, *coefficient)?;
        }
        Some(result)
    }

    /// The variables whose value it depends on.
    pub(super) fn entries(&self) -> impl Iterator<Item = usize> {
        let atoms = self.products.keys().flatten().map(|symbol| symbol.atom);
        atoms.filter_map(|atom| match atom {
            Atom::Entry(variable) => Some(variable),
            Atom::Fixed(_) => None,
        })
    }

    /// The factor of a variable and what is left without it, if the variable occurs in one product only, alone.
    pub(super) fn split(&self, variable: usize) -> Option<(i128, Polynomial)> {
        let is_own = |symbol: &Symbol| symbol.atom == Atom::Entry(variable);
        let (mut factor, mut rest) = (0, self.clone());
        for (product, coefficient) in &self.products {
            if product.iter().any(is_own) {
                if product.len() > 1 || factor != 0 {
                    return None;
                }
                factor = *coefficient;
                rest.products.remove(product);
            }
        }
        Some((factor, rest))
    }

    fn add(&mut self, product: Vec<Symbol>, coefficient: i128) -> Option<()> {
        if product.len() > policy::MAX_FACTORS.size() {
            return None;
        }
        let sum = self.products.get(&product).copied().unwrap_or(0).checked_add(coefficient)?;
        match sum {
            0 => drop(self.products.remove(&product)),
            _ => drop(self.products.insert(product, sum)),
        }
        (self.products.len() <= policy::MAX_PRODUCTS.size() && sum.abs() < LARGEST).then_some(())
    }
}
