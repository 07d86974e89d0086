//! Remainders: C `fmod` and IEEE `remainder`.
//!
//! Long division without keeping the quotient: one conditional subtraction for every possible difference of the
//! exponents. Ordinary formats up to double can be encoded so; where the exponents may differ too much, the caller gets
//! `None` and has to answer "unknown".

use super::arithmetic::led_by_one;
use super::round::{Number, Tiny};
use super::{Float, Special};
use crate::blast::exponent::Signed;
use crate::blast::gates::{Gates, Lit};
use crate::blast::int::{Bits, complement, concat, zero_extend};
use crate::policy;
use clew_scalar::Rounding;

/// Which integer quotient is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Remainder {
    /// Truncated: C `fmod`.
    Truncated,
    /// To nearest, ties to even: IEEE `remainder`.
    Nearest,
}

impl Gates {
    /// The exact remainder of `a` by `b`, unless it would take too large a circuit.
    pub(in super::super) fn float_remainder(&mut self, kind: Remainder, a: &Float, b: &Float) -> Option<Float> {
        let difference = self.signed_sub(&a.exponent, &b.exponent);
        let steps = usize::try_from(difference.hi.max(0)).expect("it is not negative") + 1;
        if steps * (a.significand.len() + 1) > policy::MAX_REMAINDER_CELLS.size() {
            return None;
        }
        let (rest, odd) = self.long_division(&difference, steps, &a.significand, &b.significand);
        let (untouched, number, zero) = match kind {
            Remainder::Truncated => {
                let untouched = self.signed_below(&difference, 0);
                let (number, zero) = self.number_of_places(a.sign, &b.exponent, &rest, 1);
                (untouched, number, zero)
            }
            Remainder::Nearest => self.nearest(a, b, &difference, &rest, odd),
        };
        let exact = self.round(a.format, Rounding::Zero, &number, Tiny::Exact);
        let divided = Float { zero, ..exact };
        let untouched = self.any(&[untouched, b.infinite, a.zero]);
        let result = self.float_select(untouched, a, &divided);
        let nan = self.any(&[a.nan, b.nan, a.infinite, b.zero]);
        let kept_zero = self.and(result.zero, !nan);
        let special = Special { nan, infinite: Lit::FALSE, zero: kept_zero, sign: result.sign };
        Some(self.finish(&special, Float { infinite: Lit::FALSE, ..result }))
    }

    /// What is left of `x * 2^difference` by `y` (one bit wider than `y`), and whether the quotient is odd. Where the
    /// difference is negative, nothing is subtracted.
    fn long_division(&mut self, difference: &Signed, steps: usize, x: &[Lit], y: &[Lit]) -> (Bits, Lit) {
        let width = x.len() + 1;
        let divisor = complement(&zero_extend(y, width));
        let mut rest = zero_extend(x, width);
        let mut odd = Lit::FALSE;
        for step in (0..steps).rev() {
            let bound = i32::try_from(step).expect("exponents are small");
            let active = !self.signed_below(difference, bound);
            let (reduced, fits) = self.add_carry(&rest, &divisor, Lit::TRUE);
            odd = self.and(active, fits);
            rest = self.select(odd, &reduced, &rest);
            if step > 0 {
                let doubled = concat(&[Lit::FALSE], &rest[..width - 1]);
                rest = self.select(active, &doubled, &rest);
            }
        }
        (rest, odd)
    }

    /// The remainder nearest to zero, from the truncated one: whether it is `a` itself, otherwise the number and
    /// whether it is zero. It works in half places of `b`, so that `a` with the next lower exponent takes part.
    fn nearest(&mut self, a: &Float, b: &Float, difference: &Signed, rest: &[Lit], odd: Lit) -> (Lit, Number, Lit) {
        let width = rest.len() + 1;
        let below = self.signed_is(difference, -1);
        let untouched = self.signed_below(difference, -1);
        let halves = self.select(below, &zero_extend(&a.significand, width), &concat(&[Lit::FALSE], rest));
        let odd = self.and(odd, !below);
        let divisor = zero_extend(&b.significand, width);
        let (over, tie) = (self.ult(&divisor, &halves), self.eq(&divisor, &halves));
        let tie_up = self.and(tie, odd);
        let up = self.or(over, tie_up);
        let whole = zero_extend(&concat(&[Lit::FALSE], &b.significand), width);
        let complemented = self.sub(&whole, &halves);
        let places = self.select(up, &complemented, &halves);
        let sign = self.xor(a.sign, up);
        let half = self.signed_add(&b.exponent, &Signed::constant(-1), Lit::FALSE);
        let (number, zero) = self.number_of_places(sign, &half, &places, 2);
        // A remainder of zero has the sign of the dividend.
        let sign = self.ite(zero, a.sign, number.sign);
        (untouched, Number { sign, ..number }, zero)
    }

    /// The number that `places` are, and whether it is zero. They are those of a significand with this exponent and
    /// of `more` bits above it.
    fn number_of_places(&mut self, sign: Lit, exponent: &Signed, places: &[Lit], more: i32) -> (Number, Lit) {
        let (normal, distance) = self.normalise(places);
        let zero = !normal[normal.len() - 1];
        let size = i32::try_from(places.len()).expect("a significand is short");
        let distance = Signed::from_unsigned(&distance, size - 1);
        let top = self.signed_add(exponent, &Signed::constant(more), Lit::FALSE);
        let exponent = self.signed_sub(&top, &distance);
        (Number { sign, exponent, significand: led_by_one(normal) }, zero)
    }
}
