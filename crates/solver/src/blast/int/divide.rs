//! Quotients, remainders, square roots: restoring, one subtraction and one choice per digit.
//!
//! Describing the quotient instead (fresh `q` and `r` with `q * d + r = n`) takes as many gates and was measured to be
//! slower: with the operands known, unit propagation computes a restoring division but has to search for a described
//! one.

use super::{Bits, complement, concat, known, sign, zero_extend};
use crate::blast::gates::{Gates, Lit};

/// Quotient and remainder.
pub(in super::super) struct Division {
    pub(in super::super) quotient: Bits,
    pub(in super::super) remainder: Bits,
}

impl Gates {
    /// Unsigned division; by zero it gives all ones and the dividend. The remainder so far has as many bits as digits have
    /// been taken, up to those of the divisor.
    pub(in super::super) fn divide(&mut self, n: &[Lit], d: &[Lit]) -> Division {
        if let Some(divisor) = known(d).filter(|divisor| divisor.is_power_of_two()) {
            return divide_by_power(n, divisor);
        }
        let (digits, used) = (significant(n), significant(d));
        let above = self.any_from(&d[..used]);
        let mut remainder: Bits = Vec::new();
        let mut quotient = vec![!above[0]; n.len()];
        for index in (0..digits).rev() {
            let shifted = concat(&[n[index]], &remainder);
            let width = shifted.len();
            let lowest = zero_extend(&d[..used.min(width)], width);
            let (difference, no_borrow) = self.add_carry(&shifted, &complement(&lowest), Lit::TRUE);
            let fits = self.and(no_borrow, !above[used.min(width)]);
            quotient[index] = fits;
            remainder = self.select(fits, &difference[..used.min(width)], &shifted[..used.min(width)]);
        }
        let mut remainder = zero_extend(&remainder, d.len());
        if digits > used {
            // Only a remainder by zero has more bits than the divisor.
            let dividend = zero_extend(&n[..n.len().min(d.len())], d.len());
            remainder = self.select(above[0], &remainder, &dividend);
        }
        Division { quotient, remainder }
    }

    /// Whether one of the bits from each place on is set; none is beyond the end.
    fn any_from(&mut self, bits: &[Lit]) -> Bits {
        let mut any = vec![Lit::FALSE; bits.len() + 1];
        for (at, &bit) in bits.iter().enumerate().rev() {
            any[at] = self.or(bit, any[at + 1]);
        }
        any
    }

    /// The integer square root of `n`, whose width is even, and whether it is inexact. Digit by digit, as on paper: the
    /// next bit of the root is one if the remainder allows it.
    pub(in super::super) fn square_root(&mut self, n: &[Lit]) -> (Bits, Lit) {
        let mut root: Bits = Vec::new();
        let mut remainder: Bits = Vec::new();
        for pair in n.chunks(2).rev() {
            // The remainder is at most twice the root.
            let width = root.len() + 3;
            let trial = zero_extend(&concat(&[Lit::TRUE, Lit::FALSE], &root), width);
            let shifted = zero_extend(&concat(pair, &remainder), width);
            let (difference, fits) = self.add_carry(&shifted, &complement(&trial), Lit::TRUE);
            remainder = self.select(fits, &difference[..width - 1], &shifted[..width - 1]);
            root.insert(0, fits);
        }
        (root, self.any(&remainder))
    }

    /// Signed division, truncated; the remainder has the sign of the dividend.
    pub(in super::super) fn divide_signed(&mut self, n: &[Lit], d: &[Lit]) -> Division {
        let (magnitude, divisor) = (self.abs(n), self.abs(d));
        let Division { quotient, remainder } = self.divide(&magnitude, &divisor);
        let negative = self.xor(sign(n), sign(d));
        Division { quotient: self.neg_if(negative, &quotient), remainder: self.neg_if(sign(n), &remainder) }
    }
}

/// The number of bits below the zeros at the top.
fn significant(bits: &[Lit]) -> usize {
    bits.iter().rposition(|&bit| bit != Lit::FALSE).map_or(0, |last| last + 1)
}

fn divide_by_power(n: &[Lit], divisor: u128) -> Division {
    let shift = divisor.trailing_zeros() as usize;
    Division { quotient: zero_extend(&n[shift..], n.len()), remainder: zero_extend(&n[..shift], n.len()) }
}
