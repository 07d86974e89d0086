//! Which bytes of an object were written: one bit each, or one flag when all were.

use super::Contents;

/// A set of byte offsets.
///
/// Invariant: with `all` set, `bits` means nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    all: bool,
    bits: Vec<u64>,
}

impl Written {
    /// Starts over for an object of `size` bytes.
    pub(super) fn begin(&mut self, size: usize, contents: Contents) {
        self.all = contents == Contents::Zero;
        self.bits.clear();
        if !self.all {
            self.bits.resize(size.div_ceil(64), 0);
        }
    }

    /// Whether at most 8 bytes from `offset` were all written.
    #[inline]
    pub(super) fn covers_few(&self, offset: usize, count: usize) -> bool {
        debug_assert!(count <= 8, "a few are at most eight");
        if self.all {
            return true;
        }
        let (word, bit) = (offset / 64, offset % 64);
        let mask = (1_u64 << count) - 1;
        let low = mask << bit;
        if self.bits[word] & low != low {
            return false;
        }
        let high = if bit + count > 64 { mask >> (64 - bit) } else { 0 };
        high == 0 || self.bits[word + 1] & high == high
    }

    /// Marks at most 8 bytes from `offset`.
    #[inline]
    pub(super) fn mark_few(&mut self, offset: usize, count: usize) {
        if self.all {
            return;
        }
        let (word, bit) = (offset / 64, offset % 64);
        let mask = (1_u64 << count) - 1;
        self.bits[word] |= mask << bit;
        if bit + count > 64 {
            self.bits[word + 1] |= mask >> (64 - bit);
        }
    }

    /// Marks `count` bytes from `offset` of an object of `size` bytes.
    pub(super) fn mark(&mut self, offset: usize, count: usize, size: usize) {
        if self.all || count == 0 {
            return;
        }
        if count == size {
            self.all = true;
            return;
        }
        for (word, mask) in words(offset, count) {
            self.bits[word] |= mask;
        }
    }

    /// The first of `count` bytes from `offset` that was not written.
    pub(super) fn first_missing(&self, offset: usize, count: usize) -> Option<usize> {
        if self.all {
            return None;
        }
        words(offset, count).find_map(|(word, mask)| {
            let missing = mask & !self.bits[word];
            (missing != 0).then(|| word * 64 + missing.trailing_zeros() as usize)
        })
    }

    /// Makes `count` bytes from `offset` of an object of `size` bytes as written as those of another object are.
    pub(super) fn copy_from(&mut self, offset: usize, from: &Written, from_offset: usize, count: usize, size: usize) {
        if from.first_missing(from_offset, count).is_none() {
            return self.mark(offset, count, size);
        }
        let flags: Vec<bool> = (0..count).map(|index| from.covers_few(from_offset + index, 1)).collect();
        self.set_each(offset, &flags, size);
    }

    /// The same within one object.
    pub(super) fn copy_within(&mut self, offset: usize, from_offset: usize, count: usize, size: usize) {
        if self.all {
            return;
        }
        let flags: Vec<bool> = (0..count).map(|index| self.covers_few(from_offset + index, 1)).collect();
        self.set_each(offset, &flags, size);
    }

    fn set_each(&mut self, offset: usize, flags: &[bool], size: usize) {
        if self.all {
            self.all = false;
            self.bits.clear();
            self.bits.resize(size.div_ceil(64), u64::MAX);
        }
        for (index, &flag) in flags.iter().enumerate() {
            let (word, bit) = ((offset + index) / 64, (offset + index) % 64);
            self.bits[word] = self.bits[word] & !(1 << bit) | u64::from(flag) << bit;
        }
    }
}

/// The words and masks that hold the bits of a range.
fn words(offset: usize, count: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = offset + count;
    (offset / 64..end.div_ceil(64)).map(move |word| {
        let first = offset.max(word * 64) - word * 64;
        let last = end.min(word * 64 + 64) - word * 64;
        (word, u64::MAX >> (64 - (last - first)) << first)
    })
}
