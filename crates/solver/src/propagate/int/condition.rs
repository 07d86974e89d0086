//! `result = !a`, `a & b`, `a | b`, `a ^ b`, `a <=> b`, `if c then a else b` between conditions
//!
//! Domain consistent: all rows of the truth table are tried.

use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;

/// Negation.
#[inline]
pub fn not(result: &mut BoolDomain, a: &mut BoolDomain) -> Result<(), Conflict> {
    result.narrow(a.not())?;
    a.narrow(result.not())
}

/// Conjunction.
#[inline]
pub fn and(result: &mut BoolDomain, a: &mut BoolDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    table([result, a, b], |x, y| x & y)
}

/// Disjunction.
#[inline]
pub fn or(result: &mut BoolDomain, a: &mut BoolDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    table([result, a, b], |x, y| x | y)
}

/// Exclusive disjunction, also the inequality.
#[inline]
pub fn xor(result: &mut BoolDomain, a: &mut BoolDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    table([result, a, b], |x, y| x ^ y)
}

/// Equivalence.
#[inline]
pub fn equal(result: &mut BoolDomain, a: &mut BoolDomain, b: &mut BoolDomain) -> Result<(), Conflict> {
    table([result, a, b], |x, y| x == y)
}

/// Choice.
#[inline]
pub fn select(
    condition: &mut BoolDomain,
    result: &mut BoolDomain,
    a: &mut BoolDomain,
    b: &mut BoolDomain,
) -> Result<(), Conflict> {
    let (mut then, mut otherwise) = (*result, *result);
    let possible = (
        condition.contains(true) && then.narrow(*a).is_ok(),
        condition.contains(false) && otherwise.narrow(*b).is_ok(),
    );
    match possible {
        (true, true) => result.narrow(then.join(otherwise)),
        (true, false) => {
            (*result, *a) = (then, then);
            condition.fix(true)
        }
        (false, true) => {
            (*result, *b) = (otherwise, otherwise);
            condition.fix(false)
        }
        (false, false) => Err(Conflict),
    }
}

/// Keeps the values that occur in a possible row of the truth table.
#[inline]
fn table(domains: [&mut BoolDomain; 3], op: impl Fn(bool, bool) -> bool) -> Result<(), Conflict> {
    let [result, a, b] = domains;
    let mut seen: Option<[BoolDomain; 3]> = None;
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        let z = op(x, y);
        if a.contains(x) && b.contains(y) && result.contains(z) {
            let row = [z, x, y].map(BoolDomain::singleton);
            seen = Some(match seen {
                Some(rows) => [0, 1, 2].map(|at| rows[at].join(row[at])),
                None => row,
            });
        }
    }
    let Some([z, x, y]) = seen else { return Err(Conflict) };
    (*result, *a, *b) = (z, x, y);
    Ok(())
}
