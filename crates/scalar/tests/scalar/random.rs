//! Operands that tests draw at random.

use clew_scalar::Format;
pub(crate) use clew_testing::Random;

/// Operands drawn at random.
pub(crate) trait Operands {
    /// An integer of the given width: any bits, a number of any length, or one near a power of two.
    fn int(&mut self, width: u8) -> u128;

    /// A float of the given format: any bits, moderate exponents, few significand bits, and special values.
    fn float(&mut self, format: Format) -> u128;
}

impl Operands for Random {
    fn int(&mut self, width: u8) -> u128 {
        let mask = u128::MAX >> (128 - width);
        let any = self.wide();
        let place = self.below(u64::from(width)) as u32;
        let bits = match self.below(4) {
            0 => any,
            1 => any & mask >> place,
            2 => !(any & mask >> place),
            _ => (1_u128 << place).wrapping_add_signed(i128::from(self.below(5)) - 2),
        };
        bits & mask
    }

    fn float(&mut self, format: Format) -> u128 {
        let sign = format.zero(self.below(2) == 1);
        let any = self.wide() & format.mask();
        let fraction = match self.below(4) {
            0 => 0,
            1 => any & format.fraction_mask() & !(format.fraction_mask() >> self.below(u64::from(format.significand))),
            _ => any & format.fraction_mask(),
        };
        let exponent = |biased: u64| u128::from(biased) << (format.significand - 1);
        let one = format.bias() as u64;
        let largest = 2 * one;
        match self.below(8) {
            0 => any,
            1 => sign | (format.infinity(false) & any) | fraction,
            2 => sign | fraction,
            3 => sign | special(self, format),
            4 => sign | exponent((one + self.below(u64::from(format.significand) + 3)).min(largest)) | fraction,
            _ => sign | exponent((one + self.below(9)).saturating_sub(4).clamp(1, largest)) | fraction,
        }
    }
}

fn special(random: &mut Random, format: Format) -> u128 {
    match random.below(8) {
        0 => 0,
        1 => format.infinity(false),
        2 => format.max_finite(false),
        3 => format.min_subnormal(false),
        4 => format.min_normal(false),
        5 => format.min_normal(false) - 1,
        6 => format.canonical_nan() | random.wide() & format.fraction_mask(),
        _ => format.one(false),
    }
}
