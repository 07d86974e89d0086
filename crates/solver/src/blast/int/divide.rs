//! Quotients, remainders, square roots: restoring, one subtraction and one choice per digit.
//!
//! Describing the quotient instead (fresh `q` and `r` with `q * d + r = n`) takes as many gates and was measured to be
//! slower: with the operands known, unit propagation computes a restoring division but has to search for a described
//! one.

use super::{Bits, complement, concat, constant, known, sign, zero_extend};
use crate::blast::gates::{Gates, Lit};

/// Quotient and remainder.
pub(in super::super) struct Division {
    pub(in super::super) quotient: Bits,
    pub(in super::super) remainder: Bits,
}

impl Gates {
    /// Unsigned division; by zero it gives all ones and the dividend.
    pub(in super::super) fn divide(&mut self, n: &[Lit], d: &[Lit]) -> Division {
        if let Some(divisor) = known(d).filter(|divisor| divisor.is_power_of_two()) {
            return divide_by_power(n, divisor);
        }
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

fn divide_by_power(n: &[Lit], divisor: u128) -> Division {
    let shift = divisor.trailing_zeros() as usize;
    Division { quotient: zero_extend(&n[shift..], n.len()), remainder: zero_extend(&n[..shift], n.len()) }
}
