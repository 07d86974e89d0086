//! Shifts by unknown amounts: a row of multiplexers per bit of the amount.

use super::{Bits, complement};
use crate::blast::gates::{Gates, Lit};

impl Gates {
    /// `bits << amount`; zero when the amount is the width or more.
    pub(in super::super) fn shl(&mut self, bits: &[Lit], amount: &[Lit]) -> Bits {
        let reversed: Bits = bits.iter().rev().copied().collect();
        let mut shifted = self.shift_down(&reversed, amount, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// `bits >> amount`; zero when the amount is the width or more.
    pub(in super::super) fn lshr(&mut self, bits: &[Lit], amount: &[Lit]) -> Bits {
        self.shift_down(bits, amount, Lit::FALSE)
    }

    /// `bits >> amount` with copies of the sign; all sign when the amount is the width or more.
    pub(in super::super) fn ashr(&mut self, bits: &[Lit], amount: &[Lit]) -> Bits {
        let sign = super::sign(bits);
        let flipped: Bits = bits.iter().map(|&bit| self.xor(sign, bit)).collect();
        let shifted = self.shift_down(&flipped, amount, Lit::FALSE);
        shifted.iter().map(|&bit| self.xor(sign, bit)).collect()
    }

    /// Moves each bit towards the low end, with `fill` entering at the high end.
    pub(in super::super) fn shift_down(&mut self, bits: &[Lit], amount: &[Lit], fill: Lit) -> Bits {
        let width = bits.len();
        let mut shifted = bits.to_vec();
        let mut beyond = Vec::new();
        for (stage, &enable) in amount.iter().enumerate() {
            match 1usize.checked_shl(u32::try_from(stage).unwrap_or(u32::MAX)) {
                Some(distance) if distance < width => {
                    let moved: Bits = (0..width).map(|i| shifted.get(i + distance).copied().unwrap_or(fill)).collect();
                    shifted = self.select(enable, &moved, &shifted);
                }
                _ => beyond.push(enable),
            }
        }
        let beyond = self.any(&beyond);
        self.select(beyond, &vec![fill; width], &shifted)
    }

    /// As [`Gates::lshr`], and whether a one was shifted out.
    pub(in super::super) fn lshr_sticky(&mut self, bits: &[Lit], amount: &[Lit]) -> (Bits, Lit) {
        let width = bits.len();
        let mut shifted = bits.to_vec();
        let mut lost = Vec::new();
        for (stage, &enable) in amount.iter().enumerate() {
            let distance = 1usize.checked_shl(u32::try_from(stage).unwrap_or(u32::MAX)).unwrap_or(width).min(width);
            let dropped = self.any(&shifted[..distance]);
            lost.push(self.and(enable, dropped));
            let moved: Bits = (0..width).map(|i| shifted.get(i + distance).copied().unwrap_or(Lit::FALSE)).collect();
            shifted = self.select(enable, &moved, &shifted);
        }
        (shifted, self.any(&lost))
    }

    /// Bit `k` of the result, of `width` bits, tells whether `amount > k`.
    pub(in super::super) fn thermometer(&mut self, amount: &[Lit], width: usize) -> Bits {
        let ones = vec![Lit::TRUE; width];
        complement(&self.shl(&ones, amount))
    }
}
