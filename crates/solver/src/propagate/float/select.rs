//! `z = if b then x else y`.
//! Domain consistent up to the single interval of the domain: entailment in both directions, constructive disjunction.

use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::float::FloatDomain;

/// Narrows the domains of `z = if b then x else y`.
pub fn select(
    b: &mut BoolDomain,
    x: &mut FloatDomain,
    y: &mut FloatDomain,
    z: &mut FloatDomain,
) -> Result<(), Conflict> {
    let (then, other) = (x.meet(z), y.meet(z));
    if then.is_empty() {
        b.fix(false)?;
    }
    if other.is_empty() {
        b.fix(true)?;
    }
    match b.value() {
        Some(true) => (*x, *z) = (then, then),
        Some(false) => (*y, *z) = (other, other),
        None => *z = then.join(&other),
    }
    z.non_empty()
}

#[cfg(test)]
mod tests {
    use super::super::oracle::hunt_reified;

    #[test]
    fn select_keeps_exactly_the_hull() {
        hunt_reified(40, |[x, y, z], b| super::select(b, x, y, z), |_, [x, y, z], b| z == if b { x } else { y });
    }
}
