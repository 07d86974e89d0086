//! Counting: ones, leading and trailing zeros, and shifting the leading one to the top.

use super::{Bits, complement, concat, constant, zero_extend};
use crate::blast::gates::{Gates, Lit};

impl Gates {
    /// The number of ones, in the width of the operand.
    pub(in super::super) fn count_ones(&mut self, bits: &[Lit]) -> Bits {
        let mut sums: Vec<Bits> = bits.iter().map(|&bit| vec![bit]).collect();
        while sums.len() > 1 {
            sums = sums.chunks(2).map(|pair| self.add_growing(pair)).collect();
        }
        let total = sums.pop().unwrap_or_default();
        zero_extend(&total, bits.len())
    }

    /// The sum of one or two counters, one bit wider.
    fn add_growing(&mut self, pair: &[Bits]) -> Bits {
        let width = pair.iter().map(Vec::len).max().unwrap_or(0);
        let zero = constant(0, width);
        let operand = |index: usize| pair.get(index).map_or(zero.clone(), |bits| zero_extend(bits, width));
        let (sum, carry) = self.add_carry(&operand(0), &operand(1), Lit::FALSE);
        concat(&sum, &[carry])
    }

    /// The number of zeros above the highest one; the width for zero.
    pub(in super::super) fn leading_zeros(&mut self, bits: &[Lit]) -> Bits {
        let width = bits.len();
        let (normal, count) = self.normalise(bits);
        let zero = !super::sign(&normal);
        self.select(zero, &constant(width as u128, width), &zero_extend(&count, width))
    }

    /// The number of zeros below the lowest one; the width for zero.
    pub(in super::super) fn trailing_zeros(&mut self, bits: &[Lit]) -> Bits {
        let reversed: Bits = bits.iter().rev().copied().collect();
        self.leading_zeros(&reversed)
    }

    /// Shifts left until the highest bit is a one; gives the result and the distance. Zero stays zero, and its
    /// distance is all ones.
    pub(in super::super) fn normalise(&mut self, bits: &[Lit]) -> (Bits, Bits) {
        let width = bits.len();
        let stages = usize::BITS - (width - 1).leading_zeros();
        let mut normal = bits.to_vec();
        let mut distance = Vec::new();
        for stage in (0..stages).rev() {
            let step = 1usize << stage;
            let empty = complement(&normal[width - step..]);
            let shift = self.all(&empty);
            let moved = concat(&constant(0, step), &normal[..width - step]);
            normal = self.select(shift, &moved, &normal);
            distance.insert(0, shift);
        }
        (normal, distance)
    }
}
