//! Products.
//!
//! Partial products are gathered by column and compressed with full adders from the lowest column up (Dadda, "Some
//! schemes for parallel multipliers", 1965, in first-in first-out order, which gives a shallow tree). A constant factor
//! is recoded in signed digits first (Booth 1951; non-adjacent form, Reitwiesner 1960), so that runs of ones cost one
//! subtraction; a square adds each pair of bits once. Operands that are sign extensions are multiplied by their own bits,
//! the products with a sign counting as negative (Baugh, Wooley 1973).

use std::collections::VecDeque;

use super::{Bits, complement, known, zero_extend};
use crate::blast::gates::{Gates, Lit};

/// Bits to be added, by weight.
struct Columns(Vec<VecDeque<Lit>>);

impl Columns {
    fn new(width: usize) -> Columns {
        Columns(vec![VecDeque::new(); width])
    }

    /// Adds one bit; what lies beyond the width is dropped.
    fn push(&mut self, weight: usize, bit: Lit) {
        if let Some(column) = self.0.get_mut(weight)
            && bit != Lit::FALSE
        {
            column.push_back(bit);
        }
    }

    fn push_all(&mut self, weight: usize, bits: &[Lit]) {
        for (index, &bit) in bits.iter().enumerate() {
            self.push(weight + index, bit);
        }
    }
}

impl Gates {
    /// The low bits of the product, as many as the operands have.
    pub(in super::super) fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let width = a.len();
        let (n, m) = (own_bits(a), own_bits(b));
        if 2 * n * m < width * width && known(a).is_none() && known(b).is_none() {
            return self.mul_extended(&a[..n], &b[..m], width);
        }
        self.mul_to(a, b, width)
    }

    /// The low `width` bits of the product of two operands, each extended by its last bit as a sign.
    fn mul_extended(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Bits {
        let mut columns = Columns::new(width);
        let mut constant = 0u128;
        for (row, &y) in b.iter().enumerate() {
            for (index, &x) in a.iter().enumerate().take(width.saturating_sub(row)) {
                let product = self.and(x, y);
                let negative = (row + 1 == b.len()) != (index + 1 == a.len());
                if negative && product != Lit::FALSE {
                    // -p * 2^w is !p * 2^w - 2^w.
                    columns.push(row + index, !product);
                    constant = constant.wrapping_sub(1 << (row + index));
                } else {
                    columns.push(row + index, product);
                }
            }
        }
        for weight in (0..width).filter(|&weight| constant >> weight & 1 == 1) {
            columns.push(weight, Lit::TRUE);
        }
        self.compress(columns)
    }

    /// The low `width` bits of the unsigned product.
    pub(in super::super) fn mul_to(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Bits {
        if a == b {
            return self.square_to(a, width);
        }
        if let Some(factor) = known(b) {
            return self.mul_constant(a, factor, width);
        }
        if let Some(factor) = known(a) {
            return self.mul_constant(b, factor, width);
        }
        let mut columns = Columns::new(width);
        for (row, &b) in b.iter().enumerate() {
            for (index, &a) in a.iter().enumerate().take(width.saturating_sub(row)) {
                let product = self.and(a, b);
                columns.push(row + index, product);
            }
        }
        self.compress(columns)
    }

    /// The low `width` bits of the square.
    pub(in super::super) fn square_to(&mut self, bits: &[Lit], width: usize) -> Bits {
        let mut columns = Columns::new(width);
        for (high, &x) in bits.iter().enumerate() {
            columns.push(2 * high, x);
            for (low, &y) in bits.iter().enumerate().take(high) {
                if high + low + 1 < width {
                    let product = self.and(x, y);
                    columns.push(high + low + 1, product);
                }
            }
        }
        self.compress(columns)
    }

    fn mul_constant(&mut self, bits: &[Lit], factor: u128, width: usize) -> Bits {
        let (plus, minus) = signed_digits(factor);
        let bits = zero_extend(bits, width);
        let mut columns = Columns::new(width);
        for weight in plus {
            columns.push_all(weight, &bits);
        }
        for weight in minus.into_iter().filter(|&weight| weight < width) {
            // -x * 2^w is (!x + 1) * 2^w modulo 2^width.
            columns.push_all(weight, &complement(&bits));
            columns.push(weight, Lit::TRUE);
        }
        self.compress(columns)
    }

    /// The sum of all columns.
    fn compress(&mut self, Columns(mut columns): Columns) -> Bits {
        let mut sum = Bits::with_capacity(columns.len());
        for weight in 0..columns.len() {
            let mut column = std::mem::take(&mut columns[weight]);
            while column.len() > 1 {
                let mut next = || column.pop_front().unwrap_or(Lit::FALSE);
                let (a, b, c) = (next(), next(), next());
                let (bit, carry) = (self.xor3(a, b, c), self.majority(a, b, c));
                if bit != Lit::FALSE {
                    column.push_back(bit);
                }
                if let Some(above) = columns.get_mut(weight + 1)
                    && carry != Lit::FALSE
                {
                    above.push_back(carry);
                }
            }
            sum.push(column.pop_front().unwrap_or(Lit::FALSE));
        }
        sum
    }
}

/// How many bits are left of a number without the copies of its sign above them.
fn own_bits(bits: &[Lit]) -> usize {
    let sign = bits.last();
    bits.len() - bits.iter().rev().take_while(|&bit| Some(bit) == sign).count().saturating_sub(1)
}

/// The weights of the digits +1 and -1 in the non-adjacent form.
fn signed_digits(factor: u128) -> (Vec<usize>, Vec<usize>) {
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    let mut carry = false;
    for weight in 0..=128 {
        let bit = |weight: usize| weight < 128 && factor >> weight & 1 == 1;
        let (this, next) = (bit(weight) ^ carry, bit(weight + 1));
        let both = bit(weight) && carry;
        match (this, next) {
            (false, _) => carry = both,
            (true, false) => {
                plus.push(weight);
                carry = false;
            }
            (true, true) => {
                minus.push(weight);
                carry = true;
            }
        }
    }
    (plus, minus)
}

#[cfg(test)]
mod tests {
    use super::signed_digits;

    #[test]
    fn signed_digits_add_up() {
        for factor in (0..1000).chain([u128::MAX, u128::MAX - 1, 1 << 127, 3 << 126, u128::MAX / 3]) {
            let (plus, minus) = signed_digits(factor);
            let total = |weights: &[usize]| {
                weights.iter().filter(|&&w| w < 128).fold(0u128, |sum, &w| sum.wrapping_add(1 << w))
            };
            assert_eq!(total(&plus).wrapping_sub(total(&minus)), factor, "{plus:?} - {minus:?}");
        }
    }
}
