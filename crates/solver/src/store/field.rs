//! Fields of words that choices put together: the few values that a slice of a chain of choices can have at all.
//!
//! A word like `c ? (s & ~15) | 3 : d ? s + 16 : s` has too many values for a domain, while its lowest four bits are 3 or those
//! of `s`. So a slice of a choice starts with the values that the constants put there, followed through masks, shifts and
//! sums that do not reach the field.

use crate::policy;
use clew_scalar::{BinaryOp, Conversion, TernaryOp};
use rustc_hash::FxHashMap;

use super::Domain;
use crate::domain::int::{IntDomain, low};
use crate::term::{Mark, Node, Sort, TermId, Terms, mask};

/// The values of fields that have been looked at: of terms with all but some bits masked away, ascending.
#[derive(Default)]
pub(super) struct Fields {
    known: FxHashMap<(TermId, u128), Option<Vec<u128>>>,
}

impl Fields {
    /// Forgets released terms.
    pub(super) fn release(&mut self, mark: Mark) {
        self.known.retain(|(term, _), _| term.index() < mark.terms());
    }

    /// The domain of a slice of a choice, where it has few values.
    pub(super) fn domain(&mut self, terms: &Terms, term: TermId) -> Option<Domain> {
        let of = match terms.node(term) {
            Node::Extract { of, .. } => of,
            Node::Binary(BinaryOp::And, of, with) if terms.bits(with).is_some() => of,
            _ => return None,
        };
        matches!(terms.node(of), Node::Ternary(TernaryOp::Select, ..)).then_some(())?;
        let width = terms.width(term);
        let mut values = self.values(terms, term, mask(width), policy::MAX_FIELD_CHOICES.small())?;
        Some(Domain::from(IntDomain::from_values(width, &mut values)))
    }

    /// The values of some bits of a term, if they are few; `left` is how much further down to look.
    fn values(&mut self, terms: &Terms, term: TermId, bits: u128, left: u32) -> Option<Vec<u128>> {
        if bits == 0 {
            return Some(vec![0]);
        }
        if let Some(value) = terms.bits(term) {
            return Some(vec![value & bits]);
        }
        let key = (term, bits);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let left = left.checked_sub(1)?;
        let found = self.look(terms, term, bits, left).map(|mut values| {
            values.sort_unstable();
            values.dedup();
            values
        });
        let found = found.filter(|values| values.len() <= policy::MAX_FIELD_VALUES.size());
        self.known.insert(key, found.clone());
        found
    }

    fn look(&mut self, terms: &Terms, term: TermId, bits: u128, left: u32) -> Option<Vec<u128>> {
        match terms.node(term) {
            Node::Ternary(TernaryOp::Select, _, a, b) if matches!(terms.sort(a), Sort::Scalar(_)) => {
                let mut values = self.values(terms, a, bits, left)?;
                values.extend(self.values(terms, b, bits, left)?);
                Some(values)
            }
            Node::Convert(Conversion::ZeroExtend(_), a) => self.values(terms, a, bits & mask(terms.width(a)), left),
            Node::Extract { lo, of, .. } => self.moved(terms, of, bits << lo, left, |value| value >> lo),
            Node::Concat(a, b) => {
                let below = terms.width(b);
                match (bits >> below, bits & mask(below)) {
                    (0, field) => self.values(terms, b, field, left),
                    (field, 0) => self.moved(terms, a, field, left, |value| value << below),
                    _ => None,
                }
            }
            Node::Binary(op, a, b) => self.look_with_constant(terms, op, (a, terms.bits(b)?), bits, left),
            _ => None,
        }
    }

    /// An operator whose second operand is a constant.
    fn look_with_constant(
        &mut self,
        terms: &Terms,
        op: BinaryOp,
        (a, constant): (TermId, u128),
        bits: u128,
        left: u32,
    ) -> Option<Vec<u128>> {
        let width = u128::from(terms.width(a));
        match op {
            BinaryOp::And => self.values(terms, a, bits & constant, left),
            BinaryOp::Or => self.moved(terms, a, bits & !constant, left, |value| value | constant & bits),
            BinaryOp::Xor => self.moved(terms, a, bits, left, |value| value ^ constant & bits),
            // The sum leaves all bits below the lowest one of the constant as they are.
            BinaryOp::Add if constant & low(128 - bits.leading_zeros()) == 0 => self.values(terms, a, bits, left),
            BinaryOp::Shl if constant < width => {
                self.moved(terms, a, bits >> constant, left, |value| value << constant & bits)
            }
            BinaryOp::LShr if constant < width => {
                let seen = bits << constant & mask(terms.width(a));
                self.moved(terms, a, seen, left, |value| value >> constant)
            }
            _ => None,
        }
    }

    fn moved(
        &mut self,
        terms: &Terms,
        term: TermId,
        bits: u128,
        left: u32,
        to: impl Fn(u128) -> u128,
    ) -> Option<Vec<u128>> {
        Some(self.values(terms, term, bits, left)?.into_iter().map(to).collect())
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Value};

    use super::Fields;
    use crate::evaluate::Evaluator;
    use crate::model::Model;
    use crate::store::Domain;
    use crate::term::{TermId, Terms, VarId};

    /// A machine of three steps over bytes, its state in the lowest four bits of a word.
    fn machine(terms: &mut Terms, letters: &[TermId]) -> TermId {
        let mut word = terms.int(16, 2);
        for (number, &letter) in (1..).zip(letters) {
            let [mask, unit, flag, state] = [0xFFF0, 0x10, 0x400, number].map(|constant| terms.int(16, constant));
            let [low, high] = [50, 100].map(|constant| terms.int(8, constant));
            let kept = terms.binary(BinaryOp::And, word, mask);
            let moves = terms.binary(BinaryOp::Or, kept, state);
            let counts = terms.binary(BinaryOp::Add, word, unit);
            let flags = terms.binary(BinaryOp::Or, word, flag);
            let (first, second) = (terms.binary(BinaryOp::Ult, letter, low), terms.binary(BinaryOp::Ult, high, letter));
            let rest = terms.select(second, flags, moves);
            word = terms.select(first, counts, rest);
        }
        word
    }

    /// What a machine shows has only values that its field may have, and all of them.
    fn check(show: impl Fn(&mut Terms, TermId) -> TermId, expected: &[u128]) {
        let mut terms = Terms::raw();
        let letters = ["a", "b", "c"].map(|name| terms.int_var(name, 8));
        let word = machine(&mut terms, &letters);
        let shown = show(&mut terms, word);
        let Some(Domain::Int(domain)) = Fields::default().domain(&terms, shown) else {
            panic!("a field of few values")
        };
        let mut evaluator = Evaluator::new();
        for number in 0..27 {
            let mut model = Model::new();
            for (place, power) in [1, 3, 9].into_iter().enumerate() {
                let letter = [20, 70, 120][number / power % 3];
                model.set(VarId::from_index(place), Value::int(8, letter));
            }
            evaluator.reset();
            let value = evaluator.value(&terms, &model, shown);
            assert!(domain.contains(value.bits), "{value:?} of {domain:?}");
        }
        assert_eq!(domain.values().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn fields_of_words_have_few_values() {
        check(|terms, word| terms.extract(3, 0, word), &[1, 2, 3]);
        check(
            |terms, word| {
                let mask = terms.int(16, 15);
                terms.binary(BinaryOp::And, word, mask)
            },
            &[1, 2, 3],
        );
    }

    #[test]
    fn counters_are_no_fields() {
        let mut terms = Terms::raw();
        let letters = ["a", "b", "c"].map(|name| terms.int_var(name, 8));
        let word = machine(&mut terms, &letters);
        let shown = terms.extract(7, 4, word);
        assert!(Fields::default().domain(&terms, shown).is_none(), "sums reach it");
    }
}
