//! Quotients, remainders, square roots.
//!
//! A division by an unknown divisor is not computed but described: fresh `q` and `r` with `q * d + r = n`, no
//! overflow, and `r < d` unless `d` is zero. The multiplier in this form lets the SAT solver reason from the quotient
//! back to the operands, which a restoring divider, a chain of dependent subtractions, does not. Constant operands go
//! through the restoring divider, which then folds. Square roots are described in the same way.

use super::{Bits, complement, concat, constant, known, sign, zero_extend};
use crate::blast::gates::{Gates, Lit};

/// Quotient and remainder.
pub(in super::super) struct Division {
    pub(in super::super) quotient: Bits,
    pub(in super::super) remainder: Bits,
}

/// What a group of fresh literals stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in super::super) enum Description {
    Quotient,
    SquareRoot,
}

/// Literals bound by a description.
struct Fresh(Bits);

impl Fresh {
    fn into_division(self, quotient_width: usize) -> Division {
        let (quotient, remainder) = self.0.split_at(quotient_width);
        Division { quotient: quotient.to_vec(), remainder: remainder.to_vec() }
    }
}

impl Gates {
    /// Unsigned division; by zero it gives all ones and the dividend.
    pub(in super::super) fn divide(&mut self, n: &[Lit], d: &[Lit]) -> Division {
        if known(d).is_some_and(u128::is_power_of_two) {
            return divide_by_power(n, known(d).expect("the divisor is known"));
        }
        if known(n).is_some() && known(d).is_some() {
            return self.divide_by_steps(n, d);
        }
        let by_zero = self.is_zero(d);
        let Division { quotient, remainder } = self.divide_whole(n, d);
        let quotient = quotient.iter().map(|&bit| self.or(by_zero, bit)).collect();
        Division { quotient, remainder: self.select(by_zero, n, &remainder) }
    }

    /// The division of two integers of one width, arbitrary where `d` is zero.
    fn divide_whole(&mut self, n: &[Lit], d: &[Lit]) -> Division {
        let width = n.len();
        let divisor_width = width - d.iter().rev().take_while(|&&bit| bit == Lit::FALSE).count();
        if known(d).is_some() {
            let quotient_width = (width + 1).saturating_sub(divisor_width);
            let Division { quotient, remainder } = self.divide_exact(n, &d[..divisor_width], quotient_width);
            return Division { quotient: zero_extend(&quotient, width), remainder: zero_extend(&remainder, width) };
        }
        self.described(Description::Quotient, n, d, 2 * width, |gates, fresh| {
            let (quotient, remainder) = fresh.split_at(width);
            let (product, overflow) = gates.mul_overflow(quotient, d);
            let (sum, carry) = gates.add_carry(&product, remainder, Lit::FALSE);
            let mut conditions = gates.zip(&sum, n, Gates::same);
            conditions.extend(overflow.iter().map(|&lit| !lit));
            conditions.extend([!carry, gates.ult(remainder, d)]);
            let by_zero = gates.is_zero(d);
            conditions.into_iter().map(|condition| gates.or(by_zero, condition)).collect()
        })
        .into_division(width)
    }

    /// Quotient of `quotient_width` bits and remainder in the width of `d`, which must not be zero. The quotient must
    /// fit.
    pub(in super::super) fn divide_exact(&mut self, n: &[Lit], d: &[Lit], quotient_width: usize) -> Division {
        let count = quotient_width + d.len();
        self.described(Description::Quotient, n, d, count, |gates, fresh| {
            let (quotient, remainder) = fresh.split_at(quotient_width);
            let width = n.len().max(count) + 1;
            let product = gates.mul_to(quotient, d, width);
            let sum = gates.add(&product, &zero_extend(remainder, width));
            let mut conditions = gates.zip(&sum, &zero_extend(n, width), Gates::same);
            conditions.push(gates.ult(remainder, d));
            conditions
        })
        .into_division(quotient_width)
    }

    /// The integer square root of `n`, whose width is even, and whether it is inexact.
    pub(in super::super) fn square_root(&mut self, n: &[Lit]) -> (Bits, Lit) {
        let width = n.len() / 2;
        if known(n).is_some() {
            return self.square_root_by_steps(n);
        }
        // The remainder n - q^2 is at most 2q, hence one bit wider than q.
        let fresh = self.described(Description::SquareRoot, n, &[], 2 * width + 1, |gates, fresh| {
            let (root, remainder) = fresh.split_at(width);
            let square = gates.square_to(root, n.len() + 1);
            let sum = gates.add(&square, &zero_extend(remainder, n.len() + 1));
            let mut conditions = gates.zip(&sum, &zero_extend(n, n.len() + 1), Gates::same);
            let twice = concat(&[Lit::FALSE], root);
            conditions.push(gates.ule(remainder, &twice));
            conditions
        });
        let (root, remainder) = fresh.0.split_at(width);
        (root.to_vec(), self.any(remainder))
    }

    /// Digit by digit, as on paper: the next bit of the root is one if the remainder allows it.
    fn square_root_by_steps(&mut self, n: &[Lit]) -> (Bits, Lit) {
        let width = n.len() / 2;
        let mut root: Bits = Vec::new();
        let mut remainder = constant(0, n.len() + 2);
        for pair in n.chunks(2).rev() {
            remainder = zero_extend(&concat(pair, &remainder), n.len() + 2);
            let trial = zero_extend(&concat(&[Lit::TRUE, Lit::FALSE], &root), n.len() + 2);
            let fits = self.ule(&trial, &remainder);
            let difference = self.sub(&remainder, &trial);
            remainder = self.select(fits, &difference, &remainder);
            root.insert(0, fits);
        }
        (zero_extend(&root, width), self.any(&remainder))
    }

    /// `count` literals given by the conditions that `describe` states about them; the same literals whenever the
    /// same thing is described again.
    fn described(
        &mut self,
        kind: Description,
        a: &[Lit],
        b: &[Lit],
        count: usize,
        describe: impl FnOnce(&mut Gates, &[Lit]) -> Vec<Lit>,
    ) -> Fresh {
        let key = (kind, count, a.to_vec(), b.to_vec());
        if let Some(known) = self.descriptions.get(&key) {
            return Fresh(known.clone());
        }
        let (fresh, definition) = self.fresh(count);
        let conditions = describe(self, &fresh);
        self.define(definition, conditions);
        self.descriptions.insert(key, fresh.clone());
        Fresh(fresh)
    }

    /// Restoring division: one subtraction and one choice per bit of the quotient.
    pub(in super::super) fn divide_by_steps(&mut self, n: &[Lit], d: &[Lit]) -> Division {
        let wide_divisor = zero_extend(d, d.len() + 1);
        let mut remainder = constant(0, d.len());
        let mut quotient = vec![Lit::FALSE; n.len()];
        for (index, &bit) in n.iter().enumerate().rev() {
            let shifted = concat(&[bit], &remainder);
            let (difference, fits) = self.add_carry(&shifted, &complement(&wide_divisor), Lit::TRUE);
            quotient[index] = fits;
            remainder = self.select(fits, &difference[..d.len()], &shifted[..d.len()]);
        }
        Division { quotient, remainder }
    }

    /// Signed division, truncated; the remainder has the sign of the dividend.
    pub(in super::super) fn divide_signed(&mut self, n: &[Lit], d: &[Lit]) -> Division {
        let (magnitude, divisor) = (self.abs(n), self.abs(d));
        let Division { quotient, remainder } = self.divide(&magnitude, &divisor);
        let negative = self.xor(sign(n), sign(d));
        Division { quotient: self.neg_if(negative, &quotient), remainder: self.neg_if(sign(n), &remainder) }
    }
}

fn divide_by_power(n: &[Lit], divisor: u128) -> Division {
    let shift = divisor.trailing_zeros() as usize;
    Division { quotient: zero_extend(&n[shift..], n.len()), remainder: zero_extend(&n[..shift], n.len()) }
}
