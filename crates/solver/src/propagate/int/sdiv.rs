//! `result = a / b` signed, truncated toward zero; -1 or 1 for `b = 0`
//!
//! The unsigned quotient of the magnitudes in each of the four combinations of signs, joined.

use clew_scalar::int;

use super::udiv::udiv;
use super::{Triple, either, enumerate};
use crate::domain::Conflict;
use crate::domain::int::IntDomain;

/// The propagator of an unsigned operator with two operands.
type Unsigned = fn(&mut IntDomain, &mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;

/// Signed quotient.
pub fn sdiv(result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Result<(), Conflict> {
    if result.is_top() && a.is_top() && b.is_top() {
        return Ok(());
    }
    if enumerate::few(a, b) {
        return enumerate::binary(result, a, b, int::sdiv);
    }
    if a.signed_min() >= 0 && b.signed_min() >= 0 {
        return udiv(result, a, b);
    }
    by_signs(result, a, b, udiv, |a_negative, b_negative| a_negative != b_negative)
}

/// Contracts the magnitudes under each combination of signs; `flips` says when the result is negated.
pub(super) fn by_signs(
    result: &mut IntDomain,
    a: &mut IntDomain,
    b: &mut IntDomain,
    unsigned: Unsigned,
    flips: impl Fn(bool, bool) -> bool,
) -> Result<(), Conflict> {
    let (r, x, y) = (*result, *a, *b);
    let signs = [(false, false), (false, true), (true, false), (true, true)];
    let mut cases = signs.into_iter().map(|signs| with_signs((r, x, y), signs, unsigned, flips(signs.0, signs.1)));
    either((result, a, b), &mut cases)
}

/// One combination of signs; zero counts as positive.
fn with_signs(
    (mut result, mut a, mut b): Triple,
    (a_negative, b_negative): (bool, bool),
    unsigned: Unsigned,
    flip: bool,
) -> Result<Triple, Conflict> {
    keep_sign(&mut a, a_negative)?;
    keep_sign(&mut b, b_negative)?;
    for (domain, negate) in [(&mut result, flip), (&mut a, a_negative), (&mut b, b_negative)] {
        negate_if(domain, negate)?;
    }
    unsigned(&mut result, &mut a, &mut b)?;
    for (domain, negate) in [(&mut result, flip), (&mut a, a_negative), (&mut b, b_negative)] {
        negate_if(domain, negate)?;
    }
    Ok((result, a, b))
}

fn keep_sign(domain: &mut IntDomain, negative: bool) -> Result<(), Conflict> {
    if negative { domain.narrow_signed(i128::MIN, -1) } else { domain.narrow_signed(0, i128::MAX) }
}

fn negate_if(domain: &mut IntDomain, negate: bool) -> Result<(), Conflict> {
    if negate {
        let rough = domain.negated();
        *domain = IntDomain::top(domain.width());
        domain.narrow(&rough)?;
    }
    Ok(())
}
