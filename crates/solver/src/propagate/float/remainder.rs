//! `z = fmod(x, y)` and `z = remainder(x, y)`, both exact.
//! Bounds of the magnitudes and the sign; equality where the quotient must be zero; evaluation on points.
//!
//! With `|y|` above `|x|` (for the IEEE remainder: above `2|x|`) the result is `x` itself. Otherwise `|z| <= |x|`, and
//! `|z| < |y|` for `fmod`, `|z| <= |y| / 2` for the remainder. A zero result has the sign of `x`, and so has every
//! result of `fmod`. Nothing is concluded from the value of a nonzero quotient.

use clew_scalar::{Format, Rounding, float};

use super::arithmetic::Arithmetic;
use crate::domain::Conflict;
use crate::domain::float::key::{self, Key};
use crate::domain::float::{Cuts, FloatDomain, Interval, Special};

/// Narrows the domains of C's `z = fmod(x, y)`.
pub(crate) fn fmod(x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    Remainder { format: z.format(), nearest: false }.contract(x, y, z)
}

/// Narrows the domains of the IEEE remainder `z = x - y * n`, `n` the integer nearest to `x / y`.
pub(crate) fn rem(x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
    Remainder { format: z.format(), nearest: true }.contract(x, y, z)
}

#[derive(Clone, Copy)]
struct Remainder {
    format: Format,
    /// The quotient is rounded to nearest (IEEE) instead of toward zero (C).
    nearest: bool,
}

impl Remainder {
    fn contract(self, x: &mut FloatDomain, y: &mut FloatDomain, z: &mut FloatDomain) -> Result<(), Conflict> {
        let empty = FloatDomain::empty(self.format);
        let mut kept = [empty, empty, empty];
        if z.may_be_nan() {
            keep_invalid(x, y, &mut kept);
        }
        let finite = |domain: &FloatDomain| {
            let max = key::max_finite(self.format);
            numbers_within(domain, Interval { lo: key::negate(max), hi: max })
        };
        let mut divisors = numbers_within(y, Interval { lo: Key::MIN, hi: Key::MAX });
        divisors.remove_zeros();
        self.keep_numbers([finite(x), divisors, finite(z)], &mut kept);
        [*x, *y, *z] = kept;
        z.non_empty()
    }

    /// Adds the cases with a finite dividend and a nonzero divisor.
    fn keep_numbers(self, [x, y, z]: [FloatDomain; 3], kept: &mut [FloatDomain; 3]) {
        if let (Some(x_bits), Some(y_bits)) = (x.value(), y.value()) {
            let evaluate = if self.nearest { float::remainder } else { float::modulo };
            let result = evaluate(self.format, x_bits, y_bits);
            if z.contains(result) {
                keep(kept, [x, y, FloatDomain::constant(self.format, result)]);
            }
            return;
        }
        for &x_piece in x.pieces(Cuts { zeros: true, signs: true, infinities: false }).as_slice() {
            for &z_piece in z.pieces(Cuts { zeros: true, signs: true, infinities: false }).as_slice() {
                for &y_piece in y.pieces(Cuts::SIGNS).as_slice() {
                    self.keep_cell([x_piece, y_piece, z_piece], kept);
                }
            }
        }
    }

    /// Adds what is possible for operands of constant sign, zeros apart from the others.
    fn keep_cell(self, [x, y, z]: [Interval; 3], kept: &mut [FloatDomain; 3]) {
        let same_sign = (x.lo < 0) == (z.lo < 0);
        let zero_result = key::magnitude(z.lo) == 0;
        if !same_sign && (!self.nearest || zero_result) {
            return;
        }
        let [mut a, mut b, mut c] = [x, y, z].map(magnitudes);
        c.hi = c.hi.min(a.hi).min(self.greatest_result(b.hi));
        if c.is_empty() {
            return;
        }
        a.lo = a.lo.max(c.lo);
        b.lo = b.lo.max(self.least_divisor(c.lo));
        let must_be_dividend = a.hi < self.least_dividend_of_nonzero_quotient(b.lo);
        if must_be_dividend {
            if !same_sign {
                return;
            }
            a = a.meet(c);
            c = a;
        } else if c.hi < a.lo || !same_sign {
            b.hi = b.hi.min(self.greatest_divisor_of_nonzero_quotient(a.hi));
        }
        if a.is_empty() || b.is_empty() || c.is_empty() {
            return;
        }
        kept[0].insert(with_sign(a, x.lo < 0));
        kept[1].insert(with_sign(b, y.lo < 0));
        kept[2].insert(with_sign(c, z.lo < 0));
    }

    /// The greatest magnitude of a result for divisors up to `divisor`.
    fn greatest_result(self, divisor: Key) -> Key {
        if self.nearest { self.halve(divisor) } else { divisor - 1 }
    }

    /// The least magnitude of a divisor that allows results of `result` and more.
    fn least_divisor(self, result: Key) -> Key {
        if self.nearest { self.double(Rounding::Up, result).max(1) } else { result + 1 }
    }

    /// Dividends below this magnitude are their own remainder for divisors from `divisor` on.
    fn least_dividend_of_nonzero_quotient(self, divisor: Key) -> Key {
        if self.nearest { self.halve(divisor) } else { divisor }
    }

    /// Divisors above this magnitude leave dividends up to `dividend` unchanged.
    fn greatest_divisor_of_nonzero_quotient(self, dividend: Key) -> Key {
        if self.nearest { self.double(Rounding::Down, dividend) } else { dividend }
    }

    /// Half of a magnitude, rounded down.
    fn halve(self, key: Key) -> Key {
        let down = Arithmetic { format: self.format, rounding: Rounding::Down };
        let one = self.one();
        let two = down.add(one, one).expect("the sum of ones is a number");
        down.div(key, two).expect("half of a number is a number")
    }

    /// Twice a magnitude, rounded.
    fn double(self, rounding: Rounding, key: Key) -> Key {
        Arithmetic { format: self.format, rounding }.add(key, key).expect("twice a magnitude is a number")
    }

    fn one(self) -> Key {
        self.format.ordered(self.format.one(false))
    }
}

/// Adds the cases that give NaN: a NaN operand, an infinite dividend, a zero divisor.
fn keep_invalid(x: &FloatDomain, y: &FloatDomain, kept: &mut [FloatDomain; 3]) {
    use Special::{Nan, NegativeInfinity, NegativeZero, PositiveInfinity, PositiveZero};
    let bad_x = only(x, [Nan, NegativeInfinity, PositiveInfinity]);
    let bad_y = only(y, [Nan, NegativeZero, PositiveZero]);
    let nan = FloatDomain::constant(x.format(), key::nan(x.format()));
    if !bad_x.is_empty() && !y.is_empty() {
        keep(kept, [bad_x, *y, nan]);
    }
    if !bad_y.is_empty() && !x.is_empty() {
        keep(kept, [*x, bad_y, nan]);
    }
}

fn only(domain: &FloatDomain, specials: [Special; 3]) -> FloatDomain {
    let mut only = FloatDomain::empty(domain.format());
    for special in specials.into_iter().filter(|&special| domain.may_be(special)) {
        only.insert_special(special);
    }
    only
}

fn keep(kept: &mut [FloatDomain; 3], case: [FloatDomain; 3]) {
    for (kept, case) in kept.iter_mut().zip(case) {
        *kept = kept.join(&case);
    }
}

fn numbers_within(domain: &FloatDomain, interval: Interval) -> FloatDomain {
    let mut numbers = *domain;
    numbers.remove(Special::Nan);
    numbers.restrict(interval);
    numbers
}

/// The magnitudes of a piece of constant sign.
fn magnitudes(piece: Interval) -> Interval {
    let (a, b) = (key::magnitude(piece.lo), key::magnitude(piece.hi));
    Interval { lo: a.min(b), hi: a.max(b) }
}

fn with_sign(magnitudes: Interval, negative: bool) -> Interval {
    if negative { Interval { lo: !magnitudes.hi, hi: !magnitudes.lo } } else { magnitudes }
}

#[cfg(test)]
mod tests {
    use clew_scalar::float;

    use super::super::oracle::hunt;

    #[test]
    fn fmod_keeps_all_solutions() {
        hunt(false, 150, |_, [x, y], z| super::fmod(x, y, z), |format, _, [x, y]| float::modulo(format, x, y));
    }

    #[test]
    fn rem_keeps_all_solutions() {
        hunt(false, 150, |_, [x, y], z| super::rem(x, y, z), |format, _, [x, y]| float::remainder(format, x, y));
    }
}
