//! Linear forms: a value as the sum of a constant and at most two cells, in mathematical integers.

use super::cell::Key;

/// `constant + sum of cells`, each with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Cells and whether each is subtracted.
    pub(crate) terms: Vec<(Key, bool)>,
    pub(crate) constant: i128,
}

impl Form {
    pub(crate) fn constant(constant: i128) -> Form {
        Form { terms: Vec::new(), constant }
    }

    pub(crate) fn cell(key: Key) -> Form {
        Form { terms: vec![(key, false)], constant: 0 }
    }

    pub(crate) fn negated(&self) -> Form {
        let terms = self.terms.iter().map(|(key, negative)| (*key, !negative)).collect();
        Form { terms, constant: -self.constant }
    }

    /// The sum, if at most two cells with coefficients of one are left.
    pub(crate) fn plus(&self, other: &Form) -> Option<Form> {
        let mut terms = self.terms.clone();
        for term in &other.terms {
            let opposite = (term.0, !term.1);
            match terms.iter().position(|known| *known == opposite) {
                Some(at) => drop(terms.remove(at)),
                None => terms.push(*term),
            }
        }
        let twice = terms.len() == 2 && terms[0].0 == terms[1].0;
        let constant = self.constant.checked_add(other.constant)?;
        (terms.len() <= 2 && !twice).then_some(Form { terms, constant })
    }

    pub(crate) fn minus(&self, other: &Form) -> Option<Form> {
        self.plus(&other.negated())
    }

    pub(crate) fn mentions(&self, gone: &dyn Fn(&Key) -> bool) -> bool {
        self.terms.iter().any(|(key, _)| gone(key))
    }
}
