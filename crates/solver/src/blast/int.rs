//! Circuits over integers: vectors of literals, least significant bit first.
//!
//! Every circuit takes operands of one width and wraps like the operators of `scalar`. Constants need no circuits of
//! their own: gates fold, so an addition of a constant or a comparison with one comes out small by itself. Sums and
//! comparisons are ripple chains, which unit propagation handles better than the faster adders of hardware.

mod count;
mod divide;
mod multiply;
mod shift;

use super::gates::{Gates, Lit};

pub(super) use divide::Division;

/// An integer, least significant bit first.
pub(super) type Bits = Vec<Lit>;

/// The constant `value` in `width` bits.
pub(super) fn constant(value: u128, width: usize) -> Bits {
    (0..width).map(|bit| Lit::constant(bit < 128 && value >> bit & 1 == 1)).collect()
}

/// The value, if every bit is a constant and there are at most 128.
pub(super) fn known(bits: &[Lit]) -> Option<u128> {
    bits.iter().rev().try_fold(0u128, |value, lit| lit.known().map(|bit| value << 1 | u128::from(bit)))
}

/// The complement of each bit.
pub(super) fn complement(bits: &[Lit]) -> Bits {
    bits.iter().map(|&lit| !lit).collect()
}

/// The low `width` bits, with zeros above where there are fewer.
pub(super) fn zero_extend(bits: &[Lit], width: usize) -> Bits {
    (0..width).map(|bit| bits.get(bit).copied().unwrap_or(Lit::FALSE)).collect()
}

/// The low `width` bits, with copies of the sign above where there are fewer.
pub(super) fn sign_extend(bits: &[Lit], width: usize) -> Bits {
    let sign = bits.last().copied().unwrap_or(Lit::FALSE);
    (0..width).map(|bit| bits.get(bit).copied().unwrap_or(sign)).collect()
}

/// `low` with `high` above it.
pub(super) fn concat(low: &[Lit], high: &[Lit]) -> Bits {
    low.iter().chain(high).copied().collect()
}

/// Bytes in reverse order.
pub(super) fn byte_swap(bits: &[Lit]) -> Bits {
    bits.rchunks(8).flatten().copied().collect()
}

fn sign(bits: &[Lit]) -> Lit {
    *bits.last().expect("an integer has at least one bit")
}

impl Gates {
    /// A free integer.
    pub(super) fn inputs(&mut self, width: usize) -> Bits {
        (0..width).map(|_| self.input()).collect()
    }

    /// One gate per pair of bits.
    pub(super) fn zip(&mut self, a: &[Lit], b: &[Lit], mut gate: impl FnMut(&mut Gates, Lit, Lit) -> Lit) -> Bits {
        debug_assert_eq!(a.len(), b.len(), "operands have one width");
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    /// `yes` where `condition` holds, `no` elsewhere.
    pub(super) fn select(&mut self, condition: Lit, yes: &[Lit], no: &[Lit]) -> Bits {
        self.zip(yes, no, |gates, yes, no| gates.ite(condition, yes, no))
    }

    /// Each bit where `condition` holds, zero elsewhere.
    pub(super) fn mask(&mut self, condition: Lit, bits: &[Lit]) -> Bits {
        bits.iter().map(|&bit| self.and(condition, bit)).collect()
    }

    /// `a + b + carry`, with the carry out.
    pub(super) fn add_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Bits, Lit) {
        let sum = self.zip(a, b, |gates, a, b| {
            let bit = gates.xor3(a, b, carry);
            carry = gates.majority(a, b, carry);
            bit
        });
        (sum, carry)
    }

    pub(super) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        self.add_carry(a, b, Lit::FALSE).0
    }

    pub(super) fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        self.add_carry(a, &complement(b), Lit::TRUE).0
    }

    /// `bits + carry`, with the carry out.
    pub(super) fn increment(&mut self, bits: &[Lit], carry: Lit) -> (Bits, Lit) {
        self.add_carry(bits, &constant(0, bits.len()), carry)
    }

    pub(super) fn neg(&mut self, bits: &[Lit]) -> Bits {
        self.increment(&complement(bits), Lit::TRUE).0
    }

    /// `-bits` where `condition` holds, `bits` elsewhere.
    pub(super) fn neg_if(&mut self, condition: Lit, bits: &[Lit]) -> Bits {
        let flipped: Bits = bits.iter().map(|&bit| self.xor(condition, bit)).collect();
        self.increment(&flipped, condition).0
    }

    /// The absolute value; that of the least integer reads as unsigned. Where the sign is repeated, zeros are.
    pub(super) fn abs(&mut self, bits: &[Lit]) -> Bits {
        let sign = sign(bits);
        let other = bits.iter().rposition(|&bit| bit != sign);
        let narrow = &bits[..other.map_or(1, |other| other + 2)];
        let magnitude = self.neg_if(sign, narrow);
        zero_extend(&magnitude, bits.len())
    }

    pub(super) fn eq(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.zip(a, b, Gates::same);
        self.all(&same)
    }

    pub(super) fn is_zero(&mut self, bits: &[Lit]) -> Lit {
        !self.any(bits)
    }

    /// Unsigned `a < b`, or `a <= b` if `or_equal`: the borrow of `a - b`.
    fn below(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        debug_assert_eq!(a.len(), b.len(), "operands have one width");
        let start = Lit::constant(or_equal);
        a.iter().zip(b).fold(start, |borrow, (&a, &b)| self.majority(!a, b, borrow))
    }

    pub(super) fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.below(a, b, false)
    }

    pub(super) fn ule(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        self.below(a, b, true)
    }

    pub(super) fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (flip_sign(a), flip_sign(b));
        self.ult(&a, &b)
    }

    pub(super) fn sle(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (a, b) = (flip_sign(a), flip_sign(b));
        self.ule(&a, &b)
    }
}

/// Maps signed order to unsigned order.
fn flip_sign(bits: &[Lit]) -> Bits {
    let mut flipped = bits.to_vec();
    if let Some(sign) = flipped.last_mut() {
        *sign = !*sign;
    }
    flipped
}
