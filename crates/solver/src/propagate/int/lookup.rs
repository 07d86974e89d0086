//! `result = entries[index]`, the entries constant
//!
//! Domain consistent up to the join of values. Beyond the end there are zeros.

use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// The entry at an unsigned index.
pub fn lookup(result: &mut IntDomain, index: &mut IntDomain, entries: &[u128]) -> Result<(), Conflict> {
    let last = entries.len() as u128 - 1;
    if index.unsigned_max() > last && result.contains(0) {
        return beyond(result, index, entries);
    }
    if index.unsigned_max() > last {
        index.narrow_unsigned(0, last)?;
    }
    let mut positions: Vec<u128> = index.values().filter(|&at| result.contains(entries[at as usize])).collect();
    let mut values: Vec<u128> = positions.iter().map(|&at| entries[at as usize]).collect();
    if positions.is_empty() {
        return Err(Conflict);
    }
    result.narrow(&IntDomain::from_values(result.width(), &mut values))?;
    index.narrow(&IntDomain::from_values(index.width(), &mut positions))
}

/// The same where the index may lie beyond the end, and the result may be zero.
fn beyond(result: &mut IntDomain, index: &IntDomain, entries: &[u128]) -> Result<(), Conflict> {
    let inside = (0..entries.len() as u128).filter(|&at| index.contains(at)).map(|at| entries[at as usize]);
    let mut values: Vec<u128> = inside.chain([0]).collect();
    result.narrow(&IntDomain::from_values(result.width(), &mut values))
}
