//! A small deterministic source of random numbers: SplitMix64 (Steele, Lea, Flood 2014).

/// A stream of random numbers, the same for the same seed.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 128 random bits.
    pub(super) fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A number below a positive bound, nearly uniform.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// True once in `count` times.
    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// An element of a slice; `None` of an empty one.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// Random order (Fisher, Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}
