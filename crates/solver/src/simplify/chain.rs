//! Chains of choices among constants as tables.
//!
//! A table without a theory of arrays is written `i == 0 ? v0 : i == 1 ? v1 : ... : other`, and the rules of choices
//! merge neighbours of equal value into `i == 0 | i == 1 ? v0 : ...`. Such a chain is one function of its index, which a
//! [`Node::Lookup`] says at once. The reader of SMT-LIB asks for it where a chain is complete: looking for chains at each
//! choice that is built would take a time quadratic in their length.

use crate::policy;
use std::collections::BTreeMap;

use clew_scalar::{BinaryOp, TernaryOp, Type};

use crate::term::{Node, Sort, TermId, Terms};

/// A chain of choices: `index == key ? value : ... : other`.
struct Chain {
    index: TermId,
    /// Values by key.
    entries: BTreeMap<u128, u128>,
    /// What there is at all other indices.
    other: TermId,
}

/// A long chain of choices by one index as a lookup, where its keys are dense.
pub(crate) fn tabulated(terms: &mut Terms, term: TermId) -> Option<TermId> {
    let Chain { index, entries, other } = chain(terms, term)?;
    let length = entries.last_key_value()?.0.checked_add(1)?;
    let (rest, space) = (terms.bits(other), 1u128.checked_shl(terms.width(index).into()).unwrap_or(u128::MAX));
    let is_dense = length <= 2 * entries.len() as u128 && (rest.is_some() || length == entries.len() as u128);
    is_dense.then_some(())?;
    let length = if rest.is_some() && space <= 2 * length { space } else { length };
    let values = (0..length).map(|key| entries.get(&key).copied().or(rest).expect("only constants fill holes"));
    let table = terms.table(terms.width(term), &values.collect::<Vec<u128>>());
    let found = terms.lookup(table, index);
    if length == space {
        return Some(found);
    }
    let end = terms.int(terms.width(index), length);
    let inside = terms.binary(BinaryOp::Ult, index, end);
    Some(terms.select(inside, found, other))
}

fn chain(terms: &Terms, term: TermId) -> Option<Chain> {
    let Sort::Scalar(Type::Int(2..)) = terms.sort(term) else { return None };
    let (mut index, mut entries) = (None, BTreeMap::new());
    let mut other = term;
    while let Node::Ternary(TernaryOp::Select, condition, value, next) = terms.node(other)
        && let Some(value) = terms.bits(value)
        && let Some((of, keys)) = keys(terms, condition)
        && *index.get_or_insert(of) == of
    {
        for key in keys {
            entries.entry(key).or_insert(value);
        }
        other = next;
    }
    (entries.len() >= policy::TABLE_ENTRIES_LEAST.size()).then_some(Chain { index: index?, entries, other })
}

/// A condition as the values that one term must have: an equation with a constant, or several of them.
fn keys(terms: &Terms, condition: TermId) -> Option<(TermId, Vec<u128>)> {
    let (mut index, mut keys) = (None, Vec::new());
    let mut open = vec![condition];
    while let Some(condition) = open.pop() {
        match terms.node(condition) {
            Node::Binary(BinaryOp::Or, a, b) => open.extend([a, b]),
            Node::Binary(BinaryOp::Eq, a, b) => {
                let key = terms.bits(b)?;
                (*index.get_or_insert(a) == a).then(|| keys.push(key))?;
            }
            _ => return None,
        }
    }
    Some((index?, keys))
}

#[cfg(test)]
mod tests {
    use super::tabulated;
    use crate::evaluate::Evaluator;
    use crate::model::Model;
    use crate::term::{Node, TermId, Terms, VarId};
    use clew_scalar::Value;

    /// A chain over a 5-bit index, the first key outermost.
    fn build(terms: &mut Terms, index: TermId, entries: &[(u128, u128)], other: TermId) -> TermId {
        entries.iter().rev().fold(other, |chain, &(key, value)| {
            let key = terms.int(5, key);
            let here = terms.eq(index, key);
            let value = terms.int(8, value);
            terms.select(here, value, chain)
        })
    }

    fn is_lookup(terms: &Terms, term: TermId) -> bool {
        terms.reachable(&[term]).into_iter().any(|term| matches!(terms.node(term), Node::Lookup(..)))
    }

    /// The chain becomes a lookup that agrees with it everywhere.
    fn check(entries: &[(u128, u128)], constant: Option<u128>) {
        let mut terms = Terms::new();
        let (index, beside) = (terms.int_var("i", 5), terms.int_var("other", 8));
        let other = constant.map_or(beside, |bits| terms.int(8, bits));
        let chain = build(&mut terms, index, entries, other);
        let table = tabulated(&mut terms, chain).expect("the chain is a table");
        assert!(is_lookup(&terms, table));
        let mut evaluator = Evaluator::new();
        for at in 0..32 {
            let mut model = Model::new();
            model.set(VarId::from_index(0), Value::int(5, at));
            model.set(VarId::from_index(1), Value::int(8, 77));
            evaluator.reset();
            let [stated, found] = [chain, table].map(|term| evaluator.value(&terms, &model, term));
            assert_eq!(stated, found, "at {at}");
        }
    }

    #[test]
    fn chains_become_tables() {
        let dense: Vec<(u128, u128)> = (0..12).map(|key| (key, key * 7 / 3)).collect();
        check(&dense, None);
        check(&dense, Some(9));
        let nearly_all: Vec<(u128, u128)> = (0..30).map(|key| (key, key * 7 / 3)).collect();
        check(&nearly_all, Some(9));
        let holes: Vec<(u128, u128)> = (0..20).filter(|key| key % 3 > 0).map(|key| (key, key / 4)).collect();
        check(&holes, Some(200));
        // The first of two equal keys counts.
        check(&[&[(3, 99)], dense.as_slice()].concat(), None);
    }

    #[test]
    fn other_chains_stay() {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.int_var(name, 5));
        let other = terms.int_var("other", 8);
        let sparse: Vec<(u128, u128)> = (0..10).map(|key| (3 * key, key)).collect();
        let chain = build(&mut terms, a, &sparse, other);
        assert_eq!(tabulated(&mut terms, chain), None);
        let short = build(&mut terms, a, &[(0, 1), (1, 2), (2, 3)], other);
        assert_eq!(tabulated(&mut terms, short), None);
        let inner = build(&mut terms, b, &[(0, 1), (1, 2), (2, 3), (3, 4)], other);
        let mixed = build(&mut terms, a, &[(0, 1), (1, 2), (2, 3), (3, 4)], inner);
        assert_eq!(tabulated(&mut terms, mixed), None);
    }
}
