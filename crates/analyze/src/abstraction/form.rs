//! Linear forms: a value as the sum of a constant and multiples of a few cells, in mathematical integers.

use super::cell::Key;
use crate::policy;

/// Coefficients and constants are less than this.
const LARGE: i128 = 1 << 70;

/// `constant + sum of coefficient * cell`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form {
    /// Cells, ascending, and their coefficients, none zero.
    pub(crate) terms: Vec<(Key, i128)>,
    pub(crate) constant: i128,
}

/// Cells of a form in which they have coefficients of one; whether each is subtracted.
pub(crate) type Signed = Vec<(Key, bool)>;

impl Form {
    pub(crate) fn constant(constant: i128) -> Form {
        Form { terms: Vec::new(), constant }
    }

    pub(crate) fn cell(key: Key) -> Form {
        Form { terms: vec![(key, 1)], constant: 0 }
    }

    pub(crate) fn negated(&self) -> Form {
        let terms = self.terms.iter().map(|(key, coefficient)| (*key, -coefficient)).collect();
        Form { terms, constant: -self.constant }
    }

    /// The sum, if few cells are left.
    pub(crate) fn plus(&self, other: &Form) -> Option<Form> {
        let mut terms = self.terms.clone();
        for (key, coefficient) in &other.terms {
            match terms.binary_search_by_key(key, |term| term.0) {
                Ok(at) => terms[at].1 += coefficient,
                Err(at) => terms.insert(at, (*key, *coefficient)),
            }
        }
        terms.retain(|term| term.1 != 0);
        Form { terms, constant: self.constant.checked_add(other.constant)? }.limited()
    }

    pub(crate) fn minus(&self, other: &Form) -> Option<Form> {
        self.plus(&other.negated())
    }

    /// The product with a number.
    pub(crate) fn times(&self, factor: i128) -> Option<Form> {
        if factor == 0 {
            return Some(Form::constant(0));
        }
        let scaled = |(key, coefficient): &(Key, i128)| Some((*key, coefficient.checked_mul(factor)?));
        let terms = self.terms.iter().map(scaled).collect::<Option<Vec<_>>>()?;
        Form { terms, constant: self.constant.checked_mul(factor)? }.limited()
    }

    /// The form with another in the place of a cell.
    pub(crate) fn with(&self, key: Key, other: &Form) -> Option<Form> {
        let (own, rest): (Vec<_>, Vec<_>) = self.terms.iter().copied().partition(|term| term.0 == key);
        let rest = Form { terms: rest, constant: self.constant };
        own.iter().try_fold(rest, |sum, (_, coefficient)| sum.plus(&other.times(*coefficient)?))
    }

    /// The cells with coefficients that have no common factor.
    pub(crate) fn reduced(&self) -> Form {
        let gcd = |mut a: i128, mut b: i128| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let factor = self.terms.iter().fold(0, |factor, term| gcd(term.1.abs(), factor)).max(1);
        Form { terms: self.terms.iter().map(|(key, coefficient)| (*key, coefficient / factor)).collect(), constant: 0 }
    }

    /// A form with coefficients that have no common factor, and that is at most zero just where this one is.
    pub(crate) fn simplified(&self) -> Form {
        let reduced = self.reduced();
        let factor = self.terms.first().zip(reduced.terms.first()).map_or(1, |(own, other)| own.1 / other.1);
        Form { constant: -(-self.constant).div_euclid(factor), ..reduced }
    }

    /// The form itself unless it is too large.
    fn limited(self) -> Option<Form> {
        let small = self.terms.iter().map(|term| term.1).chain([self.constant]).all(|it| it.abs() < LARGE);
        (small && self.terms.len() <= policy::MAX_FORM_CELLS.size()).then_some(self)
    }

    /// At most two cells, added or subtracted: what an octagon understands.
    pub(crate) fn octagonal(&self) -> Option<Signed> {
        let is_octagonal = self.terms.len() <= 2 && self.terms.iter().all(|term| term.1.abs() == 1);
        is_octagonal.then(|| self.terms.iter().map(|(key, coefficient)| (*key, *coefficient < 0)).collect())
    }

    pub(crate) fn mentions(&self, gone: &dyn Fn(&Key) -> bool) -> bool {
        self.terms.iter().any(|(key, _)| gone(key))
    }
}
