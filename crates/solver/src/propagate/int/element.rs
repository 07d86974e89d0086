//! `result = elements[index]` and `after = before with [index] := value`
//!
//! Domain consistent up to the join of domains. The index is inside the array: callers that allow other indices give the
//! rest of the index space an element of its own.

use super::unify;
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// The element at an index, unsigned.
pub fn read(result: &mut IntDomain, index: &mut IntDomain, elements: &mut [IntDomain]) -> Result<(), Conflict> {
    narrow_index(index, elements.len(), |at| elements[at].meet(result).is_ok())?;
    let possible = positions(index, elements.len());
    let union = possible.map(|at| elements[at]).reduce(|all, element| all.join(&element)).ok_or(Conflict)?;
    result.narrow(&union)?;
    match index.value() {
        Some(at) => unify(result, &mut elements[at as usize]),
        None => Ok(()),
    }
}

/// An array before and after one element, at an unsigned index, was replaced by a value. Both have the same length.
pub fn write(
    after: &mut [IntDomain],
    before: &mut [IntDomain],
    index: &mut IntDomain,
    value: &mut IntDomain,
) -> Result<(), Conflict> {
    debug_assert_eq!(after.len(), before.len(), "a write keeps the length");
    // Only the written element may differ, and the written one holds the value (erratum E055: refuted when disjoint).
    narrow_index(index, after.len(), |at| after[at].meet(value).is_ok())?;
    for at in 0..after.len() {
        if !index.contains(at as u128) {
            unify(&mut after[at], &mut before[at])?;
        } else if after[at].meet(&before[at]).is_err() {
            index.fix(at as u128)?;
        }
    }
    for at in positions(index, after.len()) {
        let union = before[at].join(value);
        after[at].narrow(&union)?;
    }
    match index.value() {
        Some(at) => unify(&mut after[at as usize], value),
        None => {
            let stored = positions(index, after.len()).map(|at| after[at]).reduce(|all, element| all.join(&element));
            value.narrow(&stored.ok_or(Conflict)?)
        }
    }
}

/// Keeps the indices inside the array that are possible.
fn narrow_index(index: &mut IntDomain, length: usize, possible: impl Fn(usize) -> bool) -> Result<(), Conflict> {
    let last = (length as u128).checked_sub(1).ok_or(Conflict)?;
    index.narrow_unsigned(0, last)?;
    let kept = |index: &IntDomain| index.values().map(|at| at as usize).find(|&at| possible(at));
    let first = kept(index).ok_or(Conflict)?;
    let rest: Vec<usize> = index.values().map(|at| at as usize).filter(|&at| at != first && !possible(at)).collect();
    for at in rest {
        index.remove(at as u128)?;
    }
    index.narrow_unsigned(first as u128, last)
}

/// The positions an index may have.
fn positions(index: &IntDomain, length: usize) -> impl Iterator<Item = usize> + use<> {
    let index = *index;
    (0..length).filter(move |&at| index.contains(at as u128))
}
