//! Random numbers that are the same for the same seed (splitmix64: Steele, Lea and Flood 2014).

/// The state of a generator.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

/// What random numbers can be drawn as.
pub trait Number: Copy {
    /// The number as 64 bits.
    fn to_bits(self) -> u64;
    /// The number of 64 bits that are below another one.
    fn from_bits(bits: u64) -> Self;
}

impl Number for u64 {
    fn to_bits(self) -> u64 {
        self
    }

    fn from_bits(bits: u64) -> u64 {
        bits
    }
}

impl Number for usize {
    fn to_bits(self) -> u64 {
        self as u64
    }

    fn from_bits(bits: u64) -> usize {
        usize::try_from(bits).expect("it is below a usize")
    }
}

/// What a number without a type is.
impl Number for i32 {
    fn to_bits(self) -> u64 {
        u64::try_from(self).expect("a bound is positive")
    }

    fn from_bits(bits: u64) -> i32 {
        i32::try_from(bits).expect("it is below an i32")
    }
}

impl Random {
    /// 64 random bits.
    #[expect(clippy::should_implement_trait, reason = "there is always another one")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 128 random bits.
    pub fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A number below a bound.
    pub fn below<N: Number>(&mut self, bound: N) -> N {
        N::from_bits(self.next() % bound.to_bits())
    }

    /// One of some values.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of the reference implementation for the seed 1234567.
    #[test]
    fn numbers_are_those_of_splitmix() {
        let mut random = Random(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert!((0..100).all(|_| random.below(7_usize) < 7));
    }
}
