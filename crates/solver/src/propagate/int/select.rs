//! `result = if condition then a else b`
//!
//! Domain consistent up to the join of domains: a branch that cannot give the result is refuted (entailment both ways),
//! and while both can, the result is in their union (constructive disjunction).

use super::unify;
use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::int::IntDomain;

/// Choice between two values.
#[inline]
pub fn select(
    condition: &mut BoolDomain,
    result: &mut IntDomain,
    a: &mut IntDomain,
    b: &mut IntDomain,
) -> Result<(), Conflict> {
    if condition.value().is_none() {
        match (result.meet(a), result.meet(b)) {
            (Ok(then), Ok(otherwise)) => return result.narrow(&then.join(&otherwise)),
            (Ok(_), Err(Conflict)) => condition.fix(true)?,
            (Err(Conflict), Ok(_)) => condition.fix(false)?,
            (Err(Conflict), Err(Conflict)) => return Err(Conflict),
        }
    }
    unify(result, if condition.contains(true) { a } else { b })
}
