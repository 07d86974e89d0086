//! Sums, products, quotients, square roots, fused multiply-add.

use clew_scalar::Rounding;

use super::round::{Number, Tiny};
use super::{Float, Special};
use crate::blast::exponent::Signed;
use crate::blast::gates::{Gates, Lit};
use crate::blast::int::{Bits, Division, concat, constant};

/// A term of a sum: a number, or zero.
struct Summand {
    zero: Lit,
    number: Number,
}

impl Summand {
    fn new(float: &Float) -> Summand {
        let number =
            Number { sign: float.sign, exponent: float.exponent.clone(), significand: float.significand.clone() };
        Summand { zero: float.zero, number }
    }
}

impl Float {
    /// The sign flipped.
    pub(in super::super) fn neg(&self) -> Float {
        Float { sign: !self.sign, ..self.clone() }
    }

    /// The sign cleared.
    pub(in super::super) fn abs(&self) -> Float {
        Float { sign: Lit::FALSE, ..self.clone() }
    }
}

impl Gates {
    pub(in super::super) fn float_add(&mut self, rounding: Rounding, a: &Float, b: &Float) -> Float {
        let (sum, cancelled) = self.sum(&Summand::new(a), &Summand::new(b));
        let ordinary = self.round(a.format, rounding, &sum, Tiny::Exact);
        let special = self.special_sum(rounding, a, b, cancelled);
        self.finish(&special, ordinary)
    }

    pub(in super::super) fn float_mul(&mut self, rounding: Rounding, a: &Float, b: &Float) -> Float {
        let product = self.product(a, b);
        let number = self.shortened(product, usize::from(a.format.significand) + 3);
        let ordinary = self.round(a.format, rounding, &number, Tiny::Rounded);
        let special = self.special_product(a, b);
        self.finish(&special, ordinary)
    }

    pub(in super::super) fn float_div(&mut self, rounding: Rounding, a: &Float, b: &Float) -> Float {
        let number = self.quotient(a, b);
        let ordinary = self.round(a.format, rounding, &number, Tiny::Rounded);
        let inverse = Float { infinite: b.zero, zero: b.infinite, ..b.clone() };
        let special = self.special_product(a, &inverse);
        self.finish(&special, ordinary)
    }

    pub(in super::super) fn float_sqrt(&mut self, rounding: Rounding, a: &Float) -> Float {
        let odd = a.exponent.bits[0];
        let doubled = concat(&[Lit::FALSE], &a.significand);
        let single = concat(&a.significand, &[Lit::FALSE]);
        let radicand = self.select(odd, &doubled, &single);
        let (root, inexact) = self.square_root(&concat(&constant(0, a.significand.len() + 1), &radicand));
        let half = Signed::from_bits(&a.exponent.bits[1..], a.exponent.lo >> 1, a.exponent.hi >> 1);
        let number = Number { sign: Lit::FALSE, exponent: half, significand: led_by_one(concat(&[inexact], &root)) };
        let ordinary = self.round(a.format, rounding, &number, Tiny::Rounded);
        let negative = self.and(a.sign, !a.zero);
        let special = Special {
            nan: self.or(a.nan, negative),
            infinite: self.and(a.infinite, !a.sign),
            zero: a.zero,
            sign: self.and(a.zero, a.sign),
        };
        self.finish(&special, ordinary)
    }

    pub(in super::super) fn float_fma(&mut self, rounding: Rounding, a: &Float, b: &Float, c: &Float) -> Float {
        let product = self.product(a, b);
        let special = self.special_product(a, b);
        let padding = constant(0, product.significand.len() - c.significand.len());
        let addend =
            Number { sign: c.sign, exponent: c.exponent.clone(), significand: concat(&padding, &c.significand) };
        let sign = product.sign;
        let (sum, cancelled) =
            self.sum(&Summand { zero: special.zero, number: product }, &Summand { zero: c.zero, number: addend });
        let ordinary = self.round(a.format, rounding, &sum, Tiny::Rounded);
        let product = Float { nan: special.nan, infinite: special.infinite, zero: special.zero, sign, ..a.clone() };
        let special = self.special_sum(rounding, &product, c, cancelled);
        self.finish(&special, ordinary)
    }

    /// The exact sum cut to three bits more than the terms have, the last one sticky, and whether it is zero.
    fn sum(&mut self, a: &Summand, b: &Summand) -> (Number, Lit) {
        let (big, small) = self.by_magnitude(a, b);
        let distance = self.signed_sub(&big.exponent, &small.exponent);
        let distance = distance.within(0, i32::MAX);
        let no_sum = self.or(a.zero, b.zero);
        let addend = self.mask(!no_sum, &small.significand);
        let room = constant(0, 3);
        let (mut addend, lost) = self.lshr_sticky(&concat(&room, &addend), distance.unsigned());
        addend[0] = self.or(addend[0], lost);

        let subtract = self.xor(big.sign, small.sign);
        let addend: Bits = addend.into_iter().map(|bit| self.xor(bit, subtract)).collect();
        let (mut sum, carry) = self.add_carry(&concat(&room, &big.significand), &addend, subtract);
        sum.push(self.and(carry, !subtract));
        let (sum, shift, most) = if subtract == Lit::FALSE {
            // Nothing cancels: the leading one is at the top or next to it.
            let doubled = concat(&[Lit::FALSE], &sum[..sum.len() - 1]);
            (led_by_one(self.select(carry, &sum, &doubled)), vec![!carry], 1)
        } else {
            let (normal, shift) = self.normalise(&sum);
            (normal, shift, i32::try_from(sum.len()).expect("a significand is short") - 1)
        };
        let cancelled = !sum[sum.len() - 1];
        let top = self.signed_sub(&big.exponent, &Signed::from_unsigned(&shift, most));
        let exponent = self.signed_add(&top, &Signed::constant(1), Lit::FALSE);
        (Number { sign: big.sign, exponent, significand: led_by_one(sum) }, cancelled)
    }

    /// The term of greater magnitude and the other one; a zero is never the greater of two different ones.
    fn by_magnitude(&mut self, a: &Summand, b: &Summand) -> (Number, Number) {
        let (x, y) = (&a.number, &b.number);
        let smaller = self.magnitude_below(&x.exponent, &x.significand, &y.exponent, &y.significand);
        let swap = self.or(a.zero, smaller);
        let swap = self.and(swap, !b.zero);
        let mut choose = |yes: &Number, no: &Number| Number {
            sign: self.ite(swap, yes.sign, no.sign),
            exponent: self.signed_select(swap, &yes.exponent, &no.exponent),
            significand: self.select(swap, &yes.significand, &no.significand),
        };
        (choose(y, x), choose(x, y))
    }

    fn special_sum(&mut self, rounding: Rounding, a: &Float, b: &Float, cancelled: Lit) -> Special {
        let differ = self.xor(a.sign, b.sign);
        let opposite = self.all(&[a.infinite, b.infinite, differ]);
        let nan = self.any(&[a.nan, b.nan, opposite]);
        let infinite = self.or(a.infinite, b.infinite);
        let infinite = self.and(infinite, !nan);
        let (one_zero, zeros) = (self.or(a.zero, b.zero), self.and(a.zero, b.zero));
        let vanishes = self.ite(one_zero, zeros, cancelled);
        let zero = self.all(&[vanishes, !nan, !infinite]);
        let of_zero = match rounding {
            Rounding::Down => self.or(a.sign, b.sign),
            _ => self.and(a.sign, b.sign),
        };
        let of_infinity = self.ite(a.infinite, a.sign, b.sign);
        Special { nan, infinite, zero, sign: self.ite(infinite, of_infinity, of_zero) }
    }

    fn special_product(&mut self, a: &Float, b: &Float) -> Special {
        let (infinite, zero) = (self.or(a.infinite, b.infinite), self.or(a.zero, b.zero));
        let undefined = self.and(infinite, zero);
        let nan = self.any(&[a.nan, b.nan, undefined]);
        Special { nan, infinite: self.and(infinite, !nan), zero: self.and(zero, !nan), sign: self.xor(a.sign, b.sign) }
    }

    /// The exact product, in twice the width.
    fn product(&mut self, a: &Float, b: &Float) -> Number {
        let width = a.significand.len() + b.significand.len();
        let product = self.mul_to(&a.significand, &b.significand, width);
        let top = product[width - 1];
        let exponent = self.signed_add(&a.exponent, &b.exponent, top);
        let doubled = concat(&[Lit::FALSE], &product[..width - 1]);
        let significand = led_by_one(self.select(top, &product, &doubled));
        Number { sign: self.xor(a.sign, b.sign), exponent, significand }
    }

    /// The quotient, with a sticky bit.
    fn quotient(&mut self, a: &Float, b: &Float) -> Number {
        let size = a.significand.len();
        let dividend = concat(&constant(0, size + 1), &a.significand);
        let Division { quotient, remainder } = if is_power_of_two(&b.significand) {
            Division { quotient: concat(&constant(0, 2), &a.significand), remainder: constant(0, size) }
        } else {
            self.divide(&dividend, &b.significand)
        };
        let sticky = self.any(&remainder);
        let quotient = concat(&[sticky], &quotient[..size + 2]);
        let top = quotient[size + 2];
        let doubled = concat(&[Lit::FALSE], &quotient[..size + 2]);
        let difference = self.signed_sub(&a.exponent, &b.exponent);
        Number {
            sign: self.xor(a.sign, b.sign),
            exponent: self.signed_add(&difference, &Signed::constant(-1), top),
            significand: led_by_one(self.select(top, &quotient, &doubled)),
        }
    }

    /// The number with all but the first `width` bits gathered in one sticky bit.
    fn shortened(&mut self, number: Number, width: usize) -> Number {
        let Some(extra) = number.significand.len().checked_sub(width) else {
            return number;
        };
        let sticky = self.any(&number.significand[..=extra]);
        let significand = concat(&[sticky], &number.significand[extra + 1..]);
        Number { significand, ..number }
    }
}

/// The significand with its leading bit put down as one, which it is wherever the number is used.
pub(super) fn led_by_one(mut significand: Bits) -> Bits {
    if let Some(top) = significand.last_mut() {
        *top = Lit::TRUE;
    }
    significand
}

fn is_power_of_two(significand: &[Lit]) -> bool {
    significand[..significand.len() - 1].iter().all(|&bit| bit == Lit::FALSE)
}
