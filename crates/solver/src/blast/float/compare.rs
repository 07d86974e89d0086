//! Comparisons, minimum and maximum.

use super::Float;
use crate::blast::exponent::Signed;
use crate::blast::gates::{Gates, Lit};
use crate::blast::int::concat;

impl Gates {
    /// Is it the same float? NaN is the same as NaN; zeros of different sign are not the same.
    pub(in super::super) fn float_same(&mut self, a: &Float, b: &Float) -> Lit {
        let signs = self.same(a.sign, b.sign);
        let sized = self.same_magnitude(a, b);
        let both = self.and(signs, sized);
        let (one_nan, nans) = (self.or(a.nan, b.nan), self.and(a.nan, b.nan));
        self.ite(one_nan, nans, both)
    }

    /// IEEE equality: false on NaN, true on zeros of different sign.
    pub(in super::super) fn float_eq(&mut self, a: &Float, b: &Float) -> Lit {
        let signs = self.same(a.sign, b.sign);
        let sized = self.same_magnitude(a, b);
        let zeros = self.and(a.zero, b.zero);
        let alike = self.or(signs, zeros);
        self.all(&[sized, alike, !a.nan, !b.nan])
    }

    /// IEEE less: false on NaN.
    pub(in super::super) fn float_lt(&mut self, a: &Float, b: &Float) -> Lit {
        let less = self.ordered_below(a, b);
        let zeros = self.and(a.zero, b.zero);
        self.all(&[less, !zeros, !a.nan, !b.nan])
    }

    /// IEEE less or equal: false on NaN.
    pub(in super::super) fn float_le(&mut self, a: &Float, b: &Float) -> Lit {
        let greater = self.ordered_below(b, a);
        let zeros = self.and(a.zero, b.zero);
        let not_greater = self.or(!greater, zeros);
        self.all(&[not_greater, !a.nan, !b.nan])
    }

    /// The lesser; the other operand when one is NaN; `-0` is less than `+0`.
    pub(in super::super) fn float_min(&mut self, a: &Float, b: &Float) -> Float {
        let less = self.ordered_below(a, b);
        let less = self.or(less, b.nan);
        let first = self.and(less, !a.nan);
        self.float_select(first, a, b)
    }

    /// The greater; the other operand when one is NaN; `-0` is less than `+0`.
    pub(in super::super) fn float_max(&mut self, a: &Float, b: &Float) -> Float {
        let less = self.ordered_below(a, b);
        let less = self.or(less, a.nan);
        let second = self.and(less, !b.nan);
        self.float_select(second, b, a)
    }

    /// The order with `-0` before `+0`, on operands that are not NaN.
    fn ordered_below(&mut self, a: &Float, b: &Float) -> Lit {
        let less = self.float_magnitude_below(a, b);
        let same = self.same_magnitude(a, b);
        let more = self.and(!less, !same);
        let negative = self.or(!b.sign, more);
        let positive = self.and(!b.sign, less);
        self.ite(a.sign, negative, positive)
    }

    /// `|a| < |b|`, on operands that are not NaN.
    fn float_magnitude_below(&mut self, a: &Float, b: &Float) -> Lit {
        let numbers = self.magnitude_below(&a.exponent, &a.significand, &b.exponent, &b.significand);
        let less = self.any(&[a.zero, b.infinite, numbers]);
        self.all(&[less, !b.zero, !a.infinite])
    }

    /// `|a| == |b|`, on operands that are not NaN.
    fn same_magnitude(&mut self, a: &Float, b: &Float) -> Lit {
        let exponents = self.signed_eq(&a.exponent, &b.exponent);
        let significands = self.eq(&a.significand, &b.significand);
        let (zeros, infinities) = (self.same(a.zero, b.zero), self.same(a.infinite, b.infinite));
        let numbers = self.and(exponents, significands);
        let equal = self.any(&[a.zero, a.infinite, numbers]);
        self.all(&[zeros, infinities, equal])
    }

    /// Is the first of two numbers other than zero less in magnitude than the second?
    pub(super) fn magnitude_below(&mut self, e: &Signed, x: &[Lit], f: &Signed, y: &[Lit]) -> Lit {
        if e.hi < f.lo {
            return Lit::TRUE;
        }
        if f.hi < e.lo {
            return Lit::FALSE;
        }
        let width = e.common_width(f);
        self.ult(&concat(x, &e.ordered(width)), &concat(y, &f.ordered(width)))
    }
}
